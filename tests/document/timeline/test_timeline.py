"""A timeline: versions, marks and bounds on the disk, whatever happens to it.

``TIMELINE_KILLS=50 pytest tests/document/timeline/test_timeline.py -k killed`` kills oftener.
"""

from __future__ import annotations

import errno
import os
import random
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from document.timeline.recorded_writes import content, digest

from viewer.document.timeline import timeline as module
from viewer.document.timeline.timeline import (
    INDEX,
    KeptVersion,
    Timeline,
    TimelineBounds,
    TimelineMark,
    TimelineProblem,
    window_of,
)

KILLS = int(os.environ.get("TIMELINE_KILLS", "3"))
WRITER = Path(__file__).with_name("recorded_writes.py")


@pytest.fixture
def kept(tmp_path: Path) -> Timeline:
    return Timeline(tmp_path / "game.save", tmp_path / "timelines")


def again(kept: Timeline) -> Timeline:
    """The same timeline, as another program finds it."""
    return Timeline(kept.file, kept.folder.parent)


def problem_of(kept: Timeline, data: bytes) -> str:
    """What is said where bytes cannot be kept; empty where they can."""
    try:
        kept.add(data)
    except TimelineProblem as problem:
        return str(problem)
    return ""


def numbers(kept: Timeline) -> list[int]:
    return [version.number for version in kept.versions]


def test_nothing_is_made_before_something_is_kept(kept: Timeline) -> None:
    assert kept.versions == kept.marks == []
    assert not kept.folder.exists()
    with pytest.raises(TimelineProblem, match=r"No version of “game.save” is kept"):
        kept.version(1)


def test_versions_are_kept_once_in_their_order_and_read_back(kept: Timeline) -> None:
    for number in (1, 2, 2, 1, 3):
        kept.add(content(number), at=number)
    assert [kept.read(version) for version in kept.versions] == [content(number) for number in (1, 2, 1, 3)]
    assert again(kept).versions == kept.versions
    assert kept.versions[0] == KeptVersion(1, 1, len(content(1)), digest(content(1)))
    with pytest.raises(TimelineProblem, match="has no version 9; the latest one is 4"):
        kept.version(9)


def test_another_program_sees_what_this_one_says(kept: Timeline) -> None:
    other = again(kept)
    kept.add(content(1))
    other.add(content(2))
    mark = kept.mark("  I buy\n the sword ")
    other.add(content(3))
    other.done()
    kept.pin(1)
    kept.switch(True, keeps_secrets=True)
    other.refresh()
    kept.refresh()
    assert kept.marks == other.marks == [TimelineMark(1, mark.at, "I buy the sword", 2, 3)]
    assert kept.versions == other.versions
    assert other.versions[0].is_pinned
    assert (other.is_on, other.keeps_secrets) == (True, True)


def test_marks_say_what_they_hold(kept: Timeline) -> None:
    with pytest.raises(TimelineProblem, match="word or two"):
        kept.mark(" \n")
    with pytest.raises(TimelineProblem, match="no mark"):
        kept.done()
    kept.mark("first")
    for number in range(3):
        kept.add(content(number))
    assert window_of(kept.marks[0], kept.versions) == [1]
    kept.done()
    assert window_of(kept.marks[0], kept.versions) == [1, 2, 3]
    kept.unmark(1)
    assert again(kept).marks == []


def test_too_many_versions_are_thinned_out_but_no_pinned_or_marked_one(kept: Timeline) -> None:
    kept.bound(TimelineBounds(20, 1 << 28))
    told = []
    for number in range(1, 51):
        told.append(kept.add(content(number))[1])
        assert len(kept.versions) <= 20
        if number == 4:
            kept.pin(4)
        if number == 6:
            kept.mark("here")
    assert any("thinned out" in sentence and "pinned ones stay" in sentence for sentence in told)
    assert {4, 6, 7, 50} <= set(numbers(kept))
    assert kept.thinned == 50 - len(kept.versions) == again(kept).thinned
    assert all(kept.read(version) == content(version.number) for version in again(kept).versions)
    gaps = [later - earlier for earlier, later in zip(numbers(kept)[3:], numbers(kept)[4:], strict=False)]
    assert gaps[-1] == 1
    with pytest.raises(TimelineProblem, match="thinned out"):
        kept.version(5)


def test_too_many_bytes_are_thinned_out(kept: Timeline) -> None:
    kept.bound(TimelineBounds(1000, 1 << 20))
    chance = random.Random(1)
    for _ in range(25):
        kept.add(chance.randbytes(90_000))
        assert kept.stored <= 1 << 20
    on_disk = sum(file.stat().st_size for file in (kept.folder / "blocks").iterdir())
    assert on_disk == kept.stored
    assert len(kept.versions) > 5
    with pytest.raises(TimelineProblem, match="Allow it more"):
        kept.add(chance.randbytes(2_000_000))
    assert kept.stored <= 1 << 20
    assert all(kept.read(version) for version in kept.versions)


def test_where_all_is_pinned_nothing_is_lost_and_it_is_said(kept: Timeline) -> None:
    kept.bound(TimelineBounds(3, 1 << 28))
    for number in range(3):
        kept.add(content(number))
        kept.pin(number + 1)
    with pytest.raises(TimelineProblem, match="unpin versions"):
        kept.add(content(9))
    kept.pin(1, False)
    kept.add(content(9))
    assert numbers(kept) == [2, 3, 4]


