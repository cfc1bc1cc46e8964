"""A small floating card with one field: a note to something that stands right above it."""

from __future__ import annotations

from PySide6.QtCore import (
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QWidget,
)

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import SHADOW, STAY_REASONS, give_focus_back, paint_card
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.panels.panel_widgets import plain_field_style

# A small floating card with one field: a note to something that stands right above it.

WIDTH, HEIGHT = 360, 66
EDGE = 12
FIELD = 30
HINT = "Enter keeps the note, Esc leaves it as it was."


class NoteCard(QWidget):
    """Asks for a note. Leaving it for another place keeps what was written; only Escape does not.

    Signals:
        written: ``str``: the note.
        left: it went away, with or without a note.
    """

    written = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("noteCard")
        self._theme = theme
        self._back: QWidget | None = None
        self.line = _Line(self)
        self.line.setObjectName("noteField")
        self.line.setAccessibleName("Note of the bookmark")
        self.line.setPlaceholderText("Note")
        self.line.setFont(ui_font(Size.UI))
        self.line.setFrame(False)
        self.line.returnPressed.connect(self._keep)
        self.line.escaped.connect(self.dismiss)
        self.line.focus_lost.connect(self._keep)
        self.hide()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        self.update()

    def ask(self, note: str, row: QRect) -> None:
        """Ask for a note below *row*, a rectangle of the window, or above it where there is no room."""
        window = self.parentWidget()
        assert window is not None
        focus = QApplication.focusWidget()
        self._back = focus if focus is not None and not self.isAncestorOf(focus) else self._back
        size = QSize(min(WIDTH, window.width() - 2 * EDGE) + 2 * SHADOW, HEIGHT + 2 * SHADOW)
        below = QPoint(row.left() - SHADOW, row.bottom() + 4 - SHADOW)
        if below.y() + size.height() > window.height():
            below.setY(max(0, row.top() - 4 + SHADOW - size.height()))
        self.setGeometry(QRect(below, size))
        self.line.setGeometry(SHADOW + 38, SHADOW + 6, size.width() - 2 * SHADOW - 50, FIELD - 4)
        self.line.setText(note)
        self.line.selectAll()
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _keep(self) -> None:
        if not self.isHidden():
            self.written.emit(self.line.text().strip())
            self.dismiss()

    def dismiss(self) -> None:
        """Go away; what was written is not kept."""
        back, self._back, has_focus = self._back, None, self.line.hasFocus()
        if self.isHidden():
            return
        self.hide()
        if has_focus:
            give_focus_back(back)
        self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        paint_card(painter, card, self._theme)
        frame = QRectF(card.left() + 6, card.top() + 5, card.width() - 12, FIELD)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.ui.focus, 2))
        painter.setBrush(self._theme.ui.base)
        painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 4, 4)
        icons.draw(painter, "bookmark", self._theme, QRectF(frame.left() + 9, frame.center().y() - 8, 16, 16))
        words = QRectF(card.left() + 14, frame.bottom() + 2, card.width() - 28, card.bottom() - frame.bottom() - 4)
        paint_line(painter, words, HINT, ui_font(Size.SECONDARY), self._theme.ui.text_secondary)
        painter.end()


class _Line(QLineEdit):
    """Tells when it is left."""

    escaped = Signal()
    focus_lost = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in STAY_REASONS:
            self.focus_lost.emit()
