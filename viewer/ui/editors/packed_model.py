"""The model of a packed array's grid: cells are read from the bytes when they are painted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QColor

from viewer.document.edits import EditError
from viewer.document.edits.packed import Element, NumberArray, TextArray
from viewer.document.forms.cells import Columns
from viewer.document.forms.element_draft import ElementDraft
from viewer.document.shown.counts import grouped
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.palette import Theme

Index = QModelIndex | QPersistentModelIndex
MOST_CELLS = 250_000
"""So many cells can be set at once; more would keep a person waiting."""
LONGEST_TEXT = 500
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PackedModel(QAbstractTableModel):
    """Elements as rows, components as columns.

    Args:
        array: the elements in the bytes.
        theme: the colours of changed cells.
        parent: owns the model.

    Signals:
        edited: something was changed.
        refused: a cell cannot hold what was typed; one sentence.
    """

    edited = Signal()
    refused = Signal(str)

    def __init__(self, array: NumberArray | TextArray, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft = ElementDraft(array)
        self.cells = Columns.of(array)
        self._font = fixed_font(Size.SECONDARY)
        self._theme = theme

    def set_theme(self, theme: Theme) -> None:
        """Colour the cells in another theme."""
        self._theme = theme

    # What a person does

    def set_cells(self, ranges: Sequence[tuple[range, range]], text: str) -> None:
        """Set all cells of some ranges of rows and columns to a text, or to what an expression makes of each.

        Raises:
            EditError: a cell cannot hold it, or there are too many; nothing is changed then.
        """
        count = sum(len(rows) * len(columns) for rows, columns in ranges)
        if count > MOST_CELLS:
            raise EditError(f"These are {grouped(count)} cells; set at most {grouped(MOST_CELLS)} at once.")
        values: dict[int, Element] = {}
        for rows, columns in ranges:
            for row in rows:
                for column in columns:
                    value = values.get(row) if row in values else self.draft.value(row)
                    assert value is not None
                    values[row] = self._cell(value, row, column, text)
        self._write(values)

    def paste(self, row: int, column: int, table: Sequence[Sequence[str]]) -> int:
        """Put a table of texts into the cells from one on; rows beyond the end are added. Returns how many rows.

        Raises:
            EditError: a cell cannot hold its text; nothing is changed then.
        """
        values: dict[int, Element] = {}
        for number, texts in enumerate(table, row):
            value = self.draft.value(number) if number < len(self.draft) else self.cells.blank
            for place, text in enumerate(texts, column):
                if place >= self.columnCount():
                    raise EditError(f"The table is wider than the {self.columnCount()} columns from here on.")
                value = self._cell(value, number, place, text, raw=True)
            values[number] = value
        added = [values.pop(number) for number in sorted(values) if number >= len(self.draft)]
        self._write(values)
        if added:
            self._insert(len(self.draft), added)
            self.edited.emit()
        return len(table)

    def insert(self, row: int, count: int) -> None:
        """Put blank rows before one."""
        self.draft.keep()
        self._insert(row, [self.cells.blank] * count)
        self.edited.emit()

    def delete(self, ranges: Sequence[range]) -> None:
        """Take rows out."""
        self.draft.keep()
        for rows in sorted(ranges, key=lambda found: found.start, reverse=True):
            self.beginRemoveRows(QModelIndex(), rows.start, rows.stop - 1)
            self.draft.delete(rows.start, rows.stop)
            self.endRemoveRows()
        self.edited.emit()

    def undo(self) -> None:
        """Take the last step in the grid back."""
        self.beginResetModel()
        self.draft.undo()
        self.endResetModel()
        self.edited.emit()

    def texts(self, rows: range, columns: range) -> list[list[str]]:
        """The texts of some cells, for the clipboard."""
        return [[self.cells.plain(self.draft.value(row), column) for column in columns] for row in rows]

    def _cell(self, value: Element, row: int, column: int, text: str, raw: bool = False) -> Element:
        try:
            return self.cells.with_cell(value, column, text, row, raw)
        except EditError as error:
            raise EditError(f"Element {row}, {self.cells.names[column]}: {error}") from error

    def _write(self, values: dict[int, Element]) -> None:
        self.draft.keep()
        self.draft.set(values)
        if values:
            self.dataChanged.emit(self.index(min(values), 0), self.index(max(values), self.columnCount() - 1))
        self.edited.emit()

    def _insert(self, row: int, values: Sequence[Element]) -> None:
        self.beginInsertRows(QModelIndex(), row, row + len(values) - 1)
        self.draft.insert(row, values)
        self.endInsertRows()

    def _background(self, row: int) -> QBrush | None:
        return QBrush(self._theme.state("modified").bg) if self.draft.is_changed(row) else None

    def _swatch(self, row: int) -> QColor | None:
        """The colour of a row as a screen can show it, None where the elements are none."""
        if self.cells.names != ("r", "g", "b", "a"):
            return None
        value = self.draft.value(row)
        assert isinstance(value, tuple)
        red, green, blue, alpha = (min(max(part, 0.0), 1.0) if part == part else 0.0 for part in value)
        return QColor.fromRgbF(red, green, blue, alpha)

    # QAbstractTableModel

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.draft)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.cells.names)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells.text(self.draft.value(row), index.column())[:LONGEST_TEXT]
        if role == Qt.ItemDataRole.EditRole:
            return self.cells.text(self.draft.value(row), index.column())
        if role == Qt.ItemDataRole.FontRole:
            return self._font
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if self.cells.is_text else RIGHT
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._background(row)
        if role == Qt.ItemDataRole.DecorationRole and not index.column():
            return self._swatch(row)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, column, text = index.row(), index.column(), str(value)
        if role != Qt.ItemDataRole.EditRole or text == self.cells.text(self.draft.value(row), column):
            return False
        try:
            self.set_cells([(range(row, row + 1), range(column, column + 1))], text)
        except EditError as error:
            self.refused.emit(str(error))
            return False
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.FontRole:
            return self._font
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Vertical:
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._theme.ui.text_secondary)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.cells.names[section] if orientation == Qt.Orientation.Horizontal else str(section)
