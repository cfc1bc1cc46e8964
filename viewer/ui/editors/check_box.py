"""A check box that can be seen in both themes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QStyle

from viewer.ui.look.palette import Theme
from viewer.ui.panels.pieces import paint_focus
from viewer.ui.tree.paint import paint_box

BOX = 15
GAP = 7
EDGE = 4
HEIGHT = 24


class CheckBox(QCheckBox):
    """A box and its words."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(text)
        self._theme = theme

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text()).width()
        return QSize(2 * EDGE + BOX + GAP + words + 1, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: object) -> bool:
        return self.rect().contains(pos)  # type: ignore[call-overload,no-any-return]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = QRectF(EDGE + 0.5, (self.height() - BOX) // 2 + 0.5, BOX, BOX)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        paint_box(painter, box, self.isChecked(), self._theme)
        words = self.rect().adjusted(EDGE + BOX + GAP, 0, -EDGE, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(self._theme.ui.text)
        style: QStyle = self.style()
        style.drawItemText(
            painter,
            words,
            int(flags.value) | int(Qt.TextFlag.TextShowMnemonic.value),
            self.palette(),
            True,
            self.text(),
        )
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self._theme)
        painter.end()
