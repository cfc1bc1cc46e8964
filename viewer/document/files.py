"""Files on disk: read whole or, large ones, on demand; written beside and renamed, the previous version kept."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from viewer.buffer import Buffer, Bytes, in_memory, stretches
from viewer.document.file_blocks import FileBlocks
from viewer.document.file_versions import drop, keep_version, make_room, sync_folder, write_through, written_beside
from viewer.document.paged import Paged, open_paged

LARGE = 1 << 28
"""Files above so many bytes are not read into memory."""
MAX_IN_MEMORY = 1 << 30
LONG = 1 << 24
"""Reading more bytes into memory than these takes longer than a moment: where somebody waits, they are shown first."""
CHUNK = 1 << 22
READ_AT_ONCE = 1 << 20

Progress = Callable[[int], bool]


class FileProblem(Exception):
    """A file cannot be read or written; the text is one sentence that says why and what to do."""


class ChangedOnDisk(FileProblem):
    """The file is not the one that was read: somebody else wrote it meanwhile."""


class Stopped(FileProblem):
    """The person stopped the writing; nothing was changed."""


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


def start_of(path: Path, count: int) -> bytes:
    """The first bytes of a file; none where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError:
        return b""


def read(path: Path, large: int = LARGE) -> tuple[Buffer, Stamp | None]:
    """The bytes of a file and its stamp. Those of a file above *large* bytes are read when they are asked for.

    Raises:
        FileProblem: it cannot be read.
    """
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise FileProblem(f"“{path}” is a folder; choose a file in it.")
        if not stat.S_ISREG(found.st_mode):
            with path.open("rb") as stream:
                return read_stream(stream, f"“{path}”"), stamp(path)
        data: Buffer = path.read_bytes() if found.st_size <= large else open_paged(path)
    except OSError as error:
        raise FileProblem(f"“{path}” cannot be read: {_reason(error)}.") from error
    return data, stamp(path)


def is_loose(data: Buffer) -> bool:
    """Whether bytes are still read from a file that is not too large to be held in memory."""
    source = _file_of(data)
    return source is not None and source.size <= LARGE


def hold(data: Buffer) -> None:
    """Have such bytes in memory from now on, edited ones too; for a thread."""
    source = _file_of(data)
    if source is not None and source.size <= LARGE:
        source.hold()


def read_whole(path: Path) -> bytes:
    """The bytes of a file that is of use only as a whole.

    Raises:
        FileProblem: it cannot be read, or is too large to be held in memory.
    """
    data, _ = read(path, MAX_IN_MEMORY)
    if not in_memory(data):
        raise FileProblem(f"“{path}” is {len(data)} bytes long; here files up to {MAX_IN_MEMORY} bytes are read.")
    return bytes(data)


def reread(path: Path, written: Buffer, expected: Stamp | None) -> Buffer:
    """The buffer to go on with after *written* was saved.

    One that reads a file is opened anew over the new one, so that the old file need not stay; *written* itself where
    that cannot be done, or where the file is already another one than *expected*. Bytes in memory stay what they are.
    """
    if _file_of(written) is None:
        return written
    try:
        fresh = open_paged(path)
    except OSError:
        return written
    return fresh if len(fresh) == len(written) and stamp(path) == expected else written


def read_stream(stream: BinaryIO, name: str) -> bytes:
    """All bytes of a pipe or device, which may be endless.

    Raises:
        FileProblem: there are more than memory should hold.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(READ_AT_ONCE):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_IN_MEMORY:
            raise FileProblem(
                f"{name} holds more than {MAX_IN_MEMORY} bytes, the most that can be read from anything but a file."
            )
    return b"".join(pieces)


def write(
    path: Path,
    data: Buffer,
    expected: Stamp | None = None,
    backup: int = 1,
    progress: Progress | None = None,
    large: int = LARGE,
) -> Stamp | None:
    """Write a file so that at every moment either the old or the new one is there, whole.

    The bytes go to a new file beside it, reach the disk, and take the old name; the old version stays as ``.bak``.

    Args:
        path: the file to write; *data* may read from it.
        data: all of its bytes.
        expected: the stamp that the file must still have, None to write in any case.
        backup: how many previous versions stay, as ``.bak``, ``.bak2`` ...; 0 for none.
        progress: told how many bytes are written; returning False stops before anything was changed.
        large: a previous version above so many bytes becomes the ``.bak`` itself instead of being copied.

    Raises:
        ChangedOnDisk: the file has another stamp than *expected*.
        Stopped: *progress* returned False.
        FileProblem: it cannot be written; nothing was changed.
    """
    target = Path(os.path.realpath(path))
    before = stamp(target)
    _refuse_unwritable(path, target, before, expected)
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            write_through(target, _pieces(data, progress))
            return stamp(target)
        new = written_beside(target, _pieces(data, progress))
    except OSError as error:
        raise FileProblem(f"“{path}” cannot be written: {_reason(error)}. Nothing was changed.") from error
    is_large = before is not None and before.size > large
    try:
        _put_in_place(new, target, data, backup if before is not None else 0, link=is_large)
    except OSError as error:
        drop(new)
        raise FileProblem(f"“{path}” cannot be written: {_reason(error)}. The old file is untouched.") from error
    sync_folder(target.parent)
    return stamp(target)


def _refuse_unwritable(path: Path, target: Path, before: Stamp | None, expected: Stamp | None) -> None:
    """Refuse to write over what is no longer the *expected* file, or is read-only.

    Raises:
        ChangedOnDisk, FileProblem: see :func:`write`.
    """
    if expected is not None and before is not None and before != expected:
        raise ChangedOnDisk(f"“{path}” was changed by another program since it was read.")
    if before is not None and not os.access(target, os.W_OK):
        raise FileProblem(f"“{path}” is read-only; save under another name or allow writing to it.")


def _put_in_place(new: Path, target: Path, data: Buffer, backup: int, link: bool) -> None:
    """Let *new* take the place of *target*, of which *backup* earlier versions stay.

    Raises:
        OSError: it cannot be done; *target* is what it was.
    """
    old = target.with_name(f"{target.name}.bak")
    source = _file_of(data)
    with source.let_go(old) if source is not None else contextlib.nullcontext():
        if backup:
            make_room(old, backup)
            keep_version(target, old, link)
        os.replace(new, target)


def _file_of(data: Buffer) -> FileBlocks | None:
    """The file that a buffer reads from, None where all of it is in memory."""
    source = data.source if isinstance(data, Paged) else None
    return source if isinstance(source, FileBlocks) and source.data is None else None


def _pieces(data: Buffer, progress: Progress | None) -> Iterator[Bytes]:
    """The bytes to write, piece by piece."""
    for at, piece in stretches(data, size=CHUNK):
        yield piece
        if progress is not None and not progress(at + len(piece)):
            raise Stopped("Saving was stopped; nothing was changed.")
    source = _file_of(data)
    if source is not None and not source.is_intact:
        raise FileProblem(
            f"“{source.path.name}” was written by another program while it was open here, and its old bytes are gone: "
            "nothing was saved. Reload it."
        )


def _reason(error: OSError) -> str:
    """The system's words, without number and path."""
    text = (error.strerror or str(error)).strip().rstrip(".")
    return text[:1].lower() + text[1:]
