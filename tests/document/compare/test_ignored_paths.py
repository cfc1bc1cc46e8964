"""Paths that always change: remembered for a folder, proposed from saves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from corpus import DATA

from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import CompareOptions
from viewer.document.compare.ignored_paths import IgnoredProblem, keep, learned, load, patterns_for
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path

RPG = DATA / "godot3" / "files" / "rpg.save"


def save(**values: str) -> Document:
    """The role-playing game's save with other values; ``__`` stands for a dot."""
    document = Document(RPG.read_bytes())
    for path, literal in values.items():
        item = parse_path(document, f"[0].{path.replace('__', '.')}")
        document.apply(set_literal(document, item, literal))
    return document


def test_what_differs_between_all_saves_is_proposed_and_hushes_them() -> None:
    saves = [
        save(play_time="1.5", saved_at_unix="1", player__gold="10", player__hp="80.5"),
        save(play_time="2.5", saved_at_unix="2", player__gold="10", player__hp="70.5"),
        save(play_time="3.5", saved_at_unix="3", player__gold="55", player__hp="60.5"),
    ]
    found = learned(saves)
    assert found == ["**.saved_at_unix", "**.play_time", "**.hp"]
    rows = compare(saves[1], saves[2], CompareOptions(ignore=tuple(found))).changes
    assert len(rows) == 1
    assert learned(saves[:1]) == []


def test_a_key_that_differs_elsewhere_only_sometimes_is_named_by_its_path() -> None:
    assert learned([save(player__name=f'"{number}"') for number in range(3)]) == ["**.name"]
    first, second, third = (save(player__name=f'"{number}"') for number in range(3))
    third.apply(set_literal(third, parse_path(third, "[0].inventory[0].name"), '"another"'))
    assert learned([first, second, third]) == [".player.name"]
    rows = compare(first, second, CompareOptions(ignore=(".player.name",))).changes
    assert rows == ()


def test_what_is_remembered_is_for_the_folder_and_its_owner_alone(tmp_path: Path) -> None:
    folder, file = tmp_path / "config" / "ignored", tmp_path / "saves" / "a.save"
    assert load(folder, file) == ()
    keep(folder, file, ["**.play_time", "[0].seed"])
    assert load(folder, file.with_name("b.save")) == ("**.play_time", "[0].seed")
    assert load(folder, tmp_path / "elsewhere" / "a.save") == ()
    assert load(folder, None) == ()
    kept = list(folder.iterdir())
    if os.name != "nt":
        assert [path.stat().st_mode & 0o077 for path in (folder, *kept)] == [0, 0]
    keep(folder, file, [])
    assert load(folder, file) == ()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"ignore": 5}', '{"ignore": [1, "", "**.a"]}', "[" * 100_000])
def test_what_somebody_else_wrote_there_is_no_fault(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.save"
    keep(tmp_path / "ignored", file, ["**.b"])
    next((tmp_path / "ignored").iterdir()).write_text(text, encoding="utf-8")
    assert load(tmp_path / "ignored", file) in ((), ("**.a",))


def test_what_cannot_be_remembered_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(IgnoredProblem, match="no file yet"):
        keep(tmp_path, None, ["**.a"])
    blocked = tmp_path / "blocked"
    blocked.write_bytes(b"")
    with pytest.raises(IgnoredProblem, match="cannot be remembered"):
        keep(blocked, tmp_path / "a.save", ["**.a"])


def test_patterns_are_offered_for_a_path() -> None:
    assert patterns_for("[0].player.play_time") == ["**.play_time", "[0].player.play_time"]
    assert patterns_for("[0][2]") == ["[0][2]"]
