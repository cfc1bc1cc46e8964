"""Source: the bytes of a capture one after another, from a buffer or a stream, of which little is held."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, cast

from viewer.base.buffer import Buffer

STRETCH = 1 << 18
MOST_FRAME = 1 << 18
"""The longest frame that capture programs write."""
MOST_BLOCK = 1 << 24
"""The longest block of pcapng that is believed; longer ones are damage."""


class Stream(Protocol):
    """A file open for reading bytes."""

    def read(self, size: int, /) -> bytes | None:
        """At most *size* bytes, none at the end."""


class Source:
    """Gives the bytes of a capture in order.

    Args:
        origin: a buffer, or a stream that is read from where it stands.
    """

    __slots__ = ("_at", "_base", "_buffer", "_read_some", "_stretch")

    def __init__(self, origin: Buffer | Stream) -> None:
        # read1 gives what is there; read would wait until it has all that it was asked for
        self._read_some: Callable[[int], bytes | None] | None = getattr(origin, "read1", getattr(origin, "read", None))
        self._buffer: Buffer = b"" if self._read_some else cast(Buffer, origin)
        self._stretch = b""
        self._at = 0
        self._base = 0  # where the stretch begins in the whole

    @property
    def offset(self) -> int:
        """How many bytes were taken so far."""
        return self._base + self._at

    def take(self, size: int) -> bytes:
        """The next bytes: *size* of them, fewer only at the end."""
        at = self._at
        end = at + size
        if end > len(self._stretch):
            self._fill(size)
            at, end = 0, size
        found = self._stretch[at:end]
        self._at = at + len(found)
        return found

    def peek(self, size: int) -> bytes:
        """The next bytes, which stay; *size* is small."""
        found = self.take(size)
        self._at -= len(found)
        return found

    def _fill(self, size: int) -> None:
        """Make the stretch begin at the next byte and hold *size* bytes, where there are so many."""
        rest = self._stretch[self._at :]
        self._base += self._at
        self._at = 0
        wanted = max(size, STRETCH) - len(rest)
        self._stretch = rest + self._read(self._base + len(rest), wanted, size - len(rest))

    def _read(self, start: int, wanted: int, needed: int) -> bytes:
        if self._read_some is None:
            return bytes(self._buffer[start : start + wanted])
        pieces: list[bytes] = []
        have = 0
        while have < needed:
            piece = self._read_some(min(wanted - have, STRETCH))
            if not piece:
                break
            pieces.append(piece)
            have += len(piece)
        return b"".join(pieces)


# Record: one frame as a capture file holds it.

MOST_TIME = (1 << 63) - 1
"""Later times are damage, and would not fit in 64 bits."""
NO_LINK = -1


class Record(NamedTuple):
    """A frame.

    Args:
        time: nanoseconds since 1970.
        link: the link type, :data:`NO_LINK` where the capture does not say.
        data: the bytes that were kept.
        sent: how many there were on the link.
    """

    time: int
    link: int
    data: bytes
    sent: int
