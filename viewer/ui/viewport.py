"""A viewport of our own for scroll areas."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


def own_viewport(area: QAbstractScrollArea) -> None:
    """Give a scroll area a viewport like the one Qt has made for it.

    The first widget that PySide6 meets without having made it costs 10 ms: to find its class, all widget classes are
    loaded. A start-up that meets none saves that.
    """
    viewport = QWidget()
    viewport.setBackgroundRole(QPalette.ColorRole.Base)
    viewport.setAutoFillBackground(True)
    area.setViewport(viewport)
