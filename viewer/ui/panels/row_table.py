"""Tables of rows that are shown from first to last, a heading over each column: the part that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QTableView

from viewer.ui.look.fonts import Size, pixels, scaled
from viewer.ui.look.plain_text import plain_tip

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex


class RowTable(QAbstractTableModel, Generic[Row]):
    """Any rows; whoever shows some says their texts and how these look.

    Attributes:
        rows: what is shown.
    """

    HEADINGS: ClassVar[tuple[str, ...]]

    def __init__(self, rows: Sequence[Row] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = rows

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show others."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def text(self, row: Row, column: int) -> str:
        """What stands in a cell, and on its tooltip."""
        raise NotImplementedError

    def look(self, row: Row, column: int, role: int) -> object:
        """The font, colour or tick of a cell; None for the usual one."""
        return None

    # Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self.text(row, column))
        return self.look(row, column, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self.HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


def show_as_rows(table: QTableView, model: QAbstractTableModel, name: str, widths: Sequence[int] = ()) -> None:
    """Let a table show rows as all dialogs do: chosen one by one and whole, without a grid, and left by Tab.

    Args:
        table: the table.
        model: what it shows.
        name: what a screen reader calls it.
        widths: of the first columns, in pixels at the usual size of the font.
    """
    table.setModel(model)
    table.setAccessibleName(name)
    table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(pixels(Size.UI) + 11)
    header = table.horizontalHeader()
    header.setStretchLastSection(True)
    header.setHighlightSections(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    for column, width in enumerate(widths):
        table.setColumnWidth(column, scaled(width))
