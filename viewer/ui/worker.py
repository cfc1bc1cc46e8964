"""Worker: one piece of work beside the window, in a thread that changes nothing but what it returns."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.base.progress import Progress
from viewer.ui.main_thread import MainThread

T = TypeVar("T")
POLITE = 0.00005
"""Seconds between two offers of the interpreter's lock while plain Python works beside the window."""


class Job(Generic[T]):
    """Work under way.

    Args:
        work: does it; is handed what must be told the offset reached now and then, and gives up when that says False.

    Attributes:
        reached: the offset reached.
        result: what came of it, None until then.
        error: what went wrong instead.
    """

    def __init__(self, work: Callable[[Progress], T]) -> None:
        self._work = work
        self._stopped = False
        self.reached = 0
        self.result: T | None = None
        self.error: Exception | None = None

    def goes_on(self, offset: int) -> bool:
        """Whether the work may go on."""
        self.reached = offset
        return not self._stopped

    def stop(self) -> None:
        """Let it give up at its next chance."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether it was told to give up."""
        return self._stopped

    def run(self) -> None:
        """Do it, in this thread."""
        try:
            self.result = self._work(self.goes_on)
        except Exception as error:  # told where the result is taken
            self.error = error


class Worker(QObject):
    """Does one job at a time; a new one takes the place of the one before.

    Signals:
        finished: ``Job``: it ended, well or not. Not told for a job that was stopped.
    """

    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: Job[object] | None = None
        self._thread: threading.Thread | None = None
        self._usual = sys.getswitchinterval()
        self._main_thread = MainThread(self)

    @property
    def job(self) -> Job[object] | None:
        """What is done now, None for nothing."""
        return self._job

    def start(self, work: Callable[[Progress], object], paints_first: bool = False) -> Job[object]:
        """Begin a job; the one before is stopped.

        Args:
            work: as for a job.
            paints_first: whether what is to be painted now is painted before, so that the two do not share a processor.
        """
        self.stop()
        job = self._job = Job(work)
        if paints_first:
            laid_out = partial(QTimer.singleShot, 0, self, partial(self._begin, job))  # painting comes one turn later
            QTimer.singleShot(0, self, laid_out)
        else:
            self._begin(job)
        return job

    def _begin(self, job: Job[object]) -> None:
        if job is self._job:
            sys.setswitchinterval(POLITE)
            self._thread = threading.Thread(target=self._run, args=(job,), name="reading", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop what is done now; its end is not told."""
        if self._job is not None:
            self._job.stop()
            self._job = None
            sys.setswitchinterval(self._usual)

    def wait(self, seconds: float = 5.0) -> None:
        """Wait until no thread of it runs any more; for the end of the program."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, job: Job[object]) -> None:
        job.run()
        if not job.stopped:
            self._main_thread.call(partial(self._take, job))

    def _take(self, job: Job[object]) -> None:
        if job is self._job:
            self._job = None
            sys.setswitchinterval(self._usual)
            self.finished.emit(job)
