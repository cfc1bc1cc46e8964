"""The dialogs that ask for bytes to insert, and for bytes to fill a run with; what is wrong is said while typing."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from viewer.base.span import Span
from viewer.base.words import counted, grouped_in
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import repeated
from viewer.document.edits.typed_bytes import TypedBytesError, parse_count, parse_pattern
from viewer.document.path import PathError
from viewer.document.typed_places import parse_range
from viewer.ui.dialogs import MARGIN, WIDTH
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.plain_text import PlainLabel, in_title
from viewer.ui.panels.panel_widgets import LongLine

HINT = "Hex digits such as 00 FF, or text in quotes; repeated as often as needed."


class _PatternDialog(QDialog):
    """A field of its own over a field for the pattern."""

    def __init__(self, parent: QWidget, title: str, verb: str, label: str, text: str) -> None:
        super().__init__(parent)
        self.pattern = b""
        self.setWindowTitle(in_title(title))
        self.setMinimumWidth(WIDTH)
        self.field = _field(text, label.replace("&", ""))
        self.pattern_field = _field("00", "Bytes")
        self.pattern_field.setToolTip(HINT)
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        self.says.setFont(ui_font(Size.SECONDARY))
        self.says.setMinimumHeight(2 * self.says.fontMetrics().height())
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self._buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out(label)
        for field in (self.field, self.pattern_field):
            field.textChanged.connect(self.judge)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.field.selectAll()

    def _lay_out(self, label: str) -> None:
        form = QFormLayout()
        form.setSpacing(12)
        form.addRow(label, self.field)
        form.addRow("&Bytes:", self.pattern_field)
        hint = PlainLabel(HINT)
        hint.setWordWrap(True)
        hint.setFont(ui_font(Size.SECONDARY))
        form.addRow("", hint)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(16)
        layout.addLayout(form)
        layout.addWidget(self.says)
        layout.addWidget(self._buttons)

    def judge(self) -> None:
        """Say what would be done, or what is wrong."""
        try:
            words = self.verdict()
        except (TypedBytesError, PathError) as error:
            self.says.setText(str(error))
            self.go.setEnabled(False)
        else:
            self.says.setText(words)
            self.go.setEnabled(True)

    def verdict(self) -> str:
        """What would be done, in a sentence; reads the fields.

        Raises:
            TypedBytesError, PathError: a field cannot be read.
        """
        raise NotImplementedError


class InsertDialog(_PatternDialog):
    """Asks how many bytes to insert, and which.

    Attributes:
        new: the bytes, once the dialog is accepted.
    """

    def __init__(self, parent: QWidget, at: int) -> None:
        super().__init__(parent, "Insert bytes", "&Insert", "&Number:", "4")
        self._at = at
        self._count = 0
        self.judge()

    @property
    def new(self) -> bytes:
        """The bytes to insert."""
        return repeated(self.pattern, self._count)

    def verdict(self) -> str:
        self._count = parse_count(self.field.text())
        self.pattern = parse_pattern(self.pattern_field.text())
        return f"{counted(self._count, 'byte')} before 0x{self._at:X}: {_start_of(self.pattern, self._count)}."


class FillDialog(_PatternDialog):
    """Asks which bytes to fill, and with what.

    Attributes:
        span: the bytes to fill, once the dialog is accepted.
    """

    def __init__(self, parent: QWidget, document: Document, span: Span, caret: int) -> None:
        text = f"0x{span.start:X}+{len(span)}"
        super().__init__(parent, "Fill bytes", "&Fill", "&Range:", text)
        self._document, self._caret = document, caret
        self.span = span
        self.field.setToolTip("First..last or offset+length")
        self.pattern_field.selectAll()
        self.pattern_field.setFocus()
        self.judge()

    def verdict(self) -> str:
        self.span = parse_range(self._document, self.field.text(), self._caret)
        self.pattern = parse_pattern(self.pattern_field.text())
        size, start, end = len(self.span), self.span.start, self.span.end
        become = "becomes" if size == 1 else "become"
        return f"{counted(size, 'byte')} from 0x{start:X} to 0x{end - 1:X} {become} {_start_of(self.pattern, size)}."


def _field(text: str, name: str) -> QLineEdit:
    field = LongLine(text)
    field.setFont(fixed_font())
    field.setAccessibleName(name.rstrip(":"))
    return field


def _start_of(pattern: bytes, size: int) -> str:
    """The first of the bytes that a pattern gives."""
    shown = repeated(pattern, min(size, 8)).hex(" ").upper()
    return f"{shown} …" if size > 8 else shown


# The dialog that asks for a run of bytes.


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
