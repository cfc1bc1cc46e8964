"""A file on disk, read block by block when its bytes are asked for, until all of them are held in memory.

It is read, never mapped: another program may cut the file off at any moment, and then a mapped page would end the
process. What cannot be read any more comes back as zeros, and :attr:`FileBlocks.fault` says so in a sentence.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

BLOCK = 1 << 16
KEPT = 256
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
