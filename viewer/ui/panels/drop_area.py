"""The drop area of the empty state: a dashed frame that turns accent while a file hangs over it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.cards import LargeButton
from viewer.ui.panels.pieces import paint_line

TITLE = "Drop a save or a packet here"
ABOUT = "Files of Godot 2, 3, 4 and Pandemonium; pasted hex bytes too. The engine line is found by itself."
SHORT_ABOUT = "Godot 2, 3, 4 and Pandemonium. The engine line is found by itself."
HINTS = ("Ctrl+O opens", "Ctrl+Shift+V pastes")
PROMISE = "Nothing is changed until you save"
KEPT = "; the previous version is kept as .bak"


@dataclass(frozen=True, slots=True)
class _Look:
    """Heights of the drop area: tall windows get more air."""

    height: int
    icon_top: int
    buttons_top: int


ROOMY, TIGHT = _Look(206, 20, 116), _Look(160, 10, 82)


class DropArea(QWidget):
    """A dashed frame with words and two buttons."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("dropArea")
        self._theme = theme
        self._dragging = False
        self._keeps = True
        self._look = ROOMY
        self.open_button = LargeButton(theme, "Open file…", "folder-open", True, self)
        self.paste_button = LargeButton(theme, "Paste bytes", "clipboard-paste", False, self)
        self.set_roomy(True)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.open_button.set_theme(theme)
        self.paste_button.set_theme(theme)
        self.update()

    def set_roomy(self, roomy: bool) -> None:
        """Take more or less height."""
        self._look = ROOMY if roomy else TIGHT
        self.setFixedHeight(self._look.height)
        self._place_buttons()
        self.update()

    def set_keeps(self, keeps: bool) -> None:
        """Say whether saving keeps the previous version."""
        self._keeps = keeps
        self.update()

    def set_dragging(self, dragging: bool) -> None:
        """Say that a file hangs over the window."""
        self._dragging = dragging
        self.update()

    def _place_buttons(self) -> None:
        first, second = self.open_button.sizeHint(), self.paste_button.sizeHint()
        left = (self.width() - first.width() - second.width() - 4) // 2
        self.open_button.setGeometry(left, self._look.buttons_top, first.width(), first.height())
        left += first.width() + 4
        self.paste_button.setGeometry(left, self._look.buttons_top, second.width(), second.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_buttons()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui = self._theme.ui
        pen = QPen(ui.accent if self._dragging else ui.border_strong, 2 if self._dragging else 1.2)
        pen.setDashPattern([4, 3] if self._dragging else [6, 4])
        painter.setPen(pen)
        painter.setBrush(ui.selection if self._dragging else ui.panel)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(4.5, 1, -4.5, -1), 10, 10)
        self._paint_words(painter)
        painter.end()

    def _paint_words(self, painter: QPainter) -> None:
        look = self._look
        top = float(look.icon_top)
        if look is ROOMY:
            icons.draw(painter, "file-digit", self._theme, QRectF(self.width() / 2 - 16, top, 32, 32), "accent")
            top += 36
        title = ui_font(Size.TITLE, strong=True)
        self._centred(painter, top, 32, (TITLE,), title, "text")
        small = ui_font(Size.UI)
        about = ABOUT if self._fits((ABOUT,), small) else SHORT_ABOUT
        self._centred(painter, top + 33, 20, (about,), small, "text_secondary")
        promise = PROMISE + (KEPT if self._keeps else "")
        hints = (*HINTS, promise)
        shown = next((words for words in (hints, (promise,), HINTS) if self._fits(words, small)), HINTS[:1])
        self._centred(painter, look.buttons_top + 46, 20, shown, small, "text_secondary")

    def _width(self, words: tuple[str, ...], font: QFont) -> float:
        metrics = QFontMetricsF(font)
        return sum(metrics.horizontalAdvance(word) for word in words) + 16 * (len(words) - 1)

    def _fits(self, words: tuple[str, ...], font: QFont) -> bool:
        return self._width(words, font) <= self.width() - 40

    def _centred(
        self, painter: QPainter, top: float, height: float, words: tuple[str, ...], font: QFont, role: str
    ) -> None:
        left = max(20.0, (self.width() - self._width(words, font)) / 2)
        for word in words:
            line = QRectF(left, top, self.width() - 20 - left, height)
            left += paint_line(painter, line, word, font, self._theme.named(role)) + 16
