"""The filter's field over the tree: what the rows must have in their name, type or value, and how many do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.path_field import Sentence
from viewer.ui.panels.pieces import IconButton, paint_line
from viewer.ui.panels.plain_field import plain_field_style

HEIGHT = 36
EDGE = 4
LEFT = 34
BUTTON = 22
PLACEHOLDER = "Filter by name, type or value"
TIP = "Rows with this in their name, type or value\nkey: gold   value: sword   type: Vector2   number: 5000   true"


class FilterBar(QWidget):
    """A line edit in a frame with a count and a close button.

    Signals:
        edited: ``str``: another text.
        entered: Enter or Down: the focus should go to the first row.
        escaped: Escape, or the button: the filter should go.
    """

    edited = Signal(str)
    entered = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("filterBar")
        self._theme = theme
        self._small = ui_font(Size.SMALL)
        self._words, self._is_bad = "", False
        self.line = _Line(self)
        self.line.setObjectName("filterLine")
        self.line.setAccessibleName("Filter")
        self.line.setPlaceholderText(PLACEHOLDER)
        self.line.setToolTip(TIP)
        self.line.setFont(ui_font(Size.UI))
        self.line.setFrame(False)
        self.close_button = IconButton(theme, "x", "Show all rows again (Esc)", self)
        self.sentence = Sentence(theme, self)
        self.line.textChanged.connect(self.edited)
        self.line.entered.connect(self.entered)
        self.line.escaped.connect(self.escaped)
        self.line.focus_changed.connect(self.update)
        self.close_button.clicked.connect(self.escaped)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self.line)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        self.close_button.set_theme(theme)
        self.sentence.set_theme(theme)
        self.update()

    @property
    def words(self) -> str:
        """What it says about the rows."""
        return self._words

    def tell(self, words: str, is_bad: bool = False) -> None:
        """Say how many rows there are, in red where there is none or the text cannot be read."""
        self._words, self._is_bad = words, is_bad
        self.setAccessibleDescription(words)
        self._arrange()
        self.update()

    def focus(self) -> None:
        """Take the focus, all text selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def _arrange(self) -> None:
        right = self.width() - EDGE - 2
        self.close_button.setGeometry(right - BUTTON, (HEIGHT - BUTTON) // 2, BUTTON, BUTTON)
        count = round(QFontMetricsF(self._small).horizontalAdvance(self._words))
        self._count = QRectF(right - BUTTON - 6 - count, 0, count, HEIGHT)
        self.line.setGeometry(LEFT, EDGE + 2, max(40, round(self._count.left()) - 6 - LEFT), HEIGHT - 2 * EDGE - 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ui, focused = self._theme.ui, self.line.hasFocus()
        painter.fillRect(self.rect(), ui.panel)
        painter.fillRect(QRectF(0, HEIGHT - 1, self.width(), 1), ui.border)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = self._theme.state("error").line if self._is_bad else ui.focus if focused else ui.border_strong
        width = 2 if focused or self._is_bad else 1
        painter.setPen(QPen(edge, width))
        painter.setBrush(ui.base)
        inset = EDGE + width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
        icons.draw(painter, "funnel", self._theme, QRectF(11, HEIGHT / 2 - 8, 16, 16))
        colour = self._theme.state("error").fg if self._is_bad else ui.text_secondary
        paint_line(painter, self._count, self._words, self._small, colour)
        painter.end()


class _Line(QLineEdit):
    """Gives the keys that leave it to the bar."""

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

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.focus_changed.emit()

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.focus_changed.emit()
