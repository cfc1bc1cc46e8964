"""A tree that follows its session: what is open, changed or selected there is shown here."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.shown.rows import PAGE
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.tree.drag_view import DragView
from viewer.ui.tree.steady import MOST_SELECTED, Seen, look, select, show_again, show_same
from viewer.variant.items import Item

OPENED_FRAMES = 3


class FollowingTree(DragView):
    """The half of the tree view that is told; what a person does in it is the other half's.

    Args:
        session: what is open, and where the person is in it.
        theme: the colours.
        page: how many rows stand under one at most.

    Attributes:
        is_following: whether the current row is just being made the one that is selected elsewhere.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None, page: int = PAGE) -> None:
        super().__init__(session, theme, parent, page)
        self.is_following = False
        self._focus: tuple[int, ...] = ()
        self._seen: Seen | None = None
        self._is_new = False

    def follow(self) -> None:
        """Show what is open, and from now on whatever becomes of it."""
        session = self._session
        session.opened.connect(self._show_document)
        session.changed.connect(self._show_change)
        session.reading.glimpsed.connect(self._show_change)
        session.selected.connect(self.reveal)
        for signal in (session.problems_changed, session.news_changed, session.history_changed):
            signal.connect(self._refresh_marks)
        self._show_document()

    def put_editor_away(self) -> None:
        """Close what edits a value in its row, where there is such a thing, without writing."""

    def _show_document(self) -> None:
        self.put_editor_away()
        self.expansion.forget()
        self._seen = None
        document = self._session.document
        self.tree_model.set_document(document)
        self.columns.set_bytes(len(document.buffer) if document is not None else 0)
        self._is_new = True
        self._open_first()
        if self._session.item is not None:
            self.reveal(self._session.item)

    def _open_first(self) -> None:
        """Open the values of a file that is newly shown, where they are few, as soon as there are any."""
        document = self._session.document
        if self._is_new and document is not None and document.frames:
            self._is_new = False
            if len(document.frames) <= OPENED_FRAMES:
                for row in range(self.tree_model.rowCount()):
                    self.expand(self.tree_model.index(row, 0))

    def _show_change(self, change: Change) -> None:
        self.put_editor_away()
        self._focus = change.focus
        rows = self.tree_model.rows
        if change.structure:
            self._show_structure(change)
        elif rows is not None:
            self.is_following = True
            self.tree_model.apply_change(change)
            show_same(self, look(self, rows).after(change), rows, bool(change.focus))
            self.is_following = False
            self.viewport().update()

    def _show_structure(self, change: Change) -> None:
        """Show the new rows; those that were open stay open, and what is on the screen stays where it is.

        While a document is read it may have no frames: then what was seen before waits until it has some.
        """
        document = self._session.document
        if document is None or self.tree_model.rows is None:
            return
        seen = self._seen or look(self, self.tree_model.rows)
        seen = seen.after(change)
        self.is_following = True
        self.tree_model.apply_change(change)
        self.columns.set_bytes(len(document.buffer))
        self._seen = seen if len(document.buffer) and not document.frames else None
        if self._seen is None:
            show_again(self, seen, self.tree_model.rows, bool(change.focus))
            self._open_first()
        self.is_following = False

    def _refresh_marks(self) -> None:
        self.tree_model.refresh_marks()
        self.viewport().update()

    def reveal(self, item: Item | None) -> None:
        """Make the row of an item the current one, and show it; nothing moves if it is that already."""
        document = self._session.document
        if item is None or document is None:
            return
        row = outline.row_item(document, item)
        index = self.tree_model.index_of(item)
        if index.isValid() and not (self._has_selected and self.tree_model.item(self.currentIndex()) == row):
            self.is_following = True
            self.set_current(self.reveal_index(index))
            self.is_following = False
        self._select_focused(document)

    @property
    def _has_selected(self) -> bool:
        """Whether rows are selected; the focus alone makes the first row the current one and selects none."""
        return self.currentIndex().isValid() and self.selectionModel().hasSelection()

    def _select_focused(self, document: Document) -> None:
        """Select all values that the last edit wants selected, where these are several."""
        focus, self._focus = self._focus, ()
        if len(focus) > 1 and self.tree_model.rows is not None:
            items = (outline.item_at(document, offset) for offset in focus[:MOST_SELECTED])
            self.clearSelection()
            select(self, (self.tree_model.rows.place(item) for item in items if item is not None))
