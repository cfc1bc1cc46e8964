"""Speed of the scanner: beside Godot's own decoder, beside a loop that keeps nothing, beside a general decoder."""

from __future__ import annotations

from collections.abc import Callable

from bench import data, scanners
from bench.measure import Measure, Series, at_most, faster, within
from bench.peers import godot, hopping, schema
from bench.setting import BenchError, Setting
from bench.timing import one_processor, pairs, seconds, series
from viewer.variant.dialect import load

FRAME = 1 / 60
GODOT = "Godot 3.2.3"
NAMES = {
    "save10": "10 MB save",
    "save50": "50 MB save",
    "mixed": "random types, 12 MB",
    "strings": "packed strings, 5 MB",
    "towers": "deep nesting, 6 MB",
    "ints": "1 M ints",
}
Ways = Callable[[], scanners.Scan]


def beside_godot(name: str, way: Ways, full: int = 15) -> Callable[[Setting], Series]:
    """The scanner run in one way and the engine's decoder take turns at one file."""

    def take(setting: Setting) -> Series:
        scan, path = way(), data.path(setting, name)
        raw = _checked(setting, name, scan)
        with one_processor(), godot.decoder(path) as peer:
            peer.check()
            return pairs(lambda: seconds(lambda: scan(raw)), peer.run, setting.rounds(full))

    return take


def beside_fresh_godot(name: str) -> Callable[[Setting], Series]:
    """The compiled scanner into fresh memory, and the first decoding of an engine that was just started."""

    def take(setting: Setting) -> Series:
        scan, path = scanners.compiled(), data.path(setting, name)
        raw = _checked(setting, name, scan)

        def first() -> float:
            with godot.decoder(path) as peer:
                return peer.run()

        with one_processor():
            return pairs(lambda: seconds(lambda: scan(raw)), first, setting.rounds(15))

    return take


def beside_hop(name: str) -> Callable[[Setting], Series]:
    """The compiled scanner and the compiled header loop take turns at one file."""

    def take(setting: Setting) -> Series:
        scan, hop = scanners.reusing(), hopping.compiled(setting)
        return _hop_pairs(setting, name, scan, hop, 25)

    return take


def plain_beside_hop(setting: Setting) -> Series:
    """Scanner and header loop, both as plain Python."""
    return _hop_pairs(setting, "save10", scanners.plain(), hopping.plain(), 5)


def beside_construct(setting: Setting) -> Series:
    """The installed scanner and a schema that notes offsets take turns at a quarter of a megabyte."""
    scan, parser = scanners.as_installed(), schema.schema()
    raw = _checked(setting, "slice", scan)
    if schema.count(parser.parse(raw)) != len(scan(raw)):
        raise BenchError("both sides do not find the same values")
    return pairs(lambda: seconds(lambda: scan(raw)), lambda: seconds(lambda: parser.parse(raw)), setting.rounds(9))


def one_frame(setting: Setting) -> Series:
    """The scan of 50 MB alone, as after an edit."""
    scan = scanners.reusing()
    raw = _checked(setting, "save50", scan)
    return series(lambda: seconds(lambda: scan(raw)), setting.rounds(25))


def _hop_pairs(setting: Setting, name: str, scan: scanners.Scan, hop: hopping.Hop, full: int) -> Series:
    raw = _checked(setting, name, scan)
    words, sizes = hopping.words_of(raw), hopping.sizes_of(load(scanners.DIALECT))
    if hop(words, sizes) != len(scan(raw)):
        raise BenchError("both sides do not find the same values")
    rounds = setting.rounds(full)
    with one_processor():
        return pairs(lambda: seconds(lambda: scan(raw)), lambda: seconds(lambda: hop(words, sizes)), rounds)


def _checked(setting: Setting, name: str, scan: scanners.Scan) -> bytes:
    """The bytes of a file that the scanner reads to the end without a finding."""
    raw = data.load(setting, name)
    table = scan(raw)
    if table.end_of_data != len(raw) or table.diagnostics:
        raise BenchError(f"the scanner does not read {name} to its end")
    return raw


def _measures() -> list[Measure]:
    again, plain = scanners.reusing, scanners.plain
    found = []
    for name, goals in {"save10": (30, 45), "save50": (30, 45), "mixed": (10, 10)}.items():
        what = f"scan, {NAMES[name]}"
        first = f"{GODOT}, its first"
        found.append(Measure(f"{name}-fresh", what, beside_fresh_godot(name), peer=first, goal=faster(goals[0])))
        what = f"{what}, memory reused"
        found.append(Measure(f"{name}-reused", what, beside_godot(name, again), peer=GODOT, goal=faster(goals[1])))
    for name in ("strings", "towers", "ints"):
        what = f"scan, {NAMES[name]}, memory reused"
        found.append(Measure(f"{name}-reused", what, beside_godot(name, again), peer=GODOT))
    for name in ("save10", "mixed"):
        what = f"scan as plain Python, {NAMES[name]}"
        goal = faster(0.75) if name == "save10" else None
        found.append(Measure(f"{name}-plain", what, beside_godot(name, plain, 7), peer=GODOT, goal=goal))
    for name in ("save10", "save50", "mixed"):
        what = f"scan, {NAMES[name]}, memory reused"
        found.append(Measure(f"{name}-hop", what, beside_hop(name), peer="header loop", goal=within(1.25)))
    what = f"scan as plain Python, {NAMES['save10']}"
    found.append(Measure("plain-hop", what, plain_beside_hop, peer="header loop, plain"))
    found.append(Measure("construct", "scan, 250 KB save", beside_construct, peer="construct"))
    found.append(Measure("save50-frame", "scan after an edit, 50 MB save", one_frame, goal=at_most(FRAME)))
    return found


MEASURES = _measures()
