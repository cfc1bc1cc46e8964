"""The size of a window on a small screen, and a viewport of our own for scroll areas."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from viewer.ui.look.fonts import scaled

FRAME = (20, 60)
"""Pixels that the frame of a window takes of the screen, and what lies at its edges."""


def fit_screen(window: QWidget, size: tuple[int, int], least: tuple[int, int] | None = None) -> None:
    """Give a window a size, or what its screen has room for, and the least one that it may have.

    Both are in pixels at a font of 13, and grow with the platform's.
    """
    room = window.screen().availableSize() - QSize(*FRAME)
    if least is not None:
        window.setMinimumSize(QSize(*map(scaled, least)).boundedTo(room))
    window.resize(QSize(*map(scaled, size)).boundedTo(room))


def own_viewport(area: QAbstractScrollArea) -> None:
    """Give a scroll area a viewport like the one Qt has made for it.

    The first widget that PySide6 meets without having made it costs 10 ms: to find its class, all widget classes are
    loaded. A start-up that meets none saves that.
    """
    viewport = QWidget()
    viewport.setBackgroundRole(QPalette.ColorRole.Base)
    viewport.setAutoFillBackground(True)
    area.setViewport(viewport)
