"""Guards a person's work: changes are written down for the case of a crash, and other programs' writing is noticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from viewer.document.document import Document
from viewer.document.shown.counts import counted
from viewer.ui.session import Session
from viewer.ui.window.file_actions import FileActions
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.open_files import OpenFiles
from viewer.ui.window.settings import Settings
from viewer.ui.window.watcher import FileWatcher

TOLD = 8000
"""Milliseconds for which changed values are marked after a file was read again."""


class Guard(QObject):
    """Journals and file watching of one window.

    Args:
        window: the parent of the dialogs.
        session: what is edited.
        opened: the open documents.
        files: reads a file again.
        settings: says whether that is done unasked.
        folder: where journals lie.
        say: told in words what happened.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        opened: OpenFiles,
        files: FileActions,
        settings: Settings,
        folder: Path,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(session)
        self._window = window
        self._session = session
        self._opened = opened
        self._files = files
        self._settings = settings
        self._say = say
        self.journals = JournalKeeper(session, lambda: opened.documents, folder, say)
        self.watcher = FileWatcher(session)
        self.watcher.changed.connect(self._changed_on_disk)
        files.read_again.connect(self._tell_news)
        self._fading = QTimer(self)
        self._fading.setSingleShot(True)
        self._fading.setInterval(TOLD)
        self._fading.timeout.connect(self._fade)
        self._marked: Document | None = None

    def offer_recovery(self) -> None:
        """Offer what an earlier run left behind, where it did."""
        from viewer.ui.window.recovery import offer

        offer(self._window, self.journals, self._opened.add)

    def leave(self) -> None:
        """The window closes as it should."""
        self.journals.leave()

    def _changed_on_disk(self) -> None:
        document = self._session.document
        if document is None:
            return
        if self._settings.reload_unasked and not document.modified and document.path and document.path.exists():
            self._files.reload()
        else:
            self._session.news_changed.emit()

    def _tell_news(self, old: Document, new: Document) -> None:
        """Mark the values that a file read again has changed, for a while."""
        from viewer.document.compare import news

        if old.task is not None or new.task is not None:
            return
        new.news = tuple(news(old, new))
        count = len(new.news)
        self._say(f"Read again: {counted(count, 'value')} changed." if count else "Read again.")
        if count:
            self._marked = new
            self._session.news_changed.emit()
            self._fading.start()

    def _fade(self) -> None:
        if self._marked is not None:
            self._marked.news = ()
            self._marked = None
            self._session.news_changed.emit()
