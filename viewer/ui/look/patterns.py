"""Patterns that repeat: hatches, dots and waves, as brushes that stay sharp at every device pixel ratio."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QPolygonF

FINE = 4
WIDE = 7
REPEAT = FINE * WIDE
"""Pixels after which all hatches begin anew."""
WAVE_HEIGHT = 3.0
WAVE_LENGTH = 4
DOT_STEP = 4


def fine_hatch(colour: QColor, ratio: float) -> QBrush:
    """The hatch of padding."""
    return _hatch(colour.name(), FINE, ratio)


def wide_hatch(colour: QColor, ratio: float) -> QBrush:
    """The hatch of a gap."""
    return _hatch(colour.name(), WIDE, ratio)


@cache
def wave(colour: str, ratio: float) -> QBrush:
    """A wavy line; fill a rectangle of WAVE_HEIGHT with it, the brush origin at its top left."""
    tile, painter = _tile(WAVE_LENGTH, 4, ratio)
    painter.setPen(QPen(QColor(colour), 1.2))
    half, low = WAVE_LENGTH / 2, WAVE_HEIGHT - 0.6
    points = [QPointF(i * half, 0.6 if i % 2 else low) for i in range(-1, 5)]
    painter.drawPolyline(QPolygonF(points))
    return _brush(tile, painter)


@cache
def dots(colour: str, ratio: float) -> QBrush:
    """A dotted line 2 px high; fill a rectangle with it, the brush origin at its top left."""
    tile, painter = _tile(DOT_STEP, 2, ratio)
    painter.fillRect(QRectF(0, 0, 2, 2), QColor(colour))
    return _brush(tile, painter)


@cache
def checkerboard(light: str, dark: str, ratio: float) -> QBrush:
    """What shows under a colour that is not opaque."""
    tile, painter = _tile(8, 8, ratio)
    painter.fillRect(QRectF(0, 0, 8, 8), QColor(light))
    painter.fillRect(QRectF(0, 0, 4, 4), QColor(dark))
    painter.fillRect(QRectF(4, 4, 4, 4), QColor(dark))
    return _brush(tile, painter)


@cache
def _hatch(colour: str, period: int, ratio: float) -> QBrush:
    tile, painter = _tile(period, period, ratio)
    painter.setPen(QPen(QColor(colour), 1.1))
    for shift in (-period, 0, period):
        painter.drawLine(QPointF(shift - 1, period + 1), QPointF(shift + period + 1, -1))
    return _brush(tile, painter)


def _tile(width: int, height: int, ratio: float) -> tuple[QPixmap, QPainter]:
    tile = QPixmap(round(width * ratio), round(height * ratio))
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(tile.width() / width, tile.height() / height)
    return tile, painter


def _brush(tile: QPixmap, painter: QPainter) -> QBrush:
    transform = painter.transform().inverted()[0]
    painter.end()
    brush = QBrush(tile)
    brush.setTransform(transform)
    return brush
