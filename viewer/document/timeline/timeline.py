"""What is kept of one file: its versions in the order in which they came, and the marks that a person set.

It lies in a folder of its own: blocks of bytes, and an index of lines, each with its checksum. A line is written when
all that it names is safely on the disk, and before anything that a line of it names is taken away, another line says
so. So the index never lists what is not there, wherever the program ends; a line that was cut off was never said.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from viewer.base.assets import user_folder
from viewer.base.record import dataclass, field, replace
from viewer.base.words import counted
from viewer.container.unpacking import size_in_words
from viewer.document.disk.file_versions import sync_folder
from viewer.document.disk.folder_lock import FolderLock
from viewer.document.disk.private_files import make_private, open_private
from viewer.document.timeline.block_store import BlockStore, DamagedBlock

FOLDER = "timelines"
INDEX, BLOCKS = "index", "blocks"
WRITING, RECORDING = "writing", "recording"
"""The locks: held while the index is changed, and as long as somebody records."""
PATIENCE, BETWEEN = 5.0, 0.005
"""Seconds to wait for somebody else who changes the index, and between two attempts."""
LONGEST_TEXT = 500
LONGEST_INDEX = 1 << 26
LONGEST_HEAD = 1 << 16
THINNED_TO = 0.9
"""Where there is too much, so much of what may be stays."""
WORTH_REWRITING = 256
"""Lines of an index that say nothing any more before it is written anew."""
ROOM = frozenset((errno.ENOSPC, errno.EDQUOT))
CLOSED = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))


class TimelineProblem(Exception):
    """Something of a timeline cannot be kept or read; one sentence says what, and what stays."""


@dataclass(frozen=True, slots=True)
class TimelineBounds:
    """How much is kept of one file: so many versions, and so many bytes on the disk."""

    versions: int = 1000
    stored: int = 1 << 28


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """A version of the file.

    Args:
        number: its own, from 1 on; none is given twice.
        at: when it was seen first, in nanoseconds since 1970.
        size: bytes.
        content: their SHA-256.
        is_pinned: whether a person wants to keep it.
        is_secret: whether it was encrypted.
    """

    number: int
    at: int
    size: int
    content: str
    is_pinned: bool = False
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """Somebody said what they would do now.

    Args:
        number: its own.
        at: when, in nanoseconds since 1970.
        text: what.
        after: the number of the latest version then; 0 where there was none.
        until: the number of the latest version when it was done, None where nobody said so.
    """

    number: int
    at: int
    text: str
    after: int
    until: int | None = None


@dataclass(slots=True)
class _State:
    """What the lines of an index come to."""

    file: str = ""
    is_on: bool = False
    keeps_secrets: bool = False
    bounds: TimelineBounds = TimelineBounds()
    next: int = 1
    versions: dict[int, KeptVersion] = field(default_factory=dict)
    marks: dict[int, TimelineMark] = field(default_factory=dict)
    thinned: int = 0
    lines: int = 0
    damaged: int = 0


@dataclass(frozen=True, slots=True)
class _ReadTo:
    """How far an index was read: which file it is, how it begins, and up to which byte."""

    inode: int = 0
    head: bytes = b""
    at: int = 0


class Timeline:
    """The timeline of a file. Every change is on the disk when its method returns.

    Other programs may change it, too: each method that changes something looks first at what they wrote, and
    :meth:`refresh` does only that. Nothing is made before something is to be kept.

    Args:
        file: the file whose versions are kept; it is only named here, and never read or written.
        root: where the timelines of all files lie, None for the usual folder.

    Raises:
        TimelineProblem: its index cannot be read.
    """

    def __init__(self, file: Path, root: Path | None = None) -> None:
        self.file = Path(os.path.realpath(file))
        self.folder = folder_of(file, root)
        self._state = _State()
        self._blocks = BlockStore(self.folder / BLOCKS)
        self._read_to = _ReadTo()
        self._swept = False
        self.refresh()

    # What there is

    @property
    def versions(self) -> list[KeptVersion]:
        """All versions, the oldest first."""
        return list(self._state.versions.values())

    @property
    def marks(self) -> list[TimelineMark]:
        """All marks, the oldest first."""
        return list(self._state.marks.values())

    @property
    def is_on(self) -> bool:
        """Whether a person wants the file to be recorded."""
        return self._state.is_on

    @property
    def keeps_secrets(self) -> bool:
        """Whether a person wants encrypted versions to be kept, as they are."""
        return self._state.keeps_secrets

    @property
    def bounds(self) -> TimelineBounds:
        """How much is kept."""
        return self._state.bounds

    @property
    def thinned(self) -> int:
        """How many versions were dropped to keep the bounds."""
        return self._state.thinned

    @property
    def stored(self) -> int:
        """Bytes on the disk, without the index."""
        return self._blocks.stored

    @property
    def problem(self) -> str:
        """What is damaged, in a sentence; else empty."""
        if not self._state.damaged:
            if self._state.versions or not self.stored:
                return ""
            return f"The index of this timeline lists no version, but bytes are there: they stay in “{self.folder}”."
        lines = counted(self._state.damaged, "line")
        return (
            f"{lines} in the index of this timeline {'is' if self._state.damaged == 1 else 'are'} damaged: what "
            f"{'it' if self._state.damaged == 1 else 'they'} said is not listed. The bytes stay in “{self.folder}”."
        )

    def version(self, number: int) -> KeptVersion:
        """The version with a number.

        Raises:
            TimelineProblem: there is none.
        """
        found = self._state.versions.get(number)
        if found is not None:
            return found
        if not self._state.versions:
            raise TimelineProblem(f"No version of “{self.file.name}” is kept.")
        if 0 < number < self._state.next:
            raise TimelineProblem(f"Version {number} of “{self.file.name}” is not kept any more: it was thinned out.")
        last = max(self._state.versions)
        raise TimelineProblem(f"“{self.file.name}” has no version {number}; the latest one is {last}.")

    def read(self, version: KeptVersion) -> bytes:
        """The bytes of a version.

        Raises:
            TimelineProblem: they are damaged, or were thinned out meanwhile.
        """
        try:
            return self._blocks.read(version.content, version.size)
        except DamagedBlock as error:
            with contextlib.suppress(TimelineProblem):
                self.refresh()
            self.version(version.number)
            words = f"Version {version.number} of “{self.file.name}” is damaged: {error}. The others stay."
            raise TimelineProblem(words) from error

    def protected(self) -> set[int]:
        """The numbers of the versions that are never thinned out: pinned ones, and those around marks."""
        out = {version.number for version in self.versions if version.is_pinned}
        for mark in self.marks:
            out.update((mark.after, *window_of(mark, self.versions)))
        return out

    # Changing

    def switch(self, is_on: bool, keeps_secrets: bool | None = None) -> None:
        """Record the file from now on, or no longer; *keeps_secrets* is about encrypted versions, None for as it is."""
        secrets = self.keeps_secrets if keeps_secrets is None else keeps_secrets
        with self._changing():
            if (is_on, secrets) != (self.is_on, self.keeps_secrets):
                self._say(kind="switch", on=is_on, secrets=secrets)

    def bound(self, bounds: TimelineBounds) -> str:
        """Keep so much from now on; returns a sentence where versions are thinned out for it, else an empty text."""
        with self._changing():
            self._say(kind="bounds", versions=bounds.versions, stored=bounds.stored)
            told = self._thin(0)
            if len(self._state.versions) > bounds.versions or self.stored > bounds.stored:
                told = f"{counted(len(self._state.versions), 'version')} stay: the others are thinned out already, and "
                told += "what is pinned or marked stays. No new version is kept before there is room."
            return told

    def add(self, data: bytes, at: int | None = None, is_secret: bool = False) -> tuple[KeptVersion | None, str]:
        """Keep a version.

        Args:
            data: its bytes.
            at: when it was seen first, in nanoseconds since 1970; None for now.
            is_secret: whether it is encrypted; those are kept only if a person wants that.

        Returns:
            The version, None where it is the latest one already; and a sentence about what was thinned out, or empty.

        Raises:
            TimelineProblem: it cannot be kept; what was kept before stays.
        """
        if is_secret:
            self.refresh()  # a person may have asked for it meanwhile
        if is_secret and not self.keeps_secrets:
            raise TimelineProblem(
                f"“{self.file.name}” is encrypted; such versions are kept only if you ask for it, and then as they are."
            )
        with self._changing():
            last = next(reversed(self._state.versions.values()), None)
            name = hashlib.sha256(data).hexdigest()
            if last is not None and (last.content, last.size) == (name, len(data)):
                return None, ""
            told = self._thin(1)
            if len(self._state.versions) >= max(1, self.bounds.versions):
                raise TimelineProblem(self._full())
            stored = self._blocks.add(data)
            told = self._fit_in(name, len(data)) or told
            number = self._state.next
            when = time.time_ns() if at is None else at
            self._say(kind="version", number=number, at=when, size=stored.size, content=stored.name, secret=is_secret)
            return self._state.versions[number], told

    def _fit_in(self, name: str, size: int) -> str:
        """Thin out for the bytes of a version that are stored, and not listed yet.

        Raises:
            TimelineProblem: there is no room for it.
        """
        if self.stored <= self.bounds.stored:
            return ""
        needed = self._blocks.files_of(name, size)
        told = self._thin(0, needed)
        if self.stored > self.bounds.stored:
            self._sweep()
            raise TimelineProblem(self._full())
        return told

    def _full(self) -> str:
        bounds = self.bounds
        return (
            f"This version of “{self.file.name}” is not kept: its timeline may have "
            f"{counted(bounds.versions, 'version')} and {size_in_words(bounds.stored)}, and nothing in it may be "
            "thinned out any more. Allow it more, or unpin versions."
        )

    def mark(self, text: str, at: int | None = None) -> TimelineMark:
        """Write down what a person is about to do; the mark before is done with.

        Raises:
            TimelineProblem: it cannot be kept, or says nothing.
        """
        text = " ".join(text.split())[:LONGEST_TEXT]
        if not text:
            raise TimelineProblem("A mark needs a word or two on what you are about to do.")
        with self._changing():
            number = max(self._state.marks, default=0) + 1
            self._say(
                kind="mark", number=number, at=time.time_ns() if at is None else at, text=text, after=self._latest()
            )
            return self._state.marks[number]

    def _latest(self) -> int:
        return max(self._state.versions, default=0)

    def done(self) -> TimelineMark:
        """What the latest mark says is done: everything between belongs to it.

        Raises:
            TimelineProblem: there is no such mark.
        """
        with self._changing():
            last = next(reversed(self._state.marks.values()), None)
            if last is None or last.until is not None:
                raise TimelineProblem(f"There is no mark of “{self.file.name}” that is not done yet.")
            self._say(kind="done", number=last.number, until=self._latest())
            return self._state.marks[last.number]

    def unmark(self, number: int) -> None:
        """Take a mark away."""
        with self._changing():
            if number in self._state.marks:
                self._say(kind="unmark", number=number)

    def pin(self, number: int, is_pinned: bool = True) -> None:
        """Keep a version whatever comes, or let it be thinned out in its turn.

        Raises:
            TimelineProblem: there is no such version.
        """
        with self._changing():
            if self.version(number).is_pinned != is_pinned:
                self._say(kind="pin", number=number, on=is_pinned)

    def record(self) -> FolderLock | None:
        """The right to record the file, until it is released; None where somebody else records it.

        Raises:
            TimelineProblem: the folder cannot be written.
        """
        try:
            make_private(self.folder)
            return FolderLock.take(self.folder, RECORDING)
        except OSError as error:
            raise TimelineProblem(self._refused(error)) from error

    # Thinning

    def _thin(self, more: int, needed: AbstractSet[str] = frozenset()) -> str:
        """Drop old versions where there are too many, or they take too much.

        Args:
            more: so many are about to come.
            needed: files that stay in any case.

        Returns:
            A sentence about what was dropped, or an empty text.
        """
        bounds = self.bounds
        count_over = len(self._state.versions) + more > bounds.versions
        room_over = self.stored > bounds.stored
        if not (count_over or room_over):
            return ""
        protected = self.protected() | {self._latest()}
        live = {number: self._files_of(version) for number, version in self._state.versions.items()}
        most = int(bounds.versions * THINNED_TO) - more if count_over else bounds.versions - more
        room = int(bounds.stored * THINNED_TO) if room_over else bounds.stored
        dropped: list[int] = []
        while len(live) > max(1, most) or self._blocks.size_of(set(needed).union(*live.values())) > room:
            batch = _thinnable(list(live), protected)[: max(1, len(live) - most if count_over else len(live) // 16)]
            if not batch:
                break
            for number in batch:
                del live[number]
            dropped += batch
        if not dropped:
            return ""
        self._say(kind="drop", numbers=sorted(dropped))
        self._sweep(needed)
        self._tidy()
        return (
            f"{counted(len(dropped), 'old version')} of “{self.file.name}” {'was' if len(dropped) == 1 else 'were'} "
            "thinned out, to keep its timeline within bounds; marked and pinned ones stay."
        )

    def _files_of(self, version: KeptVersion) -> set[str]:
        return self._blocks.files_of(version.content, version.size)

    def _sweep(self, needed: AbstractSet[str] = frozenset()) -> None:
        """Take away the files that no version needs; nothing where lines of the index are damaged."""
        if not self._state.damaged:
            self._blocks.keep_only(set(needed).union(*(self._files_of(version) for version in self.versions)))

    # The index

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Be alone with the folder, know what it says now, and put the system's errors into words.

        Raises:
            TimelineProblem: it cannot be written.
        """
        try:
            make_private(self.folder)
            lock = self._alone()
            try:
                if self.refresh():
                    self._blocks.forget()
                if not self._swept:
                    self._swept = True
                    self._cut_off()
                    self._sweep()
                if not self._state.file:
                    self._say(kind="file", path=str(self.file))
                yield
            finally:
                lock.release()
        except OSError as error:
            raise TimelineProblem(self._refused(error)) from error

    def _alone(self) -> FolderLock:
        until = time.monotonic() + PATIENCE
        while True:
            lock = FolderLock.take(self.folder, WRITING)
            if lock is not None:
                return lock
            if time.monotonic() > until:
                raise TimelineProblem(f"The timeline of “{self.file.name}” is in use by another program.")
            time.sleep(BETWEEN)

    def _refused(self, error: OSError) -> str:
        begin = f"Nothing more of “{self.file.name}” can be kept: "
        stays = "What was kept stays."
        if error.errno in ROOM:
            return f"{begin}the disk is full. {stays} Make room, and the next version is kept again."
        if error.errno in CLOSED:
            return f"{begin}“{self.folder}” cannot be written. {stays}"
        return f"{begin}{error.strerror or error} (“{self.folder}”). {stays}"

    def refresh(self) -> bool:
        """Have what the index says now; True where that is something else.

        Raises:
            TimelineProblem: it cannot be read.
        """
        path = self.folder / INDEX
        try:
            with path.open("rb") as file:
                found, known = os.fstat(file.fileno()), self._read_to
                now = replace(known, inode=found.st_ino, head=file.readline(LONGEST_HEAD))
                is_other = now != known or found.st_size < known.at
                if is_other:
                    self._state, now = _State(), replace(now, at=0)
                if found.st_size > LONGEST_INDEX:
                    raise TimelineProblem(f"The index “{path}” is too long to be one. It stays there.")
                file.seek(now.at)
                data = file.read(LONGEST_INDEX)
        except FileNotFoundError:
            was, self._state, self._read_to = bool(self._state.lines), _State(), _ReadTo()
            return was
        except OSError as error:
            raise TimelineProblem(
                f"The timeline of “{self.file.name}” cannot be read: {error.strerror or error} (“{path}”)."
            ) from error
        end = data.rfind(b"\n") + 1
        for line in data[:end].splitlines():
            self._take(line)
        self._read_to = replace(now, at=now.at + end)
        return bool(end) or is_other

    def _take(self, line: bytes) -> None:
        """Have what a line says; a damaged one is counted."""
        self._state.lines += 1
        check, _, said = line.partition(b" ")
        try:
            if int(check, 16) != zlib.crc32(said):
                raise ValueError("damaged")
            self._have(json.loads(said))
        except (ValueError, TypeError, KeyError, RecursionError):
            self._state.damaged += 1

    def _have(self, said: dict[str, object]) -> None:
        state, kind = self._state, said["kind"]
        if kind == "version":
            number = _whole(said, "number")
            kept = KeptVersion(
                number,
                _whole(said, "at"),
                _whole(said, "size"),
                _hash(said),
                bool(said.get("pin")),
                bool(said["secret"]),
            )
            state.versions[number] = kept
            state.next = max(state.next, number + 1)
        elif kind == "drop":
            numbers = said["numbers"]
            assert isinstance(numbers, list)
            for number in numbers:
                state.thinned += state.versions.pop(number, None) is not None
        elif kind == "pin":
            kept = state.versions[_whole(said, "number")]
            state.versions[kept.number] = replace(kept, is_pinned=bool(said["on"]))
        elif kind == "mark":
            number, until = _whole(said, "number"), said.get("until")
            mark = TimelineMark(number, _whole(said, "at"), str(said["text"]), _whole(said, "after"))
            state.marks[number] = mark if until is None else replace(mark, until=_whole(said, "until"))
        elif kind == "done":
            mark = state.marks[_whole(said, "number")]
            state.marks[mark.number] = replace(mark, until=_whole(said, "until"))
        elif kind == "unmark":
            state.marks.pop(_whole(said, "number"), None)
        elif kind == "switch":
            state.is_on, state.keeps_secrets = bool(said["on"]), bool(said["secrets"])
        elif kind == "bounds":
            state.bounds = TimelineBounds(_whole(said, "versions"), _whole(said, "stored"))
        elif kind == "file":
            state.file = str(said["path"])
            state.next = max(state.next, _whole(said, "next") if "next" in said else 1)
            state.thinned = _whole(said, "thinned") if "thinned" in said else state.thinned

    def _say(self, **said: object) -> None:
        """Write a line, have it on the disk, and have what it says."""
        path = self.folder / INDEX
        is_new = not path.exists()
        handle = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            _write_all(handle, _line(said))
            os.fsync(handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, self._read_to.at)  # nothing of a line that is not whole
            raise
        finally:
            os.close(handle)
        if is_new:
            sync_folder(self.folder)
        self.refresh()

    def _cut_off(self) -> None:
        """Take away the rest of a line that was cut off by the end of a program."""
        path = self.folder / INDEX
        if path.exists() and path.stat().st_size > self._read_to.at:
            os.truncate(path, self._read_to.at)

    def _tidy(self) -> None:
        """Write the index anew where much of it says nothing any more; not where a line is damaged."""
        state = self._state
        if state.damaged or state.lines - len(state.versions) - len(state.marks) < WORTH_REWRITING:
            return
        path = self.folder / INDEX
        fresh = path.with_name(f"{INDEX}.new")
        with contextlib.suppress(OSError):  # the longer one says the same
            with os.fdopen(open_private(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
                file.writelines(_line(said) for said in _all_of(state))
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, path)
            sync_folder(self.folder)
        self.refresh()


def folder_of(file: Path, root: Path | None = None) -> Path:
    """The folder of the timeline of a file, which need not be there; *root* as for a timeline."""
    name = os.path.normcase(os.path.realpath(file))
    return (root or user_folder(FOLDER)) / hashlib.sha256(os.fsencode(name)).hexdigest()[:32]


def window_of(mark: TimelineMark, versions: Sequence[KeptVersion]) -> list[int]:
    """The numbers of the versions that hold what was done at a mark: up to where it was done, else the first one."""
    behind = [version.number for version in versions if version.number > mark.after]
    return behind[:1] if mark.until is None else [number for number in behind if number <= mark.until]


def _thinnable(numbers: Sequence[int], protected: set[int]) -> list[int]:
    """The versions to drop next, the oldest first: every second one of the older half, so that none has a wide gap."""
    free = [number for number in numbers if number not in protected]
    older = [number for number in free if number <= numbers[len(numbers) // 2]]
    return older[::2] or free[:1]


def _all_of(state: _State) -> Iterator[dict[str, object]]:
    """Lines that say what the state is."""
    yield {"kind": "file", "path": state.file, "next": state.next, "thinned": state.thinned}
    yield {"kind": "switch", "on": state.is_on, "secrets": state.keeps_secrets}
    yield {"kind": "bounds", "versions": state.bounds.versions, "stored": state.bounds.stored}
    for each in state.versions.values():
        yield {
            "kind": "version",
            "number": each.number,
            "at": each.at,
            "size": each.size,
            "content": each.content,
            "secret": each.is_secret,
            "pin": each.is_pinned,
        }
    for mark in state.marks.values():
        yield {"kind": "mark", **{name: getattr(mark, name) for name in ("number", "at", "text", "after", "until")}}


def _line(said: dict[str, object]) -> bytes:
    raw = json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(raw), raw)


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while len(rest):
        rest = rest[os.write(handle, rest) :]


def _whole(said: dict[str, object], name: str) -> int:
    found = said[name]
    if not isinstance(found, int) or found < 0:
        raise TypeError(name)
    return found


def _hash(said: dict[str, object]) -> str:
    found = said["content"]
    if not isinstance(found, str) or len(found) != 64 or set(found) - set("0123456789abcdef"):
        raise ValueError("This is not a hash.")
    return found
