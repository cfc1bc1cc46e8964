"""Files larger than memory should hold: sparse packed arrays, sound and with too large a count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from bench import child, data
from bench.command import Usage, viewer
from bench.measure import Goal, Measure, Series, Unit, at_most
from bench.setting import BenchError, Setting

LIMIT = 2048
"""Megabytes that a command may take of its own before it is refused more."""
MISSING = 4096
QUICK = 300 << 20
MEMORY, SEARCH = at_most(100e6), at_most(10.0)
FILES: dict[str, tuple[str, int, int, int]] = {
    "bytes": ("1 GiB PoolByteArray", data.BYTES, data.GIB, 0),
    "reals": ("3 GiB PoolRealArray", data.REALS, 3 * data.GIB, 0),
    "broken": ("3 GiB PoolRealArray, count too large", data.REALS, 3 * data.GIB, MISSING),
    "beyond": ("3 GiB PoolByteArray, beyond any count", data.BYTES, 3 * data.GIB, 0),
}
"""In words, type, bytes, and how many of these are missing. A count that engines take is less than 2 GiB."""
SOUND = ("bytes", "reals")
WINDOW: tuple[tuple[str, str, Goal, Unit], ...] = (
    ("open", "opened in the window", at_most(1.0), Unit.SECONDS),
    ("jump", "jump to the end", at_most(0.1), Unit.SECONDS),
    ("memory", "memory above the empty window", MEMORY, Unit.BYTES),
)


def path(setting: Setting, name: str) -> Path:
    """One of these files."""
    _, kind, size, missing = FILES[name]
    return data.sparse(setting, kind, setting.size(size, QUICK), missing)


def command(setting: Setting, name: str, word: str) -> Usage:
    """What a command takes for one of them."""
    return setting.once((name, word), lambda: viewer(word, path(setting, name), limit=LIMIT, answer=1))


def memory(name: str, word: str) -> Callable[[Setting], Series]:
    """Its peak, above that of a check of a file of a few values."""

    def take(setting: Setting) -> Series:
        small = data.path(setting, "save8k")
        idle = setting.once("idle check", lambda: viewer("check", small))
        return Series((max(0.0, command(setting, name, word).peak - idle.peak),))

    return take


def seconds(name: str, word: str) -> Callable[[Setting], Series]:
    """Its processor time."""
    return lambda setting: Series((command(setting, name, word).seconds,))


def window(name: str, figure: str) -> Callable[[Setting], Series]:
    """One figure of opening it in the window."""

    def take(setting: Setting) -> Series:
        found = child.run(setting, "window.huge", path(setting, name))[figure]
        if not found:
            raise BenchError("still being read after half a minute")
        return Series(tuple(found))

    return take


def _measures() -> Iterator[Measure]:
    for name, (words, *_) in FILES.items():
        for word in ("check",) if name in SOUND else ("check", "doctor"):
            what = f"{words}: memory of {word} above an idle check"
            yield Measure(f"huge-{name}-{word}", what, memory(name, word), "", MEMORY, Unit.BYTES)
            if name not in SOUND:
                yield Measure(f"huge-{name}-{word}-time", f"{words}: {word}", seconds(name, word), "", SEARCH)
        for figure, what, goal, unit in WINDOW:
            yield Measure(f"huge-{name}-{figure}", f"{words}: {what}", window(name, figure), "", goal, unit)


MEASURES = list(_measures())
