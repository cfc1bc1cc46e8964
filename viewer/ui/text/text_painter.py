"""Paints the rows of a text that are in view."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter, QPen, QPixmap, QTextCharFormat, QTextLayout, QTextOption

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.look import icons
from viewer.ui.look.palette import Theme
from viewer.ui.text.shown_row import ShownRow
from viewer.ui.text.text_rows import TAB, TextRow
from viewer.ui.text.text_source import TextSource

GUTTER_PAD = 10
MARK = 12
"""Pixels of the sign beside the number of a line in which something is found."""
SIGNS = {Severity.ERROR: "circle-x", Severity.WARNING: "triangle-alert", Severity.NOTE: "info"}
STATES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
TEXT_PAD = 8
KEPT = 512
EVEN = re.compile(rb"[\x20-\x7e]*+")
Ink = tuple[int, int, int]
"""From which byte of a row to which one it is written in which colour (0xAARRGGBB)."""
MARK_LEFT = 4
RAIL_LEFT, RAIL = 2, 2
"""Pixels of the line beside a selected value of several rows."""
WAVE_LENGTH, WAVE_HEIGHT = 4, 6
ENDING = 6
"""Pixels that stand for a selected end of a line."""


@dataclass(frozen=True, slots=True)
class TextPage:
    """What is in view.

    Args:
        rows: from the top.
        top: pixels of the first row that are scrolled away.
        row_height, letter: pixels.
        gutter: pixels of the column of line numbers.
        left: pixels of the text that are scrolled away at the left.
        caret: the byte that the caret stands before.
        caret_shown: whether it is drawn.
        is_focused: whether the view has the keys.
        selection, item: selected bytes; those of the selected value.
        hits, current_hit: what a search found.
    """

    rows: tuple[TextRow, ...]
    top: int
    row_height: int
    letter: float
    gutter: int
    left: int
    caret: int
    caret_shown: bool
    is_focused: bool
    selection: Span | None
    item: Span | None
    hits: tuple[Span, ...] = ()
    current_hit: Span | None = None

    def rows_within(self, part: QRectF) -> range:
        """The numbers of the rows in a part of the viewport, and of those beside it, whose letters may reach there."""
        first = int((part.top() + self.top) // self.row_height) - 1
        last = -int(-(part.bottom() + self.top) // self.row_height)
        return range(max(first, 0), min(last + 1, len(self.rows)))

    def span_of(self, rows: range) -> Span:
        """The bytes of some rows."""
        return Span(self.rows[rows[0]].span.start, self.rows[rows[-1]].span.end)

    def has_caret(self, row: TextRow) -> bool:
        """Whether the caret stands in a row."""
        return row.span.start <= self.caret <= row.span.end and (self.caret < row.span.end or row.is_last)


class LineLayouts:
    """Rows laid out for a font, the last few hundred kept.

    Args:
        font: of fixed width where the platform has that.
        letter: the width of one letter in it, in pixels.
    """

    def __init__(self, font: QFont, letter: float) -> None:
        self._font = font
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self._option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self._option.setTabStopDistance(TAB * letter)
        self._letter = letter if QFontInfo(font).fixedPitch() else 0.0
        self.of = lru_cache(KEPT)(self._laid_out)

    def _laid_out(self, raw: bytes, inks: tuple[Ink, ...] = ()) -> tuple[ShownRow, QTextLayout]:
        """A row of these bytes, and how it lies, some of its bytes in colours."""
        row = ShownRow(raw.removesuffix(b"\r"))
        layout = QTextLayout(row.text, self._font)
        layout.setTextOption(self._option)
        layout.setCacheEnabled(True)
        layout.setFormats([_format(row.column(ink[0]), row.column(ink[1]), ink[2]) for ink in inks])
        layout.beginLayout()
        line = layout.createLine()
        if line.isValid():
            line.setLineWidth(float(1 << 20))
        layout.endLayout()
        return row, layout

    def x(self, raw: bytes, byte: int) -> float:
        """Where a byte of a row is drawn, in pixels from the row's beginning."""
        row, layout = self.of(raw)
        place: Any = layout.lineAt(0).cursorToX(row.column(byte))  # with the column, which Qt may have moved
        return float(place[0] if isinstance(place, tuple) else place)

    def width(self, raw: bytes) -> float:
        """How wide a row is, in pixels; of plain letters, which are all alike, nothing needs to be laid out."""
        if self._letter and EVEN.fullmatch(raw):
            return len(raw) * self._letter
        return float(self.of(raw)[1].lineAt(0).naturalTextWidth())

    def byte(self, raw: bytes, x: float) -> int:
        """The byte of a row that the caret stands before when it is put at *x*."""
        row, layout = self.of(raw)
        return row.byte(layout.lineAt(0).xToCursor(x))


