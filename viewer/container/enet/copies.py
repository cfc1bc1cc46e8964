"""Knowing again what was sent before."""

from __future__ import annotations

from collections import deque

MOST_KEPT = 8192
"""Far more commands than are on their way at once, and far fewer than it takes for sequence numbers to come round."""


class Copies:
    """The latest commands of one direction of a connection.

    A command that is sent again is the same byte for byte, its sequence number included; a new one never is.
    """

    __slots__ = ("_order", "_seen")

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._order: deque[int] = deque()

    def again(self, command: bytes) -> bool:
        """Whether the command was seen before; it is remembered."""
        mark = hash(command)
        if mark in self._seen:
            return True
        self._seen.add(mark)
        self._order.append(mark)
        if len(self._order) > MOST_KEPT:
            self._seen.discard(self._order.popleft())
        return False
