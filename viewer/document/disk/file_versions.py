"""The versions of a file in its folder: the new one until it takes the name, older ones that stay as ``.bak``."""

from __future__ import annotations

import contextlib
import filecmp
import hashlib
import os
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from viewer.base.buffer import Bytes
from viewer.base.interrupts import held_off
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass

# What belongs to a file beside its bytes: owner, permissions, extended attributes, access lists.


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


# The older versions.


OLDEST = ".bak-oldest"
"""Behind the name of a file: its version that leaves when the save is done, so long as it is not."""
NAME_BYTES = 255
"""Most bytes in a name, where the system does not say it."""


class Rotation:
    """Gives the versions of a file their new names: it becomes the ``.bak``, that the ``.bak2``, and so on.

    A version gets its new name before it loses the old one, as a second name of the same file. Where the system has no
    second names, versions are renamed one after another: whoever dies between two of them leaves a free name, and the
    next save fills it.

    Args:
        target: the file.
        count: how many versions stay; 0 for none.
        beside: gives the path of what is made beside, from the ending of its name.

    Attributes:
        other_names: how many other names the file has that are none of ours.

    Raises:
        OSError: there is no room for a copy; nothing was changed.
    """

    def __init__(self, target: Path, count: int, beside: Callable[[str], Path]) -> None:
        self._target, self._beside = target, beside
        self.count = count if os.path.exists(target) else 0
        self.oldest = version_names(target, 1, OLDEST)[0]
        names = version_names(target, self.count)
        self.other_names = _other_names(target, [*names, self.oldest])
        self._held, self._moves = _planned(target, names, self.oldest)
        self._undone: list[Path] = []
        self._steps: list[tuple[Path, Path]] = []
        self._done = 0
        try:
            for source, name in self._moves:
                self._steps.append((self._prepared(source, beside(_ending(name))), name))
        except BaseException:
            self.drop_undone()
            raise

    def _prepared(self, source: Path, beside: Path) -> Path:
        """What is to be renamed: a second name of *source*, a copy of the target, else *source* itself."""
        self._undone.append(beside)
        is_target = source == self._target
        if not (is_target and self.other_names):
            try:
                os.link(source, beside)
                return beside
            except (OSError, NotImplementedError):
                if not is_target:
                    return source
        copy_whole(source, beside)
        return beside

    def run(self) -> None:
        """Change the names.

        Raises:
            OSError: one cannot be changed; all are as they were.
        """
        try:
            for source, name in self._steps:
                os.replace(source, name)
                self._done += 1
        except OSError:
            self.undo()
            raise

    def undo(self) -> None:
        """Give every version its earlier name again."""
        done = self._moves[: self._done]
        if not done:
            return
        self._done = 0
        with contextlib.suppress(OSError):
            for source, name in reversed(done):
                if source != self._target:
                    os.replace(name, source)  # does nothing where both are the same file: *source* is right already
            if self._held is None:
                drop(done[0][1])
            else:  # its second name is what is left of an interrupted save, and stays
                name, second = self._held
                os.replace(self._prepared(second, self._beside(_ending(second))), name)

    def forget_oldest(self) -> None:
        """The save is done: the version that leaves goes."""
        if self.count and _is_version(self.oldest):
            drop(self.oldest)

    def drop_undone(self) -> None:
        """Remove what was made beside the file and has got no name."""
        for path in self._undone:
            drop(path)


def _planned(
    target: Path, names: Sequence[Path], oldest: Path
) -> tuple[tuple[Path, Path] | None, list[tuple[Path, Path]]]:
    """What has a second name already that it is to get, and what is to get which name, the oldest first.

    The first name that is free, or that an interrupted save has given to the version before it, ends the row. Where
    there is none the oldest version leaves, and has a name of its own until the save is done.
    """
    if not names:
        return None, []
    chain = [target, *names]
    for place in range(1, len(chain)):
        is_held = os.path.lexists(chain[place]) and _is_same_version(chain[place - 1], chain[place])
        if is_held or not os.path.lexists(chain[place]):
            break
    else:
        chain.append(oldest)
        place = len(names) + 1
        is_held = _is_version(oldest) and _is_same_version(names[-1], oldest)
    pairs = [(chain[at - 1], chain[at]) for at in range(place, 0, -1)]
    return (pairs[0], pairs[1:]) if is_held else (None, pairs)


# Names


def version_names(target: Path, count: int, ending: str = ".bak") -> list[Path]:
    """The names of *count* earlier versions, the latest first: ``.bak``, ``.bak2`` ... that are free or files.

    A folder, a link or a device with such a name is no version: it is left alone.
    """
    names: list[Path] = []
    number = 1
    while len(names) < count:
        name = version_name(target, f"{ending}{number if number > 1 else ''}")
        if _is_version(name) or not os.path.lexists(name):
            names.append(name)
        number += 1
    return names


def version_name(target: Path, ending: str) -> Path:
    """The name of a file with another ending behind it, shortened where the system has no names so long.

    Shortened names end in a digest of the whole one: those of two files are never the same.
    """
    return target.with_name(fitting(target, ending) + ending)


def fitting(target: Path, ending: str) -> str:
    """As much of a file's name as leaves room for an ending."""
    whole = os.fsencode(target.name)
    room = _most_bytes(target.parent) - len(os.fsencode(ending))
    if len(whole) <= room:
        return target.name
    digest = "~" + hashlib.sha256(whole).hexdigest()[:8]
    end = max(0, room - len(digest))
    while end and whole[end] & 0xC0 == 0x80:  # never between the bytes of one character
        end -= 1
    return os.fsdecode(whole[:end]) + digest


def _ending(version: Path) -> str:
    """What the name of a version has behind that of the file."""
    return version.name[version.name.rindex(".bak") :]


def _most_bytes(folder: Path) -> int:
    """How long names may be in a folder."""
    if hasattr(os, "pathconf"):
        with contextlib.suppress(OSError, ValueError):
            return min(NAME_BYTES, os.pathconf(folder, "PC_NAME_MAX"))
    return NAME_BYTES


# The same files


def _other_names(target: Path, versions: Sequence[Path]) -> int:
    """How many names a file has beside its own and those of its versions."""
    try:
        found = target.stat()
        ours = sum(is_same_file(found, version) for version in versions)
        return max(0, found.st_nlink - 1 - ours)
    except OSError:
        return 0


def _is_version(path: Path) -> bool:
    """Whether a name is that of a file, and not of a link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_same_version(first: Path, second: Path) -> bool:
    """Whether two names lead to the same file, or to a copy that is as old."""
    try:
        found, other = first.stat(), second.stat()
        if found.st_nlink > 1 and os.path.samestat(found, other):
            return True
        is_alike = (found.st_size, found.st_mtime_ns) == (other.st_size, other.st_mtime_ns)
        return is_alike and filecmp.cmp(first, second, shallow=False)
    except OSError:
        return False


def is_same_file(found: os.stat_result, path: Path) -> bool:
    with contextlib.suppress(OSError):
        return os.path.samestat(found, path.lstat())
    return False


def drop(path: Path) -> None:
    """Take a file away where it is there."""
    with contextlib.suppress(OSError):
        path.unlink()


# The new file, and the locks that tell a save under way from a dead one's rest.


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
