"""Files and folders that hold a person's bytes: for their owner alone from the first moment on.

Where the system has no permissions of this kind (Windows, FAT), what the folder above grants stays as it is.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
OTHERS = 0o077
"""The permissions of everybody else."""


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone; one that is there becomes so.

    Raises:
        OSError: it cannot be made.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(FOLDER, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))
    close_to_others(folder)


def close_to_others(path: Path) -> None:
    """Take away what others may do with a file or folder; nothing where it is not there or is not ours."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)


def open_private(path: Path, flags: int) -> int:
    """Open a file that is for its owner alone before a byte is written to it, made by now or earlier.

    Args:
        path: the file.
        flags: as for :func:`os.open`; those that make it binary and closed to child processes are added.

    Returns:
        The descriptor, the caller's to close.

    Raises:
        OSError: it cannot be opened.
    """
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), FILE)
    if os.name != "nt":
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(os.fstat(handle).st_mode)
            if mode & OTHERS:
                os.fchmod(handle, mode & ~OTHERS)
    return handle


def write_private(path: Path, data: bytes) -> None:
    """Let a small file hold these bytes, the old ones or the new ones at every moment.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        with os.fdopen(open_private(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
            file.write(data)
        os.replace(fresh, path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
