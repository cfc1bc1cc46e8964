"""Reading beside the window: a document's task is done in a thread, its result taken in the window's."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal

from viewer.base.progress import Progress
from viewer.base.record import replace
from viewer.document.change import Change, joined_changes
from viewer.document.detection.detect import detect
from viewer.document.document import Document
from viewer.document.glimpse import glimpse
from viewer.document.reading import Reading, ReadJob, ReadMode
from viewer.document.wraps import get_ready
from viewer.ui.main_thread import MainThread
from viewer.ui.worker import Job, Worker

if TYPE_CHECKING:
    from viewer.document.readers.file_structure import Structure

# Pending changes: those of which nobody was told yet, because their bytes are still being read.

GRACE = 120
"""Milliseconds for which a change that is still to be read is not shown, so that short readings do not flicker."""


class PendingChanges(QObject):
    """Keeps changes back until their bytes are read, or until that takes longer than a moment.

    Signals:
        due: ``Change``: everybody must be told now of what has changed, though it is not read yet.
    """

    due = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._change: Change | None = None
        self._grace = QTimer(self)
        self._grace.setSingleShot(True)
        self._grace.setInterval(GRACE)
        self._grace.timeout.connect(self.tell)

    def joined_to(self, change: Change) -> Change:
        """A change together with those that were kept back before it."""
        return change if self._change is None else joined_changes(self._change, change)

    def keep(self, change: Change) -> None:
        """Keep a change back; it is joined to those before it already."""
        self._change = change
        self._grace.start()

    def tell(self) -> None:
        """Wait no longer. What was told is kept still: with the reading of its bytes everything must be found anew."""
        self._grace.stop()
        change = self._change
        if change is not None:
            self._change = replace(change, splices=(), moves=())
            if change.splices:
                self.due.emit(change)

    def forget(self) -> None:
        """Everybody was told, or there is another document."""
        self._grace.stop()
        self._change = None


# Reading: one task at a time.

NO_MEMORY = "There is not enough memory for the values of this file; its bytes are shown."
IDLE = 500
"""Milliseconds after which a window that shows nothing yet gets ready to read, and one that has read to read again."""
PAINTED = 0.2
"""Seconds in which the first values are painted: so long the reading of all of them waits at most."""


class ReadingBeside(QObject):
    """Does one document's task at a time; a newer task takes the place of the one before.

    Attributes:
        is_due: whether a document is being shown that is read afterwards, here or in another view.
        is_handing_over: whether everybody is being told of what was read; that the reading ended is told afterwards.

    Signals:
        taken: ``Change``: the document has been read.
        glimpsed: ``Change``: the first values of a document that is being read can be seen, or no longer.
        changed: a reading began, ended or was stopped.
        failed: ``str``: why it could not be read, in one sentence.
    """

    taken = Signal(object)
    glimpsed = Signal(object)
    changed = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._task: ReadJob | None = None
        self.is_due = False
        self.is_handing_over = False
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self._warmer = Worker(self)
        self._fresh: Document | None = None
        self._idle = QTimer(self, singleShot=True, interval=IDLE)
        self._idle.timeout.connect(self._warm_up)
        self._readier = threading.Thread(target=get_ready, name="ready", daemon=True)  # which tells nobody of its end
        self._main_thread = MainThread(self)
        self._is_idle = True
        QTimer.singleShot(IDLE, self, self._get_ready)

    @property
    def is_on(self) -> bool:
        """Whether something is being read."""
        return self._worker.job is not None

    @property
    def is_outdated(self) -> bool:
        """Whether what is being read is no longer what the document has to be read for."""
        return self._document is not None and self._document.task is not self._task

    @property
    def share(self) -> float:
        """How much of it has been read, 0 to 1."""
        job, document = self._worker.job, self._document
        return min(1.0, job.reached / max(1, len(document.buffer))) if job is not None and document is not None else 0.0

    def start(self, document: Document) -> None:
        """Read what is still to be read of a document."""
        self._is_idle = self.is_due = False
        task = document.task
        if task is not None:
            self._document, self._task = document, task
            has_glimpse = document.wants_glimpse
            is_new = has_glimpse or task.begun is not None
            self._worker.start(partial(self._read, task, has_glimpse), paints_first=is_new)
        self.changed.emit()

    def await_glimpse(self, most: int) -> None:
        """Wait until there are values to see, for a window that shows none yet; what a person does stays in the queue.

        Args:
            most: milliseconds; behind them the window shows what there is.
        """
        if self.is_on:
            loop, late = QEventLoop(), QTimer(singleShot=True, interval=most)
            for signal in (self.glimpsed, self.changed, late.timeout):
                signal.connect(loop.quit)
            late.start()
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def stop(self, is_due: bool = False) -> None:
        """Give up; the document keeps its task. *is_due* where another one is read next."""
        was_on, self.is_due = self.is_on, is_due
        self._worker.stop()
        if was_on:
            self._drop_glimpse()
            self.changed.emit()

    def leave(self) -> None:
        """The program ends: wait until nothing works beside the window any more."""
        self._idle.stop()
        for worker in (self._worker, self._warmer):
            worker.stop()
            worker.wait()
        if self._readier.is_alive():
            self._readier.join()

    def _get_ready(self) -> None:
        """Load the engine lines, then what reads texts, in an idle moment: then the first file waits for neither."""
        if self._is_idle:
            detect(bytes(4))
            self._readier.start()

    def _read(self, task: ReadJob, has_glimpse: bool, progress: Progress) -> tuple[ReadJob, Reading]:
        """Do a task; in a thread."""
        return task, task.run(progress, partial(self._look, task) if has_glimpse else None)

    def _look(self, task: ReadJob, way: ReadMode, structure: Structure | None) -> None:
        """Read the first values; in the thread that then reads all of them, as soon as these are painted."""
        reading, painted = glimpse(task.buffer, way, structure=structure), threading.Event()
        self._main_thread.call(lambda: self._show_glimpse(task, reading, painted))
        painted.wait(PAINTED)

    def _show_glimpse(self, task: ReadJob, reading: Reading, painted: threading.Event) -> None:
        document = self._document
        change = document.show_glimpse(task, reading) if document is not None and self.is_on else None
        if change is None:
            painted.set()
            return
        on_screen = partial(QTimer.singleShot, 0, self, painted.set)  # what was painted goes there within its turn
        laid_out = partial(QTimer.singleShot, 0, self, on_screen)  # painting comes one turn later
        QTimer.singleShot(0, self, laid_out)
        self.glimpsed.emit(change)

    def _warm_up(self) -> None:
        """In an idle moment, so that what was read is painted before."""
        fresh = self._fresh
        if self.is_on:
            self._idle.start()
        elif fresh is not None:
            self._fresh = None
            self._warmer.start(lambda progress: fresh.warm_up())

    def _drop_glimpse(self) -> None:
        change = self._document.drop_glimpse() if self._document is not None else None
        if change is not None:
            self.glimpsed.emit(change)

    def _take(self, job: Job[tuple[ReadJob, Reading]]) -> None:
        document = self._document
        if isinstance(job.error, MemoryError):
            self._drop_glimpse()
            self.failed.emit(NO_MEMORY)
        elif job.error is not None:
            raise job.error
        elif document is not None and job.result is not None:
            task, reading = job.result
            change = document.take(task, reading)
            if change is not None:
                self.is_handing_over = True
                try:
                    self.taken.emit(change)
                finally:
                    self.is_handing_over = False
                if not task.since or document.is_cold:
                    self._fresh = document
                    self._idle.start()
        self.changed.emit()
