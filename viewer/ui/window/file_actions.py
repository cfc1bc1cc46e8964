"""Opening, saving, closing: the questions around them and the words when they fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QMimeData, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from viewer import assets
from viewer.container.capture_magic import CAPTURE_START, is_capture
from viewer.container.codecs import START, looks_wrapped
from viewer.container.layer import WrapError
from viewer.container.pasted import PasteError, bytes_from_text
from viewer.document import files
from viewer.document.document import CannotWrap, Document
from viewer.document.files import ChangedOnDisk, FileProblem, Stopped
from viewer.document.reading import AT_ONCE, Choice
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.window import dialogs
from viewer.ui.window.dialogs import Answer
from viewer.ui.window.open_files import OpenFiles
from viewer.ui.window.opening import unlocked
from viewer.ui.window.settings import Settings
from viewer.ui.worker import Job, Worker

LONG_WRAPPED, LONG_INSIDE = 1 << 17, 1 << 20
"""Unwrapping a file of more bytes, and wrapping more bytes, takes longer than a moment."""


class FileActions(QObject):
    """What the File menu does.

    Signals:
        capture_opened: the ``Path`` and bytes of a capture of network traffic.
        read_again: the ``Document`` as it was and as it is now, after a file was read again.

    Args:
        window: the parent of all dialogs.
        session: what is shown.
        opened: the open documents.
        settings: remembers the files.
        theme: gives the colours of the dialogs.
        done: told in words what was done.
    """

    capture_opened = Signal(object, object)
    read_again = Signal(object, object)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        opened: OpenFiles,
        settings: Settings,
        theme: Callable[[], Theme],
        done: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._opened = opened
        self._opened.close_requested.connect(self._close_tab)
        self._settings = settings
        self._theme = theme
        self._done = done
        self._loader = Worker(window)
        self._loader.finished.connect(self._loaded)
        self._loading: tuple[Path, bool] = (Path(), False)

    def open(self) -> None:
        """Ask for a file and show it."""
        document = self._session.document
        folder = str(document.path.parent) if document and document.path else ""
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, "Open a save or packet", folder, "All files (*)")
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path, choice: Choice | None = None) -> bool:
        """Show a file, in the tab where it is open already or in a new one; False where it cannot be shown."""
        there = self._opened.find(path)
        if there >= 0 and choice is None:
            self._opened.switch(there)
            return True
        return self._read(path, choice)

    def _read(self, path: Path, choice: Choice | None = None, again: bool = False) -> bool:
        """Read a file and show it: at once, or, of one that is to be unwrapped, when that is done.

        Args:
            path: the file.
            choice: how to read it.
            again: whether the file is shown already and takes its own place.
        """
        try:
            if is_capture_file(path):
                self._settings.add_recent(path)
                self.capture_opened.emit(path, files.read(path)[0])
            elif _takes_unwrapping(path):
                self._loading = (path, again)
                self._loader.start(lambda _: Document.open(path, choice, patience=0))
            else:
                self._show_file(Document.open(path, choice, patience=AT_ONCE), path, again)
        except FileProblem as problem:
            self._tell(str(problem))
            return False
        return True

    def _tell(self, sentence: str) -> None:
        """Say what could not be done, as soon as there is a window to say it in."""
        if self._window.isVisible():
            dialogs.tell(self._window, sentence)
        else:
            QTimer.singleShot(0, self._window, lambda: dialogs.tell(self._window, sentence))

    def _loaded(self, job: Job[Document]) -> None:
        path, again = self._loading
        if isinstance(job.error, FileProblem):
            dialogs.tell(self._window, str(job.error))
        elif job.error is not None:
            raise job.error
        elif job.result is not None:
            self._show_file(job.result, path, again)

    def _show_file(self, document: Document, path: Path, again: bool) -> None:
        self._settings.add_recent(path)
        if document.wraps.blocked is not None and self._window.isVisible():
            document = unlocked(self._window, self._theme, document)
        elif document.wraps.blocked is not None:
            QTimer.singleShot(0, self._window, self.unlock)
        if not again:
            self._opened.add(document)
            return
        old = self._session.document
        self._opened.replace(document, stay=True)
        if old is not None:
            self.read_again.emit(old, document)

    def unlock(self) -> None:
        """Ask for what keeps the shown document closed, and show it opened."""
        document = self._session.document
        if document is not None and document.wraps.blocked is not None:
            opened = unlocked(self._window, self._theme, document)
            if opened is not document:
                self._opened.replace(opened)

    def show_instead(self, document: Document) -> None:
        """Show another reading of the same file in its place."""
        self._opened.replace(unlocked(self._window, self._theme, document))

    def open_sample(self, name: str) -> None:
        """Show a sample; it has no path, so that saving asks for one."""
        self._opened.add(Document(assets.data("samples", name), name=name))

    def paste(self) -> None:
        """Show the bytes that stand on the clipboard as text: hex, base64, a dump, a list ..."""
        try:
            data = _bytes_of_text(QGuiApplication.clipboard().text())
        except (PasteError, WrapError) as error:
            dialogs.tell(self._window, str(error))
            return
        document = Document(data, name="packet from clipboard")
        self._opened.add(unlocked(self._window, self._theme, document))

    def save(self) -> bool:
        """Write the file; False where it was not written."""
        document = self._session.document
        if document is None:
            return False
        return self._write(document.path) if document.path else self.save_as()

    def save_as(self) -> bool:
        """Ask for a name and write; False where nothing was written."""
        document = self._session.document
        if document is None:
            return False
        start = str(document.path or document.name)
        name, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Save as", start, "All files (*)")
        if not name or not self._write(Path(name)):
            return False
        self._settings.add_recent(Path(name))
        return True

    def _write(self, path: Path, force: bool = False) -> bool:
        document = self._session.document
        try:
            with dialogs.Waiting(self._window, f"Saving “{path.name}”…") as waiting:
                if document is not None and document.wraps.around and len(document.buffer) > LONG_INSIDE:
                    waiting.do(document.to_be_written)
                self._session.save(path, force, waiting.goes_on, self._settings.backups)
        except ChangedOnDisk:
            return self._conflict(path)
        except Stopped:
            return False
        except CannotWrap as problem:
            return self._wrap_otherwise(path, force, str(problem))
        except FileProblem as problem:
            dialogs.tell(self._window, str(problem))
            return False
        self._done(f"Saved “{path.name}”.")
        return True

    def _wrap_otherwise(self, path: Path, force: bool, problem: str) -> bool:
        """The file cannot be wrapped as it was; True where the person takes another way and it is written."""
        document = self._session.document
        if document is None or not document.has_other_wraps:
            dialogs.tell(self._window, problem)
            return False
        if not dialogs.ask_zstd(self._window, problem):
            return False
        document.use_other_wraps()
        return self._write(path, force)

    def _conflict(self, path: Path) -> bool:
        """Somebody else wrote the file; True where it is settled and nothing is left unsaved."""
        answer = dialogs.ask_changed_on_disk(self._window, path.name)
        if answer is Answer.OVERWRITE:
            return self._write(path, force=True)
        return answer is Answer.RELOAD and self._read_again()

    def reload(self) -> None:
        """Read the file again; asks where changes would be lost."""
        document = self._session.document
        if document is None or document.path is None:
            return
        if not document.modified or dialogs.ask_drop_changes(self._window, document.name):
            self._read_again()

    def _read_again(self) -> bool:
        document = self._session.document
        if document is None or document.path is None:
            return False
        return self._read(document.path, document.choice, again=True)

    def close(self) -> bool:
        """Close the file; False where the person stays."""
        if not self._may_close():
            return False
        self._opened.close_current()
        return True

    def _close_tab(self, number: int) -> None:
        shown = self._opened.current
        self._opened.switch(number)
        if self.close() and shown != number:
            self._opened.switch(shown - (shown > number))

    def leave(self) -> None:
        """The window closes: nothing may be read beside it any more."""
        self._loader.stop()
        self._loader.wait()

    def may_leave(self) -> bool:
        """Whether all open documents may go: nothing is unsaved, or the person has decided for each."""
        for number, document in enumerate(self._opened.documents):
            if document.modified:
                self._opened.switch(number)
                if not self._may_close():
                    return False
        return True

    def _may_close(self) -> bool:
        """Whether the shown document may go."""
        document = self._session.document
        if document is None or not document.modified:
            return True
        answer = dialogs.ask_unsaved(self._window, document.name)
        return self.save() if answer is Answer.SAVE else answer is Answer.DISCARD


def _bytes_of_text(text: str) -> bytes:
    """The bytes that a text stands for.

    Raises:
        PasteError, WrapError: it stands for none.
    """
    from viewer.container.armor.codecs import unwrap_text

    found = unwrap_text(text.strip()) if text.strip() else None
    return bytes_from_text(text) if found is None else found[1].inside


def is_capture_file(path: Path) -> bool:
    """Whether a file holds captured network traffic; what cannot be read is none."""
    return is_capture(files.start_of(path, CAPTURE_START))


def _takes_unwrapping(path: Path) -> bool:
    """Whether a file may have to be unwrapped, and is so long that this takes longer than a moment."""
    try:
        return path.stat().st_size > LONG_WRAPPED and looks_wrapped(files.start_of(path, START))
    except OSError:
        return False


def file_in(data: QMimeData) -> Path | None:
    """The local file that is dragged, None for anything else."""
    names = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return Path(names[0]) if names else None
