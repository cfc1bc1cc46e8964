"""Calls from other threads into the main one, which may have closed meanwhile what they are for.

A signal that another thread emits on an object which the main thread takes away at that moment reads freed memory. So
threads emit on one object that stays, and the main thread looks whether the owner of the call is still there.
"""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

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
