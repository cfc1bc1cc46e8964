"""The versions beside a file: what a save that fails at any call leaves, what is no version, long names, attributes."""

from __future__ import annotations

import errno
import os
import random
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from viewer.document.disk import files
from viewer.document.disk.file_versions import UNDONE
from viewer.document.disk.files import ChangedOnDisk, FileProblem, SaveStopped

unix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")

CALLS = ("open", "link", "replace", "fsync", "chmod", "fchown", "setxattr", "utime", "unlink")
"""What a save asks of the system, beside reading and writing."""


def contents(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


class Refusing:
    """Lets the system refuse one of the calls in :data:`CALLS`: number *refused* of those that come.

    Attributes:
        count: how many came.
    """

    def __init__(self, patch: pytest.MonkeyPatch, links: bool) -> None:
        self.count = 0
        self.refused = -1
        for name in CALLS:
            patch.setattr(os, name, self._wrapped(getattr(os, name), name == "link" and not links))

    def _wrapped(self, call: Callable[..., Any], never: bool) -> Callable[..., Any]:
        def wrapped(*args: Any, **more: Any) -> Any:
            if never:
                raise OSError(errno.EPERM, "Operation not permitted")
            self.count += 1
            if self.count - 1 == self.refused:
                raise OSError(errno.ENOSPC, "No space left on device")
            return call(*args, **more)

        return wrapped


VERSIONS: dict[str, dict[str, bytes]] = {
    "none yet": {"a": b"now"},
    "one": {"a": b"now", "a.bak": b"v2"},
    "all": {"a": b"now", "a.bak": b"v2", "a.bak2": b"v1", "a.bak3": b"v0"},
    "a gap": {"a": b"now", "a.bak": b"v2", "a.bak3": b"v0"},
    "older than kept": {"a": b"now", "a.bak": b"v2", "a.bak2": b"v1", "a.bak3": b"v0", "a.bak4": b"v-1"},
    "killed in the middle": {
        "a": b"now",
        "a.bak": b"v2",
        "a.bak2": b"v1",
        "a.bak3": b"=a.bak2",
        "a.bak-oldest": b"v0",
    },
    "killed at the start": {
        "a": b"now",
        "a.bak": b"v2",
        "a.bak2": b"v1",
        "a.bak3": b"v0",
        "a.bak-oldest": b"=a.bak3",
    },
    "killed at the end": {"a": b"now", "a.bak": b"=a", "a.bak2": b"v2", "a.bak3": b"v1", "a.bak-oldest": b"v0"},
}
"""Folders before a save that keeps three versions; ``=`` is a second name."""


def lay_out(folder: Path, versions: dict[str, bytes]) -> None:
    folder.mkdir()
    for name, data in versions.items():
        if data.startswith(b"="):
            os.link(folder / data[1:].decode(), folder / name)
        else:
            (folder / name).write_bytes(data)
            os.utime(folder / name, ns=(0, sum(data) * 10**9))


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("versions", VERSIONS.values(), ids=VERSIONS)
def test_a_save_that_is_refused_at_any_call_changes_nothing_or_is_done(
    tmp_path: Path, versions: dict[str, bytes], links: bool
) -> None:
    for number in range(1000):
        folder = tmp_path / str(number)
        lay_out(folder, versions)
        before = contents(folder)
        with pytest.MonkeyPatch.context() as patch:
            refusing = Refusing(patch, links)
            refusing.refused = number
            try:
                files.write(folder / "a", b"new", backup=3)
                problem = ""
            except FileProblem as error:
                problem = str(error)
        found = {name: data for name, data in contents(folder).items() if not name.endswith(UNDONE)}
        if not problem:
            assert found["a"] == b"new"
            assert set(found.values()) >= {b"now", *list(before.values())[:3]} - {b"v-1", b"v0"}
        else:
            # what names an interrupted save has left may be set right; every version stays, in its order
            assert "Nothing was changed" in problem
            assert found["a"] == b"now"
            assert set(found.values()) == set(before.values())
            assert set(found) <= set(before)
            assert {name: found[name] for name in found if name in ("a", "a.bak", "a.bak2")} == {
                name: before[name] for name in before if name in ("a", "a.bak", "a.bak2")
            }
        files.write(folder / "a", b"next", backup=3)
        rest = [name for name in contents(folder) if name.endswith((UNDONE, "-oldest"))]
        assert not rest, f"call {number} refused: {rest} left behind"
        if number >= refusing.count:
            assert not problem, "nothing was refused, and the save failed"
            return
    raise AssertionError("a save takes so many calls")


def test_versions_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for number in range(6):
        files.write(path, b"%d" % number, backup=3)
    assert contents(tmp_path) == {"a": b"5", "a.bak": b"4", "a.bak2": b"3", "a.bak3": b"2"}


def test_without_second_names_versions_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Refusing(monkeypatch, links=False)
    test_versions_keep_their_order(tmp_path)


@pytest.mark.parametrize("name", list(VERSIONS)[5:])
def test_the_save_after_a_killed_one_loses_no_version(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "f"
    lay_out(folder, VERSIONS[name])
    files.write(folder / "a", b"new", backup=3)
    assert contents(folder) == {"a": b"new", "a.bak": b"now", "a.bak2": b"v2", "a.bak3": b"v1"}


def test_versions_older_than_are_kept_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    lay_out(folder, VERSIONS["all"])
    files.write(folder / "a", b"new", backup=1)
    assert contents(folder) == {"a": b"new", "a.bak": b"now", "a.bak2": b"v1", "a.bak3": b"v0"}


def test_without_versions_nothing_but_the_file_changes(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    lay_out(folder, VERSIONS["killed at the end"])
    before = contents(folder)
    files.write(folder / "a", b"new", backup=0)
    assert contents(folder) == {**before, "a": b"new"}


@unix
def test_a_folder_or_link_called_bak_is_left_alone(tmp_path: Path) -> None:
    path, precious = tmp_path / "a", tmp_path / "precious"
    precious.write_bytes(b"precious")
    (tmp_path / "a.bak").symlink_to(precious)
    (tmp_path / "a.bak2").mkdir()
    (tmp_path / "a.bak4").symlink_to(tmp_path / "nowhere")
    for number in range(4):
        files.write(path, b"%d" % number, backup=2)
    assert precious.read_bytes() == b"precious"
    assert ((tmp_path / "a.bak").is_symlink(), (tmp_path / "a.bak2").is_dir()) == (True, True)
    assert ((tmp_path / "a.bak3").read_bytes(), (tmp_path / "a.bak5").read_bytes()) == (b"2", b"1")
    assert not (tmp_path / "nowhere").exists()


# Saves that died, and those under way


def test_what_dead_saves_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    mine = [f".a.0123abcd{UNDONE}", f".b.save.0123abcd.bak2{UNDONE}", f".é.00000000.bak-oldest{UNDONE}"]
    others = [".a.0123abcd.tmp", "a.0123abcd" + UNDONE, f".a.0123ABCD{UNDONE}", f".a.xyz{UNDONE}"]
    for name in (*mine, *others):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / f".c.0123abcd{UNDONE}").mkdir()
    files.write(tmp_path / "a", b"new")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted([*others, f".c.0123abcd{UNDONE}", "a"])


def test_what_another_save_under_way_made_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    seen: list[set[str]] = []

    def progress(done: int) -> bool:
        if not seen:
            seen.append(set(contents(tmp_path)))
            files.write(path, b"another")
            seen.append(set(contents(tmp_path)))
        return True

    files.write(path, b"first", progress=progress)
    assert len(seen[0]) == 1
    assert seen[1] == {*seen[0], "a"}
    assert contents(tmp_path) == {"a": b"first", "a.bak": b"another"}


def test_a_file_that_another_program_wrote_while_the_new_one_was_made_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def progress(done: int) -> bool:
        path.write_bytes(b"from the game")
        return True

    with pytest.raises(ChangedOnDisk):
        files.write(path, b"mine", files.stamp(path), progress=progress)
    assert contents(tmp_path) == {"a": b"from the game"}


def test_saves_at_the_same_time_lose_no_version(tmp_path: Path) -> None:
    path = tmp_path / "a"
    files.write(path, b"first")
    code = (
        "import sys; from pathlib import Path; from viewer.document.disk import files\n"
        "for n in range(7): files.write(Path(sys.argv[1]), f'{sys.argv[2]}{n}'.encode(), backup=99)"
    )
    root = Path(__file__).parents[3]
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), name], env={**os.environ, "PYTHONPATH": str(root)}, cwd=root
        )
        for name in "xyz"
    ]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    found = contents(tmp_path)
    assert set(found.values()) == {b"first", *(f"{name}{n}".encode() for name in "xyz" for n in range(7))}
    assert len(found) == 22


