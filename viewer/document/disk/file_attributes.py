"""What belongs to a file beside its bytes: owner, permissions, extended attributes, access lists."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from pathlib import Path


def copy_whole(source: Path, copy: Path) -> None:
    """A copy of a file with all that belongs to it, safely on disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with source.open("rb") as old, os.fdopen(os.open(copy, flags, 0o600), "wb") as new:
        shutil.copyfileobj(old, new, 1 << 20)
        new.flush()
        keep_attributes(source, copy, new.fileno())
        os.fsync(new.fileno())
    found = source.stat()
    os.utime(copy, ns=(found.st_atime_ns, found.st_mtime_ns))


def keep_attributes(source: Path, path: Path, handle: int) -> bool:
    """Give a new file the owner, permissions, extended attributes and access lists of another.

    Python and the system know them all on Linux, on macOS those of ``copyfile``; on Windows a new file takes its list
    from the folder.

    Args:
        source: the other file.
        path, handle: the new one, which is open.

    Returns:
        Whether it belongs to the same owner and group.
    """
    found = source.stat()
    mode = stat.S_IMODE(found.st_mode)
    kept = True
    if hasattr(os, "fchown"):
        owner, group = _given(handle, found.st_uid, -1), _given(handle, -1, found.st_gid)
        kept = owner and group
        if not group:  # what the old group might do is nothing that the new one may
            mode = mode & ~0o070 | (mode & 0o007) << 3
        if not kept:
            mode &= ~(stat.S_ISUID | stat.S_ISGID)
    _keep_extended(source, path, handle)
    with contextlib.suppress(OSError, NotImplementedError):
        os.chmod(handle if os.chmod in os.supports_fd else path, mode)
    return kept


def _given(handle: int, user: int, group: int) -> bool:
    """Whether a file could be given to a user or group; -1 for the one it has."""
    if sys.platform == "win32":
        return True
    found = os.fstat(handle)
    if user in (-1, found.st_uid) and group in (-1, found.st_gid):
        return True
    try:
        os.fchown(handle, user, group)
    except OSError:
        return False
    return True


def _keep_extended(source: Path, path: Path, handle: int) -> None:
    """Give a file the extended attributes and access lists of another, as far as its user may."""
    if sys.platform == "linux":
        try:
            wanted, here = os.listxattr(source), os.listxattr(handle)
        except OSError:
            return
        for name in wanted:
            with contextlib.suppress(OSError):
                os.setxattr(handle, name, os.getxattr(source, name))
        for name in here:
            if name not in wanted and name.startswith(("user.", "system.")):
                with contextlib.suppress(OSError):
                    os.removexattr(handle, name)
    elif sys.platform == "darwin":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            lists, attributes = 1 << 0, 1 << 2  # COPYFILE_ACL and COPYFILE_XATTR of <copyfile.h>
            ctypes.CDLL(None).copyfile(os.fsencode(source), os.fsencode(path), None, lists | attributes)
