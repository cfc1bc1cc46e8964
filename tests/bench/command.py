"""Commands in turns: processor time, elapsed time and peak memory of whole processes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from bench import child
from bench.measure import Series
from bench.rounds import in_turns
from bench.setting import Setting

USAGE = Path(__file__).with_name("children") / "usage.py"
ANY = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process took: seconds of a processor, seconds on the clock, and bytes of memory at most."""

    seconds: float
    elapsed: float
    peak: float


Pairs = list[tuple[Usage, ...]]


def used(*arguments: object, limit: int = ANY, answer: int = 0) -> Usage:
    """Run Python with these arguments once.

    Args:
        arguments: behind the name of Python.
        limit: megabytes that it may take of its own.
        answer: the largest exit code that is no failure.

    Raises:
        BenchError: it failed.
    """
    words = [sys.executable, "-S", "-E", str(USAGE), str(limit), str(answer), sys.executable, *map(str, arguments)]
    return Usage(**{name: values[0] for name, values in child.series(words).items()})


def viewer(*arguments: object, limit: int = ANY, answer: int = 0) -> Usage:
    """The program once, as from a terminal; an *answer* of 1 has findings."""
    return used("-m", "viewer", *arguments, limit=limit, answer=answer)


def in_rounds(setting: Setting, name: str, *sides: Callable[[], Usage]) -> Pairs:
    """Commands that take turns; measured once for all rows that ask by this name."""
    number: Callable[[Usage], float] = lambda usage: usage.seconds  # noqa: E731
    return setting.once(("command", name), lambda: in_turns(sides, setting.budget, number))


def figure(taken: Pairs, name: str, part: float = 1) -> Series:
    """One figure of ours and of the floor as a series, divided by *part*."""
    sides = [tuple(cast(float, getattr(usage, name)) / part for usage in side) for side in taken]
    return Series(sides[0], sides[1] if len(sides) > 1 else ())
