"""Where bytes lie: the columns of the hex view on a float grid, its rows, and its scroll bar. Knows no widget.

The advance of a monospace font is a fraction of a pixel; whoever rounds it sees the columns drift. All x positions are
floats from the left edge of the view, all rows plain integers, because a buffer may have 2**63 of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from viewer.base.record import dataclass
from viewer.base.span import Span

MARGIN = 16
OFFSET_GAP = 18
TEXT_GAP = 14
GROUP = 4
CELL_DIGITS = 2.6
GAP_DIGITS = 0.7
RAIL_WIDTH = 2
ROW_WIDTHS = (8, 16, 32)
BAR_LIMIT = 2**30


class Area(Enum):
    """The two columns that show the same bytes."""

    HEX = "hex"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class HexHit:
    """The byte under a point and the column it was seen in."""

    offset: int
    area: Area


class Segment(NamedTuple):
    """The part of a span that lies in one row: columns ``first <= column < last``."""

    row: int
    first: int
    last: int


class Box(NamedTuple):
    """A rectangle in float pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The first x beyond."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The first y beyond."""
        return self.y + self.height


Polygon = tuple[tuple[float, float], ...]


def offset_digits(size: int) -> int:
    """Hex digits of an offset column: enough for *size*, even, six at least."""
    needed = len(f"{max(size - 1, 0):x}")
    return max(6, needed + needed % 2)


