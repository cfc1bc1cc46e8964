"""How the cells of a tree row are painted: one function a column, all sizes in logical pixels."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QScrollBar

from viewer.base.words import grouped
from viewer.document.path import INSIDE
from viewer.document.viewmodel.row_data import RowData
from viewer.ui.look import chips, icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_line

ROW_HEIGHT = 24
INDENT = 16
CHEVRON = 16
EDGE = 6
CHIP_GAP = 8
BADGE = 14
BADGE_GAP = 4
RING = 7
DOT = 6
SWATCH = 13
SWATCH_GAP = 2
SPARK = 44
BOX = 13
BAR = 3
PILL, PILL_EDGE = 16, 6
GUESS = "guess"
LABEL_ROOM = 32
"""With less room in pixels, what a profile says is not painted; the tooltip has it."""
CHIP_ROOM = 2 + chips.WIDTH + 2


class CellPainter:
    """Paints cells in one theme.

    Args:
        theme: the colours.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._name = ui_font()
        self._plain = ui_font(Size.SECONDARY)
        self._small = ui_font(Size.SMALL)
        self._value = fixed_font(Size.SECONDARY)
        self._count = fixed_font(Size.SECONDARY, strong=True)

    # Whole rows

    def background(
        self, painter: QPainter, row: QRectF, facts: RowData, selected: bool, hovered: bool, framed: bool = False
    ) -> None:
        """The surface of a row and the bars at its left edge; the current one of several selected rows has a frame."""
        theme = self.theme
        if selected:
            painter.fillRect(row, theme.ui.selection)
        elif facts.is_error:
            painter.fillRect(row, theme.state("error").bg)
        elif hovered:
            painter.fillRect(row, theme.ui.hover)
        if facts.modified:
            painter.fillRect(QRectF(row.left(), row.top(), BAR, row.height()), theme.state("modified").line)
        if selected:
            left = row.left() + (BAR + 1 if facts.modified else 0)
            painter.fillRect(QRectF(left, row.top(), BAR, row.height()), theme.ui.accent)
        if framed:
            painter.setPen(QPen(theme.ui.accent, 1))
            painter.drawRect(row.adjusted(0.5, 0.5, -0.5, -0.5))

    def branches(
        self,
        painter: QPainter,
        area: QRectF,
        levels: int,
        strong: int,
        expandable: bool,
        expanded: bool,
        step: float = INDENT,
        shift: float = 0,
    ) -> None:
        """Guide lines of the levels above, number *strong* in a stronger colour, and the row's chevron at the right.

        Levels are *step* pixels apart, and scrolled to the left by *shift*.
        """
        for level in range(int(shift / step), levels):
            colour = self.theme.ui.border_strong if level == strong else self.theme.ui.border
            x = area.left() + level * step + step / 2 - shift
            if x >= area.right() - CHEVRON / 2:
                break  # the deepest of very many levels stand in one place
            painter.fillRect(QRectF(x, area.top(), 1, area.height()), colour)
        if expandable:
            mark = QRectF(0, 0, BADGE, BADGE)
            mark.moveCenter(QPointF(area.right() - CHEVRON / 2 + 0.5, area.center().y()))
            icons.draw(painter, "chevron-down" if expanded else "chevron-right", self.theme, mark)

    # Cells

    def name(self, painter: QPainter, cell: QRectF, facts: RowData) -> None:
        """Chip, name, and the badges at the right end."""
        theme = self.theme
        left = cell.left() + 2
        if not facts.page:
            chip = QRectF(left, cell.top(), chips.WIDTH, cell.height())
            error, guess = facts.replaced, facts.recovered
            chips.paint_chip(painter, chip, facts.chip, facts.group, theme, recovered=guess, gap=facts.gap, error=error)
            left += chips.WIDTH + CHIP_GAP
        font = self._name_font(facts)
        right = self._badges(painter, cell, facts, left + QFontMetricsF(font).horizontalAdvance(facts.name))
        if facts.label is not None and facts.label.renames(facts.name):
            right = self._said_name(painter, cell, facts, left, right)
        secondary = facts.page or facts.above or (facts.fixed_name and facts.name.startswith(("[", INSIDE)))
        colour = theme.ui.text_secondary if secondary else theme.ui.text
        room = QRectF(left, cell.top(), right - left, cell.height())
        if facts.found is not None and facts.found.in_name:
            colour = self._found_box(painter, room, facts.name, font, facts.found.is_current)
        is_section = " " in facts.name and not facts.gap  # these differ in their last word
        elide = Qt.TextElideMode.ElideMiddle if is_section else Qt.TextElideMode.ElideRight
        paint_line(painter, room, facts.name, font, colour, elide)

    def _said_name(self, painter: QPainter, cell: QRectF, facts: RowData, left: float, right: float) -> float:
        """What a profile calls a row, behind its name where there is room; returns where the name must end."""
        assert facts.label is not None
        begin = left + ceil(QFontMetricsF(self._name_font(facts)).horizontalAdvance(facts.name)) + CHIP_GAP
        if right - begin >= LABEL_ROOM:
            room = QRectF(begin, cell.top(), right - begin, cell.height())
            paint_line(painter, room, facts.label.name, self._plain, self.theme.ui.text_secondary)
            return begin
        return right

    def name_width(self, facts: RowData) -> float:
        """Pixels that chip, whole name and badges take."""
        name = QFontMetricsF(self._name_font(facts)).horizontalAdvance(facts.name)
        badges = BADGE_GAP + BADGE if facts.is_error or facts.error_below else 0
        badges += BADGE_GAP + BADGE if facts.inside else 0
        if facts.found is not None and facts.found.below:
            badges += ceil(QFontMetricsF(self._small).horizontalAdvance(grouped(facts.found.below))) + 3 * PILL_EDGE
        badges += (BADGE_GAP + BADGE if facts.is_warning else 0) + (
            DOT + 2 * BADGE_GAP if facts.modified or facts.modified_below else 0
        )
        return 2 + (0 if facts.page else chips.WIDTH + CHIP_GAP) + ceil(name) + badges + EDGE

    def _name_font(self, facts: RowData) -> QFont:
        font = self._value if facts.fixed_name else self._name
        return _slanted(font) if facts.recovered else font

    def type(self, painter: QPainter, cell: QRectF, facts: RowData) -> None:
        """The type's name."""
        paint_line(painter, _inner(cell), facts.type, self._plain, self.theme.ui.text_secondary)

    def value(self, painter: QPainter, cell: QRectF, facts: RowData) -> None:
        """The value in its kind's colour; what is wrong in words where there is none."""
        theme, inner = self.theme, _inner(cell)
        value = _slanted(self._value) if facts.recovered else self._value
        if facts.replaced:
            paint_line(painter, inner, facts.text, self._plain, theme.state("error").fg)
        elif facts.gap:
            paint_line(painter, inner, facts.text, self._plain, theme.ui.text)
        elif facts.count:
            used = paint_line(painter, inner, facts.count, self._count, theme.kind(facts.group).fg)
            inner.setLeft(inner.left() + used + CHIP_GAP)
            inner.setLeft(inner.left() + self._look(painter, inner, facts))
            paint_line(painter, inner, facts.text, value, theme.ui.text_dim)
        else:
            inner.setLeft(inner.left() + self._mark(painter, inner, facts))
            if facts.label is not None and facts.label.note:
                self._note(painter, inner)
            colour = theme.kind(facts.group).fg
            if facts.found is not None and facts.found.in_value:
                is_current = facts.found.is_current and not facts.found.in_name
                colour = self._found_box(painter, inner, facts.text, value, is_current)
            used = paint_line(painter, inner, facts.text, value, colour)
            if facts.label is not None and facts.label.meaning and inner.width() - used >= LABEL_ROOM:
                inner.setLeft(inner.left() + used + CHIP_GAP)
                paint_line(painter, inner, facts.label.meaning, self._plain, theme.ui.text_secondary)

    def offset(self, painter: QPainter, cell: QRectF, facts: RowData) -> None:
        """Where the row's bytes begin."""
        self._number(painter, cell, facts.offset_text)

    def size(self, painter: QPainter, cell: QRectF, facts: RowData) -> None:
        """How many they are."""
        self._number(painter, cell, facts.size_text)

    # Pieces

    def _number(self, painter: QPainter, cell: QRectF, text: str) -> None:
        paint_line(painter, _inner(cell), text, self._value, self.theme.ui.text_secondary, right=True)

    def _found_box(self, painter: QPainter, room: QRectF, text: str, font: QFont, is_current: bool) -> QColor:
        """The box behind words in which something was found, framed where it is the current place; their colour."""
        tint = self.theme.state("search_current" if is_current else "search")
        width = min(QFontMetricsF(font).horizontalAdvance(text), room.width())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(tint.line, 2 if is_current else 1))
        painter.setBrush(tint.bg)
        painter.drawRoundedRect(QRectF(room.left() - 2.5, room.top() + 3.5, width + 5, room.height() - 7), 3, 3)
        painter.restore()
        return tint.fg

    def _note(self, painter: QPainter, inner: QRectF) -> None:
        """The mark of what a profile notes, at the right end of the value."""
        square = QRectF(inner.right() - BADGE, inner.center().y() - BADGE / 2, BADGE, BADGE)
        icons.draw(painter, "triangle-alert", self.theme, square, "state.warning.fg")
        inner.setRight(square.left() - BADGE_GAP)

    def _mark(self, painter: QPainter, inner: QRectF, facts: RowData) -> float:
        """The swatch of a colour or the box of a bool; returns the width that it takes."""
        if facts.swatch is not None:
            square = QRectF(inner.left(), inner.center().y() - SWATCH / 2, SWATCH, SWATCH)
            chips.paint_swatch(painter, square, facts.swatch, self.theme)
            return SWATCH + EDGE
        if facts.state is None:
            return 0.0
        paint_box(painter, box_rect(inner), facts.state, self.theme)
        return BOX + EDGE

    def _look(self, painter: QPainter, inner: QRectF, facts: RowData) -> float:
        """How the numbers of an array run, or its first colours; returns the width that it takes, 0 without room."""
        if facts.strokes and inner.width() >= SPARK:
            line = QRectF(inner.left(), inner.center().y() - SWATCH / 2, SPARK, SWATCH)
            step = line.width() / max(1, len(facts.strokes) - 1)
            points = [
                QPointF(line.left() + k * step, line.bottom() - stroke * line.height())
                for k, stroke in enumerate(facts.strokes)
            ]
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.theme.kind(facts.group).fg, 1))
            painter.drawPolyline(points)
            painter.restore()
            return SPARK + CHIP_GAP
        left = inner.left()
        for colour in facts.colours:
            square = QRectF(left, inner.center().y() - SWATCH / 2, SWATCH, SWATCH)
            if square.right() > inner.right():
                break
            chips.paint_swatch(painter, square, colour, self.theme)
            left = square.right() + SWATCH_GAP
        return left - inner.left() + EDGE if left > inner.left() else 0.0

    def _badges(self, painter: QPainter, cell: QRectF, facts: RowData, name_end: float) -> float:
        """Marks at the right end of the name, which ends at *name_end*; returns where they begin."""
        right = cell.right() - EDGE
        if facts.found is not None and facts.found.below:
            right = self._count_pill(painter, right, cell.center().y(), grouped(facts.found.below)) - BADGE_GAP
        for name, role, shown in (
            ("circle-x", "state.error.line", facts.is_error),
            ("triangle-alert", "state.warning.line", facts.is_warning),
            ("layers", "text_secondary", bool(facts.inside)),
        ):
            if shown:
                right -= BADGE
                square = QRectF(right, cell.center().y() - BADGE / 2, BADGE, BADGE)
                icons.draw(painter, name, self.theme, square, role)
                right -= BADGE_GAP
        if facts.recovered and right - self._pill_width >= name_end:  # chip and slant say it too
            self._pill(painter, right, cell.center().y())
            right -= self._pill_width
        if facts.error_below and not facts.is_error:
            right -= (BADGE + RING) / 2
            self._ring(painter, QPointF(right + RING / 2, cell.center().y()))
            right -= BADGE_GAP
        if facts.modified or facts.modified_below:
            right -= DOT + BADGE_GAP
            self._dot(painter, QPointF(right + DOT / 2, cell.center().y()), is_hollow=not facts.modified)
            right -= BADGE_GAP
        return right

    @property
    def _pill_width(self) -> float:
        return QFontMetricsF(self._small).horizontalAdvance(GUESS) + 2 * PILL_EDGE + BADGE_GAP

    def _pill(self, painter: QPainter, right: float, middle: float) -> None:
        """The word "guess" in a dashed outline that ends at *right*."""
        tint = self.theme.state("recovered")
        width = self._pill_width - BADGE_GAP
        pill = QRectF(right - width, round(middle - PILL / 2) + 0.5, width - 1, PILL - 1)
        pen = QPen(tint.line, 1)
        pen.setDashPattern([2, 2])
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        painter.setBrush(tint.bg)
        painter.drawRoundedRect(pill, PILL / 2, PILL / 2)
        painter.restore()
        paint_line(painter, pill.adjusted(PILL_EDGE, 0, 0, 0), GUESS, self._small, tint.fg)

    def _count_pill(self, painter: QPainter, right: float, middle: float, count: str) -> float:
        """How many places were found below a row, in a filled pill that ends at *right*; returns where it begins."""
        tint = self.theme.state("search")
        width = QFontMetricsF(self._small).horizontalAdvance(count) + 2 * PILL_EDGE
        pill = QRectF(right - width, round(middle - PILL / 2) + 0.5, width - 1, PILL - 1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(tint.line, 1))
        painter.setBrush(tint.bg)
        painter.drawRoundedRect(pill, PILL / 2, PILL / 2)
        painter.restore()
        paint_line(painter, pill.adjusted(PILL_EDGE, 0, 0, 0), count, self._small, tint.fg)
        return pill.left()

    def _ring(self, painter: QPainter, centre: QPointF) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.state("error").line, 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, RING / 2 - 0.8, RING / 2 - 0.8)
        painter.restore()

    def _dot(self, painter: QPainter, centre: QPointF, is_hollow: bool) -> None:
        """The mark of what was changed; hollow where only something inside was."""
        line = self.theme.state("modified").line
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(line, 1.4) if is_hollow else Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush if is_hollow else QBrush(line))
        radius = (DOT - 1.4 if is_hollow else DOT) / 2
        painter.drawEllipse(centre, radius, radius)
        painter.restore()


