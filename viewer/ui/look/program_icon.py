"""The program's own icon, as windows and task bars show it: one drawing in its own colours, drawn in every size."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from viewer.base import assets

SIZES = (16, 24, 32, 48, 64, 128, 256)
"""Pixels a side, from a title bar to a dock; X11 is sent all of them for every window, so no larger ones."""


def program_icon() -> QIcon:
    """The icon in all :data:`SIZES`."""
    result = QIcon()
    for size in SIZES:
        result.addPixmap(pixmap(size))
    return result


def pixmap(size: int) -> QPixmap:
    """The drawing, *size* pixels wide and high."""
    result = QPixmap(size, size)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _drawing().render(painter)
    painter.end()
    return result


@cache
def _drawing() -> QSvgRenderer:
    return QSvgRenderer(QByteArray(assets.data("desktop", "variant-viewer.svg")))