def row_count(size: int, columns: int, append: bool = False) -> int:
    """Rows of a buffer; with *append* the place behind the last byte counts too."""
    return max(1, -(-(size + append) // columns))


def bar_maximum(rows: int, visible: int) -> int:
    """The highest scroll bar value: a row, until there are more rows than a scroll bar can count."""
    return min(max(0, rows - visible), BAR_LIMIT)


def bar_of_row(row: int, rows: int, visible: int) -> int:
    """The scroll bar value for a top row."""
    last = max(0, rows - visible)
    return row if last <= BAR_LIMIT else -(-row * BAR_LIMIT // last)  # upwards, so that row_of_bar() undoes it


def row_of_bar(value: int, rows: int, visible: int) -> int:
    """The top row for a scroll bar value."""
    last = max(0, rows - visible)
    return min(value, last) if last <= BAR_LIMIT else value * last // BAR_LIMIT


@dataclass(frozen=True)
class HexLayout:
    """The grid for one font size, one row width and one width of the offsets.

    Args:
        digit: the advance of one digit, in float pixels.
        row_height: pixels per row.
        columns: bytes per row.
        digits: digits of an offset.
    """

    digit: float
    row_height: int
    columns: int
    digits: int

    @cached_property
    def cell(self) -> float:
        """The width of a byte in the hex column."""
        return self.digit * CELL_DIGITS

    @cached_property
    def gap(self) -> float:
        """The extra room between groups."""
        return self.digit * GAP_DIGITS

    @cached_property
    def rail_x(self) -> float:
        """The left edge of the parent rail, between offsets and bytes."""
        return MARGIN + self.digits * self.digit + OFFSET_GAP / 2 - RAIL_WIDTH / 2

    @cached_property
    def hex_x(self) -> float:
        """The left edge of the first byte."""
        return MARGIN + self.digits * self.digit + OFFSET_GAP

    @cached_property
    def hex_width(self) -> float:
        """The width of all bytes of a row."""
        return self.columns * self.cell + (self.columns // GROUP - 1) * self.gap

    @cached_property
    def text_x(self) -> float:
        """The left edge of the first character."""
        return self.hex_x + self.hex_width + TEXT_GAP

    @cached_property
    def width(self) -> float:
        """The width of everything left of the coverage strip."""
        return self.text_x + self.columns * self.digit + TEXT_GAP

    def cell_x(self, column: int, area: Area) -> float:
        """The left edge of a byte's cell."""
        if area is Area.TEXT:
            return self.text_x + column * self.digit
        return self.hex_x + column * self.cell + column // GROUP * self.gap

    def cell_width(self, area: Area) -> float:
        """The width of a byte's cell."""
        return self.digit if area is Area.TEXT else self.cell

    def digit_x(self, column: int, nibble: int) -> float:
        """The left edge of one hex digit."""
        return self.cell_x(column, Area.HEX) + self.digit * ((CELL_DIGITS - 2) / 2 + nibble)

    def row_of(self, offset: int) -> int:
        """The row that holds a byte."""
        return offset // self.columns

    def area_at(self, x: float) -> Area | None:
        """The column under *x*, or None in the margins."""
        if self.hex_x <= x < self.hex_x + self.hex_width:
            return Area.HEX
        return Area.TEXT if self.text_x <= x < self.text_x + self.columns * self.digit else None

    def nearest_area(self, x: float) -> Area:
        """The column under or nearest to *x*."""
        return Area.TEXT if x >= self.text_x - TEXT_GAP / 2 else Area.HEX

    def column_at(self, x: float, area: Area) -> int:
        """The nearest byte of a row; half of a gap between groups belongs to the byte on either side."""
        if area is Area.TEXT:
            column = int((x - self.text_x) // self.digit)
        else:
            group, inside = divmod(x - self.hex_x + self.gap / 2, GROUP * self.cell + self.gap)
            within = int((inside - self.gap / 2) // self.cell)
            column = int(group) * GROUP + min(max(within, 0), GROUP - 1)
        return min(max(column, 0), self.columns - 1)

    def hit(self, x: float, y: float, top: int, size: int) -> HexHit | None:
        """The byte exactly under a point, *y* counted from the top edge of row *top*."""
        area = self.area_at(x)
        if area is None or y < 0:
            return None
        offset = self._offset_at(x, y, top, area)
        return HexHit(offset, area) if offset < size else None

    def nearest(self, x: float, y: float, top: int, last: int, area: Area | None = None) -> HexHit:
        """The byte nearest to a point, for clicks and drags; *last* is the highest offset allowed."""
        area = area or self.nearest_area(x)
        return HexHit(min(max(self._offset_at(x, y, top, area), 0), max(last, 0)), area)

    def _offset_at(self, x: float, y: float, top: int, area: Area) -> int:
        return (top + int(y // self.row_height)) * self.columns + self.column_at(x, area)

    def segments(self, span: Span, top: int, rows: int) -> Iterator[Segment]:
        """The pieces of a span in the rows ``top <= row < top + rows``, rows counted from *top*."""
        start = max(span.start, top * self.columns)
        end = min(span.end, (top + rows) * self.columns)
        while start < end:
            row, first = divmod(start, self.columns)
            stop = min(end, (row + 1) * self.columns)
            yield Segment(row - top, first, first + stop - start)
            start = stop

    def box(self, segment: Segment, area: Area) -> Box:
        """The rectangle of a segment; gaps between its groups belong to it."""
        left = self.cell_x(segment.first, area)
        right = self.cell_x(segment.last - 1, area) + self.cell_width(area)
        return Box(left, segment.row * self.row_height, right - left, self.row_height)

    def boxes(self, span: Span, top: int, rows: int, area: Area) -> list[Box]:
        """The rectangles of a span, one per visible row."""
        return [self.box(segment, area) for segment in self.segments(span, top, rows)]

    def outline(self, span: Span, top: int, rows: int, area: Area) -> list[Polygon]:
        """The stepped outline of a span, cut one row above and below what is visible so that no cut shows.

        Two rows that do not touch give two polygons; everything else gives one.
        """
        columns = self.columns
        start, end = max(span.start, (top - 1) * columns), min(span.end, (top + rows + 1) * columns)
        if start >= end:
            return []
        (upper, left), (lower, right) = divmod(start, columns), divmod(end - 1, columns)
        first = self.box(Segment(upper - top, left, right + 1 if upper == lower else columns), area)
        if upper == lower:
            return [_rectangle(first)]
        last = self.box(Segment(lower - top, 0, right + 1), area)
        if lower == upper + 1 and right < left:
            return [_rectangle(first), _rectangle(last)]
        return [self._stepped(first, last, area)]

    def _stepped(self, first: Box, last: Box, area: Area) -> Polygon:
        left = self.cell_x(0, area)
        return (
            (first.x, first.y),
            (first.right, first.y),
            (first.right, last.y),
            (last.right, last.y),
            (last.right, last.bottom),
            (left, last.bottom),
            (left, first.bottom),
            (first.x, first.bottom),
        )


def _rectangle(box: Box) -> Polygon:
    return ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
