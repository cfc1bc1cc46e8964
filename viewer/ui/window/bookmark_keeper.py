"""Keeps the bookmarks of the open file: follows its changes, and writes them where a next run finds them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from viewer.document.bookmarks import Bookmark, BookmarkProblem, Bookmarks, keep, load
from viewer.document.change import Change
from viewer.ui.session import Session

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
