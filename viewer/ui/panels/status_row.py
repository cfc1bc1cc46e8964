"""The row of a status bar: buttons at the left and the right end, hairlines between them."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from viewer.ui.look.palette import Theme
from viewer.ui.panels.pieces import FlatButton

HEIGHT = 26


class StatusRow(QWidget):
    """Lays the buttons out.

    Args:
        theme: its colours.
        left, right: the buttons at either end; those that are hidden take no room.
    """

    def __init__(self, theme: Theme, left: tuple[FlatButton, ...], right: tuple[FlatButton, ...]) -> None:
        super().__init__()
        self._theme, self._left, self._right = theme, left, right
        box = QHBoxLayout(self)
        box.setContentsMargins(6, 1, 6, 0)
        box.setSpacing(5)
        for button in left:
            box.addWidget(button)
        box.addStretch(1)
        for button in right:
            box.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme; the buttons are told by who made them."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for group in (self._left, self._right):
            for button in [one for one in group if one.isVisible()][1:]:
                painter.fillRect(button.x() - 3, 7, 1, self.height() - 13, self._theme.ui.border)
        painter.end()
