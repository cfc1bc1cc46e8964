"""How many bytes two buffers have in common from two places on, without reading any stretch of them twice in vain."""

from __future__ import annotations

from viewer.base.buffer import Buffer

FIRST_CHUNK, LAST_CHUNK, GROWTH = 64, 1 << 20, 8
REMEMBERED = 1 << 10
"""What is known of so many distances between the two places is kept."""


class SharedBytes:
    """Two buffers, looked at from pairs of places.

    What was found equal is remembered for each distance between the places: values lie in values, and who asks for the
    inner one again gets the answer that was found for the outer one.
    """

    def __init__(self, old: Buffer, new: Buffer) -> None:
        self._old = old
        self._new = new
        self._known: dict[int, tuple[int, int, bool]] = {}

    def common(self, old: int, new: int, most: int) -> int:
        """How many bytes, up to *most*, are the same from *old* and *new* on."""
        shift, end = new - old, old + most
        known = self._known.get(shift)
        at = begin = old
        if known is not None and known[0] <= old <= known[1]:
            begin, at, ends = known
            if ends or at >= end:
                return min(at, end) - old
        at, ends = self._reached(at, shift, end)
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[shift] = (begin, at, ends)
        return at - old

    def _reached(self, at: int, shift: int, end: int) -> tuple[int, bool]:
        """Where equality ends, and whether another byte stands there, which is no mere end of the question."""
        size = FIRST_CHUNK
        while at < end:
            stop = min(at + size, end)
            ours, theirs = bytes(self._old[at:stop]), bytes(self._new[at + shift : stop + shift])
            if ours != theirs:
                return at + _first_difference(ours, theirs), True
            at, size = stop, min(size * GROWTH, LAST_CHUNK)
        return at, False


def _first_difference(old: bytes, new: bytes) -> int:
    low, high = 0, len(old)
    while high - low > 1:
        middle = (low + high) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle
    return low
