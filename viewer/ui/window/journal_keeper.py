"""Keeps journals of what is edited, and knows those that another run of the program left behind."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal

from viewer.document.document import Document
from viewer.document.journals.bringing_back import JournalFit, JournalOutlook, brought_back, outlook
from viewer.document.journals.journal import Journal, LeftJournal, NotKept, sync
from viewer.document.journals.journal_folders import JournalFolders
from viewer.document.splice import Splice
from viewer.ui.main_thread import MainThread
from viewer.ui.session import Session

FOLDER = "journals"
TRY_AGAIN = 5000
"""Milliseconds after which what the disk did not take is offered to it again."""
SYNC_AFTER = 1000
"""Milliseconds of changes that reach the disk together."""
APART = "“{}” is open with other changes, so this version is “{}” and has no file: save it under a name of its own."


def usual_folder() -> Path:
    """Where journals lie: beside the user's settings."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(place) / FOLDER


class JournalKeeper(QObject):
    """Writes down what is edited in the sessions that it follows, see :meth:`follow`.

    Args:
        parent: it lives as long as this.
        documents: gives all open documents.
        folder: where the folders of all runs lie.
        say: told in words when nothing can be written down.
        to_disk: lets a journal outlive the end of the power; called beside the window.
    """

    _synced = Signal(str, object)

    def __init__(
        self,
        parent: QObject,
        documents: Callable[[], Sequence[Document]],
        folder: Path,
        say: Callable[[str], None],
        to_disk: Callable[[Path], None] = sync,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._folders = JournalFolders(folder)
        self._say = say
        self._to_disk = to_disk
        self._journals: dict[int, tuple[Document, Journal]] = {}
        self._failed = False
        self._refused: list[Document] = []
        self._fresh: set[Path] = set()
        self._syncing: threading.Thread | None = None
        self._again = QTimer(self, singleShot=True, interval=TRY_AGAIN)
        self._again.timeout.connect(self.try_again)
        self._sync_soon = QTimer(self, singleShot=True, interval=SYNC_AFTER)
        self._sync_soon.timeout.connect(self._sync)
        self._synced.connect(self._tell_synced)
        self._main_thread = MainThread(self)
        self._ways: dict[Session, tuple[Callable[[tuple[Splice, ...]], None], Callable[[Path], None]]] = {}

    def follow(self, session: Session) -> None:
        """Write down what is edited in a session from now on."""
        if session not in self._ways:
            self._ways[session] = (partial(self._write, session), partial(self._save, session))
            session.written.connect(self._ways[session][0])
            session.saving.connect(self._ways[session][1])
            session.history_changed.connect(self._drop_done)
            session.opened.connect(self._drop_done)

    def part(self, session: Session) -> None:
        """Hear no more of a session: its view closes."""
        ways = self._ways.pop(session, None)
        if ways is not None:
            session.written.disconnect(ways[0])
            session.saving.disconnect(ways[1])
            session.history_changed.disconnect(self._drop_done)
            session.opened.disconnect(self._drop_done)
            self._drop_done()

    # Writing

    def _write(self, session: Session, splices: tuple[Splice, ...]) -> None:
        document = session.document
        if document is not None and document not in self._refused and not session.hears:
            self._do(document, lambda journal: journal.add(splices))

    def _do(self, document: Document, write: Callable[[Journal], None]) -> bool:
        """Write to the journal of a document; False where the disk does not take it."""
        try:
            self._folders.hold()
            journal = self._journal(document)
            write(journal)
        except NotKept as problem:
            self._refused.append(document)
            self._say(str(problem))
        except (OSError, MemoryError) as error:
            self._fail(getattr(error, "strerror", None) or "there is not enough memory")
            return False
        else:
            self._fresh.add(journal.path)
            if not self._sync_soon.isActive():
                self._sync_soon.start()
        return True

    def _journal(self, document: Document) -> Journal:
        key = id(document)
        if key not in self._journals:
            self._journals[key] = (document, Journal(self._folders.fresh_path(), document))
        return self._journals[key][1]

    def _fail(self, why: str) -> None:
        """Say once that changes cannot be kept, and try again for as long as that is so."""
        self._again.start()
        if not self._failed:
            self._failed = True
            self._say(f"Changes cannot be kept in case of a crash ({why[:1].lower()}{why[1:]}). Save often.")

    def try_again(self) -> None:
        """Offer the disk once more what it did not take."""
        for document in self._documents():
            behind = id(document) not in self._journals or self._journals[id(document)][1].is_behind
            wanted = document.modified and behind and document not in self._refused
            if wanted and not self._do(document, Journal.catch_up):
                return

    def _save(self, session: Session, target: Path) -> None:
        """A document is about to be written to a file."""
        document = session.document
        if document is not None and id(document) in self._journals:
            with contextlib.suppress(OSError, MemoryError):
                self._journals[id(document)][1].about_to_save(target)

    def _sync(self) -> None:
        """Let what was written since the last time reach the disk, which may take long, beside the window."""
        if self._syncing is not None and self._syncing.is_alive():
            self._sync_soon.start()
            return
        paths, self._fresh = self._fresh, set()
        self._syncing = threading.Thread(target=self._sync_all, args=(paths,), name="journals", daemon=True)
        self._syncing.start()

    def _sync_all(self, paths: set[Path]) -> None:
        why = ""
        for path in paths:
            try:
                self._to_disk(path)
            except OSError as error:
                why = error.strerror or str(error)
        self._main_thread.call(lambda: self._synced.emit(why, paths))

    def _tell_synced(self, why: str, paths: set[Path]) -> None:
        """What was written to some journals has reached the disk, or why not."""
        if why:
            self._fresh.update(journal.path for _, journal in self._journals.values())
            self._sync_soon.start()
            self._fail(why)
            return
        for _, journal in self._journals.values():
            if journal.path in paths:
                journal.settle()
        self._folders.clear_empty()
        if self._failed and not any(journal.is_behind for _, journal in self._journals.values()):
            self._failed = False
            self._say("Changes are again kept in case of a crash.")

    def _drop_done(self) -> None:
        """Drop the journals of what is saved or closed."""
        if not self._journals and not self._refused:
            return
        here = {id(document) for document in self._documents()}
        for key, (document, journal) in list(self._journals.items()):
            if key not in here:
                journal.drop()
                del self._journals[key]
            elif not document.modified:
                journal.drop()
        self._refused = [document for document in self._refused if id(document) in here and document.modified]

    def leave(self) -> None:
        """The program ends as it should: nothing of its own is left behind."""
        for _, journal in self._journals.values():
            journal.drop()
        self._journals.clear()
        self._again.stop()
        self._sync_soon.stop()
        self._folders.leave()

    # What others left

    def left(self) -> list[tuple[LeftJournal, JournalOutlook]]:
        """What runs of the program that died left behind, and what can be done with it; see :meth:`release`.

        What its file holds already goes.
        """
        out: list[tuple[LeftJournal, JournalOutlook]] = []
        replaced = {journal.replaces for _, journal in self._journals.values()}
        for left in self._folders.claim():
            if left.path in replaced:
                continue
            look = seen(left)
            if look.fit is JournalFit.HELD:
                self._folders.forget(left)
            else:
                out.append((left, look))
        return out

    def bring_back(self, left: LeftJournal, show: Callable[[Document], None], file: Path | None = None) -> str:
        """Show a document with its changes, which stay written down until it is saved or closed.

        Says so where the file holds them already. Where that is open with other changes, this is a document of its own.

        Args:
            left: what was left behind.
            show: shows a document in a tab of its own.
            file: where a person says that the edited file is.

        Raises:
            NotBroughtBack: the changes do not fit the file; they stay.
            OSError: the journal cannot be read.
            MemoryError: there is too little of it.
        """
        document = brought_back(left, file, self._is_unsaved)
        if document is None:
            self._folders.forget(left)
            return f"“{file or left.file or left.name}” holds the changes already."
        show(document)
        if left.file is not None and document.path is None:
            self._say(APART.format(left.name, document.name))
        fresh = self._folders.fresh_path()
        self._journals[id(document)] = (document, Journal(fresh, document, instead_of=left.path))
        self._do(document, Journal.catch_up)
        return ""

    def _is_unsaved(self, path: Path) -> bool:
        """Whether a file is open with changes that are not saved, or as its last copy."""
        paths = (document.path for document in self._documents() if document.is_unsaved)
        return any(each is not None and os.path.realpath(each) == os.path.realpath(path) for each in paths)

    def forget(self, left: LeftJournal) -> None:
        """Drop what was left behind: it is not wanted."""
        self._folders.forget(left)

    def release(self) -> None:
        """Let other runs of the program offer what was left behind and is still there."""
        replaced = (journal.replaces for _, journal in self._journals.values())
        self._folders.release(frozenset(path for path in replaced if path is not None))


def seen(left: LeftJournal, file: Path | None = None) -> JournalOutlook:
    """What can be done with a journal, also where it or its file cannot be read now."""
    try:
        return outlook(left, file)
    except OSError as error:
        return JournalOutlook(
            JournalFit.NEVER, f"What was kept of “{left.name}” cannot be read now ({error.strerror}): it stays."
        )
    except MemoryError:
        return JournalOutlook(
            JournalFit.WAITS, f"There is not enough memory for “{left.name}”: close other programs, then try again."
        )
