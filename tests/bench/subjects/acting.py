"""The window in use: how soon a person sees what they asked for, and how quiet it is when they ask for nothing."""

from __future__ import annotations

from collections.abc import Callable

from bench import child, data, scanners
from bench.measure import Measure, Series, Unit, at_most
from bench.rounds import in_turns, repeated, seconds
from bench.setting import Setting

MILLISECOND = 1e-3
SEEN, UNFELT = at_most(100 * MILLISECOND), at_most(50 * MILLISECOND)
CHILDREN, CHILDREN_QUICK = 10_000_000, 1_000_000
RECORDS, RECORDS_QUICK = 55_000, 2_000
FRAME = at_most(1 / 60)
IDLE_SECONDS, IDLE_SECONDS_QUICK = 20, 3
READ_AND_SCANNED, PLAIN_TREE = "reading and scanning alone", "plain QTreeView"
CLOCK = "time on the clock: a pause is what a person feels"


def opened(series: str) -> Callable[[Setting], Series]:
    """One opening each of several programs: what is in memory already must not help."""

    def take(setting: Setting) -> Series:
        ours, floor = setting.once("opened", lambda: _openings(setting))
        return Series(tuple(found[series][0] for found in ours), tuple(found["ours"][0] for found in floor))

    return take


def _openings(setting: Setting) -> list[tuple[child.Found, ...]]:
    path, scan = data.path(setting, "save50"), scanners.as_installed()
    sides = [
        lambda: child.run_anew("window.opened", path),
        lambda: {"ours": [seconds(lambda: scan(path.read_bytes()))]},
    ]
    return in_turns(sides, 2 * setting.budget, lambda found: found["ours"][0])


def expand(setting: Setting) -> Series:
    """Open a row of ten million rows: ours in pages; the other without, once, as that takes so long."""
    count = setting.size(CHILDREN, CHILDREN_QUICK)
    path = data.nulls(setting, count)
    ours = repeated(lambda: child.run_anew("window.expand", path)["seconds"][0], setting.budget)
    return Series(ours, tuple(child.run_anew("window.expand_plain", count)["seconds"]))


def step(what: str) -> Callable[[Setting], Series]:
    """One of the things that :mod:`bench.window.steps` does, in the save of 50 MB."""

    def take(setting: Setting) -> Series:
        path = data.path(setting, "save50")
        return Series(tuple(child.run(setting, "window.steps", path, what, setting.budget)["ours"]))

    return take


def operations(series: str) -> Callable[[Setting], Series]:
    """Duplicate, delete, move, cut, paste, insert, sort, retype and their undos, in the save of 50 MB."""

    def take(setting: Setting) -> Series:
        path = data.path(setting, "save50")
        return Series(tuple(child.run(setting, "window.operations", path, 2 * setting.budget)[series]))

    return take


def sheet(series: str) -> Callable[[Setting], Series]:
    """An array of 55,000 dictionaries of twelve keys as a table."""

    def take(setting: Setting) -> Series:
        path = data.records(setting, setting.size(RECORDS, RECORDS_QUICK))
        return Series(tuple(child.run(setting, "window.sheet", path, setting.budget)[series]))

    return take


def stall(setting: Setting) -> Series:
    """The longest pause of one opening, of several openings."""
    path = data.path(setting, "save50")
    longest = repeated(lambda: child.run_anew("window.stall", path)["ours"][0], 2 * setting.budget)
    return Series(longest, note=CLOCK)


def idle(setting: Setting) -> Series:
    """Percent of one processor."""
    rest = setting.size(IDLE_SECONDS, IDLE_SECONDS_QUICK)
    return Series(tuple(child.run(setting, "window.idle", data.path(setting, "save10"), rest)["ours"]))


MEASURES = [
    Measure(
        "open-first",
        "open 50 MB, to a tree with its first values",
        opened("first"),
        READ_AND_SCANNED,
        at_most(40 * MILLISECOND),
    ),
    Measure(
        "open-all",
        "open 50 MB, to the tree of all values",
        opened("ours"),
        READ_AND_SCANNED,
        at_most(80 * MILLISECOND),
    ),
    Measure("expand", "expand 10 M elements", expand, PLAIN_TREE, at_most(20 * MILLISECOND)),
    Measure("edit", "edit that moves 50 MB, to the painted tree", step("edit"), goal=SEEN),
    Measure("operation", "an operation on 50 MB, or its undo", operations("ours"), goal=SEEN),
    Measure("operation-slowest", "the slowest operation on 50 MB", operations("slowest"), goal=SEEN),
    Measure("page-down", "Page Down in the bytes of 50 MB", step("page"), goal=SEEN),
    Measure("select", "go to a byte of 50 MB, all panes painted", step("select"), goal=SEEN),
    Measure("table-open", "show 55,000 x 12 cells as a table", sheet("open"), goal=at_most(200 * MILLISECOND)),
    Measure("table-whole", "the same, until all columns are counted", sheet("whole")),
    Measure("table-page", "Page Down in that table, painted alone", sheet("page"), goal=FRAME),
    Measure("table-wheel", "one step of the wheel there", sheet("wheel"), goal=FRAME),
    Measure("table-edit", "change a cell there, all panes painted", sheet("edit"), goal=SEEN),
    Measure("table-sort", "show that table sorted by a column", sheet("sort")),
    Measure("stall", "longest stall while 50 MB are opened", stall, goal=UNFELT),
    Measure("idle", "processor in use when idle", idle, "", at_most(0), Unit.PERCENT),
]
