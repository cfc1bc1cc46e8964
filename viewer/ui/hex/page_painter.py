"""Paint one page of the hex view: fills first, then text, then rules, frames and the caret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QPolygonF

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.ui.hex import ink as hex_ink
from viewer.ui.hex.byte_source import PartTint
from viewer.ui.hex.glyphs import HexGlyphs
from viewer.ui.hex.hex_page import HexPage
from viewer.ui.hex.kept_picture import new_picture
from viewer.ui.hex.layout import MARGIN, RAIL_WIDTH, Area, Box, HexLayout, Segment
from viewer.ui.look import icons, patterns
from viewer.ui.look.fonts import fixed_font_of
from viewer.ui.look.palette import Theme
from viewer.variant.items import Role
from viewer.variant.tints import BYTE, GAP

OUTLINE = 1.6
GUTTER_BAR = 3
BAR = 2
GUTTER_ICON = 11
RULE_ROOM = 3
DASHES = (3, 2)
"""A dash and the gap behind it, in widths of the line; both together are whole pixels."""
MOST_RUNS = 8
"""Where more runs of rows have something behind their bytes, the bytes of all rows are painted in one go."""
ZEROS = 3
"""One byte in so many is zero: painting the others over a picture of zeros is less work than painting all."""
ZERO_ROWS = 8
GAPS = late_pattern(re.escape(BYTE[GAP]) + b"+")


class HexPainter:
    """Paints pages in one theme, one layout and one device pixel ratio."""

    def __init__(self, theme: Theme, layout: HexLayout, glyphs: HexGlyphs, ratio: float) -> None:
        self._theme = theme
        self._layout = layout
        self._glyphs = glyphs
        self._ratio = ratio
        self._inks = hex_ink.colours(theme)
        self._sides: dict[int, list[tuple[QPointF, QPixmap]]] = {}
        self._zeros: QPixmap | None = None
        self._zeros_place = 0, 0

    def paint(self, painter: QPainter, page: HexPage, left: int, width: int, rows: range, is_exact: bool) -> None:
        """Paint rows of a page whose first row lies at y 0; lines around bytes reach out of them.

        Args:
            painter, page: where and what.
            left, width: what of each row is in view.
            rows: those to be painted, counted in the page.
            is_exact: whether each row begins and ends between two pixels of the screen.
        """
        height = self._layout.row_height
        runs = [(run, page.part(run), is_plain) for run, is_plain in _runs(rows, page.tinted_rows())]
        if sum(not is_plain for _, _, is_plain in runs) > MOST_RUNS:
            runs = [(rows, page.part(rows), False)]
        over_zeros = [is_plain and is_exact and _has_zeros(part.data) for _, part, is_plain in runs]
        for (run, _, _), has_zeros in zip(runs, over_zeros, strict=True):
            if has_zeros:
                self._put_zeros(painter, run, left, width)
            else:
                painter.fillRect(left, run.start * height, width, len(run) * height, self._theme.ui.base)
        painter.setBrushOrigin(0, -(page.top * height % patterns.REPEAT))  # patterns stay with their rows
        self._paint_fills(painter, page, self._layout.width + left)
        painter.setBrushOrigin(0, 0)
        for (run, part, _), has_zeros in zip(runs, over_zeros, strict=True):
            painter.translate(0, run.start * height)
            self._paint_bytes(painter, part, has_zeros)
            painter.translate(0, -run.start * height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_underlines(painter, page)
        self._paint_gutter(painter, page)
        self._paint_frames(painter, page, is_exact)
        self._paint_caret(painter, page)

    # Fills

    def _paint_fills(self, painter: QPainter, page: HexPage, band: float) -> None:
        theme = self._theme
        if page.shows(page.focus.caret):
            row = self._layout.row_of(page.focus.caret) - page.top
            height = self._layout.row_height
            painter.fillRect(QRectF(0, row * height, band, height), theme.ui.hover)
        self._fill(painter, page, page.recovered, theme.state("recovered").bg)
        if BYTE[GAP] in page.styles:
            gaps = [Span(page.start + found.start(), page.start + found.end()) for found in GAPS.finditer(page.styles)]
            self._fill(painter, page, gaps, theme.structure("gap").bg)
            self._fill(painter, page, gaps, patterns.wide_hatch(theme.structure("gap").line, self._ratio))
        for part in page.parts_in_view:
            for brush in self._part_brushes(part):
                self._fill(painter, page, [part.span], brush)
        self._fill(painter, page, page.modified, theme.state("modified").bg)
        self._fill(painter, page, page.errors, theme.state("error").bg)
        if page.focus.selection:
            self._fill(painter, page, [page.focus.selection], self._selection_colour(page))
        self._fill(painter, page, page.hits, theme.state("search").bg)
        if page.current_hit:
            self._fill(painter, page, [page.current_hit], theme.state("search_current").bg)

    def _selection_colour(self, page: HexPage) -> QColor:
        return self._theme.ui.selection if page.focus.focused else self._theme.ui.selection_inactive

    def _part_brushes(self, part: PartTint) -> list[QColor | QBrush]:
        if part.role is Role.VALUE:
            return [self._theme.kind(part.group).bg]
        if part.role in (Role.PADDING, Role.GAP):
            tint = self._theme.structure(part.role.value)
            hatch = patterns.fine_hatch if part.role is Role.PADDING else patterns.wide_hatch
            return [tint.bg, hatch(tint.line, self._ratio)]
        return [self._theme.structure("header" if part.role is Role.HEADER else "length").bg]

    def _fill(self, painter: QPainter, page: HexPage, spans: Iterable[Span], brush: QColor | QBrush) -> None:
        for span in spans:
            for area in Area:
                for box in self._layout.boxes(span, page.top, page.rows, area):
                    painter.fillRect(_rect(box), brush)

    # Text

    def _paint_bytes(self, painter: QPainter, page: HexPage, over_zeros: bool) -> None:
        """Paint bytes and offsets; *over_zeros*: on a picture of zeros, whose dim digits and dots stay."""
        digits, characters = hex_ink.inks(page)
        if over_zeros:
            self._glyphs.blank(painter, page.rows, digits, characters, self._theme.ui.base)
        self._glyphs.draw_bytes(painter, page.data, digits, characters, self._inks, over_zeros, page.letters)
        self._paint_signs(painter, page, characters)
        lit = self._layout.row_of(page.focus.caret) - page.top
        self._paint_offsets(painter, page, lit)
        if page.shows(page.focus.caret):
            self._paint_caret_offset(painter, lit, (page.top + lit) * self._layout.columns)

    def _put_zeros(self, painter: QPainter, rows: range, left: int, width: int) -> None:
        """Put rows of nothing but zeros there, painted once: half of a save looks like that."""
        height, ratio = self._layout.row_height, self._ratio
        most = min(ZERO_ROWS, self._glyphs.rows)
        if self._zeros is None or self._zeros_place != (left, width):
            self._zeros, self._zeros_place = (
                new_picture(QSize(width, most * height), ratio, self._theme.ui.base),
                (left, width),
            )
            inner, zeros = QPainter(self._zeros), bytes(most * self._layout.columns)
            inner.translate(-left, 0)
            self._glyphs.draw_bytes(inner, zeros, zeros, zeros, self._inks)
            inner.end()
        for begin in range(rows.start, rows.stop, most):
            tall = min(most, rows.stop - begin) * height
            source = QRectF(0, 0, self._zeros.width(), tall * ratio)
            painter.drawPixmap(QRectF(left, begin * height, source.width() / ratio, tall), self._zeros, source)

    def _paint_signs(self, painter: QPainter, page: HexPage, characters: bytes) -> None:
        """Paint the signs of UTF-8 in the text column."""
        for at, sign in page.signs:
            self._glyphs.draw_sign(painter, self._inks[characters[at]], at, sign)

    def _paint_offsets(self, painter: QPainter, page: HexPage, without: int = -1) -> None:
        columns = self._layout.columns
        last = max(-(-len(page.data) // columns), 1 if not page.size and not page.top else 0)
        for rows in (range(last),) if not 0 <= without < last else (range(without), range(without + 1, last)):
            if rows:
                self._glyphs.draw_offsets(painter, self._theme.ui.text_dim, rows, page.start)

    def _paint_caret_offset(self, painter: QPainter, row: int, offset: int) -> None:
        painter.setFont(fixed_font_of(self._glyphs.font.pixelSize(), strong=True))
        painter.setPen(self._theme.ui.text)
        painter.drawText(QPointF(MARGIN, self._glyphs.baseline(row)), f"{offset:0{self._layout.digits}X}")

    # Rules and underlines

    def _paint_underlines(self, painter: QPainter, page: HexPage) -> None:
        theme = self._theme
        for part in page.parts_in_view:
            if part.role in (Role.HEADER, Role.LENGTH, Role.PREFIX):
                self._paint_rule(painter, page, part)
        if page.modified:
            self._underline(painter, page, page.modified, QBrush(theme.state("modified").line), 2)
        if page.warnings:
            warning = patterns.dots(theme.state("warning").line.name(), self._ratio)
            self._underline(painter, page, page.warnings, warning, 2)
        if page.errors:
            error = patterns.wave(theme.state("error").line.name(), self._ratio)
            self._underline(painter, page, page.errors, error, patterns.WAVE_HEIGHT)

    def _paint_rule(self, painter: QPainter, page: HexPage, part: PartTint) -> None:
        solid = part.role is Role.HEADER
        pen = QPen(self._theme.structure("header" if solid else "length").line, 1)
        if not solid:
            pen.setDashPattern([2, 2])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        inset = (self._layout.cell - 2 * self._layout.digit) / 2
        for box in self._layout.boxes(part.span, page.top, page.rows, Area.HEX):
            y = self._snap(box.bottom - RULE_ROOM) + 0.5
            painter.drawLine(QPointF(box.x + inset, y), QPointF(box.right - inset, y))

    def _underline(
        self, painter: QPainter, page: HexPage, spans: Iterable[Span], brush: QBrush, thickness: float
    ) -> None:
        for span in spans:
            for area in Area:
                inset = 1.0 if area is Area.HEX else 0.0
                for box in self._layout.boxes(span, page.top, page.rows, area):
                    x, y = self._snap(box.x + inset), self._snap(box.bottom - thickness)
                    painter.setBrushOrigin(QPointF(x, y))
                    tall = min(thickness, box.bottom - y)  # the row below is painted without this one
                    painter.fillRect(QRectF(x, y, self._snap(box.right - inset) - x, tall), brush)
        painter.setBrushOrigin(QPointF())

    # Gutter and rail

    def _paint_gutter(self, painter: QPainter, page: HexPage) -> None:
        height = self._layout.row_height
        for row in sorted(self._rows(page, page.modified)):
            painter.fillRect(QRectF(0, row * height, GUTTER_BAR, height), self._theme.state("modified").line)
        errors = self._first_rows(page, page.errors)
        warnings = self._first_rows(page, page.warnings) - errors
        for rows, name, role in ((errors, "circle-x", "error"), (warnings, "triangle-alert", "warning")):
            for row in rows:
                rect = QRectF(GUTTER_BAR + 1, row * height + (height - GUTTER_ICON) / 2, GUTTER_ICON, GUTTER_ICON)
                icons.draw(painter, name, self._theme, rect, f"state.{role}.line")
        self._paint_rail(painter, page)

    def _paint_rail(self, painter: QPainter, page: HexPage) -> None:
        if not page.parent:
            return
        rows = [segment.row for segment in self._layout.segments(page.parent, page.top, page.rows)]
        if rows:
            height = self._layout.row_height
            x = self._snap(self._layout.rail_x)
            rail = QRectF(x, rows[0] * height, RAIL_WIDTH, (rows[-1] - rows[0] + 1) * height)
            painter.fillRect(rail, self._theme.ui.border_strong)

    def _rows(self, page: HexPage, spans: Iterable[Span]) -> set[int]:
        return {segment.row for span in spans for segment in self._layout.segments(span, page.top, page.rows)}

    def _first_rows(self, page: HexPage, spans: Iterable[Span]) -> set[int]:
        rows = {self._layout.row_of(span.start) - page.top for span in spans}
        return {row for row in rows if 0 <= row < page.rows}

    # Frames

    def _paint_frames(self, painter: QPainter, page: HexPage, is_exact: bool) -> None:
        theme, focus = self._theme, page.focus
        guess = _dashed(theme.state("recovered").line, 1.2)
        for span in page.recovered:
            self._frame(painter, page, span, guess, [Area.HEX])
        if page.current_hit:
            self._frame(painter, page, page.current_hit, QPen(theme.state("search_current").line, 2), Area)
        if focus.hover:
            self._frame(painter, page, focus.hover, _dashed(theme.ui.text_secondary, 1), Area, 0.5)
        if focus.item:
            pen = QPen(theme.ui.accent, OUTLINE)
            if is_exact and self._passes(page, focus.item):
                self._put_sides(painter, page, focus.item, pen)
            else:
                self._frame(painter, page, focus.item, pen, Area)

    def _frame(
        self, painter: QPainter, page: HexPage, span: Span, pen: QPen, areas: Iterable[Area], shift: float = 0
    ) -> None:
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for area in areas:
            for polygon in self._layout.outline(span, page.top, page.rows, area):
                points = [QPointF(self._snap(x) + shift, self._snap(y) + shift) for x, y in polygon]
                if pen.style() is Qt.PenStyle.CustomDashLine:
                    self._draw_dashes(painter, page, points, pen)
                else:
                    painter.drawPolygon(QPolygonF(points))

    def _draw_dashes(self, painter: QPainter, page: HexPage, points: Sequence[QPointF], pen: QPen) -> None:
        """Draw the sides of a polygon in dashes that begin at the same bytes wherever the page begins."""
        above = page.top * self._layout.row_height % round(sum(DASHES) * pen.widthF())
        for one, other in zip(points, (*points[1:], points[0]), strict=True):
            is_upright = one.x() == other.x()
            first, last = sorted((one, other), key=lambda at: (at.y(), at.x()))
            if first != last:
                pen.setDashOffset((first.y() + above if is_upright else first.x()) / pen.widthF())
                painter.setPen(pen)
                painter.drawLine(first, last)

    def _passes(self, page: HexPage, span: Span) -> bool:
        """Whether of a span's outline only the sides are in view."""
        columns = self._layout.columns
        return span.start <= page.start - columns and span.end >= page.start + (page.rows + 1) * columns

    def _put_sides(self, painter: QPainter, page: HexPage, span: Span, pen: QPen) -> None:
        """Put those sides there from pictures: smooth lines as high as a page are slow to paint."""
        sides = self._sides.get(page.rows)
        if sides is None:
            sides = self._sides[page.rows] = [*self._pictured_sides(page, span, pen)]
        for place, picture in sides:
            painter.drawPixmap(place, picture)

    def _pictured_sides(self, page: HexPage, span: Span, pen: QPen) -> Iterator[tuple[QPointF, QPixmap]]:
        """The sides of a page's outline, and where they lie."""
        row_height, ratio = self._layout.row_height, self._ratio
        half = ceil(OUTLINE * ratio)
        for area in Area:
            for x in (self._layout.cell_x(0, area), self._layout.box(Segment(0, 0, self._layout.columns), area).right):
                left = (round(x * ratio) - half) / ratio
                picture = QPixmap(2 * half, ceil((page.rows + 2) * row_height * ratio))
                picture.setDevicePixelRatio(ratio)
                picture.fill(Qt.GlobalColor.transparent)
                inner = QPainter(picture)
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                inner.translate(-left, row_height)
                self._frame(inner, page, span, pen, [area])
                inner.end()
                yield QPointF(left, -row_height), picture

    # Caret

    def _paint_caret(self, painter: QPainter, page: HexPage) -> None:
        focus = page.focus
        if not page.shows(focus.caret):
            return
        row, column = divmod(focus.caret - page.start, self._layout.columns)
        for area in Area:
            box = self._caret_box(page, row, column, area)
            if area is focus.area and focus.insert:
                self._paint_bar(painter, page, row, column)
            elif area is focus.area and focus.focused:
                self._paint_live_caret(painter, page, box)
            else:
                colour = self._theme.ui.accent if focus.focused else self._theme.ui.border_strong
                painter.setPen(QPen(colour, 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(_rect(box).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)

    def _caret_box(self, page: HexPage, row: int, column: int, area: Area) -> Box:
        layout = self._layout
        if area is Area.TEXT:
            left, width = layout.cell_x(column, area), layout.digit
        elif page.focus.area is Area.HEX:
            left, width = layout.digit_x(column, page.focus.nibble), layout.digit
        else:
            left, width = layout.digit_x(column, 0) - 1, 2 * layout.digit + 2
        x, right = self._snap(left), self._snap(left + width)
        return Box(x, row * layout.row_height + 2, max(right - x, 2), layout.row_height - 4)

    def _paint_bar(self, painter: QPainter, page: HexPage, row: int, column: int) -> None:
        """The caret between two bytes, or between the halves of a byte of which one is typed."""
        layout, focus = self._layout, page.focus
        halves = focus.area is Area.HEX and focus.nibble
        x = layout.digit_x(column, focus.nibble) if halves else layout.cell_x(column, focus.area)
        colour = self._theme.ui.accent if focus.focused else self._theme.ui.border_strong
        painter.fillRect(
            QRectF(self._snap(x) - BAR / 2, row * layout.row_height + 2, BAR, layout.row_height - 4), colour
        )

    def _paint_live_caret(self, painter: QPainter, page: HexPage, box: Box) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.ui.accent)
        painter.drawRoundedRect(_rect(box), 2, 2)
        if page.focus.caret >= page.size:
            return
        index = page.focus.caret - page.start
        value = page.data[index]
        ink = self._theme.ui.accent_text
        if page.focus.area is Area.HEX:
            self._glyphs.draw_nibble(painter, ink, index, page.focus.nibble, value)
        else:
            self._glyphs.draw_character(painter, ink, index, value)

    def _snap(self, value: float) -> float:
        """The nearest edge of a pixel; of two the one below, in each row."""
        return floor(value * self._ratio + 0.5) / self._ratio


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)


def _dashed(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setDashPattern(DASHES)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _runs(rows: range, tinted: set[int]) -> list[tuple[range, bool]]:
    """Rows in runs of those that have something behind their bytes and those that have not, which are plain."""
    found, begin = [], rows.start
    for row in range(rows.start + 1, rows.stop + 1):
        if row == rows.stop or (row in tinted) != (begin in tinted):
            found.append((range(begin, row), begin not in tinted))
            begin = row
    return found


def _has_zeros(data: bytes) -> bool:
    return data.count(0) * ZEROS > len(data)
