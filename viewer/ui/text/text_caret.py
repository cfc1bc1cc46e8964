"""The caret of the text view: where it stands, what it selects, and where keys take it. Knows no widget.

Places are bytes of the text, always at the beginning of a character, 0 to the size of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from enum import Enum

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.text.piece_table import PieceTable
from viewer.ui.text.text_rows import TextRows

WORD = re.compile(rb"[\w\x80-\xff]+|[^\w\s\x80-\xff]+")
WORD_BACK = 256
"""So many bytes are looked at for the word before the caret."""
WORD_AHEAD = 1 << 10
"""So many are looked at for its end, and for the end of blanks; then more."""
FIRST_MARK = 0xCC
"""How the first mark in Unicode begins, U+0300."""
BLANKS = b" \t"


class TextMove(Enum):
    """A movement of the caret."""

    LEFT = "left"
    RIGHT = "right"
    WORD_LEFT = "word left"
    WORD_RIGHT = "word right"
    UP = "up"
    DOWN = "down"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    ROW_START = "row start"
    ROW_END = "row end"
    START = "start"
    END = "end"


ROWS_AWAY = {TextMove.UP: -1, TextMove.DOWN: 1}
PAGES_AWAY = {TextMove.PAGE_UP: -1, TextMove.PAGE_DOWN: 1}


@dataclass(slots=True)
class TextCaret:
    """Caret and anchor; what lies between them is selected."""

    offset: int = 0
    anchor: int | None = None

    @property
    def selection(self) -> Span | None:
        """The selected bytes, None for none."""
        if self.anchor is None or self.anchor == self.offset:
            return None
        return Span(min(self.anchor, self.offset), max(self.anchor, self.offset))

    @property
    def extent(self) -> Span:
        """From the first to the last byte that caret or selection stand at."""
        return self.selection or Span(self.offset, self.offset)

    def follow(self, follow: Callable[[int], int]) -> None:
        """Stay at the letters, of which a function tells where they stand now."""
        self.offset = follow(self.offset)
        self.anchor = follow(self.anchor) if self.anchor is not None else None

    def place(self, offset: int, extend: bool = False) -> None:
        """Go to a byte; *extend* keeps the anchor."""
        if not extend:
            self.anchor = None
        elif self.anchor is None:
            self.anchor = self.offset
        self.offset = offset


def followed(place: int, removed: Span, size: int) -> int:
    """Where a place of the text is after *size* bytes took the place of some."""
    if place >= removed.end:
        return place + size - len(removed)
    return min(place, removed.start + size) if place > removed.start else place


def target(move: TextMove, rows: TextRows, offset: int) -> int:
    """Where a movement within rows ends; movements from row to row need the widths of letters."""
    data, row = rows.data, rows.row(rows.row_of(offset))
    places: dict[TextMove, Callable[[], int]] = {
        TextMove.LEFT: lambda: letter_before(data, offset),
        TextMove.RIGHT: lambda: letter_after(data, offset),
        TextMove.WORD_LEFT: lambda: word_before(data, offset),
        TextMove.WORD_RIGHT: lambda: word_after(data, offset),
        TextMove.ROW_START: lambda: _row_start(data, row.span, offset) if row.is_first else row.span.start,
        TextMove.ROW_END: lambda: _line_end(data, row.span) if row.is_last else before(data, row.span.end),
        TextMove.START: lambda: 0,
        TextMove.END: lambda: len(data),
    }
    return places[move]()


def after(data: PieceTable, offset: int) -> int:
    """The next character; CR and LF are one."""
    if data[offset : offset + 2] == b"\r\n":
        return offset + 2
    end = min(offset + 4, len(data))
    at = min(offset + 1, len(data))
    while at < end and data[at] & 0xC0 == 0x80:
        at += 1
    return at


def before(data: PieceTable, offset: int) -> int:
    """The character before; CR and LF are one."""
    if offset >= 2 and data[offset - 2 : offset] == b"\r\n":
        return offset - 2
    at = max(offset - 1, 0)
    while at > max(0, offset - 4) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


def letter_after(data: PieceTable, offset: int) -> int:
    """The next letter with the marks that are set on it."""
    at = after(data, offset)
    while at < len(data) and _is_mark(data, at):
        at = after(data, at)
    return at


def letter_before(data: PieceTable, offset: int) -> int:
    """The letter before with the marks that are set on it."""
    at = before(data, offset)
    while at and _is_mark(data, at):
        at = before(data, at)
    return at


def _is_mark(data: PieceTable, offset: int) -> bool:
    """Whether a sign is set on the letter before it, such as an accent."""
    if data[offset] < FIRST_MARK:
        return False
    return unicodedata.combining(data[offset : after(data, offset)].decode(errors="replace")[:1]) != 0


def word_after(data: PieceTable, offset: int) -> int:
    """The end of the word, or of the signs, that stand here or next."""
    size = WORD_AHEAD
    while True:
        found = WORD.search(data[offset : offset + size])
        end = offset + found.end() if found is not None else len(data)
        if end < offset + size or offset + size >= len(data):
            return end
        size *= 4


def word_before(data: PieceTable, offset: int) -> int:
    """The beginning of the word, or of the signs, that stand before."""
    low = max(0, offset - WORD_BACK)
    start = low
    for found in WORD.finditer(data[low:offset]):
        start = low + found.start()
    return start


def word_at(data: PieceTable, offset: int) -> Span:
    """The word, or the signs, around a byte; empty where there are none."""
    low = max(0, offset - WORD_BACK)
    for found in WORD.finditer(data[low : word_after(data, offset)]):
        if found.end() > offset - low:
            return Span(*found.span()).shifted(low) if found.start() <= offset - low else Span(offset, offset)
    return Span(offset, offset)


def indentation(rows: TextRows, offset: int) -> bytes:
    """The blanks that the line of a byte begins with, as far as that byte."""
    line = rows.line_span(rows.line_of(offset))
    return rows.data[line.start : _inked(rows.data, line.start, offset)]


def ending(rows: TextRows, offset: int) -> bytes:
    """How lines end around a byte: as the one before its own does, and in the first line as that one."""
    line = rows.line_span(rows.line_of(offset))
    end = line.start or line.end + 1
    return b"\r\n" if rows.data[max(end - 2, 0) : end] == b"\r\n" else b"\n"


def _row_start(data: PieceTable, line: Span, offset: int) -> int:
    """The first sign of a line that is no blank; from there, and from before it, the line's beginning."""
    inked = _inked(data, line.start, line.end)
    return inked if offset != inked else line.start


def _inked(data: PieceTable, start: int, end: int) -> int:
    """The first byte that is no blank, or *end*."""
    for at in range(start, end, WORD_AHEAD):
        stop = min(at + WORD_AHEAD, end)
        inked = data[at:stop].lstrip(BLANKS)
        if inked:
            return stop - len(inked)
    return end


def _line_end(data: PieceTable, row: Span) -> int:
    """The end of a line's last row; a CR belongs to the LF behind it."""
    return row.end - data[row.start : row.end].endswith(b"\r")
