"""Paged: a buffer of any size. Its bytes stay where they are; an edit makes another buffer over the same ones.

A buffer never changes, so that several threads may read it while edits make the next ones.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from typing import overload

from viewer.base.buffer import Buffer, bounds, place
from viewer.document.file_blocks import FileBlocks
from viewer.document.held_bytes import HeldBytes
from viewer.document.pieces import Piece, Splicer, cut_out


class Paged:
    """Bytes of a file, or of memory, with edits; read where they are asked for.

    Args:
        source: where the bytes are that no edit brought.
        pieces: runs of the source's bytes and of inserted ones; by default the whole source.
    """

    __slots__ = ("_held", "_pieces", "_size", "_starts", "source")

    def __init__(self, source: FileBlocks | HeldBytes, pieces: list[Piece] | None = None) -> None:
        self.source = source
        self._pieces = [Piece(0, source.size)] if pieces is None else pieces
        self._starts = list(accumulate((piece.size for piece in self._pieces), initial=0))
        self._size = self._starts.pop()
        self._held = (0, 0, b"")

    @property
    def shrunk(self) -> bool:
        """Whether bytes were asked for that the file does not have any more."""
        return self.source.shrunk

    @property
    def fault(self) -> str:
        """One sentence when bytes of the file could not be read and are shown as zeros, else empty."""
        return self.source.fault

    def spliced(self, offset: int, removed: int, inserted: bytes) -> Paged:
        """The buffer with *inserted* in the place of *removed* bytes at *offset*."""
        splicer = self.splicer(offset)
        splicer.replace(offset, removed, inserted)
        return Paged(self.source, splicer.pieces())

    def splicer(self, offset: int) -> Splicer:
        """What replaces bytes of this buffer; it costs least at *offset*."""
        first = max(0, bisect_right(self._starts, offset) - 1)
        return Splicer.of(self._pieces, first, self._starts[first] if self._starts else 0)

    def joined(self, pieces: Iterable[Piece]) -> bytes:
        """The bytes of pieces that a splicer of this buffer gave."""
        return b"".join(
            self.source.read(piece.start, piece.start + piece.size) if piece.inserted is None else piece.data
            for piece in pieces
        )

    def view(self, start: int, end: int) -> memoryview | None:
        """The bytes from *start* on that lie in one run in memory, up to *end* at most; None where they do not."""
        data = self.source.data
        first = bisect_right(self._starts, start) - 1
        if data is None or first < 0 or self._pieces[first].inserted is not None:
            return None
        piece, ahead = self._pieces[first], start - self._starts[first]
        return memoryview(data)[piece.start + ahead : piece.start + min(piece.size, ahead + end - start)]

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> bytes: ...
    def __getitem__(self, at: int | slice, /) -> int | bytes:
        if isinstance(at, slice):
            start, stop = at.start, at.stop
            low, high, held = self._held
            if at.step is None and start is not None and stop is not None and low <= start <= stop <= high:
                return held[start - low : stop - low]  # nearly always: words are read by the ten thousand
            return self._read(*bounds(at, self._size))
        at = place(at, self._size)
        return self._read(at, at + 1)[0]

    def __bytes__(self) -> bytes:
        return self._read(0, self._size)

    def _read(self, start: int, end: int) -> bytes:
        """Small reads are cut from the stretch that was read last, which is also where the next one mostly is."""
        low, high, held = self._held
        if low <= start and end <= high:
            return held[start - low : end - low]
        block = self.source.block
        low = start - start % block
        high = min(low + block, self._size)
        if end > high:
            return self._gather(start, end)
        held = self._gather(low, high)
        self._held = (low, high, held)
        return held[start - low : end - low]

    def _gather(self, start: int, end: int) -> bytes:
        if start >= end:
            return b""
        first = bisect_right(self._starts, start) - 1
        piece, begin = self._pieces[first], self._starts[first]
        if piece.inserted is None and end <= begin + piece.size:
            return self.source.read(piece.start + start - begin, piece.start + end - begin)
        return self.joined(cut_out(self._pieces, self._starts, first, start, end))


def fault(buffer: Buffer) -> str:
    """One sentence when bytes of the buffer's file could not be read and are shown as zeros, else empty."""
    return buffer.fault if isinstance(buffer, Paged) else ""


def open_paged(path: Path) -> Paged:
    """A file as a buffer.

    Raises:
        OSError: it cannot be opened.
    """
    return Paged(FileBlocks(path))
