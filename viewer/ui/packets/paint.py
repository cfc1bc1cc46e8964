"""How a row of the list of packets is painted: one call a row, all sizes in logical pixels."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.document.shown.packet_row import COLLECTIONS, PacketRow
from viewer.ui.look import chips, icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.packets.model import RIGHT, Column
from viewer.ui.panels.pieces import paint_line

EDGE = 6
BAR = 3
MARK = 14
CHIP_GAP = 6
MIDDLE = Qt.TextElideMode.ElideMiddle
Cell = tuple[Column, float, float]
"""A column with where it begins and how wide it is."""


class RowPainter:
    """Paints rows in one theme.

    Args:
        theme: the colours.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._plain = ui_font(Size.SECONDARY)
        self._fixed = fixed_font(Size.SECONDARY)

    def background(self, painter: QPainter, area: QRectF, row: PacketRow, selected: bool, hovered: bool) -> None:
        """The surface of a row: selection before error before hover, and the bar at its left edge."""
        ui = self.theme.ui
        if selected:
            painter.fillRect(area, ui.selection)
            painter.fillRect(QRectF(area.left(), area.top(), BAR, area.height()), ui.accent)
        elif row.is_error:
            painter.fillRect(area, self.theme.state("error").bg)
        elif hovered:
            painter.fillRect(area, ui.hover)

    def frame(self, painter: QPainter, area: QRectF) -> None:
        """The frame of the current one of several selected rows."""
        painter.setPen(QPen(self.theme.ui.accent, 1))
        painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))

    def cells(self, painter: QPainter, area: QRectF, row: PacketRow, cells: Sequence[Cell]) -> None:
        """What stands in a row."""
        ui = self.theme.ui
        quiet = ui.text_dim if row.is_dim else ui.text_secondary
        plain = ui.text_dim if row.is_dim else ui.text
        texts = {
            Column.NUMBER: (str(row.number), quiet),
            Column.TIME: (row.time, quiet),
            Column.SOURCE: (row.source, plain),
            Column.TARGET: (row.target, plain),
            Column.SIZE: (row.size, quiet),
        }
        for column, left, width in cells:
            cell = QRectF(left + EDGE, area.top(), width - 2 * EDGE, area.height())
            if column is Column.ARROW:
                self._arrow(painter, cell, row)
            elif column is Column.CARRIER:
                paint_line(painter, cell, row.carrier, self._plain, quiet)
            elif column is Column.TYPE:
                self._type(painter, cell, row)
            elif column is Column.VALUE:
                self._value(painter, cell, row)
            else:
                text, colour = texts[column]
                paint_line(painter, cell, text, self._fixed, colour, MIDDLE, column in RIGHT)

    def _arrow(self, painter: QPainter, cell: QRectF, row: PacketRow) -> None:
        mark = QRectF(0, 0, MARK, MARK)
        mark.moveCenter(cell.center())
        role = "text_dim" if row.is_dim else icons.DEFAULT_ROLE
        icons.draw(painter, "arrow-right" if row.to_server else "arrow-left", self.theme, mark, role)

    def _type(self, painter: QPainter, cell: QRectF, row: PacketRow) -> None:
        """The chip, or the sign of an error in its place, then the name where there is room."""
        box = QRectF(cell.left(), cell.top(), chips.WIDTH, cell.height())
        if row.is_error:
            mark = QRectF(0, 0, MARK, MARK)
            mark.moveCenter(box.center())
            icons.draw(painter, "circle-x", self.theme, mark, "state.error.line")
        else:
            painter.setOpacity(0.6 if row.is_dim else 1.0)
            chips.paint_chip(painter, box, row.chip, row.group, self.theme)
            painter.setOpacity(1.0)
        room = cell.adjusted(chips.WIDTH + CHIP_GAP, 0, 0, 0)
        if room.width() > CHIP_GAP:
            paint_line(painter, room, row.type, self._plain, self._quiet(row))

    def _value(self, painter: QPainter, cell: QRectF, row: PacketRow) -> None:
        if row.is_warning and not row.is_error:
            mark = QRectF(cell.left(), cell.center().y() - MARK / 2, MARK, MARK)
            icons.draw(painter, "triangle-alert", self.theme, mark, "state.warning.line")
            cell.setLeft(mark.right() + EDGE)
        paint_line(painter, cell, row.value, self._plain if row.is_error else self._fixed, self._colour(row))

    def _quiet(self, row: PacketRow) -> QColor:
        if row.is_error:
            return self.theme.state("error").fg
        return self.theme.ui.text_dim if row.is_dim else self.theme.ui.text_secondary

    def _colour(self, row: PacketRow) -> QColor:
        """The colour of the value: that of its kind; what holds values of several kinds has that of text."""
        if row.is_error:
            return self.theme.state("error").fg
        if row.is_dim:
            return self.theme.ui.text_dim
        coloured = row.is_value and row.group is not None and row.group != COLLECTIONS
        return self.theme.kind(row.group).fg if coloured else self.theme.ui.text
