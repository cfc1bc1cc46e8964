"""How long work tells how far it came, how it is given up, and how much of it is a moment.

A moment is so much work that a person who waits for it hardly notices. Work is counted and not timed, so that the same
bytes are always read at once, or always beside the window.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int], bool]
"""Told now and then how far work came, in what it counts: offsets, bytes, nodes; returning False ends it."""
Work = Callable[[int], None]
"""Told how much was done, in bytes that could be hopped over meanwhile; what it raises ends the work."""
MOMENT = 1 << 22
LOOK = 1 << 9
"""What it costs to scan the value at one place."""


class Cancelled(Exception):
    """A person stopped the work; nothing was changed."""


class TakesLong(Exception):
    """What somebody waits for takes longer than a moment."""


class Moment:
    """Counts the work of a moment.

    Attributes:
        left: how much may still be done.
    """

    def __init__(self) -> None:
        self.left = MOMENT

    def work(self, cost: int) -> None:
        """Count some work.

        Raises:
            TakesLong: all together is more than a moment's.
        """
        self.left -= cost
        if self.left < 0:
            raise TakesLong
