"""Where a file is being read by a layout, and what stands there: bytes, numbers, lines."""

from __future__ import annotations

from struct import unpack

from viewer.base.buffer import Buffer
from viewer.base.span import Span
from viewer.base.varint import LONGEST, varint_at
from viewer.document.readers.file_layout import NUMBERS, VARINT, LayoutField

LONGEST_TEXT = 1 << 20
MOST_TEXT = 1 << 26
"""Bytes of texts and numbers that are read in one file."""
LINE = 256
"""Bytes in which the end of a text is looked for first."""


class LayoutEnds(Exception):
    """The bytes do not follow the layout any further.

    Args:
        field: what should stand there; None where there is too much to read.
        at: where.
    """

    def __init__(self, field: LayoutField | None, at: int) -> None:
        super().__init__()
        self.field = field
        self.at = at


class LayoutCursor:
    """An offset in a file, and the part of it that may be read there.

    Args:
        buffer: the bytes of the file.
    """

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._text_left = MOST_TEXT
        self.at = 0
        self.part = Span(0, len(buffer))

    def whole(self, each: LayoutField, kind: str) -> int:
        """A whole number of a type."""
        found = self.number(each, kind)
        assert isinstance(found, int)
        return found

    def raw(self, each: LayoutField, size: int) -> bytes:
        """So many bytes."""
        if size > LONGEST_TEXT:
            raise LayoutEnds(each, self.at)
        start = self.at
        self.skip(each, size)
        self._spend(each, size)
        return bytes(self._buffer[start : self.at])

    def _spend(self, each: LayoutField, size: int) -> None:
        """No file is read over and over by offsets that lead back to the same bytes."""
        self._text_left -= size
        if self._text_left < 0:
            raise LayoutEnds(each, self.at)

    def skip(self, each: LayoutField, size: int) -> None:
        """Leave so many bytes behind."""
        if not 0 <= size <= self.part.end - self.at:
            raise LayoutEnds(each, self.at)
        self.at += size

    def number(self, each: LayoutField, kind: str) -> int | float:
        """A number of a type, in the order of the field."""
        if kind == VARINT:
            return self._varint(each)
        size, sort = NUMBERS[kind]
        raw = self.raw(each, size)
        order = "big" if each.big_endian else "little"
        if sort == "f":
            number: float = unpack((">" if each.big_endian else "<") + ("f" if size == 4 else "d"), raw)[0]
            return number
        return int.from_bytes(raw, order, signed=sort == "i")  # type: ignore[arg-type]

    def _varint(self, each: LayoutField) -> int:
        found = varint_at(bytes(self._buffer[self.at : min(self.at + LONGEST, self.part.end)]))
        if found is None:
            raise LayoutEnds(each, self.at)
        self.raw(each, found[1])
        return found[0]

    def line(self, each: LayoutField) -> bytes:
        """A text up to what ends it, or up to the end of the part."""
        ending, start = each.ending, self.at
        raw, size = b"", LINE
        while ending not in raw and len(raw) < self.part.end - start:
            raw = bytes(self._buffer[start : min(start + size, self.part.end)])
            size *= 4
            if len(raw) > LONGEST_TEXT and ending not in raw:
                raise LayoutEnds(each, self.at)
        place = raw.find(ending)
        self._spend(each, len(raw) if place < 0 else place)
        if place < 0:
            raise LayoutEnds(each, self.at)
        self.at = start + place + len(ending)
        return raw[:place]
