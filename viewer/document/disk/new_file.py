"""A new file beside the one whose name it takes, and the locks that tell a save under way from a dead one's rest."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from viewer.base.buffer import Bytes
from viewer.base.interrupts import held_off
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.document.disk.file_attributes import keep_attributes
from viewer.document.disk.file_versions import OLDEST, Rotation, drop, fitting, is_same_file

UNDONE = ".variant-viewer.tmp"
"""At the end of the names of what is made beside a file."""
PATIENCE = 2.0
"""Seconds to wait for another save of the same file; only names change meanwhile."""
TURN = 0.02
"""Seconds between two attempts."""
ATTEMPTS = 5
"""New files that another save may take for a dead one's, before they are kept without a lock."""

_UNDONE = late_pattern(r"(?P<save>\..*\.[0-9a-f]{8})(?:\.bak(?:-oldest)?\d*)?" + re.escape(UNDONE), re.DOTALL)


@dataclass(frozen=True, slots=True)
class LostAttributes:
    """What a new file could not take over from the one whose place it takes.

    Attributes:
        owner: whether it belongs to somebody else now.
        names: how many other names (hard links) the old file has, which go on leading to the old bytes.
    """

    owner: bool = False
    names: int = 0


class NewFile:
    """A new file in the folder of *target*, safely on disk, locked until it takes the name or is dropped.

    The lock is the sign that its save is under way: a file without one is left over from a program that died. Where
    the system has no such locks (Windows) it refuses instead to remove a file that is open.

    Args:
        target: the file whose place it takes.
        pieces: its bytes.

    Attributes:
        path: where it lies.
        lost: what could not be taken over from *target*.

    Raises:
        OSError: it cannot be made; nothing of it is left.
    """

    def __init__(self, target: Path, pieces: Iterator[Bytes]) -> None:
        self._target = target
        self.lost = LostAttributes()
        try:
            with held_off():
                self._save, self.path, handle = _made(target)
                self._file: BinaryIO = os.fdopen(handle, "wb")
        except KeyboardInterrupt:
            self.drop()
            raise
        try:
            for piece in pieces:
                self._file.write(piece)
            self._file.flush()
            if os.path.exists(target):
                self.lost = LostAttributes(owner=not keep_attributes(target, self.path, self._file.fileno()))
            os.fsync(self._file.fileno())
        except BaseException:
            self.drop()
            raise

    def beside(self, name: str) -> Path:
        """Where something else that this save needs may lie so long."""
        return self._target.with_name(f"{self._save}{name}{UNDONE}")

    def put_in_place(self, count: int) -> None:
        """Take the place of the target, of which *count* earlier versions stay.

        Raises:
            OSError: it cannot be done; everything is as it was, and this file is gone.
        """
        try:
            rotation = Rotation(self._target, count, self.beside)
            try:
                self.lost = LostAttributes(self.lost.owner, rotation.other_names)
                if os.name == "nt":
                    self._file.close()  # an open file cannot be renamed there
                rotation.run()
                try:
                    os.replace(self.path, self._target)
                except OSError:
                    rotation.undo()
                    raise
            finally:
                rotation.drop_undone()
            rotation.forget_oldest()
            self._file.close()
        except BaseException:
            self.drop()
            raise

    def drop(self) -> None:
        """Remove it."""
        with contextlib.suppress(OSError):
            if os.name != "nt":
                drop(self.path)
            self._file.close()
        drop(self.path)


def _made(target: Path) -> tuple[str, Path, int]:
    """A new empty file beside a target, open and locked: the start of the names of this save, its path, its handle."""
    mode = 0o600 if os.path.exists(target) else 0o666  # of a new file the system takes away what its user wants
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    ending = f"..{'0' * 8}{OLDEST}00{UNDONE}"
    attempts = ATTEMPTS
    while True:
        save = f".{fitting(target, ending)}.{secrets.token_hex(4)}"
        path = target.with_name(save + UNDONE)
        try:
            handle = os.open(path, flags, mode)
        except FileExistsError:
            continue
        with contextlib.suppress(OSError):
            _lock(handle, waits=True)
        attempts -= 1
        if _is_at(handle, path) or not attempts:
            return save, path, handle
        os.close(handle)  # another save took it for a dead one's, in the moment before it was locked


def remove_dead(folder: Path) -> None:
    """Remove what saves in a folder left behind that ended before they were done; not those under way."""
    with contextlib.suppress(OSError):
        names = [entry.name for entry in os.scandir(folder)]
        found = [match for match in map(_UNDONE.fullmatch, names) if match is not None]
        dead: dict[str, bool] = {}
        for match in found:
            save = match["save"]
            if save not in dead:
                dead[save] = _is_dead(folder / (save + UNDONE))
            if dead[save]:
                drop(folder / match.string)


def _is_dead(path: Path) -> bool:
    """Whether nobody works any more at the save whose new file this is."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        return _lock(handle, waits=False)
    except OSError:
        return False  # no locks here: it is not known
    finally:
        os.close(handle)


def _lock(handle: int, waits: bool) -> bool:
    """Hold the lock of an open file until it is closed or the process dies; False where another holds it.

    Raises:
        OSError: there are no such locks here.
    """
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
    return True


@contextlib.contextmanager
def alone_with(target: Path) -> Iterator[None]:
    """Keep other saves of the same file waiting, where the system has locks and for as long as patience lasts."""
    until = time.monotonic() + PATIENCE
    handle = -1
    while os.name != "nt" and handle < 0 and time.monotonic() < until:
        try:
            handle = os.open(target, os.O_RDONLY | os.O_NONBLOCK)
            if _lock(handle, waits=False) and _is_at(handle, target):
                break
        except OSError:
            break
        os.close(handle)  # held by another save, or that save has put another file here
        handle = -1
        time.sleep(TURN)
    try:
        yield
    finally:
        if handle >= 0:
            os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    """Whether an open file still has a name."""
    return is_same_file(os.fstat(handle), path)


def sync_folder(folder: Path) -> None:
    """Make the rename durable where the system lets folders be synced."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
