"""Colours as a palette: swatches in rows, chosen by mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from viewer.document.visuals.colour_list import ColourList
from viewer.ui.look import chips
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_focus
from viewer.ui.panels.panel_widgets import FocusRing
from viewer.ui.viewport import own_viewport

CELL, GAP, EDGE = 32, 4, 12
LARGE = 200
"""Pixels of the swatch of a single colour."""


class PaletteView(QAbstractScrollArea):
    """Swatches, those in sight alone.

    Signals:
        picked: ``int``: a person chooses a colour.
        edit_wanted: ``int``: a person wants to change it.
        pointed: ``int``: the mouse or the keys are at another one; -1 for none.
    """

    picked = Signal(int)
    edit_wanted = Signal(int)
    pointed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("paletteView")
        own_viewport(self)
        self._theme = theme
        self._colours: ColourList | None = None
        self.marked = -1
        self._ring = FocusRing(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.viewport().update()

    def set_colours(self, colours: ColourList | None) -> None:
        """Show others."""
        same = colours is not None and self._colours is not None and colours.item == self._colours.item
        self._colours = colours
        self.marked = min(self.marked, colours.count - 1) if colours is not None and same else -1
        self._measure()
        self.viewport().update()

    def mark(self, index: int) -> None:
        """Show a colour as the one that is selected, and bring it into sight."""
        self.marked = index
        if index >= 0:
            bar, top = self.verticalScrollBar(), index // self._across * self._step
            bar.setValue(min(max(bar.value(), top + self._step - self.viewport().height() + 2 * EDGE), top))
        self.viewport().update()

    # Where they are

    @property
    def _size(self) -> int:
        """Pixels of a swatch."""
        return LARGE if self._colours is not None and self._colours.count == 1 else CELL

    @property
    def _step(self) -> int:
        return self._size + GAP

    @property
    def _across(self) -> int:
        return max(1, (self.viewport().width() - 2 * EDGE + GAP) // self._step)

    def _cell(self, index: int) -> QRectF:
        row, column = divmod(index, self._across)
        top = EDGE + row * self._step - self.verticalScrollBar().value()
        return QRectF(EDGE + column * self._step, top, self._size, self._size)

    def index_at(self, point: QPointF) -> int:
        """The colour under a point of the viewport, -1 for none."""
        column = int((point.x() - EDGE) // self._step)
        row = int((point.y() - EDGE + self.verticalScrollBar().value()) // self._step)
        index = row * self._across + column
        count = self._colours.count if self._colours is not None else 0
        return index if 0 <= column < self._across and 0 <= index < count and self._cell(index).contains(point) else -1

    def _measure(self) -> None:
        count = self._colours.count if self._colours is not None else 0
        rows = -(-count // self._across)
        height = 2 * EDGE + rows * self._step - GAP
        bar = self.verticalScrollBar()
        bar.setRange(0, min(max(0, height - self.viewport().height()), (1 << 31) - 1))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self._step)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(480, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme.ui.base)
        if self._colours is not None:
            first = max(0, (self.verticalScrollBar().value() - EDGE) // self._step) * self._across
            last = first + (self.viewport().height() // self._step + 2) * self._across
            for index in range(first, min(last, self._colours.count)):
                self._paint_cell(painter, index)
        painter.setPen(self._theme.ui.border)
        painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        if self._ring.is_shown:
            paint_focus(painter, QRectF(self.viewport().rect()), self._theme)
        painter.end()

    def _paint_cell(self, painter: QPainter, index: int) -> None:
        assert self._colours is not None
        cell, colour = self._cell(index), self._colours.at(index)
        if colour is not None:
            chips.paint_swatch(painter, cell, colour, self._theme)
        if index == self.marked:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.ui.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(cell.adjusted(-2, -2, 2, 2), 4, 4)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self.index_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and index >= 0:
            self.mark(index)
            self.picked.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and index >= 0:
            self.edit_wanted.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        count = self._colours.count if self._colours is not None else 0
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._across,
            Qt.Key.Key_Down: self._across,
            Qt.Key.Key_Home: -count,
            Qt.Key.Key_End: count,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is not None and count:
            self.mark(min(max(0, self.marked + step), count - 1))
            self.pointed.emit(self.marked)
            self.picked.emit(self.marked)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2) and self.marked >= 0:
            self.edit_wanted.emit(self.marked)
        else:
            super().keyPressEvent(event)
