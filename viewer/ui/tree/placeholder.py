"""What stands in the tree while it has no rows: that values are being read, or that there are none."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QTreeView, QVBoxLayout

from viewer.ui.look.fonts import ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.session import Session

PATIENCE = 150
"""Milliseconds before a reading is worth a word."""
READING = "Reading values…"
STOPPED = "Not read yet"
EMPTY = "This file is empty"


class Placeholder(PlainLabel):
    """A few quiet words in the middle of an empty tree.

    Args:
        tree: over whose rows it lies.
        session: whose document the tree shows.
        theme: its colours.
    """

    def __init__(self, tree: QTreeView, session: Session, theme: Theme) -> None:
        super().__init__(parent=tree.viewport())
        self._session = session
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(ui_font())
        layout = QVBoxLayout(tree.viewport())
        layout.addWidget(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(PATIENCE)
        self._later.timeout.connect(self._show_words)
        self.set_theme(theme)
        reading = session.reading
        for signal in (session.opened, session.changed, reading.changed, reading.glimpsed):
            signal.connect(self.refresh)
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        colours = self.palette()
        colours.setColor(QPalette.ColorRole.WindowText, theme.ui.text_secondary)
        self.setPalette(colours)

    def refresh(self, *_: object) -> None:
        """The document is another one, or is read now."""
        if self._session.reading.is_on:
            self.hide()
            self._later.start()
        else:
            self._later.stop()
            self._show_words()

    def _show_words(self) -> None:
        document = self._session.document
        words = ""
        if document is not None and not document.buffer:
            words = EMPTY
        elif document is not None and self._session.waits and not document.frames:
            words = READING if self._session.reading.is_on else STOPPED
        self.setText(words)
        self.setVisible(bool(words))
