"""Editing a cell: the field over it and the card below, with a verdict at every key, as in the tree."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent

from viewer.document.edits.slots import EditError
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_entry import CellDraft, NeedsEditor, cell_range, drafted, opening_text
from viewer.document.viewmodel.verdict import SAME, Verdict
from viewer.ui.sheets.sheet_view import SheetView
from viewer.ui.tree.value_editor import KEY_APPLY, KEY_CANCEL, KEY_FIX, ValueCard, ValueField

MARGIN = 8
OVER = 1
NOW = 60


class CellField(ValueField):
    """The field over a cell.

    Signals:
        stepped_out: Tab or Shift+Tab: apply, and go on by so many columns.
        all_wanted: Ctrl+Enter: apply to all selected cells.
    """

    stepped_out = Signal(int)
    all_wanted = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}.get(Qt.Key(event.key()))
            if steps is not None:
                event.accept()
                self.stepped_out.emit(steps)
                return True
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                event.accept()
                self.all_wanted.emit()
                return True
        is_asked = event.type() == QEvent.Type.ShortcutOverride
        if is_asked and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # the window has other uses for it
            return True
        return super().event(event)


class CellEditor(QObject):
    """The one open field of a grid.

    Args:
        view: the grid; the field lies in its viewport, the card in its window.

    Signals:
        committed: the edit of a cell (``Edit`` or None where nothing changes), and by how many rows and columns to go
            on.
        refused: why a cell cannot be edited; one sentence.
        editor_needed: the value of the cell is changed in the editor of its type.
        all_wanted: this text (str) should be set in all selected cells.
    """

    committed = Signal(object, int, int)
    refused = Signal(str)
    editor_needed = Signal()
    all_wanted = Signal(str)

    def __init__(self, view: SheetView) -> None:
        super().__init__(view)
        self._view = view
        self._index: QPersistentModelIndex | None = None
        self._opened_with = ""
        self._draft: CellDraft | None = None
        self.field: CellField | None = None
        self.card: ValueCard | None = None
        view.editor_moved.connect(self.place)

    @property
    def is_open(self) -> bool:
        """Whether a cell is being edited."""
        return self.field is not None

    def open(self, typed: str | None = None) -> None:
        """Edit the current cell; *typed* takes the place of what is in it."""
        self.close()
        view, index = self._view, self._view.currentIndex()
        sheet = view.sheet_model.sheet
        if sheet is None or not index.isValid() or view.isColumnHidden(index.column()):
            return
        row, column = view.sheet_model.row_at(index.row()), index.column()
        try:
            text = opening_text(sheet, row, column)
        except NeedsEditor:
            self.editor_needed.emit()
            return
        except EditError as error:
            self.refused.emit(str(error))
            return
        view.scrollTo(index)
        self._index, self._opened_with = QPersistentModelIndex(index), text
        facts = view.sheet_model.facts(index.row(), column)
        self.field = CellField(view.theme, text if typed is None else typed, view.viewport())
        if typed:
            self.field.end(False)
        self.field.setAccessibleName(f"{sheet.columns[column].title} of {sheet.row_label(row)[0]}")
        now = f"{facts.count} {facts.text}".strip() if not facts.is_missing else "missing"
        now = now[:NOW] + ("…" if len(now) > NOW else "")
        self.card = ValueCard(view.theme, facts.group, now, cell_range(sheet, row, column), view.window())
        self._connect(self.field, self.card)
        self._judge()
        if self.field is not None:  # it is in view
            self.field.show()
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self, field: CellField, card: ValueCard) -> None:
        field.textChanged.connect(self._judge)
        field.accepted.connect(lambda: self._accept(1, 0))
        field.stepped_out.connect(lambda steps: self._accept(0, steps))
        field.all_wanted.connect(self._accept_all)
        field.cancelled.connect(self.close)
        field.left.connect(self._leave)
        field.fix_wanted.connect(self._fix)
        card.key_clicked.connect(self._press)

    def close(self) -> None:
        """Put the field away without writing anything."""
        field, card = self.field, self.card
        self.field = self.card = self._index = self._draft = None
        if field is None or card is None:
            return
        had_focus = field.hasFocus()
        for widget in (field, card):
            widget.blockSignals(True)
            widget.hide()
            widget.deleteLater()
        if had_focus:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self) -> None:
        """The grid has scrolled or has another size: follow the cell."""
        if self.field is None or self.card is None or self._index is None:
            return
        view = self._view
        cell, area = view.cell_rect(self._index), view.viewport().rect()
        if not cell.isValid() or not area.intersects(cell):
            self._leave()  # what is not in view cannot have the keys
            return
        width = max(cell.width(), min(self.field.wanted_width(), area.right() - cell.left()))
        self.field.setGeometry(QRect(cell.left(), cell.top() - OVER, width, cell.height() + 2 * OVER))
        window = view.window()
        corner = self.field.mapTo(window, QPoint(0, 0))
        bounds = window.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        self.card.show_beside(QRect(corner, self.field.size()), bounds)

    # What a person does

    def _judge(self) -> None:
        if self.field is None or self.card is None or self._index is None:
            return
        found = self._draft = self._drafted(self.field.text())
        verdict = found.verdict
        self.field.set_wrong(-1 if verdict.ok else max(0, verdict.position))
        self.field.setAccessibleDescription(f"{verdict.title}. {verdict.detail}")
        self.card.set_verdict(verdict)
        self.place()

    def _drafted(self, text: str) -> CellDraft:
        sheet, index = self._view.sheet_model.sheet, self._index
        if sheet is None or index is None or not index.isValid():
            return CellDraft(Verdict(False, "This cell is gone", "", b"", None), None)
        row = self._view.sheet_model.row_at(index.row())
        if text == self._opened_with and self._is_there(sheet, row, index.column()):
            return CellDraft(Verdict(True, SAME, "", b"", b""), None)
        return drafted(sheet, row, index.column(), text)

    def _is_there(self, sheet: Sheet, row: int, column: int) -> bool:
        return sheet.cell(row, column) is not None

    def _accept(self, rows: int, columns: int) -> None:
        draft = self._draft
        if draft is not None and draft.verdict.ok:
            self.close()
            self.committed.emit(draft.edit, rows, columns)

    def _accept_all(self) -> None:
        if self.field is not None:
            text = self.field.text()
            self.close()
            self.all_wanted.emit(text)

    def _leave(self) -> None:
        """The focus went elsewhere: what is valid is kept, what is not is dropped, and that is said."""
        draft = self._draft
        if draft is None:
            return
        self.close()
        if draft.verdict.ok:
            self.committed.emit(draft.edit, 0, 0)
        else:
            self.refused.emit(f"{draft.verdict.title}: the cell keeps its value.")

    def _fix(self) -> None:
        if self.field is not None and self._draft is not None and self._draft.verdict.fix is not None:
            self.field.setText(self._draft.verdict.fix)

    def _press(self, key: str) -> None:
        {KEY_APPLY: lambda: self._accept(1, 0), KEY_CANCEL: self.close, KEY_FIX: self._fix}[key]()
