"""What is done to the structure from the tree: values inserted, taken away, doubled, moved, copied and pasted."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits import EditError
from viewer.document.edits.fragment import made, taken
from viewer.document.edits.retype import (
    ContentPart,
    element_type_of,
    fitting_types,
    held_of,
    retype,
    retype_offers,
    set_element_type,
)
from viewer.document.edits.slots import Collection, Slot, inside, slot_of
from viewer.document.edits.structure import (
    NOTHING,
    addable,
    delete,
    duplicate,
    insert,
    shift,
    sort_keys,
    to_bare,
    to_stored,
)
from viewer.document.path import format_path
from viewer.document.splice import Edit
from viewer.ui import dialogs
from viewer.ui.clipboard import clipboard_data, from_mime, to_mime
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.panels.list_card import CardRow, ListCard, match
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.ui.tree.view import TreeView
from viewer.ui.viewport import Lazy
from viewer.variant.convert import default
from viewer.variant.convert.number_forms import element_words
from viewer.variant.items import Item
from viewer.variant.value import ElementType

# Choosing the type of a new value: a floating list of the types that may stand in its place, the last one first.


class TypeChooser:
    """Asks for a type.

    Args:
        theme: the colours.
        window: over which it asks.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        self.card = ListCard(theme, window, "Type of the new value", "plus")
        self.card.setObjectName("typeChooser")
        self.card.edited.connect(self._filter)
        self.card.chosen.connect(self._choose)
        self._types: tuple[str, ...] = ()
        self._shown: list[str] = []
        self._last: list[str] = []
        self._then: Callable[[str], object] = lambda name: None

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.card.set_theme(theme)

    def ask(self, types: Sequence[str], then: Callable[[str], object]) -> None:
        """Offer *types*; *then* is told the one that was chosen. A single one needs no question."""
        self._then = then
        if len(types) == 1:
            then(types[0])
            return
        recent = [name for name in self._last if name in types]
        self._types = (*recent, *(name for name in types if name not in recent))
        self.card.open()
        self._filter("")

    def _filter(self, text: str) -> None:
        found = [(name, match(text, name)) for name in self._types]
        hits = [(name, hit) for name, hit in found if hit is not None]
        if text.strip():
            hits.sort(key=lambda each: -each[1].score)
        self._shown = [name for name, _ in hits]
        hint = "Enter chooses, Esc leaves" if hits else "No type is called so."
        self.card.set_rows([CardRow(name, hit.places) for name, hit in hits], 0, hint)

    def _choose(self, row: int) -> None:
        name = self._shown[row]
        self._last = [name, *(other for other in self._last if other != name)]
        self.card.dismiss()
        self._then(name)


CHANGED = "The values changed meanwhile; choose the place of the new value again."


