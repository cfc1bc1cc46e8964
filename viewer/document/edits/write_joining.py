"""Joining writes: very many small ones become fewer larger ones that do the same."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress, count, islice
from operator import gt, ne, sub

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import Write

MOST = 2048
"""An edit writes at so many places at most, so that what follows it through the window stays quick."""


class WriteColumns:
    """Very many writes as columns, of which no two overlap.

    Args:
        writes: those to begin with.
    """

    __slots__ = ("_ends", "_frames", "_news", "_starts")

    def __init__(self, writes: Sequence[Write] = ()) -> None:
        self._starts = array("Q")
        self._ends = array("Q")
        self._frames = array("q")
        self._news: list[bytes] = []
        for write in writes:
            self.add(write.span.start, write.span.end, write.new, write.frame)

    def __len__(self) -> int:
        return len(self._news)

    def add(self, start: int, end: int, new: bytes, frame: int) -> None:
        """Have *new* in the place of ``start <= offset < end``, in a frame or in none, which is -1."""
        self._starts.append(start)
        self._ends.append(end)
        self._frames.append(frame)
        self._news.append(new)

    def sort(self) -> None:
        """Bring them into the order of their bytes, in which they mostly are already."""
        starts, ends = self._starts, self._ends
        if not any(map(gt, ends, islice(starts, 1, None))):
            return
        order = sorted(range(len(self)), key=lambda place: (starts[place], ends[place]))
        self._starts, self._ends = array("Q", map(starts.__getitem__, order)), array("Q", map(ends.__getitem__, order))
        self._frames = array("q", map(self._frames.__getitem__, order))
        self._news = list(map(self._news.__getitem__, order))

    def joined(self, document: Document, most: int = MOST) -> Iterator[Write]:
        """At most about *most* writes that do the same: those with the shortest way between them take the bytes there
        along.

        Args:
            document: holds the bytes between them.
            most: how many there may be, besides one a frame.
        """
        size, frames = len(self), self._frames
        apart: Sequence[int] = range(1, size)
        if size > most:
            gaps = [0, *map(sub, islice(self._starts, 1, None), self._ends)]
            apart = sorted(apart, key=gaps.__getitem__)[size - most :]
        others = compress(count(1), map(ne, frames, islice(frames, 1, None)))
        first = 0
        for behind in (*sorted({*apart, *others}), size) if size else ():
            yield self._one(document, first, behind)
            first = behind

    def _one(self, document: Document, first: int, behind: int) -> Write:
        """Those from number *first* to the one before *behind* as one, with the bytes between them."""
        starts, ends, news = self._starts[first:behind], self._ends[first:behind], self._news[first:behind]
        span, frame = Span(starts[0], ends[-1]), self._frames[first]
        if len(news) == 1:
            return Write(span, news[0], frame)
        raw, base = bytes(document.buffer[span.start : span.end]), span.start
        pieces: list[bytes] = []
        at = base
        for start, end, new in zip(starts, ends, news, strict=True):
            pieces += (raw[at - base : start - base], new)
            at = end
        return Write(span, b"".join(pieces), frame)


def joined_writes(document: Document, writes: list[Write], most: int = MOST) -> list[Write]:
    """The same for a list of writes that are in the order of their bytes."""
    return writes if len(writes) <= most else list(WriteColumns(writes).joined(document, most))
