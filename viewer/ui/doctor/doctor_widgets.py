"""Pieces of the doctor's panes: a share as a bar, bytes before and after, words of several lines."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.base.words import percent
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.panels.panel_painting import paint_line

HEAD = 28
"""The height of a line."""
LEFT, TEXT, BAR, SHARE = 14, 40, 64, 48
"""Where a line and its words begin, and how wide the bar and the number at its end are."""
BAR_HEIGHT = 4
BOX = 44
LINE = 24
EDGE = 12
GAP = 12
CHIP_EDGE = 8
NOTHING = "nothing"


def paint_share(painter: QPainter, rect: QRectF, share: float, theme: Theme) -> None:
    """Paint a share of 0 to 1 as a bar in the middle of *rect*; a small one is a dot, never nothing."""
    bar = QRectF(rect.left(), rect.center().y() - BAR_HEIGHT / 2, rect.width(), BAR_HEIGHT)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.ui.border)
    painter.drawRoundedRect(bar, 2, 2)
    bar.setWidth(max(BAR_HEIGHT / 2, bar.width() * min(1.0, share)))
    painter.setBrush(theme.ui.accent if share >= 0.05 else theme.ui.text_secondary)
    painter.drawRoundedRect(bar, 2, 2)


class ShareLine(QWidget):
    """Quiet words, and a share of 0 to 1 as a bar and in percent, below the lines of repairs and in their columns.

    Args:
        theme: the colours.
        words: a few.
        tip: what they mean.
    """

    def __init__(self, theme: Theme, words: str, tip: str) -> None:
        super().__init__()
        self._theme, self._words, self._share = theme, words, 0.0
        self._quiet, self._fixed = ui_font(Size.SECONDARY), fixed_font(Size.SECONDARY)
        self.setToolTip(plain_tip(tip))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEAD)

    @property
    def text(self) -> str:
        """All that it says."""
        return f"{self._words} {percent(self._share)}"

    def set_share(self, share: float) -> None:
        """Show another share."""
        self._share = share
        self.setAccessibleName(self.text)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        quiet = self._theme.ui.text_secondary
        row = QRectF(LEFT, 0, self.width() - 2 * LEFT, self.height())
        paint_line(painter, row.adjusted(TEXT - LEFT, 0, -SHARE - BAR, 0), self._words, self._quiet, quiet)
        paint_share(painter, share_box(row), self._share, self._theme)
        paint_line(painter, row, percent(self._share), self._fixed, quiet, right=True)
        painter.end()


def share_box(row: QRectF) -> QRectF:
    """Where the bar of a share lies in a line."""
    return QRectF(row.right() - SHARE - BAR, row.top(), BAR, row.height())


class Words(PlainLabel):
    """Words of one or more lines in a colour role; they can be marked and copied by the mouse."""

    def __init__(self, theme: Theme, text: str = "", role: str = "text_secondary", size: Size = Size.SECONDARY) -> None:
        super().__init__(text)
        self._role = role
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFont(ui_font(size))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        colours = self.palette()
        colours.setColor(QPalette.ColorRole.WindowText, theme.named(self._role))
        self.setPalette(colours)


class BytesLine(QWidget):
    """Where, which bytes, what they become, and how much that changes; in two lines where one is too narrow.

    Args:
        theme: the colours.
        place: the offset in words.
        before, after: bytes as hex digits.
        effect: a few words.
    """

    def __init__(self, theme: Theme, place: str, before: str, after: str, effect: str) -> None:
        super().__init__()
        self._theme = theme
        self._place, self._before, self._after, self._effect = place, before or NOTHING, after or NOTHING, effect
        self._fixed, self._quiet = fixed_font(Size.SECONDARY), ui_font(Size.SECONDARY)
        self.setAccessibleName(f"At {place}: {self._before} becomes {self._after}; {effect}")
        self.setToolTip(plain_tip(f"{place}: {self._before} → {self._after}"))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    @property
    def is_narrow(self) -> bool:
        """Whether the words stand below the bytes."""
        return self._is_too_wide_for(self.width())

    def _is_too_wide_for(self, width: int) -> bool:
        words = QFontMetricsF(self._quiet).horizontalAdvance(self._effect)
        return width < self._bytes_width() + words + GAP + 2 * EDGE

    def _bytes_width(self) -> float:
        metrics = QFontMetricsF(self._fixed)
        digits = sum(metrics.horizontalAdvance(text) for text in (self._place, self._before, self._after))
        return digits + 4 * CHIP_EDGE + 16 + 3 * GAP

    def _paint_bytes(self, painter: QPainter, rect: QRectF) -> float:
        """The bytes before and after in chips; returns where they end."""
        ui = self._theme.ui
        left = rect.left() + paint_line(painter, rect, self._place, self._fixed, ui.text_secondary) + GAP
        first, second = self._shares(rect.right() - left - 16 - 2 * GAP)
        left += self._paint_chip(painter, QRectF(left, rect.top(), first, rect.height()), self._before, "error") + GAP
        icons.draw(painter, "arrow-right", self._theme, QRectF(left, rect.center().y() - 8, 16, 16))
        left += 16 + GAP
        return left + self._paint_chip(painter, QRectF(left, rect.top(), second, rect.height()), self._after, "ok")

    def _shares(self, room: float) -> tuple[float, float]:
        """How wide both chips may get: half of the room each, and what one of them leaves goes to the other."""
        first, second = self._chip_width(self._before), self._chip_width(self._after)
        if first + second <= room:
            return first, second
        return max(room / 2, room - second), max(room / 2, room - first)

    def _chip_width(self, text: str) -> float:
        return QFontMetricsF(self._fixed).horizontalAdvance(text) + 2 * CHIP_EDGE

    def _paint_chip(self, painter: QPainter, room: QRectF, text: str, state: str) -> float:
        tint = self._theme.state(state)
        chip = QRectF(room.left(), room.center().y() - 11, min(room.width(), self._chip_width(text)), 22)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint.bg)
        painter.drawRoundedRect(chip, 4, 4)
        inside = chip.adjusted(CHIP_EDGE, 0, -CHIP_EDGE, 0)
        paint_line(painter, inside, text, self._fixed, tint.fg, Qt.TextElideMode.ElideMiddle)
        return chip.width()

    def sizeHint(self) -> QSize:
        return QSize(320, BOX)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, BOX)

    def heightForWidth(self, width: int) -> int:
        return BOX + LINE * self._is_too_wide_for(width)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui = self._theme.ui
        painter.setPen(QPen(ui.border, 1))
        painter.setBrush(ui.panel)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        rect = QRectF(EDGE, 0, self.width() - 2 * EDGE, BOX)
        end = self._paint_bytes(painter, rect)
        words = QRectF(end + GAP, 0, rect.right() - end - GAP, BOX)
        if self.is_narrow:
            words = QRectF(EDGE, BOX - 8, rect.width(), LINE)
        paint_line(painter, words, self._effect, self._quiet, ui.text_secondary)
        painter.end()
