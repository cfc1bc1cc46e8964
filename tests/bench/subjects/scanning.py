"""Speed of the scanner: beside Godot's own decoder, and beside a loop that keeps nothing."""

from __future__ import annotations

from collections.abc import Callable

from bench import child, data, scanners
from bench.measure import Measure, Series, Unit, at_most, faster, within
from bench.peers import godot, hopping
from bench.rounds import in_turns, one_processor, repeated, seconds
from bench.setting import BenchError, Setting
from viewer.variant.dialect import load

FRAME = 1 / 60
GODOT, GODOT_FIRST, LOOP = "Godot 3.2.3 decoding", "Godot 3.2.3, its first decoding", "header loop"
NAMES = {
    "save10": "10 MB save",
    "save50": "50 MB save",
    "mixed": "random types, 12 MB",
    "towers": "deep nesting, 6 MB",
    "ints": "1 M ints",
}
FIRST_USE, USED_BEFORE = "first use of memory", "memory used before"
STEPPED = "counted one by one in {} nodes: no counter here"


def beside_godot(name: str, way: Callable[[], scanners.Scan]) -> Callable[[Setting], Series]:
    """The scanner run in one way and the engine's decoder take turns at one file."""

    def take(setting: Setting) -> Series:
        scan = way()
        raw = _checked(setting, name, scan)
        with one_processor(), godot.decoder(data.path(setting, name)) as floor:
            floor.check()
            return _turns(setting, lambda: seconds(lambda: scan(raw)), floor.run)

    return take


def beside_fresh_godot(name: str) -> Callable[[Setting], Series]:
    """The compiled scanner into fresh memory, and the first decoding of an engine that was just started."""

    def take(setting: Setting) -> Series:
        scan, path = scanners.compiled(), data.path(setting, name)
        raw = _checked(setting, name, scan)

        def first() -> float:
            with godot.decoder(path) as floor:
                return floor.run()

        with one_processor():
            return _turns(setting, lambda: seconds(lambda: scan(raw)), first)

    return take


def beside_loop(name: str) -> Callable[[Setting], Series]:
    """The compiled scanner and the compiled header loop take turns at one file."""

    def take(setting: Setting) -> Series:
        scan, hop = scanners.reusing(), hopping.compiled(setting)
        raw = _checked(setting, name, scan)
        words, sizes = hopping.words_of(raw), hopping.sizes_of(load(scanners.DIALECT))
        if hop(words, sizes) != len(scan(raw)):
            raise BenchError("both sides do not find the same values")
        with one_processor():
            return _turns(setting, lambda: seconds(lambda: scan(raw)), lambda: seconds(lambda: hop(words, sizes)))

    return take


def instructions_a_node(setting: Setting) -> Series:
    """Of the compiled scan and of the header loop, in a process of its own: stepping through one is hard on it."""
    scanners.compiled()
    hopping.compiled(setting)
    files = [data.path(setting, name) for name in ("save24k", "save1", "save8k", "save24k")]
    found = child.run(setting, "children.counted", setting.data, *files)
    note = STEPPED.format(round(found["nodes"][0])) if "nodes" in found else ""
    return Series(tuple(found["ours"]), tuple(found["floor"]), note)


def one_frame(setting: Setting) -> Series:
    """The scan of 50 MB alone, as after an edit."""
    scan = scanners.reusing()
    raw = _checked(setting, "save50", scan)
    with one_processor():
        return Series(repeated(lambda: seconds(lambda: scan(raw)), setting.budget))


def _turns(setting: Setting, ours: Callable[[], float], floor: Callable[[], float]) -> Series:
    mine, other = in_turns([ours, floor], setting.budget, float)
    return Series(mine, other)


def _checked(setting: Setting, name: str, scan: scanners.Scan) -> bytes:
    """The bytes of a file that the scanner reads to the end without a finding."""
    raw = data.load(setting, name)
    table = scan(raw)
    if table.end_of_data != len(raw) or table.diagnostics:
        raise BenchError(f"the scanner does not read {name} to its end")
    return raw


def _measures() -> list[Measure]:
    reused, found = scanners.reusing, []
    for name, least in {"save10": 30, "save50": 30, "mixed": 10}.items():
        what = f"scan, {NAMES[name]}, {FIRST_USE}"
        found.append(Measure(f"{name}-first", what, beside_fresh_godot(name), GODOT_FIRST, faster(least)))
    for name, least in {"save10": 45, "save50": 45, "mixed": 10, "towers": 10, "ints": 10}.items():
        what = f"scan, {NAMES[name]}, {USED_BEFORE}"
        found.append(Measure(f"{name}-scan", what, beside_godot(name, reused), GODOT, faster(least)))
    what = f"scan as plain Python, {NAMES['save10']}"
    found.append(Measure("save10-plain", what, beside_godot("save10", scanners.plain), GODOT))
    for name in ("save10", "mixed"):
        what = f"scan, {NAMES[name]}, {USED_BEFORE}"
        found.append(Measure(f"{name}-loop", what, beside_loop(name), LOOP, within(1.25)))
    what, unit = "instructions of the compiled scan for each value, save", Unit.INSTRUCTIONS
    found.append(Measure("instructions", what, instructions_a_node, LOOP, at_most(60), unit))
    what = f"scan after an edit, 50 MB save, {USED_BEFORE}"
    found.append(Measure("save50-frame", what, one_frame, goal=at_most(FRAME)))
    return found


MEASURES = _measures()
