"""The start: what a window with a file costs, and what the program loads for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bench import child, data
from bench.measure import Measure, Series, Unit, at_most, within
from bench.rounds import in_turns
from bench.setting import Setting

FAIR: Final = "window with no program"
NAMES = "python -m bench.window.loaded FILE names them"
LONGER = 2
"""Budgets: a start takes a while, and its times vary more than those of a loop."""


def start(moment: str) -> Callable[[Setting], Series]:
    """Process start to a frame: ours with a save in it, and the fair window's."""

    def take(setting: Setting) -> Series:
        ours, floor = setting.once("start", lambda: _starts(setting))
        return Series(tuple(found[moment][0] for found in ours), tuple(found["row"][0] for found in floor))

    return take


def _starts(setting: Setting) -> list[tuple[child.Found, ...]]:
    path = data.path(setting, "save10")
    sides = [lambda: child.run_anew("window.start", path), lambda: child.run_anew("window.start", "fair")]
    return in_turns(sides, LONGER * setting.budget, lambda found: found["row"][0])


def loaded(what: str) -> Callable[[Setting], Series]:
    """What is there when the first row is painted."""

    def take(setting: Setting) -> Series:
        path = data.path(setting, "save10")
        note = NAMES if what == "idle" else ""
        return Series(tuple(child.run(setting, "window.loaded", path)[what]), note=note)

    return take


MEASURES = [
    Measure("start-frame", "start, to the first frame of the window", start("frame"), FAIR, within(1.2)),
    Measure("start-row", "start with a 10 MB save, to its first painted rows", start("row"), FAIR, within(1.5)),
    Measure("modules", "modules of the program loaded at the start", loaded("modules"), unit=Unit.COUNT),
    Measure("modules-idle", "modules without a call before the first row", loaded("idle"), "", at_most(0), Unit.COUNT),
    Measure("dataclasses", "dataclasses built by the first frame", loaded("dataclasses"), "", at_most(0), Unit.COUNT),
]
