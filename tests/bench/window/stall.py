"""A child: the longest time in which the window answers nothing while it opens a file. Argument: the file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from bench.child import report
from bench.window.stage import Stage

AFTERWARDS = 2.0


class Heartbeat(QObject):
    """Beats every millisecond and keeps the longest pause between two beats.

    Args:
        parent: owns it.
        clock: tells the seconds; that of a thread tells how much it did in one go, however busy the machine is.
    """

    def __init__(self, parent: QObject, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__(parent)
        self.longest = 0.0
        self._clock = clock
        self._last = clock()
        timer = QTimer(self)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self.beat)
        timer.start(1)

    @Slot()
    def beat(self) -> None:
        """Note the pause since the last one."""
        now = self._clock()
        self.longest = max(self.longest, now - self._last)
        self._last = now


def main() -> None:
    """Open the file once, as the menu does."""
    stage = Stage()
    stage.rest(0.5)
    heart = Heartbeat(stage.window)
    stage.rest(0.1)
    heart.longest = 0.0
    before = stage.tree_painted.count
    stage.window.open_path(Path(sys.argv[1]))
    while stage.window.session.document is None or stage.tree_painted.count == before:
        stage.app.processEvents()
    stage.rest(AFTERWARDS)
    heart.beat()
    report({"ours": [heart.longest]})


if __name__ == "__main__":
    main()
