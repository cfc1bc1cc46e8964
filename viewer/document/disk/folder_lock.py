"""A lock on a folder. The system lets go of it when a program dies, however it dies."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

from viewer.document.disk.private_files import open_private

LOCK = "lock"
TAKEN = frozenset((errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK))


class FolderLock:
    """A lock that is held until it is let go, or the program ends.

    Args:
        handle: the open file that is locked.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    def take(cls, folder: Path, name: str = LOCK) -> FolderLock | None:
        """Lock a folder; None where somebody else holds it, or it is gone.

        Args:
            folder: what is locked.
            name: of the file in it that is the lock; a folder may have several, each for a purpose of its own.

        Raises:
            OSError: the lock's file cannot be made.
        """
        path = folder / name
        try:
            handle = open_private(path, os.O_RDWR | os.O_CREAT)
        except FileNotFoundError:
            return None
        try:
            if _locked(handle) and os.path.samestat(os.fstat(handle), path.stat()):
                return cls(handle)
        except FileNotFoundError:
            pass  # who held it has taken the folder away meanwhile
        os.close(handle)
        return None

    def release(self) -> None:
        """Let others have the folder."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _locked(handle: int) -> bool:
    """Lock an open file; False where somebody else holds it.

    Where the file system knows no locks, the number of the process stands for one.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in TAKEN or sys.platform == "win32" or _is_alive(os.read(handle, 32)):
            return False
    with contextlib.suppress(OSError):  # a full disk takes no number, and the lock holds without
        os.lseek(handle, 0, os.SEEK_SET)
        os.ftruncate(handle, 0)
        os.write(handle, b"%d\n" % os.getpid())
    return True


def _is_alive(number: bytes) -> bool:
    """Whether the process with a number runs."""
    try:
        os.kill(int(number), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True
