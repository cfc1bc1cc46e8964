"""Editing a cell: the field over it and the card below, with a verdict at every key, as in the tree."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent

from viewer.document.edits.slots import EditError
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_entry import CellDraft, NeedsEditor, cell_range, drafted, opening_text
from viewer.document.viewmodel.verdict import SAME, Verdict
from viewer.ui.sheets.sheet_view import SheetView
from viewer.ui.tree.value_field import KEY_APPLY, KEY_CANCEL, KEY_FIX, OpenField, ValueCard, ValueField

NOW = 60


class CellField(ValueField):
    """The field over a cell.

    Signals:
        all_wanted: Ctrl+Enter: apply to all selected cells.
    """

    all_wanted = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
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


TYPED = "Typed was “{}”. "


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
        typed: whether what is in the field (bool) is what it was opened with, or the field is closed.
    """

    committed = Signal(object, int, int)
    refused = Signal(str)
    editor_needed = Signal()
    all_wanted = Signal(str)
    typed = Signal(bool, str)

    def __init__(self, view: SheetView) -> None:
        super().__init__(view)
        self._view = view
        self._index: QPersistentModelIndex | None = None
        self._opened_with = ""
        self._draft: CellDraft | None = None
        self._open_field: OpenField | None = None
        view.editor_moved.connect(self.place)

    @property
    def field(self) -> ValueField | None:
        """What is typed into, None where nothing is edited."""
        return self._open_field.field if self._open_field is not None else None

    @property
    def card(self) -> ValueCard | None:
        """What says whether that fits, None where nothing is edited."""
        return self._open_field.card if self._open_field is not None else None

    @property
    def is_open(self) -> bool:
        """Whether a cell is being edited."""
        return self._open_field is not None

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
        field = CellField(view.theme, text if typed is None else typed, view.viewport())
        if typed:
            field.end(False)
        field.setAccessibleName(f"{sheet.columns[column].title} of {sheet.row_label(row)[0]}")
        now = f"{facts.count} {facts.text}".strip() if not facts.is_missing else "missing"
        now = now[:NOW] + ("…" if len(now) > NOW else "")
        card = ValueCard(view.theme, facts.group, now, cell_range(sheet, row, column), view.window())
        self._connect(field, card)
        opened = self._open_field = OpenField(field, card, view)
        self._judge()
        if self._open_field is opened:  # its cell is in sight
            opened.start()

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
        opened = self._open_field
        self._open_field = self._index = self._draft = None
        if opened is not None:
            opened.close()
            self.typed.emit(True, "")

    def put_away(self) -> None:
        """The cell changes or goes: what is typed is dropped with it, and that is said."""
        field, draft = self.field, self._draft
        typed = field.text() if field is not None and field.text() != self._opened_with else ""
        self.close()
        if draft is not None and not draft.verdict.ok:
            self._tell_dropped(draft, typed)
        elif typed:
            self.refused.emit(f"{TYPED.format(typed)}The table is another one now.")

    def settle(self) -> None:
        """Take what is typed, where it is a value; what is none stays as it is, and keeps the file from being saved."""
        if self._draft is not None and self._draft.verdict.ok:
            self._accept(0, 0)

    def place(self) -> None:
        """The grid has scrolled or has another size: follow the cell."""
        opened = self._open_field
        if opened is None or self._index is None:
            return
        cell = self._view.cell_rect(self._index)
        if opened.can_follow(cell):
            opened.follow(cell)
        else:
            self._leave()  # what is not in sight cannot have the keys

    # What a person does

    def _judge(self) -> None:
        opened = self._open_field
        if opened is None or self._index is None:
            return
        found = self._draft = self._drafted(opened.field.text())
        opened.tell(found.verdict)
        self.typed.emit(found.edit is None and found.verdict.ok, found.verdict.why_not)
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
            self._tell_dropped(draft)

    def _tell_dropped(self, draft: CellDraft, typed: str = "") -> None:
        before = TYPED.format(typed) if typed else ""
        self.refused.emit(f"{before}{draft.verdict.title}: the cell keeps its value.")

    def _fix(self) -> None:
        if self.field is not None and self._draft is not None and self._draft.verdict.fix is not None:
            self.field.setText(self._draft.verdict.fix)

    def _press(self, key: str) -> None:
        {KEY_APPLY: lambda: self._accept(1, 0), KEY_CANCEL: self.close, KEY_FIX: self._fix}[key]()
