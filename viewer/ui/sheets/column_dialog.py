"""The question for a new column: a key, and the value that all rows get."""

from __future__ import annotations

from math import ceil

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from viewer.document.bulk.frame_values import Data, plain
from viewer.document.document import Document
from viewer.ui.dialogs import MARGIN, WIDTH
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.plain_text import PlainLabel
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.value import Value

BESIDE_WORDS = 16


class ColumnDialog(QDialog):
    """Asks for a key and a value.

    Args:
        parent: the window.
        document: says which literals there are.
    """

    def __init__(self, parent: QWidget, document: Document) -> None:
        super().__init__(parent)
        self._document = document
        self.setWindowTitle("Add Column")
        self.setMinimumWidth(WIDTH)
        self.name, self.content, self.words = QLineEdit(), QLineEdit("0"), PlainLabel()
        self.name.setAccessibleName("Key")
        self.content.setAccessibleName("Value for all rows")
        self.content.setFont(fixed_font())
        form = QFormLayout()
        form.addRow("&Key", self.name)
        form.addRow("&Value for all rows", self.content)
        form.addRow("", self.words)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add_button = self.buttons.addButton("&Add Column", QDialogButtonBox.ButtonRole.AcceptRole)
        self.add_button.setDefault(True)
        words = QFontMetricsF(ui_font(Size.UI, strong=True)).horizontalAdvance("Add Column")
        self.add_button.setMinimumWidth(ceil(words) + 2 * BESIDE_WORDS)  # bold words, which its own size does not know
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addLayout(form)
        layout.addWidget(self.buttons)
        self.name.textChanged.connect(self._judge)
        self.content.textChanged.connect(self._judge)
        self._judge()

    @property
    def key(self) -> Value:
        """The key."""
        return Value("String", self.name.text())

    @property
    def value(self) -> Data:
        """The value: a literal, or what was typed as a text."""
        return plain(self._value())

    def _value(self) -> Value:
        document = self._document
        try:
            return parse_literal(self.content.text(), document.dialect, precision=document.precision)
        except LiteralError:
            return Value("String", self.content.text())

    def _judge(self) -> None:
        has_name = bool(self.name.text())
        self.add_button.setEnabled(has_name)
        self.words.setText(f"Every row without this key gets it, type {self._value().type}." if has_name else "")
