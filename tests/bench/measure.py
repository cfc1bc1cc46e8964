"""What one row of the table is: a measurement to take, the series it gives, and whether its goal is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from statistics import median
from typing import Any

from bench.setting import BenchError, Setting


class Unit(StrEnum):
    """What a series counts; the value is how it is written behind a number."""

    SECONDS = "s"
    BYTES = "B"
    BYTES_A_NODE = "B/node"
    PERCENT = "%"


PLACES = {Unit.BYTES_A_NODE: 0, Unit.PERCENT: 1}
"""Decimal places that mean something: the system counts memory in pages of up to 2 MB, and time in ticks."""


class Aim(StrEnum):
    """What a goal is about."""

    FASTER = "at least so many times as fast as the peer"
    WITHIN = "at most so many times what the peer takes"
    AT_MOST = "at most so much"


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure to reach; for AT_MOST in the unit of the row."""

    aim: Aim
    figure: float


@dataclass(frozen=True, slots=True)
class Series:
    """What was measured, in the row's unit.

    Args:
        ours: the program, one number a round.
        theirs: the peer, none where there is no peer.
        paired: whether number k of both sides belongs to the same round.
    """

    ours: tuple[float, ...]
    theirs: tuple[float, ...] = ()
    paired: bool = True

    def quotient(self, inverse: bool) -> float | None:
        """Ours to theirs (*inverse*: theirs to ours): the median over the rounds, else the quotient of the medians."""
        if not self.theirs:
            return None
        if not self.paired:
            ours, theirs = median(self.ours), median(self.theirs)
            return theirs / ours if inverse else ours / theirs
        pairs = zip(self.ours, self.theirs, strict=True)
        return median(theirs / ours if inverse else ours / theirs for ours, theirs in pairs)


@dataclass(frozen=True, slots=True)
class Measure:
    """One row to be.

    Args:
        key: what ``--only`` calls it.
        what: the row's name.
        take: measures; a BenchError says why it cannot.
        unit: what the series counts.
        peer: what is on the other side, empty for nothing.
        goal: the figure to reach, None for a row that only informs.
    """

    key: str
    what: str
    take: Callable[[Setting], Series]
    unit: Unit = Unit.SECONDS
    peer: str = ""
    goal: Goal | None = None

    def run(self, setting: Setting) -> Row:
        """Take it; what goes wrong becomes the row's error."""
        inverse = is_speed(self.unit, self.goal)
        try:
            series = self.take(setting)
        except BenchError as error:
            return Row(self.key, self.what, self.unit, self.peer, self.goal, error=str(error) or "failed")
        except Exception as error:  # a row that fails must not stop the run
            name = type(error).__name__
            return Row(self.key, self.what, self.unit, self.peer, self.goal, error=f"{name}: {error}")
        theirs = median(series.theirs) if series.theirs else None
        ratio, count = series.quotient(inverse), len(series.ours)
        return Row(self.key, self.what, self.unit, self.peer, self.goal, median(series.ours), count, theirs, ratio)


@dataclass(frozen=True, slots=True)
class Row:
    """One measured row; *ratio* is peer to ours where it tells a speed, else ours to peer."""

    key: str
    what: str
    unit: Unit
    peer: str
    goal: Goal | None
    ours: float | None = None
    count: int = 0
    theirs: float | None = None
    ratio: float | None = None
    error: str = ""

    @property
    def is_speed(self) -> bool:
        """Whether the ratio says how many times as fast the program is as the peer."""
        return is_speed(self.unit, self.goal)

    @property
    def reached(self) -> float | None:
        """The number that the goal is about."""
        return self.ours if self.goal is not None and self.goal.aim is Aim.AT_MOST else self.ratio

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none. What could not be measured is missed."""
        if self.goal is None:
            return None
        reached = self.reached
        if reached is None:
            return False
        if self.unit in PLACES:
            reached = round(reached, PLACES[self.unit])
        return reached >= self.goal.figure if self.goal.aim is Aim.FASTER else reached <= self.goal.figure

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {**asdict(self), "met": self.met}

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Row:
        """From what :meth:`to_json` gave."""
        known = {name: value for name, value in found.items() if name != "met"}
        goal = known.pop("goal")
        known["unit"] = Unit(known["unit"])
        return cls(goal=Goal(Aim(goal["aim"]), goal["figure"]) if goal else None, **known)


def is_speed(unit: Unit, goal: Goal | None) -> bool:
    """Times are told as speeds, unless the goal says how much longer than the peer the program may take."""
    return unit is Unit.SECONDS and (goal is None or goal.aim is not Aim.WITHIN)


def faster(figure: float) -> Goal:
    """At least so many times as fast as the peer."""
    return Goal(Aim.FASTER, figure)


def within(figure: float) -> Goal:
    """At most so many times what the peer takes."""
    return Goal(Aim.WITHIN, figure)


def at_most(figure: float) -> Goal:
    """At most so much, in the row's unit."""
    return Goal(Aim.AT_MOST, figure)
