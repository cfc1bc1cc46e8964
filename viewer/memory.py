"""Memory for many bytes at once: private, in large pages where the system has them, and never filled with zeros."""

from __future__ import annotations

import contextlib
import mmap
import sys


def private(size: int) -> mmap.mmap | bytearray:
    """Memory of *size* bytes, whose pages come into being when they are written to: large ones in less time."""
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
