"""The editor of a packed array: its grid, tools for whole rows and for many cells, and what Apply would do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush, QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.words import counted, grouped
from viewer.document.edits.packed import Element, NumberArray, TextArray, change_elements, open_array
from viewer.document.edits.slots import EditError
from viewer.document.forms.cells import GridColumns, parse_table, table_text
from viewer.document.forms.element_draft import ElementDraft
from viewer.document.forms.target import EditTarget, Proposal
from viewer.document.splice import Edit
from viewer.document.viewmodel.verdict import SAME, Verdict
from viewer.ui.editors.fields import label, note
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_widgets import MOST_SIGNS, FlatButton, LongLine
from viewer.variant.items import Item

# The model of a packed array's grid: cells are read from the bytes when they are painted.

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
        self.cells = GridColumns.of(array)
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


# The grid of a packed array: a table that stays quick with ten million rows, and speaks a spreadsheet's clipboard.

ROW = 24
COLUMN = 116
TEXT_COLUMN = 420
EMPTY = "No elements yet: Insert or Add above puts one there"


class PackedGrid(QTableView):
    """A table of elements.

    Signals:
        told: what was done, or why it was not; one sentence.
        picked: other cells are selected.
    """

    told = Signal(str)
    picked = Signal()

    def __init__(self, model: PackedModel) -> None:
        super().__init__()
        self.setObjectName("packedGrid")
        self.setAccessibleName("Elements")
        self.grid = model
        model.setParent(self)
        self.setModel(model)
        self.setItemDelegate(_CellDelegate(self))
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self._dress_headers()
        model.refused.connect(self.told)
        self.selectionModel().selectionChanged.connect(self._tell_picked)

    def _dress_headers(self) -> None:
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW)
        rows.setHighlightSections(False)
        rows.setMinimumWidth(self.fontMetrics().horizontalAdvance(str(max(999, self.grid.rowCount()))) + 24)
        columns.setHighlightSections(False)
        columns.setDefaultSectionSize(TEXT_COLUMN if self.grid.cells.is_text else COLUMN)
        columns.setStretchLastSection(self.grid.columnCount() == 1)
        # asked whether a column is selected it would ask every row; one of its own has nothing selected
        columns.setSelectionModel(QItemSelectionModel(self.grid, self))

    def _tell_picked(self) -> None:
        self.picked.emit()

    # Selected cells

    def ranges(self) -> list[tuple[range, range]]:
        """The selected cells as ranges of rows and of columns."""
        return [
            (range(found.top(), found.bottom() + 1), range(found.left(), found.right() + 1))
            for found in self.selectionModel().selection()  # type: ignore[attr-defined]
        ]

    def rows(self) -> list[range]:
        """The rows in which something is selected, as ranges that neither touch nor overlap."""
        out: list[range] = []
        for rows in sorted((rows for rows, _ in self.ranges()), key=lambda found: found.start):
            if out and rows.start <= out[-1].stop:
                out[-1] = range(out[-1].start, max(out[-1].stop, rows.stop))
            else:
                out.append(rows)
        return out

    def count_picked(self) -> int:
        """How many cells are selected."""
        return sum(len(rows) * len(columns) for rows, columns in self.ranges())

    # What a person asks for

    def insert_rows(self) -> None:
        """Put as many blank rows before the selected ones, or at the end where there are none."""
        picked = self.rows()
        row = picked[0].start if picked else self.grid.rowCount()
        count = min(sum(map(len, picked)), MOST_CELLS) or 1
        self.grid.insert(row, count)
        self._go(row)

    def append_row(self) -> None:
        """Put a blank row behind the last."""
        row = self.grid.rowCount()
        self.grid.insert(row, 1)
        self._go(row)

    def delete_rows(self) -> None:
        """Take the selected rows out."""
        picked = self.rows()
        if not picked:
            self.told.emit("Select the rows to delete first.")
            return
        self.grid.delete(picked)
        self._go(min(picked[0].start, self.grid.rowCount() - 1))
        self.told.emit(f"{counted(sum(map(len, picked)), 'row')} deleted; Ctrl+Z undoes it.")

    def undo(self) -> None:
        """Take the last step back."""
        if self.grid.draft.can_undo:
            row = self.currentIndex().row()
            self.grid.undo()
            self._go(min(max(row, 0), self.grid.rowCount() - 1))

    def copy(self) -> None:
        """Copy the selected cells as a spreadsheet takes them."""
        ranges = self.ranges()
        if not ranges:
            return
        if self.count_picked() > MOST_CELLS:
            self.told.emit(f"Copy at most {grouped(MOST_CELLS)} cells at once.")
            return
        rows = [row for part, columns in ranges for row in self.grid.texts(part, columns)]
        QGuiApplication.clipboard().setText(table_text(rows))

    def paste(self) -> None:
        """Put a table from the clipboard into the cells from the current one on."""
        place = self._corner()
        try:
            table = parse_table(QGuiApplication.clipboard().text())
            count = self.grid.paste(*place, table)
        except EditError as error:
            self.told.emit(str(error))
            return
        self.told.emit(f"{counted(count, 'row')} pasted; Ctrl+Z undoes it.")

    def set_picked(self, text: str) -> bool:
        """Set all selected cells; False where that cannot be, which is told."""
        ranges = self.ranges()
        if not ranges:
            self.told.emit("Select the cells to set first.")
            return False
        try:
            self.grid.set_cells(ranges, text)
        except EditError as error:
            self.told.emit(str(error))
            return False
        self.told.emit(f"{counted(self.count_picked(), 'cell')} set; Ctrl+Z undoes it.")
        return True

    def show_row(self, row: int) -> None:
        """Go to a row and select it."""
        self._go(row)

    def _corner(self) -> tuple[int, int]:
        ranges = self.ranges()
        if ranges:
            return min(rows.start for rows, _ in ranges), min(columns.start for _, columns in ranges)
        current = self.currentIndex()
        return (current.row(), current.column()) if current.isValid() else (self.grid.rowCount(), 0)

    def _go(self, row: int) -> None:
        if row >= 0:
            index = self.grid.index(row, max(0, self.currentIndex().column()))
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def _slot(self, event: QKeyEvent) -> bool:
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if control and event.key() == Qt.Key.Key_Insert:  # by which some systems copy, too
            self.append_row()
            return True
        for standard, do in (
            (QKeySequence.StandardKey.Copy, self.copy),
            (QKeySequence.StandardKey.Paste, self.paste),
            (QKeySequence.StandardKey.Undo, self.undo),
        ):
            if event.matches(standard):
                do()
                return True
        if event.key() == Qt.Key.Key_Insert:  # with Shift some systems paste by it, see above
            self.insert_rows()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_rows()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            if self.currentIndex().isValid():
                self.edit(self.currentIndex())
        else:
            return False
        return True

    # QTableView

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() != QAbstractItemView.State.EditingState and self._slot(event):
            event.accept()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.grid.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().placeholderText().color())
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, EMPTY)
            painter.end()


HEIGHT = 320
MOST_ROWS = (1 << 31) - 1


class _CellDelegate(QStyledItemDelegate):
    """Opens fields that hold all of a text."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = super().createEditor(parent, option, index)
        if isinstance(field, QLineEdit):
            field.setMaxLength(MOST_SIGNS)
        return field


