"""A child: from the start of the process to the first painted frame.

Arguments: ``bare`` for an application with one empty widget, or the file that the program is to open.
"""

from __future__ import annotations

import sys
from time import monotonic

from bench.child import report


def tell() -> None:
    """The frame is out."""
    report({"moment": [monotonic()]})


def bare() -> None:
    """The least that any program with a window does."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QApplication, QWidget

    class Widget(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            QTimer.singleShot(0, tell)

    app = QApplication(["bare"])
    widget = Widget()
    widget.show()
    app.exec()


def program(path: str) -> None:
    """The program itself, by its own way in; the first frame that counts is one with a row of the tree.

    Nothing of it is loaded here, so that all is loaded when and as the program does it.
    """
    from viewer import cli

    def opened(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and arguments[0] == path:
            watch_tree()

    sys.addaudithook(opened)
    cli.main([path])


def watch_tree() -> None:
    """Tell when a row is painted; an event filter would cost each of thousands of events some microseconds."""
    from PySide6.QtCore import QTimer

    from viewer.ui.tree.view import TreeView

    draw = TreeView.drawRow
    told: list[bool] = []

    def first(*arguments: object) -> None:
        if not told:  # the method stays as it is: what is being called must not go away meanwhile
            told.append(True)
            QTimer.singleShot(0, tell)
        draw(*arguments)  # type: ignore[arg-type]

    TreeView.drawRow = first  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    bare() if sys.argv[1] == "bare" else program(sys.argv[1])
