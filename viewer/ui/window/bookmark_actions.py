"""What the Go menu does with bookmarks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, Signal

from viewer.document.bookmarks import Bookmark, BookmarkProblem, Bookmarks, keep, load
from viewer.document.change import Change
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:
    from viewer.ui.panels.note_card import NoteCard
    from viewer.ui.window.bookmark_list import BookmarkList

# Keeps the bookmarks of the open file: follows its changes, and writes them where a next run finds them.

Row = tuple[str, int, str]


class BookmarkKeeper(QObject):
    """The bookmarks of the session's document.

    Args:
        session: what is open.
        folder: where to keep them, None to keep them only as long as the file is open.

    Attributes:
        marks: the bookmarks.

    Signals:
        changed: there are more, fewer, or they stand elsewhere.
    """

    changed = Signal()

    def __init__(self, session: Session, folder: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._folder = session, folder
        self._file: Path | None = None
        self._kept: list[Row] = []
        self.marks = Bookmarks()
        session.opened.connect(self._open)
        session.changed.connect(self._follow)
        session.history_changed.connect(self._saved)
        self._open()

    def keep(self) -> None:
        """The person has changed them: write them."""
        self._write()
        self.changed.emit()

    def go(self, mark: Bookmark) -> None:
        """Go to a bookmark, or to where it was where the file has no such value any more."""
        document = self._session.document
        item = mark.find(document) if document is not None else None
        if item is not None:
            self._session.select(item)
        else:
            self._session.go_to(mark.offset)

    def _open(self) -> None:
        document = self._session.document
        self._file = document.path if document is not None else None
        kept = load(self._folder, self._file) if self._folder is not None and self._file is not None else []
        self.marks = Bookmarks(kept)
        self._kept = _rows(self.marks)
        if document is not None and document.task is None:
            self.marks.follow(document, ())
        self.changed.emit()

    def _follow(self, change: Change) -> None:
        document = self._session.document
        if document is not None and self.marks.marks and (change.structure or change.splices):
            self.marks.follow(document, change.splices, change.moves)
            self.changed.emit()

    def _saved(self) -> None:
        """Write them where the file has another name now, or is saved with them standing elsewhere."""
        document = self._session.document
        if document is None or document.path is None:
            return
        is_new = document.path != self._file
        if is_new or (not document.modified and _rows(self.marks) != self._kept):
            self._file = document.path
            self._write()

    def _write(self) -> None:
        rows = _rows(self.marks)
        if self._folder is None or self._file is None:
            return
        try:
            document = self._session.document
            keep(self._folder, self._file, self.marks.marks, document is not None and document.wraps.is_secret)
            self._kept = rows
        except BookmarkProblem as problem:
            self._kept = rows  # it is said once, not at every key
            self._session.failed.emit(str(problem))


def _rows(marks: Bookmarks) -> list[Row]:
    """What of them is kept."""
    return [(mark.path, mark.offset, mark.note) for mark in marks.marks]


NONE = "There are no bookmarks yet: Ctrl+B sets one at the selected value."
NO_VALUE = "Select a value first: a bookmark marks a value."
REMOVED = "Bookmark removed; Ctrl+B on the same value brings it and its note back."


class BookmarkActions(QObject):
    """Sets, removes, lists and steps through bookmarks.

    Args:
        session: what is open.
        parts: tree and window.
        folder: where to keep them, None to forget them with the file.
        say: told in words what was done.
    """

    def __init__(self, session: Session, parts: Parts, folder: Path | None, say: Callable[[str], None]) -> None:
        super().__init__(session)
        self._session, self._parts, self._say = session, parts, say
        self.keeper = BookmarkKeeper(session, folder, self)
        self._list = parts.later(self._build_list)
        self._card = parts.later(self._build_card)
        self._noted: Bookmark | None = None
        self._removed: dict[str, str] = {}
        session.opened.connect(self._removed.clear)

    def _build_list(self, theme: Theme) -> BookmarkList:
        from viewer.ui.window.bookmark_list import BookmarkList

        built = BookmarkList(theme, self._parts.center.window(), self._session, self.keeper)
        built.note_wanted.connect(self._write_note_of)
        built.unwanted.connect(self._remove)
        return built

    def _build_card(self, theme: Theme) -> NoteCard:
        from viewer.ui.panels.note_card import NoteCard

        built = NoteCard(theme, self._parts.center.window())
        built.written.connect(self._take_note)
        return built

    def toggle(self) -> None:
        """Mark the selected row and ask for a note, or take its bookmark away."""
        document, item = self._session.document, self._session.item
        if document is None or item is None:
            self._say(NO_VALUE)
            return
        marks = self.keeper.marks
        mark = marks.at(document, item)
        if mark is not None:
            self._remove(mark)
            return
        mark = marks.add(document, item)
        marks.write_note(mark, self._removed.pop(mark.path, ""))
        self.keeper.keep()
        self._ask(marks.at(document, item) or mark)

    def show_list(self) -> None:
        """Show or hide the list."""
        self._list.get().toggle()

    def next(self) -> None:
        """Go to the next bookmark."""
        self._step(1)

    def previous(self) -> None:
        """Go to the previous bookmark."""
        self._step(-1)

    def _step(self, direction: int) -> None:
        mark = self.keeper.marks.beside(self._session.caret, direction)
        if mark is None:
            self._say(NONE)
        else:
            self.keeper.go(mark)

    def _remove(self, mark: Bookmark) -> None:
        if self._card.part is not None:
            self._noted = None
            self._card.part.dismiss()
        self._removed[mark.path] = mark.note
        self.keeper.marks.remove(mark)
        self.keeper.keep()
        self._say(REMOVED)

    def _write_note_of(self, mark: Bookmark) -> None:
        self.keeper.go(mark)
        self._ask(mark)

    def _ask(self, mark: Bookmark) -> None:
        """Ask for a note below the row in the tree."""
        self._noted = mark
        tree, window = self._parts.tree, self._parts.center.window()
        row = tree.row_rect(tree.currentIndex())
        row = row if row.intersects(tree.viewport().rect()) else QRect(0, 0, 1, 1)
        corner = tree.viewport().mapTo(window, QPoint(12, row.top())) if tree.isVisible() else QPoint(12, 60)
        self._card.get().ask(mark.note, QRect(corner, row.size()))

    def _take_note(self, note: str) -> None:
        mark, self._noted = self._noted, None
        if mark is not None and note != mark.note:
            self.keeper.marks.write_note(mark, note)
            self.keeper.keep()
