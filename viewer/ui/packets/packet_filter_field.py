"""The filter field at the right of the title: which packets are listed; what is wrong with the text is said below."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size
from viewer.ui.look.palette import Theme
from viewer.ui.panels.filter_field import LEFT, FilterField, FilterWords
from viewer.ui.panels.panel_widgets import paint_field

HEIGHT = 26
LEAST, USUAL = 150, 420
BUTTON = 20
ICON = 15
TIP = (
    "Show only packets with these words, or of which this is true (Ctrl+Shift+K)\n"
    'cmd == "move"   type == Dictionary   kind call   size > 100   channel 2\n'
    "from 127.0.0.1:45001   to 10.0.0.7   port 45001   carrier enet\n"
    "error   warning   copy   control   and  or  not  ( )"
)
WORDS = FilterWords(
    "packetsFilterLine",
    "Filter packets",
    'Filter: cmd == "move"   size > 100   error',
    TIP,
    "Show all packets again (Esc)",
)


class PacketFilter(FilterField):
    """A field of which the first Escape clears the text, and the second one leaves.

    Signals:
        edited: the text is another one.
        left: Escape was pressed in an empty field.
    """

    edited = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, WORDS, Size.SECONDARY)
        self.setObjectName("packetsFilter")
        self.all_button.hide()
        self.line.textChanged.connect(self._on_text)
        self.line.escaped.connect(self._on_escape)
        self.all_button.clicked.connect(self.line.clear)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(LEAST)
        self.setMaximumWidth(USUAL)

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

    def _on_text(self) -> None:
        self.all_button.setVisible(bool(self.text))
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
        self.all_button.setGeometry(right, (HEIGHT - BUTTON) // 2, BUTTON, BUTTON)
        self.line.setGeometry(LEFT, 2, max(40, right - LEFT - 4), HEIGHT - 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_field(painter, QRectF(self.rect()), self._theme, self.line.hasFocus(), bool(self.error))
        icons.draw(painter, "funnel", self._theme, QRectF(10, (HEIGHT - ICON) / 2, ICON, ICON))
        painter.end()
