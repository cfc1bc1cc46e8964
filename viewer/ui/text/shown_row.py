"""What a row of a text shows, and where each of its bytes stands in that. Knows no widget."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from viewer.base.unseen import escaped

PLAIN = re.compile(rb"[\t\x20-\x7e]*+")
LONE = range(0xDC80, 0xDD00)
"""Halves of pairs that stand for bytes that are no UTF-8."""
ASTRAL = 0xFFFF


class ShownRow:
    """One row.

    Args:
        raw: its bytes.

    Attributes:
        text: what is shown: signs that nobody can see stand as escapes, and bytes that are no UTF-8.
    """

    __slots__ = ("_bytes", "_columns", "_size", "text")

    def __init__(self, raw: bytes) -> None:
        self._size = len(raw)
        self._bytes: list[int] | None = None
        self._columns: list[int] = []
        if PLAIN.fullmatch(raw):
            self.text = raw.decode("ascii")
            return
        signs = raw.decode("utf-8", "surrogateescape")
        shown = [_shown(sign) for sign in signs]
        self.text = "".join(shown)
        self._bytes = list(accumulate(map(_size, signs), initial=0))
        self._columns = list(accumulate(map(_width, shown), initial=0))

    def column(self, byte: int) -> int:
        """Where a byte of the row stands, in UTF-16 units, which Qt counts in; within a character where that begins."""
        if self._bytes is None:
            return min(max(byte, 0), self._size)
        return self._columns[max(0, bisect_right(self._bytes, byte) - 1)]

    def byte(self, column: int) -> int:
        """The byte of the row that stands at a column; within a character, its first one."""
        if self._bytes is None:
            return min(max(column, 0), self._size)
        return self._bytes[max(0, bisect_right(self._columns, column) - 1)]


def _shown(sign: str) -> str:
    if ord(sign) in LONE:
        return f"\\x{ord(sign) - LONE.start + 0x80:02x}"
    return escaped(sign, keep="\t")


def _size(sign: str) -> int:
    """Bytes of a sign in UTF-8."""
    code = ord(sign)
    return 1 if code < 0x80 or code in LONE else 2 if code < 0x800 else 3 if code <= ASTRAL else 4


def _width(shown: str) -> int:
    """UTF-16 units of what is shown for a sign."""
    return len(shown) + (ord(shown[0]) > ASTRAL)