def box_rect(inner: QRectF) -> QRectF:
    """Where the box of a bool stands in the value column's inner rectangle."""
    return QRectF(inner.left() + 0.5, round(inner.center().y() - BOX / 2) + 0.5, BOX, BOX)


def value_box(cell: QRectF) -> QRectF:
    """Where the box of a bool stands in the value column's cell."""
    return box_rect(_inner(cell))


def paint_box(painter: QPainter, box: QRectF, checked: bool, theme: Theme) -> None:
    """A check box."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.ui.accent if checked else theme.ui.border_strong, 1))
    painter.setBrush(theme.ui.accent if checked else theme.ui.base)
    painter.drawRoundedRect(box, 3, 3)
    painter.restore()
    if checked:
        icons.draw(painter, "check", theme, box.adjusted(1, 1, -1, -1), "accent_text")


def _slanted(font: QFont) -> QFont:
    slanted = QFont(font)
    slanted.setItalic(True)
    return slanted


def _inner(cell: QRectF) -> QRectF:
    return cell.adjusted(EDGE, 0, -EDGE, 0)


# The tree's column of names: how far the levels stand apart in it, and how far it is scrolled sideways.
#
# Few levels stand 16 px apart. The deeper the open rows lie, the narrower the levels, so that all names keep some room
# in their column; where even the narrowest levels leave too little, the names scroll sideways, and they alone: types,
# values, offsets and sizes stay where they are. A row that lies too deep for what is in sight stands at the right,
# where its name has that room still; one that lies further left than what is in sight goes out of it, as in any list.

LEAST_INDENT = 4
"""Pixels: closer levels, and their guide lines, are not told apart by the eye."""
NAME_ROOM, NAME_SHARE = 64, 0.4
"""Pixels, and the share of its column, that a name keeps however deep it lies."""
LINES = 3
"""One notch of the mouse's wheel scrolls over so many of the usual levels."""
NOTCH = 120
"""Qt's unit of one notch, in eighths of a degree."""


