"""Watches the file of the shown document: a game writes its save while it is looked at."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from viewer.ui.session import Session

QUIET = 300
"""Milliseconds that a file must be left alone before it is looked at: it may be written in several steps."""


class FileWatcher(QObject):
    """Tells when another program has written the file that is shown.

    Args:
        session: whose document is watched.

    Signals:
        changed: the file is another one than the one that was read.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._system = QFileSystemWatcher(self)
        self._system.fileChanged.connect(self._stir)
        self._system.directoryChanged.connect(self._stir)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET)
        self._quiet.timeout.connect(self._look)
        session.opened.connect(self._watch)
        session.history_changed.connect(self._follow)
        self._path: Path | None = None
        self._watch()

    def _follow(self) -> None:
        """A document that was saved under another name has another file."""
        document = self._session.document
        if (document.path if document is not None else None) != self._path:
            self._watch()

    def _watch(self) -> None:
        """Watch the file that is shown now, and its folder: a file that is replaced is another one to the system."""
        document = self._session.document
        self._path = document.path if document is not None else None
        watched = [*self._system.files(), *self._system.directories()]
        if watched:
            self._system.removePaths(watched)
        if self._path is not None:
            path = self._path.absolute()
            self._system.addPaths([str(place) for place in (path, path.parent) if place.exists()])

    def _stir(self, _: str) -> None:
        self._quiet.start()

    def _look(self) -> None:
        document = self._session.document
        if document is None or document.path is None:
            return
        path = str(document.path.absolute())
        if path not in self._system.files() and document.path.exists():
            self._system.addPath(path)
        if document.changed_on_disk:
            self.changed.emit()
