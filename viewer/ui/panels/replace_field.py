"""The replace field: a frame with a line edit, and the keys that replace from inside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.ui.look import icons
from viewer.ui.look.palette import Theme
from viewer.ui.panels.find_field import HEIGHT, LEFT, WIDTH, is_option
from viewer.ui.panels.panel_widgets import PlainLine, paint_field, plain_field_style
from viewer.ui.panels.path_bar import Sentence

LEAST = 120
TIP = (
    "Replace with this\n"
    "Enter replaces and goes on, Ctrl+Alt+Enter replaces all; \\1 is the first group of a regular expression"
)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
UNDO_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
ALL = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


class ReplaceField(QWidget):
    """Holds what is to take the place of what was found.

    Args:
        theme: its colours.

    Attributes:
        line: the line edit; tells which key was pressed in it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._is_wrong = False
        self.line = ReplaceLine(self, "replaceLine", "Replace with")
        self.line.setPlaceholderText("Replace with")
        self.line.setToolTip(TIP)
        self.line.focus_changed.connect(self.update)
        self.sentence = Sentence(theme, self)
        self.setFocusProxy(self.line)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(LEAST)
        self.setMaximumWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        self.sentence.set_theme(theme)
        self.update()

    def refuse(self, sentence: str) -> None:
        """Say below the field what is wrong; an empty sentence takes it back."""
        self._is_wrong = bool(sentence)
        self.sentence.say(sentence)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.line.setGeometry(LEFT, 3, max(40, self.width() - LEFT - 8), HEIGHT - 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_field(painter, QRectF(self.rect()), self._theme, self.line.hasFocus(), self._is_wrong)
        icons.draw(painter, "replace", self._theme, QRectF(9, 6, 16, 16))
        painter.end()


class ReplaceLine(PlainLine):
    """Tells its keys.

    Signals:
        entered: Enter.
        all_entered: Control, Alt and Enter.
        escaped: Escape.
        went_up: the up arrow: the focus should go to the search field.
        went_down: the down arrow: the focus should go to the list.
        option_switched: ``Qt.Key``: the letter of an option with Alt.
    """

    entered = Signal()
    all_entered = Signal()
    escaped = Signal()
    went_up = Signal()
    went_down = Signal()
    option_switched = Signal(object)
    _leaves_undo = False  # events come while Qt makes the line

    def __init__(self, field: QWidget, name: str, title: str) -> None:
        super().__init__(field, name, title)
        self.textEdited.connect(self._take_undo)

    def leave_undo(self) -> None:
        """Something was replaced: until the text here is changed, the keys of undo are those of the file."""
        self._leaves_undo = True

    def _take_undo(self) -> None:
        self._leaves_undo = False

    def event(self, event: QEvent) -> bool:
        asks = event if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride else None
        if self._leaves_undo and asks is not None and any(map(asks.matches, UNDO_KEYS)):
            asks.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and event.modifiers() & ALL == ALL:
            self.all_entered.emit()
        elif event.key() in ENTER:
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() == Qt.Key.Key_Up:
            self.went_up.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.went_down.emit()
        elif is_option(event):
            self.option_switched.emit(Qt.Key(event.key()))
        else:
            super().keyPressEvent(event)
        event.accept()  # or the window would take Enter for itself
