"""Files on disk: read whole, written beside and renamed, the previous version kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAX_SIZE = 1 << 30
CHUNK = 1 << 20


class FileProblem(Exception):
    """A file cannot be read or written; the text is one sentence that says why and what to do."""


class ChangedOnDisk(FileProblem):
    """The file is not the one that was read: somebody else wrote it meanwhile."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells two states of a file apart."""

    size: int
    modified_ns: int
    inode: int


def stamp(path: Path) -> Stamp | None:
    """The state of a file now, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


def read(path: Path) -> tuple[bytes, Stamp | None]:
    """The bytes of a file and its stamp.

    Raises:
        FileProblem: it cannot be read.
    """
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise FileProblem(f"“{path}” is a folder; choose a file in it.")
        if found.st_size > MAX_SIZE:
            raise FileProblem(
                f"“{path}” is {found.st_size:,} bytes long; files up to {MAX_SIZE:,} bytes can be opened."
            )
        if stat.S_ISREG(found.st_mode):
            data = path.read_bytes()
        else:
            with path.open("rb") as stream:
                data = read_stream(stream, f"“{path}”")
    except OSError as error:
        raise FileProblem(f"“{path}” cannot be read: {_reason(error)}.") from error
    return data, stamp(path)


def read_stream(stream: BinaryIO, name: str) -> bytes:
    """All bytes of a pipe or device, which may be endless.

    Raises:
        FileProblem: there are more than a file may have.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_SIZE:
            raise FileProblem(f"{name} holds more than {MAX_SIZE:,} bytes, the most that can be opened.")
    return b"".join(pieces)


def write(path: Path, data: bytes, expected: Stamp | None = None, backup: bool = True) -> Stamp | None:
    """Write a file so that at every moment either the old or the new one is there, whole.

    The bytes go to a new file beside it, reach the disk, and take the old name; the old version stays as ``.bak``.

    Args:
        path: the file to write.
        data: all of its bytes.
        expected: the stamp that the file must still have, None to write in any case.
        backup: keep the previous version.

    Raises:
        ChangedOnDisk: the file has another stamp than *expected*.
        FileProblem: it cannot be written; nothing was changed.
    """
    target = Path(os.path.realpath(path))
    before = stamp(target)
    if expected is not None and before is not None and before != expected:
        raise ChangedOnDisk(f"“{path}” was changed by another program since it was read.")
    if before is not None and not os.access(target, os.W_OK):
        raise FileProblem(f"“{path}” is read-only; save under another name or allow writing to it.")
    if target.exists() and not target.is_file() and not target.is_dir():
        return _write_through(target, data)
    try:
        beside = _write_beside(target, data)
    except OSError as error:
        raise FileProblem(f"“{path}” cannot be written: {_reason(error)}. Nothing was changed.") from error
    try:
        if backup and before is not None:
            shutil.copy2(target, target.with_name(f"{target.name}.bak"))
        os.replace(beside, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise FileProblem(f"“{path}” cannot be written: {_reason(error)}. The old file is untouched.") from error
    _sync_folder(target.parent)
    return stamp(target)


def _write_through(target: Path, data: bytes) -> Stamp | None:
    """Write to a pipe or device, which must not be replaced by a file."""
    try:
        target.write_bytes(data)
    except OSError as error:
        raise FileProblem(f"“{target}” cannot be written: {_reason(error)}.") from error
    return stamp(target)


def _write_beside(target: Path, data: bytes) -> Path:
    """A new file in the same folder with these bytes and the target's permissions, safely on disk."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(_mode(target))
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    return beside


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets here."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make the rename durable where the system lets folders be synced."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: OSError) -> str:
    """The system's words, without number and path."""
    text = (error.strerror or str(error)).strip().rstrip(".")
    return text[:1].lower() + text[1:]
