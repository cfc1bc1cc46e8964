"""The tool row: the few actions that a hand goes to, the path bar, the search field, the pane switches."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from viewer.ui.look.palette import Theme
from viewer.ui.window.actions import Actions
from viewer.ui.window.work_area import NARROW, TINY

HEIGHT = 40
ICON = 16
BUTTON = 28
LEFT = (("open", "save"), ("undo", "redo"), ("back", "forward"))
RIGHT = ("problems", "inspector")


class _Rule(QWidget):
    """A hairline between groups of buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(9, BUTTON)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().mid().color())
        painter.drawLine(4, 6, 4, BUTTON - 7)


class ToolRow(QWidget):
    """Lays out buttons around the path bar and the search field.

    Args:
        path_bar: takes the width that is left.
        find: the search field; below 1150 pixels a button stands for it until it is asked for, below 760 it then
            takes the place of the path bar.
    """

    def __init__(self, path_bar: QWidget, find: QWidget) -> None:
        super().__init__()
        self.setObjectName("toolRow")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self._path_bar, self._find = path_bar, find
        self._find_button = QToolButton()
        self._find_asked = False
        self._shown = False
        self._buttons: list[QToolButton] = []
        self._theme: Theme | None = None

    def set_actions(self, actions: Actions) -> None:
        """Fill the row; called once."""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 8, 0)
        layout.setSpacing(4)
        for place, group in enumerate(LEFT):
            if place:
                layout.addWidget(_Rule())
            for name in group:
                layout.addWidget(self._button(actions, name))
        layout.addSpacing(4)
        layout.addWidget(self._path_bar, 1)
        layout.addStretch(0)
        layout.addWidget(self._find)
        self._find_button = self._button(actions, "find")
        layout.addWidget(self._find_button)
        for name in RIGHT:
            layout.addWidget(self._button(actions, name))
        self._stretch = layout
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Icons come with the actions; lines with the palette."""
        self._theme = theme
        self.update()

    def set_document_shown(self, shown: bool) -> None:
        """Without a document there is no path to show."""
        self._shown = shown
        self._find_asked = self._find_asked and shown
        self._arrange()

    def show_find(self) -> None:
        """Bring the search field into view where a button stands for it."""
        self._find_asked = True
        self._arrange()

    def hide_find(self) -> None:
        """Let the button stand for the field again where there is little room."""
        self._find_asked = False
        self._arrange()

    def show_path(self) -> None:
        """Bring the path bar back where the search field has taken its place."""
        if self._shown and self._path_bar.isHidden():
            self.hide_find()

    def _button(self, actions: Actions, name: str) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(actions[name])
        button.setAccessibleName(actions[name].text().replace("&", ""))
        button.setIconSize(QSize(ICON, ICON))
        button.setFixedSize(BUTTON, BUTTON)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append(button)
        return button

    def _arrange(self) -> None:
        narrow = self.width() < NARROW
        tiny = self.width() < TINY
        self._path_bar.setVisible(self._shown and not (tiny and self._find_asked))
        self._find.setVisible(not narrow or (self._find_asked and self._shown))
        self._find_button.setVisible(narrow and not self._find_asked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
