"""Files dropped on the window: they are copied, never moved, wherever they fall."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QDropEvent, QGuiApplication, QWindow
from PySide6.QtWidgets import QWidget

DRAGS = frozenset((QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop))


class FileDrops(QObject):
    """Takes the files that are dropped on a window, before any field in it takes their names as text.

    Who drags proposes to move; a program that agrees lets the other one delete the files. Fields of Qt do agree, so
    files never reach them: those over the main window are opened, those over its dialogs refused.

    Args:
        main: the window.

    Signals:
        hovering: ``bool``: whether files hang over the window.
        dropped: ``list``: the ``Path`` of each file that was dropped; told when the other program has its answer.
    """

    hovering = Signal(bool)
    dropped = Signal(object)

    def __init__(self, main: QWidget) -> None:
        super().__init__(main)
        self._main = main
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self.watch)

    def watch(self, window: QWindow | None) -> None:
        """Look after a window of the system, if it is the main one or one of its dialogs."""
        main = self._main.windowHandle()
        above = window
        while above is not None and above is not main:
            above = above.transientParent()
        if window is not None and above is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.DragLeave:
            self.hovering.emit(False)
        return (
            kind in DRAGS and isinstance(event, QDropEvent) and self.take(event, watched is self._main.windowHandle())
        )

    def take(self, event: QDropEvent, opens: bool = True) -> bool:
        """Answer a drag or drop; False where it brings no files and is somebody else's.

        Args:
            event: the drag or drop.
            opens: whether files are opened here; else they are refused.
        """
        paths = files_in(event.mimeData())
        if not paths:
            return False
        if not opens:
            event.ignore()
            return True
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        is_drop = event.type() == QEvent.Type.Drop
        self.hovering.emit(not is_drop)
        if is_drop:
            QTimer.singleShot(0, self, lambda: self.dropped.emit(paths))
        return True


def files_in(data: QMimeData) -> list[Path]:
    """The local files that are dragged; none for anything else."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
