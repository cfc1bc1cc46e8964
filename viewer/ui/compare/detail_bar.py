"""The line about the current row of a comparison: its path, what became of it, how its rows were paired, its words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from viewer.base.unseen import LINES, escaped
from viewer.document.compare.difference_words import WordPiece
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_strip
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton

LINES_SHOWN = 5
A_LINE = 120
"""Letters that a line has, about."""


class DetailBar(QWidget):
    """Tells of one row.

    Args:
        theme: the colours.

    Attributes:
        path, words: the two lines; *pairing* the button that says how rows were paired.
        text: both texts word by word, hidden where none is long.

    Signals:
        pairing_wanted: another pairing is to be chosen.
    """

    pairing_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.path = ElidedLine(theme, fixed_font(Size.SECONDARY, strong=True), elide=Qt.TextElideMode.ElideMiddle)
        self.words = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary")
        self.pairing = FlatButton(theme, "")
        self.pairing.trailing_icon = "chevron-down"
        self.pairing.clicked.connect(self.pairing_wanted)
        self.pairing.hide()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("The text word by word")
        self.text.setFont(fixed_font(Size.SECONDARY))
        self.text.setTabChangesFocus(True)
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.document().setDocumentMargin(6)
        self.text.hide()
        row = QHBoxLayout()
        row.setContentsMargins(14, 3, 8, 3)
        row.setSpacing(14)
        row.addWidget(self.path)
        row.addWidget(self.words, 1)
        row.addWidget(self.pairing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 1)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.text)
        self._pieces: list[WordPiece] = []

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.path, self.words, self.pairing):
            part.set_theme(theme)
        self.show_text(self._pieces)
        self.update()

    def tell(self, path: str, words: str, pairing: str) -> None:
        """Say a row's path, what became of it, and how the rows in it or around it were paired."""
        self.path.set_text(path)
        self.words.set_text(words)
        self.pairing.setVisible(bool(pairing))
        self.pairing.set_look(pairing)

    def show_text(self, pieces: list[WordPiece]) -> None:
        """Show a text as both sides have it: what is gone is struck out, what is new underlined."""
        self._pieces = pieces
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        for piece in pieces:
            form = QTextCharFormat()
            if piece.side:
                tint = self._theme.state("ok" if piece.side > 0 else "warning")
                form.setBackground(tint.bg)
                form.setForeground(tint.fg)
                form.setFontUnderline(piece.side > 0)
                form.setFontStrikeOut(piece.side < 0)
            else:
                form.setForeground(self._theme.ui.text)
            cursor.insertText(escaped(piece.text, LINES), form)
        lines = min(LINES_SHOWN, sum(len(piece.text) for piece in pieces) // A_LINE + 1)
        lines = max(lines, min(LINES_SHOWN, sum(piece.text.count("\n") for piece in pieces) + 1))
        self.text.setFixedHeight(round(QFontMetricsF(self.text.font()).lineSpacing() * lines) + 16)
        self.text.setVisible(bool(pieces))

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)
