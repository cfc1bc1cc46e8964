"""What one row of the table is: a measurement to take, the numbers it gives, and whether its goal is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bench.rounds import spread
from bench.setting import BenchError, Setting


class Unit(StrEnum):
    """What a series counts; the value is how it is written behind a number."""

    SECONDS = "s"
    BYTES = "B"
    BYTES_A_NODE = "B/node"
    INSTRUCTIONS = "instr."
    PERCENT = "%"
    COUNT = ""


PLACES = {Unit.BYTES_A_NODE: 0, Unit.INSTRUCTIONS: 1, Unit.PERCENT: 1, Unit.COUNT: 0}
"""Decimal places that mean something: the system counts memory in pages of up to 2 MB, and time in ticks."""


class Aim(StrEnum):
    """What a goal is about."""

    FASTER = "at least so many times as fast as the floor"
    WITHIN = "at most so many times the floor"
    AT_MOST = "at most so much"


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure to reach; for AT_MOST in the unit of the row."""

    aim: Aim
    figure: float


@dataclass(frozen=True, slots=True)
class Series:
    """What was measured, in the row's unit, one number a round; only the smallest counts.

    Args:
        ours: the program.
        floor: what it is compared with, taken in turns with it; empty where there is nothing.
        note: what a reader of the number must know.
    """

    ours: tuple[float, ...] = ()
    floor: tuple[float, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """One row to be.

    Args:
        name: what ``--only`` calls it.
        what: the row in words.
        take: measures; a BenchError says why it cannot.
        floor: what the row is compared with, empty for nothing.
        goal: the figure to reach, None for a row that only informs.
        unit: what the series counts.
    """

    name: str
    what: str
    take: Callable[[Setting], Series]
    floor: str = ""
    goal: Goal | None = None
    unit: Unit = Unit.SECONDS

    def run(self, setting: Setting) -> Row:
        """Take it; what goes wrong becomes the row's error."""
        try:
            return self.row(self.take(setting))
        except BenchError as error:
            return self.row(error=str(error) or "failed")
        except Exception as error:  # a row that fails must not stop the run
            return self.row(error=f"{type(error).__name__}: {error}")

    def row(self, taken: Series | None = None, error: str = "") -> Row:
        """The row with what was taken."""
        return Row(self.name, self.what, self.unit, self.floor, self.goal, taken or Series(), error)


@dataclass(frozen=True, slots=True)
class Row:
    """One measured row."""

    name: str
    what: str
    unit: Unit
    floor: str
    goal: Goal | None
    taken: Series = Series()
    error: str = ""

    @property
    def value(self) -> float | None:
        """The smallest of ours."""
        return min(self.taken.ours, default=None)

    @property
    def floor_value(self) -> float | None:
        """The smallest of the floor's."""
        return min(self.taken.floor, default=None)

    @property
    def spread(self) -> float | None:
        """How sure the smallest number is, the less sure of both sides; None where there were too few rounds."""
        sides = [spread(side) for side in (self.taken.ours, self.taken.floor) if side]
        known = [found for found in sides if found is not None]
        return max(known) if known and len(known) == len(sides) else None

    @property
    def is_speed(self) -> bool:
        """Whether the ratio says how many times as fast as the floor the program is."""
        return self.goal is not None and self.goal.aim is Aim.FASTER

    @property
    def ratio(self) -> float | None:
        """Ours to the floor, or for a speed the floor to ours."""
        value, floor = self.value, self.floor_value
        if not value or not floor:
            return None
        return floor / value if self.is_speed else value / floor

    @property
    def reached(self) -> float | None:
        """The number that the goal is about."""
        return self.value if self.goal is None or self.goal.aim is Aim.AT_MOST else self.ratio

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none. What cannot be measured is missed."""
        if self.goal is None:
            return None
        reached = self.reached
        if reached is None:
            return False if self.error else None
        if self.goal.aim is Aim.FASTER:
            return reached >= self.goal.figure
        if self.goal.aim is Aim.AT_MOST and self.unit in PLACES:
            reached = round(reached, PLACES[self.unit])
        return reached <= self.goal.figure

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Row:
        """From what :meth:`to_json` gave."""
        goal, taken = found["goal"], found["taken"]
        series = Series(tuple(taken["ours"]), tuple(taken["floor"]), taken["note"])
        aim = Goal(Aim(goal["aim"]), goal["figure"]) if goal else None
        return cls(**{**found, "unit": Unit(found["unit"]), "goal": aim, "taken": series})


def faster(figure: float) -> Goal:
    """At least so many times as fast as the floor."""
    return Goal(Aim.FASTER, figure)


def within(figure: float) -> Goal:
    """At most so many times the floor."""
    return Goal(Aim.WITHIN, figure)


def at_most(figure: float) -> Goal:
    """At most so much, in the row's unit."""
    return Goal(Aim.AT_MOST, figure)
