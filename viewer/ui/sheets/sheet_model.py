"""The Qt model of a sheet: cells are read from the bytes when they are painted; sorting and filtering move no data."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.document import outline
from viewer.document.sheets.sheet import CellPlace, Sheet
from viewer.document.sheets.sheet_cells import CellFacts, cell_facts
from viewer.document.sheets.sheet_entry import tip
from viewer.document.viewmodel.row_data import RowDecorations
from viewer.ui.look.plain_text import plain_tip

if TYPE_CHECKING:  # loaded with the first profile that fits
    from viewer.document.profiles.profile_labels import ProfileLabels

Index = QModelIndex | QPersistentModelIndex
CELL_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
KEPT = 4096
"""So many cells are remembered until something changes."""


class SheetModel(QAbstractTableModel):
    """Rows of a sheet in the order in which they are shown.

    Args:
        parent: owns the model.

    Attributes:
        sheet: the sheet, None for none.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet: Sheet | None = None
        self._order: array[int] | None = None
        self._places: dict[int, int] | None = None
        self._columns = 0
        self._known: dict[tuple[int, int], CellFacts] = {}
        self._marks: RowDecorations | None = None
        self._labels: ProfileLabels | None = None

    # What is shown

    def show_labels(self, labels: ProfileLabels | None) -> None:
        """Say from now on what values mean, or no longer. The view repaints."""
        if labels is not self._labels:
            self._labels = labels
            self._known = {}

    def show(self, sheet: Sheet | None) -> None:
        """Show another sheet, all of its rows as they are stored."""
        self.beginResetModel()
        self.sheet = sheet
        self._marks = None
        self._order = self._places = None
        self._columns = len(sheet.columns) if sheet is not None else 0
        self._known = {}
        self.endResetModel()

    def is_modified(self, place: int, column: int) -> bool:
        """Whether the value of a cell was changed since the last save."""
        sheet = self.sheet
        if sheet is None:
            return False
        if self._marks is None:
            self._marks = RowDecorations(sheet.document)
        if not self._marks.any_modified:
            return False
        item = sheet.cell(self.row_at(place), column)
        return (
            item is not None
            and outline.exists(sheet.document, item)
            and self._marks.is_modified(outline.span(sheet.document, item))
        )

    def forget_marks(self) -> None:
        """What counts as modified is found again when it is asked for."""
        self._marks = None

    def renew(self, sheet: Sheet) -> None:
        """Show the same sheet after a change of its bytes that left the number of its rows."""
        self.sheet = sheet
        self._known, self._marks = {}, None
        self.grow()
        if self.rowCount() and self._columns:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self._columns - 1))
        self.tell_headers()

    def grow(self) -> None:
        """Take up columns that were found."""
        count = len(self.sheet.columns) if self.sheet is not None else 0
        if count > self._columns:
            self.beginInsertColumns(QModelIndex(), self._columns, count - 1)
            self._columns = count
            self._known = {}
            self.endInsertColumns()

    def tell_headers(self) -> None:
        """Counts and types over the columns are others now."""
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._columns - 1)

    def show_order(self, order: array[int] | None) -> None:
        """Show other rows, or the same in another order; None for all as they are stored."""
        self.beginResetModel()
        self._order, self._places = order, None
        self._known = {}
        self.endResetModel()

    @property
    def order(self) -> array[int] | None:
        """The numbers of the rows that are shown, None for all as they are stored."""
        return self._order

    def row_at(self, place: int) -> int:
        """The number in the sheet of the row that is shown at a place."""
        return place if self._order is None else self._order[place]

    def rows_at(self, places: range) -> list[int]:
        """The numbers of the rows that are shown at some places."""
        return list(places) if self._order is None else list(self._order[places.start : places.stop])

    def place_of(self, row: int) -> int:
        """At which place a row is shown, -1 where it is not."""
        if self._order is None:
            return row if 0 <= row < self.rowCount() else -1
        if self._places is None:
            self._places = {number: place for place, number in enumerate(self._order)}
        return self._places.get(row, -1)

    def index_of(self, place: CellPlace) -> QModelIndex:
        """The index of a cell, of the first one where a row is meant; invalid where it is not shown."""
        row = self.place_of(place.row)
        return self.index(row, max(0, place.column)) if row >= 0 else QModelIndex()

    def facts(self, place: int, column: int) -> CellFacts:
        """What the cell at a place shows."""
        found = self._known.get((place, column))
        if found is None:
            assert self.sheet is not None
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._known[place, column] = cell_facts(self.sheet, self.row_at(place), column, self._labels)
        return found

    # QAbstractTableModel

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid() or self.sheet is None:
            return 0
        return self.sheet.rows if self._order is None else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._columns

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return CELL_FLAGS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self.sheet is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            facts = self.facts(index.row(), index.column())
            return f"{facts.count} {facts.text}".strip()
        if role == Qt.ItemDataRole.ToolTipRole:
            label = self.facts(index.row(), index.column()).label
            said = label.words if label is not None else ()
            return plain_tip("\n".join((tip(self.sheet, self.row_at(index.row()), index.column()), *said)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            facts = self.facts(index.row(), index.column())
            title = self.sheet.columns[index.column()].title
            text = "missing" if facts.is_missing else facts.text or facts.count or "empty text"
            return ", ".join((f"{title}: {text}", *(facts.label.words if facts.label is not None else ())))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self.sheet is None or section < 0:
            return None
        if orientation == Qt.Orientation.Horizontal:
            if section >= self._columns:
                return None
            if role == Qt.ItemDataRole.DisplayRole:
                return self.sheet.columns[section].title
            if role == Qt.ItemDataRole.ToolTipRole:
                label = self.facts(0, section).label if self.rowCount() else None
                said = tuple(part for part in (label.name, label.about) if part) if label is not None else ()
                return plain_tip(
                    "\n".join((self.sheet.columns[section].title, column_words(self.sheet, section), *said))
                )
            return None
        if section < self.rowCount() and role == Qt.ItemDataRole.DisplayRole:
            return self.sheet.row_label(self.row_at(section))[0]
        return None


def column_words(sheet: Sheet, column: int) -> str:
    """Types of a column, and in how many rows it is where that is not all of them: ``int, 12 of 40``."""
    facts = sheet.facts(column)
    names = [name for name, _ in facts.types]
    words = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    if sheet.is_read and facts.count < sheet.rows:
        return f"{words}, {facts.count} of {sheet.rows}" if words else "in no row"
    return words
