"""The menu that changes the type of the selected value, of its key, and what a typed collection says it holds."""

from __future__ import annotations

import weakref
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.retype import (
    ContentPart,
    element_type_of,
    fitting_types,
    held_of,
    retype,
    retype_offers,
    set_element_type,
)
from viewer.document.edits.slots import EditError
from viewer.document.path import format_path
from viewer.ui import dialogs
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.variant.convert.number_forms import element_words
from viewer.variant.items import Item
from viewer.variant.value import ElementType

KEY = "&Key"
ANYTHING = "&Anything"
HELD_WORDS = {ContentPart.ELEMENT: "&Elements Hold", ContentPart.KEY: "Ke&ys Hold", ContentPart.VALUE: "&Values Hold"}
NOTHING_TO_CHANGE = "This Has No Type of Its Own"
CHANGED = "The values changed meanwhile; choose the type again."


class RetypeMenu:
    """Fills itself when it is opened, and does what is chosen; what loses something is asked about first.

    Args:
        window: the parent of the question.
        session: knows the selected item.
        menu: what to fill.
    """

    def __init__(self, window: QWidget, session: Session, menu: QMenu) -> None:
        self._window = window
        self._session = session
        self._menu = menu
        self._filled: weakref.ref[Document] | None = None
        self._revision = 0

    def fill(self) -> None:
        """Offer what the selected value can become."""
        empty_menu(self._menu)
        spot = self._session.spot
        if spot is not None and not self._session.waits:
            document, item = spot.document, spot.item
            self._filled, self._revision = weakref.ref(document), document.revision
            row = outline.row_item(document, item)
            self._offer(document, self._menu, row)
            self._offer_key(document, row)
            for which in held_of(document, row):
                self._offer_held(document, row, which)
        if self._menu.isEmpty():
            self._menu.addAction(NOTHING_TO_CHANGE).setEnabled(False)

    def _offer(self, document: Document, menu: QMenu, item: Item) -> None:
        """The types that an item can become; three dots where a question comes first."""
        asks = False
        for offer in retype_offers(document, item):
            if offer.loses and not asks:
                menu.addSeparator()
                asks = True
            action = menu.addAction(in_menu(f"{offer.name}…" if offer.loses else offer.name))
            lossy = ", after saying what gets lost" if offer.loses else ""
            action.setToolTip(plain_tip(f"Make it {offer.name}{lossy}"))
            action.triggered.connect(partial(self._retype, item, offer.name))

    def _offer_key(self, document: Document, item: Item) -> None:
        frame = outline.frame_of(document, item)
        key = outline.key_of(frame.table, item.node) if frame is not None and not item.part else None
        if key is None:
            return
        submenu = QMenu(KEY, self._menu)
        self._offer(document, submenu, Item(item.frame, key))
        self._add(submenu)

    def _offer_held(self, document: Document, item: Item, which: ContentPart) -> None:
        """What a collection may say that it holds; what it says now is checked."""
        try:
            now = element_type_of(document, item, which)
            found = fitting_types(document, item, which)
        except EditError:
            return
        choices = [*([None] if document.dialect.rules.typed_arrays else []), *found]
        submenu = QMenu(HELD_WORDS[which], self._menu)
        for held in choices if now in choices else [now, *choices]:
            action = submenu.addAction(in_menu(element_words(held, document.dialect)) or ANYTHING)
            action.setCheckable(True)
            action.setChecked(held == now)
            action.triggered.connect(partial(self._set_held, item, which, held))
        self._add(submenu)

    def _add(self, submenu: QMenu) -> None:
        """A submenu under a line of its own, where there is anything in it."""
        if submenu.isEmpty():
            return
        if all(action.menu() is None for action in self._menu.actions()):
            self._menu.addSeparator()
        self._menu.addMenu(submenu)

    def _unchanged(self) -> Document | None:
        """The document, if it is as it was when the menu was filled; else that is said."""
        document = self._session.spot.document if self._session.spot is not None else None
        filled = self._filled() if self._filled is not None else None
        if document is not None and document is filled and document.revision == self._revision:
            return document
        self._session.failed.emit(CHANGED)
        return None

    def _retype(self, item: Item, target: str, *_: object) -> None:
        document = self._unchanged()
        if document is None:
            return
        try:
            found = retype(document, item, target)
        except EditError as error:
            self._session.failed.emit(str(error))
            return
        question = f"Change {format_path(document, item)} to {target}?"
        if not found.losses or dialogs.ask_losses(self._window, question, found.losses, "&Change"):
            self._session.apply(found.edit, of=document)

    def _set_held(self, item: Item, which: ContentPart, held: ElementType | None, *_: object) -> None:
        document = self._unchanged()
        if document is None:
            return
        try:
            self._session.apply(set_element_type(document, item, which, held), of=document)
        except EditError as error:
            self._session.failed.emit(str(error))
