"""What panes, lists and fields paint alike: a line of text, the ring of the focus, the ground of a row."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from viewer.base.unseen import escaped
from viewer.ui.look.palette import Theme

RADIUS = 4
FOCUS_LINE = 2
BAR = 3
"""Width of the bar at the left of the row that a person is at."""
BACK = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""The focus comes back, as a menu or a dialog is closed or the window is chosen again."""


def paint_line(
    painter: QPainter,
    rect: QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    right: bool = False,
) -> float:
    """Paint one line of text, centred in height and cut to fit; returns its width."""
    metrics, shown, room = QFontMetricsF(font), escaped(text), max(0.0, rect.width()) + 0.5
    width = metrics.horizontalAdvance(shown)
    if width > room:  # most texts fit, and are measured once
        shown = metrics.elidedText(shown, elide, room)
        width = metrics.horizontalAdvance(shown)
    left = rect.right() - width if right else rect.left()
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QPointF(left, rect.center().y() + (metrics.ascent() - metrics.descent()) / 2), shown)
    return width


def has_ring(event: QFocusEvent, before: bool) -> bool:
    """Whether what gets the focus has a ring: not by the mouse; where the focus comes back, as it was *before*."""
    return before if event.reason() in BACK else event.reason() is not Qt.FocusReason.MouseFocusReason


def paint_focus(painter: QPainter, rect: QRectF, theme: Theme, radius: float = RADIUS) -> None:
    """Paint the 2 px ring of what has the focus, inside *rect*."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.ui.focus, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)
    painter.restore()


def paint_focus_line(painter: QPainter, viewport: QRectF, theme: Theme) -> None:
    """Paint the 2 px line along the top of a list that has the focus."""
    painter.fillRect(QRectF(viewport.left(), viewport.top(), viewport.width(), FOCUS_LINE), theme.ui.focus)


def paint_row_ground(painter: QPainter, rect: QRectF, theme: Theme, selected: bool, hovered: bool) -> None:
    """Paint what lies under the words of a row in a list."""
    if selected or hovered:
        painter.fillRect(rect, theme.ui.selection if selected else theme.ui.hover)
    if selected:
        painter.fillRect(QRectF(rect.left(), rect.top(), BAR, rect.height()), theme.ui.accent)


def paint_strip(widget: QWidget, theme: Theme) -> None:
    """Paint the ground of a strip over a pane, a hairline below it."""
    painter = QPainter(widget)
    painter.fillRect(widget.rect(), theme.ui.panel)
    painter.fillRect(0, widget.height() - 1, widget.width(), 1, theme.ui.border)
    painter.end()
