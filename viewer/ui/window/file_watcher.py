"""Watches the file of the shown document: a game writes its save while it is looked at."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from viewer.document.disk.files import is_missing, stamp
from viewer.ui.session import Session

QUIET = 300
"""Milliseconds that a file must be left alone before it is looked at: it may be written in several steps."""


class FileWatcher(QObject):
    """Tells when another program has written the file that is shown, has taken it away, or has put it back.

    Args:
        session: whose document is watched.

    Signals:
        changed: the file is another one than the one that was read, or is no longer; it may be written, or no longer.
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
        self._told: tuple[object, ...] = ()
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
        self._told = self._state()
        watched = [*self._system.files(), *self._system.directories()]
        if watched:
            self._system.removePaths(watched)
        self._watch_places()

    def _watch_places(self) -> None:
        """Watch the file, the folder that is there above it, and the one above that: it tells when a folder moves."""
        if self._path is None:
            return
        path = self._path.absolute()
        above = [folder for folder in path.parents if os.path.exists(folder)][:2]
        wanted = {str(place) for place in (path, *above) if os.path.exists(place)}
        if new := wanted.difference(self._system.files(), self._system.directories()):
            self._system.addPaths(sorted(new))

    def _state(self) -> tuple[object, ...]:
        """Whether the file is there, which one it is, whether that is not the one that was read, and may be written."""
        document = self._session.document
        if document is None or document.path is None:
            return ()
        path = document.path
        return is_missing(path), stamp(path), document.changed_on_disk, os.access(path, os.W_OK)

    def _stir(self, place: str) -> None:
        """Something happened; what happens beside the file must not put the look at it off again and again."""
        is_own = self._path is not None and Path(place) == self._path.absolute()
        if is_own or not self._quiet.isActive():
            self._quiet.start()

    def _look(self) -> None:
        self._watch_places()
        state = self._state()
        if state != self._told:
            self._told = state
            self.changed.emit()
