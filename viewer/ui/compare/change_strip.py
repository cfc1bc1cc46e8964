"""The strip of changes: the whole new file as a narrow map with a mark for each difference."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from viewer.document.compare.difference import DifferenceKind
from viewer.ui.compare.compare_trees import tint_of
from viewer.ui.look.palette import Theme

WIDTH = 18
INSET = 4
LEAST = 3
"""Pixels of a mark."""


class ChangeStrip(QWidget):
    """Paints the differences where they stand: what is removed at the left, what is added at the right.

    Signals:
        wanted: ``int``: which of the differences that are shown is to be gone to.
    """

    wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: Sequence[tuple[float, DifferenceKind]] = ()
        self._current = -1
        self.setFixedWidth(WIDTH)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Differences")
        self.setAccessibleDescription("All differences at a glance; click to go to one.")

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def show_marks(self, marks: Sequence[tuple[float, DifferenceKind]]) -> None:
        """Show the differences in their order, each with its place in the file from 0 to 1."""
        self._marks, self._current = marks, -1
        self.update()

    def set_current(self, number: int) -> None:
        """Which of them a person is at, -1 for none."""
        if number != self._current:
            self._current = number
            self.update()

    def nearest(self, y: float) -> int:
        """The difference that a height stands for, -1 where there is none."""
        if not self._marks:
            return -1
        share = min(max(y / max(1, self.height()), 0.0), 1.0)
        at = bisect_left(self._marks, share, key=_place)
        around = [number for number in (at - 1, at) if 0 <= number < len(self._marks)]
        return min(around, key=lambda number: abs(self._marks[number][0] - share))

    def _rect(self, place: float, kind: DifferenceKind) -> QRectF:
        top = round(min(place * self.height(), self.height() - LEAST))
        left = self.width() / 2 if kind is DifferenceKind.ADDED else INSET
        right = self.width() / 2 if kind is DifferenceKind.REMOVED else self.width() - INSET
        return QRectF(left, top, right - left, LEAST)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 100)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.panel)
        painter.fillRect(QRectF(0, 0, 1, self.height()), self._theme.ui.border)
        seen: set[tuple[int, DifferenceKind]] = set()
        for place, kind in self._marks:
            key = round(place * self.height()), kind
            if key not in seen:
                seen.add(key)
                painter.fillRect(self._rect(place, kind), tint_of(self._theme, kind).line)
        if 0 <= self._current < len(self._marks):
            rect = self._rect(*self._marks[self._current])
            painter.setPen(self._theme.ui.accent)
            painter.drawRect(QRectF(1.5, rect.top() - 2.5, self.width() - 3, LEAST + 4))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self.nearest(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and number >= 0:
            self.wanted.emit(number)


def _place(mark: tuple[float, DifferenceKind]) -> float:
    return mark[0]
