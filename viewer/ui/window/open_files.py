"""The open documents of a view: a tab for each, and in each the place where the person was."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QTabBar

from viewer.base.record import dataclass, field, replace
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.selection import SelectionState
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.panels.panel_widgets import IconButton
from viewer.ui.session import Session
from viewer.ui.tree.view import TreeView
from viewer.ui.tree.view_state import TreeStanding, stand, standing

UNSAVED = " •"
LEAST_TAB = 130
"""Pixels that a tab keeps, or those of its name where that is shorter; where all have no room, the bar scrolls."""


class DocumentTabs(QTabBar):
    """Tabs whose long names are shortened, but none to less than can be read."""

    def minimumTabSizeHint(self, index: int) -> QSize:
        hint = self.tabSizeHint(index)
        return QSize(min(hint.width(), LEAST_TAB), hint.height())


@dataclass(slots=True)
class OpenDocument:
    """An open document, and how it was left: the place, the rows of the tree, and the revision that they are of."""

    document: Document
    place: SelectionState | None = None
    rows: TreeStanding = field(default_factory=TreeStanding)
    revision: int = -1


class OpenFiles(QObject):
    """Shows one of the open documents in the session; the others wait with all their changes.

    Args:
        session: shows it.
        tree: its rows stay open.
        theme: what the tabs wear.

    Attributes:
        bar: the tabs, hidden as long as there are less than two.
        elsewhere: gives the open documents of the other views of the program.

    Signals:
        close_requested: ``int``: the number of the tab that a person wants closed.
        menu_requested: ``int`` and ``QPoint``: a person wants to know what can be done with that tab.
        exchanged: two ``Document``: the second is the file of the first, read again.
        listed: other files are open, under other names, or in another order.
    """

    close_requested = Signal(int)
    menu_requested = Signal(int, object)
    exchanged = Signal(object, object)
    listed = Signal()

    def __init__(self, session: Session, tree: TreeView, theme: Theme) -> None:
        super().__init__(session)
        self._theme = theme
        self._session = session
        self._tree = tree
        self._entries: list[OpenDocument] = []
        self._current = -1
        self._always = False
        self._left: tuple[Document, SelectionState] | None = None
        self._stays = False
        self.elsewhere: Callable[[], Sequence[Document]] = tuple
        self.bar = DocumentTabs()
        self.bar.setObjectName("documentTabs")
        self.bar.setAccessibleName("Open files")
        self.bar.setMovable(True)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.bar.currentChanged.connect(self.switch)
        self.bar.tabMoved.connect(self._moved)
        self.bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.bar.customContextMenuRequested.connect(self._ask_for_menu)
        self.bar.hide()
        session.history_changed.connect(self._name_tab)
        session.opened.connect(self._follow)
        session.problems_changed.connect(self._stand_again)

    @property
    def documents(self) -> list[Document]:
        """All open documents in the order of their tabs."""
        return [entry.document for entry in self._entries]

    @property
    def entries(self) -> list[OpenDocument]:
        """All open documents, and how they were left, in the order of their tabs."""
        return list(self._entries)

    def take_all(self, entries: Sequence[OpenDocument], shown: int) -> None:
        """Have several documents open, each in a tab of its own.

        Args:
            entries: the documents, and where they were left.
            shown: which of them to show, -1 to go on showing what is shown.
        """
        self._leave()
        first = len(self._entries)
        for entry in entries:
            self._entries.append(entry)
            self._with_quiet_bar(self._add_tab)
            self._name(len(self._entries) - 1)
        if entries and (shown >= 0 or self._current < 0):
            self._current = first + max(0, shown)
            self._with_quiet_bar(lambda: None)
            self._show()
        else:
            self._show_bar()
            self.listed.emit()

    @property
    def current(self) -> int:
        """The number of the tab that is shown, -1 for none."""
        return self._current

    @property
    def stays(self) -> bool:
        """Whether what is being shown is the same file, read again: the person stays where they are, the keys too."""
        return self._stays

    def find(self, path: Path) -> int:
        """The number of the tab with a file, by whatever name, -1 where it is not open."""
        wanted = os.path.realpath(path)
        paths = (entry.document.path for entry in self._entries)
        return next((k for k, each in enumerate(paths) if each is not None and os.path.realpath(each) == wanted), -1)

    def is_elsewhere(self, document: Document) -> bool:
        """Whether another view of the program has a document open, too."""
        return any(other is document for other in self.elsewhere())

    def open_elsewhere(self, path: Path) -> Document | None:
        """The document of a file that another view of the program has open, else None."""
        wanted = os.path.realpath(path)
        others = self.elsewhere()
        return next((each for each in others if each.path is not None and os.path.realpath(each.path) == wanted), None)

    def place_of(self, document: Document | None) -> int:
        """The number of the tab with a document, -1 where it is not open."""
        return next((k for k, entry in enumerate(self._entries) if entry.document is document), -1)

    def add(self, document: Document) -> None:
        """Show a document in a tab of its own."""
        self.take(OpenDocument(document))

    def take(self, entry: OpenDocument) -> None:
        """Show a document in a tab of its own, as it was left in another view."""
        self._leave()
        self._entries.append(entry)
        self._current = len(self._entries) - 1
        self._with_quiet_bar(self._add_tab)
        self._show()

    def shown(self) -> OpenDocument | None:
        """The document that is shown and how it stands now, None for none."""
        self._leave()
        return self._entries[self._current] if self._current >= 0 else None

    def bring_back(self, document: Document) -> None:
        """Show a document with changes that were kept: in the place of its file wherever that is open."""
        path = document.path
        there = self.find(path) if path is not None else -1
        other = self.open_elsewhere(path) if path is not None else None
        if there >= 0:
            self.switch(there)
            self.replace(document)
            return
        self.add(document)
        if other is not None:
            self.exchanged.emit(other, document)

    def exchange(self, old: Document, new: Document) -> None:
        """Another view has read a file again that is open here, too."""
        number = self.place_of(old)
        if number == self._current >= 0:
            self._put(new, stay=True)
        elif number >= 0:
            left = self._entries[number]
            self._entries[number] = replace(left, document=new, place=_carried(left, new), revision=-1)

    def show_tabs_always(self, always: bool) -> None:
        """Show the tabs of a single file, too: there are several views side by side."""
        self._always = always
        self._show_bar()

    def replace(self, document: Document, stay: bool = False) -> None:
        """Show a document in the place of the one that is shown: the same file, read again.

        Args:
            document: the document.
            stay: whether the person stays where they are, with the same rows open.
        """
        if self._current < 0:
            self.add(document)
            return
        old = self._entries[self._current].document
        self._put(document, stay)
        if old is not document:
            self.exchanged.emit(old, document)

    def _put(self, document: Document, stay: bool) -> None:
        self._leave()
        left = self._entries[self._current]
        self._entries[self._current] = (
            OpenDocument(document, _carried(left, document), left.rows) if stay else OpenDocument(document)
        )
        self._left = (document, left.place) if stay and left.place is not None and document.task is not None else None
        self._stays = stay
        self._show()
        self._stays = False

    def _stand_again(self) -> None:
        """A long file that was read again is read to its end: be where the person was, unless they went elsewhere."""
        left, session = self._left, self._session
        if left is None or session.waits:
            return
        self._left = None
        document, place = left
        if session.document is not document or session.caret != place.caret:
            return
        there = place.carried(document)
        if there.item is not None and there.caret == outline.span(document, there.item).start:
            session.select(there.item, remember=False)
        elif there.item is not None:
            session.go_to(there.caret, remember=False)

    def switch(self, number: int) -> None:
        """Show another open document as it was left."""
        if number == self._current or not 0 <= number < len(self._entries):
            return
        self._leave()
        self._current = number
        self._with_quiet_bar(lambda: self.bar.setCurrentIndex(number))
        self._show()

    def step(self, by: int) -> None:
        """Show the next (1) or previous (-1) open document, around the end."""
        if self._entries:
            self.switch((self._current + by) % len(self._entries))

    def close_current(self) -> None:
        """Close the document that is shown; the next one, else the one before, takes its place."""
        if self._current < 0:
            return
        number = self._current
        del self._entries[number]
        self._current = min(number, len(self._entries) - 1)
        self._with_quiet_bar(lambda: self.bar.removeTab(number))
        self._show()

    # Inside

    def _leave(self) -> None:
        self._session.settle()
        if 0 <= self._current < len(self._entries):
            entry = self._entries[self._current]
            if self._session.document is entry.document:
                entry.place, entry.rows = self._session.standing(), standing(self._tree)
                entry.revision = entry.document.revision

    def _show_bar(self) -> None:
        self.bar.setVisible(len(self._entries) > (0 if self._always else 1))

    def _show(self) -> None:
        entry = self._entries[self._current] if self._current >= 0 else None
        self._show_bar()
        self.listed.emit()
        if entry is None:
            self._session.show(None)
            return
        self._session.show(entry.document, entry.place)
        if entry.revision in (-1, entry.document.revision):  # else another view has changed it since
            stand(self._tree, entry.rows)
        self.name_tabs()

    def _follow(self) -> None:
        """The session shows a document by itself: it takes the place of the shown one; nothing closes them all."""
        document = self._session.document
        if document is None and self._entries:
            self._entries.clear()
            self._current = -1
            self._with_quiet_bar(self._drop_tabs)
            self.bar.hide()
        elif document is not None and all(entry.document is not document for entry in self._entries):
            if self._current < 0:
                self._current = 0
                self._with_quiet_bar(self._add_tab)
                self._entries.append(OpenDocument(document))
            self._entries[self._current] = OpenDocument(document)

    def _add_tab(self) -> None:
        button = IconButton(self._theme, "x", "Close this file (Ctrl+W)")
        button.clicked.connect(partial(self._ask_to_close, button))
        number = self.bar.addTab("")
        self.bar.setTabButton(number, QTabBar.ButtonPosition.RightSide, button)

    def _ask_for_menu(self, place: QPoint) -> None:
        number = self.bar.tabAt(place)
        if number >= 0:
            self.menu_requested.emit(number, self.bar.mapToGlobal(place))

    def _ask_to_close(self, button: IconButton) -> None:
        side = QTabBar.ButtonPosition.RightSide
        numbers = (k for k in range(self.bar.count()) if self.bar.tabButton(k, side) is button)
        self.close_requested.emit(next(numbers))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for number in range(self.bar.count()):
            button = self.bar.tabButton(number, QTabBar.ButtonPosition.RightSide)
            if isinstance(button, IconButton):
                button.set_theme(theme)

    def _drop_tabs(self) -> None:
        while self.bar.count():
            self.bar.removeTab(0)

    def _with_quiet_bar(self, change: Callable[[], object]) -> None:
        self.bar.blockSignals(True)
        change()
        self.bar.setCurrentIndex(self._current)
        self.bar.blockSignals(False)

    def _name_tab(self) -> None:
        if 0 <= self._current < len(self._entries) and self._session.document is self._entries[self._current].document:
            self._name(self._current)

    def name_tabs(self) -> None:
        """Documents may have changed in another view."""
        for number in range(len(self._entries)):
            self._name(number)

    def label(self, document: Document) -> str:
        """The name of an open file, with the folder that tells it from others of that name which are open."""
        alike = [each.path for each in self.documents if each is not document and each.name == document.name]
        folder = folder_apart(document.path, [path for path in alike if path is not None]) if document.path else ""
        return f"{document.name} — {folder}" if folder else document.name

    def _name(self, number: int) -> None:
        document = self._entries[number].document
        self.bar.setTabText(number, in_menu(self.label(document)) + (UNSAVED if document.modified else ""))
        self.bar.setTabToolTip(number, plain_tip(str(document.path or document.name)))

    def _moved(self, here: int, there: int) -> None:
        self._entries.insert(there, self._entries.pop(here))
        self._current = self.bar.currentIndex()
        self.listed.emit()


def folder_apart(path: Path, others: Sequence[Path]) -> str:
    """The innermost folder of a file that other files do not lie in as deep; empty where there is none."""
    folders = path.absolute().parent.parts
    rest = [other.absolute().parent.parts for other in others]
    for depth in range(1, len(folders) + 1):
        rest = [parts for parts in rest if parts[-depth:] == folders[-depth:]]
        if not rest:
            apart = folders[-depth].rstrip("/\\")
            return apart + ("/…" if depth > 1 else "") if others else ""
    return ""


def _carried(left: OpenDocument, document: Document) -> SelectionState | None:
    """Where the person was, in the same file read again."""
    return left.place.carried(document) if left.place is not None else None
