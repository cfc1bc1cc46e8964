"""Which files are open in which windows: kept while the program runs, so that all are open again at its next start."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray

from viewer.document.disk.folder_lock import FolderLock
from viewer.document.disk.private_files import make_private
from viewer.ui.settings import Settings
from viewer.ui.window.journal_keeper import usual_folder
from viewer.ui.window.split_window import SplitWindow

if TYPE_CHECKING:
    from viewer.ui.window.main_window import MainWindow
    from viewer.ui.window.windows import Windows

FOLDER = "windows"
MOST_WINDOWS, MOST_FILES = 20, 200
"""So many are opened again: what was kept may have been written by anybody."""
DIED = "The files from last time were not reopened, because the program ended while opening them."
NAMED = 3


class KeptWindows:
    """Keeps them for one run of the program at a time: a second one neither takes nor overwrites what the first has.

    Args:
        settings: where they are kept.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock: FolderLock | None = None

    def claim(self) -> bool:
        """Whether this run is the one that keeps them."""
        folder = usual_folder().with_name(FOLDER)
        with suppress(OSError):
            make_private(folder)
            self._lock = FolderLock.take(folder)
        return self._lock is not None

    def keep(self, frames: Sequence[SplitWindow], active: SplitWindow) -> None:
        """Keep what is open now, where a person wants it to be opened again."""
        found = {"active": frames.index(active), "windows": [_window(frame) for frame in frames]}
        text = json.dumps(found) if self._settings.reopens else ""
        if text != self._settings.open_windows:
            self._settings.open_windows = text

    def open_again(self, windows: Windows) -> str:
        """Open everything that was open when the program last ended.

        Returns:
            What could not be opened, in a sentence or two; empty where all could.
        """
        if not self._settings.reopens or not self._settings.open_windows:
            return ""
        if self._settings.is_reopening:
            self._settings.is_reopening = False
            return DIED
        self._settings.is_reopening = True
        try:
            return _open_all(windows, self._settings.open_windows)
        finally:
            self._settings.is_reopening = False


def _window(frame: SplitWindow) -> dict[str, object]:
    return {
        "place": bytes(frame.saveGeometry().toBase64().data()).decode(),
        "below": frame.is_upright,
        "sizes": frame.sizes(),
        "active": frame.sides.index(frame.active),
        "sides": [_side(side) for side in frame.sides],
    }


def _side(side: MainWindow) -> dict[str, object]:
    shown = side.opened.shown()
    entries = [entry for entry in side.opened.entries if entry.document.path is not None]
    return {
        "files": [
            {"path": str(entry.document.path.absolute()), "at": entry.place.path if entry.place is not None else ""}
            for entry in entries
            if entry.document.path is not None
        ],
        "shown": next((number for number, entry in enumerate(entries) if entry is shown), 0),
    }


def _open_all(windows: Windows, text: str) -> str:
    """Open what a text says; what it does not say as it should is left out."""
    try:
        found = json.loads(text)
    except ValueError:
        return ""
    missing: list[str] = []
    kept = [each for each in _list(found, "windows") if any(_list(side, "files") for side in _list(each, "sides"))]
    started_for_one = not windows.frames[0].active.is_empty
    front: SplitWindow | None = None
    for number, each in enumerate(kept[:MOST_WINDOWS]):
        frame = windows.frames[0] if number == 0 else windows.open(windows.frames[0])
        missing += _fill(windows, frame, each, is_first=number == 0)
        if number:
            frame.show()
        if each is (_list(found, "windows") or [None])[_number(found, "active", len(_list(found, "windows")))]:
            front = frame
    if started_for_one:  # and a window that was in front belongs behind it
        front = windows.frames[0]
    if front is not None and windows.frames[0].active.opened.documents:
        front.raise_()
        front.activateWindow()
    return _told(missing)


def _fill(windows: Windows, frame: SplitWindow, kept: object, is_first: bool) -> list[str]:
    """Open the files of a window; returns the names of those that cannot be."""
    missing: list[str] = []
    sides = _list(kept, "sides")[:2]
    first = frame.active
    was_empty = first.is_empty
    if not is_first:
        place = kept.get("place") if isinstance(kept, dict) else None
        frame.restoreGeometry(QByteArray.fromBase64(str(place or "").encode()))
    for number, side in enumerate(sides):
        if number:
            windows.divide(frame, bool(isinstance(kept, dict) and kept.get("below")))
        view = frame.sides[-1]
        files = [file for file in _list(side, "files") if isinstance(file, dict)][:MOST_FILES]
        shown = _number(side, "shown", len(files))
        missing += view.files.open_again(
            [(Path(str(file.get("path", ""))), str(file.get("at", ""))) for file in files],
            shown if number or was_empty else -1,
        )
    if frame.is_split:
        sizes = [size for size in _list(kept, "sizes") if isinstance(size, int) and 0 < size < 1 << 16]
        if len(sizes) == len(frame.sides):
            frame.set_sizes(sizes)
        for side in frame.sides:
            if side.is_empty and frame.is_split:
                windows.close_side(side)
    if frame.is_split:  # what is opened takes the keys; they belong to the file that the start was for
        frame.turn_to(frame.sides[_number(kept, "active", len(frame.sides))] if was_empty else first)
    return missing


def _told(missing: Sequence[str]) -> str:
    if not missing:
        return ""
    names = ", ".join(f"“{name}”" for name in missing[:NAMED])
    more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
    return f"Not reopened, because they cannot be read: {names}{more}."


def _list(kept: object, name: str) -> list[Any]:
    found = kept.get(name) if isinstance(kept, dict) else None
    return found if isinstance(found, list) else []


def _number(kept: object, name: str, end: int) -> int:
    found = kept.get(name) if isinstance(kept, dict) else None
    return found if isinstance(found, int) and 0 <= found < end else 0
