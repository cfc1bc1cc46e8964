"""The card under a field: the verdict in words, the bytes now and afterwards, and the keys."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from viewer.base.span import Span
from viewer.document.shown.verdict import NOTHING, Verdict
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.pieces import paint_line

SHADOW = 8
PADDING = 12
WIDTH = 392
RADIUS = 6
LINE = 20
ICON = 16
LABEL_GAP = 10
LEAST_VALUE = 64
WILL_WRITE = "Will write"
BYTES = 16
CAP_HEIGHT = 18
FOOTER = 34
CLEAR = 4
KEY_APPLY, KEY_CANCEL, KEY_FIX = "Enter", "Esc", "Ctrl+Up"


class ValueCard(QWidget):
    """A floating card that takes no focus.

    Signals:
        key_clicked: the key (``Enter``, ``Esc``, ``Ctrl+Up``) whose words were clicked.
    """

    key_clicked = Signal(str)

    def __init__(self, theme: Theme, group: str | None, now: str, limits: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("valueCard")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._theme, self._group, self._now, self._limits = theme, group, now, limits
        self._verdict: Verdict | None = None
        self._keys: list[tuple[QRectF, str]] = []
        self._title_font, self._small_font = ui_font(strong=True), ui_font(Size.SECONDARY)
        self._value_font, self._strong_font = fixed_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)

    def set_verdict(self, verdict: Verdict) -> None:
        """Show another verdict."""
        self._verdict = verdict
        self.setAccessibleName(f"{verdict.title}. {verdict.detail}")
        self.update()

    def wanted_size(self, room: int) -> QSize:
        """The size without the shadow, at most *room* wide."""
        return QSize(min(WIDTH, room), round(self._band_height() + self._body_height() + FOOTER))

    def show_beside(self, field: QRect, bounds: QRect) -> None:
        """Appear below *field*, above it where there is no room, always inside *bounds*."""
        size = self.wanted_size(bounds.width())
        left = max(bounds.left(), min(field.left(), bounds.right() + 1 - size.width()))
        top = field.bottom() + 1 + CLEAR
        if top + size.height() > bounds.bottom() + 1:
            top = max(bounds.top(), field.top() - CLEAR - size.height())
        card = QRect(QPoint(left, top), size)
        self.setGeometry(card.adjusted(-SHADOW, -SHADOW, SHADOW, SHADOW))
        self.raise_()
        self.show()

    def _band_height(self) -> float:
        return 48 if self._verdict is not None and self._verdict.detail else 32

    def _body_height(self) -> float:
        return PADDING + 2 * LINE + (LINE if self._limits else 0)

    # Painting

    def _paint_surface(self, painter: QPainter, card: QRectF) -> None:
        shade = QColor(0, 0, 0)
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in range(SHADOW - 2, 0, -1):
            shade.setAlphaF(0.045 if self._theme.is_dark else 0.014)
            painter.setBrush(shade)
            outer = card.adjusted(-spread, 2 - spread, spread, spread + 1)
            painter.drawRoundedRect(outer, RADIUS + spread, RADIUS + spread)
        painter.setBrush(self._theme.ui.raised)
        painter.drawRoundedRect(card, RADIUS, RADIUS)

    def _paint_band(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        state = self._theme.state("ok" if verdict.ok else "error")
        band = QRectF(card.left(), card.top(), card.width(), self._band_height())
        shape = QPainterPath()
        shape.addRoundedRect(card, RADIUS, RADIUS)
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(band, state.bg)
        painter.restore()
        mark = QRectF(band.left() + PADDING, band.top() + 8, ICON, ICON)
        name, role = ("circle-check", "state.ok.line") if verdict.ok else ("circle-x", "state.error.line")
        icons.draw(painter, name, self._theme, mark, role)
        words = QRectF(mark.right() + 8, band.top() + 6, band.right() - PADDING - mark.right() - 8, LINE)
        paint_line(painter, words, verdict.title, self._title_font, state.fg)
        paint_line(painter, words.translated(0, LINE - 2), verdict.detail, self._small_font, state.fg)

    def _paint_body(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        ui, small = self._theme.ui, self._small_font
        line = QRectF(card.left(), card.top() + self._band_height() + PADDING / 2, card.width(), LINE)
        line.adjust(PADDING, 0, -PADDING, 0)
        label = max(paint_line(painter, line, "Now", small, ui.text_secondary), self._label_width()) + LABEL_GAP
        room = line.adjusted(label, 0, 0, 0)
        used = self._paint_bytes(painter, room, verdict, verdict.before, NOTHING)
        rest = room.adjusted(used + PADDING, 0, 0, 0)
        if rest.width() >= LEAST_VALUE:
            paint_line(painter, rest, self._now, self._value_font, ui.text_secondary, right=True)
        line.translate(0, LINE)
        room.translate(0, LINE)
        paint_line(painter, line, WILL_WRITE, small, ui.text_secondary)
        if verdict.after is None:
            paint_line(painter, room, "nothing until the value is valid", small, ui.text_secondary)
        elif verdict.after == verdict.before:
            paint_line(painter, room, "nothing, it is the same", small, ui.text_secondary)
        else:
            self._paint_bytes(painter, room, verdict, verdict.after, verdict.changed)
        if self._limits:
            paint_line(painter, line.translated(0, LINE), self._limits, small, ui.text_dim)

    def _label_width(self) -> float:
        return QFontMetricsF(self._small_font).horizontalAdvance(WILL_WRITE)

    def _paint_bytes(self, painter: QPainter, room: QRectF, verdict: Verdict, data: bytes, changed: Span) -> float:
        """Some bytes in hex around what changes: the header neutral, the rest in the kind's colour."""
        metrics = QFontMetricsF(self._value_font)
        step, more = metrics.horizontalAdvance("00 "), metrics.horizontalAdvance("… ")
        count = min(BYTES, int((room.width() - 2 * more) / step))
        first = verdict.first_byte(count)
        x = room.left()
        if first > verdict.header:
            paint_line(painter, QRectF(x, room.top(), more, LINE), "…", self._value_font, self._theme.ui.text_dim)
            x += more
        for k in range(first, min(len(data), first + count)):
            cell = QRectF(x, room.top(), step, LINE)
            self._paint_byte(painter, cell, data[k], k < verdict.header, k in changed)
            x += step
        if first + count < len(data):
            paint_line(painter, QRectF(x, room.top(), more, LINE), "…", self._value_font, self._theme.ui.text_dim)
            x += more
        return x - room.left()

    def _paint_byte(self, painter: QPainter, cell: QRectF, byte: int, in_header: bool, changed: bool) -> None:
        theme = self._theme
        tint = theme.structure("header") if in_header else theme.kind(self._group)
        colour = theme.state("modified").fg if changed else tint.fg
        font = self._strong_font if changed else self._value_font
        if changed:
            width = QFontMetricsF(font).horizontalAdvance("00")
            mark = QRectF(cell.left() - 1, cell.top() + 2, width + 2, LINE - 4)
            painter.fillRect(mark, theme.state("modified").bg)
            painter.fillRect(QRectF(mark.left(), mark.bottom() - 2, mark.width(), 2), theme.state("modified").line)
        paint_line(painter, cell.adjusted(0, 0, 8, 0), f"{byte:02X}", font, colour)

    def _paint_footer(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        ui = self._theme.ui
        top = card.bottom() - FOOTER
        painter.fillRect(QRectF(card.left() + 1, top, card.width() - 2, 1), ui.border)
        x, y = card.left() + PADDING, top + (FOOTER - CAP_HEIGHT) / 2
        self._keys = []
        for key, words, usable in (
            (KEY_APPLY, "apply", verdict.ok),
            (KEY_CANCEL, "cancel", True),
            *([(KEY_FIX, verdict.fix_label, True)] if verdict.fix is not None else []),
        ):
            start = x
            x = self._paint_cap(painter, QPointF(x, y), key, usable) + 6
            room = QRectF(x, y, card.right() - PADDING - x, CAP_HEIGHT)
            colour = ui.text if usable else ui.text_dim
            x += paint_line(painter, room, words, self._small_font, colour)
            self._keys.append((QRectF(start, y, x - start, CAP_HEIGHT), key))
            x += 16

    def _paint_cap(self, painter: QPainter, at: QPointF, key: str, usable: bool) -> float:
        """One key; returns its right edge."""
        ui = self._theme.ui
        width = QFontMetricsF(self._value_font).horizontalAdvance(key) + 10
        cap = QRectF(round(at.x()) + 0.5, round(at.y()) + 0.5, round(width), CAP_HEIGHT - 1)
        painter.setPen(QPen(ui.border_strong if usable else ui.border, 1))
        painter.setBrush(ui.panel)
        painter.drawRoundedRect(cap, 4, 4)
        colour = ui.text if usable else ui.text_dim
        paint_line(painter, cap.adjusted(5, 0, 0, 0), key, self._value_font, colour)
        return cap.right()

    # QWidget

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._verdict is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        self._paint_surface(painter, card)
        self._paint_band(painter, card, self._verdict)
        self._paint_body(painter, card, self._verdict)
        self._paint_footer(painter, card, self._verdict)
        painter.setPen(QPen(self._theme.ui.border_strong, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        for place, key in self._keys:
            if place.contains(event.position()):
                self.key_clicked.emit(key)
                return
