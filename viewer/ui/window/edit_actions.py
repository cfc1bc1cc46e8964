"""Editing: all that changes values and bytes from the window's menus. Most of it is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from viewer.base.span import Span
from viewer.base.words import counted
from viewer.document.selection import Spot
from viewer.ui.hex.caret_keys import HexCommand
from viewer.ui.lazy import LazyPart
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.window.menus import PICTURES, may_hold_picture
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:
    from viewer.ui.editors.opening import Editors
    from viewer.ui.window.export_actions import CopyMenu, ExportActions
    from viewer.ui.window.picture_actions import PictureActions
    from viewer.ui.window.plot_actions import PlotActions
    from viewer.ui.window.retype_menu import RetypeMenu
    from viewer.ui.window.structure_actions import StructureActions
    from viewer.ui.window.type_chooser import TypeChooser

# What the Edit menu does with the value or the bytes that are selected.


class EditActions:
    """Edits, copies and selects.

    Args:
        window: the parent of the dialogs.
        session: knows what is selected.
        parts: tree and bytes.
        structure: cuts, copies and pastes values.
        say: told in words what was done.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        parts: Parts,
        structure: LazyPart[StructureActions],
        say: Callable[[str], None],
    ) -> None:
        self._window = window
        self._session = session
        self._parts = parts
        self._structure = structure
        self._say = say

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            "edit_value": self.edit_value,
            "cut": self.cut,
            "copy": self.copy,
            "paste_value": self.paste,
            "delete": self.delete,
            "copy_path": self.copy_path,
            "select_all": self.select_all,
            "select_range": self.select_range,
        }

    def edit_value(self) -> None:
        """Let the selected value be changed in the table where that has the keys, else in the tree."""
        if self._parts.grid is not None and self._parts.grid.in_use:
            self._parts.grid.edit()
            return
        self._parts.work.reveal(self._parts.tree)
        self._parts.tree.edit_current()

    def copy(self) -> None:
        """Copy the value where the tree has the focus, else the text or the bytes."""
        text = self._parts.editor_in_use
        if text is not None:
            text.copy()
            return
        self._structure.get().copy() if self._in_tree else self._parts.hex.copy()

    def cut(self) -> None:
        """Copy the values, or the text or bytes where these have the focus, and take them away."""
        text = self._parts.editor_in_use
        if text is not None:
            text.cut()
            return
        self._parts.hex.run(HexCommand.CUT) if self._parts.hex.hasFocus() else self._structure.get().cut()

    def paste(self) -> None:
        """Put the values of the clipboard behind the selected one, or its text where the caret stands."""
        text = self._parts.editor_in_use
        if text is not None:
            text.paste()
            return
        self._parts.hex.run(HexCommand.PASTE) if self._parts.hex.hasFocus() else self._structure.get().paste()

    def delete(self) -> None:
        """Take the selected values away, or the selected text."""
        text = self._parts.editor_in_use
        if text is not None:
            text.delete()
            return
        self._parts.hex.run(HexCommand.DELETE) if self._parts.hex.hasFocus() else self._structure.get().delete()

    @property
    def _in_tree(self) -> bool:
        return self._parts.tree.hasFocus()

    def copy_path(self) -> None:
        """Copy the path of the selected item, where there is one."""
        if self._session.path:
            QGuiApplication.clipboard().setText(self._session.path)
            self._say("Path copied.")

    def select_all(self) -> None:
        """Select all bytes, or all of the text."""
        text = self._parts.editor_in_use
        if text is not None:
            text.select_all()
            return
        document = self._session.document
        if document is not None and document.buffer:
            self._session.mark(Span(0, len(document.buffer)))

    def select_range(self) -> None:
        """Ask for two offsets, select the bytes between them and go there."""
        document = self._session.document
        if document is None:
            return
        from viewer.ui.window.byte_dialogs import RangeDialog

        dialog = RangeDialog(self._window, document, self._session.caret)
        if dialog.exec() and dialog.span is not None:
            self._session.go_to(dialog.span.start, dialog.span)
            self._parts.hex.setFocus()


# What the Bytes menu does, and what cut, paste and delete do while the bytes have the focus.


