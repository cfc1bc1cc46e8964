"""Columns: the memory of a node table, three u32 columns that scans fill and use again."""

from __future__ import annotations

import contextlib
import mmap
import sys
import threading

ROW = 12
"""Bytes a node: start, parent, first."""
SMALL = 4096
"""Up to so many rows the columns are ordinary memory: systems limit how many mappings a process may have."""


class Columns:
    """Room for *capacity* rows.

    The memory is private and anonymous and never filled with zeros: its pages come into being when a scan writes them,
    and fresh pages cost more than the scan itself. That is why columns are used again, see :class:`Pool`.

    Attributes:
        capacity: rows.
        start, parent, first: the columns, each of *capacity* u32.
    """

    __slots__ = ("capacity", "first", "parent", "start")

    def __init__(self, capacity: int) -> None:
        self._take(capacity)

    def _take(self, capacity: int) -> None:
        self.capacity = capacity
        words = memoryview(bytearray(ROW * capacity) if capacity <= SMALL else _anonymous(ROW * capacity)).cast("I")
        self.start = words[:capacity]
        self.parent = words[capacity : 2 * capacity]
        self.first = words[2 * capacity :]

    def grow(self, used: int, needed: int) -> None:
        """Make room for *needed* rows by doubling; the first *used* rows are kept."""
        start, parent, first = self.start, self.parent, self.first
        self._take(max(needed, 2 * self.capacity))
        self.start[:used] = start[:used]
        self.parent[:used] = parent[:used]
        self.first[:used] = first[:used]


def _anonymous(size: int) -> mmap.mmap | bytearray:
    """Private memory that no other process sees, in large pages where the system has them."""
    try:
        if sys.platform == "win32":
            return mmap.mmap(-1, size)
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:  # too many mappings; where it is memory that lacks, this says so
        return bytearray(size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a kernel may be built without
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


class Pool:
    """Columns that no table needs any more, kept for the next scan: only the largest ones."""

    def __init__(self) -> None:
        self._spare: Columns | None = None
        self._lock = threading.Lock()

    def take(self, rows: int) -> Columns:
        """Columns for a scan that will need about *rows*: the spare ones, or new ones."""
        with self._lock:
            spare = self._spare
            if spare is not None and rows > SMALL:
                self._spare = None
                return spare
        return Columns(rows)

    def give(self, columns: Columns) -> None:
        """Keep columns for later; nobody may read them any more."""
        with self._lock:
            if columns.capacity > (self._spare.capacity if self._spare else SMALL):
                self._spare = columns
