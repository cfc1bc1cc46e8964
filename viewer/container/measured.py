"""Measured: what cuts a buffer into frames asks about its bytes, and what it gives.

Nothing here knows a Variant: what a value is, a :class:`Measure` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from viewer.base.buffer import Buffer
from viewer.base.span import Span

MIN_VALUE = 4
TRIAL_COST = 512
"""What one look at a place costs beside the bytes of the value, in bytes that could be measured meanwhile."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One frame: its length prefix, None where it has none, and its payload; offsets in the buffer.

    *searched* says that bytes far behind it may be the reason why it was found.
    """

    prefix: Span | None
    payload: Span
    searched: bool = field(default=False, compare=False)

    @property
    def span(self) -> Span:
        """Prefix and payload together."""
        return Span(self.prefix.start if self.prefix else self.payload.start, self.payload.end)


@dataclass(frozen=True, slots=True)
class Measured:
    """What stands in a stretch of bytes.

    Args:
        size: bytes of a value.
        sound: whether nothing is wrong with them.
        until: how many of them lie before a last value that the bytes end too early for; 0 where that is not so.
        has_words: whether words stand among the first values, which nothing else looks like; asked at once or never.
        beside: what reading them cost beside their bytes, in bytes that could be measured meanwhile.
        promised: how many bytes a value without parts says that it takes, however many are there; 0 for others.
    """

    size: int
    sound: bool
    until: int = 0
    has_words: Callable[[], bool] = bool
    beside: int = 0
    promised: int = 0

    @property
    def cost(self) -> int:
        """What reading them cost, in bytes that could be measured meanwhile."""
        return self.size + self.beside + TRIAL_COST


Measure = Callable[[Span], Measured]
"""Reads the value at the start of a span of the buffer."""


def prefix(buffer: Buffer, at: int, big_endian: bool) -> int:
    """The length prefix at *at*; 0 where fewer than four bytes are left."""
    word = buffer[at : at + 4]
    return int.from_bytes(word, "big" if big_endian else "little") if len(word) == 4 else 0
