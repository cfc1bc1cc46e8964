"""The delegate: a row's height and its cells, painted by column."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from viewer.document.shown.row_facts import RowData
from viewer.ui.look.fonts import BASE, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.tree.model import RowRole
from viewer.ui.tree.paint import ROW_HEIGHT, CellPainter

Index = QModelIndex | QPersistentModelIndex


def row_height() -> int:
    """24 px with the usual font, more with a larger one."""
    return round(ROW_HEIGHT * ui_pixels() / BASE)


class TreeDelegate(QStyledItemDelegate):
    """Paints the cells of the tree; the view paints what runs through a whole row."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.painter = CellPainter(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.painter = CellPainter(theme)

    def paint_cell(self, painter: QPainter, cell: QRectF, column: int, facts: RowData) -> None:
        """One cell of a row whose facts are at hand."""
        cells = self.painter
        (cells.name, cells.type, cells.value, cells.offset, cells.size)[column](painter, cell, facts)

    # QStyledItemDelegate

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        facts = index.data(RowRole.FACTS)
        if isinstance(facts, RowData):
            self.paint_cell(painter, QRectF(option.rect), index.column(), facts)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height())
