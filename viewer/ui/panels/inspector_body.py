"""The sections of the inspector: one above the other, or side by side where it is wide and low."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.inspector_parts import PartsView
from viewer.ui.panels.pieces import paint_line

BESIDE = 620


class SectionTitle(QWidget):
    """A bold title with a small detail at the right."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme, self._title, self._detail = theme, title, ""
        self._font, self._small = ui_font(Size.SECONDARY, strong=True), fixed_font(Size.SMALL)
        self.setFixedHeight(28)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_detail(self, detail: str) -> None:
        """Show other small words."""
        self._detail = detail
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect()).adjusted(14, 0, -12, 0)
        paint_line(painter, rect, self._title, self._font, self._theme.ui.text)
        paint_line(painter, rect, self._detail, self._small, self._theme.ui.text_secondary, right=True)
        painter.end()


def _height_policy(column: QWidget, beside: bool) -> QSizePolicy.Policy:
    """Side by side all sections are as high as the panel; one above the other only the parts give way."""
    growing = beside or column.findChild(PartsView) is not None
    return QSizePolicy.Policy.Preferred if growing else QSizePolicy.Policy.Maximum


class Sections(QWidget):
    """The sections: one above the other, or side by side where the panel is wide and low."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: list[QWidget] = []
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(0, 0, 0, 8)
        self._box.setSpacing(0)
        self._box.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def add(self, head: QWidget, content: QWidget | None) -> None:
        """Append a section: what stands first in it, and what follows."""
        column = QWidget(self)
        box = QVBoxLayout(column)
        box.setContentsMargins(0, 5, 0, 5)
        box.setSpacing(0)
        box.addWidget(head)
        if content is not None:
            box.addWidget(content)
        box.addStretch(1)
        column.setSizePolicy(QSizePolicy.Policy.Preferred, _height_policy(column, beside=False))
        self._box.insertWidget(len(self._columns), column)
        self._columns.append(column)

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = self.width() >= BESIDE
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._box.direction() != direction:
            self._box.setDirection(direction)
            for column in self._columns:
                column.setSizePolicy(QSizePolicy.Policy.Preferred, _height_policy(column, beside))
            for place in range(self._box.count()):
                self._box.setStretch(place, int(beside is (place < len(self._columns))))
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line that parts two sections."""
        painter = QPainter(self)
        for column in self._columns[1:]:
            if not any(child.isVisible() for child in column.findChildren(QWidget)):
                continue
            box = column.geometry()
            beside = self._box.direction() == QBoxLayout.Direction.LeftToRight
            line = (box.left(), 0, 1, self.height()) if beside else (0, box.top(), self.width(), 1)
            painter.fillRect(*line, self._theme.ui.border)
        painter.end()
