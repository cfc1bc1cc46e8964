"""Files that hold a person's bytes are for their owner alone, from the first moment on."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.document.bookmarks import Bookmark, keep, load
from viewer.document.disk.private_files import close_to_others, make_private, open_private, write_private
from viewer.document.selection import SelectionAnchor

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no permissions of this kind")


@pytest.fixture(autouse=True)
def _loose_mask() -> Iterator[None]:
    """The mask under which a careless program makes files for all to write."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_missing_folders_are_made_for_the_owner_alone(tmp_path: Path) -> None:
    make_private(tmp_path / "a" / "b")
    assert [mode(tmp_path / "a"), mode(tmp_path / "a" / "b")] == [0o700, 0o700]


def test_a_folder_that_was_loose_is_closed_and_those_above_it_are_left(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    make_private(tmp_path / "a" / "b")
    assert [mode(tmp_path / "a"), mode(tmp_path / "a" / "b")] == [0o777, 0o700]


def test_what_the_owner_may_not_do_stays_so(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a").chmod(0o555)
    close_to_others(tmp_path / "a")
    assert mode(tmp_path / "a") == 0o500


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(OSError, match="directory"):
        make_private(tmp_path / "a")


def test_a_file_is_closed_before_a_byte_is_in_it(tmp_path: Path) -> None:
    fresh, loose = tmp_path / "fresh", tmp_path / "loose"
    loose.write_bytes(b"old")
    for path in (fresh, loose):
        handle = open_private(path, os.O_RDWR | os.O_CREAT)
        assert mode(path) == 0o600
        os.close(handle)
    assert loose.read_bytes() == b"old"


def test_a_new_file_is_closed_from_its_first_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchmod", refuse)
    os.close(open_private(tmp_path / "fresh", os.O_RDWR | os.O_CREAT))
    assert mode(tmp_path / "fresh") == 0o600


def test_a_small_file_is_replaced_whole_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"old")
    (tmp_path / "kept.new").write_bytes(b"of a run that died, and longer")
    write_private(path, b"new")
    assert (path.read_bytes(), mode(path)) == (b"new", 0o600)
    assert os.listdir(tmp_path) == ["kept"]


def test_bookmarks_are_closed_also_in_a_folder_that_was_loose(tmp_path: Path) -> None:
    folder = tmp_path / "bookmarks"
    folder.mkdir()
    mark = Bookmark(SelectionAnchor("[0]"), 0, "where the diary is")
    keep(folder, tmp_path / "game.save", [mark])
    assert [mode(folder), *(mode(each) for each in folder.iterdir())] == [0o700, 0o600]


def test_bookmarks_of_an_earlier_version_are_closed_when_they_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "bookmarks"
    folder.mkdir()
    assert load(folder, tmp_path / "game.save") == []
    assert mode(folder) == 0o700
