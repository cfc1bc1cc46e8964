"""What the filter over the tree and the filter of the packets share: a framed line with a funnel and a button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from viewer.base.record import dataclass
from viewer.ui.look.fonts import Size
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_widgets import IconButton, PlainLine, plain_field_style
from viewer.ui.panels.path_bar import Sentence

LEFT = 34
"""Room at the left of the line, for the funnel."""


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