class StructureActions:
    """Does it to the selected rows, each action one step for undo.

    Args:
        window: the parent of the questions.
        session: what is open.
        tree: knows the selected rows.
        chooser: asks for the type of a new value.
    """

    def __init__(self, window: QWidget, session: Session, tree: TreeView, chooser: Lazy[TypeChooser]) -> None:
        self._window = window
        self._session = session
        self._tree = tree
        self._chooser = chooser

    def slots(self) -> dict[str, Callable[[], object]]:
        """The actions of the Value menu by name."""
        return {
            "paste_into": lambda: self._try(self._paste_into),
            "insert_after": lambda: self._try(lambda document: self._ask(document, self._slot(document, 1))),
            "insert_before": lambda: self._try(lambda document: self._ask(document, self._slot(document, 0))),
            "insert_into": lambda: self._try(lambda document: self._ask(document, inside(document, self._current()))),
            "duplicate": lambda: self._do(lambda document: duplicate(document, self._items())),
            "move_up": lambda: self._do(lambda document: shift(document, self._items(), -1)),
            "move_down": lambda: self._do(lambda document: shift(document, self._items(), 1)),
            "rename_key": self._tree.rename_current,
            "to_stored": lambda: self._do(to_stored),
            "to_bare": lambda: self._do(to_bare),
            "sort_keys": lambda: self._do(lambda document: sort_keys(document, self._current())),
        }

    def copy(self) -> None:
        """Put the selected values on the clipboard."""
        self._try(self._copy)

    def cut(self) -> None:
        """Put the selected values on the clipboard and take them away."""
        self._try(self._cut)

    def paste(self) -> None:
        """Put the clipboard's values behind the selected one, into the root where that is selected."""
        self._try(lambda document: self._paste(document, self._slot(document, 1)))

    def delete(self) -> None:
        """Take the selected values away."""
        self._do(lambda document: delete(document, self._items()))

    # What is selected

    def _items(self) -> list[Item]:
        return self._tree.selected_items()

    def _current(self) -> Item:
        item = self._tree.current_item
        if item is None:
            raise EditError(NOTHING)
        return item

    def _slot(self, document: Document, behind: int) -> Slot:
        """The slot before (0) or behind (1) the selected values; inside a root that holds others."""
        items = self._items() or [self._current()]
        slot = slot_of(document, items[-1] if behind else items[0])
        if not items[-1].node and not items[-1].part and document.framing.kind is not document.framing.kind.STORED:
            return inside(document, items[-1])
        return Slot(slot.frame, slot.node, slot.number + behind)

    # Doing

    def _try(self, work: Callable[[Document], object]) -> None:
        """Do something; why it cannot be done is said."""
        document = self._session.document
        if document is None:
            return
        try:
            if self._session.waits:
                raise EditError("These bytes are still being read; try again in a moment.")
            work(document)
        except EditError as error:
            self._session.failed.emit(str(error))

    def _do(self, make: Callable[[Document], Edit]) -> None:
        self._try(lambda document: self._session.apply(make(document)))

    def _copy(self, document: Document) -> None:
        fragments = [taken(document, item) for item in self._items()]
        if not fragments:
            raise EditError(NOTHING)
        QGuiApplication.clipboard().setMimeData(to_mime(fragments))

    def _cut(self, document: Document) -> None:
        edit = delete(document, self._items(), "Cut")
        self._copy(document)
        self._session.apply(edit)

    def _paste_into(self, document: Document) -> None:
        self._paste(document, inside(document, self._current()))

    def _paste(self, document: Document, slot: Slot) -> None:
        fragments = from_mime(clipboard_data(), document)
        lost: list[str] = []
        edit = insert(document, slot, fragments, "Paste", lost=lost)
        if not lost or dialogs.ask_losses(self._window, "Paste, although something changes?", lost, "&Paste"):
            self._session.apply(edit)

    def _ask(self, document: Document, slot: Slot) -> None:
        """Ask for a type, then put a value of it into the slot and let it be edited."""
        types, revision = addable(document, slot), document.revision

        def then(name: str) -> None:
            if self._session.document is document and document.revision == revision:
                self._do_and_edit(slot, name)
            else:
                self._session.failed.emit(CHANGED)

        self._chooser.get().ask(types, then)

    def _do_and_edit(self, slot: Slot, name: str) -> None:
        revision = self._session.document.revision if self._session.document is not None else -1
        self._do(lambda document: insert(document, slot, [made(document, default(name, document.dialect))]))
        document = self._session.document
        if document is None or document.revision == revision or self._session.waits:
            return
        self._tree.setFocus()
        item = self._tree.current_item
        frame = outline.frame_of(document, item) if item is not None else None
        if frame is not None and item is not None and not item.part and outline.key_of(frame.table, item.node):
            self._tree.rename_current()
        elif not isinstance(self._held(document, item), Collection):
            self._tree.edit_current()

    def _held(self, document: Document, item: Item | None) -> Collection | None:
        try:
            return Collection(document, item.frame, item.node) if item is not None and not item.part else None
        except EditError:
            return None


# The menu that changes the type of the selected value, of its key, and what a typed collection says that it holds.

KEY = "&Key"
ANYTHING = "&Anything"
HELD_WORDS = {ContentPart.ELEMENT: "&Elements Hold", ContentPart.KEY: "Ke&ys Hold", ContentPart.VALUE: "&Values Hold"}
NOTHING_TO_CHANGE = "This Has No Type of Its Own"
RETYPE_MENU_CHANGED = "The values changed meanwhile; choose the type again."


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
        document, item = self._session.document, self._session.item
        if document is not None and item is not None and not self._session.waits:
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
        document = self._session.document
        filled = self._filled() if self._filled is not None else None
        if document is not None and document is filled and document.revision == self._revision:
            return document
        self._session.failed.emit(RETYPE_MENU_CHANGED)
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
            self._session.apply(found.edit)

    def _set_held(self, item: Item, which: ContentPart, held: ElementType | None, *_: object) -> None:
        document = self._unchanged()
        if document is None:
            return
        try:
            self._session.apply(set_element_type(document, item, which, held))
        except EditError as error:
            self._session.failed.emit(str(error))
