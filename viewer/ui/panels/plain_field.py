"""A line edit that lies in a frame which somebody else paints: its look, its focus, and that frame."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QWidget

from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme

RADIUS = 4


class PlainLine(QLineEdit):
    """Has no frame and no surface of its own.

    Args:
        field: the widget that paints the frame.
        name: the object name.
        title: what it is called.
        size: of its words.

    Signals:
        focus_changed: it got the focus or lost it.
    """

    focus_changed = Signal()

    def __init__(self, field: QWidget, name: str, title: str, size: Size = Size.UI) -> None:
        super().__init__(field)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setFont(ui_font(size))
        self.setFrame(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()


def plain_field_style(theme: Theme) -> str:
    """A style sheet: no frame, no surface, colours by role."""
    ui = theme.ui
    return (
        "QLineEdit { border: none; background: transparent; padding: 0; margin: 0; min-height: 0;"
        f" color: {ui.text.name()}; placeholder-text-color: {ui.text_secondary.name()};"
        f" selection-background-color: {ui.selection.name()}; selection-color: {ui.text.name()}; }}"
    )


def paint_field(
    painter: QPainter, rect: QRectF, theme: Theme, focused: bool, wrong: bool = False, enabled: bool = True
) -> None:
    """Paint the frame and the surface of a field: its edge is thick where it has the focus or holds what is wrong."""
    edge = theme.state("error").line if wrong else theme.ui.focus if focused else theme.ui.border_strong
    width = 2 if focused or wrong else 1
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(edge if enabled else theme.ui.border, width))
    painter.setBrush(theme.ui.base)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)
