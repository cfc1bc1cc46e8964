"""Editing a value in its row: opens field and card, asks for a verdict at every key, and hands the text over."""

from __future__ import annotations

from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QColor

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits import EditError, literal
from viewer.document.path import format_path
from viewer.document.shown.verdict import Verdict, colour_literal, colour_of, judge, limits, unchanged
from viewer.ui.session import Session
from viewer.ui.tree.base import TreeBase
from viewer.ui.tree.model import Column
from viewer.ui.tree.value_card import KEY_APPLY, KEY_CANCEL, KEY_FIX, ValueCard
from viewer.ui.tree.value_field import ValueField
from viewer.variant.items import Item

LONGEST = 1 << 16
NOW_LIMIT = 60
MARGIN = 8
OVER = 1


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
        self._column = Column.VALUE
        self._opened_with = ""
        self._verdict: Verdict | None = None
        self._picking = False
        self.field: ValueField | None = None
        self.card: ValueCard | None = None

    @property
    def is_open(self) -> bool:
        """Whether a value is being edited."""
        return self.field is not None

    def open(self, index: QModelIndex) -> None:
        """Edit the value of a row."""
        item = self._view.tree_model.item(index)
        if item is not None:
            self._open(index, item, Column.VALUE)

    def open_key(self, index: QModelIndex) -> None:
        """Edit the key of a row; nothing happens where it has none."""
        document, item = self._session.document, self._view.tree_model.item(index)
        frame = outline.frame_of(document, item) if document is not None and item is not None else None
        key = outline.key_of(frame.table, item.node) if frame is not None and item is not None else None
        if item is None or key is None:
            self._session.failed.emit("This value has no key; only values of dictionaries and objects have one.")
        else:
            self._open(index, Item(item.frame, key), Column.NAME)

    def _open(self, index: QModelIndex, item: Item, column: Column) -> None:
        self.close()
        document = self._session.document
        if document is None:
            return
        self._column = column
        try:
            if len(outline.span(document, item)) > LONGEST:
                raise EditError("This value is too long to be edited as one text; edit what is in it.")
            text = literal(document, item)
        except EditError as error:
            self._session.failed.emit(str(error))
            return
        self._index, self._item = QPersistentModelIndex(index), item
        self._show(text, limits(document, item))

    def _show(self, text: str, range_text: str) -> None:
        view = self._view
        assert self._index is not None
        facts = view.tree_model.facts(self._index)
        self._opened_with = text
        now = text if len(text) <= NOW_LIMIT else text[:NOW_LIMIT] + "…"
        self.field = ValueField(view.theme, text, view.viewport())
        what = "Key" if self._column is Column.NAME else "Value"
        self.field.setAccessibleName(f"{what} of {facts.name}")
        self.card = ValueCard(view.theme, facts.group, now, range_text, view.window())
        self.field.textChanged.connect(self._judge)
        self.field.accepted.connect(self._accept)
        self.field.cancelled.connect(self._cancel)
        self.field.left.connect(self._leave)
        self.field.fix_wanted.connect(self._fix)
        self.field.picker_wanted.connect(self._pick_colour)
        self.card.key_clicked.connect(self._press)
        self._judge()
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def close(self) -> None:
        """Put the field away without writing anything."""
        field, card = self.field, self.card
        self.field = self.card = self._index = self._verdict = None
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
        """The tree has scrolled or has another size: follow the row."""
        if self.field is None or self.card is None or self._index is None:
            return
        cell = self._view.cell_rect(self._index, self._column)
        if self._column is Column.NAME:
            cell.setLeft(cell.left() + self._view.name_left(self._index))
        area = self._view.viewport().rect()
        visible = cell.top() >= area.top() - OVER and cell.bottom() <= area.bottom() + OVER
        self.field.setVisible(visible)
        self.card.setVisible(visible)
        if visible:
            width = max(cell.width(), min(self.field.wanted_width(), area.right() - cell.left()))
            self.field.setGeometry(QRect(cell.left(), cell.top() - OVER, width, cell.height() + 2 * OVER))
            self._place_card()

    def _place_card(self) -> None:
        assert self.field is not None
        assert self.card is not None
        window = self._view.window()
        corner = self.field.mapTo(window, QPoint(0, 0))
        bounds = window.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        self.card.show_beside(QRect(corner, self.field.size()), bounds)

    # What a person does

    def _judge(self) -> None:
        document = self._session.document
        if self.field is None or self.card is None or document is None:
            return
        verdict = self._verdict = self._verdict_on(document, self.field.text())
        self.field.set_wrong(-1 if verdict.ok else max(0, verdict.position))
        self.field.setAccessibleDescription(f"{verdict.title}. {verdict.detail}")
        row = outline.type_row(document, self._item)
        if row is not None and self._type_name() == "Color":
            self.field.set_swatch(colour_of(document, self._item, self.field.text()))
        self.card.set_verdict(verdict)
        self.place()

    def _verdict_on(self, document: Document, text: str) -> Verdict:
        """The verdict; text as it was opened with writes nothing, also where the bytes could be written otherwise."""
        return unchanged(document, self._item) if text == self._opened_with else judge(document, self._item, text)

    def _type_name(self) -> str:
        return self._view.tree_model.facts(self._index).type if self._index is not None else ""

    def _accept(self) -> None:
        if self._verdict is not None and self._verdict.ok:
            self._commit()

    def _commit(self) -> None:
        assert self.field is not None
        item, text = self._item, self.field.text()
        changes = self._verdict is not None and self._verdict.changes_something
        self.close()
        if changes:
            self._session.set_literal(item, text)

    def _cancel(self) -> None:
        self.close()

    def _leave(self) -> None:
        """The focus went elsewhere: what is valid is kept, what is not is dropped, and that is said."""
        verdict, document = self._verdict, self._session.document
        if self._picking or verdict is None or document is None:
            return
        if verdict.ok:
            self._commit()
            return
        self.close()
        self._session.failed.emit(f"{verdict.title}: {format_path(document, self._item)} keeps its value.")

    def _fix(self) -> None:
        if self.field is not None and self._verdict is not None and self._verdict.fix is not None:
            self.field.setText(self._verdict.fix)

    def _press(self, key: str) -> None:
        {KEY_APPLY: self._accept, KEY_CANCEL: self._cancel, KEY_FIX: self._fix}[key]()

    def _pick_colour(self) -> None:
        """Choose a colour in the dialog; it shows at most full brightness, and only what is accepted is written."""
        document = self._session.document
        if self.field is None or document is None:
            return
        now = colour_of(document, self._item, self.field.text()) or (1.0, 1.0, 1.0, 1.0)
        dialog = QtWidgets.QColorDialog(
            QColor.fromRgbF(*(min(max(channel, 0.0), 1.0) for channel in now)), self._view.window()
        )
        dialog.setOption(QtWidgets.QColorDialog.ColorDialogOption.ShowAlphaChannel)
        dialog.setOption(QtWidgets.QColorDialog.ColorDialogOption.DontUseNativeDialog)
        dialog.setWindowTitle("Colour")
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
