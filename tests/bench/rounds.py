"""Rounds: ours and the floor in turn, again and again, until the smallest numbers can be trusted.

What counts is the smallest processor time of all rounds: whatever else the machine does can only add to it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import TypeVar

LEAST, MOST = 6, 100
"""Rounds, where there is time for them."""
STEADY = 0.02
Taken = TypeVar("Taken")


def spread(values: Sequence[float]) -> float | None:
    """How far the minima of the first, the middle and the last third lie apart, as a share of the smallest.

    None where there are fewer than six values, which say nothing about it.
    """
    third, least = len(values) // 3, min(values, default=0.0)
    if len(values) < LEAST:
        return None
    minima = [min(values[:third]), min(values[third:-third]), min(values[-third:])]
    return (max(minima) - least) / least if least else 0.0


def is_steady(values: Sequence[float]) -> bool:
    """Whether more rounds would hardly change the smallest number."""
    found = spread(values)
    return found is not None and found <= STEADY


def in_turns(
    sides: Sequence[Callable[[], Taken]], budget: float, number: Callable[[Taken], float]
) -> list[tuple[Taken, ...]]:
    """What each side gave, round by round, until all are steady or the time is over; one round at least.

    Args:
        sides: what takes turns.
        budget: seconds for all of it.
        number: what of a result must be steady.
    """
    found: list[list[Taken]] = [[] for _ in sides]
    end, count = perf_counter() + budget, 0
    while count < MOST and (not count or perf_counter() < end):
        for side, values in zip(sides, found, strict=True):
            gc.collect()  # what earlier rounds left behind is none of this one's
            values.append(side())
        count += 1
        if all(is_steady([number(value) for value in values]) for values in found):
            break
    return [tuple(values) for values in found]


def repeated(work: Callable[[], float], budget: float) -> tuple[float, ...]:
    """The same for one side of plain numbers."""
    return in_turns([work], budget, float)[0]


def seconds(work: Callable[[], object]) -> float:
    """The processor time of *work*, on all threads of this process; what it returns is freed outside of the time."""
    start = process_time()
    made = work()
    taken = process_time() - start
    del made
    return taken


@contextmanager
def one_processor() -> Iterator[None]:
    """Both sides, and processes begun meanwhile, take turns on one processor where the system lets them be told so.

    On shared machines one processor may be half as fast as the other for seconds.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(usual)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)
