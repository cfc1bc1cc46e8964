"""A child: from the start of the process to the first painted frame.

Arguments: ``bare`` for an application with one empty widget, or the file that the program is to open.
"""

from __future__ import annotations

import sys
from time import monotonic

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QTreeView, QWidget

from bench.child import report


class FirstFrame(QObject):
    """Ends the process when the first frame that counts has been painted.

    Args:
        app: whose events are watched.
        needs_tree: whether only a tree with rows counts, instead of any widget.
    """

    def __init__(self, app: QApplication, needs_tree: bool) -> None:
        super().__init__(app)
        self._needs_tree = needs_tree
        self._seen = False
        app.installEventFilter(self)

    @Slot()
    def tell(self) -> None:
        """The frame is out."""
        report({"moment": [monotonic()]})

    def _counts(self, watched: QObject) -> bool:
        if not self._needs_tree:
            return isinstance(watched, QWidget)
        tree = watched.parent()
        return isinstance(tree, QTreeView) and tree.model() is not None and tree.model().rowCount() > 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self._seen and event.type() == QEvent.Type.Paint and self._counts(watched):
            self._seen = True
            QTimer.singleShot(0, self.tell)
        return False


def bare() -> None:
    """The least that any program with a window does."""
    app = QApplication(["bare"])
    first = FirstFrame(app, needs_tree=False)
    widget = QWidget()
    widget.show()
    app.exec()
    del first


def program(path: str) -> None:
    """The program itself, by its own way in."""
    from viewer.cli import main
    from viewer.ui.app import make_application

    first = FirstFrame(make_application(), needs_tree=True)
    main([path])
    del first


if __name__ == "__main__":
    bare() if sys.argv[1] == "bare" else program(sys.argv[1])
