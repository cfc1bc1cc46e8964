"""What only the main thread may do: take calls from other threads, and take away objects of Qt.

A signal that another thread emits on an object which the main thread takes away at that moment reads freed memory. So
threads emit on one object that stays, and the main thread looks whether the owner of the call is still there. For the
same reason garbage is looked for in the main thread alone: by itself Python does that in whichever thread makes many
objects, and would take away there what belongs to a window.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

Call = Callable[[], object]


class _Calls(QObject):
    """Lives in the main thread as long as the program."""

    wanted = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.wanted.connect(self._do, Qt.ConnectionType.QueuedConnection)

    def _do(self, owner: QObject, call: Call) -> None:
        if shiboken6.isValid(owner):
            call()


_calls: _Calls | None = None


class MainThread:
    """The way of one object's threads into the main thread. Made by the main thread.

    Args:
        owner: what is called for; once it is gone, nothing is called any more.
    """

    def __init__(self, owner: QObject) -> None:
        global _calls
        if _calls is None:
            _calls = _Calls()
        self._owner, self._calls = owner, _calls

    def call(self, call: Call) -> None:
        """Have something called at the next turn of the main thread's event loop. Any thread may ask for it."""
        try:
            self._calls.wanted.emit(self._owner, call)
        except RuntimeError:  # the program ends
            return


TICK = 1000
"""Milliseconds between two looks for garbage."""
FEW = 2_000
"""With fewer new objects than that, they are not looked at."""
SHARE = 100
"""A look at all objects has to wait so many times as long as the last one took."""


class Collector(QObject):
    """Looks for garbage from the event loop of the main thread, and keeps Python from doing so by itself.

    Args:
        parent: with it the looking ends.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._ended, self._took = perf_counter(), 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(TICK)

    def look(self) -> None:
        """Take away new garbage, and where some time has passed the old."""
        if gc.get_count()[0] < FEW:
            return
        begun = perf_counter()
        if begun - self._ended < SHARE * self._took:
            gc.collect(1)
            return
        gc.collect()
        self._ended = perf_counter()
        self._took = self._ended - begun


_collector: Collector | None = None


def collect_here(app: QCoreApplication) -> None:
    """Have garbage looked for in the thread of the application, and nowhere else; again does nothing."""
    global _collector
    if _collector is None or not shiboken6.isValid(_collector):
        _collector = Collector(app)
