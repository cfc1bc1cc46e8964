"""Held bytes: what is in memory anyway, as the source of a paged buffer, so that an edit copies none of it."""

from __future__ import annotations

from viewer.base.buffer import Bytes

BLOCK = 1 << 16


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
