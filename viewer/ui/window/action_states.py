"""Which actions can be chosen at this moment, which switches are on, and what undo and redo would do."""

from __future__ import annotations

from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.session import Session
from viewer.ui.window.actions import Actions
from viewer.ui.window.parts import Parts

NEED_DOCUMENT = (
    "save_as",
    "close",
    "edit_value",
    "edit_in_editor",
    "edit_grid",
    "cut",
    "copy",
    "paste_value",
    "paste_into",
    "delete",
    "insert_after",
    "insert_before",
    "insert_into",
    "duplicate",
    "move_up",
    "move_down",
    "rename_key",
    "change_type",
    "sort_keys",
    "to_stored",
    "to_bare",
    "copy_as",
    "copy_path",
    "export_value",
    "import_value",
    "insert_mode",
    "insert_bytes",
    "fill_bytes",
    "paste_bytes",
    "paste_text",
    "delete_bytes",
    "select_all",
    "select_range",
    "history",
    "bookmark",
    "next_bookmark",
    "previous_bookmark",
    "bookmarks",
    "filter",
    "expand_1",
    "expand_2",
    "expand_3",
    "expand_4",
    "collapse_all",
    "find",
    "find_next",
    "find_previous",
    "find_list",
    "replace",
    "bulk_edit",
    "inspector",
    "problems",
    "next_tab",
    "previous_tab",
    "next_pane",
    "previous_pane",
    "zoom_in",
    "zoom_out",
    "zoom_reset",
    "go_to",
    "next_problem",
    "previous_problem",
    "read_as",
    "repairs",
    "engines",
    "explain",
    "shrink",
    "export_report",
)
"""Actions that have nothing to do where no document is open."""


class ActionStates:
    """Keeps the actions in step with the session and the panes.

    Args:
        actions: what is switched on and off.
        session: knows the document, its history and the way back.
        parts: know which panes are shown and whether a search can step.
    """

    def __init__(self, actions: Actions, session: Session, parts: Parts) -> None:
        self._actions = actions
        self._session = session
        self._parts = parts

    def update(self) -> None:
        """Bring all of them up to date."""
        self._update_needs()
        self._update_history()
        self._update_files()
        self._update_switches()
        document = self._session.document
        self._actions["dismiss_news"].setEnabled(document is not None and bool(document.news))
        self._actions["stop_reading"].setEnabled(self._session.reading.is_on)
        self.update_find()

    def update_find(self) -> None:
        """Without something to look for there is no next place, and the menu says so."""
        why = self._parts.find.why_no_step
        for name in ("find_next", "find_previous"):
            self._actions[name].setEnabled(self._session.document is not None and not why)
            self._actions[name].setToolTip(plain_tip(why or self._actions[name].statusTip()))

    def _update_needs(self) -> None:
        is_open = self._session.document is not None
        for name in NEED_DOCUMENT:
            self._actions[name].setEnabled(is_open)

    def _update_history(self) -> None:
        document = self._session.document
        history = document.history if document is not None else None
        self._enable("undo", "Undo", history.undo_label if history else "")
        self._enable("redo", "Redo", history.redo_label if history else "")
        self._actions["back"].setEnabled(self._session.can_go_back)
        self._actions["forward"].setEnabled(self._session.can_go_forward)

    def _update_files(self) -> None:
        document = self._session.document
        modified = document is not None and document.modified
        on_disk = document is not None and document.path is not None
        self._actions["save"].setEnabled(document is not None and (modified or not on_disk))
        self._actions["revert"].setEnabled(modified)
        self._actions["reload"].setEnabled(on_disk)

    def _update_switches(self) -> None:
        is_open, work = self._session.document is not None, self._parts.work
        self._actions["inspector"].setChecked(is_open and work.inspector_shown)
        self._actions["problems"].setChecked(is_open and work.problems_shown)
        self._actions["repairs"].setChecked(is_open and work.repairs_shown)
        self._actions["find_list"].setChecked(is_open and work.results_shown)
        self._actions["insert_mode"].setChecked(self._parts.hex.insert_mode)
        self._actions["mend"].setEnabled(is_open and self._parts.bridge.editing.can_mend)

    def _enable(self, name: str, word: str, label: str) -> None:
        """Undo and redo say what they would do."""
        action = self._actions[name]
        action.setEnabled(bool(label))
        action.setText(f"&{word} {in_menu(label)}".strip())
