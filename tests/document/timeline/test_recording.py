"""Recording: each version that stood is kept once, and no half-written state.

``TIMELINE_WRITES=500 pytest tests/document/timeline/test_recording.py`` writes as often by a program of its own.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from document.timeline.recorded_writes import content

from viewer.document.disk.files import FileStamp
from viewer.document.timeline import recording
from viewer.document.timeline.recording import EVERY, STOOD, FileSampler, FileState, VersionRecorder, is_encrypted
from viewer.document.timeline.timeline import KeptVersion, Timeline, TimelineProblem

WRITES = int(os.environ.get("TIMELINE_WRITES", "0"))
WRITER = Path(__file__).with_name("recorded_writes.py")
START = 1_700_000_000_000_000_000


class Disk:
    """A file and a clock that a test moves: what is written, and when, is what the sampler sees.

    Attributes:
        versions: the bytes that it says stood.
        said: its sentences.
    """

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch, tick: int = 4_000_000) -> None:
        self.path, self._now, self._tick, self._inode = path, START, tick, 1
        self._state: FileState | None = None
        self.versions: list[bytes] = []
        self.said: list[str] = []
        self.sampler = FileSampler(path, lambda data, _: self.versions.append(data), self.said.append, self._clock)
        monkeypatch.setattr(recording.FileState, "of", lambda _: self._state)
        monkeypatch.setattr(recording.time, "time_ns", lambda: self._now)

    def _clock(self) -> float:
        return self._now / 1e9

    def write(self, data: bytes, renames: bool = False) -> None:
        """Have the file hold these bytes from now on."""
        self.path.write_bytes(data)
        self._inode += renames
        time_ns = self._now // self._tick * self._tick
        self._state = FileState(FileStamp(len(data), time_ns, self._inode), time_ns)

    def remove(self) -> None:
        """Have no file."""
        self.path.unlink()
        self._state = None

    def pass_time(self, seconds: float, every: float = EVERY) -> None:
        """Let time go by, with a look now and then."""
        end = self._now + round(seconds * 1e9)
        while self._now < end:
            self._now = min(end, self._now + round(every * 1e9))
            self.sampler.look()


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(tmp_path / "game.save", monkeypatch)


def test_what_stood_is_kept_once_and_what_did_not_is_not(disk: Disk) -> None:
    disk.write(b"first")
    disk.pass_time(0.5)
    for number in range(20):
        disk.write(b"")
        disk.pass_time(0.003)
        disk.write(b"half %d" % number)
        disk.pass_time(0.05)
        disk.write(b"whole %d." % number)
        disk.pass_time(0.1)
    disk.pass_time(0.2)
    assert disk.versions == [b"first", *(b"whole %d." % number for number in range(20))]


def test_an_empty_file_is_a_version_only_where_it_stays_empty(disk: Disk) -> None:
    disk.write(b"first")
    disk.pass_time(0.5)
    disk.write(b"")
    disk.pass_time(1.5)
    disk.write(b"second")
    disk.pass_time(0.5)
    assert disk.versions == [b"first", b"second"]
    disk.write(b"")
    disk.pass_time(2.5)
    assert disk.versions == [b"first", b"second", b""]


@pytest.mark.parametrize("every", [0.005, 0.02, 0.045])
def test_a_new_file_over_the_old_one_is_seen(disk: Disk, every: float) -> None:
    for number in range(20):
        disk.write(b"version %d" % number, renames=True)
        disk.pass_time(0.1, every)
    disk.pass_time(0.2, every)
    assert disk.versions == [b"version %d" % number for number in range(20)]


def test_the_same_bytes_again_are_no_version_and_old_ones_that_come_back_are(disk: Disk) -> None:
    for data in (b"one", b"one", b"two", b"one"):
        disk.write(data, renames=True)
        disk.pass_time(0.2)
    assert disk.versions == [b"one", b"two", b"one"]


def test_a_file_that_goes_and_comes_is_followed(disk: Disk) -> None:
    disk.pass_time(0.1)
    disk.write(b"one")
    disk.pass_time(0.2)
    disk.remove()
    disk.pass_time(0.2)
    disk.write(b"two")
    disk.pass_time(0.2)
    assert disk.versions == [b"one", b"two"]


def test_writing_twice_in_one_tick_of_the_clock_is_seen(disk: Disk) -> None:
    disk.write(b"once.")
    disk.pass_time(0.001)
    disk.write(b"twice")
    disk.pass_time(0.2)
    assert disk.versions == [b"twice"]


def test_a_clock_of_whole_seconds_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(tmp_path / "game.save", monkeypatch, tick=2_000_000_000)
    for number in range(12):
        disk.write(b"version %02d" % number)
        disk.pass_time(0.2)
    assert disk.versions == [b"version %02d" % number for number in range(12)]


def test_a_version_that_was_replaced_before_anybody_could_keep_it_is_kept(disk: Disk) -> None:
    """It was read when it was seen first; the times of the files say that it stood."""
    disk.write(b"one")
    disk.pass_time(0.3)
    disk.write(b"two")
    disk.pass_time(0.03)
    disk._now += 80_000_000  # this program had no turn meanwhile
    disk.write(b"three")
    disk.pass_time(0.2)
    assert disk.versions == [b"one", b"two", b"three"]


def test_a_file_that_is_too_large_is_said_once(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "LARGEST", 10)
    disk.write(b"twelve bytes")
    disk.pass_time(0.3)
    assert disk.said == ["“game.save” is 12 bytes long: up to 10 bytes are recorded."]
    disk.write(b"short")
    disk.pass_time(0.2)
    assert disk.versions == [b"short"]


# With a real file


def recorded(timeline: Timeline, do: Callable[[], object]) -> tuple[list[KeptVersion], list[str]]:
    """What is kept and said while something is done."""
    kept: list[KeptVersion] = []
    said: list[str] = []
    seen = threading.Event()

    def take(version: KeptVersion) -> None:
        kept.append(version)
        seen.set()

    stop = threading.Event()
    thread = threading.Thread(target=VersionRecorder(timeline, take, said.append).run, args=(stop,))
    thread.start()
    if timeline.file.exists():
        seen.wait(10)
    do()
    stop.set()
    thread.join()
    return kept, said


def test_a_real_file_is_recorded_and_what_stands_at_the_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    path.write_bytes(content(1))
    timeline = Timeline(path, tmp_path / "timelines")
    kept, said = recorded(timeline, lambda: path.write_bytes(content(2)))
    assert [timeline.read(version) for version in kept] == [content(1), content(2)]
    assert said == []
    assert path.read_bytes() == content(2)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game.save", "timelines"]


def test_two_programs_do_not_record_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    path.write_bytes(content(1))
    timeline = Timeline(path, tmp_path / "timelines")

    def try_again() -> None:
        with pytest.raises(TimelineProblem, match="recorded by another window or program"):
            VersionRecorder(Timeline(path, tmp_path / "timelines"), print, print).run(threading.Event())

    recorded(timeline, try_again)


def test_an_encrypted_file_is_kept_only_if_asked_and_then_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    path.write_bytes(b"GDEC" + bytes(200))
    timeline = Timeline(path, tmp_path / "timelines")
    stop = threading.Event()
    said: list[str] = []
    thread = threading.Thread(
        target=VersionRecorder(timeline, print, lambda words: (said.append(words), stop.set())).run, args=(stop,)
    )
    thread.start()
    stop.wait(10)
    stop.set()
    thread.join()
    assert "only if you ask for it" in said[0]
    assert timeline.versions == []
    timeline.switch(True, keeps_secrets=True)
    kept, said = recorded(timeline, lambda: None)
    assert timeline.read(kept[0]) == path.read_bytes()
    assert kept[0].is_secret


def test_what_is_encrypted_is_known_in_wraps_too() -> None:
    assert is_encrypted(b"GDEC" + bytes(100))
    assert is_encrypted(gzip.compress(b"GDEC\1\0\0\0" + bytes(100)))
    assert not is_encrypted(b"")
    assert not is_encrypted(gzip.compress(bytes(100)))


@pytest.mark.parametrize("way", ["rename", "truncate"])
@pytest.mark.skipif(not WRITES, reason="TIMELINE_WRITES says how often a program writes the file; it takes a while")
def test_a_program_that_writes_loses_no_version(tmp_path: Path, way: str) -> None:
    path = tmp_path / "game.save"
    path.write_bytes(b"before")
    timeline = Timeline(path, tmp_path / "timelines")
    command = [sys.executable, str(WRITER), str(path), way, str(WRITES)]
    started = time.monotonic()
    kept, said = recorded(timeline, lambda: subprocess.run(command, check=True))
    took = time.monotonic() - started
    expected = [b"before", *(content(number) for number in range(WRITES))]
    found = [timeline.read(version) for version in kept]
    print(f"{way}: {WRITES} writes in {took:.1f} s, {len(found)} kept, {len(set(expected) - set(found))} missing")
    assert said == []
    assert found == expected
    assert STOOD < 0.1
