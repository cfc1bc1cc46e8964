"""Turns: what a walk through a value has to read next, and where it may go on in another way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from viewer.document.doctor.retelling import Telling


class Task(Enum):
    """What stands next in the bytes."""

    VALUES = auto()
    PROPERTIES = auto()
    TEXTS = auto()
    CLOSED_TEXTS = auto()
    ARRAY_COUNT = auto()
    PAIR_COUNT = auto()
    PROPERTY_COUNT = auto()
    NUMBER = auto()


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a walk may go on in another way.

    Args:
        pos: where it was.
        tasks: what was to be read there.
        patches: how many there were.
        spared: how many texts were taken as right.
        rest: the other ways, the best first.
    """

    pos: int
    tasks: tuple[tuple[Task, int], ...]
    patches: int
    spared: int
    rest: tuple[Telling, ...]
