"""The filter field at the right of the title: which packets are listed; what is wrong with the text is said below."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.path_field import Sentence
from viewer.ui.panels.pieces import IconButton
from viewer.ui.panels.plain_field import plain_field_style

HEIGHT = 26
LEAST, USUAL = 150, 420
LEFT = 34
BUTTON = 20
ICON = 15
PLACEHOLDER = 'Filter: cmd == "move"   size > 100   error'
TIP = (
    "Show only packets with these words, or of which this is true (Ctrl+Shift+K)\n"
    'cmd == "move"   type == Dictionary   kind call   size > 100   channel 2\n'
    "from 127.0.0.1:45001   to 10.0.0.7   port 45001   carrier enet\n"
    "error   warning   copy   control   and  or  not  ( )"
)


class PacketFilter(QWidget):
    """A frame with a line edit.

    Signals:
        edited: the text is another one.
        entered: Enter or Down: the focus should go to the list.
        left: Escape was pressed in an empty field.
    """

    edited = Signal()
    entered = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("packetsFilter")
        self._theme = theme
        self.line = _Line(self)
        self.line.setObjectName("packetsFilterLine")
        self.line.setAccessibleName("Filter packets")
        self.line.setPlaceholderText(PLACEHOLDER)
        self.line.setToolTip(TIP)
        self.line.setFont(ui_font(Size.SECONDARY))
        self.line.setFrame(False)
        self.clear_button = IconButton(theme, "x", "Show all packets again (Esc)", self)
        self.clear_button.hide()
        self.sentence = Sentence(theme, self)
        self.line.textChanged.connect(self._on_text)
        self.line.entered.connect(self.entered)
        self.line.escaped.connect(self._on_escape)
        self.line.focus_changed.connect(self.update)
        self.clear_button.clicked.connect(self.line.clear)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(LEAST)
        self.setMaximumWidth(USUAL)
        self.setFocusProxy(self.line)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        self.clear_button.set_theme(theme)
        self.sentence.set_theme(theme)
        self.update()

    @property
    def text(self) -> str:
        """What was typed."""
        return self.line.text()

    @property
    def error(self) -> str:
        """What is wrong with it, empty for nothing."""
        return self.sentence.text

    def refuse(self, sentence: str) -> None:
        """Say why the text cannot be read; an empty sentence takes it back."""
        self.sentence.say(sentence)
        self.setAccessibleDescription(sentence)
        self.update()

    def focus(self) -> None:
        """Take the focus, all text selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def _on_text(self) -> None:
        self.clear_button.setVisible(bool(self.text))
        self.edited.emit()

    def _on_escape(self) -> None:
        if self.text:
            self.line.clear()
        else:
            self.left.emit()

    def sizeHint(self) -> QSize:
        return QSize(USUAL, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        right = self.width() - BUTTON - 4
        self.clear_button.setGeometry(right, (HEIGHT - BUTTON) // 2, BUTTON, BUTTON)
        self.line.setGeometry(LEFT, 2, max(40, right - LEFT - 4), HEIGHT - 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui, focused, wrong = self._theme.ui, self.line.hasFocus(), bool(self.error)
        edge = self._theme.state("error").line if wrong else ui.focus if focused else ui.border_strong
        width = 2 if focused or wrong else 1
        painter.setPen(QPen(edge, width))
        painter.setBrush(ui.base)
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
        icons.draw(painter, "funnel", self._theme, QRectF(10, (HEIGHT - ICON) / 2, ICON, ICON))
        painter.end()


class _Line(QLineEdit):
    """Gives the keys that leave it to the field."""

    entered = Signal()
    escaped = Signal()
    focus_changed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()
