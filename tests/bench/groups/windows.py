"""The window: how soon a person sees what they asked for, and how quiet it is when they ask for nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic

from bench import child, data
from bench.measure import Measure, Series, Unit, at_most, within
from bench.setting import Setting
from bench.timing import pairs

MILLISECOND = 1e-3
SEEN, UNFELT = 100 * MILLISECOND, 50 * MILLISECOND
CHILDREN, CHILDREN_QUICK = 10_000_000, 1_000_000
IDLE_SECONDS, IDLE_SECONDS_QUICK = 30, 5
MEGABYTE = 1_000_000


def start(setting: Setting) -> Series:
    """Process start to first frame: ours with a save in it, theirs a bare window."""
    path = data.path(setting, "save10")
    return pairs(lambda: _start(path), lambda: _start("bare"), setting.rounds(11))


def _start(what: str | Path) -> float:
    begun = monotonic()
    found = child.run_anew("window.start", what)
    return found["moment"][0] - begun


def opened(series: str) -> Callable[[Setting], Series]:
    """One opening each of several programs: what is in memory already must not help."""

    def take(setting: Setting) -> Series:
        path, rounds = data.path(setting, "save50"), setting.rounds(9, 1)
        return Series(tuple(child.run_anew("window.opened", path)[series][0] for _ in range(rounds)))

    return take


def expand(setting: Setting) -> Series:
    """Open a row of ten million rows: ours in pages, theirs without."""
    count = CHILDREN_QUICK if setting.quick else CHILDREN
    ours = child.run(setting, "window.expand", data.nulls(setting, count), setting.rounds(15))
    theirs = child.run(setting, "window.expand_plain", count)
    return Series(tuple(ours["ours"]), tuple(theirs["theirs"]), paired=False)


def paint(columns: int) -> Callable[[Setting], Series]:
    """Pages of sixty rows at random places."""

    def take(setting: Setting) -> Series:
        path = data.path(setting, "save10")
        return Series(tuple(child.run(setting, "window.paint", path, columns, setting.rounds(100, 10))["ours"]))

    return take


def step(what: str, full: int) -> Callable[[Setting], Series]:
    """One of the things that :mod:`bench.window.steps` does, in the save of 50 MB."""

    def take(setting: Setting) -> Series:
        path = data.path(setting, "save50")
        return Series(tuple(child.run(setting, "window.steps", path, what, setting.rounds(full))["ours"]))

    return take


def operations(series: str) -> Callable[[Setting], Series]:
    """Duplicate, delete, move, cut, paste, insert, sort, retype and their undos, in the save of 50 MB."""

    def take(setting: Setting) -> Series:
        path = data.path(setting, "save50")
        return Series(tuple(child.run(setting, "window.operations", path, setting.rounds(5, 1))[series]))

    return take


def stall(setting: Setting) -> Series:
    """The longest pause of one opening, of several openings."""
    path, rounds = data.path(setting, "save50"), setting.rounds(5, 1)
    one = [child.run_anew("window.stall", path)["ours"][0] for _ in range(rounds)]
    return Series(tuple(one))


def idle(setting: Setting) -> Series:
    """Percent of one processor."""
    seconds = IDLE_SECONDS_QUICK if setting.quick else IDLE_SECONDS
    return Series(tuple(child.run(setting, "window.idle", data.path(setting, "save10"), seconds)["ours"]))


def huge(series: str) -> Callable[[Setting], Series]:
    """One figure of opening a file of 6 GiB."""

    def take(setting: Setting) -> Series:
        return Series(tuple(child.run(setting, "window.huge", data.sparse(setting))[series]))

    return take


MEASURES = [
    Measure("start", "start, with a 10 MB save shown", start, peer="bare window", goal=within(1.25)),
    Measure("opened-first", "open 50 MB, to a tree with its first values", opened("first"), goal=at_most(SEEN)),
    Measure("opened", "open 50 MB, to the tree of all values", opened("ours"), goal=at_most(SEEN)),
    Measure("expand", "expand 10 M elements", expand, peer="plain QTreeView", goal=at_most(20 * MILLISECOND)),
    Measure("paint16", "paint 60 x 16 bytes with colours", paint(16), goal=at_most(2 * MILLISECOND)),
    Measure("paint32", "paint 60 x 32 bytes with colours", paint(32), goal=at_most(4 * MILLISECOND)),
    Measure("edit", "edit that moves 50 MB, to the painted tree", step("edit", 15), goal=at_most(SEEN)),
    Measure("operation", "an operation on 50 MB, or its undo", operations("ours"), goal=at_most(SEEN)),
    Measure("operation-slowest", "the slowest of these", operations("slowest"), goal=at_most(SEEN)),
    Measure("page", "Page Down in the bytes of 50 MB", step("page", 40), goal=at_most(SEEN)),
    Measure("select", "go to a byte of 50 MB, all panes painted", step("select", 40), goal=at_most(SEEN)),
    Measure("stall", "longest stall while 50 MB are opened", stall, goal=at_most(UNFELT)),
    Measure("idle", "processor in use when idle", idle, Unit.PERCENT, goal=at_most(0)),
    Measure("huge-open", "open 6 GiB, sparse", huge("open"), goal=at_most(1.0)),
    Measure("huge-jump", "jump to the end of 6 GiB", huge("jump"), goal=at_most(SEEN)),
    Measure("huge-memory", "memory of 6 GiB opened", huge("memory"), Unit.BYTES, goal=at_most(256 * MEGABYTE)),
]
