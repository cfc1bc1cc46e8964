"""The row over each tree of a comparison: the name of the side, and what takes it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_widgets import TITLE_HEIGHT, ElidedLine, FlatButton, paint_strip


class SideTitle(QWidget):
    """The name of a side over its tree, and what takes it.

    Args:
        theme: the colours.
        key: what takes the selected rows of this side.
    """

    def __init__(self, theme: Theme, key: str) -> None:
        super().__init__()
        self._theme = theme
        self.title = ElidedLine(theme, ui_font(Size.UI, strong=True), elide=Qt.TextElideMode.ElideMiddle)
        self.take = FlatButton(theme, "Take This Side")
        self.take.setToolTip(plain_tip(f"Let the other side say of the selected rows what this one says ({key})"))
        self.take_all = FlatButton(theme, "Take All")
        self.take_all.setToolTip(plain_tip("The same with everything that is shown to differ"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 6, 1)
        row.setSpacing(4)
        row.addWidget(self.title, 1)
        row.addWidget(self.take)
        row.addWidget(self.take_all)
        self.setFixedHeight(TITLE_HEIGHT + 2)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.title, self.take, self.take_all):
            part.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)