class TextPainter:
    """Paints pages in one theme.

    Args:
        theme: the colours.
        layouts: lays rows out.
        numbers: the font of the line numbers.
    """

    def __init__(self, theme: Theme, layouts: LineLayouts, numbers: QFont) -> None:
        self._theme = theme
        self._layouts = layouts
        self._numbers = numbers
        self._inks: dict[str, int] = {}

    def paint(self, painter: QPainter, source: TextSource, page: TextPage, area: QRectF, part: QRectF) -> None:
        """Paint a page.

        Args:
            painter: paints.
            source: what is known about the bytes.
            page: which of them, and where.
            area: the whole viewport.
            part: what of it is to be painted.
        """
        ui = self._theme.ui
        painter.fillRect(part, ui.base)
        rows = page.rows_within(part)
        if rows:
            self._rows(painter, source, page, area, rows)
        painter.fillRect(QRectF(0, 0, page.gutter, area.height()), ui.panel)
        painter.fillRect(QRectF(page.gutter - 1, 0, 1, area.height()), ui.border)
        if rows and part.left() < page.gutter:
            self._gutter(painter, source, page, rows)

    def _rows(self, painter: QPainter, source: TextSource, page: TextPage, area: QRectF, rows: range) -> None:
        shown = page.span_of(rows)
        colours = [(tint.span, self._ink(tint.role)) for tint in source.tints(shown)]
        marks = list(source.marks(shown))
        at = 0
        for number in rows:
            row = page.rows[number]
            y = number * page.row_height - page.top
            while at < len(colours) and colours[at][0].end <= row.span.start:
                at += 1
            inked = _up_to(colours, at, row.span.end)
            self._row(painter, source, page, row, y, area.width(), inked)
            for mark in marks:
                self._wave(painter, source, page, row, y, mark.span, self._theme.state(STATES[mark.severity]).line)

    def _ink(self, role: str) -> int:
        """The colour in which the text of a role is written."""
        if role not in self._inks:
            self._inks[role] = self._theme.named(f"{role}.fg").rgb()
        return self._inks[role]

    def _gutter(self, painter: QPainter, source: TextSource, page: TextPage, rows: range) -> None:
        """The numbers of the lines, and signs beside those in which something is found."""
        marks = list(source.marks(page.span_of(rows)))
        for number in rows:
            row = page.rows[number]
            if not row.is_first:
                continue
            y = number * page.row_height - page.top
            self._number(painter, page, row, y, page.has_caret(row))
            here = [mark for mark in marks if _is_in(mark.span, row)]
            if here:
                box = QRectF(MARK_LEFT, y + (page.row_height - MARK) / 2, MARK, MARK)
                worst = here[-1].severity
                icons.draw(painter, SIGNS[worst], self._theme, box, f"state.{STATES[worst]}.line")

    def _row(
        self,
        painter: QPainter,
        source: TextSource,
        page: TextPage,
        row: TextRow,
        y: int,
        width: float,
        inked: Iterable[tuple[Span, int]],
    ) -> None:
        theme, left = self._theme, page.gutter + TEXT_PAD - page.left
        raw = source.data[row.span.start : row.span.end]
        has_caret = page.has_caret(row)
        if has_caret and page.selection is None and page.is_focused:
            painter.fillRect(QRectF(page.gutter, y, width - page.gutter, page.row_height), theme.ui.hover)
        self._item(painter, page, row, raw, y)
        for hit in page.hits:
            self._fill(painter, page, row, raw, y, hit, theme.state("search").bg)
        self._fill(painter, page, row, raw, y, page.current_hit, theme.state("search_current").bg)
        self._fill(painter, page, row, raw, y, page.selection, theme.ui.selection)
        begin, size = row.span.start, len(raw)
        inks = tuple((max(s.start - begin, 0), min(s.end - begin, size), ink) for s, ink in inked)
        _, layout = self._layouts.of(raw, inks)
        painter.setPen(theme.ui.text)
        line = layout.lineAt(0)
        layout.draw(painter, QPointF(left, y + round((page.row_height - line.height()) / 2)))
        if has_caret and page.caret_shown:
            x = left + self._layouts.x(raw, page.caret - row.span.start)
            painter.fillRect(QRectF(round(x), y + 2, 2, page.row_height - 4), theme.ui.accent)

    def _item(self, painter: QPainter, page: TextPage, row: TextRow, raw: bytes, y: int) -> None:
        """Fill the selected value, or draw a line beside it where it stands in several rows."""
        item = page.item
        if item is None or (row.span.start <= item.start and item.end <= row.span.end):
            self._fill(painter, page, row, raw, y, item, self._theme.ui.selection_inactive)
        elif item.start <= row.span.end and row.span.start < item.end:
            painter.fillRect(QRectF(page.gutter + RAIL_LEFT, y, RAIL, page.row_height), self._theme.ui.accent)

    def _number(self, painter: QPainter, page: TextPage, row: TextRow, y: int, is_current: bool) -> None:
        painter.setFont(self._numbers)
        painter.setPen(self._theme.ui.text if is_current else self._theme.ui.text_dim)
        box = QRectF(0, y, page.gutter - GUTTER_PAD, page.row_height)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(row.line + 1))

    def _ends(self, page: TextPage, row: TextRow, raw: bytes, span: Span) -> tuple[float, float] | None:
        """From where to where in a row a span is drawn; None where it is elsewhere."""
        end = row.span.end + row.is_last
        low, high = max(span.start, row.span.start), min(span.end, end)
        if low >= high:
            return None
        left = page.gutter + TEXT_PAD - page.left
        start = left + self._layouts.x(raw, low - row.span.start)
        stop = left + self._layouts.x(raw, high - row.span.start)
        return start, stop + ENDING if high > row.span.end else stop

    def _fill(
        self, painter: QPainter, page: TextPage, row: TextRow, raw: bytes, y: int, span: Span | None, colour: QColor
    ) -> None:
        ends = self._ends(page, row, raw, span) if span is not None else None
        if ends is not None:
            painter.fillRect(QRectF(ends[0], y, ends[1] - ends[0], page.row_height), colour)

    def _wave(
        self, painter: QPainter, source: TextSource, page: TextPage, row: TextRow, y: int, span: Span, colour: QColor
    ) -> None:
        """A wavy line below a span; below one letter where it is empty or at the end of a line."""
        span = Span(span.start, max(span.end, span.start + 1))
        raw = source.data[row.span.start : row.span.end]
        ends = self._ends(page, row, raw, span)
        if ends is None:
            return
        tile = _wave_tile(colour.rgba(), painter.device().devicePixelRatio())
        x, stop = round(ends[0]), round(max(ends[1], ends[0] + page.letter))
        painter.drawTiledPixmap(QRectF(x, y + page.row_height - 7, stop - x, WAVE_HEIGHT), tile)


