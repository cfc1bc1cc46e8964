"""What the wheel and the keys do to a picture or a plot: arrows move it, plus and minus zoom, 0 shows all of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

STEP = 2**0.5
NOTCH = 120
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class ZoomInput(QObject):
    """Takes these keys and the wheel before the widget; all others are left to it.

    Args:
        view: the widget.
        move: moves what is seen by so many steps across and down.
        zoom: shows it larger by a factor; a point of the widget stays where it is, None for its middle.
        fit: shows all of it.
    """

    def __init__(
        self,
        view: QWidget,
        move: Callable[[int, int], None],
        zoom: Callable[[float, QPointF | None], None],
        fit: Callable[[], None],
    ) -> None:
        super().__init__(view)
        self._move, self._zoom, self._fit = move, zoom, fit
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._press(Qt.Key(event.key()))
        if event.type() is QEvent.Type.Wheel and isinstance(event, QWheelEvent):
            notches = event.angleDelta().y() / NOTCH
            if notches:
                self._zoom(STEP**notches, event.position())
            event.accept()
            return True
        return False

    def _press(self, key: Qt.Key) -> bool:
        if key in _ARROWS:
            self._move(*_ARROWS[key])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._zoom(STEP, None)
        elif key == Qt.Key.Key_Minus:
            self._zoom(1 / STEP, None)
        elif key == Qt.Key.Key_0:
            self._fit()
        else:
            return False
        return True
