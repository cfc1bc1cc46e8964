"""What varies over several packets, a row for each of them and a column for each value that is not always the same."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTableView, QVBoxLayout, QWidget

from viewer.base.words import counted, grouped
from viewer.document.compare.varying_values import VaryingValues, varying_values
from viewer.document.document import Document
from viewer.document.forms.cells import table_text
from viewer.ui import dialogs
from viewer.ui.dialogs import BETWEEN, MARGIN
from viewer.ui.look.fonts import Size, fixed_font, scaled, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.panels.row_table import show_as_rows
from viewer.ui.viewport import fit_screen

SIZE = (820, 460)
WIDTH = 150
ABSENT = "\N{EN DASH}"
Index = QModelIndex | QPersistentModelIndex


class VaryingModel(QAbstractTableModel):
    """The packets and what varies in them; what differs from the row above is in bold.

    Args:
        names: what the packets are called.
        found: what varies.
    """

    def __init__(self, names: Sequence[str], found: VaryingValues, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.names, self.found, self._theme = names, found, theme
        self._fixed, self._strong = fixed_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        return self.found.columns[column - 1].values[row] if column else self.names[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self.names)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.found.columns) + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        text = self.text(row, column)
        is_other = bool(column and row and self.text(row - 1, column) != text)
        if role == Qt.ItemDataRole.DisplayRole:
            return text or ABSENT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(f"{self.headerData(column, Qt.Orientation.Horizontal)}\n{text or 'not there'}")
        if role == Qt.ItemDataRole.FontRole and column:
            return self._strong if is_other else self._fixed
        if role == Qt.ItemDataRole.BackgroundRole and is_other:
            return self._theme.state("modified").bg
        if role == Qt.ItemDataRole.ForegroundRole and is_other:
            return self._theme.state("modified").fg
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        path = self.found.columns[section - 1].path if section else "Packet"
        if role == Qt.ItemDataRole.DisplayRole:
            return path
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(path)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class VaryingDialog(QDialog):
    """Shows what varies over packets.

    Args:
        parent: the window.
        theme: the colours.
        documents: the packets.

    Attributes:
        model, table: the rows.
    """

    def __init__(self, parent: QWidget, theme: Theme, documents: Sequence[Document]) -> None:
        super().__init__(parent)
        self.setObjectName("varyingDialog")
        self.setWindowTitle("What varies")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fit_screen(self, SIZE)
        found = varying_values(documents)
        self.model = VaryingModel([document.name for document in documents], found, theme, self)
        self.table = QTableView()
        show_as_rows(self.table, self.model, "What varies across the packets")
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectItems)
        self.table.setSelectionMode(QTableView.SelectionMode.ExtendedSelection)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        for column in range(self.model.columnCount()):
            self.table.setColumnWidth(column, scaled(WIDTH))
        self.says = PlainLabel(_said(len(documents), found))
        self.says.setWordWrap(True)
        self.says.setFont(ui_font(Size.SECONDARY))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy All", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setToolTip(plain_tip("Copy the table for a spreadsheet (Ctrl+C)"))
        copy.setAutoDefault(False)
        copy.clicked.connect(self.copy)
        dialogs.give_room(buttons.buttons())
        buttons.rejected.connect(self.reject)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self, self.copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(BETWEEN)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.says)
        layout.addWidget(buttons)
        self.table.setFocus()

    def copy(self) -> None:
        """Copy the table, with tabs between the cells."""
        columns = range(self.model.columnCount())
        titles = [str(self.model.headerData(column, Qt.Orientation.Horizontal)) for column in columns]
        rows = ([self.model.text(row, column) for column in columns] for row in range(self.model.rowCount()))
        QGuiApplication.clipboard().setText(table_text([titles, *rows]))


def _said(count: int, found: VaryingValues) -> str:
    vary = len(found.columns) + found.left
    if not vary:
        return f"All {counted(found.same, 'value')} are the same in these {grouped(count)} packets."
    more = f" {counted(found.left, 'more value')} that vary are not shown." if found.left else ""
    same = f"{counted(found.same, 'value')} {'is' if found.same == 1 else 'are'} the same in all of them."
    return f"{counted(vary, 'value')} of {grouped(count)} packets {'varies' if vary == 1 else 'vary'}; {same}{more}"
