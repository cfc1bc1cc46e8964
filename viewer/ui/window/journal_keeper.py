"""Keeps journals of what is edited, and finds those that another run of the program left behind."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths

from viewer.document.document import Document
from viewer.document.journal import Journal, Left, left_behind
from viewer.document.splice import Splice
from viewer.ui.session import Session

FOLDER = "journals"
LOCK = "lock"
ENDING = ".journal"


def usual_folder() -> Path:
    """Where journals lie: beside the user's settings."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(place) / FOLDER


class JournalKeeper(QObject):
    """Writes down what is edited in a window, in a folder of its own that is locked while the program lives.

    Args:
        session: tells what is edited.
        documents: gives all open documents.
        folder: where the folders of all runs lie.
        say: told in words when nothing can be written down.
    """

    def __init__(
        self, session: Session, documents: Callable[[], Sequence[Document]], folder: Path, say: Callable[[str], None]
    ) -> None:
        super().__init__(session)
        self._session = session
        self._documents = documents
        self._folder = folder
        self._say = say
        self._mine = folder / uuid.uuid4().hex
        self._lock: QLockFile | None = None
        self._journals: dict[int, tuple[Document, Journal]] = {}
        self._failed = False
        session.written.connect(self._write)
        session.history_changed.connect(self._follow)
        session.opened.connect(self._follow)

    def _write(self, splices: tuple[Splice, ...]) -> None:
        document = self._session.document
        if document is None or self._failed:
            return
        try:
            self._journal(document).add(splices)
        except OSError as error:
            self._failed = True
            self._say(f"Changes cannot be kept for the case of a crash: {error.strerror or error}. Save often.")

    def _journal(self, document: Document) -> Journal:
        if self._lock is None:
            self._mine.mkdir(parents=True, exist_ok=True)
            self._lock = QLockFile(str(self._mine / LOCK))
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)
        key = id(document)
        if key not in self._journals:
            name = f"{uuid.uuid4().hex}{ENDING}"
            self._journals[key] = (document, Journal(self._mine / name, document))
        return self._journals[key][1]

    def _follow(self) -> None:
        """Drop the journals of what is saved or closed."""
        if not self._journals:
            return
        here = {id(document) for document in self._documents()}
        for key, (document, journal) in list(self._journals.items()):
            if key not in here:
                journal.drop()
                del self._journals[key]
            elif not document.modified:
                journal.drop()

    def leave(self) -> None:
        """The program ends as it should: nothing is left behind."""
        for _, journal in self._journals.values():
            journal.drop()
        self._journals.clear()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
            shutil.rmtree(self._mine, ignore_errors=True)

    # What others left

    def left(self) -> list[Left]:
        """What runs of the program that died left behind."""
        out: list[Left] = []
        for folder in sorted(self._folder.iterdir()) if self._folder.is_dir() else ():
            if folder == self._mine or not folder.is_dir() or not _is_dead(folder):
                continue
            found = [left_behind(path) for path in sorted(folder.glob(f"*{ENDING}"))]
            known = [each for each in found if each is not None]
            if not known:
                shutil.rmtree(folder, ignore_errors=True)
            out += known
        return out

    def forget(self, left: Left) -> None:
        """Drop what was left behind: it is brought back, or not wanted."""
        left.path.unlink(missing_ok=True)
        if not list(left.path.parent.glob(f"*{ENDING}")):
            shutil.rmtree(left.path.parent, ignore_errors=True)


def _is_dead(folder: Path) -> bool:
    """Whether no running program holds a folder."""
    lock = QLockFile(str(folder / LOCK))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True