class NameColumn:
    """Where in their column the rows stand.

    Args:
        bar: scrolls them sideways, as far as the deepest name has the whole column; its range is empty where all names
            have room as they are.

    Attributes:
        step: pixels between two levels.
        deepest: the level of the deepest rows.
    """

    def __init__(self, bar: QScrollBar) -> None:
        self.bar = bar
        self.bar.setSingleStep(INDENT)
        self.bar.setRange(0, 0)
        self.step: float = INDENT
        self.deepest = 0
        self._width = 0

    def fit(self, width: int, deepest: int) -> bool:
        """Take other room in pixels, or other levels; returns whether anything stands elsewhere now."""
        if (width, deepest) == (self._width, self.deepest):
            return False
        before = self.step, self.shift, self._most_indent
        self._width, self.deepest = width, deepest
        wanted = self._most_indent / max(1, deepest)
        self.step = min(float(INDENT), max(float(LEAST_INDENT), wanted))
        self.bar.setPageStep(max(INDENT, width))
        self.bar.setRange(0, deepest * LEAST_INDENT if wanted < LEAST_INDENT else 0)
        return before != (self.step, self.shift, self._most_indent)

    @property
    def shift(self) -> int:
        """Pixels by which the rows are scrolled to the left."""
        return self.bar.value()

    @property
    def is_narrow(self) -> bool:
        """Whether the levels stand closer than usual."""
        return self.step < INDENT

    @property
    def _most_indent(self) -> int:
        name = max(NAME_ROOM, round(self._width * NAME_SHARE))
        return max(0, self._width - CHEVRON - CHIP_ROOM - name)

    def chip_left(self, level: int) -> int:
        """Where the chip of a row stands; left of it is the row's chevron. Negative where it is scrolled out."""
        return round(min(level * self.step - self.shift, self._most_indent)) + CHEVRON

    def bring(self, level: int, needed: float) -> None:
        """Scroll by the least that shows a row's chevron, and its name where it has room for it.

        Args:
            level: that of the row.
            needed: pixels that chip, name and badges take.
        """
        left = round(level * self.step)
        room = round(self._width - CHEVRON - needed)
        if self.shift > left:
            self.bar.setValue(left)
        elif min(left - self.shift, self._most_indent) > room:
            self.bar.setValue(left - max(0, room))

    def turn(self, degrees: int, pixels: int) -> None:
        """The mouse's wheel is turned, to the right where negative.

        Args:
            degrees: how far, in eighths of a degree.
            pixels: how far the device itself says that it is, 0 where it does not.
        """
        self.bar.setValue(self.shift - (pixels or round(degrees * LINES * INDENT / NOTCH)))
