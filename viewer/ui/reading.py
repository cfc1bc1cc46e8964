"""Reading beside the window: the document's task is done in a thread, its result taken in the window's."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from viewer.document.document import Document
from viewer.document.reading import Reading, Task
from viewer.ui.worker import Job, Worker

NO_MEMORY = "There is not enough memory for the values of this file; its bytes are shown."


class ReadingBeside(QObject):
    """Does one document's task at a time; a newer task takes the place of the one before.

    Signals:
        taken: ``Change``: the document has been read.
        changed: a reading began, ended or was stopped.
        failed: ``str``: why it could not be read, in one sentence.
    """

    taken = Signal(object)
    changed = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self._warmer = Worker(self)

    @property
    def is_on(self) -> bool:
        """Whether something is being read."""
        return self._worker.job is not None

    @property
    def share(self) -> float:
        """How much of it has been read, 0 to 1."""
        job, document = self._worker.job, self._document
        return min(1.0, job.reached / max(1, len(document.buffer))) if job is not None and document is not None else 0.0

    def start(self, document: Document) -> None:
        """Read what is still to be read of a document."""
        task = document.task
        if task is not None:
            self._document = document
            self._worker.start(lambda progress: (task, task.run(progress)))
        self.changed.emit()

    def stop(self) -> None:
        """Give up; the document keeps its task."""
        was_on = self.is_on
        self._worker.stop()
        if was_on:
            self.changed.emit()

    def leave(self) -> None:
        """The program ends: wait until nothing works beside the window any more."""
        for worker in (self._worker, self._warmer):
            worker.stop()
            worker.wait()

    def _take(self, job: Job[tuple[Task, Reading]]) -> None:
        document = self._document
        if isinstance(job.error, MemoryError):
            self.failed.emit(NO_MEMORY)
        elif job.error is not None:
            raise job.error
        elif document is not None and job.result is not None:
            task, reading = job.result
            change = document.take(task, reading)
            if change is not None:
                self.taken.emit(change)
                if not task.since or document.is_cold:
                    self._warmer.start(lambda progress: document.warm_up())
        self.changed.emit()
