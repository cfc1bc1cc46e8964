"""The folders of journals: one for each run of the program, locked as long as it lives.

The system lets go of a lock when a program dies, however it dies. What lies in a folder that nobody holds was left
behind; who wants to offer it takes the lock first, so that two programs never bring back the same.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Container, Iterator
from pathlib import Path

from viewer.document.disk.folder_lock import LOCK, FolderLock
from viewer.document.disk.private_files import close_to_others, make_private
from viewer.document.journals.journal import LeftJournal, left_behind

ENDING = ".journal"
TRIES, BETWEEN = 8, 0.01


class JournalFolders:
    """The folder of this run, and those of others that ended.

    Args:
        folder: where all of them lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mine = folder / os.urandom(16).hex()
        self._lock: FolderLock | None = None
        self._claimed: dict[Path, FolderLock] = {}

    def fresh_path(self) -> Path:
        """A name for a new journal of this run; its folder must be held before it is written."""
        return self._mine / f"{os.urandom(16).hex()}{ENDING}"

    def hold(self) -> None:
        """Have the folder of this run, which others leave alone from now on.

        Raises:
            OSError: it cannot be made or locked.
        """
        if self._lock is not None and (self._mine / LOCK).exists():
            return
        make_private(self._folder)
        for _ in range(TRIES):
            make_private(self._mine)
            self._lock = FolderLock.take(self._mine)
            if self._lock is not None:
                return
            time.sleep(BETWEEN)  # who looks for what was left behind found it first, and clears it away
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK), str(self._mine))

    def leave(self) -> None:
        """The program ends as it should: its own folder goes, what others left stays for the next run."""
        self.release()
        if self._lock is not None:
            _clear(self._mine, self._lock)
            self._lock = None

    # What others left

    def claim(self) -> list[LeftJournal]:
        """What runs of the program that ended left behind, the latest first; no other run has it until it is released.

        Journals without a change, and those that another one took the place of, go. Where that other one is not to be
        had, since its run lives or ended only now, the older one stays and is not offered either.
        """
        close_to_others(self._folder)
        for folder in self._others():
            if folder not in self._claimed:
                with contextlib.suppress(OSError):
                    close_to_others(folder)
                    lock = FolderLock.take(folder)
                    if lock is not None:
                        self._claimed[folder] = lock
        found = [left for folder in list(self._claimed) for left in self._left_in(folder)]
        elsewhere = {left.instead_of for folder in self._others() for left in _said_in(folder, self._claimed)}
        replaced = {left.instead_of for left in found}
        for path in self._folder.glob(f"*/*{ENDING}"):
            if path.name in replaced:
                _unlink(path)  # in whosever folder: what took its place is here, and may be saved or dropped now
        self.clear_empty()
        kept = [left for left in found if left.path.name not in replaced | elsewhere]
        return sorted(kept, key=lambda left: left.when, reverse=True)

    def _others(self) -> Iterator[Path]:
        try:
            folders = sorted(self._folder.iterdir())
        except OSError:
            return
        for folder in folders:
            if folder.is_dir() and folder != self._mine:
                yield folder

    def _left_in(self, folder: Path) -> Iterator[LeftJournal]:
        for path in sorted(folder.glob(f"*{ENDING}")):
            left = left_behind(path)
            if left is not None:
                yield left
            else:
                _unlink(path)

    def forget(self, left: LeftJournal) -> None:
        """Take away what was left behind: it is not wanted, or its file holds it."""
        _unlink(left.path)
        self.clear_empty()

    def release(self, needed: frozenset[Path] = frozenset()) -> None:
        """Let other runs have what was left behind, but for the journals *needed*."""
        self.clear_empty()
        keep = {path.parent for path in needed}
        for folder in [folder for folder in self._claimed if folder not in keep]:
            self._claimed.pop(folder).release()

    def clear_empty(self) -> None:
        """Take away the folders that hold no journal any more."""
        for folder, lock in list(self._claimed.items()):
            if not any(folder.glob(f"*{ENDING}")):
                _clear(folder, lock)
                del self._claimed[folder]


def _said_in(folder: Path, claimed: Container[Path]) -> Iterator[LeftJournal]:
    """What the journals in somebody else's folder say now."""
    if folder not in claimed:
        for path in folder.glob(f"*{ENDING}"):
            left = left_behind(path)
            if left is not None:
                yield left


def _clear(folder: Path, lock: FolderLock) -> None:
    """Take a folder away that is held, and everything that the program put there."""
    for path in folder.glob(f"*{ENDING}"):
        _unlink(path)
    if sys.platform == "win32":
        lock.release()  # an open file cannot be taken away there
    _unlink(folder / LOCK)
    lock.release()
    with contextlib.suppress(OSError):
        folder.rmdir()


def _unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
