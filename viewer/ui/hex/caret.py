"""The caret of the hex view: where it stands, what it selects, and where keys take it. Knows no widget."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from viewer.base.span import Span
from viewer.ui.hex.layout import Area

HIGH, LOW = 0, 1


class CaretMove(Enum):
    """A movement of the caret."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    ROW_START = "row start"
    ROW_END = "row end"
    START = "start"
    END = "end"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"


@dataclass(slots=True)
class HexCaret:
    """The caret, the nibble to be typed next, the column it is in, and the anchor of a selection.

    A selection holds the bytes under both the anchor and the caret.
    """

    offset: int = 0
    nibble: int = HIGH
    area: Area = Area.HEX
    anchor: int | None = None
    whole: bool = False

    @property
    def selection(self) -> Span | None:
        """The selected bytes; none while anchor and caret are the same byte, unless it was selected as a whole."""
        if self.anchor is None or (self.anchor == self.offset and not self.whole):
            return None
        return Span(min(self.anchor, self.offset), max(self.anchor, self.offset) + 1)

    def place(self, offset: int, extend: bool = False) -> None:
        """Go to a byte; *extend* keeps the anchor, so that what lies between is selected."""
        if not extend:
            self.anchor = None
        elif self.anchor is None:
            self.anchor = self.offset
        self.offset, self.nibble, self.whole = offset, HIGH, False

    def select(self, span: Span | None) -> None:
        """Select whole bytes, the caret on the last of them; None or an empty span selects nothing."""
        self.anchor = None
        self.whole = span is not None and span.start < span.end
        if span is not None and self.whole:
            self.anchor, self.offset, self.nibble = span.start, span.end - 1, HIGH

    def clamp(self, last: int) -> None:
        """Stay within a buffer that may have become shorter."""
        self.offset = min(self.offset, last)
        if self.anchor is not None:
            self.anchor = min(self.anchor, last)


def target(move: CaretMove, offset: int, columns: int, page: int, last: int) -> int:
    """Where a movement ends, ``0 <= result <= last``; up and down keep the column or do nothing."""
    steps = {
        CaretMove.UP: -columns,
        CaretMove.DOWN: columns,
        CaretMove.PAGE_UP: -columns * page,
        CaretMove.PAGE_DOWN: columns * page,
    }
    if move in steps:
        return _vertical(offset, steps[move], columns, last)
    row = offset - offset % columns
    places = {
        CaretMove.LEFT: offset - 1,
        CaretMove.RIGHT: offset + 1,
        CaretMove.ROW_START: row,
        CaretMove.ROW_END: row + columns - 1,
        CaretMove.START: 0,
        CaretMove.END: last,
    }
    return min(max(places[move], 0), last)


def _vertical(offset: int, step: int, columns: int, last: int) -> int:
    """One or more rows away, in the first or last row when there are not as many."""
    wanted = offset + step
    if wanted < 0:
        return offset % columns
    if wanted > last:
        final = last - last % columns + offset % columns
        return min(final, last) if final // columns > offset // columns else offset
    return wanted
