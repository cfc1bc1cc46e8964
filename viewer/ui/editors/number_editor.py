"""The editors of one number, as decimal and as its bits, and of a bool."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget
from viewer.document.forms.typed_values import bits_text, limits, parse_bits
from viewer.ui.editors.fields import CheckBox, NumberField, label, mark_invalid, note, quietly
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.variant.dialect import Field
from viewer.variant.literal.numbers import to_f32


class NumberEditor(Editor):
    """An int, a float, or an element of an array of them; the arrow keys count up and down.

    Args:
        target: the value; its data is a number.
        theme: the colours.
        narrow, wide: how it may be stored; the same where there is one way only.
        stored_wide: whether it is stored wide now, which stays so.
    """

    def __init__(self, target: EditTarget, theme: Theme, narrow: Field, wide: Field, stored_wide: bool) -> None:
        super().__init__(target, theme)
        assert isinstance(target.data, int | float)
        self._narrow, self._wide, self._stored_wide = narrow.type, wide.type, stored_wide
        self.field = NumberField(target.data, wide.type, "")
        self.field.setAccessibleName("Value")
        self.bits = QLineEdit()
        self.bits.setFont(fixed_font())
        self.bits.setAccessibleName("Bits in hexadecimal")
        self._lay_out()
        self._show_bits()
        self.field.textChanged.connect(self._number_typed)
        self.bits.textEdited.connect(self._bits_typed)

    def _lay_out(self) -> None:
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(12)
        layout.addWidget(label("&Value", self.field), 0, 0)
        layout.addWidget(self.field, 0, 1)
        layout.addWidget(label("&Bits", self.bits), 1, 0)
        layout.addWidget(self.bits, 1, 1)
        layout.addWidget(note(self._words()), 2, 1)
        layout.setColumnStretch(1, 1)

    def _words(self) -> str:
        steps = "Up and Down step by 1, with Shift by 10"
        if self._wide[0] == "f":
            return f"{steps}, with Alt by 0.1. inf and nan are numbers too."
        return f"{limits(self._wide)}. {steps}. 0x and 0b are read too."

    def _width(self, number: float) -> str:
        """The number type in which a number would be stored."""
        if self._stored_wide or self._narrow == self._wide:
            return self._wide
        if isinstance(number, int):
            return self._narrow if -(1 << 31) <= number < 1 << 31 else self._wide
        return self._narrow if to_f32(number) == number else self._wide

    def _show_bits(self) -> None:
        try:
            number = self.field.number()
            text = bits_text(number, self._width(number))
        except EditError:
            return
        quietly(self.bits, lambda: self.bits.setText(text))
        mark_invalid(self.bits, False)

    def _number_typed(self) -> None:
        self.fault = None
        self._show_bits()
        self.edited.emit()

    def _bits_typed(self, text: str) -> None:
        digits = len(text.strip().lower().removeprefix("0x"))
        kind = self._narrow if digits <= 8 and not self._stored_wide else self._wide
        try:
            number = parse_bits(text, kind)
        except EditError as error:
            mark_invalid(self.bits, True)
            self.blame(error)
            return
        self.fault = None
        mark_invalid(self.bits, False)
        quietly(self.field, lambda: self.field.set_number(number))
        mark_invalid(self.field, False)
        self.edited.emit()

    def made(self) -> int | float:
        """The number."""
        return self.field.number()

    def start(self) -> None:
        """Begin with the whole number selected."""
        self.field.setFocus()
        self.field.selectAll()


class BoolEditor(Editor):
    """One check box."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        self.box = CheckBox(theme, "&True")
        self.box.setChecked(bool(target.data))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.box)
        self.box.toggled.connect(self.edited)

    def made(self) -> bool:
        """Whether it is ticked."""
        return self.box.isChecked()

    def start(self) -> None:
        """Begin at the box."""
        self.box.setFocus()
