"""The hover card: what the byte under the mouse is, beside it and never over it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.ui.hex.byte_source import Description
from viewer.ui.look import chips, patterns
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme

DELAY = 300
SHADOW = 8
PADDING = 12
LINE = 20
LEAST, MOST = 200, 460
SWATCH = 13
RADIUS = 6
CLEAR = 4
PICTURE = 96
"""Pixels that a picture may be high and wide."""


class HexHover(QObject):
    """Waits until the mouse rests on a byte.

    Signals:
        rested: the offset (int) under a mouse that rests.
        hovered: the offset under the mouse, or None.
        left: what was described is no longer under the mouse.
    """

    rested = Signal(object)
    hovered = Signal(object)
    left = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._offset: int | None = None
        self.description: Description | None = None
        self._timer = QTimer(self, singleShot=True, interval=DELAY)
        self._timer.timeout.connect(self._rest)

    def move_to(self, offset: int | None) -> None:
        """The mouse is over another byte, or over none; within what is described nothing flickers."""
        if offset == self._offset:
            return
        self._offset = offset
        self.hovered.emit(offset)
        if self.description and offset is not None and offset in self.description.span:
            return
        self.clear()
        if offset is not None:
            self._timer.start()

    def clear(self) -> None:
        """Forget what is described, until the mouse moves to another byte."""
        self._timer.stop()
        if self.description:
            self.description = None
            self.left.emit()

    def _rest(self) -> None:
        if self._offset is not None:
            self.rested.emit(self._offset)


def card_position(size: QSize, row: QRect, bounds: QRect, avoid: QRect | None) -> QPoint:
    """The top left of a card: above *row*, else below it, off *avoid* when there is room, always inside *bounds*."""
    right = max(bounds.right() + 1 - size.width(), bounds.left())
    left = min(max(row.left() - 2 * PADDING, bounds.left()), right)
    heights = [row.top() - CLEAR - size.height(), row.bottom() + 1 + CLEAR]
    if avoid is not None:
        heights += [avoid.top() - CLEAR - size.height(), avoid.bottom() + 1 + CLEAR]
    places = [QRect(QPoint(left, top), size) for top in heights]
    fitting = [place for place in places if bounds.contains(place) and not place.intersects(row)]
    free = [place for place in fitting if avoid is None or not place.intersects(avoid)]
    return (free or fitting or places)[0].topLeft()


def _place(words: Description) -> str:
    size = counted(words.span.end - words.span.start, "byte")
    return f"0x{words.span.start:06X} · {size}: {words.bytes_text}"


class HexCard(QWidget):
    """A floating card of three lines, and a picture where there is one, that the mouse passes through."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("hoverCard")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = theme
        self._description: Description | None = None
        self._picture: QImage | None = None
        self._path_font = fixed_font(Size.SECONDARY, strong=True)
        self._text_font = ui_font(Size.SECONDARY)
        self._value_font = fixed_font(Size.SECONDARY)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def describe(self, description: Description, picture: QImage | None = None) -> QSize:
        """Take the words and the picture to show; returns the size of the card without its shadow."""
        self._description, self._picture = description, picture
        widths = (
            QFontMetricsF(self._path_font).horizontalAdvance(description.path),
            self._middle_width(description),
            QFontMetricsF(self._text_font).horizontalAdvance(_place(description)),
        )
        width = min(max(round(max(widths)) + 2 * PADDING + 2, LEAST), MOST)
        self.setAccessibleName(f"{description.path}: {description.meaning} {description.value}")
        return QSize(width, 3 * LINE + PADDING + (self._picture_size.height() + CLEAR if picture is not None else 0))

    @property
    def _picture_size(self) -> QSize:
        if self._picture is None:
            return QSize()
        size, most = self._picture.size(), QSize(PICTURE, PICTURE)
        return size if size.boundedTo(most) == size else size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio)

    def show_at(self, rect: QRect) -> None:
        """Appear with the card's edge at *rect*; the shadow lies outside of it."""
        self.setGeometry(rect.adjusted(-SHADOW, -SHADOW, SHADOW, SHADOW))
        self.raise_()
        self.show()

    def _middle_width(self, description: Description) -> float:
        words = QFontMetricsF(self._text_font).horizontalAdvance(description.meaning)
        value = QFontMetricsF(self._value_font).horizontalAdvance(description.value)
        return chips.WIDTH + 8 + words + 12 + (SWATCH + 6 if description.swatch else 0) + value

    def _paint_surface(self, painter: QPainter, card: QRectF) -> None:
        shade = QColor(0, 0, 0)
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in range(SHADOW - 2, 0, -1):
            shade.setAlphaF(0.045 if self._theme.is_dark else 0.014)
            painter.setBrush(shade)
            outer = card.adjusted(-spread, 2 - spread, spread, spread + 1)
            painter.drawRoundedRect(outer, RADIUS + spread, RADIUS + spread)
        painter.setPen(QPen(self._theme.ui.border_strong, 1))
        painter.setBrush(self._theme.ui.raised)
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _paint_words(self, painter: QPainter, card: QRectF, words: Description) -> None:
        left, width = card.left() + PADDING, card.width() - 2 * PADDING
        top = card.top() + PADDING / 2
        self._text(painter, QRectF(left, top, width, LINE), words.path, self._path_font, self._theme.ui.text, "middle")
        self._paint_middle(painter, QRectF(left, top + LINE, width, LINE), words)
        line = QRectF(left, top + 2 * LINE, width, LINE)
        self._text(painter, line, _place(words), self._text_font, self._theme.ui.text_secondary)
        if self._picture is not None:
            place = QRectF(QPointF(left, line.bottom() + CLEAR), self._picture_size.toSizeF())
            painter.fillRect(place, patterns.checkerboard("#ffffff", "#c2c7ce", self.devicePixelRatioF()))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, self._picture)

    def _paint_middle(self, painter: QPainter, line: QRectF, words: Description) -> None:
        chip = QRectF(line.left(), line.top(), chips.WIDTH, LINE)
        chips.paint_chip(painter, chip, words.chip, words.group, self._theme, gap=not words.chip)
        line.setLeft(chip.right() + 8)
        used = self._text(painter, line, words.meaning, self._text_font, self._theme.ui.text_secondary)
        line.setLeft(line.left() + used + 12)
        if words.swatch:
            swatch = QRectF(line.left(), line.center().y() - SWATCH / 2, SWATCH, SWATCH)
            chips.paint_swatch(painter, swatch, words.swatch, self._theme)
            line.setLeft(line.left() + SWATCH + 6)
        self._text(painter, line, words.value, self._value_font, self._theme.kind(words.group).fg)

    def _text(
        self, painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor, elide: str = "right"
    ) -> float:
        metrics = QFontMetricsF(font)
        mode = Qt.TextElideMode.ElideMiddle if elide == "middle" else Qt.TextElideMode.ElideRight
        shown = metrics.elidedText(escaped(text), mode, max(rect.width(), 0))
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(QPointF(rect.left(), rect.center().y() + (metrics.ascent() - metrics.descent()) / 2), shown)
        return metrics.horizontalAdvance(shown)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._description is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        self._paint_surface(painter, card)
        self._paint_words(painter, card, self._description)
        painter.end()
