"""The field of the tree's filter: what the rows must have in their name, type or value, and how many do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.panels.filter_field import LEFT, FilterField, FilterWords
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.panels.panel_widgets import FlatButton, paint_field

if TYPE_CHECKING:
    pass


HEIGHT = 36
EDGE = 4
BUTTON = 22
WORDS = FilterWords(
    "filterLine",
    "Filter",
    "Filter by name, type or value",
    "Rows with this in their name, type or value\nkey: gold   value: sword   type: Vector2   number: 5000   true",
    "Show all rows again (Esc)",
)


class NothingFits(QWidget):
    """A sentence in the middle of a tree of which no row is left, and a button that shows all rows again."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("nothingFits")
        self._label = PlainLabel()
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._label.setWordWrap(True)
        self.button = FlatButton(theme, "Show all rows", "x", self)
        self.button.ring = True
        self.button.setToolTip("Remove the filter (Esc)")
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(self._label)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        colours = self._label.palette()
        colours.setColor(QPalette.ColorRole.WindowText, theme.ui.text_secondary)
        self._label.setPalette(colours)
        self.button.set_theme(theme)

    @property
    def words(self) -> str:
        """What it says, empty where rows are left."""
        return "" if self.isHidden() else self._label.text()

    def say(self, words: str) -> None:
        """Say why there is no row; without words it is gone."""
        self._label.setText(words)
        self.setVisible(bool(words))


class FilterBar(FilterField):
    """A field with a count, on a bar of its own.

    Attributes:
        nothing: what stands in the tree where no row fits.

    Signals:
        edited: ``str``: another text.
        escaped: Escape, or the button: the filter should go.
    """

    edited = Signal(str)
    escaped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, WORDS, Size.UI)
        self.setObjectName("filterBar")
        self._small = ui_font(Size.SMALL)
        self._words, self._is_bad = "", False
        self.line.textChanged.connect(self.edited)
        self.line.escaped.connect(self.escaped)
        self.all_button.clicked.connect(self.escaped)
        self.nothing = NothingFits(theme)
        self.nothing.button.clicked.connect(self.escaped)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        super().set_theme(theme)
        self.nothing.set_theme(theme)

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

    def _arrange(self) -> None:
        right = self.width() - EDGE - 2
        self.all_button.setGeometry(right - BUTTON, (HEIGHT - BUTTON) // 2, BUTTON, BUTTON)
        count = round(QFontMetricsF(self._small).horizontalAdvance(self._words))
        self._count = QRectF(right - BUTTON - 6 - count, 0, count, HEIGHT)
        self.line.setGeometry(LEFT, EDGE + 2, max(40, round(self._count.left()) - 6 - LEFT), HEIGHT - 2 * EDGE - 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ui = self._theme.ui
        painter.fillRect(self.rect(), ui.panel)
        painter.fillRect(QRectF(0, HEIGHT - 1, self.width(), 1), ui.border)
        frame = QRectF(self.rect()).adjusted(EDGE, EDGE, -EDGE, -EDGE)
        paint_field(painter, frame, self._theme, self.line.hasFocus(), self._is_bad)
        icons.draw(painter, "funnel", self._theme, QRectF(11, HEIGHT / 2 - 8, 16, 16))
        colour = self._theme.state("error").fg if self._is_bad else ui.text_secondary
        paint_line(painter, self._count, self._words, self._small, colour)
        painter.end()