class ByteActions:
    """Edits raw bytes for the menus.

    Args:
        window: the parent of the dialogs.
        session: knows the document.
        parts: the bytes, and the status bar that tells the mode.
    """

    def __init__(self, window: QWidget, session: Session, parts: Parts) -> None:
        self._window = window
        self._session = session
        self._parts = parts
        parts.status.insert_mode_requested.connect(parts.hex.set_insert_mode)
        parts.hex.insert_mode_changed.connect(parts.status.set_insert_mode)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            "insert_mode": self._parts.hex.toggle_insert_mode,
            "insert_bytes": self.insert,
            "fill_bytes": self.fill,
            "paste_bytes": self.paste,
            "paste_text": self.paste_as_text,
            "delete_bytes": self.delete,
            "mend": self._parts.bridge.editing.mend,
        }

    @property
    def has_focus(self) -> bool:
        """Whether keys and menus mean the bytes."""
        return self._parts.hex.hasFocus()

    def run(self, command: HexCommand) -> None:
        """Do what a key does in the bytes."""
        self._parts.work.reveal(self._parts.hex)
        self._parts.hex.run(command)

    def cut(self) -> None:
        """Copy the selected bytes and take them out."""
        self.run(HexCommand.CUT)

    def paste(self) -> None:
        """Paste the clipboard into the bytes."""
        self.run(HexCommand.PASTE)

    def paste_as_text(self) -> None:
        """Paste the text of the clipboard into the bytes, whatever it looks like."""
        self.run(HexCommand.PASTE_TEXT)

    def delete(self) -> None:
        """Take the selected bytes out."""
        self.run(HexCommand.DELETE)

    def insert(self) -> None:
        """Ask for bytes and put them before the caret."""
        if self._session.document is None:
            return
        from viewer.ui.window.byte_dialogs import InsertDialog

        view = self._parts.hex
        at = view.selection.start if view.selection else view.caret.offset
        dialog = InsertDialog(self._window, at)
        if dialog.exec():
            self._parts.bridge.editing.insert(dialog.new)
            self._show()

    def fill(self) -> None:
        """Ask for a run and a pattern, and fill the run with it."""
        document, view = self._session.document, self._parts.hex
        if document is None:
            return
        from viewer.ui.window.byte_dialogs import FillDialog

        caret = view.caret.offset
        dialog = FillDialog(self._window, document, view.selection or Span(caret, caret + 1), caret)
        if dialog.exec():
            self._parts.bridge.editing.fill(dialog.span, dialog.pattern)
            self._show()

    def _show(self) -> None:
        self._parts.work.reveal(self._parts.hex)
        self._parts.hex.setFocus()


# What opens the dialog for bulk edits, which is loaded when it is first needed.


class BulkActions:
    """Opens the dialog, and says what was done.

    Args:
        window: the dialog's parent.
        session: has the document.
        parts: the tree takes the focus after an edit; the search knows what it found.
        say_undo: told in words what was done, with a button that takes it back.
    """

    def __init__(self, window: QWidget, session: Session, parts: Parts, say_undo: Callable[[str], None]) -> None:
        self._window, self._session, self._parts, self._say_undo = window, session, parts, say_undo

    def open(self, theme: Theme, *, found: bool = False) -> None:
        """Ask for a bulk edit, of what the search *found* where that is wanted, and do it."""
        from viewer.ui.window.bulk_dialog import BulkDialog

        self._session.settle()
        runner = self._parts.find.runner
        query, total = (runner.query, runner.total) if found else (None, 0)
        grid, spelled = self._parts.grid, self._spelled() if found else ""
        table = grid.holder if grid is not None and grid.in_use and not found else None
        dialog = BulkDialog(self._window, self._session, theme, query, total, spelled, table)
        if dialog.exec() and dialog.model.plan is not None:
            self._parts.give_keys()  # where Ctrl+Z takes it back
            self._say_undo(f"{counted(dialog.model.plan.changes, 'value')} changed; Ctrl+Z undoes that.")
        dialog.deleteLater()

    def _spelled(self) -> str:
        """How the first place that the search found is written."""
        document, hits = self._session.document, self._parts.find.runner.hits
        if document is None or not hits or len(hits[0]) > SPELLED:
            return ""
        return bytes(document.buffer[hits[0].start : hits[0].end]).decode(errors="ignore")


