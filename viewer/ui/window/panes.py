"""Which panes are in view, and which one has the focus."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from viewer.base.diagnostic import Severity
from viewer.document.searching.query import Mode
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.window.file_actions import FileActions
from viewer.ui.window.packets_controller import PacketsController
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:
    from viewer.ui.panels.empty_state import EmptyState
    from viewer.ui.panels.find_results import FindResults
    from viewer.ui.panels.replace_bar import ReplaceBar


class Panes:
    """Shows and hides the panes of a window and moves the focus between them.

    A pane that goes gives the focus to the tree or the bytes, so that the keys never lead nowhere.

    Args:
        session: knows whether there is anything to show.
        parts: the panes, the search field and the path bar.
        changed: told after a pane was shown or hidden.
    """

    def __init__(self, session: Session, parts: Parts, changed: Callable[[], None]) -> None:
        self._session = session
        self._parts = parts
        self._changed = changed
        self._problems_seen = (0, False)
        self._from_bytes = False
        self._results = parts.later(self._build_results)
        self._replace = parts.later(self._build_replace)
        session.opened.connect(self._leave_replace_without_document)
        parts.inspector.closed.connect(partial(self.show_inspector, False))
        parts.problems.closed.connect(partial(self.show_problems, False))
        parts.status.problems_requested.connect(partial(self.show_problems, True))
        session.finding_wanted.connect(lambda _: self.show_problems(True))
        parts.status.go_to_requested.connect(self.edit_path)
        parts.path_bar.left.connect(self._go_back)
        parts.find.escaped.connect(self.leave_find)
        parts.find.list_requested.connect(self.show_results)
        parts.find.list_entered.connect(self._enter_results)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            "find": self.show_find,
            "replace": self.show_replace,
            "find_list": self.toggle_results,
            "inspector": self.toggle_inspector,
            "problems": self.toggle_problems,
            "next_pane": partial(self.step, 1),
            "previous_pane": partial(self.step, -1),
            "go_to": self.edit_path,
        }

    def _build_replace(self, theme: Theme) -> ReplaceBar:
        from viewer.ui.panels.replace_bar import ReplaceBar

        bar = ReplaceBar(self._session, self._parts.find, theme)
        bar.closed.connect(self.leave_replace)
        bar.list_entered.connect(self._enter_results)
        self._parts.put_below_tools(bar)
        return bar

    def _build_results(self, theme: Theme) -> FindResults:
        from viewer.ui.panels.find_results import FindResults

        results = FindResults(self._session, self._parts.find.runner, theme)
        results.closed.connect(partial(self.show_results, False))
        results.entered.connect(self._enter_bytes)
        results.escaped.connect(self.show_find)
        self._parts.work.set_results(results)
        return results

    # Inspector, problems, results

    def toggle_inspector(self) -> None:
        """Show the inspector, or hide it."""
        self.show_inspector(not self._parts.work.inspector_shown)

    def show_inspector(self, shown: bool) -> None:
        """Show or hide the inspector."""
        if not shown and _holds_focus(self._parts.inspector):
            self._parts.give_keys()
        self._parts.work.show_inspector(shown)
        self._changed()

    def toggle_problems(self) -> None:
        """Show the problems, or hide them."""
        self.show_problems(not self._parts.work.problems_shown)

    def show_problems(self, shown: bool) -> None:
        """Show or hide the problems."""
        if not shown and _holds_focus(self._parts.problems):
            self._parts.give_keys()
        self._parts.work.show_problems(shown)
        self._changed()

    def follow_problems(self) -> None:
        """Problems come into view by themselves, and go when there are none."""
        grave = any(found.severity >= Severity.WARNING for found in self._parts.problems.found)
        key = (id(self._session.document), grave)
        if key != self._problems_seen:
            self._problems_seen = key
            self.show_problems(grave)

    def toggle_results(self) -> None:
        """Show the places found, or hide them."""
        self.show_results(not self._parts.work.results_shown)

    def show_results(self, shown: bool) -> None:
        """Show or hide the places found; where nothing is looked for yet the search field is asked first."""
        results = self._results.get() if shown else self._results.part
        if results is None:
            return
        if not shown and _holds_focus(results):
            self._parts.give_keys()
        self._parts.work.show_results(shown)
        self._parts.find.show_list_shown(shown)
        if shown and self._parts.find.runner.query.is_empty:
            self.show_find()
        elif shown:
            results.list.take_focus()
        self._changed()

    def _enter_bytes(self) -> None:
        self._parts.give_keys(self._parts.bytes.current)

    def _enter_results(self) -> None:
        self._results.get().list.take_focus()

    # Search field, replace bar and path bar

    def show_replace(self) -> None:
        """Show what the places found would become, and go to the replace field; with nothing to find to the search."""
        bar = self._replace.get()
        self._note_pane()
        self._parts.tool_row.show_find()
        results = self._results.get()
        results.show_replacing(bar.replacer)
        self._parts.work.show_results(True)
        self._parts.find.show_list_shown(True)
        bar.open()
        self._changed()

    def leave_replace(self) -> None:
        """Go from the replace field back to the search field."""
        bar = self._replace.part
        if bar is not None and not bar.isHidden():
            bar.shut()
            self.show_find()

    def _leave_replace_without_document(self) -> None:
        bar = self._replace.part
        if bar is not None and self._session.document is None:
            bar.shut()

    def show_find(self) -> None:
        """Go to the search field."""
        self._note_pane()
        self._parts.tool_row.show_find()
        self._parts.find.focus()

    def leave_find(self) -> None:
        """Go from the search field to what was found: its value, or the bytes or text that were looked for as such.

        Where nothing was found the keys go back to where they were.
        """
        if self._replace.part is not None:
            self._replace.part.shut()
        self._parts.tool_row.hide_find()
        self.show_results(False)
        runner, pane = self._parts.find.runner, self._parts.bytes.current
        if runner.current is None:
            self._go_back()
            return
        is_bytes = pane is not self._parts.hex or runner.query.mode is Mode.HEX or self._session.item is None
        to_bytes = not runner.is_on_value and is_bytes
        self._from_bytes = False
        self._parts.give_keys(pane if to_bytes else None)

    def edit_path(self) -> None:
        """Go to the path bar and let a path or offset be written there."""
        self._note_pane()
        self._parts.tool_row.show_path()
        self._parts.path_bar.edit()

    # Focus

    def step(self, direction: int) -> None:
        """Move the focus to the next (1) or previous (-1) of the panes that are in view, around the end."""
        if self._session.document is None:
            return
        panes = self._in_view()
        now = next((k for k, pane in enumerate(panes) if pane.hasFocus() or _holds_focus(pane)), -direction)
        pane = panes[(now + direction) % len(panes)]
        self._parts.work.reveal(pane)
        pane.setFocus(Qt.FocusReason.TabFocusReason)

    def _in_view(self) -> list[QWidget]:
        """Tree and bytes, of which one may lie behind the other, and what is shown beside them."""
        others = (self._parts.inspector, self._parts.problems, self._parts.work.repairs, self._results.part)
        shown = [pane for pane in others if pane is not None and pane.isVisible()]
        sheet = self._parts.work.sheet
        first = [sheet] if sheet is not None and sheet.isVisible() else []
        if self._parts.work.sheet_alone:
            return [*first, *shown]
        beside = [self._parts.bytes.current] if self._parts.work.bytes_shown else []
        return [*first, self._parts.tree, *beside, *shown]

    def _note_pane(self) -> None:
        """Keep in mind whether the keys are in the bytes, where those of tree or bytes have them."""
        if self._parts.tree.hasFocus() or self._parts.bytes.current.hasFocus():
            self._from_bytes = self._parts.bytes.current.hasFocus()

    def _go_back(self) -> None:
        """Give the keys back to the bytes where these had them, else to the tree."""
        from_bytes, self._from_bytes = self._from_bytes, False
        self._parts.give_keys(self._parts.bytes.current if from_bytes else None)


def _holds_focus(pane: QWidget) -> bool:
    """Whether a widget inside *pane* has the focus."""
    focus = QApplication.focusWidget()
    return focus is not None and pane.isAncestorOf(focus)


# The page in the middle of the window: the panes, or where to begin while there is nothing to show in them.


class Pages:
    """Turns the pages of a window.

    Args:
        session, packets: know whether there is anything to show.
        parts: hold the pages.
        files: opens what is chosen on the page to begin with.
        settings: knows the recent files, None for none.
        show_games: lists the games on this computer.
    """

    def __init__(
        self,
        session: Session,
        parts: Parts,
        packets: PacketsController,
        files: FileActions,
        settings: Settings | None,
        show_games: Callable[[], object],
    ) -> None:
        self._session, self._parts, self._packets = session, parts, packets
        self._show_games = show_games
        self._files, self._settings = files, settings
        self._empty = parts.later(self._build_empty)
        packets.shown_changed.connect(self.turn)

    def turn(self) -> None:
        """Show the page that fits what is open."""
        if self._session.document is not None or self._packets.is_shown:
            self._parts.pages.setCurrentWidget(self._parts.work)
        else:
            self._show_empty()

    def mark_drop(self, hovers: bool) -> None:
        """Show that what hangs over the window may be dropped, where there is a place for that."""
        if self._empty.part is not None:
            self._empty.part.drop.set_dragging(hovers)

    def _show_empty(self) -> None:
        from viewer.ui.samples import samples

        empty = self._empty.get()
        empty.set_recent(self._settings.recent if self._settings is not None else [])
        empty.set_samples(samples())
        empty.drop.set_keeps(self._settings is None or self._settings.backups > 0)
        self._parts.pages.setCurrentWidget(empty)
        empty.drop.open_button.setFocus()

    def _build_empty(self, theme: Theme) -> EmptyState:
        from viewer.ui.panels.empty_state import EmptyState

        empty = EmptyState(theme)
        empty.open_requested.connect(self._files.open)
        empty.games_requested.connect(self._show_games)
        empty.paste_requested.connect(self._files.paste)
        empty.sample_requested.connect(self._files.open_sample)
        empty.file_requested.connect(self._open_named)
        self._parts.pages.addWidget(empty)
        return empty

    def _open_named(self, name: str) -> None:
        self._files.open_path(Path(name))
