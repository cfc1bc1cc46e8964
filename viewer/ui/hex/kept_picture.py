"""Kept pictures: what was painted once and is shown again, without a pixel of difference."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap


def shows_pixels(painter: QPainter, ratio: float) -> bool:
    """Whether a picture of so many pixels a unit lands pixel by pixel where *painter* paints at its origin.

    Not where a widget begins between two pixels of the screen, nor where it is drawn larger or smaller.
    """
    way = painter.deviceTransform()
    is_straight = way.m12() == way.m21() == way.m13() == way.m23() == 0.0
    return is_straight and way.m11() == way.m22() == ratio and way.dx() % 1 == way.dy() % 1 == 0.0


def new_picture(size: QSize, ratio: float, colour: QColor | Qt.GlobalColor) -> QPixmap:
    """A picture of one colour; without a hole in it, as screens are, text in it is smoothed as on them."""
    picture = QPixmap(ceil(size.width() * ratio), ceil(size.height() * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(colour)
    return picture