def test_a_long_index_is_written_anew_and_says_the_same(kept: Timeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_REWRITING", 40)
    kept.bound(TimelineBounds(8, 1 << 28))
    for number in range(80):
        kept.add(content(number, 100))
    other = again(kept)
    assert (kept.folder / INDEX).stat().st_size < 80 * 150
    assert (other.versions, other.thinned, other.bounds) == (kept.versions, kept.thinned, kept.bounds)
    assert other.add(content(1))[0] == other.versions[-1]
    assert other.versions[-1].number == 81


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such permissions")
def test_all_of_it_is_for_its_owner_alone(kept: Timeline) -> None:
    kept.add(content(1))
    kept.mark("here")
    for path in (kept.folder, *kept.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_encrypted_versions_are_kept_only_if_asked(kept: Timeline) -> None:
    with pytest.raises(TimelineProblem, match="only if you ask"):
        kept.add(b"GDEC", is_secret=True)
    assert not kept.folder.exists()
    again(kept).switch(True, keeps_secrets=True)  # another object says so
    assert kept.add(b"GDEC", is_secret=True)[0] is not None
    assert again(kept).versions[0].is_secret


# Damage


def test_an_index_cut_anywhere_lists_what_is_there(kept: Timeline) -> None:
    for number in range(4):
        kept.add(content(number))
    path = kept.folder / INDEX
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        cut = again(kept)
        assert numbers(cut) == list(range(1, len(cut.versions) + 1))
        assert all(cut.read(version) == content(version.number - 1) for version in cut.versions)
        assert ("lists no version" in cut.problem) is (not cut.versions)


def test_a_version_behind_a_line_that_was_cut_off_is_kept(kept: Timeline) -> None:
    kept.add(content(1))
    with (kept.folder / INDEX).open("ab") as file:
        file.write(b'0badcafe {"kind":"ver')
    other = again(kept)
    other.add(content(2))
    assert numbers(again(kept)) == [1, 2]
    assert not again(kept).problem


def test_damaged_lines_are_said_and_nothing_else_is_lost(kept: Timeline) -> None:
    for number in range(6):
        kept.add(content(number))
    path = kept.folder / INDEX
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"size":', b'"sise":')
    path.write_bytes(b"".join(lines))
    other = again(kept)
    assert len(other.versions) == 5
    assert "1 line in the index of this timeline is damaged" in other.problem
    before = {file.name for file in (kept.folder / "blocks").iterdir()}
    other.bound(TimelineBounds(3, 1 << 28))
    other.add(content(9))
    assert before < {file.name for file in (kept.folder / "blocks").iterdir()}  # what the line named may be among them
    path.write_bytes(b"\xff\xfe nonsense\n" * 5)
    assert "5 lines" in again(kept).problem


def test_damaged_bytes_are_one_sentence_and_the_others_stay(kept: Timeline) -> None:
    for number in range(2):
        kept.add(content(number))
    (kept.folder / "blocks" / kept.versions[0].content).write_bytes(b"nothing")
    other = again(kept)
    with pytest.raises(TimelineProblem, match=r"Version 1 of “game.save” is damaged: .* The others stay"):
        other.read(other.versions[0])
    assert other.read(other.versions[1]) == content(1)


@pytest.mark.parametrize(
    ("number", "words", "call"),
    [
        (errno.ENOSPC, "the disk is full", "fsync"),
        (errno.EROFS, "cannot be written", "open"),
        (errno.EIO, "Input/output error", "replace"),
    ],
)
def test_a_disk_that_refuses_is_one_sentence_and_nothing_is_lost(
    kept: Timeline, monkeypatch: pytest.MonkeyPatch, number: int, words: str, call: str
) -> None:
    kept.add(content(1))
    real, count = getattr(os, call), 0

    def refuse(*arguments: object, **named: object) -> object:
        nonlocal count
        count += 1
        if count > refused_at:
            raise OSError(number, os.strerror(number))
        return real(*arguments, **named)

    for refused_at in range(8):
        count = 0
        with monkeypatch.context() as patch:
            patch.setattr(os, call, refuse)
            problem = problem_of(kept, content(100 + refused_at))
        assert not problem or (words in problem and "What was kept stays" in problem)
        assert problem or refused_at
        other = again(kept)
        assert other.versions == kept.versions
        assert not other.problem
        assert all(other.read(version) for version in other.versions)
    assert again(kept).add(content(2))[0] is not None


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is read-only here")
def test_a_read_only_folder_is_one_sentence(kept: Timeline) -> None:
    kept.folder.parent.mkdir()
    kept.folder.parent.chmod(0o500)
    with pytest.raises(TimelineProblem, match="cannot be written"):
        kept.add(content(1))


def test_a_folder_that_somebody_holds_is_one_sentence(kept: Timeline, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.add(content(1))
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with kept._changing(), pytest.raises(TimelineProblem, match="in use by another program"):
        again(kept).add(content(2))


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed so there")
def test_killed_at_any_moment_it_loses_nothing_that_was_listed(tmp_path: Path) -> None:
    file, root = tmp_path / "game.save", tmp_path / "timelines"
    chance, listed = random.Random(KILLS), 0
    for kill in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, str(WRITER), str(file), "keep", str(root), str(kill + 1)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(chance.randrange(1, 90))]
        before = Timeline(file, root)  # what somebody else sees while it runs
        seen = {version.number for version in before.versions}
        os.kill(writer.pid, signal.SIGKILL)
        said += writer.stdout.readlines()
        writer.wait()
        writer.stdout.close()
        after = Timeline(file, root)
        assert not after.problem
        versions = {version.number: version for version in after.versions}
        for version in versions.values():
            assert digest(after.read(version)) == version.content
        last_number, last_content = said[-1].split()
        assert versions[int(last_number)].content == last_content  # the newest one is never thinned out
        assert after.protected() <= {0, *versions}
        assert seen <= set(versions) or after.thinned > before.thinned
        assert len(versions) <= 60
        listed += len(versions)
    assert listed
    print(f"{KILLS} kills, {listed} listed versions read back")
