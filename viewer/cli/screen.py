"""Is there a screen to open a window on? Asked before the window's code is loaded, which aborts where there is none.

And the window of a start with nothing but a file is shown, before all else is loaded.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

# What asks is imported where it asks: a window on Windows, macOS or a platform that was named asks nothing.

X_SOCKETS = "/tmp/.X11-unix"
X_PORT = 6000
TIMEOUT = 2.0


def missing() -> str | None:
    """What is missing for a window, as the beginning of a sentence; None where one can be opened."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return None
    wayland, x11 = os.environ.get("WAYLAND_DISPLAY"), os.environ.get("DISPLAY")
    if not wayland and not x11:
        return "There is no display"
    if wayland and _wayland_answers(wayland):
        return None
    if not x11 or not _x_answers(x11):
        return f"The display {x11 or wayland} does not answer"
    return _plugin_fault()


def _wayland_answers(name: str) -> bool:
    import socket

    return _answers(socket.AF_UNIX, str(Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / name))


def _x_answers(display: str) -> bool:
    """Whether something listens where ``host:number.screen`` says; a form that is not known is believed."""
    import socket

    host, colon, rest = display.rpartition(":")
    number = rest.partition(".")[0]
    if not colon or not number.isdecimal():
        return True
    if host in ("", "unix"):
        path = f"{X_SOCKETS}/X{number}"
        return (
            _answers(socket.AF_UNIX, path)
            or (sys.platform == "linux" and _answers(socket.AF_UNIX, f"\0{path}"))
            or _answers(socket.AF_INET, ("localhost", X_PORT + int(number)))
        )
    if host.startswith("/"):
        return True
    return _answers(socket.AF_INET, (host.strip("[]"), X_PORT + int(number)))


def _answers(family: int, address: str | tuple[str, int]) -> bool:
    import socket

    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.settimeout(TIMEOUT)
            probe.connect(address)
    except (OSError, OverflowError, UnicodeError):
        return False
    return True


def _plugin_fault() -> str | None:
    """Why the platform plug-in for X cannot be loaded: mostly a system library that is not installed."""
    import ctypes

    spec = find_spec("PySide6")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    plugin = Path(folders[0], "Qt", "plugins", "platforms", "libqxcb.so") if folders else None
    if plugin is None or not plugin.is_file():
        return None
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        library = str(error).partition(":")[0]
        return f"The window needs the system library {library}, which is not installed"
    return None


def show_early(words: Sequence[str]) -> None:
    """Show an empty window at once where the words are names of files, or there are none.

    A name that could be a sub-command, options and what cannot be read are left to the program, which says more.
    """
    if not all(map(_is_file, words)) or missing() is not None:
        return
    if sys.stdout is None or sys.stderr is None:
        return  # nothing may take their place
    gc.disable()  # what is made from here to the first rows stays; run_window lets the collector in again
    try:
        from viewer.ui.window.first_frame import start

        start(words[0] if words else None)
        if len(words) == 1:
            from viewer.ui.window.first_rows import show_first_rows

            show_first_rows(words[0])
    except ImportError:
        return  # the program says so


def _is_file(word: str) -> bool:
    is_name = not word.startswith("-") and ("." in word or os.sep in word)
    return is_name and os.path.isfile(word) and os.access(word, os.R_OK)
