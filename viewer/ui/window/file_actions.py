"""Opening, saving, closing: the questions around them and the words when they fail."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QDropEvent, QGuiApplication, QWindow
from PySide6.QtWidgets import QWidget

from viewer.base import assets
from viewer.base.record import replace
from viewer.container.capture_magic import CAPTURE_START, is_capture
from viewer.container.codecs import START, looks_wrapped
from viewer.container.layer import KeyWrong, WrapError
from viewer.container.unpacking import size_in_words
from viewer.document.disk import files
from viewer.document.disk.files import ChangedOnDisk, FileProblem, NotWritable, SaveStopped
from viewer.document.disk.paged import fault
from viewer.document.document import CannotWrap, Document
from viewer.document.reading import AT_ONCE, Preferred, ReadOptions
from viewer.document.reading_store import ReadingProblem, forget, keep, open_as_kept
from viewer.document.selection import SelectionAnchor, SelectionState
from viewer.document.wraps import UnwrapOptions
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.window.first_frame import ENDS
from viewer.ui.window.open_files import OpenDocument, OpenFiles
from viewer.ui.worker import Job, Worker

# Opening what is wrapped: the password is asked for, and whether very much may be unpacked.


def unlocked(parent: QWidget, theme: Callable[[], Theme], document: Document) -> Document:
    """The document with its values reached, where the person helps; else the one that shows closed bytes.

    Args:
        parent: the window.
        theme: gives the colours.
        document: what was opened.
    """
    while document.wraps.blocked is not None:
        helped = _helped(parent, theme, document)
        if helped is None:
            break
        document = helped
    return document


def _helped(parent: QWidget, theme: Callable[[], Theme], document: Document) -> Document | None:
    """The document opened with what the person says, None where they say nothing or cannot help."""
    opening, blocked = document.choice.opening, document.wraps.blocked
    if document.wraps.needs_key:
        from viewer.document.profiles.profile_folder import hint_for
        from viewer.ui.window.password_dialog import PasswordDialog

        wrong = str(blocked) if isinstance(blocked, KeyWrong) else ""
        dialog = PasswordDialog(parent, theme(), document.name, wrong, hint_for(str(document.path or document.name)))
        if not dialog.exec() or dialog.secret is None:
            return None
        return _opened_as(parent, document, replace(opening, secret=dialog.secret))
    needed = document.wraps.too_large
    if needed and dialogs.ask_large(parent, document.name, str(blocked), size_in_words(needed)):
        return _opened_as(parent, document, replace(opening, limit=needed))
    return None


def _opened_as(parent: QWidget, document: Document, opening: UnwrapOptions) -> Document:
    """The document opened so, beside the window: very much may come out of its wraps."""
    found: list[Document] = []
    with dialogs.Waiting(parent, f"Unpacking “{document.name}” …") as waiting:
        waiting.do(lambda: found.append(document.opened_as(opening)))
    return found[0]


AGAIN = 50
"""Milliseconds between two looks at whether a question is answered."""
LONG_WRAPPED, LONG_INSIDE = 1 << 15, 1 << 20
"""Unwrapping a file of more bytes, and wrapping more bytes, takes longer than a moment."""

UNHOLDABLE = "“{}” was not saved, because its text cannot hold one of the values. {} Undo reverts the last change."


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
        readings: the folder where it is kept how files are read, None to keep nothing.
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
        readings: Path | None = None,
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
        self._loader.finished.connect(self._take_loaded)
        self._loading: tuple[Path, Document | None, int] = (Path(), None, 0)
        self._loaded: Job[Document] | None = None
        self._waiting: deque[tuple[Path, ReadOptions | None, Document | None]] = deque()
        self._problems: list[str] | None = None
        self._has_capture = False
        self._writes = False
        self._readings = readings
        self._chosen: Document | None = None
        session.reread.connect(self._keep_choice)
        session.changed.connect(self._keep_late)
        self._given_up: list[tuple[Document, int]] = []

    def open(self) -> None:
        """Ask for a file and show it."""
        document = self._session.document
        folder = str(document.path.parent) if document and document.path else ""
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, "Open a save or packet", folder, "All files (*)")
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path, choice: ReadOptions | None = None) -> bool:
        """Show a file, in the tab where it is open already or in a new one; False where it cannot be shown.

        One that another view has open is the same document here.
        """
        return self._show_open(path, choice) or self._read(path, choice)

    def _show_open(self, path: Path, choice: ReadOptions | None) -> bool:
        """Show a file that is open already, here or in another view; False where it is not."""
        there = self._opened.find(path)
        other = self._opened.open_elsewhere(path)
        if choice is not None or (there < 0 and other is None):
            return False
        if there >= 0:
            self._opened.switch(there)
        elif other is not None:
            self._settings.add_recent(path)
            self._opened.add(other)
        return True

    def show_read(self, document: Document, path: Path) -> None:
        """Show the document of a file in a tab of its own."""
        self._show_file(document, path, None)

    def open_again(self, places: Sequence[tuple[Path, str]], shown: int) -> list[str]:
        """Open the files of an earlier run of the program, without any question.

        Args:
            places: each file, and the path of what was selected in it.
            shown: which of them to show, -1 to go on showing what is shown.

        Returns:
            The names of those that cannot be opened.
        """
        found: list[OpenDocument] = []
        missing: list[str] = []
        here = 0
        for number, (path, at) in enumerate(places):
            if self._opened.find(path) >= 0:
                continue
            try:
                if files.is_stream(path) or is_capture_file(path):
                    continue
                document = self._opened.open_elsewhere(path) or self._opened_document(path, None, AT_ONCE)
            except FileProblem:
                missing.append(path.name)
                continue
            here = len(found) if number <= shown else here
            found.append(OpenDocument(document, SelectionState(anchor=SelectionAnchor(at))))
        self._opened.take_all(found, here if shown >= 0 else -1)
        return missing

    def open_all(self, paths: Sequence[Path], choice: ReadOptions | None = None) -> None:
        """Show several files; those that cannot be shown are told when the others are, and keep none of them back.

        Args:
            paths: the files, of which the last one is shown at the end.
            choice: how to read them, None for what is found.
        """
        self._problems, self._has_capture = self._problems or [], False
        self._waiting.extend((path, choice, None) for path in paths)
        self._open_waiting()

    def _open_waiting(self) -> None:
        """Go on with the files that wait, unless one is being unwrapped; behind the last one, say what failed."""
        while self._waiting and not self._is_loading:
            path, choice, old = self._waiting.popleft()
            if old is not None or not self._show_open(path, choice):
                self._read(path, choice, old)
        if self._problems is not None and not self._waiting and not self._is_loading:
            problems, self._problems = self._problems, None
            if problems:
                self._tell("\n".join(dialogs.named(problems)))

    def _read(self, path: Path, choice: ReadOptions | None = None, old: Document | None = None) -> bool:
        """Read a file and show it: at once, or, of one that is to be unwrapped, when that is done.

        Args:
            path: the file.
            choice: how to read it.
            old: the document of the file that is shown already, and gives its place; None for none.
        """
        try:
            if files.is_stream(path):
                self._show_file(self._read_stream(path, choice), path, old)
            elif is_capture_file(path) and self._problems is not None and self._has_capture:
                self._tell(
                    f"“{path}” is another capture: the packets of only one are shown at a time. Drop it by itself."
                )
            elif is_capture_file(path):
                self._has_capture = True
                self._settings.add_recent(path)
                self.capture_opened.emit(path, files.read(path)[0])
            elif _takes_unwrapping(path):
                if self._is_loading:
                    self._waiting.append((path, choice, old))
                    return True
                self._loading = (path, old, old.revision if old is not None else 0)
                self._loader.start(lambda _: self._opened_document(path, choice, 0, begins=True))
            else:
                self._show_file(self._opened_document(path, choice, AT_ONCE), path, old)
        except SaveStopped:
            return False
        except FileProblem as problem:
            self._tell(str(problem))
            return False
        return True

    def _read_stream(self, path: Path, choice: ReadOptions | None) -> Document:
        """What comes out of a pipe or device; waiting for it can be given up.

        Raises:
            FileProblem: it cannot be read, or was given up.
        """
        with dialogs.Waiting(self._window, f"Waiting for somebody to write to “{path.name}”…") as waiting:
            data, stamp = files.read(path, progress=waiting.goes_on)
        return Document(data, path, choice=choice, stamp=stamp, patience=AT_ONCE)

    def _tell(self, sentence: str) -> None:
        """Say what could not be done, as soon as there is a window to say it in and all that was wanted is tried."""
        if self._problems is not None:
            self._problems.append(sentence)
        elif self._window.isVisible():
            dialogs.tell(self._window, sentence)
        else:
            QTimer.singleShot(0, self._window, lambda: dialogs.tell(self._window, sentence))

    @property
    def _is_loading(self) -> bool:
        return self._loader.job is not None or self._loaded is not None

    def _take_loaded(self, job: Job[Document]) -> None:
        self._loaded = job
        self._show_loaded()

    def _show_loaded(self) -> None:
        """Show what was unwrapped, as soon as nothing is asked about what is shown now."""
        job = self._loaded
        if job is None:
            return
        if dialogs.is_asking(self._window):
            QTimer.singleShot(AGAIN, self, self._show_loaded)
            return
        self._loaded = None
        path, old, revision = self._loading
        if old is not None and old is self._session.document:
            self._session.settle()  # what was typed meanwhile is a change, too
        try:
            if isinstance(job.error, FileProblem):
                self._tell(str(job.error))
            elif job.error is not None:
                raise job.error
            elif old is not None and old.revision != revision:
                self._tell(f"“{path}” was not read again: it was changed here meanwhile.")
            elif job.result is not None:
                self._show_file(job.result, path, old)
        finally:
            self._open_waiting()

    def _show_file(self, document: Document, path: Path, old: Document | None) -> None:
        place = self._opened.place_of(old)
        if old is not None and place < 0:
            return  # its tab was closed, or moved, while it was read again
        self._settings.add_recent(path)
        if document.wraps.blocked is not None and self._window.isVisible():
            document = unlocked(self._window, self._theme, document)
        elif document.wraps.blocked is not None:
            QTimer.singleShot(0, self._window, self.unlock)
        if old is None and not self._show_open(path, None):  # another view may have opened it meanwhile
            self._opened.add(document)
        if old is None:
            return
        self._opened.switch(place)
        self._opened.replace(document, stay=True)
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
        self._keep_choice()

    def open_sample(self, name: str) -> None:
        """Show a sample; it has no path, so that saving asks for one."""
        self._opened.add(Document(assets.data("samples", name), name=name))

    def paste(self) -> None:
        """Show the bytes that stand on the clipboard as text: hex, base64, a dump, a list ..."""
        from viewer.container.armor.byte_text import PasteError

        try:
            data = bytes_of_text(QGuiApplication.clipboard().text())
        except (PasteError, WrapError) as error:
            dialogs.tell(self._window, str(error))
            return
        document = Document(data, name="packet from clipboard")
        self._opened.add(unlocked(self._window, self._theme, document))

    def save(self) -> bool:
        """Write the file; False where it was not written."""
        self._session.settle()
        document = self._session.document
        if document is None:
            return False
        return self._write(document.path) if document.path else self.save_as()

    def save_as(self) -> bool:
        """Ask for a name and write; False where nothing was written."""
        self._session.settle()
        document = self._session.document
        if document is None:
            return False
        start = str(document.path or document.name)
        name, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Save as", start, "All files (*)")
        if not name or self._is_open(Path(name), document) or not self._write(Path(name)):
            return False
        self._settings.add_recent(Path(name))
        self._opened.listed.emit()
        return True

    def _is_open(self, path: Path, document: Document) -> bool:
        """Whether a file is open as another document, which is told: to write over it would make two of one."""
        tab = self._opened.find(path)
        other = self._opened.documents[tab] if tab >= 0 else self._opened.open_elsewhere(path)
        if other is None or other is document:
            return False
        self._tell(f"“{path.name}” is open in another tab or window. Close it there, or save under another name.")
        return True

    def _write(self, path: Path, force: bool = False) -> bool:
        document = self._session.document
        self._writes = True
        try:
            with dialogs.Waiting(self._window, f"Saving “{path.name}”…") as waiting:
                if document is not None and document.wraps.around and len(document.buffer) > LONG_INSIDE:
                    waiting.do(document.to_be_written)
                remarks = self._session.save(path, force, waiting.goes_on, self._settings.backups)
        except ChangedOnDisk:
            return self._conflict(path)
        except SaveStopped:
            return False
        except CannotWrap as problem:
            return self._wrap_otherwise(path, force, str(problem))
        except FileProblem as problem:
            if isinstance(problem, NotWritable) and self._problems is None and self._window.isVisible():
                return dialogs.ask_save_as(self._window, str(problem)) and self.save_as()
            self._tell(str(problem))
            return False
        finally:
            self._writes = False
        self._keep_reading()
        text = document.text if document is not None else None
        wrong = ("It has an error: see Problems.",) if text is not None and text.damages else ()
        self._done(" ".join((f"Saved “{path.name}”.", *wrong, *remarks)))
        return True

    def _wrap_otherwise(self, path: Path, force: bool, problem: str) -> bool:
        """The file cannot be wrapped as it was; True where the person takes another way and it is written."""
        document = self._session.document
        if document is not None and document.text_problem:
            self._tell(UNHOLDABLE.format(path.name, problem))
            return False
        if document is None or not document.has_other_wraps:
            self._tell(f"“{path.name}” was not saved. {problem}")
            return False
        if not dialogs.ask_zstd(self._window, problem):
            return False
        document.use_other_wraps()
        return self._write(path, force)

    def _conflict(self, path: Path) -> bool:
        """Somebody else wrote the file; True where it is settled and nothing is left unsaved."""
        answer = dialogs.ask_changed_on_disk(self._window, path.name, self._settings.backups > 0)
        if answer is UserChoice.OVERWRITE:
            return self._write(path, force=True)
        return answer is UserChoice.RELOAD and self._read_again()

    def reload(self, *, is_asked: bool = True) -> None:
        """Read the file again, or go back to it where it is as it was; asks where something would be lost.

        Args:
            is_asked: whether to ask also where nothing but the steps of undo would be lost.
        """
        self._session.settle()
        document = self._session.document
        if document is None or document.path is None:
            return
        has_typed = self._session.has_typed
        if not (document.is_gone or document.changed_on_disk or has_typed) and self._went_back(document):
            return
        steps = len(document.history.labels)
        if document.modified or has_typed:
            is_wanted = dialogs.ask_drop_changes(self._window, document.name, document.changed_on_disk)
        else:
            is_wanted = not (steps and is_asked) or dialogs.ask_read_again(self._window, document.name, steps)
        if is_wanted:
            self._read_again()

    def _went_back(self, document: Document) -> bool:
        """Go to the saved file by undo or redo, so that nothing is lost; whether that leads there.

        Where there is nothing to lose, or some of its bytes could not be read, the file is rather read again.
        """
        history = document.history
        if history.saved is None or not history.labels or fault(document.buffer):
            return False
        if history.saved == history.done:
            self._done(f"“{document.name}” matches the file on disk.")
            return True
        back, word = (self._session.undo, "Redo") if history.saved < history.done else (self._session.redo, "Undo")
        history.aim(history.saved)
        back()
        self._done(f"Back to the saved “{document.name}”; {word} brings the changes back.")
        return True

    def _read_again(self) -> bool:
        document = self._session.document
        if document is None or document.path is None:
            return False
        choice, way = document.choice, document.plain.way
        opening = choice.opening if choice.preferred is None else replace(choice.opening, codecs=None)
        choice = replace(choice, opening=opening, preferred=Preferred(way.dialect, way.precision, way.framing))
        return self._read(document.path, choice, document)

    def _opened_document(self, path: Path, choice: ReadOptions | None, patience: int, begins: bool = False) -> Document:
        """Read a file: as *choice* says, else as it was read last time."""
        return open_as_kept(self._readings, path, choice, patience=patience, begins=begins)

    def _keep_reading(self) -> None:
        """Keep how the shown file is read for the next time it is opened."""
        document = self._session.document
        if self._readings is None or document is None or document.path is None:
            return
        try:
            keep(self._readings, document)
        except ReadingProblem as problem:
            self._readings = None  # it is said once
            self._session.failed.emit(str(problem))

    def _keep_choice(self) -> None:
        """A person has chosen how the file is read, or wants it to be found."""
        document = self._session.document
        if document is None or document.path is None or self._readings is None:
            return
        self._chosen = document if document.task is not None else None
        if document.choice.leaves_all_open and document.choice.opening.codecs is None:
            forget(self._readings, document.path)
        elif document.task is None:
            self._keep_reading()

    def _keep_late(self, *_: object) -> None:
        """Keep what a person chose for a file that was still being read then."""
        document = self._session.document
        if document is not None and document is self._chosen and document.task is None:
            self._keep_choice()

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
        self._waiting.clear()
        self._loaded = None
        self._loader.stop()
        self._loader.wait()

    @property
    def writes(self) -> bool:
        """Whether a file is being written."""
        return self._writes

    def may_leave(self) -> bool:
        """Whether all open documents may go: nothing is unsaved, or the person has decided; not while one is written.

        What other views have open, too, stays.
        """
        from viewer.ui.window.leaving import may_leave

        return may_leave(self._window, [self], lambda document: not self._opened.is_elsewhere(document))

    def unsaved(self) -> list[Document]:
        """The documents with changes that are not saved.

        Those that a person gave up at the end of the session are asked about no more while that ends the program; where
        the session goes on, they are unsaved as before.
        """
        self._session.settle()
        app = QGuiApplication.instance()
        ends = app is not None and bool(app.property(ENDS))
        typed = self._session.document if self._session.has_typed else None
        return [
            document
            for document in self._opened.documents
            if (document.is_unsaved or document is typed) and not (ends and self._is_given_up(document))
        ]

    def show_open(self, document: Document) -> None:
        """Show the tab of an open document."""
        self._opened.switch(self._opened.place_of(document))

    def give_up(self, documents: Sequence[Document]) -> None:
        """A person has said that the changes of these documents, as they are now, may be lost."""
        self._given_up = [(document, document.revision) for document in documents]

    def _is_given_up(self, document: Document) -> bool:
        """Whether the person has said that these very changes may be lost."""
        return any(document is other and document.revision == revision for other, revision in self._given_up)

    def save_quietly(self, document: Document) -> tuple[bool, list[str]]:
        """Save an open document; whether it was, and what could not be done in sentences, which are not told yet."""
        before, self._problems = self._problems, []
        try:
            self.show_open(document)
            is_saved = self.save()
        finally:
            problems, self._problems = self._problems, before
        return is_saved, problems

    def _may_close(self) -> bool:
        """Whether the shown document may go."""
        self._session.settle()
        document = self._session.document
        if document is None or not (document.is_unsaved or self._session.has_typed):
            return True
        if self._opened.is_elsewhere(document):
            return True
        answer = dialogs.ask_unsaved(self._window, document.name, document.is_gone)
        return self.save() if answer is UserChoice.SAVE else answer is UserChoice.DISCARD


def bytes_of_text(text: str) -> bytes:
    """The bytes that a text stands for.

    Raises:
        PasteError, WrapError: it stands for none.
    """
    from viewer.container.armor.byte_text import bytes_from_text
    from viewer.container.armor.text_codecs import unwrap_text

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


# Files dropped on the window: they are copied, never moved, wherever they fall.

DRAGS = frozenset((QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop))


class FileDrops(QObject):
    """Takes the files that are dropped on a window, before any field in it takes their names as text.

    Who drags proposes to move; a program that agrees lets the other one delete the files. Fields of Qt do agree, so
    files never reach them: those over the main window are opened, those over its dialogs refused, and while a dialog
    asks something, all of them.

    Args:
        main: the window.

    Signals:
        hovering: ``bool``: whether files hang over the window.
        dropped: ``list``: the ``Path`` of each file that was dropped; told when the other program has its answer.
    """

    hovering = Signal(bool)
    dropped = Signal(object)

    def __init__(self, main: QWidget) -> None:
        super().__init__(main)
        self._main = main
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self.watch)

    def watch(self, window: QWindow | None) -> None:
        """Look after a window of the system, if it is the main one or one of its dialogs."""
        main = self._main.window().windowHandle()
        above = window
        while above is not None and above is not main:
            above = above.transientParent()
        if window is not None and above is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.DragLeave:
            self.hovering.emit(False)
        if kind not in DRAGS or not isinstance(event, QDropEvent):
            return False
        is_main = watched is self._main.window().windowHandle() and not dialogs.is_asking(self._main)
        if is_main and not self._lies_here(event.position().toPoint()):
            return False
        return self.take(event, is_main)

    def _lies_here(self, place: QPoint) -> bool:
        """Whether a place in the window is on this view, where another one may lie beside it."""
        window = self._main.window()
        return window is self._main or self._main.rect().contains(self._main.mapFrom(window, place))

    def take(self, event: QDropEvent, opens: bool = True) -> bool:
        """Answer a drag or drop; False where it brings no files and is somebody else's.

        Args:
            event: the drag or drop.
            opens: whether files are opened here; else they are refused.
        """
        from viewer.ui.clipboard import files_in

        paths = files_in(event.mimeData())
        if not paths:
            return False
        if not opens:
            event.ignore()
            return True
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        is_drop = event.type() == QEvent.Type.Drop
        self.hovering.emit(not is_drop)
        if is_drop:
            QTimer.singleShot(0, self, lambda: self.dropped.emit(paths))
        return True
