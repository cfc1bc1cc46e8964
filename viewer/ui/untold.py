"""Untold changes: those of which nobody was told yet, because their bytes are still being read."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.document.change import Change, joined_changes

GRACE = 120
"""Milliseconds for which a change that is still to be read is not shown, so that short readings do not flicker."""


class Untold(QObject):
    """Keeps changes back until their bytes are read, or until that takes longer than a moment.

    Signals:
        due: ``Change``: everybody must be told now of what has changed, though it is not read yet.
    """

    due = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._change: Change | None = None
        self._grace = QTimer(self)
        self._grace.setSingleShot(True)
        self._grace.setInterval(GRACE)
        self._grace.timeout.connect(self.tell)

    def joined_to(self, change: Change) -> Change:
        """A change together with those that were kept back before it."""
        return change if self._change is None else joined_changes(self._change, change)

    def keep(self, change: Change) -> None:
        """Keep a change back; it is joined to those before it already."""
        self._change = change
        self._grace.start()

    def tell(self) -> None:
        """Wait no longer. What was told is kept still: with the reading of its bytes everything must be found anew."""
        self._grace.stop()
        change = self._change
        if change is not None:
            self._change = replace(change, splices=(), moves=())
            if change.splices:
                self.due.emit(change)

    def forget(self) -> None:
        """Everybody was told, or there is another document."""
        self._grace.stop()
        self._change = None
