"""The application: settings, theme, the window, and the last net under everything."""

from __future__ import annotations

import gc
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QSize, QSocketNotifier, QTimer, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QWidget

from viewer.document.disk.files import FileProblem
from viewer.document.path import PathError
from viewer.document.reading import ReadOptions
from viewer.ui import dialogs
from viewer.ui.look.program_icon import program_icon
from viewer.ui.look.theme import ThemeController
from viewer.ui.main_thread import collect_here
from viewer.ui.window.first_frame import GLIMPSE_WITHIN, application, start
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.windows import Windows


def run_window(paths: Sequence[str], choice: ReadOptions) -> int:
    """Show the window, with files or without.

    Args:
        paths: the files to open, each in a tab, the last one shown, as if they were dropped on the window.
        choice: what not to look for in them.

    Returns:
        The exit code: 0. What cannot be read is told in the window.
    """
    begun = start(paths[0] if paths else None)
    app = begun.app
    app.setWindowIcon(program_icon())
    windows = Windows(begun.settings, begun.theme)
    rows = begun.rows
    frame = windows.take(begun.frame, rows)
    sys.excepthook = _net(lambda: windows.active)
    if rows is not None:
        _in_net(lambda: frame.active.take_rows(rows))
    elif len(paths) == 1:
        _in_net(lambda: frame.active.open_path(Path(paths[0]), choice))
        frame.active.session.reading.await_glimpse(GLIMPSE_WITHIN)
    if hasattr(app, "commitDataRequest"):  # where the system has sessions
        app.commitDataRequest.connect(windows.end_session)
    frame.reveal()
    if len(paths) > 1:  # with what may be asked about each of them, which takes a window that can be seen
        several, fixed = [Path(path) for path in paths], None if choice == ReadOptions() else choice
        QTimer.singleShot(0, frame.active, lambda: frame.active.files.open_all(several, fixed))
    windows.restore_soon()
    QTimer.singleShot(0, lambda: collect_again(app))
    interrupts = _Interrupts()
    try:
        return app.exec()
    finally:
        interrupts.leave()


class _Interrupts:
    """Lets Ctrl+C in the terminal end an idle window.

    Python handles a signal between two of its own steps, and an idle window takes none: the system's handler writes a
    byte to a socket, which wakes the event loop and so Python.
    """

    def __init__(self) -> None:
        self._woken, self._waking = socket.socketpair()
        for end in (self._woken, self._waking):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._woken.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._wake)
        self._before = signal.set_wakeup_fd(self._waking.fileno(), warn_on_full_buffer=False)

    def _wake(self) -> None:
        """Take the byte; by then Python has handled the signal."""
        self._woken.recv(64)

    def leave(self) -> None:
        """Let signals be as they were."""
        signal.set_wakeup_fd(self._before)
        self._notifier.setEnabled(False)
        self._woken.close()
        self._waking.close()


def _in_net(do: Callable[[], object]) -> None:
    """Show a file before its view is shown, so that it has no frame without; a mistake of ours stays in the net."""
    try:
        do()
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)


def collect_again(app: QApplication) -> None:
    """Look for garbage from now on, but not in what the start has made: that stays as long as the program runs."""
    gc.freeze()
    collect_here(app)


def shot(path: str, out: str, select: str | None, size: tuple[int, int], theme: str, choice: ReadOptions) -> int:
    """Save a picture of the window with a file open; needs no screen.

    Returns:
        The exit code: 0, or 2 where the file or the path in it cannot be read, or the picture cannot be written.
    """
    qInstallMessageHandler(lambda *_: None)  # no screen is needed; what Qt lacks for one is of no interest here
    app = make_application()
    controller = ThemeController(app, theme)
    window = MainWindow(None, controller)
    window.resize(QSize(*size))
    try:
        window.show_for_picture(Path(path), choice)
        if select:
            window.session.go_to_place(select)
    except (FileProblem, PathError) as error:
        print(f"variant-viewer: {error}", file=sys.stderr)
        return 2
    window.show()
    window.settle()
    if not window.grab().save(out, "PNG"):
        print(
            f"variant-viewer: “{out}” cannot be written; choose a folder that exists and is writable.",
            file=sys.stderr,
        )
        return 2
    return 0


def make_application() -> QApplication:
    """The one application object, with the names and the icon that the desktop knows it by."""
    app = application()
    app.setWindowIcon(program_icon())
    collect_here(app)
    return app


def _net(window: Callable[[], QWidget]) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """What catches a mistake of ours: the person keeps the window and the bytes, and is told in one sentence."""

    def caught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QCoreApplication.exit(130)
            return
        sys.stderr.write("".join(traceback.format_exception(kind, error, trace)))
        dialogs.tell(
            window(),
            f"Something went wrong inside the program ({kind.__name__}). Your bytes are still here: save them under "
            "another name, then start again.",
        )

    return caught
