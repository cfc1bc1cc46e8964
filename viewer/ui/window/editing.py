"""Editing: all that changes values and bytes from the window's menus. Most of it is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMenu, QWidget

from viewer.ui.late import Late
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.window.bulk_actions import BulkActions
from viewer.ui.window.byte_actions import ByteActions
from viewer.ui.window.edit_actions import EditActions
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.editors.opening import Editors
    from viewer.ui.window.copy_menu import CopyMenu
    from viewer.ui.window.export_actions import ExportActions
    from viewer.ui.window.retype_menu import RetypeMenu
    from viewer.ui.window.structure_actions import StructureActions
    from viewer.ui.window.type_chooser import TypeChooser

IDLE = 800
"""Milliseconds after a file was opened."""
STRUCTURE = (
    "paste_into",
    "insert_after",
    "insert_before",
    "insert_into",
    "duplicate",
    "move_up",
    "move_down",
    "rename_key",
    "sort_keys",
    "to_stored",
    "to_bare",
)
"""The actions that the tree's structure is changed with."""


class Editing:
    """The editing actions and menus of a window.

    Args:
        window: the parent of the dialogs.
        session: what is open.
        parts: the widgets.
        say: told in words what was done.
        theme: tells the theme of the moment.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        parts: Parts,
        say: Callable[[str], None],
        theme: Callable[[], Theme],
    ) -> None:
        self._window, self._session, self._parts = window, session, parts
        self._say, self._theme = say, theme
        self._chooser = parts.later(self._build_chooser)
        self._editors = parts.later(self._build_editors)
        self._structure = Late(self._build_structure)
        self._exports = Late(self._build_exports)
        self._bulk = BulkActions(window, session)
        self._bytes = ByteActions(window, session, parts)
        self._edits = EditActions(window, session, parts, self._structure, say)
        self._menus: dict[str, CopyMenu | RetypeMenu] = {}
        parts.tree.editor_requested.connect(self._open_editor)
        parts.status.selection_requested.connect(self._edits.select_range)
        session.opened.connect(self._get_ready)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            **self._edits.slots(),
            **self._bytes.slots(),
            **{name: partial(self._do, name) for name in STRUCTURE},
            "edit_in_editor": self._open_editor,
            "edit_grid": lambda: self._editors.get().open_grid(),
            "bulk_edit": lambda: self._bulk.open(self._theme()),
            "export_value": lambda: self._exports.get().export(),
            "import_value": lambda: self._exports.get().import_(),
        }

    def offer(self, menus: Mapping[str, QMenu]) -> None:
        """Let the submenus fill themselves when they are opened."""
        menus["copy_as"].aboutToShow.connect(partial(self._fill_copy, menus["copy_as"]))
        menus["change_type"].aboutToShow.connect(partial(self._fill_types, menus["change_type"]))

    # Inside

    def _get_ready(self) -> None:
        """Load what changes structure in an idle moment, so that the first change does not wait for it."""
        if self._structure.part is None and self._session.document is not None:
            QTimer.singleShot(IDLE, self._window, self._structure.get)

    def _do(self, name: str) -> None:
        self._structure.get().slots()[name]()

    def _open_editor(self) -> None:
        self._editors.get().open()

    def _fill_copy(self, menu: QMenu) -> None:
        from viewer.ui.window.copy_menu import CopyMenu

        if "copy_as" not in self._menus:
            self._menus["copy_as"] = CopyMenu(menu, self._session, self._parts.hex, self._say)
        self._menus["copy_as"].fill()

    def _fill_types(self, menu: QMenu) -> None:
        from viewer.ui.window.retype_menu import RetypeMenu

        if "change_type" not in self._menus:
            self._menus["change_type"] = RetypeMenu(self._window, self._session, menu)
        self._menus["change_type"].fill()

    def _build_chooser(self, theme: Theme) -> TypeChooser:
        from viewer.ui.window.type_chooser import TypeChooser

        return TypeChooser(theme, self._window)

    def _build_editors(self, theme: Theme) -> Editors:
        from viewer.ui.editors.opening import Editors

        return Editors(self._session, theme, self._window)

    def _build_structure(self) -> StructureActions:
        from viewer.ui.window.structure_actions import StructureActions

        return StructureActions(self._window, self._session, self._parts.tree, self._chooser)

    def _build_exports(self) -> ExportActions:
        from viewer.ui.window.export_actions import ExportActions

        return ExportActions(self._window, self._session, self._say)
