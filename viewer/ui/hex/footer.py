"""The row below the bytes: what an edit left untrue, and one thing to do about it; it covers no byte."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton, IconButton

ROW = 32
LEFT, RIGHT, BETWEEN = 36, 8, 8
BUTTON = 24
STATE = "warning"


class HexFooter(QWidget):
    """Icon, sentence, a button with its key, and a cross; in a narrow view the button stands below the sentence.

    Signals:
        taken: the button was pressed.
        declined: it was closed.
    """

    taken = Signal()
    declined = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("hexFooter")
        self._theme = theme
        self.sentence = ElidedLine(theme, ui_font(Size.SECONDARY), parent=self)
        self.action_button = FlatButton(theme, parent=self)
        self.action_button.setFont(ui_font(Size.SECONDARY, strong=True))
        self.action_button.clicked.connect(self.taken)
        self.close_button = IconButton(theme, "x", "Leave it as it is", self)
        self.close_button.clicked.connect(self.declined)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.sentence, self.action_button, self.close_button):
            part.set_theme(theme)
        self.update()

    def tell(self, sentence: str, action: str, key: str) -> None:
        """Say a sentence; *action* are the words of the button, empty for none, *key* its shortcut."""
        self.sentence.set_text(sentence, f"state.{STATE}.fg")
        self.action_button.set_look(f"{action}  ({key})" if key else action, "", "", f"state.{STATE}.fg")
        self.action_button.setVisible(bool(action))
        self.setAccessibleName(sentence)
        self._place()
        self.update()

    def _words(self) -> int:
        """The width of the whole sentence."""
        return round(QFontMetricsF(ui_font(Size.SECONDARY)).horizontalAdvance(self.accessibleName())) + 8

    def _is_narrow(self, width: int) -> bool:
        needed = LEFT + self._words() + BETWEEN + self.action_button.sizeHint().width() + BETWEEN + BUTTON + RIGHT
        return not self.action_button.isHidden() and needed > width

    def _place(self) -> None:
        narrow = self._is_narrow(self.width())
        right = self.width() - RIGHT - BUTTON
        inset = (ROW - BUTTON) // 2
        self.close_button.setGeometry(right, inset, BUTTON, BUTTON)
        button = self.action_button.sizeHint().width()
        if narrow:
            left = LEFT - self.action_button.margin
            self.action_button.setGeometry(left, ROW - inset, min(button, right - left), BUTTON)
        elif not self.action_button.isHidden():
            right -= BETWEEN + button
            self.action_button.setGeometry(right, inset, button, BUTTON)
        self.sentence.setGeometry(QRect(LEFT, 0, max(0, right - BETWEEN - LEFT), ROW))

    # Qt

    def heightForWidth(self, width: int) -> int:
        return 2 * ROW - 4 if self._is_narrow(width) else ROW

    def sizeHint(self) -> QSize:
        return QSize(400, ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.declined.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.state(STATE).bg)
        painter.fillRect(0, 0, self.width(), 1, self._theme.ui.border)
        place = QRectF(12, (ROW - 16) / 2, 16, 16)
        icons.draw(painter, "wand-sparkles", self._theme, place, f"state.{STATE}.line")
        painter.end()
