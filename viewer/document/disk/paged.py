"""Paged: a buffer of any size. Its bytes stay where they are; an edit makes another buffer over the same ones."""

from __future__ import annotations

import os
import threading
import weakref
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import accumulate
from pathlib import Path
from typing import overload

from viewer.base.buffer import Buffer, Bytes, bounds, place
from viewer.base.record import dataclass, field

# A file on disk, read block by block when its bytes are asked for, until all of them are held in memory.


BLOCK = 1 << 14
KEPT = 1024
MOST_LOCKED = 1 << 22
"""So many bytes at most are read while other readers wait."""
POSITIONED = hasattr(os, "pread")
"""Whether the system reads at a place without moving the file's own; the others also refuse to rename open files."""


class FileBlocks:
    """The bytes of a file as long as it was when it was opened. Several threads may read at once.

    Args:
        path: the file.
        block: bytes that are read at once for a small read.
        kept: how many blocks are kept in memory, the latest used ones.
        positioned: whether to use the system's positioned reads.

    Attributes:
        size: bytes in the file when it was opened.
        data: all bytes where they are held in memory, else None.
        shrunk: whether bytes were asked for that are not there any more.
        fault: one sentence when bytes could not be read, else empty.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path, block: int = BLOCK, kept: int = KEPT, positioned: bool = POSITIONED) -> None:
        self.path = path
        self.block = block
        self.positioned = positioned
        self.shrunk = False
        self.fault = ""
        self._kept = kept
        self.data: bytes | None = None
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        self._cache_lock = threading.Lock()
        self._file_lock = nullcontext() if positioned else threading.RLock()
        self._open(path)
        self.size, self._written = self._state()

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``start <= offset < end``, which lie inside the file; zeros for those that are gone.

        Runs of more than two blocks are read past the blocks that are kept.
        """
        if self.data is not None:
            return self.data[start:end]
        first = start // self.block
        if end > (first + 2) * self.block:
            return self._read(start, end)
        low = first * self.block
        found = self._block(first)
        if end > low + len(found):
            found += self._block(first + 1)
        return found if end - start == len(found) else found[start - low : end - low]

    def hold(self) -> bool:
        """Read all bytes into memory; from then on they come from there, whatever becomes of the file.

        For a thread: the others read on meanwhile.

        Returns:
            Whether they are held; not where the file was written to or could not be read.
        """
        if self.data is None:
            held = self._read(0, self.size)
            if not self.is_intact:
                return False
            with self._file_lock:
                self.data = held
                if not self.positioned:
                    self._close()
            with self._cache_lock:
                self._blocks.clear()
        return True

    @property
    def is_intact(self) -> bool:
        """Whether nobody wrote to the file since it was opened and all that was asked for could be read."""
        if self.data is not None:
            return True
        try:
            with self._file_lock:
                return not self.fault and self._state() == (self.size, self._written)
        except OSError:
            return False

    def is_at(self, path: Path) -> bool:
        """Whether *path* is this very file."""
        try:
            with self._file_lock:
                return os.path.samestat(os.fstat(self._handle), path.stat())
        except OSError:
            return False

    @contextmanager
    def let_go(self, *kept_as: Path) -> Iterator[None]:
        """Close the file while it is renamed or replaced, where the system wants that; readers wait so long.

        Args:
            kept_as: where these bytes may lie afterwards; if the file is still where it was, it is read from there.
        """
        if self.positioned or self.data is not None:
            yield
            return
        with self._file_lock:
            identity = os.fstat(self._handle)
            self._close()
            try:
                yield
            finally:
                self._reopen(identity, kept_as)

    def _reopen(self, before: os.stat_result, kept_as: Sequence[Path]) -> None:
        """Open the file again where it was, or else where it, or a copy of it, lies now."""
        for path, copies in ((self.path, False), *((path, True) for path in kept_as)):
            try:
                found = path.stat()
                if os.path.samestat(found, before) or (copies and _looks_like(found, before)):
                    self._open(path)
                    self.path = path
                    return
            except OSError:
                continue
        self._handle = -1
        self._lost("is gone")

    def _open(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._close = weakref.finalize(self, os.close, self._handle)

    def _state(self) -> tuple[int, int]:
        found = os.fstat(self._handle)
        return found.st_size, found.st_mtime_ns

    def _block(self, number: int) -> bytes:
        with self._cache_lock:
            found = self._blocks.get(number)
            if found is not None:
                self._blocks.move_to_end(number)
                return found
        start = number * self.block
        found = self._read(start, min(start + self.block, self.size))
        with self._cache_lock:
            self._blocks[number] = found
            while len(self._blocks) > self._kept:
                self._blocks.popitem(last=False)
        return found

    def _read(self, start: int, end: int) -> bytes:
        """The bytes as the system gives them, which may be in pieces, filled up with zeros where it gives none."""
        pieces: list[bytes] = []
        while start < end:
            try:
                piece = self._read_some(start, end - start)
            except OSError as error:
                self._lost(f"cannot be read any more ({(error.strerror or str(error)).lower()})")
                break
            if not piece:
                self.shrunk = True
                self._lost("became shorter while it was open here")
                break
            pieces.append(piece)
            start += len(piece)
        if start < end:
            pieces.append(bytes(end - start))
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _read_some(self, start: int, size: int) -> bytes:
        if self.positioned:
            return os.pread(self._handle, size, start)
        with self._file_lock:
            if self.data is not None:
                return self.data[start : start + size]
            os.lseek(self._handle, start, os.SEEK_SET)
            return os.read(self._handle, min(size, MOST_LOCKED))

    def _lost(self, what: str) -> None:
        """Keep the first thing that went wrong."""
        if not self.fault:
            self.fault = f"“{self.path.name}” {what}: zeros are shown for the bytes that are missing. Reload it."


def _looks_like(found: os.stat_result, before: os.stat_result) -> bool:
    """Whether a file may be a copy of another: as long and as old."""
    return (found.st_size, found.st_mtime_ns) == (before.st_size, before.st_mtime_ns)


# Buffers over blocks.


# Held bytes: what is in memory anyway, as the source of a paged buffer, so that an edit copies none of it.


class HeldBytes:
    """Bytes in memory, read like a file that nobody else can write to.

    Args:
        data: all of them.

    Attributes:
        data: the same.
        size: how many there are.
        block: bytes that are read at once for a small read.
        shrunk, fault: what could go wrong with a file, and cannot here.
    """

    block = BLOCK
    shrunk = False
    fault = ""

    def __init__(self, data: Bytes) -> None:
        self.data: Bytes = data
        self.size = len(data)

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``start <= offset < end``."""
        return bytes(self.data[start:end])


# Pieces: a buffer as runs of bytes of the file it came from and runs of bytes that edits brought.
#
# Replacing bytes only cuts and adds pieces; the bytes themselves stay where they are. Neighbours that a person typed
# one behind the other grow together, so that long typing does not make many pieces.

GROWS_TO = 1 << 16
"""Inserted pieces are copied into one up to this many bytes."""


@dataclass(frozen=True, slots=True)
class BufferPiece:
    """A run of bytes: *size* bytes from *start* on, of *inserted* bytes or, where that is None, of the source."""

    start: int
    size: int
    inserted: bytes | None = None

    def part(self, start: int, end: int) -> BufferPiece:
        """The bytes ``start <= offset < end`` of this piece."""
        return BufferPiece(self.start + start, end - start, self.inserted)

    @property
    def data(self) -> memoryview:
        """The bytes of an inserted piece."""
        return memoryview(self.inserted or b"")[self.start : self.start + self.size]


def together(one: BufferPiece, other: BufferPiece) -> BufferPiece | None:
    """Two neighbours as one piece; None where they have to stay two."""
    if one.inserted is other.inserted and one.start + one.size == other.start:
        return BufferPiece(one.start, one.size + other.size, one.inserted)
    if one.inserted is None or other.inserted is None or one.size + other.size > GROWS_TO:
        return None
    return BufferPiece(0, one.size + other.size, b"".join((one.data, other.data)))


@dataclass(slots=True)
class Splicer:
    """Replaces bytes of a piece list, place after place.

    The list is held as two stacks with the place between them: ``before`` ends and ``after`` begins there, so that
    going through a buffer in either direction costs each piece once.
    """

    before: list[BufferPiece] = field(default_factory=list)
    after: list[BufferPiece] = field(default_factory=list)
    at: int = 0

    @classmethod
    def of(cls, pieces: list[BufferPiece], first: int = 0, at: int = 0) -> Splicer:
        """A splicer over these pieces, standing before the one with number *first*, which begins at offset *at*."""
        return cls(pieces[:first], pieces[first:][::-1], at)

    def replace(self, offset: int, removed: int, inserted: bytes) -> list[BufferPiece]:
        """Put *inserted* in the place of *removed* bytes at *offset*; returns the pieces that go.

        Offsets count in what the replacements before this one left.
        """
        self._go(offset)
        gone = self._take(removed)
        if inserted:
            self._push(BufferPiece(0, len(inserted), inserted))
        if self.after and self.before:
            self._push(self.after.pop())
        return gone

    def pieces(self) -> list[BufferPiece]:
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

    def _take(self, size: int) -> list[BufferPiece]:
        gone: list[BufferPiece] = []
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

    def _push(self, piece: BufferPiece) -> None:
        """Append a piece before the place, joined to its neighbour where they fit together."""
        self.at += piece.size
        joined = together(self.before[-1], piece) if self.before else None
        if joined is None:
            self.before.append(piece)
        else:
            self.before[-1] = joined


def cut_out(pieces: list[BufferPiece], starts: list[int], first: int, start: int, end: int) -> Iterator[BufferPiece]:
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


class Paged:
    """Bytes of a file, or of memory, with edits; read where they are asked for.

    Args:
        source: where the bytes are that no edit brought.
        pieces: runs of the source's bytes and of inserted ones; by default the whole source.
    """

    __slots__ = ("_held", "_pieces", "_size", "_starts", "source")

    def __init__(self, source: FileBlocks | HeldBytes, pieces: list[BufferPiece] | None = None) -> None:
        self.source = source
        self._pieces = [BufferPiece(0, source.size)] if pieces is None else pieces
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

    def joined(self, pieces: Iterable[BufferPiece]) -> bytes:
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
