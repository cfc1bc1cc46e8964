"""Compare With and Merge: what the shown document can be compared with, and the windows that do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import ReferenceType, WeakKeyDictionary, ref

from PySide6 import QtWidgets
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from viewer.base.assets import user_folder
from viewer.container.frames import FramingKind
from viewer.container.layer import WrapError
from viewer.document.compare import ignored_paths
from viewer.document.compare.ignored_paths import IgnoredProblem
from viewer.document.disk.file_versions import version_names
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.fragment import Fragment, taken
from viewer.document.edits.slots import EditError
from viewer.document.path import PathError
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.ui import dialogs
from viewer.ui.clipboard import VALUES, clipboard_data, from_mime
from viewer.ui.compare.compare_host import ComparedSide
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.ui.window.file_actions import bytes_of_text, is_capture_file, unlocked
from viewer.ui.window.open_files import OpenFiles

if TYPE_CHECKING:  # loaded with the first comparison
    from viewer.ui.compare.compare_window import CompareWindow
    from viewer.ui.compare.merge_window import MergeWindow
    from viewer.ui.compare.varying_dialog import VaryingDialog

MOST_VERSIONS = 9
ON_DISK = "The file on disk is written only by saving"
BEFORE = "This is how the file was before it was read again; it cannot be edited"
LONE_VALUE = "This is a value on its own: paste it to have it in the file"
IN_MEMORY = "This was only on the clipboard; it cannot be edited"
NOTHING_OPEN = "Open a file first."
IS_CAPTURE = "“{}” is a capture of packets: open it, and compare its packets there."
ANEW = "“{}” was opened anew meanwhile, and this is not what is open now: look at it again first."
MEANWHILE = "The file was changed meanwhile: look at the new comparison first."


class CompareActions(QObject):
    """Opens compare windows, and does in the main window what they ask for.

    Args:
        window: the main window.
        session: shows one of the open documents.
        opened: the open documents.
        theme_now: the colours that are shown now.
        say: told in words what could not be done.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        opened: OpenFiles,
        theme_now: Callable[[], Theme],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._opened, self._theme_now, self._say = window, session, opened, theme_now, say
        self._shown: list[CompareWindow | MergeWindow] = []
        self._before: WeakKeyDictionary[Document, Document] = WeakKeyDictionary()
        for signal in (session.changed, session.opened, session.history_changed):
            signal.connect(self._look_again)
        opened.listed.connect(self._follow_opened)
        opened.exchanged.connect(self._exchange)

    # The menu

    def fill(self, menu: QMenu) -> None:
        """Offer what the shown document can be compared with."""
        empty_menu(menu)
        document = self._session.document
        if document is None:
            menu.addAction("Nothing is open").setEnabled(False)
            return
        menu.addAction("Another &File…", self.with_file)
        menu.addAction("&Clipboard", self.with_clipboard)
        before = menu.addAction("State &Before Reload", self.with_before)
        before.setEnabled(document in self._before)
        before.setToolTip(plain_tip("How the file was before it was read again"))
        if document.path is not None:
            disk = menu.addAction("State on the &Disk", self.with_disk)
            disk.setEnabled(document.modified or document.changed_on_disk)
            disk.setToolTip(plain_tip("What the file on disk holds now" if disk.isEnabled() else "It is the same"))
            for path in _versions(document):
                action = menu.addAction(f"Earlier Version {in_menu(path.name)}", partial(self.with_path, path, True))
                action.setToolTip(plain_tip(str(path)))
        others = [other for other in self._opened.documents if other is not document]
        if others:
            menu.addSeparator()
        for other in others:
            action = menu.addAction(in_menu(other.name), partial(self._with_open, ref(other)))
            action.setToolTip(plain_tip(str(other.path or other.name)))

    def with_file(self) -> None:
        """Ask for a file, and compare the shown one with it."""
        document = self._settled()
        if document is None:
            self._say(NOTHING_OPEN)
            return
        folder = str(document.path.parent) if document.path is not None else ""
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, "Compare with", folder, "All files (*)")
        if name:
            self.with_path(Path(name))

    def with_path(self, path: Path, is_older: bool = False) -> None:
        """Compare the shown document with a file; the older one stands at the left."""
        document = self._settled()
        if document is None:
            return
        other = self._found(path)
        if other is document:
            self.with_disk()
        elif other is not None:
            is_left = is_older or _written(path) <= (_written(document.path) if document.path is not None else 0.0)
            sides = [ComparedSide(other, self._title(other)), ComparedSide(document, self._title(document))]
            self.open(*(sides if is_left else sides[::-1]))

    def _with_open(self, found: ReferenceType[Document]) -> None:
        """Compare with a document that a menu named, which keeps none open."""
        other = found()
        if other is not None:
            self.with_document(other)

    def with_document(self, other: Document) -> None:
        """Compare the shown document with another open one."""
        document = self._settled()
        if document is not None and other is not document:
            self.open(ComparedSide(other, self._title(other)), ComparedSide(document, self._title(document)))

    def with_disk(self) -> None:
        """Compare the shown document with what its file says now."""
        document = self._settled()
        if document is None or document.path is None:
            self._say("These bytes have no file yet.")
            return
        other = self.read(document.path)
        if other is not None:
            side = ComparedSide(other, f"{document.name} on the disk", ON_DISK)
            self.open(side, ComparedSide(document, self._title(document)))

    def with_before(self) -> None:
        """Compare the shown document with the state before it was read again."""
        document = self._settled()
        before = self._before.get(document) if document is not None else None
        if document is None or before is None:
            self._say("This file has not been reloaded since it was opened.")
            return
        side = ComparedSide(before, f"{document.name} before it was read again", BEFORE)
        self.open(side, ComparedSide(document, self._title(document)))

    def keep_before(self, old: Document, new: Document) -> None:
        """Remember how a file was before it was read again, for as long as that is open."""
        self._before[new] = old

    def with_clipboard(self) -> None:
        """Compare the shown document with bytes on the clipboard, or the selected value with a value there."""
        document, spot = self._settled(), self._session.spot
        if document is None:
            self._say(NOTHING_OPEN)
            return
        mime = clipboard_data()
        try:
            if not mime.hasFormat(VALUES):
                raw = _bytes_or_nothing(mime.text())
                if raw is not None:
                    other = unlocked(self._window, self._theme_now, Document(raw, name="clipboard"))
                    self.open(ComparedSide(other, "clipboard"), ComparedSide(document, self._title(document)))
                    return
            values = from_mime(mime, document)
            other = _alone(values[0], "clipboard")
            if spot is None:
                raise EditError("Select the value that the one on the clipboard is to be compared with.")
            selected = _alone(taken(spot.document, spot.item), spot.path)
        except EditError as error:
            self._say(str(error))
            return
        self.open(ComparedSide(other, "clipboard", IN_MEMORY), ComparedSide(selected, spot.path, LONE_VALUE))

    def open(self, old: ComparedSide, new: ComparedSide) -> CompareWindow:
        """Show a window that compares two sides."""
        from viewer.ui.compare.compare_window import CompareWindow

        shown = CompareWindow(self._window, self._theme_now(), old, new, self)
        self._shown.append(shown)
        shown.destroyed.connect(partial(self._drop, shown))
        shown.show()
        return shown

    def with_packet(self, old: Document, new: Document) -> None:
        """Compare two packets."""
        self.open(ComparedSide(old, self._title(old)), ComparedSide(new, self._title(new)))

    def show_columns(self, documents: Sequence[Document]) -> VaryingDialog:
        """Show which values vary over packets."""
        from viewer.ui.compare.varying_dialog import VaryingDialog

        dialog = VaryingDialog(self._window, self._theme_now(), documents)
        dialog.show()
        return dialog

    def merge(self) -> None:
        """Ask for a base and another side, and merge that into the shown document."""
        from viewer.ui.compare.merge_sides_dialog import MergeSidesDialog

        document = self._settled()
        if document is None:
            self._say(NOTHING_OPEN)
            return
        others = [other for other in self._opened.documents if other is not document]
        folder = str(document.path.parent) if document.path is not None else ""
        dialog = MergeSidesDialog(self._window, self._title(document), folder, _versions(document), others)
        is_wanted = dialog.exec()
        chosen = [dialog.chosen(box) for box in (dialog.base, dialog.theirs)]
        dialog.deleteLater()
        if not is_wanted:
            return
        sides = []
        for each in chosen:
            other = self.read(each) if isinstance(each, Path) else each
            if other is None:
                return
            sides.append(ComparedSide(other, self._title(other)))
        self.open_merge(sides[0], ComparedSide(document, self._title(document)), sides[1])

    def open_merge(self, base: ComparedSide, ours: ComparedSide, theirs: ComparedSide) -> MergeWindow:
        """Show a window that merges what two sides made of a base."""
        from viewer.ui.compare.merge_window import MergeWindow

        shown = MergeWindow(self._window, self._theme_now(), base, ours, theirs, self)
        shown.done_well.connect(self._say)
        self._shown.append(shown)
        shown.destroyed.connect(partial(self._drop, shown))
        shown.show()
        return shown

    # Windows

    def _drop(self, shown: CompareWindow | MergeWindow, *_: object) -> None:
        self._shown = [each for each in self._shown if each is not shown]

    @property
    def _comparing(self) -> list[CompareWindow]:
        if not self._shown:
            return []
        from viewer.ui.compare.compare_window import CompareWindow

        return [shown for shown in self._shown if isinstance(shown, CompareWindow)]

    def _look_again(self, *_: object) -> None:
        for shown in self._comparing:
            shown.look_again()

    def _exchange(self, old: Document, new: Document) -> None:
        for shown in self._comparing:
            shown.exchange(old, new)

    def _follow_opened(self) -> None:
        """A file that is compared may be open now: go on with that document, so that there is one of it.

        What was saved over the other side stays beside that as it was.
        """
        for shown in self._comparing:
            old, new = (self._side_now(side) for side in shown.sides)
            if (old, new) != shown.sides and old.document is not new.document:
                shown.show_sides(old, new)

    def _side_now(self, side: ComparedSide) -> ComparedSide:
        other = self._opened_anew(side.document) if not side.fixed else None
        return ComparedSide(other, self._title(other)) if other is not None else side

    def _opened_anew(self, document: Document) -> Document | None:
        """What the file of a document that is open nowhere is open as; None where it is not."""
        path = document.path
        if path is None or self._opened.place_of(document) >= 0 or self._opened.is_elsewhere(document):
            return None
        return self._open(path)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        for shown in self._shown:
            shown.set_theme(theme)

    def leave(self) -> None:
        """Close all windows: the view goes."""
        for shown in list(self._shown):
            shown.close()

    # Documents

    def _settled(self) -> Document | None:
        self._session.settle()
        return self._session.document

    @staticmethod
    def _title(document: Document) -> str:
        return f"{document.name} as it is now" if document.modified else document.name

    def _found(self, path: Path) -> Document | None:
        """The document of a file: as it is open here or in another view, else read; None where it cannot be."""
        return self._open(path) or self.read(path)

    def _open(self, path: Path) -> Document | None:
        """The document of a file that is open here or in another view, else None."""
        there = self._opened.find(path)
        return self._opened.documents[there] if there >= 0 else self._opened.open_elsewhere(path)

    def read(self, path: Path) -> Document | None:
        """The document of a file that need not be open; None where it cannot be read, which was told.

        Its values are read beside the window later.
        """
        found: list[Document] = []
        try:
            if is_capture_file(path):
                dialogs.tell(self._window, IS_CAPTURE.format(path.name))
                return None
            with dialogs.Waiting(self._window, f"Reading “{path.name}” …") as waiting:
                waiting.do(lambda: found.append(Document.open(path, patience=0)))
        except FileProblem as problem:
            dialogs.tell(self._window, str(problem))
            return None
        except MemoryError:
            dialogs.tell(self._window, f"There is not enough memory for “{path.name}”: close other files first.")
            return None
        return unlocked(self._window, self._theme_now, found[0])

    # What a compare window asks for

    def edit(self, document: Document, edit: Edit) -> str:
        """Do an edit of a document as one step of undo, in its tab; why it cannot be done, empty where it was."""
        if not self._bring(document):
            return ANEW.format(document.name)
        revision = document.revision
        try:
            self._session.apply(edit, of=document)
        except (EditError, ValueError):
            return MEANWHILE
        return "" if document.revision != revision else MEANWHILE

    def undo(self, document: Document) -> None:
        """Take the last edit of a document back."""
        if self._bring(document):
            self._session.undo()

    def show(self, document: Document, path: str) -> None:
        """Show a value in the window."""
        if self._bring(document):
            try:
                self._session.go_to_place(path)
            except PathError as error:
                self._say(str(error))
            self._window.activateWindow()

    def _bring(self, document: Document) -> bool:
        """Show a document in its tab, or in a new one; False where its file is open as another one."""
        if self._opened_anew(document) is not None:
            self._follow_opened()
            return False
        place = self._opened.place_of(document)
        if place >= 0:
            self._opened.switch(place)
        else:
            self._opened.add(document)
        return True

    def side_of(self, path: Path) -> ComparedSide | None:
        """A file as a side, as it is in its tab where it is open; None where it cannot be read, which was told."""
        document = self._found(path)
        return ComparedSide(document, self._title(document)) if document is not None else None

    def ignored(self, document: Document) -> tuple[str, ...]:
        """The patterns that are remembered for the folder of a document."""
        return ignored_paths.load(user_folder(ignored_paths.FOLDER), document.path)

    def keep_ignored(self, document: Document, patterns: Sequence[str]) -> str:
        """Remember other ones; why they cannot be, empty where they are."""
        try:
            ignored_paths.keep(user_folder(ignored_paths.FOLDER), document.path, patterns)
        except IgnoredProblem as problem:
            return str(problem)
        return ""


def _alone(fragment: Fragment, name: str) -> Document:
    """A value as a document of its own."""
    choice = ReadOptions(fragment.dialect, fragment.precision, FramingKind.BARE)
    return Document(fragment.value, name=name, choice=choice)


def _versions(document: Document) -> list[Path]:
    """The earlier versions of a document's file, the latest first."""
    names = version_names(document.path, MOST_VERSIONS) if document.path is not None else []
    return [path for path in names if path.is_file()]


def _bytes_or_nothing(text: str) -> bytes | None:
    """The bytes that a text stands for, None where it stands for none."""
    from viewer.container.armor.byte_text import PasteError

    try:
        return bytes_of_text(text)
    except (PasteError, WrapError):
        return None


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
