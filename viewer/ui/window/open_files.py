"""The open documents of a window: a tab for each, and in each the place where the person was."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QTabBar

from viewer.base.record import dataclass, field
from viewer.document.document import Document
from viewer.document.selection import SelectionState
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.panels.panel_widgets import IconButton
from viewer.ui.session import Session
from viewer.ui.tree.view import TreeView
from viewer.ui.tree.view_state import TreeStanding, stand, standing

UNSAVED = " •"


@dataclass(slots=True)
class OpenDocument:
    """An open document, and how it was left: the place and the rows of the tree."""

    document: Document
    place: SelectionState | None = None
    rows: TreeStanding = field(default_factory=TreeStanding)


class OpenFiles(QObject):
    """Shows one of the open documents in the session; the others wait with all their changes.

    Args:
        session: shows it.
        tree: its rows stay open.
        theme: what the tabs wear.

    Attributes:
        bar: the tabs, hidden as long as there are less than two.

    Signals:
        close_requested: ``int``: the number of the tab that a person wants closed.
    """

    close_requested = Signal(int)

    def __init__(self, session: Session, tree: TreeView, theme: Theme) -> None:
        super().__init__(session)
        self._theme = theme
        self._session = session
        self._tree = tree
        self._entries: list[OpenDocument] = []
        self._current = -1
        self.bar = QTabBar()
        self.bar.setObjectName("documentTabs")
        self.bar.setAccessibleName("Open files")
        self.bar.setMovable(True)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.bar.currentChanged.connect(self.switch)
        self.bar.tabMoved.connect(self._moved)
        self.bar.hide()
        session.history_changed.connect(self._name_tab)
        session.opened.connect(self._follow)

    @property
    def documents(self) -> list[Document]:
        """All open documents in the order of their tabs."""
        return [entry.document for entry in self._entries]

    @property
    def current(self) -> int:
        """The number of the tab that is shown, -1 for none."""
        return self._current

    def find(self, path: Path) -> int:
        """The number of the tab with a file, -1 where it is not open."""
        return next((k for k, entry in enumerate(self._entries) if entry.document.path == path), -1)

    def place_of(self, document: Document | None) -> int:
        """The number of the tab with a document, -1 where it is not open."""
        return next((k for k, entry in enumerate(self._entries) if entry.document is document), -1)

    def add(self, document: Document) -> None:
        """Show a document in a tab of its own."""
        self._leave()
        self._entries.append(OpenDocument(document))
        self._current = len(self._entries) - 1
        self._with_quiet_bar(self._add_tab)
        self._show()

    def replace(self, document: Document, stay: bool = False) -> None:
        """Show a document in the place of the one that is shown: the same file, read again.

        Args:
            document: the document.
            stay: whether the person stays where they are, with the same rows open.
        """
        if self._current < 0:
            self.add(document)
            return
        self._leave()
        left = self._entries[self._current]
        self._entries[self._current] = OpenDocument(document, left.place, left.rows) if stay else OpenDocument(document)
        self._show()

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
        if 0 <= self._current < len(self._entries):
            entry = self._entries[self._current]
            entry.place, entry.rows = self._session.standing(), standing(self._tree)

    def _show(self) -> None:
        entry = self._entries[self._current] if self._current >= 0 else None
        self.bar.setVisible(len(self._entries) > 1)
        if entry is None:
            self._session.show(None)
            return
        self._session.show(entry.document, entry.place)
        stand(self._tree, entry.rows)
        self._name_tab()

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
            document = self._entries[self._current].document
            self.bar.setTabText(self._current, in_menu(document.name) + (UNSAVED if document.modified else ""))
            self.bar.setTabToolTip(self._current, plain_tip(str(document.path or document.name)))

    def _moved(self, here: int, there: int) -> None:
        self._entries.insert(there, self._entries.pop(here))
        self._current = self.bar.currentIndex()
