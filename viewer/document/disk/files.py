"""Files on disk: read whole or, large ones, on demand; written beside and renamed, the previous version kept."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from viewer.base.buffer import Buffer, Bytes, in_memory, stretches
from viewer.base.interrupts import held_off
from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.document.disk.paged import FileBlocks, Paged, open_paged

if TYPE_CHECKING:  # what writes is loaded when something is written
    from viewer.document.disk.file_versions import LostAttributes

LARGE = 1 << 28
"""Files above so many bytes are not read into memory."""
MAX_IN_MEMORY = 1 << 30
LONG = 1 << 22
"""Reading more bytes into memory than these is noticed at a start: where somebody waits, they are shown first."""
COMPARED = 1 << 24
"""Comparing more bytes with those of a file takes longer than a moment."""
CHUNK = 1 << 22
READ_AT_ONCE = 1 << 20
LOOK = 50
"""Milliseconds between two looks whether a pipe has more, or is given up."""

IN_USE = (32, 33)
"""What Windows says when another program has a file open: ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION."""


class FileProblem(Exception):
    """A file cannot be read or written; the text is one sentence that says why and what to do."""


class ChangedOnDisk(FileProblem):
    """The file is not the one that was read: somebody else wrote it meanwhile."""


class NotWritable(FileProblem):
    """The file cannot be written where it is; under another name, or in another folder, it may be."""


class SaveStopped(FileProblem):
    """The person stopped the writing or reading; nothing was changed."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What tells two states of a file apart."""

    size: int
    modified_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that was written.

    Attributes:
        stamp: its state, None where it is gone again.
        remarks: sentences about what could not be kept as it was.
    """

    stamp: FileStamp | None
    remarks: tuple[str, ...] = ()


def stamp(path: Path) -> FileStamp | None:
    """The state of a file now, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return FileStamp(found.st_size, found.st_mtime_ns, found.st_ino)


def is_missing(path: Path) -> bool:
    """Whether nothing is there; False, too, where the system does not let itself be asked."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def is_same(path: Path, other: Path) -> bool:
    """Whether two paths lead to the same file."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def start_of(path: Path, count: int) -> bytes:
    """The first bytes of a file; none where it cannot be read, or is a pipe, whose bytes can be read only once."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(count)
    except OSError:
        return b""


def is_stream(path: Path) -> bool:
    """Whether a path leads to a pipe or device: something that may have to be waited for, and is read only once."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def read(path: Path, large: int = LARGE, progress: Progress | None = None) -> tuple[Buffer, FileStamp | None]:
    """The bytes of a file and its stamp. Those of a file above *large* bytes are read when they are asked for.

    Args:
        path: the file.
        large: bytes.
        progress: told now and then how many bytes of a pipe have come; returning False gives it up.

    Raises:
        Stopped: *progress* returned False.
        FileProblem: it cannot be read.
    """
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise FileProblem(f"“{path}” is a folder; choose a file in it.")
        if not stat.S_ISREG(found.st_mode):
            with _opened(path, progress) as stream:
                return read_stream(stream, f"“{path}”", progress), stamp(path)
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


def holds(path: Path, data: Buffer) -> bool:
    """Whether a file holds these very bytes; False, too, where finding out takes more than a moment, or *data* may
    itself be read from it."""
    if len(data) > COMPARED or _file_of(data) is not None:
        return False
    try:
        if path.stat().st_size != len(data) or is_stream(path):
            return False
        with path.open("rb") as file:
            return all(file.read(len(piece)) == piece for _, piece in stretches(data, size=CHUNK)) and not file.read(1)
    except OSError:
        return False


def reread(path: Path, written: Buffer, expected: FileStamp | None) -> Buffer:
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


def _opened(path: Path, progress: Progress | None) -> BinaryIO:
    """A pipe or device, open for reading; with *progress*, opening it waits for nobody who writes."""
    if progress is None or not _CAN_POLL:
        return path.open("rb")
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0)


