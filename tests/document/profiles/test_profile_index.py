"""A profile of one game costs nothing for the saves of another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from viewer.base import assets
from viewer.document.profiles import profile_folder
from viewer.document.profiles.profile_index import LONGEST_HEAD, may_have_profile

KEY = '\n[[key]]\nat = "gold"\n'


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of profiles, empty."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path)
    folder = tmp_path / profile_folder.FOLDER
    folder.mkdir()
    return folder


@pytest.mark.parametrize("path", ["/saves/GODOT3-RPG-2.save", "godot4-typed.save"])
def test_a_profile_of_the_program_is_told_by_the_name_of_the_file(path: str) -> None:
    assert may_have_profile(path)
    assert not may_have_profile(path.replace(".save", ".sav"))


@pytest.mark.parametrize(
    ("head", "path", "may"),
    [
        ('name = "X"\nfiles = "slot*.save"', "/home/a/Slot1.save", True),
        ('name = "X"\nfiles = "slot*.save"', "/slot1.save/other", False),
        ('name = "X"\nfiles = "fens/slot*"', "/home/fens/slot1", True),
        ('name = "X"\nfiles = "fens/slot*"', "/home/other/slot1", False),
        ('files = "slot*"\nfiles = "b*"', "other", True),
        ("name = '''\nfiles = \"slot*\"\n'''\nhas = [\"gold\"]", "other", True),
        ('files="slot*"', "other", True),
        ('files = "slot\\u002A"', "other", True),
        ('has = ["gold"]', "other", True),
        ("this is no TOML", "other", True),
        ("#" * LONGEST_HEAD + '\nfiles = "slot*"', "other", True),
        ('name = "X"' + KEY + 'files = "slot*"', "other", True),
    ],
)
def test_only_a_plain_pattern_keeps_a_profile_from_being_read(own: Path, head: str, path: str, may: bool) -> None:
    (own / "x.toml").write_text(head + KEY, encoding="utf-8")
    assert may_have_profile(path) is may


def test_without_profiles_nothing_is_read() -> None:
    assert not may_have_profile("other.save")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_cannot_be_read_is_left_to_whoever_says_so(own: Path) -> None:
    os.mkfifo(own / "pipe.toml")
    (own / "latin.toml").write_bytes('files = "slót*"\n'.encode("latin-1"))
    assert may_have_profile("other.save")
    assert len(profile_folder.broken_profiles()) == 2
