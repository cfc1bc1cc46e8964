"""The strip over the tree with the values that a game's profile calls favourites, and how many keys it hides."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.base.words import counted
from viewer.document.profiles.favourites import Favourite
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_line, paint_strip
from viewer.ui.panels.panel_widgets import FlatButton

EDGE, GAP, LINE = 6, 4, 26
ICON = 14
LEFT = 28
WIDEST = 280
"""Pixels that a button takes at most where others need room beside it."""
MOST_LINES = 3


class FavouriteButton(FlatButton):
    """A value with its name; a click goes to it, a double click edits it.

    Signals:
        edit_requested: it was double-clicked.
    """

    edit_requested = Signal()

    def __init__(self, theme: Theme, shown: Favourite, parent: QWidget) -> None:
        super().__init__(theme, "", "", parent)
        self.favourite = shown
        self._small, self._fixed = ui_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)
        self.tell(shown)

    def tell(self, shown: Favourite) -> None:
        """Show what the value is now."""
        self.favourite = shown
        words = (shown.name, shown.text, *shown.label.words)
        self.setAccessibleName(", ".join(word for word in (shown.name, shown.text, shown.label.meaning) if word))
        self.setToolTip(plain_tip("\n".join(dict.fromkeys(words))))
        self.update()

    @property
    def _pieces(self) -> tuple[str, str, str]:
        return self.favourite.name, self.favourite.text, self.favourite.label.meaning

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        if self.favourite.label.note:
            box = QRectF(rect.right() - ICON, rect.center().y() - ICON / 2, ICON, ICON)
            icons.draw(painter, "triangle-alert", self._theme, box, "state.warning.fg")
            rect.setRight(box.left() - GAP)
        fonts = (self._small, self._fixed, self._small)
        colours = (ui.text_secondary, ui.text, ui.text_secondary)
        for text, font, colour in zip(self._pieces, fonts, colours, strict=True):
            if text and rect.width() > 0:
                rect.setLeft(rect.left() + paint_line(painter, rect, text, font, colour) + EDGE)

    def sizeHint(self) -> QSize:
        fonts = (self._small, self._fixed, self._small)
        pieces = [(text, font) for text, font in zip(self._pieces, fonts, strict=True) if text]
        width = sum(QFontMetricsF(font).horizontalAdvance(text) for text, font in pieces) + EDGE * (len(pieces) - 1)
        width += ICON + GAP if self.favourite.label.note else 0
        return QSize(round(width + 2 * self.margin + 1), LINE - 2)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.edit_requested.emit()


class FavouritesBar(QWidget):
    """Holds the favourites in lines; what has no room in three of them is found in the tree.

    Signals:
        picked: ``Item``: a favourite is to be selected.
        edit_requested: ``Item``: a favourite is to be edited.
        hidden_asked: the keys that are hidden are to be shown, or hidden again.
    """

    picked = Signal(object)
    edit_requested = Signal(object)
    hidden_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("favouritesBar")
        self.setAccessibleName("Favourites")
        self._theme = theme
        self._buttons: list[FavouriteButton] = []
        self.hidden_button = FlatButton(theme, "", "", self)
        self.hidden_button.hide()
        self.hidden_button.clicked.connect(self.hidden_asked)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def buttons(self) -> tuple[FavouriteButton, ...]:
        """A button for each favourite."""
        return tuple(self._buttons)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for button in (*self._buttons, self.hidden_button):
            button.set_theme(theme)
        self.update()

    def show_favourites(self, shown: Sequence[Favourite], hidden: int, shows_all: bool) -> None:
        """Show these values; *hidden* keys are left out of the tree, none where it *shows_all*."""
        if [each.item for each in shown] == [button.favourite.item for button in self._buttons]:
            for button, each in zip(self._buttons, shown, strict=True):
                button.tell(each)
        else:
            for button in self._buttons:
                button.hide()
                button.deleteLater()
            self._buttons = [self._button(each) for each in shown]
        words = "Hide keys" if shows_all else f"{counted(hidden, 'key')} hidden" if hidden else ""
        self.hidden_button.setText(words)
        tip = "Leave them out of the tree again" if shows_all else "Show the keys that the profile hides"
        self.hidden_button.setToolTip(plain_tip(tip))
        self.hidden_button.setVisible(bool(words))
        self._arrange()
        self.setVisible(bool(shown or words))

    def _button(self, shown: Favourite) -> FavouriteButton:
        button = FavouriteButton(self._theme, shown, self)
        button.clicked.connect(lambda: self.picked.emit(button.favourite.item))
        button.edit_requested.connect(lambda: self.edit_requested.emit(button.favourite.item))
        return button

    def _arrange(self) -> None:
        """Lay the buttons out from the left, line by line; the one for hidden keys stands right in the first line."""
        right = self.width() - EDGE
        if self.hidden_button.text():
            size = self.hidden_button.sizeHint()
            right -= size.width()
            self.hidden_button.setGeometry(right, GAP // 2 + 1, size.width(), LINE - 2)
        lines: list[list[FavouriteButton]] = [[]]
        x = LEFT
        for button in self._buttons:
            width = min(WIDEST, button.sizeHint().width())
            end = right - GAP if len(lines) == 1 else self.width() - EDGE
            if lines[-1] and x + width > end:
                x = LEFT
                lines.append([])
            lines[-1].append(button)
            x += width + GAP
        for number, line in enumerate(lines):
            self._lay_line(line, number, self.width() - EDGE if number else right - GAP)
        self.setFixedHeight(min(len(lines), MOST_LINES) * LINE + GAP + 1)

    def _lay_line(self, line: list[FavouriteButton], number: int, end: int) -> None:
        """Lay the buttons of a line out; what they leave free goes to those whose words need more than the usual."""
        wishes = [button.sizeHint().width() for button in line]
        widths = [min(WIDEST, wish) for wish in wishes]
        spare = end - LEFT - sum(widths) - GAP * (len(line) - 1)
        x = LEFT
        for button, wish, width in zip(line, wishes, widths, strict=True):
            more = max(20 - width, min(wish - width, spare))
            spare -= more
            button.setGeometry(x, GAP // 2 + 1 + number * LINE, width + more, LINE - 2)
            button.setVisible(number < MOST_LINES)
            x += width + more + GAP

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)
        painter = QPainter(self)
        icons.draw(painter, "bookmark", self._theme, QRectF(10, GAP / 2 + 1 + (LINE - 2 - ICON) / 2, ICON, ICON))
        painter.end()
