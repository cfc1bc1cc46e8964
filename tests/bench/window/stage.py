"""A real window for a child process, and the moment when something in it has been painted."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSize, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QTreeView, QWidget

from bench.setting import BenchError
from viewer.document.document import Document
from viewer.ui.hex.view import HexView
from viewer.ui.look.theme import ThemeController
from viewer.ui.window.app import collect_again, make_application
from viewer.ui.window.main_window import MainWindow

SIZE = QSize(1400, 900)
SLEEPING = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
"""Waiting takes no processor time."""
Found = TypeVar("Found", bound=QWidget)


class Painted(QObject):
    """Counts the paint events of a scroll area's viewport.

    Signals:
        begun: there is another one.
    """

    begun = Signal()

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self.count = 0
        area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.count += 1
            self.begun.emit()
        return False


class Stage:
    """The main window, shown, with no settings of anybody's; the garbage collector is let in as the program does it."""

    def __init__(self) -> None:
        gc.disable()
        self.app = make_application()
        self.window = MainWindow(None, ThemeController(self.app, "light"))
        self.window.resize(SIZE)
        self.window.show()
        collect_again(self.app)
        self.tree = self._find(QTreeView, "treeView")
        self.hex = self._find(HexView, "hexView")
        self.tree_painted, self.hex_painted = Painted(self.tree), Painted(self.hex)

    def open(self, path: Path) -> Document:
        """Open a file and wait until the tree shows it."""
        document = Document.open(path)
        self.until_painted(lambda: self.window.session.show(document), self.tree_painted)
        self.window.settle()
        return document

    def until_painted(self, work: Callable[[], object], *painted: Painted) -> float:
        """Do something and wait until all of these were painted afterwards; the processor time of all threads."""
        before = [each.count for each in painted]
        start = process_time()
        work()
        while any(each.count == count for each, count in zip(painted, before, strict=True)):
            self.app.processEvents(SLEEPING)
        return process_time() - start

    def rest(self, seconds: float) -> None:
        """Let timers and delayed work happen."""
        end = perf_counter() + seconds
        while perf_counter() < end:
            self.app.processEvents()

    def _find(self, kind: type[Found], name: str) -> Found:
        found = self.window.findChild(kind, name)
        if not isinstance(found, kind):
            raise BenchError(f"there is no {name}")
        return found


def main_application() -> QApplication:
    """The application alone, for what needs no window."""
    return make_application()
