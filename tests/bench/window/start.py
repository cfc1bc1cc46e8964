"""A child: processor time of the whole process from its start to its first frames.

Argument: ``fair`` for the window with no program, or the file that the program is to open. ``frame`` is the first
frame of the window, ``row`` the first with a row of the tree; each is over when the event loop has its turn again.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from time import process_time

Tell = Callable[[str], None]


def main() -> None:
    """Tell both moments; nothing but what each side needs is loaded here."""
    moments: dict[str, float] = {}

    def tell(name: str) -> None:
        moments.setdefault(name, process_time())
        if name == "row":
            print("{" + ", ".join(f'"{each}": [{at}]' for each, at in moments.items()) + "}", flush=True)
            os._exit(0)

    fair(tell) if sys.argv[1] == "fair" else program(sys.argv[1], tell)


def fair(tell: Tell) -> None:
    """The window with no program."""
    gc.disable()  # as the program does
    watch_windows(tell)

    from bench.window import fair

    app, window = fair.show(once(lambda: tell("row")))
    app.exec()
    del window


def program(path: str, tell: Tell) -> None:
    """The program itself, by its own way in; rows that count are those of the document's tree."""
    gc.disable()

    from viewer import cli  # before PySide6, which looks into what is loaded after it until the window's code is

    watch_windows(tell)

    def opened(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and arguments[0] == path:
            watch_tree(tell)

    sys.addaudithook(opened)
    cli.main([path])


def watch_windows(tell: Tell) -> None:
    """Tell when a main window has been painted."""
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QMainWindow

    class Watcher(QObject):
        """Sees the events of one widget only: an event filter costs each event some microseconds."""

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                watched.removeEventFilter(self)
                once(lambda: tell("frame"))()
            return False

    show = QMainWindow.show

    def watched(window: QMainWindow) -> None:
        window.installEventFilter(Watcher(window))
        show(window)

    QMainWindow.show = watched  # type: ignore[method-assign, assignment]


def watch_tree(tell: Tell) -> None:
    """Tell when a row is painted."""
    from viewer.ui.tree.view import TreeView

    draw, told = TreeView.drawRow, once(lambda: tell("row"))

    def first(*arguments: object) -> None:
        told()
        draw(*arguments)  # type: ignore[arg-type]

    TreeView.drawRow = first  # type: ignore[method-assign, assignment]


def once(tell: Callable[[], None]) -> Callable[[], None]:
    """What tells at its first call, when the painting that is going on is over."""
    from PySide6.QtCore import QTimer

    told: list[bool] = []

    def later() -> None:
        if not told:
            told.append(True)
            QTimer.singleShot(0, tell)

    return later


if __name__ == "__main__":
    main()
