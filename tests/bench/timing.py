"""Clocks: one side and the other in turn, so that what slows the machine down slows both."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from bench.measure import Series


def seconds(work: Callable[[], object]) -> float:
    """How long *work* takes; what it returns is freed outside of the time."""
    start = perf_counter()
    made = work()
    taken = perf_counter() - start
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


def series(ours: Callable[[], float], rounds: int) -> Series:
    """One side alone; the first round warms up and is not kept."""
    ours()
    return Series(tuple(_calm(ours) for _ in range(rounds)))


def pairs(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> Series:
    """Both sides in turn; the first round warms up and is not kept."""
    ours(), theirs()
    found = [(_calm(ours), _calm(theirs)) for _ in range(rounds)]
    return Series(tuple(pair[0] for pair in found), tuple(pair[1] for pair in found))


def _calm(side: Callable[[], float]) -> float:
    """A round without a garbage collection that earlier rounds have brought about."""
    gc.collect()
    return side()
