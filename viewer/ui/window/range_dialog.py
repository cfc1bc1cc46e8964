"""The dialog that asks for a run of bytes."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.path import PathError
from viewer.document.shown.counts import counted, grouped_in
from viewer.document.typed_places import parse_range
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.window.dialogs import MARGIN, WIDTH


class RangeDialog(QDialog):
    """Asks for a run of bytes: ``0x10..0x1F`` or ``0x10+16``; what is wrong is said while typing."""

    def __init__(self, parent: QWidget, document: Document, caret: int) -> None:
        super().__init__(parent)
        self._document = document
        self._caret = caret
        self.span: Span | None = None
        self.setWindowTitle("Select range")
        self.setMinimumWidth(WIDTH)
        self._field = QLineEdit(f"0x{caret:X}+16")
        self._field.setFont(fixed_font())
        self._field.setAccessibleName("Bytes to select")
        self._says = PlainLabel()
        self._says.setWordWrap(True)
        self._says.setFont(ui_font(Size.SECONDARY))
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._select = self._buttons.addButton("&Select", QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self._field.textChanged.connect(self._judge)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._field.selectAll()
        self._judge()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addWidget(PlainLabel("Bytes, as first..last or offset+length:"))
        layout.addWidget(self._field)
        layout.addWidget(self._says)
        layout.addWidget(self._buttons)

    def _judge(self) -> None:
        try:
            self.span = parse_range(self._document, self._field.text(), self._caret)
            self._says.setText(f"{counted(len(self.span), 'byte')}, 0x{self.span.start:X} to 0x{self.span.end - 1:X}.")
        except PathError as error:
            self.span = None
            self._says.setText(grouped_in(str(error)))
        self._select.setEnabled(self.span is not None)
