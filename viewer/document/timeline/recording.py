"""Recording: looking at a file again and again, and keeping each of its versions that stands for a moment.

A game writes its save over another one, renames a new one over it, or empties it and writes it anew, in one step or in
several. Nobody tells when it has finished. So a state of the file counts as a version when it stood for a tenth of a
second, and what was written over before that does not; an empty file, which is what a game on a busy machine may leave
for longer before it writes, must stand for two. It is read when it is seen first, so that it is there to be
kept even if the next one comes while this program is busy.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread

from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.container.codecs import START, looks_wrapped
from viewer.container.unpacking import size_in_words
from viewer.document.detection.detect import looks_like_values
from viewer.document.disk import files
from viewer.document.timeline.timeline import KeptVersion, Timeline, TimelineProblem
from viewer.document.wraps import UnwrapOptions, take_off

STOOD = 0.09
"""Seconds that a state must stand: a tenth of one, less what the clocks of file systems are coarse by."""
STOOD_EMPTY = 2.0
"""The same of an empty file: a game that was kept waiting between emptying and writing it has written nothing yet."""
EVERY = 0.02
"""Seconds between two looks."""
LAST_LOOKS = 16
"""So often is a file looked at in the end, so that what stands then is kept."""
FINE, COARSE = 0.05, 2.1
"""Seconds after its time in which a file may be written again without another time, by the clock of its file system."""
LARGEST = 1 << 28
"""Bytes of the largest file that is recorded."""
MOST_HELD = 1 << 29
"""Bytes of versions that wait for the disk, before the file is looked at again."""
WHOLE_SECOND = 1_000_000_000


class RecordedElsewhere(TimelineProblem):
    """Another window or program records the file already."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What the system says of a file: what tells two states of it apart, and since when it stands so.

    Args:
        stamp: size, time and number of the file.
        since: when it was written or got its name, in nanoseconds by the clock of its file system.
    """

    stamp: files.FileStamp
    since: int

    @classmethod
    def of(cls, path: Path) -> FileState | None:
        """The state of a file now, None where there is none."""
        try:
            found = os.stat(path)
        except OSError:
            return None
        stamp = files.FileStamp(found.st_size, found.st_mtime_ns, found.st_ino)
        named = found.st_mtime_ns if sys.platform == "win32" else found.st_ctime_ns  # there it is when it was made
        return cls(stamp, max(found.st_mtime_ns, named))

    def may_change_unseen(self, now: int) -> bool:
        """Whether it may be written once more and look the same; *now* in nanoseconds since 1970."""
        time_ns = self.since
        window = COARSE if time_ns % WHOLE_SECOND == 0 else FINE
        return now - time_ns < window * WHOLE_SECOND


@dataclass(slots=True)
class _Seen:
    """A state that was read, and may become a version.

    Args:
        data: its bytes.
        digest: their hash.
        state: what the system says.
        since: since when it stands, in nanoseconds by the clock of its file system.
        first: when it was seen, on a clock that only goes forward, in seconds.
        at: the same in nanoseconds since 1970.
        is_sure: whether it was read so late that a further writing would have shown.
        is_done: whether it was handed on.
    """

    data: bytes
    digest: bytes
    state: FileState
    since: int
    first: float
    at: int
    is_sure: bool
    is_done: bool = False


class FileSampler:
    """Tells the versions of a file from states that do not last. It reads the file, and does nothing else.

    Args:
        path: the file.
        stood: told the bytes of each version, and when it was seen first, in nanoseconds since 1970.
        say: told in a sentence what cannot be read.
        clock: seconds that only go forward.
    """

    def __init__(
        self,
        path: Path,
        stood: Callable[[bytes, int], object],
        say: Callable[[str], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._stood, self._say, self._clock = path, stood, say, clock
        self._seen: _Seen | None = None
        self._too_large: FileState | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the file as it is needs no further look before it changes."""
        return self._seen is None or (self._seen.is_done and self._seen.is_sure)

    def look(self) -> None:
        """Look at the file once; to be called every :data:`EVERY` seconds."""
        now = self._clock()
        state, seen = FileState.of(self._path), self._seen
        if state is None:
            if seen is not None:
                self._settle(seen, now - seen.first)
                self._seen = None
            return
        if seen is not None and seen.is_sure and state.stamp == seen.state.stamp:
            self._settle(seen, now - seen.first)
            return
        found = self._read(state)
        if found is None:
            return
        data, read_at = found
        digest = hashlib.sha256(data).digest()
        is_sure = not state.may_change_unseen(read_at)
        if seen is not None and seen.digest == digest:
            seen.state, seen.since, seen.is_sure = state, min(seen.since, state.since), is_sure
            self._settle(seen, now - seen.first)
            return
        since = state.since
        if seen is not None and since <= seen.state.since:
            since, is_sure = read_at, False  # a file is shorter a moment before its time says so
        if seen is not None:
            self._settle(seen, _stood(seen, since, now))
        self._seen = _Seen(data, digest, state, since, now, read_at, is_sure)

    def _read(self, state: FileState) -> tuple[bytes, int] | None:
        """The bytes of a state, and when they were read; None where it is no longer what it was."""
        if state.stamp.size > LARGEST:
            if state != self._too_large:
                self._too_large = state
                name, size = escaped(self._path.name), size_in_words(state.stamp.size)
                self._say(f"“{name}” is {size} long: up to {size_in_words(LARGEST)} are recorded.")
            return None
        read_at = time.time_ns()
        try:
            with open(self._path, "rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            if FileState.of(self._path) == state:
                self._say(f"“{escaped(self._path.name)}” cannot be read: {error.strerror or error}.")
            return None
        if FileState.of(self._path) != state or len(data) != state.stamp.size:
            return None  # it was written meanwhile: the next look sees what it became
        return data, read_at

    def _settle(self, seen: _Seen, stood: float) -> None:
        """Hand a state on that stood."""
        if not seen.is_done and stood >= (STOOD if seen.data else STOOD_EMPTY):
            seen.is_done = True
            self._stood(seen.data, seen.at)


class VersionRecorder:
    """Keeps the versions of one file. It never writes the file, nor anything beside it.

    One thread looks at the file, another one keeps what the first one saw, so that a slow disk makes it miss nothing.

    Args:
        timeline: where they are kept; no other thread may use it.
        kept: told each version that was kept, in the second thread.
        say: told in a sentence what could not be kept, and what was thinned out; the same sentence once in a row.
    """

    def __init__(self, timeline: Timeline, kept: Callable[[KeptVersion], object], say: Callable[[str], object]) -> None:
        self._timeline, self._kept, self._say = timeline, kept, say
        self._waiting: SimpleQueue[tuple[bytes, int] | None] = SimpleQueue()
        self._held = 0
        self._said = ""

    def run(self, stop: Event) -> None:
        """Record until *stop* is set; what stands then is kept.

        Raises:
            RecordedElsewhere: another window or program records the file.
            TimelineProblem: the folder cannot be written.
        """
        path = self._timeline.file
        lock = self._timeline.record()
        if lock is None:
            raise RecordedElsewhere(f"“{escaped(path.name)}” is recorded by another window or program already.")
        keeper = Thread(target=self._keep_all, name="timeline", daemon=True)
        keeper.start()
        sampler = FileSampler(path, self._hand_over, self._tell)
        try:
            while not stop.wait(EVERY):
                if self._held <= MOST_HELD:
                    sampler.look()
            for _ in range(LAST_LOOKS):  # counted and not timed: a busy machine must not lose the last version
                sampler.look()
                if sampler.is_settled:
                    break
                time.sleep(EVERY)
        finally:
            self._waiting.put(None)
            keeper.join()
            lock.release()

    def _hand_over(self, data: bytes, at: int) -> None:
        self._held += len(data)
        self._waiting.put((data, at))

    def _keep_all(self) -> None:
        """Keep what comes, until nothing more does."""
        is_encrypted(b"")
        while (found := self._waiting.get()) is not None:
            data, at = found
            try:
                self._keep(data, at)
            finally:
                self._held -= len(data)

    def _keep(self, data: bytes, at: int) -> None:
        try:
            version, told = self._timeline.add(data, at, is_encrypted(data))
        except TimelineProblem as problem:
            self._tell(escaped(str(problem)))
            return
        if told:
            self._tell(escaped(told))
        elif version is not None:
            self._said = ""
        if version is not None:
            self._kept(version)

    def _tell(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._say(sentence)


def _stood(seen: _Seen, until: int, now: float) -> float:
    """How many seconds a state stood before another one came.

    The clock of the file system says it exactly, where it goes as clocks do; else what was seen counts.

    Args:
        seen: the state.
        until: when the other one came, in nanoseconds by the clock of its file system.
        now: when that was seen, in seconds on the clock that only goes forward.
    """
    by_times = until - seen.since
    is_coarse = not (until % WHOLE_SECOND or seen.since % WHOLE_SECOND)
    return now - seen.first if is_coarse or by_times < 0 else by_times / WHOLE_SECOND


def is_encrypted(data: bytes) -> bool:
    """Whether bytes are encrypted by an engine, also in other wraps."""
    if not looks_wrapped(data[:START]):
        return False
    wraps = take_off(data, UnwrapOptions(), looks_like_values)
    return wraps.needs_key or wraps.is_secret