SPELLED = 1000
"""So many bytes of a place found are read as its text."""
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
        say_undo: told the same, and offers to take it back.
        theme: tells the theme of the moment.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        parts: Parts,
        say: Callable[[str], None],
        say_undo: Callable[[str], None],
        theme: Callable[[], Theme],
    ) -> None:
        self._window, self._session, self._parts = window, session, parts
        self._say, self._theme = say, theme
        self._chooser = parts.later(self._build_chooser)
        self._editors = parts.later(self._build_editors)
        self._structure = LazyPart(self._build_structure)
        self._exports = LazyPart(self._build_exports)
        self._pictures = parts.later(self._build_pictures)
        self._plots = parts.later(self._build_plots)
        self._bulk = BulkActions(window, session, parts, say_undo)
        self._bytes = ByteActions(window, session, parts)
        self._edits = EditActions(window, session, parts, self._structure, say)
        self._menus: dict[str, CopyMenu | RetypeMenu] = {}
        parts.tree.editor_requested.connect(self._open_fitting)
        parts.tree.page_requested.connect(lambda first: self._editors.get().open_grid(first))
        parts.status.selection_requested.connect(self._edits.select_range)
        parts.find.change_requested.connect(lambda: self._bulk.open(self._theme(), found=True))
        parts.inspector.rested.connect(self._look_for_picture)
        session.opened.connect(self._get_ready)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            **self._edits.slots(),
            **self._bytes.slots(),
            **{name: partial(self._do, name) for name in STRUCTURE},
            **{name: partial(self._do_with_picture, name) for name in PICTURES},
            "edit_in_editor": self._open_editor,
            "look_inside": self._look_inside,
            "plot": lambda: self._plots.get().show(),
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

    def _look_inside(self) -> None:
        """Open what is inside the selected value, or close it; where nothing is, say so."""
        session, spot = self._session, self._session.spot
        if spot is None:
            return
        try:
            if session.inside.locked(spot) is None:
                session.look_inside(spot)
            self._ask_key(session.spot or spot)
        except ValueError as error:
            session.failed.emit(str(error))

    def _ask_key(self, spot: Spot) -> None:
        """Ask for the password or key of what is inside a value, where that is encrypted, until one fits.

        Raises:
            ValueError: what is inside cannot be read.
        """
        level, wrong = self._session.inside.locked(spot), ""
        while level is not None:
            from viewer.ui.window.password_dialog import PasswordDialog

            dialog = PasswordDialog(self._window, self._theme(), level.document.name, wrong)
            if not dialog.exec() or dialog.secret is None:
                return
            wrong = self._session.inside.unlock(level, dialog.secret)
            if not wrong:
                self._session.levels_changed.emit()
                return

    def _do(self, name: str) -> None:
        self._structure.get().slots()[name]()

    def _do_with_picture(self, name: str) -> None:
        self._pictures.get().slots()[name]()

    def _look_for_picture(self, spot: Spot | None) -> None:
        """Let the inspector show the picture that a value is."""
        found = None
        if spot is not None and may_hold_picture(spot):
            from viewer.document.visuals.found_picture import found_picture

            found = found_picture(spot.document, spot.item)
        if found is not None or self._pictures.part is not None:
            self._pictures.get().show_small(spot, found)

    def _open_fitting(self) -> None:
        """Open the picture that the selected value is, else the editor of its type."""
        spot = self._session.spot
        if spot is not None and may_hold_picture(spot):
            from viewer.document.visuals.found_picture import picture_of_bytes

            if picture_of_bytes(spot.document, spot.item) is not None:
                self._do_with_picture("picture")
                return
        self._open_editor()

    def _open_editor(self) -> None:
        self._editors.get().open()

    def _fill_copy(self, menu: QMenu) -> None:
        from viewer.ui.window.export_actions import CopyMenu

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

        return StructureActions(self._window, self._session, self._parts.tree, self._chooser, self._editors)

    def _build_pictures(self, theme: Theme) -> PictureActions:
        from viewer.ui.window.picture_actions import PictureActions

        put, hover = self._parts.inspector.put_picture, self._parts.hex.set_picture
        return PictureActions(self._window, self._session, theme, self._say, put, hover)

    def plot_column(self, table: Spot, is_turned: bool, title: str) -> None:
        """Show the plot of a column of a table."""
        self._plots.get().show_column(table, is_turned, title)

    def _build_plots(self, theme: Theme) -> PlotActions:
        from viewer.ui.window.plot_actions import PlotActions

        return PlotActions(self._window, self._session, theme, self._open_editor)

    def _build_exports(self) -> ExportActions:
        from viewer.ui.window.export_actions import ExportActions

        return ExportActions(self._window, self._session, self._say)
