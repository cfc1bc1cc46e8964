"""The grid of a packed array: a table that stays quick with ten million rows, and speaks a spreadsheet's clipboard."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from viewer.document.edits import EditError
from viewer.document.forms.cells import parse_table, table_text
from viewer.document.shown.counts import counted, grouped
from viewer.ui.editors.packed_model import MOST_CELLS, PackedModel

ROW = 24
COLUMN = 116
TEXT_COLUMN = 420


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
        self.told.emit(f"{counted(sum(map(len, picked)), 'row')} deleted; Ctrl+Z takes it back.")

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
        self.told.emit(f"{counted(count, 'row')} pasted; Ctrl+Z takes it back.")

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
        self.told.emit(f"{counted(self.count_picked(), 'cell')} set; Ctrl+Z takes it back.")
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
        for standard, do in (
            (QKeySequence.StandardKey.Copy, self.copy),
            (QKeySequence.StandardKey.Paste, self.paste),
            (QKeySequence.StandardKey.Undo, self.undo),
        ):
            if event.matches(standard):
                do()
                return True
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Insert:
            self.append_row() if control else self.insert_rows()
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
