"""The list of bookmarks: where each stands, its note, and the keys to go there, write a note or take it away."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from viewer.document.bookmarks import Bookmark
from viewer.document.viewmodel.fuzzy import match
from viewer.document.viewmodel.number_table import offset_text
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import CardRow, ListCard
from viewer.ui.session import Session
from viewer.ui.window.bookmark_actions import BookmarkKeeper

HINT = "Enter goes there, F2 writes the note, Del removes the bookmark."
NOTHING = "No bookmarks yet. Ctrl+B sets one at the selected value."


class BookmarkList(ListCard):
    """Lists the bookmarks over the window.

    Signals:
        note_wanted: ``Bookmark``: its note should be written; the list is gone then.
        unwanted: ``Bookmark``: it should be taken away.
    """

    note_wanted = Signal(object)
    unwanted = Signal(object)

    def __init__(self, theme: Theme, window: QWidget, session: Session, keeper: BookmarkKeeper) -> None:
        super().__init__(theme, window, "Bookmarks", "bookmark")
        self.setObjectName("bookmarkList")
        self.field.setPlaceholderText("Find a bookmark by path or note")
        self._session, self._keeper = session, keeper
        self._shown: list[Bookmark] = []
        self.own_keys = frozenset((Qt.Key.Key_F2, Qt.Key.Key_Delete))
        self.edited.connect(self._filter)
        self.chosen.connect(self._go)
        self.pressed.connect(self._press)
        keeper.changed.connect(self._refresh)
        session.opened.connect(self.dismiss_quietly)

    def toggle(self) -> None:
        """Show it, or hide it where it is shown."""
        if self.isVisible():
            self.dismiss()
        elif self._session.document is not None:
            self._filter("")
            here = [k for k, mark in enumerate(self._shown) if mark.path == self._session.path]
            self.move_to(here[0] if here else min(0, len(self._shown) - 1))
            self.open()

    def _refresh(self) -> None:
        if self.isVisible():
            row = self.row
            self._filter(self.field.text())
            self.move_to(min(row, len(self._shown) - 1))

    def _filter(self, text: str) -> None:
        document, rows = self._session.document, []
        self._shown = []
        size = len(document.buffer) if document is not None else 0
        for mark in self._keeper.marks.marks:
            in_path = match(text, mark.path)
            if in_path is not None or match(text, mark.note) is not None:
                self._shown.append(mark)
                found = in_path.places if in_path is not None else ()
                rows.append(
                    CardRow(mark.path, found, mark.note, offset_text(mark.offset, size), "bookmark", fixed=True)
                )
        nothing = f"No bookmark has the letters of “{text}” in this order." if self._keeper.marks.marks else NOTHING
        self.set_rows(rows, hint=HINT if rows else nothing)

    def _go(self, row: int) -> None:
        mark = self._shown[row]
        self.dismiss()
        self._keeper.go(mark)

    def _press(self, key: Qt.Key, row: int) -> None:
        if not 0 <= row < len(self._shown):
            return
        mark = self._shown[row]
        if key == Qt.Key.Key_Delete:
            self.unwanted.emit(mark)
        else:
            self.dismiss()
            self.note_wanted.emit(mark)
