"""Fields for editors: a number that steps with the arrow keys, labels, and the red frame of what is wrong."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QStyle, QWidget

from viewer.document.edits.slots import EditError
from viewer.document.forms.typed_values import limits, number_text, parse_number
from viewer.document.viewmodel.verdict import ONE, stepped
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.panels.panel_painting import paint_focus
from viewer.ui.tree.cell_painter import paint_box

LARGE_STEP = 10
LABEL_HEIGHT = 28
"""As high as a field, so that a label stands at the height of its text."""


class NumberField(QLineEdit):
    """One number of a payload.

    The number it was given stays to the bit until the text is another one.

    Args:
        number: what it holds at first.
        kind: ``i32``, ``f64`` and so on.
        name: what it is called, in errors and by screen readers.

    Attributes:
        unit: what a step of the arrow keys is.
    """

    def __init__(self, number: float, kind: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number, self.kind, self.name = number, kind, name
        self.unit = ONE
        self._kept = number_text(number, kind)
        self.setFont(fixed_font())
        self.setAccessibleName(name)
        self.setText(self._kept)
        self.setCursorPosition(0)
        self.setToolTip(plain_tip(limits(kind)))
        self.textChanged.connect(self._mark)

    def number(self) -> int | float:
        """The number.

        Raises:
            EditError: the text is none, or it does not fit.
        """
        if self.text() == self._kept:
            return self._number
        try:
            return parse_number(self.text(), self.kind)
        except EditError as error:
            raise EditError(f"{self.name}: {error}" if self.name else str(error), -1, error.fix) from error

    def set_number(self, number: float) -> None:
        """Show another number."""
        self._number, self._kept = number, number_text(number, self.kind)
        self.setText(self._kept)

    def _mark(self) -> None:
        try:
            self.number()
        except EditError:
            mark_invalid(self, True)
        else:
            mark_invalid(self, False)

    def _step(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers()
        if key not in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            return False
        large = key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) or modifiers & Qt.KeyboardModifier.ShiftModifier
        steps = LARGE_STEP if large else 1
        signed = steps if key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp) else -steps
        text = stepped(self._decimal(), signed, bool(modifiers & Qt.KeyboardModifier.AltModifier), self.unit)
        if text is not None:
            self.setText(text.removesuffix(".0"))
        return text is not None

    def _decimal(self) -> str:
        """The text; where it is hexadecimal, its number in decimal."""
        try:
            return number_text(self.number(), self.kind) if "x" in self.text().lower() else self.text()
        except EditError:
            return self.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._step(event):
            super().keyPressEvent(event)


def mark_invalid(field: QWidget, wrong: bool) -> None:
    """Give a field the frame of what is wrong, or take it away."""
    if bool(field.property("invalid")) != wrong:
        field.setProperty("invalid", wrong)
        field.style().unpolish(field)
        field.style().polish(field)


def label(text: str, buddy: QWidget | None = None) -> PlainLabel:
    """A label beside a field."""
    found = PlainLabel(text)
    found.setFont(ui_font(Size.SECONDARY))
    found.setMinimumHeight(LABEL_HEIGHT)
    if buddy is not None:
        found.setBuddy(buddy)
    return found


def heading(text: str, buddy: QWidget | None = None) -> PlainLabel:
    """A label above fields."""
    found = label(text, buddy)
    found.setMinimumHeight(0)
    return found


def note(text: str = "") -> PlainLabel:
    """A sentence under fields."""
    found = PlainLabel(text)
    found.setFont(ui_font(Size.SECONDARY))
    found.setWordWrap(True)
    found.setForegroundRole(found.palette().ColorRole.PlaceholderText)
    return found


def quietly(field: QWidget, do: Callable[[], object]) -> None:
    """Change a field without it telling."""
    blocked = field.blockSignals(True)
    do()
    field.blockSignals(blocked)


# A check box that can be seen in both themes.

BOX = 15
GAP = 7
EDGE = 4
HEIGHT = 24


class CheckBox(QCheckBox):
    """A box and its words."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(text)
        self._theme = theme

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text()).width()
        return QSize(2 * EDGE + BOX + GAP + words + 1, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: object) -> bool:
        return self.rect().contains(pos)  # type: ignore[call-overload,no-any-return]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = QRectF(EDGE + 0.5, (self.height() - BOX) // 2 + 0.5, BOX, BOX)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        paint_box(painter, box, self.isChecked(), self._theme)
        words = self.rect().adjusted(EDGE + BOX + GAP, 0, -EDGE, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(self._theme.ui.text)
        style: QStyle = self.style()
        style.drawItemText(
            painter,
            words,
            int(flags.value) | int(Qt.TextFlag.TextShowMnemonic.value),
            self.palette(),
            True,
            self.text(),
        )
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self._theme)
        painter.end()


def text_of(field: QPlainTextEdit) -> str:
    """What stands in a field of several lines; Qt's plain text would make blanks of those that do not break."""
    return field.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")