@lru_cache(KEPT)
def _wave_tile(colour: int, ratio: float) -> QPixmap:
    """A piece of a wave, at so many pixels of the screen to one; a line as long as a row takes thirty times as long."""
    tile = QPixmap(round(WAVE_LENGTH * ratio), round(WAVE_HEIGHT * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor.fromRgba(colour), 1.2))
    painter.drawPolyline([QPointF(x, 4 - x % 4) for x in range(-2, WAVE_LENGTH + 3, 2)])
    painter.end()
    return tile


def _is_in(span: Span, row: TextRow) -> bool:
    """Whether something begins in the line that begins with a row."""
    return row.span.start <= span.start <= row.span.end


def _up_to(colours: list[tuple[Span, int]], first: int, end: int) -> Iterable[tuple[Span, int]]:
    for k in range(first, len(colours)):
        if colours[k][0].start >= end:
            return
        yield colours[k]


def _format(start: int, end: int, colour: int) -> QTextLayout.FormatRange:
    out = QTextLayout.FormatRange()
    out.start, out.length, out.format = start, end - start, _written_in(colour)
    return out


@lru_cache(KEPT)
def _written_in(colour: int) -> QTextCharFormat:
    ink = QTextCharFormat()
    ink.setForeground(QColor(colour))
    return ink