def test_a_file_that_somebody_holds_locked_can_still_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl", reason="Windows has other locks")
    monkeypatch.setattr("viewer.document.disk.file_versions.PATIENCE", 0.05)
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        files.write(path, b"new")
    assert contents(tmp_path) == {"a": b"new", "a.bak": b"old"}


# Names


@pytest.mark.parametrize("size", [200, 225, 226, 240, 246, 247, 250, 251, 252, 255])
@pytest.mark.parametrize("sign", ["a", "é", "日", "𝄞"])
def test_long_names_can_be_saved_with_their_versions(tmp_path: Path, sign: str, size: int) -> None:
    wide = len(sign.encode())
    names = [sign * (size // wide) + "x" * (size % wide), sign * (size // wide - 1) + "y" * (size % wide + wide)]
    for name in names:
        assert len(os.fsencode(name)) == size
        for number in range(5):
            files.write(tmp_path / name, f"{name}{number}".encode(), backup=3)
    found = contents(tmp_path)
    assert sorted(found.values()) == sorted(f"{name}{number}".encode() for name in names for number in range(1, 5))
    assert all(name.encode("utf-8") for name in found)
    assert all(found[name] == f"{name}4".encode() for name in names)


@unix
def test_a_long_name_of_bytes_that_are_no_text_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\x80\xbf\xff" * 85)
    files.write(path, b"1")
    files.write(path, b"2")
    assert sorted(contents(tmp_path).values()) == [b"1", b"2"]


def test_a_name_that_is_too_long_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match=r"too long\. Nothing was changed: save under a shorter name\."):
        files.write(tmp_path / ("a" * 256), b"new")
    assert contents(tmp_path) == {}


# What belongs to a file


def test_extended_attributes_and_access_lists_stay(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    try:
        os.setxattr(path, "user.note", b"mine")
    except (OSError, AttributeError):
        pytest.skip("this file system keeps no extended attributes")
    listed = access_list((1, 6, None), (2, 4, 65534), (4, 4, None), (16, 6, None), (32, 0, None))
    os.setxattr(path, "system.posix_acl_access", listed)
    mode = path.stat().st_mode
    for number in range(2):
        files.write(path, b"%d" % number)
        for each in (path, tmp_path / "a.bak"):
            assert os.getxattr(each, "user.note") == b"mine"
            assert os.getxattr(each, "system.posix_acl_access") == listed
            assert each.stat().st_mode == mode


def test_a_copy_of_the_old_version_is_on_the_disk_before_names_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a file with another name: that keeps the file, and the version is a copy."""
    path = tmp_path / "a"
    path.write_bytes(b"old")
    try:
        os.link(path, tmp_path / "other")
    except (OSError, NotImplementedError):
        pytest.skip("this file system has no second names")
    flushed: list[int] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        flushed.append(os.fstat(handle).st_ino)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    files.write(path, b"new")
    assert (tmp_path / "a.bak").read_bytes() == b"old"
    assert (tmp_path / "a.bak").stat().st_ino in flushed


def test_the_access_list_of_a_folder_is_not_added_to_its_files(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o600)
    default = access_list((1, 7, None), (2, 7, 65534), (4, 0, None), (16, 7, None), (32, 0, None))
    try:
        os.setxattr(tmp_path, "system.posix_acl_default", default)
    except (OSError, AttributeError):
        pytest.skip("this file system keeps no access lists")
    files.write(path, b"new")
    assert "system.posix_acl_access" not in os.listxattr(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    files.write(tmp_path / "b", b"new")  # a new one gets what the folder gives
    assert "system.posix_acl_access" in os.listxattr(tmp_path / "b")


def access_list(*entries: tuple[int, int, int | None]) -> bytes:
    """A POSIX access list as Linux keeps it in an attribute: version 2, then tag, permissions and id of each entry."""
    parts = [(2).to_bytes(4, "little")]
    for tag, permissions, who in entries:
        parts.append(tag.to_bytes(2, "little") + permissions.to_bytes(2, "little"))
        parts.append((0xFFFFFFFF if who is None else who).to_bytes(4, "little"))
    return b"".join(parts)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_owner_and_group_stay(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    os.chown(path, 65534, 65533)
    path.chmod(0o4750)
    files.write(path, b"new")
    for each in (path, tmp_path / "a.bak"):
        found = each.stat()
        assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (65534, 65533, 0o4750)


@unix
def test_an_owner_that_cannot_be_kept_is_said_and_nobody_gets_more_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path, 65534, 65533)
    path.chmod(0o6764)

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refused)
    saved = files.write(path, b"new")
    assert saved.remarks == ("“a” belongs to you or your group now: its owner or group could not be kept.",)
    assert stat.S_IMODE(path.stat().st_mode) == 0o744


def test_other_names_of_a_file_keep_the_old_bytes_and_it_is_said(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "other"
    path.write_bytes(b"old")
    os.link(path, other)
    saved = files.write(path, b"new")
    assert saved.remarks == ("“a” had another name (a hard link), which still leads to the previous version.",)
    with other.open("r+b") as file:  # written in place, as a game may do
        file.write(b"OLD")
    assert contents(tmp_path) == {"a": b"new", "other": b"OLD", "a.bak": b"old"}
    assert files.write(path, b"newer").remarks == ()


@unix
def test_a_new_file_gets_the_permissions_that_its_user_wants(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        files.write(tmp_path / "a", b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


# What is no file, or cannot be written


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "x").symlink_to(tmp_path / "y")
    (tmp_path / "y").symlink_to(tmp_path / "x")
    yield tmp_path / "x"
    assert (tmp_path / "x").is_symlink()


@unix
def test_a_link_in_a_circle_is_said(loop: Path) -> None:
    with pytest.raises(FileProblem, match="leads in a circle; save under another name"):
        files.write(loop, b"new")


@unix
def test_a_link_to_a_file_that_is_gone_leads_to_the_new_one(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("gone")
    files.write(link, b"new")
    assert (link.is_symlink(), (tmp_path / "gone").read_bytes()) == (True, b"new")


def test_a_folder_in_the_place_of_the_file_is_said_before_anything_changes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a.bak").write_bytes(b"old")
    with pytest.raises(FileProblem, match="is a folder; save under another name"):
        files.write(tmp_path / "a", b"new")
    assert contents(tmp_path) == {"a.bak": b"old"}


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match=r"there is no such folder\. Nothing was changed: save in another folder\."):
        files.write(tmp_path / "gone" / "a", b"new")


@pytest.mark.parametrize("kept", [0, 3])
def test_a_file_deleted_meanwhile_is_written_again(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    known = files.stamp(path)
    files.write(path, b"new", known, kept, progress=lambda _: path.unlink() is None)
    assert contents(tmp_path) == {"a": b"new"}


@unix
def test_a_pipe_is_written_when_somebody_reads_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = random.Random(1).randbytes(300_000)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    files.write(pipe, data)
    reader.join(10)
    assert read == [data]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


@unix
def test_a_pipe_that_nobody_reads_can_be_given_up(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(SaveStopped):
        files.write(pipe, b"new", progress=lambda _: False)
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


@unix
def test_a_device_that_is_full_is_said() -> None:
    with pytest.raises(FileProblem, match=r"no space left on device\. It is not a file"):
        files.write(Path("/dev/full"), b"new")
