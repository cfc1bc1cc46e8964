"""A column header as the tree and the list of packets have one: headings, and a line that shows the focus below."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from viewer.ui.look.fonts import BASE, Size, ui_font, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import FOCUS_LINE, paint_line
from viewer.ui.viewport import own_viewport

HEIGHT = 26


class ColumnHeader(QHeaderView):
    """Paints the headings of a view's columns; who derives from it gives the columns their widths.

    Args:
        theme: its colours.
        headings: the words over each column.
        right: the columns whose words stand at the right.
        edge: room at both sides of the words, in pixels.
        least: no column is narrower, in pixels.
        view: the view whose columns they are; the line below shows its focus.
    """

    def __init__(
        self,
        theme: Theme,
        headings: Sequence[str],
        right: Collection[int],
        edge: int,
        least: int,
        view: QWidget | None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        own_viewport(self)
        self._theme = theme
        self._headings, self._right, self._edge = headings, right, edge
        self.setSectionsMovable(False)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(least)
        self.setFixedHeight(round(HEIGHT * ui_pixels() / BASE))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.viewport().update()

    def heading(self, column: int) -> str:
        """The words over a column as it is now."""
        return self._headings[column]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        ui, font = self._theme.ui, ui_font(Size.SECONDARY)
        painter.fillRect(self.viewport().rect(), ui.panel)
        for column in range(self.count()):
            if not self.isSectionHidden(column):
                left, size = self.sectionViewportPosition(column), self.sectionSize(column)
                room = QRectF(left + self._edge, 0, size - 2 * self._edge, self.height())
                paint_line(painter, room, self.heading(column), font, ui.text_secondary, right=column in self._right)
        view = self.parentWidget()
        focused = view is not None and view.hasFocus()
        line = FOCUS_LINE if focused else 1
        bottom = QRectF(0, self.height() - line, self.viewport().width(), line)
        painter.fillRect(bottom, ui.focus if focused else ui.border)
        painter.end()
