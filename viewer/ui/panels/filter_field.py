"""Fields for filters: a framed line with a funnel and a button; over a list, and in the title of a pane."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.base.record import dataclass
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_widgets import IconButton, PlainLine, paint_field, plain_field_style
from viewer.ui.panels.path_bar import Sentence

LEFT = 34
"""Room at the left of the line, for the funnel."""
TITLE_FIELD = 26
"""Pixels that a field in a title is high."""
BUTTON, ICON = 20, 15


@dataclass(frozen=True, slots=True)
class FilterWords:
    """The words of a filter: the line's object name, what it is called, what stands in it empty, and the tool tips."""

    name: str
    title: str
    placeholder: str
    tip: str
    all_again: str


class FilterField(QWidget):
    """The line edit, a button that shows everything again, and a sentence below that says what is wrong.

    Who derives from it says where they lie, and paints the frame.

    Args:
        theme: its colours.
        words: what stands in it.
        size: of what is typed.

    Signals:
        entered: Enter or Down: the focus should go to what is filtered.
    """

    entered = Signal()

    def __init__(self, theme: Theme, words: FilterWords, size: Size) -> None:
        super().__init__()
        self._theme = theme
        self.line = FilterLine(self, words.name, words.title, size)
        self.line.setPlaceholderText(words.placeholder)
        self.line.setToolTip(plain_tip(words.tip))
        self.line.setStyleSheet(plain_field_style(theme))
        self.all_button = IconButton(theme, "x", words.all_again, self)
        self.sentence = Sentence(theme, self)
        self.line.entered.connect(self.entered)
        self.line.focus_changed.connect(self.update)
        self.setFocusProxy(self.line)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        self.all_button.set_theme(theme)
        self.sentence.set_theme(theme)
        self.update()

    def focus(self) -> None:
        """Take the focus, all text selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()


class TitleFilter(FilterField):
    """A filter in the title of a pane. The first Escape clears the text, the second one leaves.

    Args:
        theme: its colours.
        words: what stands in it.
        name: its object name.
        widths: the least and the usual width.

    Signals:
        edited: the text is another one.
        left: Escape was pressed in an empty field.
    """

    edited = Signal()
    left = Signal()

    def __init__(self, theme: Theme, words: FilterWords, name: str, widths: tuple[int, int]) -> None:
        super().__init__(theme, words, Size.SECONDARY)
        self.setObjectName(name)
        least, self._usual = widths
        self.all_button.hide()
        self.line.textChanged.connect(self._on_text)
        self.line.escaped.connect(self._on_escape)
        self.all_button.clicked.connect(self.line.clear)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(TITLE_FIELD)
        self.setMinimumWidth(least)
        self.setMaximumWidth(self._usual)

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
        return QSize(self._usual, TITLE_FIELD)

    def resizeEvent(self, event: QResizeEvent) -> None:
        right = self.width() - BUTTON - 4
        self.all_button.setGeometry(right, (TITLE_FIELD - BUTTON) // 2, BUTTON, BUTTON)
        self.line.setGeometry(LEFT, 2, max(40, right - LEFT - 4), TITLE_FIELD - 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_field(painter, QRectF(self.rect()), self._theme, self.line.hasFocus(), bool(self.error))
        icons.draw(painter, "funnel", self._theme, QRectF(10, (TITLE_FIELD - ICON) / 2, ICON, ICON))
        painter.end()


class FilterLine(PlainLine):
    """Gives the keys that leave it to the field.

    Signals:
        entered: Enter or Down.
        escaped: Escape.
    """

    entered = Signal()
    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