_CAN_POLL = hasattr(select, "poll") and hasattr(os, "O_NONBLOCK")


def _await(stream: BinaryIO, progress: Progress, size: int) -> None:
    """Wait until a pipe has more bytes or its end.

    Raises:
        Stopped: *progress* gave it up.
    """
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    while not poll.poll(LOOK):
        if not progress(size):
            raise SaveStopped("Reading was stopped.")


def read_stream(stream: BinaryIO, name: str, progress: Progress | None = None) -> bytes:
    """All bytes of a pipe or device, which may be endless.

    Args:
        stream: where they come from.
        name: what to call it in words.
        progress: told now and then how many bytes have come; returning False gives it up.

    Raises:
        Stopped: *progress* returned False.
        FileProblem: there are more than memory should hold.
    """
    pieces: list[bytes] = []
    size = 0
    while True:
        if progress is not None and _CAN_POLL:
            _await(stream, progress, size)
        piece = stream.read(READ_AT_ONCE)
        if not piece:
            break
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
    expected: FileStamp | None = None,
    backup: int = 1,
    progress: Progress | None = None,
) -> Saved:
    """Write a file so that at every moment either the old or the new one is there, whole.

    The bytes go to a new file beside it, reach the disk, and take the old name; the old version stays as ``.bak``.
    The new file has the owner, permissions, extended attributes and access lists of the old one. What saves left behind
    that died in this folder is removed.

    Args:
        path: the file to write; *data* may read from it.
        data: all of its bytes.
        expected: the stamp that the file must still have, None to write in any case.
        backup: how many previous versions stay, as ``.bak``, ``.bak2`` ...; 0 for none.
        progress: told how many bytes are written; returning False stops before anything was changed.

    Raises:
        ChangedOnDisk: the file has another stamp than *expected*.
        Stopped: *progress* returned False.
        NotWritable: it cannot be written there; nothing was changed.
        FileProblem: the bytes to write are gone; nothing was changed.
    """
    from viewer.document.disk.file_versions import NewFile, alone_with, remove_dead, sync_folder

    target = Path(os.path.realpath(path))
    _refuse_unwritable(path, target, expected)
    if os.path.exists(target) and not os.path.isfile(target):
        return _write_stream(path, target, data, progress)
    remove_dead(target.parent)
    try:
        new = NewFile(target, _pieces(data, progress))
    except OSError as error:
        raise _problem(path, target, error) from error
    try:
        with alone_with(target), _let_go(data, target, backup):
            _refuse_unwritable(path, target, expected)
            with held_off():
                new.put_in_place(backup)
            written = stamp(target)
    except OSError as error:
        raise _problem(path, target, error) from error
    finally:
        new.drop()
    sync_folder(target.parent)
    return Saved(written, tuple(_remarks(path, new.lost)))


def _refuse_unwritable(path: Path, target: Path, expected: FileStamp | None) -> None:
    """Refuse to write over what is no longer the *expected* file, is none, or is read-only.

    Raises:
        ChangedOnDisk, NotWritable: see :func:`write`.
    """
    before = stamp(target)
    if os.path.isdir(target):
        raise NotWritable(f"“{path}” is a folder; save under another name.")
    if os.path.islink(target):
        raise NotWritable(f"“{path}” is a link that leads in a circle; save under another name.")
    if expected is not None and before is not None and before != expected:
        raise ChangedOnDisk(f"“{path}” was changed by another program since it was read.")
    if before is not None and not os.access(target, os.W_OK):
        raise NotWritable(f"“{path}” is read-only; save under another name or allow writing to it.")


