"""The column header of the list of packets: the value takes the rest, and columns leave where there is little room."""

from __future__ import annotations

from math import ceil

from PySide6.QtGui import QFontMetricsF, QMouseEvent
from PySide6.QtWidgets import QWidget

from viewer.ui.look import chips
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.packets.model import HEADINGS, RIGHT, Column
from viewer.ui.packets.paint import CHIP_GAP, EDGE
from viewer.ui.panels.column_header import ColumnHeader

LEAST = 34
LEAST_VALUE = 280
FIRST = 14
"""Room at the left edge, as other lists have."""
LONGEST_END = 260
FIXED = {Column.NUMBER: "00000", Column.TIME: "0000.000000", Column.SIZE: "000000"}
"""The longest usual text of columns in fixed width."""
PLAIN = {Column.CARRIER: "ENet unsequenced", Column.TYPE: "PoolVector2Array"}
ENDS = (Column.SOURCE, Column.TARGET)
END = "127.0.0.1:45001"
SIZED: tuple[Column, ...] = tuple(column for column in Column if column != Column.VALUE)
LEAVING = (Column.CARRIER, Column.TYPE, Column.TIME)
"""Columns that give way, in this order; of the type the chip stays."""


class PacketsHeader(ColumnHeader):
    """Nine columns; a dragged edge takes from the value and gives to it."""

    def __init__(self, theme: Theme, view: QWidget | None = None) -> None:
        super().__init__(theme, HEADINGS, right=RIGHT, edge=EDGE, least=LEAST, view=view)
        self._chosen: dict[Column, int] = {}
        self._fitting = False
        self.sectionResized.connect(self._dragged)

    def heading(self, column: int) -> str:
        """The words over a column; none where only its chip is left."""
        return super().heading(column) if self.sectionSize(column) > self._chip_only else ""

    def fit(self, width: int) -> None:
        """Share *width* among the columns."""
        if self.count() < len(HEADINGS) or self._fitting:
            return
        self._fitting = True
        sizes = {column: self._chosen.get(column, self._usual(column)) for column in SIZED}
        for column in LEAVING:
            if width - sum(sizes.values()) < LEAST_VALUE:
                sizes[column] = self._chip_only if column is Column.TYPE else 0
        for column, size in sizes.items():
            self.setSectionHidden(column, size == 0)
            if size:
                self.resizeSection(column, size)
        self.resizeSection(Column.VALUE, max(LEAST, width - sum(sizes.values())))
        self._fitting = False

    @property
    def _chip_only(self) -> int:
        return chips.WIDTH + 2 * EDGE

    def _usual(self, column: Column) -> int:
        """The width of a column that nobody dragged."""
        if column is Column.ARROW:
            return LEAST
        fixed = column in FIXED or column in ENDS
        text = END if column in ENDS else FIXED.get(column) or PLAIN[column]
        metrics = QFontMetricsF(fixed_font(Size.SECONDARY) if fixed else ui_font(Size.SECONDARY))
        size = ceil(metrics.horizontalAdvance(text)) + 2 * EDGE
        if column is Column.NUMBER:
            return size + FIRST - EDGE
        if column is Column.TYPE:
            return size + chips.WIDTH + CHIP_GAP
        return min(size, LONGEST_END) if column in ENDS else size

    def _dragged(self, section: int, before: int, now: int) -> None:
        """A person drags an edge: the value gives or takes."""
        if self._fitting or self.count() < len(HEADINGS):
            return
        if section != Column.VALUE:
            self._chosen[Column(section)] = now
        self.fit(self.width())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click takes the dragged widths back."""
        self._chosen = {}
        self.fit(self.width())
