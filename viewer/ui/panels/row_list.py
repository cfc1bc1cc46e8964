"""A list whose rows a delegate paints, all of one height; where it is empty it says what it would hold."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView

from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_focus_line, paint_line
from viewer.ui.viewport import own_viewport

LEFT = 14
LINE = 24


class RowDelegate(Protocol):
    """Paints rows in a theme."""

    theme: Theme


class RowList(QListView):
    """The list of a pane.

    Attributes:
        empty: what it says where it has no rows.

    Args:
        theme: its colours.
        model: its rows.

    Signals:
        entered_row: ``QModelIndex``: Enter or Space was pressed on a row.
        escaped: Escape was pressed.
    """

    entered_row = Signal(object)
    escaped = Signal()

    def __init__(self, theme: Theme, model: QAbstractItemModel) -> None:
        super().__init__()
        own_viewport(self)
        self._theme = theme
        self._painter: RowDelegate | None = None
        self.empty = ""
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setModel(model)

    def set_delegate(self, delegate: RowDelegate) -> None:
        """Let the rows be painted by a ``QStyledItemDelegate`` that follows the theme."""
        assert isinstance(delegate, QObject)
        self._painter = delegate
        self.setItemDelegate(delegate)  # type: ignore[arg-type]

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        if self._painter is not None:
            self._painter.theme = theme
        self.viewport().update()

    def take_focus(self) -> None:
        """Take the focus, with a row to start from."""
        if not self.currentIndex().isValid() and self.model().rowCount(QModelIndex()):
            self.setCurrentIndex(self.model().index(0, 0))
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.entered_row.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.model().rowCount(QModelIndex()) == 0:
            painter = QPainter(self.viewport())
            line = QRectF(LEFT, 8, self.viewport().width() - 2 * LEFT, LINE)
            paint_line(painter, line, self.empty, ui_font(Size.SECONDARY), self._theme.ui.text_secondary)
            painter.end()
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            paint_focus_line(painter, QRectF(self.viewport().rect()), self._theme)
            painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.viewport().update()  # the line of the focus does not scroll along