def _problem(path: Path, target: Path, error: OSError) -> NotWritable:
    """Why a file cannot be written, and what helps."""
    words, hint, kind = _reason(error), "", errno.errorcode.get(error.errno or 0, "")
    if not os.path.isdir(target.parent):
        words, hint = "there is no such folder", "save in another folder"
    elif getattr(error, "winerror", None) in IN_USE:
        words, hint = "another program has it open", "close it there and save again"
    elif kind in ("ENOSPC", "EDQUOT"):
        hint = "make room there or save under another name"
    elif kind in ("EACCES", "EPERM", "EROFS"):
        words, hint = f"its folder does not allow that ({words})", "save in another folder"
    elif kind == "ENAMETOOLONG":
        hint = "save under a shorter name"
    elif kind:
        hint = "save under another name"
    return NotWritable(f"“{path}” cannot be written: {words}. Nothing was changed{': ' if hint else ''}{hint}.")


def _remarks(path: Path, lost: LostAttributes) -> Iterator[str]:
    """What a person should know of a file that was saved, in sentences."""
    if lost.names == 1:
        yield f"“{path.name}” had another name (a hard link), which still leads to the previous version."
    elif lost.names:
        yield f"“{path.name}” had {lost.names} other names (hard links), which still lead to the previous version."
    if lost.owner:
        yield f"“{path.name}” belongs to you or your group now: its owner or group could not be kept."


def _let_go(data: Buffer, target: Path, backup: int) -> AbstractContextManager[None]:
    """Let a file that a buffer reads be renamed, where the system wants it closed for that."""
    from viewer.document.disk.file_versions import version_names

    source = _file_of(data)
    return source.let_go(*version_names(target, backup)) if source is not None else nullcontext()


def _write_stream(path: Path, target: Path, data: Buffer, progress: Progress | None) -> Saved:
    """Write to a pipe or device.

    Raises:
        Stopped, FileProblem: see :func:`write`; some bytes may have been written.
    """
    try:
        is_whole = _write_through(target, _pieces(data, progress), lambda: progress is None or progress(0))
    except OSError as error:
        raise FileProblem(
            f"“{path}” cannot be written: {_reason(error)}. It is not a file, so part of the bytes may have gone "
            "there; save under another name."
        ) from error
    if not is_whole:
        raise SaveStopped("Writing was stopped; part of the bytes may have gone there.")
    return Saved(stamp(target))


_PAUSE = 0.02
"""Seconds between two looks at whether somebody reads from a pipe."""


def _write_through(target: Path, pieces: Iterator[Bytes], goes_on: Callable[[], bool]) -> bool:
    """Write to a pipe or device, which must not be replaced by a file.

    Args:
        target: the pipe or device.
        pieces: what to write.
        goes_on: asked while nobody reads from the pipe; False gives up.

    Returns:
        Whether all was written.
    """
    if sys.platform == "win32":
        with target.open("wb") as file:
            for piece in pieces:
                file.write(piece)
        return True
    handle = -1
    while handle < 0:
        try:
            handle = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            if not stat.S_ISFIFO(target.stat().st_mode) or not os.access(target, os.W_OK):
                raise
            if not goes_on():
                return False
            time.sleep(_PAUSE)
    try:
        return all(_written(handle, memoryview(piece), goes_on) for piece in pieces)
    finally:
        os.close(handle)


def _written(handle: int, rest: memoryview, goes_on: Callable[[], bool]) -> bool:
    while len(rest):
        try:
            rest = rest[os.write(handle, rest) :]
        except BlockingIOError:
            if not goes_on():
                return False
            select.select([], [handle], [], _PAUSE)
    return True


def _file_of(data: Buffer) -> FileBlocks | None:
    """The file that a buffer reads from, None where all of it is in memory."""
    source = data.source if isinstance(data, Paged) else None
    return source if isinstance(source, FileBlocks) and source.data is None else None


def _pieces(data: Buffer, progress: Progress | None) -> Iterator[Bytes]:
    """The bytes to write, piece by piece."""
    for at, piece in stretches(data, size=CHUNK):
        yield piece
        if progress is not None and not progress(at + len(piece)):
            raise SaveStopped("Saving was stopped; nothing was changed.")
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
