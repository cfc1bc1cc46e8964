"""The title row of the list of packets: how many there are, the filter, and the buttons."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.packets.filter_field import PacketFilter
from viewer.ui.panels.pieces import FlatButton, IconButton, Line, paint_strip

HEIGHT = 34
LEFT, RIGHT = 14, 6
BETWEEN = 8


class PacketsTitle(QWidget):
    """Name and numbers at the left, filter and buttons at the right.

    Signals:
        closed: the close button.
        menu_requested: the button with the menu of all that can be done.
        reload_requested: the capture should be read again.
    """

    closed = Signal()
    menu_requested = Signal()
    reload_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.title = Line(theme, ui_font(Size.UI, strong=True), parent=self)
        self.title.set_text("Packets")
        self.title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.detail = Line(theme, ui_font(Size.SECONDARY), "text_secondary", parent=self)
        self.detail.setObjectName("packetsDetail")
        self.filter = PacketFilter(theme)
        self.control_button = FlatButton(theme, "Control", "layers", self)
        self.control_button.setObjectName("packetsControl")
        self.control_button.setCheckable(True)
        self.control_button.setToolTip("Show also what the protocols say to themselves: connect, acknowledge, ping")
        self.reload_button = IconButton(theme, "refresh-cw", "Read the capture again", self)
        self.menu_button = IconButton(theme, "ellipsis", "What can be done with packets", self)
        self.close_button = IconButton(theme, "x", "Close packets", self)
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        self.menu_button.clicked.connect(self.menu_requested)
        self.reload_button.clicked.connect(self.reload_requested)
        self.setFixedHeight(HEIGHT)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT, 0, RIGHT, 1)
        row.setSpacing(BETWEEN)
        row.addWidget(self.title)
        row.addWidget(self.detail, 1)
        row.addWidget(self.filter, 2)
        for button in (self.control_button, self.reload_button, self.menu_button, self.close_button):
            row.addWidget(button)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for child in self.findChildren(FlatButton):
            child.set_theme(theme)
        for part in (self.title, self.detail, self.filter):
            part.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)
