"""The size of a window on a small screen, and a viewport of our own for scroll areas."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QSize, QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from viewer.ui.look.fonts import scaled

BAND = 240
"""Pixels of a viewport that are painted in one turn, where it may come in several."""
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


class PaintedLater(QObject):
    """Paints what has long been seen of a scroll area, and may have changed a little, in turns of its own.

    What is painted at once comes in front of it; then comes a band in each turn, so that no key waits for all of them.

    Args:
        area: whose viewport it is.
    """

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self._at = self._left = 0
        self._is_waiting = False
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._take_turn)

    def start(self) -> None:
        """Have all of it painted; what is about to be painted already begins anew where it is."""
        self._left = self._area.viewport().height()
        if not self._turn.isActive():
            self._begin_turn()

    @property
    def is_due(self) -> bool:
        """Whether some of it is still to be painted."""
        return self._left > 0

    def _begin_turn(self) -> None:
        self._is_waiting = True
        self._turn.start()

    def _take_turn(self) -> None:
        if self._is_waiting:  # what was asked to be painted meanwhile comes one turn later
            self._is_waiting = False
            self._turn.start()
            return
        viewport = self._area.viewport()
        if self._at >= viewport.height():
            self._at = 0
        viewport.update(QRect(0, self._at, viewport.width(), BAND))
        self._at += BAND
        self._left -= BAND
        if self._left > 0:
            self._begin_turn()
