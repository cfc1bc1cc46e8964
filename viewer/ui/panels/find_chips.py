"""What can be looked for, as chips under the search field; and what can be done with all that was found."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from viewer.document.searching.query import Mode
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.find_field import CHIPS, MODES
from viewer.ui.panels.list_card import SHADOW, paint_card
from viewer.ui.panels.panel_painting import RADIUS
from viewer.ui.panels.panel_widgets import FlatButton

HEIGHT = 38
CHANGE_TIP = "Change the values of all places found"
NOTHING_YET = "Nothing has been found yet that could be changed"


class ModeChip(FlatButton):
    """A button with an edge of its own: a choice among others."""

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        edge = self._theme.ui.accent if self.isChecked() else self._theme.ui.border_strong
        painter.setPen(QPen(edge, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5), RADIUS, RADIUS)
        super()._paint_content(painter, rect)


class FindChips(QWidget):
    """A card below the search field.

    Args:
        theme: its colours.
        field: under which it hangs; it lies in that widget's window.

    Signals:
        chosen: ``Mode``: what is to be looked for.
        change_requested: all that was found is to be changed.
        escaped: the focus should go back to the field.
    """

    chosen = Signal(object)
    change_requested = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme, field: QWidget) -> None:
        super().__init__(field.window())
        self.setObjectName("findChips")
        self.setAccessibleName("What is looked for")
        self._theme, self._field = theme, field
        self._modes = dict(MODES)
        self.chips = {mode: self._chip(theme, mode) for mode in CHIPS}
        self.more_button = ModeChip(theme, "More", "", self)
        self.more_button.trailing_icon = "chevron-down"
        self.more_button.setCheckable(True)
        self.more_button.setToolTip("Text, numbers, bytes, regular expressions")
        self.more_button.clicked.connect(self._offer_more)
        self.change_button = FlatButton(theme, "Bulk Edit…", "", self)
        self.change_button.text_role = "accent"
        self.change_button.setObjectName("changeFound")
        self.change_button.clicked.connect(self.change_requested)
        self._menu = QMenu(self)
        for mode, words in MODES:
            if mode not in CHIPS:
                action = self._menu.addAction(words)
                action.setData(mode)
                action.setCheckable(True)
        self._menu.triggered.connect(lambda action: self.chosen.emit(action.data()))
        self._lay_out()
        for each in (field, field.window()):
            each.installEventFilter(self)
        self.hide()

    def _chip(self, theme: Theme, mode: Mode) -> ModeChip:
        chip = ModeChip(theme, self._modes[mode], "", self)
        chip.setCheckable(True)
        chip.setToolTip(plain_tip(f"Look for {WHAT[mode]} (Alt+{CHIPS.index(mode) + 1})"))
        chip.clicked.connect(lambda: self.chosen.emit(mode))
        return chip

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(SHADOW + 7, SHADOW, SHADOW + 7, SHADOW)
        row.setSpacing(4)
        for chip in (*self.chips.values(), self.more_button):
            row.addWidget(chip)
        row.addSpacing(8)
        row.addWidget(self.change_button)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def buttons(self) -> list[FlatButton]:
        """All buttons, in the order of the keyboard."""
        return [*self.chips.values(), self.more_button, self.change_button]

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for button in self.buttons:
            button.set_theme(theme)
        self.update()

    def show_mode(self, mode: Mode, can_change: bool) -> None:
        """Say what is looked for, and whether there is anything to be changed."""
        for own, chip in self.chips.items():
            chip.setChecked(own is mode)
        other = mode not in self.chips
        self.more_button.setChecked(other)
        self.more_button.set_look(self._modes[mode] if other else "More")
        for action in self._menu.actions():
            action.setChecked(action.data() is mode)
        self.change_button.setEnabled(can_change)
        self.change_button.setToolTip(plain_tip(CHANGE_TIP if can_change else NOTHING_YET))
        self._place()

    def appear(self) -> None:
        """Lie below the field."""
        self._place()
        self.show()
        self.raise_()

    def _offer_more(self) -> None:
        self._menu.popup(self.more_button.mapToGlobal(QPoint(0, self.more_button.height())))

    def _place(self) -> None:
        window = self._field.window()
        width, height = self.sizeHint().width(), HEIGHT + 2 * SHADOW
        corner = self._field.mapTo(window, QPoint(self._field.width(), self._field.height() + 2 - SHADOW))
        left = max(4 - SHADOW, min(corner.x() + SHADOW - width, window.width() - width + SHADOW - 4))
        self.setGeometry(left, corner.y(), width, height)

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_card(painter, QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW), self._theme)
        painter.end()


WHAT = {
    Mode.ANY: "anything: keys, values, text",
    Mode.KEY: "keys and names",
    Mode.VALUE: "values, not keys",
    Mode.TYPE: "all values of a type, such as Vector2",
}
