"""The editor of a packed array: its grid, tools for whole rows and for many cells, and what Apply would do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout

from viewer.document.edits import EditError
from viewer.document.edits.packed import change_elements, open_array
from viewer.document.forms.target import Proposal, Target
from viewer.document.shown.counts import counted, grouped
from viewer.document.shown.verdict import SAME, Verdict
from viewer.document.splice import Edit
from viewer.ui.editors.base import Editor
from viewer.ui.editors.fields import label, note
from viewer.ui.editors.packed_grid import PackedGrid
from viewer.ui.editors.packed_model import PackedModel
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import FlatButton
from viewer.variant.items import Item

HEIGHT = 320
MOST_ROWS = (1 << 31) - 1


class PackedEditor(Editor):
    """A packed array as rows and columns. Nothing is written before Apply, and all of it in one step.

    Args:
        target: the array, or the element at which to begin.
        theme: the colours.
    """

    grows = True

    def __init__(self, target: Target, theme: Theme) -> None:
        super().__init__(target, theme)
        self._node = Item(target.item.frame, target.item.node)
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
            ("Undo", "undo-2", "Take the last step in the grid back (Ctrl+Z)", self.grid.undo),
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
        detail = f"{counted(len(self.model.draft), 'element')} afterwards; one step for undo."
        if (inserted or deleted) and not self._array.whole:
            raise EditError("An error in the bytes cuts this array off. Mend it first, then insert or delete elements.")
        return Proposal(Verdict(True, title, detail, b"", b"\0"), None)

    def edit(self) -> Edit | None:
        """The edit of all changes."""
        changes = self.model.draft.changes
        return change_elements(self.target.document, self._node, changes) if changes.size else None

    def start(self) -> None:
        """Begin at the first cell, or at the element that is selected in the tree."""
        row = int(self.target.item.part[1:].partition("]")[0]) if self.target.is_element else 0
        self.grid.setFocus()
        if self.model.rowCount():
            self.grid.show_row(min(row, self.model.rowCount() - 1))


class _SetField(QLineEdit):
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
