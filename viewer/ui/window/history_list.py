"""The list of changes: all that can be undone and redone, where the document stands among them, and a way to any."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from viewer.base.words import counted
from viewer.document.bookmarks import Bookmark
from viewer.document.viewmodel.number_table import offset_text
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import CardRow, ListCard, match
from viewer.ui.session import Session
from viewer.ui.window.bookmark_actions import BookmarkKeeper
from viewer.ui.window.parts import Parts

FIRST = "As opened"
NOTHING = "Nothing was changed yet. Each change will stand here, and a way back to before it."
HINT = "Enter goes to how it was after a change, Esc closes."


class HistoryList:
    """Lists the states of the document over the window; a chosen one is gone to in one step, and the list stays.

    Args:
        theme: its colours.
        parts: over whose window it lies.
        session: undoes and redoes.
    """

    def __init__(self, theme: Theme, parts: Parts, session: Session) -> None:
        self._session = session
        self._states: list[int] = []
        self.card = ListCard(theme, parts.center.window(), "Changes", "history")
        self.card.setObjectName("historyList")
        self.card.field.setPlaceholderText("Find a change")
        self.card.edited.connect(self._filter)
        self.card.chosen.connect(self._jump)
        session.history_changed.connect(self._refresh)
        session.opened.connect(self.card.dismiss_quietly)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.card.set_theme(theme)

    def toggle(self) -> None:
        """Show it, or hide it where it is shown."""
        if self.card.isVisible():
            self.card.dismiss()
        elif self._session.document is not None:
            self._filter("")
            self.card.open()

    def _refresh(self) -> None:
        """More was changed, undone or saved while it is shown."""
        if self.card.isVisible():
            self._filter(self.card.field.text())

    def _filter(self, text: str) -> None:
        document = self._session.document
        if document is None:
            return
        history, rows = document.history, []
        labels = history.labels
        self._states = []
        for state, label in enumerate((FIRST, *labels)):
            found = match(text, label)
            if found is not None:
                self._states.append(state)
                rows.append(_row(label, found.places, state, history.done, history.saved))
        now = next((k for k, state in enumerate(self._states) if state >= history.done), len(rows) - 1)
        self.card.set_rows(rows, now, self._hint(len(labels), history.done, text))

    def _hint(self, count: int, done: int, text: str) -> str:
        if not count:
            return NOTHING
        if not self._states:
            return f"No change has the letters of “{text}” in this order."
        undone = f", {count - done} undone" if done < count else ""
        return f"{counted(count, 'change')}{undone}. {HINT}"

    def _jump(self, row: int) -> None:
        document, state = self._session.document, self._states[row]
        if document is None or state == document.history.done:
            return
        document.history.aim(state)
        self._session.undo() if state < document.history.done else self._session.redo()


def _row(label: str, found: tuple[int, ...], state: int, done: int, saved: int | None) -> CardRow:
    """One state: those behind the present one are undone."""
    is_now, is_saved = state == done, state == saved
    words = [word for word, said in (("now", is_now), ("saved", is_saved), ("undone", state > done)) if said]
    icon = "arrow-right" if is_now else "save" if is_saved else "redo-2" if state > done else ""
    role = "accent" if is_now else "text_secondary"
    return CardRow(label, found, end=", ".join(words), icon=icon, icon_role=role, strong=is_now, quiet=state > done)


# The list of bookmarks: where each stands, its note, and the keys to go there, write a note or take it away.

BOOKMARK_LIST_HINT = "Enter goes there, F2 writes the note, Del takes the bookmark away."
BOOKMARK_LIST_NOTHING = "No bookmarks yet. Ctrl+B sets one at the selected value."


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
        nothing = (
            f"No bookmark has the letters of “{text}” in this order."
            if self._keeper.marks.marks
            else BOOKMARK_LIST_NOTHING
        )
        self.set_rows(rows, hint=BOOKMARK_LIST_HINT if rows else nothing)

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
