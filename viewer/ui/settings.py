"""What the program remembers between runs: recent files, the window's shape, the theme."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QSettings

from viewer.base.record import dataclass
from viewer.document.disk.private_files import make_private, open_private

RECENT = 10
MOST_BACKUPS = 9
MOST_PACKETS = 1_000_000
MOST_PIXELS = 1 << 16
MOST_NUMBER = (1 << 31) - 1
MOST_PROFILES = 200
"""Of so many files it is remembered which profile was chosen for them."""


@dataclass(frozen=True, slots=True)
class RecentFile:
    """A file opened before, and when last."""

    path: Path
    opened: datetime


@dataclass(frozen=True, slots=True)
class PaneWidths:
    """How wide a person dragged the bytes and the inspector, in pixels; 0 for what they need."""

    bytes: int = 0
    inspector: int = 0


class Settings:
    """Typed access to the settings file of the user."""

    def __init__(self) -> None:
        self._store = QSettings()
        _keep_private(Path(self._store.fileName()))

    @property
    def theme(self) -> str:
        """``system``, ``light`` or ``dark``."""
        value = self._store.value("window/theme", "system")
        return value if value in ("light", "dark") else "system"

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("window/theme", name)

    @property
    def row_width(self) -> int:
        """Bytes a row in the hex view, 0 for what fits."""
        return self._number("hex/row_width")

    @row_width.setter
    def row_width(self, columns: int) -> None:
        self._store.setValue("hex/row_width", columns)

    @property
    def zoom(self) -> int:
        """Zoom of the hex view in pixels over the normal font."""
        return self._number("hex/zoom")

    @zoom.setter
    def zoom(self, pixels: int) -> None:
        self._store.setValue("hex/zoom", pixels)

    @property
    def reload_unasked(self) -> bool:
        """Whether a file without unsaved changes is read again as soon as another program has written it."""
        return self.flag("reload_unasked", default=False)

    @reload_unasked.setter
    def reload_unasked(self, wanted: bool) -> None:
        self.keep_flag("reload_unasked", wanted)

    @property
    def reopens(self) -> bool:
        """Whether the files of the last time are opened again at the start."""
        return self.flag("reopens", default=True)

    @reopens.setter
    def reopens(self, wanted: bool) -> None:
        self.keep_flag("reopens", wanted)

    @property
    def open_windows(self) -> str:
        """Which files are open in which windows, see :mod:`viewer.ui.window.kept_windows`; empty for none."""
        return str(self._store.value("windows/open", ""))

    @open_windows.setter
    def open_windows(self, kept: str) -> None:
        self._store.setValue("windows/open", kept)
        self._store.sync()  # it is for the case that the program dies

    @property
    def is_reopening(self) -> bool:
        """Whether files are being opened again, or the program died of that."""
        return bool(self._store.value("windows/reopening", ""))

    @is_reopening.setter
    def is_reopening(self, now: bool) -> None:
        if now:
            self._store.setValue("windows/reopening", "1")
        else:
            self._store.remove("windows/reopening")
        self._store.sync()

    @property
    def most_packets(self) -> int:
        """How many recorded packets are kept."""
        count = self._number("packets/most")
        return count if count > 0 else MOST_PACKETS

    @most_packets.setter
    def most_packets(self, count: int) -> None:
        self._store.setValue("packets/most", count)

    @property
    def backups(self) -> int:
        """How many earlier versions of a file stay beside it when it is saved."""
        count = self._number("files/backups", 1)
        return min(count, MOST_BACKUPS) if count >= 0 else 1

    @backups.setter
    def backups(self, count: int) -> None:
        self._store.setValue("files/backups", count)

    def state(self, name: str) -> QByteArray:
        """The saved shape of a part of the window, empty where none is saved."""
        value = self._store.value(f"window/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep_state(self, name: str, state: QByteArray) -> None:
        """Remember the shape of a part of the window."""
        self._store.setValue(f"window/{name}", state)

    def flag(self, name: str, default: bool) -> bool:
        """Whether a pane is shown."""
        return str(self._store.value(f"window/{name}", default)).lower() == "true"

    def keep_flag(self, name: str, value: bool) -> None:
        """Remember whether a pane is shown."""
        self._store.setValue(f"window/{name}", value)

    def pane_widths(self, form: str) -> PaneWidths:
        """How wide the panes were dragged in a window that is ``wide`` or ``narrow``."""
        return PaneWidths(*(self._pixels(f"panes/{form}/{pane}") for pane in ("bytes", "inspector")))

    def keep_pane_widths(self, form: str, widths: PaneWidths) -> None:
        """Remember how wide the panes were dragged."""
        self._store.remove("window/panes")  # the shape of them all, which earlier versions kept
        self._store.setValue(f"panes/{form}/bytes", widths.bytes)
        self._store.setValue(f"panes/{form}/inspector", widths.inspector)

    @property
    def bottom_height(self) -> int:
        """How high the bottom pane was dragged, in pixels; 0 for what it needs."""
        return self._pixels("panes/bottom")

    @bottom_height.setter
    def bottom_height(self, height: int) -> None:
        self._store.setValue("panes/bottom", height)

    @property
    def recent(self) -> list[RecentFile]:
        """Files opened before that are still there, the last one first."""
        out = []
        for index in range(self._store.beginReadArray("recent")):
            self._store.setArrayIndex(index)
            path = Path(str(self._store.value("path", "")))
            with contextlib.suppress(ValueError, OSError):
                opened = datetime.fromisoformat(str(self._store.value("opened", "")))
                if path.is_file():
                    out.append(RecentFile(path, opened))
        self._store.endArray()
        return out

    def add_recent(self, path: Path) -> None:
        """Put a file first in the list."""
        path = path.absolute()
        entries = [RecentFile(path, datetime.now().replace(microsecond=0))]
        entries += [entry for entry in self.recent if entry.path != path]
        self._keep_recent(entries[:RECENT])

    def clear_recent(self) -> None:
        """Forget all files."""
        self._keep_recent([])

    def profile_of(self, path: Path) -> str:
        """The key of the profile that a file has although its name does not tell; empty for none."""
        return self._profiles().get(_name_of(path), "")

    def keep_profile(self, path: Path, key: str) -> None:
        """Remember the profile of a file; empty to forget it."""
        import json  # for no profile is one kept before the first rows are shown

        kept = _name_of(path)
        found = {name: other for name, other in self._profiles().items() if name != kept}
        if key:
            found[kept] = key
        self._store.setValue("profiles/chosen", json.dumps(dict(list(found.items())[-MOST_PROFILES:])))

    def _profiles(self) -> dict[str, str]:
        """The profiles that were chosen, by files, the last one behind all others."""
        import json

        try:
            found = json.loads(str(self._store.value("profiles/chosen", "")))
        except (ValueError, RecursionError):
            return {}
        return {str(path): str(key) for path, key in found.items()} if isinstance(found, dict) else {}

    @property
    def recent_commands(self) -> list[str]:
        """The keys of the commands run last, the latest first."""
        value = self._store.value("palette/recent", "")
        return [key for key in str(value).split("\n") if key]

    @recent_commands.setter
    def recent_commands(self, keys: list[str]) -> None:
        self._store.setValue("palette/recent", "\n".join(keys))

    def _keep_recent(self, entries: list[RecentFile]) -> None:
        self._store.remove("recent")
        self._store.beginWriteArray("recent", len(entries))
        for index, entry in enumerate(entries):
            self._store.setArrayIndex(index)
            self._store.setValue("path", str(entry.path))
            self._store.setValue("opened", entry.opened.isoformat())
        self._store.endArray()

    def _pixels(self, name: str) -> int:
        """A width or height that was kept; the file may say anything."""
        pixels = self._number(name)
        return pixels if 0 <= pixels < MOST_PIXELS else 0

    def _number(self, name: str, usual: int = 0) -> int:
        """A number that was kept, the usual one for what is none or larger than Qt's own; the file may say anything."""
        try:
            number = int(str(self._store.value(name, usual)))
        except ValueError:
            return usual
        return number if abs(number) <= MOST_NUMBER else usual


def _name_of(path: Path) -> str:
    """The name that a file is kept under: one for all ways to write it that are one file on Windows."""
    return os.path.normcase(path.absolute())


def _keep_private(path: Path) -> None:
    """Let the file of the settings, which names a person's files, be for its owner alone before anything is written.

    Qt makes it for all to read, but leaves the permissions of one that is there. The folder is closed only where it is
    the program's own, as it is not on macOS; on Windows there is no file.
    """
    with contextlib.suppress(OSError):
        if path.parent.name == QCoreApplication.organizationName() != "":
            make_private(path.parent)
        if path.parent.is_dir() and os.name != "nt":
            os.close(open_private(path, os.O_RDWR | os.O_CREAT))
