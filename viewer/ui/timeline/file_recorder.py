"""Records one file beside the window, in threads that never touch it."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from viewer.document.timeline.recording import RecordedElsewhere, VersionRecorder
from viewer.document.timeline.timeline import KeptVersion, Timeline, TimelineProblem
from viewer.ui.main_thread import MainThread


class FileRecorder(QObject):
    """Keeps the versions of a file from :meth:`start` to :meth:`stop`.

    It looks at the file itself, many times a second: what the system tells of changes comes too late or not at all on
    some disks, and would wait for the window.

    Args:
        file: what is recorded.
        parent: owns it.

    Signals:
        kept: ``int``: the number of a version that was kept.
        said: ``str``: a sentence about what could not be kept, or was thinned out.
        ended: it records no longer, though nobody stopped it.
    """

    kept = Signal(int)
    said = Signal(str)
    ended = Signal()

    def __init__(self, file: Path, parent: QObject) -> None:
        super().__init__(parent)
        self.file = file
        self._main_thread = MainThread(self)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_on(self) -> bool:
        """Whether it records."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Record from now on."""
        if not self.is_on:
            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(self._stop,), name="recorder", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Record no more; what stands now is kept before this returns."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(5.0)
            self._thread = None

    def _run(self, stop: threading.Event) -> None:
        try:
            VersionRecorder(Timeline(self.file), self._tell_kept, self._say).run(stop)
        except RecordedElsewhere:
            pass  # it is recorded, and that is what counts
        except TimelineProblem as problem:
            self._say(str(problem))
        if not stop.is_set():
            self._main_thread.call(lambda: self.ended.emit())

    def _tell_kept(self, version: KeptVersion) -> None:
        self._main_thread.call(lambda: self.kept.emit(version.number))

    def _say(self, sentence: str) -> None:
        self._main_thread.call(lambda: self.said.emit(sentence))
