"""The column header of the hex view: numbers of the columns, the caret's lit, and the line that shows the focus."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from viewer.ui.hex.layout import MARGIN, Area, HexLayout
from viewer.ui.look.fonts import Size, fixed_font_of, ui_font
from viewer.ui.look.palette import Theme

HEIGHT = 26
FOCUS_LINE = 2


class HexRuler(QWidget):
    """Paints what the view tells it."""

    def __init__(self, theme: Theme, layout: HexLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grid = layout
        self._font_height = 12
        self._column: int | None = None
        self._shift = 0
        self._focused = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_grid(self, layout: HexLayout, font_height: int, shift: int) -> None:
        """Follow the view's columns, scrolled *shift* pixels sideways."""
        if (layout, font_height, shift) != (self._grid, self._font_height, self._shift):
            self._grid, self._font_height, self._shift = layout, font_height, shift
            self.update()

    def set_caret(self, column: int | None, focused: bool) -> None:
        """Light a column number; show whether keys go to the view."""
        if (column, focused) != (self._column, self._focused):
            self._column, self._focused = column, focused
            self.update()

    def _paint_labels(self, painter: QPainter) -> None:
        font = ui_font(Size.SECONDARY)
        metrics = QFontMetricsF(font)
        y = (HEIGHT - 1 - metrics.height()) / 2 + metrics.ascent()
        painter.setFont(font)
        painter.setPen(self._theme.ui.text_secondary)
        room = self._grid.hex_x - MARGIN
        if metrics.horizontalAdvance("Offset") <= room:
            painter.drawText(QPointF(MARGIN, y), "Offset")
        painter.drawText(QPointF(self._grid.cell_x(0, Area.TEXT), y), "Text")

    def _paint_numbers(self, painter: QPainter) -> None:
        normal, lit = fixed_font_of(self._font_height), fixed_font_of(self._font_height, strong=True)
        metrics = QFontMetricsF(normal)
        y = (HEIGHT - 1 - metrics.height()) / 2 + metrics.ascent()
        for column in range(self._grid.columns):
            caret = column == self._column
            painter.setFont(lit if caret else normal)
            painter.setPen(self._theme.ui.text if caret else self._theme.ui.text_secondary)
            painter.drawText(QPointF(self._grid.digit_x(column, 0), y), f"{column:02X}")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.panel)
        painter.save()
        painter.translate(-self._shift, 0)
        self._paint_labels(painter)
        self._paint_numbers(painter)
        painter.restore()
        thickness = FOCUS_LINE if self._focused else 1
        line = QRectF(0, HEIGHT - thickness, self.width(), thickness)
        painter.fillRect(line, self._theme.ui.focus if self._focused else self._theme.ui.border)
        painter.end()
