"""Pieces: a buffer as runs of bytes of the file it came from and runs of bytes that edits brought.

Replacing bytes only cuts and adds pieces; the bytes themselves stay where they are. Neighbours that a person typed one
behind the other grow together, so that long typing does not make many pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

GROWS_TO = 1 << 16
"""Inserted pieces are copied into one up to this many bytes."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of bytes: *size* bytes from *start* on, of *inserted* bytes or, where that is None, of the source."""

    start: int
    size: int
    inserted: bytes | None = None

    def part(self, start: int, end: int) -> Piece:
        """The bytes ``start <= offset < end`` of this piece."""
        return Piece(self.start + start, end - start, self.inserted)

    @property
    def data(self) -> memoryview:
        """The bytes of an inserted piece."""
        return memoryview(self.inserted or b"")[self.start : self.start + self.size]


def together(one: Piece, other: Piece) -> Piece | None:
    """Two neighbours as one piece; None where they have to stay two."""
    if one.inserted is other.inserted and one.start + one.size == other.start:
        return Piece(one.start, one.size + other.size, one.inserted)
    if one.inserted is None or other.inserted is None or one.size + other.size > GROWS_TO:
        return None
    return Piece(0, one.size + other.size, b"".join((one.data, other.data)))


@dataclass(slots=True)
class Splicer:
    """Replaces bytes of a piece list, place after place.

    The list is held as two stacks with the place between them: ``before`` ends and ``after`` begins there, so that
    going through a buffer in either direction costs each piece once.
    """

    before: list[Piece] = field(default_factory=list)
    after: list[Piece] = field(default_factory=list)
    at: int = 0

    @classmethod
    def of(cls, pieces: list[Piece], first: int = 0, at: int = 0) -> Splicer:
        """A splicer over these pieces, standing before the one with number *first*, which begins at offset *at*."""
        return cls(pieces[:first], pieces[first:][::-1], at)

    def replace(self, offset: int, removed: int, inserted: bytes) -> list[Piece]:
        """Put *inserted* in the place of *removed* bytes at *offset*; returns the pieces that go.

        Offsets count in what the replacements before this one left.
        """
        self._go(offset)
        gone = self._take(removed)
        if inserted:
            self._push(Piece(0, len(inserted), inserted))
        if self.after and self.before:
            self._push(self.after.pop())
        return gone

    def pieces(self) -> list[Piece]:
        """All pieces in order."""
        return self.before + self.after[::-1]

    def _go(self, offset: int) -> None:
        while self.at > offset:
            last = self.before.pop()
            self.at -= last.size
            self.after.append(last)
        while self.at < offset and self.after:
            self._cut(offset - self.at)
            self._push(self.after.pop())

    def _take(self, size: int) -> list[Piece]:
        gone: list[Piece] = []
        while size > 0 and self.after:
            self._cut(size)
            gone.append(self.after.pop())
            size -= gone[-1].size
        return gone

    def _cut(self, size: int) -> None:
        """Make the next piece end after *size* bytes at the latest."""
        following = self.after[-1]
        if following.size > size:
            self.after[-1:] = [following.part(size, following.size), following.part(0, size)]

    def _push(self, piece: Piece) -> None:
        """Append a piece before the place, joined to its neighbour where they fit together."""
        self.at += piece.size
        joined = together(self.before[-1], piece) if self.before else None
        if joined is None:
            self.before.append(piece)
        else:
            self.before[-1] = joined


def cut_out(pieces: list[Piece], starts: list[int], first: int, start: int, end: int) -> Iterator[Piece]:
    """The pieces of the bytes ``start <= offset < end``, cut at both ends.

    Args:
        pieces: all of them.
        starts: where each begins.
        first: the number of the piece that holds *start*.
        start, end: which bytes.
    """
    for k in range(first, len(pieces)):
        begin, piece = starts[k], pieces[k]
        if begin >= end:
            return
        low, high = max(start - begin, 0), min(end - begin, piece.size)
        yield piece if high - low == piece.size else piece.part(low, high)
