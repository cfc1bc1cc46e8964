"""What opens the dialog for bulk edits, which is loaded when it is first needed."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from viewer.ui.look.palette import Theme
from viewer.ui.session import Session


class BulkActions:
    """Opens the dialog, with what was written in it last.

    Args:
        window: the dialog's parent.
        session: has the document.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        self._window, self._session = window, session
        self._last = ""

    def open(self, theme: Theme) -> None:
        """Ask for a bulk edit, and do it."""
        from viewer.ui.window.bulk_dialog import BulkDialog

        dialog = BulkDialog(self._window, self._session, theme, self._last)
        dialog.field.selectAll()
        dialog.exec()
        self._last = dialog.field.text()
        dialog.deleteLater()
