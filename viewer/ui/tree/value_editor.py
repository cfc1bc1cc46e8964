"""Editing a value in its row: opens field and card, asks for a verdict at every key, and hands the text over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from viewer.base.record import dataclass
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.cell_text import CellText, cell_text
from viewer.document.edits.slots import EditError
from viewer.document.path import format_path
from viewer.document.selection import Spot
from viewer.document.splice import Splice
from viewer.document.viewmodel.verdict import Verdict, colour_literal, colour_of, judge_cell, limits, unchanged
from viewer.ui.dialogs import spelled_colour
from viewer.ui.edited_value import EditedValue
from viewer.ui.session import Session
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.tree_rows import TreeBase
from viewer.ui.tree.value_field import KEY_APPLY, KEY_CANCEL, KEY_FIX, OpenField, ValueCard, ValueField
from viewer.variant.items import Item

LONGEST = 1 << 16
NOW_LIMIT = 60
GONE = "The value that was edited here is gone. Typed there: “{}”."
FIELD = "tree"
"""What is typed in the field of a tree is noted so."""


@dataclass(frozen=True, slots=True)
class HeldTyping:
    """What is typed in a field while the rows under it become other ones.

    Args:
        value: the value of its row.
        column: which part of the row is edited.
        text: what is typed.
        caret: where the caret stands in it.
        cancelled: what Esc does beside putting the field away.
    """

    value: EditedValue
    column: TreeColumn
    text: str
    caret: int
    cancelled: Callable[[], object] | None


class ValueEditor(QObject):
    """The one open field of a tree.

    Args:
        view: the tree; the field lies in its viewport, the card in its window.
        session: what it edits.
    """

    def __init__(self, view: TreeBase, session: Session) -> None:
        super().__init__(view)
        self._view, self._session = view, session
        self._index: QPersistentModelIndex | None = None
        self._item = Item(0)
        self._document: Document | None = None
        self._value: EditedValue | None = None
        self._waiting: HeldTyping | None = None
        self._column = TreeColumn.VALUE
        self._cell: CellText | None = None
        self._verdict: Verdict | None = None
        self._picking = False
        self._cancelled: Callable[[], object] | None = None
        self._open_field: OpenField | None = None

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
        """Whether a value is being edited."""
        return self._open_field is not None

    def when_cancelled(self, do: Callable[[], object]) -> None:
        """Have something done where the open field is left by Esc; nothing where no field is open."""
        self._cancelled = do if self.is_open else None

    def open(self, index: QModelIndex) -> None:
        """Edit the value of a row."""
        item = self._view.tree_model.item(index)
        if item is not None:
            self._open(index, item, TreeColumn.VALUE)

    def open_key(self, index: QModelIndex) -> None:
        """Edit the key of a row; nothing happens where it has none."""
        key = self._key(self._view.tree_model.spot(index))
        if key is None:
            self._session.failed.emit("This value has no key; only values of dictionaries and objects have one.")
        else:
            self._open(index, key, TreeColumn.NAME)

    @staticmethod
    def _key(spot: Spot | None) -> Item | None:
        """The key of a value, None where it has none."""
        frame = outline.frame_of(spot.document, spot.item) if spot is not None else None
        key = outline.key_of(frame.table, spot.item.node) if frame is not None and spot is not None else None
        return Item(spot.item.frame, key) if spot is not None and key is not None else None

    def _open(self, index: QModelIndex, item: Item, column: TreeColumn) -> None:
        self.close()
        if self._view.tree_model.spot(index) is not None:
            self._session.settle()  # what is typed in another view of the document
            self._put_on(index, item, column)

    def _put_on(self, index: QModelIndex, item: Item, column: TreeColumn) -> None:
        """Lie over a row, with the value or key that it has."""
        spot = self._view.tree_model.spot(index)
        if spot is None:
            return
        document, self._column = spot.document, column
        try:
            if len(outline.span(document, item)) > LONGEST:
                raise EditError("This value is too long to be edited as one text; edit what is in it.")
            self._cell = cell_text(document, item)
        except EditError as error:
            self._session.failed.emit(str(error))
            return
        self._index, self._item, self._document = QPersistentModelIndex(index), item, document
        self._value = EditedValue(self._session, document, spot.item)
        self._show(self._cell, limits(document, item))

    def _show(self, cell: CellText, range_text: str) -> None:
        view, text = self._view, cell.text
        assert self._index is not None
        facts = view.tree_model.facts(self._index)
        now = text if len(text) <= NOW_LIMIT else text[:NOW_LIMIT] + "…"
        field = ValueField(view.theme, text, view.viewport(), counts=not cell.plain)
        what = "Key" if self._column is TreeColumn.NAME else "Value"
        field.setAccessibleName(f"{what} of {facts.name}")
        card = ValueCard(view.theme, facts.group, now, range_text, view.window())
        field.textChanged.connect(self._judge)
        field.accepted.connect(self._accept)
        field.stepped_out.connect(self._accept)
        field.cancelled.connect(self._cancel)
        field.left.connect(self._leave)
        field.fix_wanted.connect(self._fix)
        field.picker_wanted.connect(self._pick_colour)
        card.key_clicked.connect(self._press)
        opened = self._open_field = OpenField(field, card, view)
        self._judge()
        if self._open_field is opened:  # its row is in sight
            opened.start()

    def close(self) -> None:
        """Put the field away without writing anything."""
        opened = self._open_field
        self._open_field = self._index = self._verdict = self._document = self._cancelled = self._value = None
        if opened is not None:
            opened.close()
            self._session.note_typing(True, FIELD)

    def hold(self) -> HeldTyping | None:
        """Put the field away while the rows become other ones; None where nothing is typed that could be lost."""
        field, value, cell = self.field, self._value, self._cell
        if field is None or value is None or cell is None or field.text() == cell.text:
            self.close()
            waiting, self._waiting = self._waiting, None
            return waiting
        held = HeldTyping(value, self._column, field.text(), field.cursorPosition(), self._cancelled)
        self.close()
        return held

    def resume(self, held: HeldTyping, splices: tuple[Splice, ...] | None = None) -> None:
        """Go on with what is typed in the row that the value has now; where there is none, that is said.

        While the bytes are still read it waits for the row.

        Args:
            held: it.
            splices: what changed in the document, None for nothing.
        """
        is_there = held.value.find() if splices is None else held.value.follow(splices)
        spot = held.value.spot if is_there else None
        index = self._view.tree_model.index_of_spot(spot) if spot is not None else QModelIndex()
        item = spot.item if spot is not None and held.column is not TreeColumn.NAME else self._key(spot)
        if index.isValid() and item is not None:
            self._view.scrollTo(index)
            self._put_on(index, item, held.column)
        field = self.field
        if field is None and self._session.waits:
            self._waiting = held
            return
        if field is None:
            self._session.failed.emit(GONE.format(held.text))
            return
        field.setText(held.text)
        field.setCursorPosition(held.caret)
        self._cancelled = held.cancelled

    def put_away(self) -> None:
        """Another file is shown: what is typed and is no value is dropped with the rows, and that is said."""
        verdict, document, waiting = self._verdict, self._document, self._waiting
        self._waiting = None
        self.close()
        if waiting is not None:
            self._session.failed.emit(GONE.format(waiting.text))
        elif verdict is not None and not verdict.ok and document is not None:
            self._tell_dropped(verdict, document)

    def settle(self) -> None:
        """Take what is typed, where it is a value; what is none stays as it is, and keeps the file from being saved."""
        if self._verdict is not None and self._verdict.ok and not self._picking:
            self._commit()

    def place(self) -> None:
        """The tree has scrolled or has another size: follow the row."""
        opened = self._open_field
        if opened is None or self._index is None:
            return
        cell = self._view.cell_rect(self._index, self._column)
        if self._column is TreeColumn.NAME:
            cell.setLeft(cell.left() + self._view.name_left(self._index))
        if opened.can_follow(cell):
            opened.follow(cell)
        else:
            self._leave()  # what is not in sight cannot have the keys

    # What a person does

    def _judge(self) -> None:
        document, opened = self._document, self._open_field
        if opened is None or document is None:
            return
        text = opened.field.text()
        verdict = self._verdict = self._verdict_on(document, text)
        row = outline.type_row(document, self._item)
        if row is not None and self._type_name() == "Color":
            opened.field.set_swatch(colour_of(document, self._item, text))
        opened.tell(verdict)
        self._session.note_typing(self._cell is not None and text == self._cell.text, FIELD, verdict.why_not)
        self.place()

    def _verdict_on(self, document: Document, text: str) -> Verdict:
        """The verdict; text as it was opened with writes nothing, also where the bytes could be written otherwise."""
        assert self._cell is not None
        is_same = text == self._cell.text
        return unchanged(document, self._item) if is_same else judge_cell(document, self._item, self._cell, text)

    def _type_name(self) -> str:
        return self._view.tree_model.facts(self._index).type if self._index is not None else ""

    def _accept(self, *_: int) -> None:
        if self._verdict is not None and self._verdict.ok:
            self._commit()

    def _commit(self) -> None:
        assert self.field is not None
        assert self._cell is not None
        item, text, document, cell = self._item, self.field.text(), self._document, self._cell
        changes = self._verdict is not None and self._verdict.changes_something
        self.close()
        if changes:
            self._session.set_literal(item, cell.literal(text), document)

    def _cancel(self) -> None:
        do = self._cancelled
        self.close()
        if do is not None:
            do()

    def _leave(self) -> None:
        """The focus went elsewhere: what is valid is kept, what is not is dropped, and that is said."""
        verdict, document = self._verdict, self._document
        if self._picking or verdict is None or document is None:
            return
        if verdict.ok:
            self._commit()
            return
        self.close()
        self._tell_dropped(verdict, document)

    def _tell_dropped(self, verdict: Verdict, document: Document) -> None:
        path = format_path(document, self._item) if outline.exists(document, self._item) else "the value"
        self._session.failed.emit(f"{verdict.title}: {path} keeps its value.")

    def _fix(self) -> None:
        if self.field is not None and self._verdict is not None and self._verdict.fix is not None:
            self.field.setText(self._verdict.fix)

    def _press(self, key: str) -> None:
        {KEY_APPLY: self._accept, KEY_CANCEL: self._cancel, KEY_FIX: self._fix}[key]()

    def _pick_colour(self) -> None:
        """Choose a colour in the dialog; it shows at most full brightness, and only what is accepted is written."""
        document = self._document
        if self.field is None or document is None:
            return
        now = colour_of(document, self._item, self.field.text()) or (1.0, 1.0, 1.0, 1.0)
        dialog = QtWidgets.QColorDialog(
            QColor.fromRgbF(*(min(max(channel, 0.0), 1.0) for channel in now)), self._view.window()
        )
        dialog.setOption(QtWidgets.QColorDialog.ColorDialogOption.ShowAlphaChannel)
        dialog.setOption(QtWidgets.QColorDialog.ColorDialogOption.DontUseNativeDialog)
        spelled_colour(dialog)
        self._picking = True
        chosen = dialog.exec()
        self._picking = False
        field = self.field
        if chosen and field is not None:
            colour = dialog.selectedColor()
            field.setText(colour_literal((colour.redF(), colour.greenF(), colour.blueF(), colour.alphaF())))
        if field is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)
        dialog.deleteLater()
