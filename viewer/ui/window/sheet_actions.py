"""The table of the window: it is built when it is first wanted, shown over tree and bytes, and given their keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QTimer

from viewer.base.record import replace
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.selection import Spot
from viewer.ui.session import Session
from viewer.ui.sheets.table_entries import AT_CELL, AT_COLUMN, NEED_TABLE
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from viewer.ui.look.palette import Theme
    from viewer.ui.sheets.sheet_commands import SheetCommands
    from viewer.ui.sheets.sheet_pane import SheetPane, TableStanding


LOW = 440
"""Where there is less height than this, in pixels, a table begins alone."""


class SheetActions:
    """Shows and hides the table.

    Args:
        session: what is open.
        parts: the window's parts, of which the table becomes one.
        say: told in words what was done.
        pop_up: pops up some actions at a global position.
        changed: told after the table was shown or hidden, or something else can be done with it.
        plot: shows the plot of a column: of the table at a spot, whether its columns are arrays, the title.
    """

    def __init__(
        self,
        session: Session,
        parts: Parts,
        say: Callable[[str], None],
        pop_up: Callable[[tuple[str, ...], QPoint], None],
        changed: Callable[[], None],
        plot: Callable[[Spot, bool, str], None],
    ) -> None:
        self._plot = plot
        self._session, self._parts, self._say = session, parts, say
        self._pop_up, self._changed = pop_up, changed
        self._pane = parts.later(self._build)
        self._commands: SheetCommands | None = None
        self._kept: WeakKeyDictionary[Document, TableStanding] = WeakKeyDictionary()
        self._wants_keys = False
        session.opened.connect(self._turn)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            "table": self.toggle,
            "table_alone": self.toggle_alone,
            **{name: partial(self._do, name) for name in NEED_TABLE if name != "table_alone"},
        }

    @property
    def is_shown(self) -> bool:
        """Whether the table is in view."""
        return self._parts.work.sheet_shown

    def why_not(self, name: str) -> str:
        """Why an action cannot be chosen now, empty where it can."""
        if self._commands is None or not self.is_shown:
            return "No table is shown"
        return self._commands.why_not(name)

    def toggle(self) -> None:
        """Show the table that the selected value belongs to, or close it."""
        if self.is_shown:
            self.close()
        else:
            self.show()

    def show(self) -> None:
        """Show the table that the selected value belongs to."""
        spot = self._session.spot
        if spot is None:
            self._session.failed.emit("Choose a list or dictionary in the tree first.")
            return
        pane = self._pane.get()
        try:
            pane.show_spot(spot)
        except EditError as error:
            self._session.failed.emit(str(error))
            return
        self._parts.work.show_sheet(True)
        if self._parts.work.height() < LOW:
            self._parts.work.show_sheet_alone(True)
        pane.view.setFocus()
        QTimer.singleShot(0, pane, self._keep_in_sight)  # the tree has less room then
        self._changed()

    def _keep_in_sight(self) -> None:
        """Show the selected value in the tree beside the table, too."""
        tree = self._parts.tree
        tree.scrollTo(tree.currentIndex())

    def close(self) -> None:
        """Close the table; the keys go back to the tree."""
        pane = self._pane.part
        if pane is None or not self.is_shown:
            return
        had_focus = _has_keys(pane)
        self._parts.work.show_sheet(False)
        pane.forget()
        if had_focus:
            self._enter_tree()
        self._changed()

    def _turn(self) -> None:
        """Another file is shown: the table goes with its own, and comes back with it."""
        pane, document = self._pane.part, self._session.document
        if pane is None:
            return
        standing = pane.standing if self.is_shown else None
        if standing is not None and standing.document is not document:
            self._kept[standing.document] = standing
            path = standing.document.path
            if document is not None and path is not None and document.path == path:  # the file was read again
                self._kept[document] = replace(standing, document=document)
                self._wants_keys = _has_keys(pane)
        self.close()
        if document is not None and document in self._kept:
            QTimer.singleShot(0, pane, self._show_again)

    def _show_again(self) -> None:
        pane, document = self._pane.part, self._session.document
        wants_keys, self._wants_keys = self._wants_keys, False
        standing = self._kept.pop(document, None) if document is not None else None
        if pane is None or standing is None or self._session.waits:
            return
        if pane.show_again(standing):
            self._parts.work.show_sheet(True)
            if wants_keys:
                pane.view.setFocus()
            self._changed()

    def toggle_alone(self) -> None:
        """Give the table all of the window, or part of it."""
        work = self._parts.work
        if self.is_shown:
            work.show_sheet_alone(not work.sheet_alone)
            if self._pane.part is not None:
                self._pane.part.view.setFocus()
        self._changed()

    def _enter_tree(self) -> None:
        work = self._parts.work
        if work.sheet_alone and self.is_shown:
            work.show_sheet_alone(False)
        work.reveal(self._parts.tree)
        self._parts.give_keys()
        self._changed()

    def _do(self, name: str) -> None:
        if self._commands is not None and self.is_shown:
            self._commands.slots()[name]()

    def _build(self, theme: Theme) -> SheetPane:
        from viewer.ui.sheets.sheet_commands import SheetCommands
        from viewer.ui.sheets.sheet_pane import SheetPane

        pane = SheetPane(self._session, theme)
        self._commands = SheetCommands(pane, self._session, self._say)
        pane.closed.connect(self.close)
        pane.tree_requested.connect(self._enter_tree)
        pane.tools_requested.connect(lambda place: self._pop_up(AT_CELL, place))
        pane.column_tools_requested.connect(lambda place: self._pop_up(AT_COLUMN, place))
        pane.plot_requested.connect(self._plot)
        pane.editor_requested.connect(self._parts.tree.editor_requested)
        pane.key_requested.connect(self._do)
        pane.changed.connect(self._changed)
        pane.leading.connect(partial(setattr, self._parts.tree, "is_led"))
        self._parts.work.set_sheet(pane)
        self._parts.grid = self._commands
        return pane


def _has_keys(pane: SheetPane) -> bool:
    """Whether the keys are in the table, or in something on it."""
    return pane.view.hasFocus() or pane.isAncestorOf(pane.window().focusWidget() or pane)
