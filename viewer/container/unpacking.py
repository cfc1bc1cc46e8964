"""Unpacking: how many bytes may come out of the wraps of a file, and the memory that they go to.

A few bytes can stand for very many, and wraps can lie in each other. So there is one allowance for all wraps of a file
together, what comes out is counted while it comes, and there is one copy of it.
"""

from __future__ import annotations

from io import BytesIO

from viewer.base.late_pattern import late_pattern
from viewer.container.layer import WrapError

UNASKED = 1 << 28
"""So many bytes come out of all wraps of a file without asking."""
UNASKED_OF_FEW = 1 << 26
"""So many do where :data:`UNASKED` is more than :data:`RATIO` times the file."""
RATIO = 1 << 10
"""About as much as deflate can pack; a file that stands for more holds nothing but repetitions."""
FACTOR = 4
"""Where a stream does not say how long it is, so many times as much as before is what a person is asked for next."""
PIECE = 1 << 20
"""Bytes that are made at a time."""
_SIZE = late_pattern(r"\s*([0-9]{1,15})(?:\.([0-9]{1,3}))?\s*(?:([kKmMgGtT])(?:i?[bB])?|[bB])?\s*")
_UNITS = ("KiB", "MiB", "GiB", "TiB")


def unasked(size: int) -> int:
    """How many bytes come out of all wraps of a file of *size* bytes without asking."""
    return UNASKED if RATIO * size >= UNASKED else UNASKED_OF_FEW


def size_in_words(count: int) -> str:
    """``812 bytes``, ``1.8 KiB``, ``256 MiB``; above, never below the number where it is not exact."""
    if count < 1 << 10:
        return "1 byte" if count == 1 else f"{count} bytes"
    power = min((count.bit_length() - 1) // 10, len(_UNITS))
    tenths = -(-10 * count // (1 << 10 * power))
    shown = f"{tenths // 10}.{tenths % 10}" if tenths < 100 and tenths % 10 else str(-(-tenths // 10))
    return f"{shown} {_UNITS[power - 1]}"


def parse_size(text: str) -> int:
    """The bytes that a person means by ``4096``, ``512M``, ``1.5 GiB``; units are powers of 1024.

    Raises:
        ValueError: it is no size, or none at all; one sentence says what to write.
    """
    found = _SIZE.fullmatch(text)
    shift = 10 * ("KMGT".index(found[3].upper()) + 1) if found and found[3] else 0
    size = (int(found[1]) << shift) + ((int(found[2] or 0) << shift) // 10 ** len(found[2] or "")) if found else 0
    if not size:
        raise ValueError(f"“{text[:40]}” is not a size; write a number of bytes, or one like 512M or 2G.")
    return size


class Differs(WrapError):
    """Other bytes come out than those that should."""

    def __init__(self) -> None:
        super().__init__("The bytes that come out are not those that were put in.")


class Output:
    """The bytes that come out of a wrap, in one piece of memory from the first to the last.

    Args:
        expected: the bytes that must come out: they are compared while they come, and not kept a second time.
    """

    def __init__(self, expected: bytes | None = None) -> None:
        self._memory = BytesIO()
        self._expected = expected
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Add bytes; those behind the last that is expected may still be cut off.

        Raises:
            Differs: others were expected here.
        """
        end = self._size + len(data)
        if self._expected is None:
            self._memory.write(data)
        else:
            there = self._expected[self._size : end]
            if there != data[: len(there)]:
                raise Differs
        self._size = end

    def fill(self, count: int) -> None:
        """Add zeros."""
        for at in range(0, count, PIECE):
            self.write(bytes(min(PIECE, count - at)))

    def cut(self, size: int) -> None:
        """Drop all bytes from *size* on."""
        if size < self._size and self._expected is None:
            self._memory.seek(size)
            self._memory.truncate()
        self._size = min(size, self._size)

    def take(self) -> bytes:
        """All bytes, without a copy; nothing can be added from now on.

        Raises:
            Differs: more were expected.
        """
        if self._expected is not None:
            if self._size != len(self._expected):
                raise Differs
            return self._expected
        found = self._memory.getvalue()
        self._memory = BytesIO()
        return found
