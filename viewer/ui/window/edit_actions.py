"""What the Edit menu does with the value or the bytes that are selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from viewer.base.span import Span
from viewer.ui.hex.keys import Command
from viewer.ui.late import Late
from viewer.ui.session import Session
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.window.structure_actions import StructureActions


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
        structure: Late[StructureActions],
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
        """Let the selected value be changed in the tree."""
        self._parts.work.reveal(self._parts.tree)
        self._parts.tree.edit_current()

    def copy(self) -> None:
        """Copy the value where the tree has the focus, else the bytes."""
        self._structure.get().copy() if self._in_tree else self._parts.hex.copy()

    def cut(self) -> None:
        """Copy the values, or the bytes where these have the focus, and take them away."""
        self._parts.hex.run(Command.CUT) if self._parts.hex.hasFocus() else self._structure.get().cut()

    def paste(self) -> None:
        """Put the values of the clipboard behind the selected one."""
        self._parts.hex.run(Command.PASTE) if self._parts.hex.hasFocus() else self._structure.get().paste()

    def delete(self) -> None:
        """Take the selected values away."""
        self._parts.hex.run(Command.DELETE) if self._parts.hex.hasFocus() else self._structure.get().delete()

    @property
    def _in_tree(self) -> bool:
        return self._parts.tree.hasFocus()

    def copy_path(self) -> None:
        """Copy the path of the selected item, where there is one."""
        if self._session.path:
            QGuiApplication.clipboard().setText(self._session.path)
            self._say("Path copied.")

    def select_all(self) -> None:
        """Select all bytes."""
        document = self._session.document
        if document is not None and document.buffer:
            self._session.mark(Span(0, len(document.buffer)))

    def select_range(self) -> None:
        """Ask for two offsets, select the bytes between them and go there."""
        document = self._session.document
        if document is None:
            return
        from viewer.ui.window.range_dialog import RangeDialog

        dialog = RangeDialog(self._window, document, self._session.caret)
        if dialog.exec() and dialog.span is not None:
            self._session.go_to(dialog.span.start, dialog.span)
            self._parts.hex.setFocus()
