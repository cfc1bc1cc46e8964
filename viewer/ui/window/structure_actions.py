"""What is done to the structure from the tree: values inserted, taken away, doubled, moved, copied and pasted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from viewer.base.record import replace
from viewer.base.unseen import escaped
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.fragment import taken
from viewer.document.edits.new_value import NewValue, like_neighbour
from viewer.document.edits.slots import Collection, EditError, Slot, inside, slot_of
from viewer.document.edits.structure import (
    NOTHING,
    delete,
    duplicate,
    insert,
    shift,
    sort_keys,
    to_bare,
    to_stored,
)
from viewer.document.path import INSIDE, PathError, format_path, parse_path
from viewer.document.splice import Edit
from viewer.ui import dialogs
from viewer.ui.clipboard import clipboard_data, from_mime, to_mime
from viewer.ui.lazy import LazyPart
from viewer.ui.session import Session
from viewer.ui.tree.view import TreeView
from viewer.ui.window.type_chooser import IntoOffer, TypeChooser
from viewer.variant.items import Item

if TYPE_CHECKING:  # loaded when the first one is opened
    from viewer.ui.editors.opening import Editors

CHANGED = "The values changed meanwhile; choose the place of the new value again."


class StructureActions:
    """Does it to the selected rows, each action one step for undo.

    Args:
        window: the parent of the questions.
        session: what is open.
        tree: knows the selected rows.
        chooser: asks for the type of a new value.
        editors: edit it where no field of the tree does.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        tree: TreeView,
        chooser: LazyPart[TypeChooser],
        editors: LazyPart[Editors],
    ) -> None:
        self._window = window
        self._session = session
        self._tree = tree
        self._chooser = chooser
        self._editors = editors

    def slots(self) -> dict[str, Callable[[], object]]:
        """The actions of the Value menu by name."""
        return {
            "paste_into": lambda: self._try(self._paste_into),
            "insert_after": lambda: self._try(lambda document: self._insert(document, 1)),
            "insert_before": lambda: self._try(lambda document: self._insert(document, 0)),
            "insert_into": lambda: self._try(lambda document: self._insert(document, 1, is_inside=True)),
            "duplicate": lambda: self._do(self._duplicated),
            "move_up": lambda: self._do(lambda document: shift(document, self._items(), -1)),
            "move_down": lambda: self._do(lambda document: shift(document, self._items(), 1)),
            "rename_key": self._tree.rename_current,
            "to_stored": lambda: self._reframe(to_stored),
            "to_bare": lambda: self._reframe(to_bare),
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
        self._try(self._delete)

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
        document = self._tree.current_document
        if document is None:
            return
        try:
            if self._session.waits:
                raise EditError("These bytes are still being read; try again in a moment.")
            work(document)
        except EditError as error:
            self._session.failed.emit(str(error))

    def _do(self, make: Callable[[Document], Edit]) -> None:
        self._try(lambda document: self._session.apply(make(document), of=document))

    def _reframe(self, make: Callable[[Document], Edit]) -> None:
        """Change how the values of the file follow each other, wherever the person is in it."""
        document = self._session.document
        if document is not None:
            self._try(lambda _: self._session.apply(make(document)))

    def _insert(self, document: Document, behind: int, is_inside: bool = False) -> None:
        """Ask for a new value, or put a resource into one of the tables of a file that has such."""
        if _has_resources(document):
            from viewer.ui.window.resource_places import new_resource

            found, left = new_resource(document, self._current(), behind), self._session.path
            if found is not None:
                self._session.apply(found.edit, of=document)
                self._edit_field(document, found.path, left)
                return
        into = self._into(document) if behind and not is_inside else None
        self._ask(document, inside(document, self._current()) if is_inside else self._slot(document, behind), into)

    def _edit_field(self, document: Document, path: str, left: str) -> None:
        """Let the field of a path be edited, where there is one; *left* is the path of what was selected."""
        if path:
            self._session.select(parse_path(document, path))
            self._tree.setFocus()
            self._tree.edit_current()
            self._let_esc_take_back(left)

    def _duplicated(self, document: Document) -> Edit:
        if _has_resources(document):
            from viewer.document.edits.resource_edit import duplicate_resource, only_resource

            entry = only_resource(document, self._items())
            if entry is not None:
                return duplicate_resource(document, entry)
        return duplicate(document, self._items())

    def _delete(self, document: Document) -> None:
        if _has_resources(document):
            from viewer.document.edits.resource_edit import (
                only_resource,
                references_to,
                remove_resource,
                resource_name,
            )

            entry = only_resource(document, self._items())
            if entry is not None:
                edit = remove_resource(document, entry)
                found = [format_path(document, item) for item in references_to(document, entry)]
                if not found or dialogs.ask_references(self._window, resource_name(document, entry), found):
                    self._session.apply(edit, of=document)
                return
        self._session.apply(delete(document, self._items()), of=document)

    def _copy(self, document: Document) -> None:
        fragments = [taken(document, item) for item in self._items()]
        if not fragments:
            raise EditError(NOTHING)
        QGuiApplication.clipboard().setMimeData(to_mime(fragments))

    def _cut(self, document: Document) -> None:
        edit = delete(document, self._items(), "Cut")
        self._copy(document)
        self._session.apply(edit, of=document)

    def _paste_into(self, document: Document) -> None:
        self._paste(document, inside(document, self._current()))

    def _paste(self, document: Document, slot: Slot) -> None:
        fragments = from_mime(clipboard_data(), document)
        lost: list[str] = []
        edit = insert(document, slot, fragments, "Paste", lost=lost)
        if not lost or dialogs.ask_losses(self._window, "Paste, although something changes?", lost, "&Paste"):
            self._session.apply(edit, of=document)

    def _into(self, document: Document) -> IntoOffer | None:
        """A value like the last one in the selected collection; who selects an inventory means one of these."""
        item = self._current()
        held = self._held(document, item)
        if held is None or not item.node or held.has_keys:
            return None
        slot = inside(document, item)
        like = like_neighbour(document, slot)
        if like is None:
            return None
        frame = outline.node_frame(document, item)
        key = outline.key_of(frame.table, item.node) if frame is not None else None
        name = escaped(outline.key_text(frame.table, key)) if frame is not None and key is not None else ""
        title = f"Into {name}, like {like.title.removeprefix('Like ')}" if name else f"Into it, {like.title.lower()}"
        return IntoOffer(replace(like, title=title), self._put(document, slot), is_first=bool(name))

    def _put(self, document: Document, slot: Slot) -> Callable[[NewValue], None]:
        """Puts a value into a slot and lets be edited what is new in it."""
        revision = document.revision

        def then(chosen: NewValue) -> None:
            if self._tree.current_document is document and document.revision == revision:
                self._do_and_edit(slot, chosen)
            else:
                self._session.failed.emit(CHANGED)

        return then

    def _ask(self, document: Document, slot: Slot, into: IntoOffer | None = None) -> None:
        """Ask for a value, then put it into the slot and let be edited what is new in it."""
        self._chooser.get().ask(document, slot, self._put(document, slot), into)

    def _do_and_edit(self, slot: Slot, chosen: NewValue) -> None:
        left = self._session.path
        revision = self._session.document.revision if self._session.document is not None else -1  # of the file
        self._do(lambda document: insert(document, slot, [chosen.fragment]))
        whole, document = self._session.document, self._tree.current_document
        if whole is None or document is None or whole.revision == revision or self._session.waits:
            return
        self._tree.setFocus()
        item = self._tree.current_item
        frame = outline.frame_of(document, item) if item is not None else None
        held = self._held(document, item)
        if frame is not None and item is not None and not item.part and outline.key_of(frame.table, item.node):
            self._tree.rename_current()
        elif held is not None and not (held.is_packed and chosen.is_empty):
            self._tree.open_current()
        elif chosen.is_empty:
            self._tree.edit_current()
        self._let_esc_take_back(left)

    def _let_esc_take_back(self, left: str) -> None:
        """Esc in the field or editor that was opened for a new value takes that back, as long as it is the last edit.

        Inside of a value, where undo goes to what holds it, the person is at the path *left* again.
        """
        document = self._session.document
        revision = document.revision if document is not None else -1

        def take_back() -> None:
            if self._session.document is document is not None and document.revision == revision:
                self._session.undo()
                if INSIDE in left:
                    with suppress(PathError):
                        self._session.go_to_place(left)

        self._tree.editor.when_cancelled(take_back)
        if self._editors.part is not None:
            self._editors.part.when_cancelled(take_back)

    def _held(self, document: Document, item: Item | None) -> Collection | None:
        try:
            return Collection(document, item.frame, item.node) if item is not None and not item.part else None
        except EditError:
            return None


def _has_resources(document: Document) -> bool:
    return document.structure is not None and document.structure.resources is not None
