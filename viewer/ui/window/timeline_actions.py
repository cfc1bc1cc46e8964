"""File > Timeline: the window of a save's versions, and the recording of the files that are open here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from viewer.document.document import Document
from viewer.document.timeline.timeline import Timeline, TimelineProblem
from viewer.ui.compare.compare_host import ComparedSide
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.timeline.file_recorder import FileRecorder
from viewer.ui.window.compare_actions import CompareActions
from viewer.ui.window.open_files import OpenFiles

if TYPE_CHECKING:  # loaded when it is shown
    from viewer.ui.timeline.timeline_window import TimelineWindow

AGAIN = 5000
"""Milliseconds until a file that another window recorded is tried again."""
NO_FILE = "These bytes have no file whose versions could be kept: save them first."


class TimelineActions(QObject):
    """Shows timelines, and records what a person wants to have recorded as long as it is open here.

    Args:
        window: the main window.
        session: shows one of the open documents.
        opened: the open documents.
        compares: gives what shows comparisons.
        theme_now: the colours that are shown now.
        say: told in words what happened.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        opened: OpenFiles,
        compares: Callable[[], CompareActions],
        theme_now: Callable[[], Theme],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._opened = window, session, opened
        self._compares, self._theme_now, self._say = compares, theme_now, say
        self._recorders: dict[Path, FileRecorder] = {}
        self._shown: TimelineWindow | None = None
        self._again = QTimer(self, singleShot=True, interval=AGAIN)
        self._again.timeout.connect(self.follow)
        session.opened.connect(self.follow)
        session.history_changed.connect(self._follow_path)
        self._path: Path | None = None

    def show(self) -> None:
        """Show the timeline of the shown file."""
        from viewer.ui.timeline.timeline_window import TimelineWindow

        document = self._session.document
        if document is None or document.path is None:
            self._say(NO_FILE)
            return
        try:
            timeline = Timeline(document.path)
        except TimelineProblem as problem:
            self._say(str(problem))
            return
        if self._shown is not None:
            self._shown.close()
        self._shown = TimelineWindow(self._window, self._session, self._theme_now(), timeline, self)
        self._shown.show()
        self.follow()

    # Recording

    def _follow_path(self) -> None:
        """A document that was saved under another name has another file."""
        document = self._session.document
        path = document.path if document is not None else None
        if path != self._path:
            self._path = path
            self.follow()

    def begin_again(self, file: Path) -> None:
        """Look at a file as if for the first time, where it is to be recorded: other versions may be wanted now."""
        if file in self._recorders:
            self._recorders.pop(file).stop()
        self.follow()

    def follow(self) -> None:
        """Record the open files that a person wants to have recorded, and no others."""
        wanted = {path for path in (self._path_of(each) for each in self._opened.documents) if path is not None}
        for path in [path for path in self._recorders if path not in wanted]:
            self._recorders.pop(path).stop()
        for path in wanted:
            recorder = self._recorders.get(path)
            if recorder is None:
                recorder = self._recorders[path] = FileRecorder(path, self)
                recorder.said.connect(self._say)
                recorder.ended.connect(self._again.start)
            recorder.start()

    @staticmethod
    def _path_of(document: Document) -> Path | None:
        """The file of a document, if it is to be recorded."""
        if document.path is None:
            return None
        try:
            timeline = Timeline(document.path)
        except TimelineProblem:
            return None
        return timeline.file if timeline.is_on else None

    def is_recorded(self, file: Path) -> bool:
        """Whether a file is recorded here now."""
        return file in self._recorders and self._recorders[file].is_on

    # What the timeline's window asks for

    def compare(self, old: ComparedSide, new: ComparedSide) -> None:
        """Show two sides beside each other."""
        self._compares().open(old, new)

    def open(self, document: Document) -> None:
        """Show a document in a tab of its own."""
        self._opened.add(document)
        self._window.activateWindow()

    def bring(self, file: Path) -> Document | None:
        """Show the tab of a file; None where it is not open any more."""
        for number, document in enumerate(self._opened.documents):
            if document.path is not None and document.path.absolute().resolve() == file:
                self._opened.switch(number)
                return document
        return None

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        if self._shown is not None:
            self._shown.set_theme(theme)

    def leave(self) -> None:
        """The view goes: record no more."""
        self._again.stop()
        if self._shown is not None:
            self._shown.close()
        for recorder in self._recorders.values():
            recorder.stop()
        self._recorders.clear()
