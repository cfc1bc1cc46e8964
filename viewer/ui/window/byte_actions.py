"""What the Bytes menu does, and what cut, paste and delete do while the bytes have the focus."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from viewer.base.span import Span
from viewer.ui.hex.keys import Command
from viewer.ui.session import Session
from viewer.ui.window.parts import Parts


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

    def run(self, command: Command) -> None:
        """Do what a key does in the bytes."""
        self._parts.work.reveal(self._parts.hex)
        self._parts.hex.run(command)

    def cut(self) -> None:
        """Copy the selected bytes and take them out."""
        self.run(Command.CUT)

    def paste(self) -> None:
        """Paste the clipboard into the bytes."""
        self.run(Command.PASTE)

    def paste_as_text(self) -> None:
        """Paste the text of the clipboard into the bytes, whatever it looks like."""
        self.run(Command.PASTE_TEXT)

    def delete(self) -> None:
        """Take the selected bytes out."""
        self.run(Command.DELETE)

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
