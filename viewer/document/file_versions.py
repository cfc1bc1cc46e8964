"""The versions of a file in its folder: the new one until it takes the name, and the older ones that stay as ``.bak``.

At every moment each name leads to a whole version. All of this raises OSError where the system refuses.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from viewer.buffer import Bytes


def write_through(target: Path, pieces: Iterator[Bytes]) -> None:
    """Write to a pipe or device, which must not be replaced by a file."""
    with target.open("wb") as file:
        for piece in pieces:
            file.write(piece)


def written_beside(target: Path, pieces: Iterator[Bytes]) -> Path:
    """A new file in the same folder with these bytes and the target's permissions, safely on disk."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(_mode(target))
    except BaseException:
        drop(beside)
        raise
    return beside


def keep_version(target: Path, old: Path, link: bool) -> None:
    """Let the previous version stay as *old*, which at every moment is an older version or this one, whole.

    A link takes neither time nor room, and is the old version as soon as the target is replaced.
    """
    handle, name = tempfile.mkstemp(prefix=f".{old.name}.", suffix=".tmp", dir=target.parent)
    os.close(handle)
    beside = Path(name)
    try:
        if not (link and _linked(target, beside)):
            shutil.copy2(target, beside)
        os.replace(beside, old)
    finally:
        drop(beside)  # still there after a failure, or where it is a second name of the same old version


def make_room(old: Path, count: int) -> None:
    """Make room for another version: the ``.bak`` becomes ``.bak2``, that ``.bak3``, the last of *count* goes."""
    names = [old, *(old.with_name(f"{old.name}{number}") for number in range(2, count + 1))]
    for newer, older in zip(reversed(names[:-1]), reversed(names), strict=False):
        if newer.exists():
            os.replace(newer, older)


def _linked(target: Path, name: Path) -> bool:
    """Give a file another name in the place of *name*; False where the system has no such thing."""
    name.unlink()
    try:
        os.link(target, name)
    except (OSError, NotImplementedError):
        return False
    return True


def drop(path: Path) -> None:
    """Take a file away where it is there."""
    with contextlib.suppress(OSError):
        path.unlink()


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets here."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


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
