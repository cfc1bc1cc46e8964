"""Buttons of the empty state: sample cards, recent files, and the two large ones."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.ui.look import chips, icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import FlatButton, paint_line

CARD_HEIGHT = 76
ROW_HEIGHT = 26
BUTTON_HEIGHT = 32


class LargeButton(FlatButton):
    """A button with a frame, an icon and words; the primary one is filled."""

    def __init__(self, theme: Theme, text: str, icon_name: str, primary: bool, parent: QWidget | None = None) -> None:
        super().__init__(theme, text, icon_name, parent)
        self._primary = primary
        self.setFont(ui_font(Size.UI, strong=primary))
        self.setAccessibleName(text.rstrip("…"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        return QSize(max(118, round(words) + 58), BUTTON_HEIGHT + 8)

    def _fill(self) -> QColor:
        ui = self._theme.ui
        if not self._primary:
            return ui.selection if self.isDown() else ui.hover if self.underMouse() else ui.base
        return ui.accent.darker(112) if self.isDown() else ui.accent.lighter(110) if self.underMouse() else ui.accent

    def _surface(self) -> QColor | None:
        return None

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        box = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        painter.setPen(Qt.PenStyle.NoPen if self._primary else QPen(ui.border_strong, 1))
        painter.setBrush(self._fill())
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        left = box.center().x() - (16 + 8 + words) / 2
        role = "accent_text" if self._primary else "text_secondary"
        icons.draw(painter, self.icon_name, self._theme, QRectF(left, box.center().y() - 8, 16, 16), role)
        line = QRectF(left + 24, box.top(), words + 2, box.height())
        paint_line(painter, line, self.text(), self.font(), ui.accent_text if self._primary else ui.text)


class SampleCard(FlatButton):
    """A sample: chip, title, description, engine and size."""

    def __init__(
        self, theme: Theme, chip: tuple[str, str], title: str, description: str, detail: str, parent: QWidget
    ) -> None:
        super().__init__(theme, title, "", parent)
        self._chip, self._description, self._detail = chip, description, detail
        self._title_font, self._small = ui_font(Size.UI, strong=True), ui_font(Size.SECONDARY)
        self.setAccessibleName(f"{title}: {description}. {detail}")
        self.setToolTip(plain_tip(description))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(220, CARD_HEIGHT + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, CARD_HEIGHT + 8)

    def _surface(self) -> QColor | None:
        return None

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        card = QRectF(self.rect()).adjusted(4.5, 4.5, -4.5, -4.5)
        hovered = self.underMouse()
        painter.setPen(QPen(ui.border_strong if hovered else ui.border, 1))
        painter.setBrush(ui.selection if self.isDown() else ui.hover if hovered else ui.raised)
        painter.drawRoundedRect(card, 6, 6)
        chip = QRectF(card.left() + 12, card.top() + 12, chips.WIDTH, chips.HEIGHT)
        chips.paint_chip(painter, chip, self._chip[0], self._chip[1], self._theme)
        left = chip.right() + 12
        line = QRectF(left, card.top() + 10, card.right() - 12 - left, 20)
        paint_line(painter, line, self.text(), self._title_font, ui.text)
        paint_line(painter, line.translated(0, 18), self._description, self._small, ui.text_secondary)
        paint_line(painter, line.translated(0, 36), self._detail, self._small, ui.text_secondary)


class RecentRow(FlatButton):
    """A file opened before: icon, name, folder, when."""

    def __init__(self, theme: Theme, name: str, folder: str, when: str, tip: str, parent: QWidget) -> None:
        super().__init__(theme, name, "file-digit", parent)
        self._folder, self._when = folder, when
        self._small = ui_font(Size.SECONDARY)
        self.setFont(ui_font(Size.UI))
        self.setAccessibleName(f"{name} in {folder}, {when}")
        self.setToolTip(plain_tip(tip))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, ROW_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, ROW_HEIGHT)

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        rect = QRectF(self.rect()).adjusted(4, 0, -4, 0)
        icons.draw(painter, self.icon_name, self._theme, QRectF(rect.left(), rect.center().y() - 8, 16, 16))
        used = paint_line(painter, rect, self._when, self._small, ui.text_secondary, right=True)
        name = QRectF(rect.left() + 26, rect.top(), min(190.0, rect.width() * 0.4), rect.height())
        paint_line(painter, name, self.text(), self.font(), ui.text, Qt.TextElideMode.ElideMiddle)
        folder = QRectF(name.right() + 10, rect.top(), rect.right() - used - 16 - name.right() - 10, rect.height())
        paint_line(painter, folder, self._folder, self._small, ui.text_secondary, Qt.TextElideMode.ElideMiddle)
