"""The toast: says what was done, at the bottom right, for a few seconds; never for errors that need an answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QEvent, QObject, QPropertyAnimation, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QEnterEvent, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QGraphicsOpacityEffect, QHBoxLayout, QWidget

from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.ui.look.fonts import BASE, Size, ui_font, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.panels.panel_widgets import FlatButton, IconButton

if TYPE_CHECKING:
    from viewer.document.document import Document

STAYS = 6000
FADE = 80
HEIGHT = 40
SHADOW = 8
PADDING = 10
"""Above and below a text of several lines."""
MARGIN = 16
ABOVE_STATUS = 26
MOST = 520
REMEMBERED = 100
"""So many sentences can be read again."""


@dataclass(frozen=True, slots=True)
class ToastMessage:
    """A sentence that was said.

    Args:
        text: it.
        about: the name of the file that it was about, empty for none.
        time: the hour and minute.
    """

    text: str
    about: str
    time: str


class Toast(QWidget):
    """A floating card in a window.

    It stays while the mouse is over it or the focus in it.

    Args:
        theme: its colours.
        parent: the window in whose corner it lies.

    Signals:
        left: it goes, and a button of it has the keys.

    Attributes:
        said: what was said, the latest last.
    """

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("toast")
        self._theme = theme
        self._do: Callable[[], object] | None = None
        self._about: Document | None = None
        self._so_long: Callable[[], bool] | None = None
        self.said: deque[ToastMessage] = deque(maxlen=REMEMBERED)
        self.line = PlainLabel(parent=self)
        self.line.setFont(ui_font(Size.UI))
        self.action_button = FlatButton(theme, parent=self)
        self.action_button.setFont(ui_font(Size.UI, strong=True))
        self.action_button.clicked.connect(self._act)
        self.close_button = IconButton(theme, "x", "Close this message", self)
        self.close_button.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(SHADOW + 14, SHADOW, SHADOW + 8, SHADOW)
        row.setSpacing(8)
        row.addWidget(self.line, 1)
        row.addWidget(self.action_button)
        row.addWidget(self.close_button)
        self.timer = QTimer(self, singleShot=True, interval=STAYS)
        self.timer.timeout.connect(self._expire)
        self._effect = QGraphicsOpacityEffect(self)
        self._effect.setEnabled(False)
        self.setGraphicsEffect(self._effect)
        self._fade = QPropertyAnimation(self._effect, b"opacity", self)
        self._fade.setDuration(FADE)
        self._fade.finished.connect(lambda: self._effect.setEnabled(False))
        parent.installEventFilter(self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.action_button, self.close_button):
            part.set_theme(theme)
        self.update()

    def show_text(
        self,
        text: str,
        action: str = "",
        do: Callable[[], object] | None = None,
        about: Document | None = None,
        so_long: Callable[[], bool] | None = None,
    ) -> None:
        """Say something; *action* are the words of a button that does *do*, such as Undo.

        What is said *about* a document goes when another one is shown; None is said of none. Where *so_long* is given,
        it goes at the first :meth:`check` that finds that so no longer.
        """
        name = escaped(about.name) if about is not None else ""
        self.said.append(ToastMessage(text, name, QDateTime.currentDateTime().toString("HH:mm")))
        self._show(text, action, do, about)
        self._so_long = so_long

    def show_again(self, said: ToastMessage) -> None:
        """Say something again, without its button."""
        self._show(said.text)

    def _show(
        self, text: str, action: str = "", do: Callable[[], object] | None = None, about: Document | None = None
    ) -> None:
        self._do, self._about, self._so_long = do, about, None
        self.line.setText(text)
        self.action_button.set_look(action, "", "", "accent")
        self.action_button.setVisible(bool(action))
        self.setAccessibleName(text)
        was_hidden = self.isHidden()
        self._place()
        self.show()
        self.raise_()
        self.timer.start()
        if was_hidden and _moves():
            self._effect.setEnabled(True)
            self._fade.setStartValue(0.0)
            self._fade.setEndValue(1.0)
            self._fade.start()

    def follow(self, document: object) -> None:
        """Another document is shown: what is said about the one before goes, and so does its button."""
        if self._about is not None and self._about is not document:
            self.hide()

    def check(self) -> None:
        """Something was done: what is said goes where it is so no longer."""
        if self._so_long is not None and not self._so_long():
            self.hide()

    def _act(self) -> None:
        do = self._do
        self.hide()
        if do is not None:
            do()

    def _expire(self) -> None:
        """Go, unless somebody reads it or is about to press a button."""
        inside = QApplication.focusWidget()
        if self.underMouse() or (inside is not None and self.isAncestorOf(inside)):
            self.timer.start()
        else:
            self.hide()

    def _place(self) -> None:
        window = self.parentWidget()
        if window is None:
            return
        row = self.layout()
        assert row is not None
        most = min(MOST * ui_pixels() // BASE, window.width() - 2 * MARGIN + 2 * SHADOW)
        self.line.setWordWrap(False)  # then its size is that of one line
        row.invalidate()
        width = row.sizeHint().width() + 4
        if width > most:
            width = most
            self.line.setWordWrap(True)
            row.invalidate()
        height = max(HEIGHT + 2 * SHADOW, row.heightForWidth(width) + 2 * PADDING)
        left = window.width() - width - MARGIN + SHADOW
        self.setGeometry(left, window.height() - height - MARGIN - ABOVE_STATUS + SHADOW, width, height)

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return QSize(320, HEIGHT + 2 * SHADOW)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is held of a document that is not spoken of any more, nor the keys."""
        self._do = self._about = self._so_long = None
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            self.left.emit()
        super().hideEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        self.timer.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        shade = QColor(0, 0, 0)
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in range(SHADOW - 2, 0, -1):
            shade.setAlphaF(0.045 if self._theme.is_dark else 0.016)
            painter.setBrush(shade)
            painter.drawRoundedRect(card.adjusted(-spread, 2 - spread, spread, spread + 1), 6 + spread, 6 + spread)
        painter.setPen(QPen(self._theme.ui.border_strong, 1))
        painter.setBrush(self._theme.ui.raised)
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()


def _moves() -> bool:
    """Whether the platform wants movement at all."""
    return QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateTooltip) or QApplication.isEffectEnabled(
        Qt.UIEffect.UI_General
    )