class PackedEditor(Editor):
    """A packed array as rows and columns. Nothing is written before Apply, and all of it in one step.

    Args:
        target: the array.
        theme: the colours.
        first: the element at which to begin.
    """

    grows = True

    def __init__(self, target: EditTarget, theme: Theme, first: int = 0) -> None:
        super().__init__(target, theme)
        self._first = first
        self._array = open_array(target.document, self._node)
        if len(self._array) > MOST_ROWS:
            raise EditError("This array is too long for a grid; change it in the hex view.")
        self.model = PackedModel(self._array, theme)
        self.grid = PackedGrid(self.model)
        self.grid.setMinimumHeight(HEIGHT)
        self.all = _SetField()
        self.picked = note()
        self._buttons = self._tools()
        self._lay_out()
        self._connect()

    def _tools(self) -> list[FlatButton]:
        made = []
        for text, icon, tip, do in (
            ("Insert", "plus", "Insert rows before the selected ones (Insert)", self.grid.insert_rows),
            ("Add", "arrow-down", "Add a row at the end (Ctrl+Insert)", self.grid.append_row),
            ("Delete", "trash-2", "Delete the selected rows (Delete)", self.grid.delete_rows),
            ("Copy", "copy", "Copy the selected cells for a spreadsheet (Ctrl+C)", self.grid.copy),
            ("Paste", "clipboard-paste", "Paste cells from a spreadsheet (Ctrl+V)", self.grid.paste),
            ("Undo", "undo-2", "Undo the last step in the grid (Ctrl+Z)", self.grid.undo),
        ):
            button = FlatButton(self.theme, text, icon)
            button.setToolTip(plain_tip(tip))
            button.setAccessibleName(tip)
            button.clicked.connect(do)
            made.append(button)
        return made

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        tools = QHBoxLayout()
        tools.setSpacing(4)
        for button in self._buttons:
            tools.addWidget(button)
        tools.addStretch()
        layout.addLayout(tools)
        layout.addWidget(self.grid, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.all.setFont(fixed_font())
        self.all.setAccessibleName("Set selected cells to")
        self.all.setPlaceholderText("text" if self.model.cells.is_text else "5, or = value * 2, or = row")
        row.addWidget(label("&Set selected to", self.all))
        row.addWidget(self.all, 1)
        row.addWidget(self.picked)
        layout.addLayout(row)

    def _connect(self) -> None:
        self.model.edited.connect(self.edited)
        self.grid.told.connect(self.said)
        self.grid.picked.connect(self._tell_picked)
        self.all.entered.connect(self._set_all)
        self._tell_picked()

    def _tell_picked(self) -> None:
        self.picked.setText(f"{counted(self.grid.count_picked(), 'cell')} selected")

    def _set_all(self) -> None:
        if self.grid.set_picked(self.all.text()):
            self.grid.setFocus()

    # Editor

    def _proposal(self) -> Proposal:
        """What there is to write, in words: the bytes are made when it is applied."""
        changes = self.model.draft.changes
        inserted = sum(len(values) for _, values in changes.inserts)
        deleted = sum(map(len, changes.deletes))
        if not changes.size:
            return Proposal(Verdict(True, SAME, f"{counted(len(self._array), 'element')}.", b"", b""), None)
        parts = (("set", len(changes.sets)), ("inserted", inserted), ("deleted", deleted))
        title = ", ".join(f"{grouped(count)} {word}" for word, count in parts if count)
        detail = f"{counted(len(self.model.draft), 'element')} afterwards; one undo step."
        if (inserted or deleted) and not self._array.whole:
            raise EditError("An error in the bytes cuts this array off. Fix it first, then insert or delete elements.")
        return Proposal(Verdict(True, title, detail, b"", b"\0"), None)

    @property
    def _node(self) -> Item:
        return Item(self.target.item.frame, self.target.item.node)

    @property
    def has_steps(self) -> bool:
        return bool(self.model.draft.changes.size)

    def edit(self) -> Edit | None:
        """The edit of all changes."""
        changes = self.model.draft.changes
        return change_elements(self.target.document, self._node, changes) if changes.size else None

    def start(self) -> None:
        """Begin at the first cell, or at the element that the grid is opened for."""
        self.grid.setFocus()
        if self.model.rowCount():
            self.grid.show_row(min(self._first, self.model.rowCount() - 1))
            self.grid.scrollTo(self.grid.currentIndex(), QAbstractItemView.ScrollHint.PositionAtTop)


class _SetField(LongLine):
    """A field whose Enter sets cells and does not press the card's default button.

    Signals:
        entered: Enter was pressed.
    """

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_plain = not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and is_plain:
            event.accept()
            self.entered.emit()
        else:
            super().keyPressEvent(event)
