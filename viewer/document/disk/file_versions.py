"""The versions of a file in its folder: the new one until it takes the name, and the older ones that stay as ``.bak``.

At every moment the file is the old one or the new one, whole, and every version that was kept has a ``.bak`` name: all
that a save needs is made beside the file before anything gets another name, and then only names change, the oldest
version first. All of this raises OSError where the system refuses; then nothing was changed.
"""

from __future__ import annotations

import contextlib
import filecmp
import hashlib
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from viewer.document.disk.file_attributes import copy_whole

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
