"""The bytes at the caret as numbers, little-endian and big-endian; a click copies one."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QSizePolicy,
    QToolTip,
    QWidget,
)

from viewer.document.viewmodel.number_table import NumberReading, shortened
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import show_tip
from viewer.ui.panels.panel_painting import paint_focus, paint_line
from viewer.ui.panels.panel_widgets import FocusRing

HEAD = 20
ROW = 19
LEFT = 14
KIND_WIDTH = 40
RIGHT = 10
MISSING = "\u2013"
SAME = "="
Cell = tuple[int, int]


class NumbersGrid(QWidget):
    """Eleven number types in two byte orders.

    Signals:
        copy_asked: ``str``: a person wants this number on the clipboard.
    """

    copy_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("inspectorNumbers")
        self.setAccessibleName("Bytes at caret")
        self._theme = theme
        self._readings: list[NumberReading] = []
        self._font = fixed_font(Size.SECONDARY)
        self._small = ui_font(Size.SMALL)
        self._hovered: Cell | None = None
        self._cell: Cell = (0, 0)
        self._ring = FocusRing(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_readings(self, readings: list[NumberReading]) -> None:
        """Show other numbers."""
        resized = len(readings) != len(self._readings)
        self._readings = readings
        words = [f"{reading.kind} {text}" for reading in readings if (text := reading.texts[0]) is not None]
        self.setAccessibleDescription(", ".join(words))
        if resized:
            self.updateGeometry()
        self.update()

    def text_of(self, cell: Cell) -> str | None:
        """The number in a cell in full, None where there is none."""
        row, column = cell
        return self._readings[row].texts[column] if 0 <= row < len(self._readings) else None

    def cell_at(self, point: QPointF) -> Cell | None:
        """The cell under a point."""
        row = int((point.y() - HEAD) // ROW)
        if not 0 <= row < len(self._readings) or point.x() < LEFT + KIND_WIDTH:
            return None
        column = 1 if point.x() >= self._rect((row, 1)).left() else 0
        return (row, column)

    def _rect(self, cell: Cell) -> QRectF:
        row, column = cell
        width = (self.width() - LEFT - KIND_WIDTH - RIGHT) / 2
        return QRectF(
            LEFT + KIND_WIDTH + column * width,
            HEAD + row * ROW,
            width,
            ROW,
        )

    def _shown(self, cell: Cell) -> str:
        row, column = cell
        reading = self._readings[row]
        text = reading.texts[column]
        if text is None:
            return MISSING
        if column and not reading.ordered:
            return SAME
        digit = QFontMetricsF(self._font).horizontalAdvance("0")
        return shortened(text, int((self._rect(cell).width() - 8) / digit))

    def _copy(self, cell: Cell | None) -> None:
        text = self.text_of(cell) if cell is not None else None
        if text is not None:
            self.copy_asked.emit(text)

    def _paint_cell(self, painter: QPainter, cell: Cell) -> None:
        rect = self._rect(cell)
        exists = self.text_of(cell) is not None
        if exists and cell == self._hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.ui.selection)
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 4, 4)
        text = self._shown(cell)
        plain = exists and text != SAME
        colour = self._theme.ui.text if plain else self._theme.ui.text_dim
        paint_line(painter, rect.adjusted(4, 0, 0, 0), text, self._font, colour)
        if self._ring.is_shown and cell == self._cell:
            paint_focus(painter, rect, self._theme)

    def sizeHint(self) -> QSize:
        return QSize(260, HEAD + ROW * max(1, len(self._readings)) + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            cell = self.cell_at(QPointF(event.pos()))
            text = self.text_of(cell) if cell is not None else None
            if text is None and cell is not None:
                show_tip(event.globalPos(), "Too few bytes are left for this number", self)
            elif text is not None:
                show_tip(event.globalPos(), f"{text}\nClick to copy", self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell != self._hovered:
            self._hovered = cell
            exists = cell is not None and self.text_of(cell) is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if exists else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._copy(self.cell_at(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, column = self._cell
        steps = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is not None:
            last = max(0, len(self._readings) - 1)
            self._cell = (min(last, max(0, row + step[0])), min(1, max(0, column + step[1])))
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._copy(self._cell)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        secondary = self._theme.ui.text_secondary
        for column, title in enumerate(("little-endian", "big-endian")):
            rect = self._rect((0, column))
            head = QRectF(rect.left() + 4, 0, rect.width() - 4, HEAD - 2)
            paint_line(painter, head, title, self._small, secondary)
        for row, reading in enumerate(self._readings):
            kind = QRectF(LEFT, HEAD + row * ROW, KIND_WIDTH, ROW)
            paint_line(painter, kind, reading.kind, self._font, secondary)
            for column in range(2):
                self._paint_cell(painter, (row, column))
        painter.end()
