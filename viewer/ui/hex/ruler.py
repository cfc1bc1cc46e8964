"""The column header of the hex view: numbers of the columns, the caret's lit, and the line that shows the focus."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from viewer.ui.hex.kept_picture import new_picture, shows_pixels
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
        self._picture: QPixmap | None = None
        self._picture_key: object = None
        self._whole: QPixmap | None = None
        self._whole_key: object = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

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

    def _place(self, column: int) -> QPointF:
        metrics = QFontMetricsF(fixed_font_of(self._font_height))
        return QPointF(self._grid.digit_x(column, 0), (HEIGHT - 1 - metrics.height()) / 2 + metrics.ascent())

    def _paint_plain(self, painter: QPainter) -> None:
        """Labels and numbers as they are while no column is lit."""
        painter.fillRect(self.rect(), self._theme.ui.panel)
        painter.translate(-self._shift, 0)
        self._paint_labels(painter)
        painter.setFont(fixed_font_of(self._font_height))
        painter.setPen(self._theme.ui.text_secondary)
        for column in range(self._grid.columns):
            painter.drawText(self._place(column), f"{column:02X}")
        painter.translate(self._shift, 0)

    def _paint_lit(self, painter: QPainter, column: int) -> None:
        """Paint another number in the place of a plain one."""
        painter.translate(-self._shift, 0)
        cell = QRectF(self._grid.cell_x(column, Area.HEX), 0, self._grid.cell, HEIGHT)
        painter.fillRect(cell, self._theme.ui.panel)
        painter.setFont(fixed_font_of(self._font_height, strong=True))
        painter.setPen(self._theme.ui.text)
        painter.drawText(self._place(column), f"{column:02X}")
        painter.translate(self._shift, 0)

    def _paint_line(self, painter: QPainter) -> None:
        """The line below, which shows whether keys go to the view."""
        thickness = FOCUS_LINE if self._focused else 1
        line = QRectF(0, HEIGHT - thickness, self.width(), thickness)
        painter.fillRect(line, self._theme.ui.focus if self._focused else self._theme.ui.border)

    def _paint_state(self, painter: QPainter) -> None:
        """Paint over what is plain where the caret and the focus are."""
        if self._column is not None:
            self._paint_lit(painter, self._column)
        self._paint_line(painter)

    def _kept_picture(self, ratio: float) -> QPixmap:
        """What is plain, painted once for all places of the caret."""
        key = self._theme, self._grid, self._font_height, self._shift, self.size(), ratio
        if self._picture is None or key != self._picture_key:
            self._picture = new_picture(self.size(), ratio, self._theme.ui.panel)
            self._picture_key = key
            inner = QPainter(self._picture)
            self._paint_plain(inner)
            inner.end()
        return self._picture

    def _kept_whole(self, ratio: float) -> QPixmap:
        """All that is seen, painted once while caret and focus stay."""
        plain = self._kept_picture(ratio)
        key = plain.cacheKey(), self._column, self._focused
        if self._whole is None or key != self._whole_key:
            self._whole, self._whole_key = plain.copy(), key
            inner = QPainter(self._whole)
            self._paint_state(inner)
            inner.end()
        return self._whole

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, ratio = QPainter(self), self.devicePixelRatioF()
        if shows_pixels(painter, ratio):
            painter.drawPixmap(0, 0, self._kept_whole(ratio))
        else:
            self._paint_plain(painter)
            self._paint_state(painter)
        painter.end()
