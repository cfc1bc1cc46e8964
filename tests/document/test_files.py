"""Reading and writing files: never half a file, always a way back, one sentence when it fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from viewer.document import files
from viewer.document.files import ChangedOnDisk, FileProblem


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


def test_a_file_of_three_gigabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.save"
    with path.open("wb") as file:
        file.truncate(3 << 30)
    with pytest.raises(FileProblem, match="can be opened"):
        files.read(path)
