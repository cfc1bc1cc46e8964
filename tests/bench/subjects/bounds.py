"""How broken bytes are borne: processor time to open them, to the doctor's answers and to a page, and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench import child
from bench.broken import SHAPES
from bench.measure import Goal, Measure, Series, Unit, at_most, within
from bench.setting import Setting

SIZE, SIZE_QUICK = 10_000_000, 1_000_000
SOUND = "sound file, opened"
FIRST, ALL, MEMORY = 1, 10, 3
STEPS: tuple[tuple[str, str, Goal], ...] = (
    ("open", "opened", at_most(ALL)),
    ("first", "first answer", at_most(FIRST)),
    ("all", "all answers", at_most(ALL)),
    ("page", "page about a byte", at_most(FIRST)),
)


def seconds(shape: str, step: str) -> Callable[[Setting], Series]:
    """How long one step takes."""

    def take(setting: Setting) -> Series:
        found = child.run(setting, "children.bounds", shape, setting.size(SIZE, SIZE_QUICK))
        return Series(tuple(found[step]))

    return take


def memory(shape: str) -> Callable[[Setting], Series]:
    """The peak while all this was done, beside that of opening a sound file of that size: its bytes and its table."""

    def take(setting: Setting) -> Series:
        size = setting.size(SIZE, SIZE_QUICK)
        ours, sound = (
            child.run(setting, "children.bounds", shape, size),
            child.run(setting, "children.bounds", "sound", size),
        )
        return Series(tuple(ours["peak"]), tuple(sound["peak"]))

    return take


def _measures() -> Iterator[Measure]:
    for shape, (words, _) in SHAPES.items():
        for step, what, goal in STEPS:
            yield Measure(f"bounds-{shape}-{step}", f"{words}: {what}", seconds(shape, step), goal=goal)
        yield Measure(f"bounds-{shape}-memory", f"{words}: memory", memory(shape), SOUND, within(MEMORY), Unit.BYTES)


MEASURES = list(_measures())
