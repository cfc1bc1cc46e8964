"""Reading and writing files: never half a file, always a way back, one sentence when it fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from viewer.base.buffer import Buffer
from viewer.document.disk import files
from viewer.document.disk.files import ChangedOnDisk, FileProblem, SaveStopped
from viewer.document.disk.paged import FileBlocks, HeldBytes, Paged
from viewer.document.splice import Splice, applied


def test_the_previous_version_stays_as_bak(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(b"old")
    _, stamp = files.read(path)
    files.write(path, b"new", stamp)
    assert path.read_bytes() == b"new"
    assert (tmp_path / "a.save.bak").read_bytes() == b"old"


def test_nothing_but_the_file_and_its_bak_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    for data in (b"1", b"2", b"3"):
        files.write(path, data)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.save", "a.save.bak"]


def test_permissions_survive_a_save(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(b"old")
    path.chmod(0o640)
    files.write(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link_to_the_written_file(tmp_path: Path) -> None:
    target, link = tmp_path / "real.save", tmp_path / "link.save"
    target.write_bytes(b"old")
    link.symlink_to(target)
    files.write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_file_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(b"old")
    _, stamp = files.read(path)
    path.write_bytes(b"from the game")
    with pytest.raises(ChangedOnDisk, match="changed by another program"):
        files.write(path, b"mine", stamp)
    assert path.read_bytes() == b"from the game"


def test_a_full_disk_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileProblem, match=r"no space left on device\. Nothing was changed"):
        files.write(path, b"new")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a.save", b"old")]


def test_a_file_that_is_gone_can_be_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(b"old")
    _, stamp = files.read(path)
    path.unlink()
    files.write(path, b"new", stamp)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("name", ["nothing.save", "."])
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileProblem) as caught:
        files.read(tmp_path / name)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


# Files that are read on demand, as large ones are

RAW = bytes(range(256)) * 4


def opened(path: Path, raw: bytes = RAW, positioned: bool = True) -> Paged:
    """A file with these bytes, read on demand."""
    path.write_bytes(raw)
    return Paged(FileBlocks(path, 64, 4, positioned and hasattr(os, "pread")))


def test_a_small_file_is_bytes_and_a_large_one_is_read_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(RAW)
    small, _ = files.read(path, large=len(RAW))
    large, stamp = files.read(path, large=len(RAW) - 1)
    assert isinstance(small, bytes)
    assert isinstance(large, Paged)
    assert (bytes(large), stamp) == (small, files.stamp(path))


def test_a_file_of_six_gigabytes_opens(tmp_path: Path) -> None:
    path = tmp_path / "huge.save"
    sparse(path, b"", (6 << 30) - 4, b"last")
    data, _ = files.read(path)
    assert len(data) == 6 << 30
    assert (data[:4], data[len(data) - 16 :]) == (bytes(4), bytes(12) + b"last")


def test_a_file_that_is_wanted_whole_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    sparse(path, b"", 3 << 30, b"")
    with pytest.raises(FileProblem, match="3221225472 bytes long; here files up to 1073741824 bytes are read"):
        files.read_whole(path)


@pytest.mark.parametrize("positioned", [True, False])
def test_a_large_file_is_saved_over_itself(tmp_path: Path, positioned: bool) -> None:
    path, old = tmp_path / "a.save", tmp_path / "a.save.bak"
    old.write_bytes(b"an older version")
    before = opened(path, positioned=positioned)
    after = before.spliced(500, 3, b"something longer")
    files.write(path, after, files.stamp(path))
    expected = RAW[:500] + b"something longer" + RAW[503:]
    assert (path.read_bytes(), old.read_bytes()) == (expected, RAW)
    assert (bytes(before), bytes(after), after.fault) == (RAW, expected, "")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.save", "a.save.bak"]


@pytest.mark.parametrize("positioned", [True, False])
def test_saving_again_and_again_over_itself_gives_the_last_bytes(tmp_path: Path, positioned: bool) -> None:
    path = tmp_path / "a.save"
    data: Buffer = opened(path, positioned=positioned)
    stamp = files.stamp(path)
    for word in (b"one", b"two", b"three"):
        data = applied(data, [Splice(0, b"", word)])
        stamp = files.write(path, data, stamp).stamp
        data = files.reread(path, data, stamp)
    assert path.read_bytes() == b"threetwoone" + RAW
    assert (tmp_path / "a.save.bak").read_bytes() == b"twoone" + RAW


def test_the_backup_is_the_old_file_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    data = opened(path)
    inode = path.stat().st_ino
    files.write(path, data.spliced(0, 1, b"x"))
    assert (tmp_path / "a.save.bak").stat().st_ino == inode


def test_where_there_are_no_links_the_backup_is_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "a.save"
    files.write(path, opened(path).spliced(0, 1, b"x"))
    assert (tmp_path / "a.save.bak").read_bytes() == RAW


def test_a_backup_that_is_another_name_of_the_file_does_no_harm(tmp_path: Path) -> None:
    path, old = tmp_path / "a.save", tmp_path / "a.save.bak"
    data = opened(path)
    os.link(path, old)
    files.write(path, data.spliced(0, 1, b"x"))
    assert (path.read_bytes()[:1], old.read_bytes()) == (b"x", RAW)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.save", "a.save.bak"]


def test_after_a_save_the_buffer_reads_the_new_file(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    data = opened(path).spliced(500, 3, b"new")
    stamp = files.write(path, data).stamp
    fresh = files.reread(path, data, stamp)
    assert isinstance(fresh, Paged)
    assert fresh.source.is_at(path)
    assert not data.source.is_at(path)
    assert bytes(fresh) == bytes(data)


def test_edited_bytes_in_memory_are_saved_and_stay_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(RAW)
    edited = Paged(HeldBytes(RAW)).spliced(3, 1, b"new")
    assert files.reread(path, edited, files.write(path, edited).stamp) is edited
    assert (path.read_bytes(), path.with_name("a.bak").read_bytes()) == (RAW[:3] + b"new" + RAW[4:], RAW)


def test_after_a_save_that_somebody_overwrote_the_old_bytes_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    data = opened(path).spliced(500, 3, b"new")
    stamp = files.write(path, data).stamp
    path.write_bytes(bytes(len(data)) + b"other")
    assert files.reread(path, data, stamp) is data


def test_writing_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[int] = []
    files.write(tmp_path / "a", bytes(files.CHUNK + 5), progress=lambda done: not told.append(done))
    assert told == [files.CHUNK, files.CHUNK + 5]


def test_a_save_that_is_stopped_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    data = opened(path).spliced(0, 1, b"x")
    with pytest.raises(SaveStopped):
        files.write(path, data, progress=lambda done: False)
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a.save", RAW)]


def test_a_large_file_written_in_place_meanwhile_is_not_saved_as_a_mixture(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    data = opened(path).spliced(0, 1, b"x")
    os.truncate(path, 512)
    with pytest.raises(FileProblem, match=r"“a\.save” was written by another program while it was open"):
        files.write(tmp_path / "b.save", data)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.save"]


def sparse(path: Path, start: bytes, at: int, end: bytes) -> None:
    """A file with *start*, then zeros that take no room, then *end* from offset *at* on."""
    with path.open("wb") as file:
        file.write(start)
        file.seek(at)
        file.write(end)
        file.truncate()
    found = path.stat()
    if getattr(found, "st_blocks", 0) * 512 > found.st_size // 2 or os.name == "nt":
        path.unlink()
        pytest.skip("this file system has no sparse files")
