"""A worker that waits for the thread it stopped before it begins anew.

Work that looks for a chance to give up only now and then would otherwise pile up with every change a person makes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from viewer.base.progress import Progress
from viewer.ui.main_thread import MainThread
from viewer.ui.worker import Job, Worker

Work = Callable[[Progress], object]


class LoneWorker(QObject):
    """Does one job at a time in one thread; of the jobs that wait for it only the latest is done.

    Signals:
        finished: ``Job``: it ended, well or not. Not told for a job that was stopped.
    """

    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = Worker(self)
        self._worker.finished.connect(self.finished)
        self._next: Work | None = None
        self._busy = False
        self._main_thread = MainThread(self)

    @property
    def job(self) -> Job[object] | None:
        """What is done now, None for nothing."""
        return self._worker.job

    def start(self, work: Work) -> None:
        """Do a job as soon as the one before has ended, which is stopped."""
        self._worker.stop()
        self._next = work
        self._begin()

    def stop(self) -> None:
        """Stop what is done now and what waits; its end is not told."""
        self._next = None
        self._worker.stop()

    def wait(self) -> None:
        """Wait until no thread runs any more; for the end of the program."""
        self._worker.wait()

    def _begin(self) -> None:
        if self._next is not None and not self._busy:
            work, self._next, self._busy = self._next, None, True
            self._worker.start(partial(self._run, work))

    def _run(self, work: Work, goes_on: Progress) -> object:
        try:
            return work(goes_on)
        finally:
            self._main_thread.call(self._on_freed)

    def _on_freed(self) -> None:
        self._busy = False
        self._begin()
