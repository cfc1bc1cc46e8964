"""The field that lies over a value while it is edited."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from viewer.document.shown.row_facts import Rgba
from viewer.document.shown.verdict import stepped
from viewer.ui.look import chips, patterns
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme

FRAME = 2
PADDING = 4
SWATCH = 13
BUTTON = 20
WAVE_BELOW = 2
SPARE = 12
KEPT_OPEN_BY = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
SHEET = """
QLineEdit {{ border: {frame}px solid {line}; border-radius: 4px; padding: 0px; background: {base}; color: {text};
    selection-background-color: {accent}; selection-color: {accent_text}; min-height: 0px; }}
QToolButton {{ border: none; background: transparent; padding: 0px; }}
"""


class ValueField(QLineEdit):
    """A line of text with a frame that says whether it could be written.

    Signals:
        accepted: Enter was pressed.
        cancelled: Esc was pressed.
        left: the focus went elsewhere.
        fix_wanted: the offered fix was asked for.
        picker_wanted: the colour dialog was asked for.
    """

    accepted = Signal()
    cancelled = Signal()
    left = Signal()
    fix_wanted = Signal()
    picker_wanted = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setObjectName("valueField")
        self.setFont(fixed_font(Size.SECONDARY))
        self.setMaxLength(1 << 30)
        self._theme = theme
        self._wrong_from = -1
        self._swatch: Rgba | None = None
        self._button: QToolButton | None = None
        self.set_wrong(-1)
        self.setText(text)
        self._select_from_end()

    def _select_from_end(self) -> None:
        """Select all with the cursor at the start, so that a long text shows how it begins."""
        self.end(False)
        self.home(True)

    def set_wrong(self, position: int) -> None:
        """Show that the text is wrong from a character on; -1 for right."""
        self._wrong_from = position
        ui = self._theme.ui
        line = ui.focus if position < 0 else self._theme.state("error").line
        colours = {name: getattr(ui, name).name() for name in ("base", "text", "accent", "accent_text")}
        self.setStyleSheet(SHEET.format(frame=FRAME, line=line.name(), **colours))
        self._set_margins()

    def set_swatch(self, rgba: Rgba | None) -> None:
        """Show a colour before the text, and a button that opens the colour dialog behind it."""
        self._swatch = rgba
        if self._button is None:
            self._button = QToolButton(self)
            self._button.setObjectName("pickColour")
            self._button.setIcon(icon("palette", self._theme))
            self._button.setIconSize(QSize(14, 14))
            self._button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._button.setCursor(Qt.CursorShape.ArrowCursor)
            self._button.setToolTip("Choose a colour (Alt+Down)")
            self._button.setAccessibleName("Choose a colour")
            self._button.clicked.connect(self.picker_wanted)
            self._button.show()
        self._set_margins()
        self.update()

    def wanted_width(self) -> int:
        """The width at which all of the text is in view."""
        margins = self.textMargins()
        text = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        return round(text) + margins.left() + margins.right() + 2 * FRAME + SPARE

    def _set_margins(self) -> None:
        left = PADDING + (SWATCH + PADDING + 2 if self._swatch is not None else 0) - 2
        self.setTextMargins(left, 0, BUTTON if self._button is not None else PADDING - 2, 0)

    def _paint_wave(self, painter: QPainter) -> None:
        metrics, text = QFontMetricsF(self.font()), self.text()
        start = min(self._wrong_from, max(0, len(text) - 1))
        cursor = QRectF(self.cursorRect()).center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        left = max(cursor + metrics.horizontalAdvance(text[:start]), FRAME + PADDING)
        right = min(cursor + metrics.horizontalAdvance(text), self.width() - FRAME - self.textMargins().right())
        top = self.height() / 2 + metrics.ascent() / 2 + WAVE_BELOW
        wave = QRectF(left, round(top) - 1, max(0.0, right - left), patterns.WAVE_HEIGHT)
        painter.setBrushOrigin(wave.topLeft())
        painter.fillRect(wave, patterns.wave(self._theme.state("error").line.name(), self.devicePixelRatioF()))

    def _step(self, event: QKeyEvent) -> bool:
        """Count a number up or down."""
        if event.key() not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return False
        modifiers = event.modifiers()
        steps = 10 if modifiers & Qt.KeyboardModifier.ShiftModifier else 1
        signed = steps if event.key() == Qt.Key.Key_Up else -steps
        text = stepped(self.text(), signed, bool(modifiers & Qt.KeyboardModifier.AltModifier))
        if text is not None:
            self.setText(text)
        return text is not None

    def _slot(self, event: QKeyEvent) -> Callable[[], None] | None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.accepted.emit
        if event.key() == Qt.Key.Key_Escape:
            return self.cancelled.emit
        if event.key() == Qt.Key.Key_Up and control:
            return self.fix_wanted.emit
        if event.key() == Qt.Key.Key_Down and alt and self._button is not None:
            return self.picker_wanted.emit
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        slot = self._slot(event)
        if slot is not None:
            event.accept()
            slot()
        elif not self._step(event):
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in KEPT_OPEN_BY:
            self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        if self._swatch is not None:
            top = round((self.height() - SWATCH) / 2)
            square = QRectF(FRAME + PADDING, top, SWATCH, SWATCH)
            chips.paint_swatch(painter, square, self._swatch, self._theme)
        if self._wrong_from >= 0 and self.text():
            self._paint_wave(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._button is not None:
            top = (self.height() - BUTTON) // 2
            self._button.setGeometry(self.width() - BUTTON - FRAME, top, BUTTON, BUTTON)
