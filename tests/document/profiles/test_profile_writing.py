"""A profile is made from an open file, can be read again, and keeps what it said before."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.base import assets
from viewer.base.record import replace
from viewer.document.document import Document
from viewer.document.profiles.profile_fitting import fitting_profile
from viewer.document.profiles.profile_folder import profiles, read_profile, shipped_profiles
from viewer.document.profiles.profile_writing import DraftKey, draft, draft_keys, usual_game, usual_pattern

RPG = "godot3-rpg.save"


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of profiles, empty."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path / "own")
    return tmp_path / "own" / "profiles"


def rpg(name: str = "slot12.save") -> Document:
    return Document(assets.data("samples", RPG), Path("/games/Fens") / name)


def test_keys_are_offered_once_with_all_places_of_an_array() -> None:
    keys = draft_keys(rpg(), None)
    paths = [key.at for key in keys]
    assert len(set(paths)) == len(paths)
    assert {"player.gold", "inventory[*].id", "player.attributes"} <= set(paths)
    assert next(key for key in keys if key.at == "player.gold") == DraftKey("player.gold", "1375")


@pytest.mark.parametrize(
    ("name", "pattern"), [("slot12.save", "slot*.save"), ("a1b2.x.sav", "a1b*.x.sav"), ("game", "game"), ("s3", "s*")]
)
def test_a_pattern_is_made_of_a_name(name: str, pattern: str) -> None:
    assert usual_pattern(rpg(name)) == pattern
    assert usual_game(rpg(name)) == "Fens"


def test_what_is_said_makes_a_profile_that_fits(own: Path) -> None:
    document = rpg()
    said = {"player.gold": {"name": 'The "gold"\x07', "is_favourite": True}, "version": {"is_hidden": True}}
    keys = [replace(key, **said.get(key.at, {})) for key in draft_keys(document, None)]
    made = draft("Füns: 2", "slot*.save", keys, None)
    made.write()
    assert made.path == own / "füns-2.toml"
    profile = fitting_profile(document, profiles())
    assert profile is not None
    assert [(key.at.text, key.name, key.is_favourite, key.is_hidden) for key in profile.keys] == [
        ("version", "", False, True),
        ("player.gold", 'The "gold"\x07', True, False),
    ]
    assert profile.has[0].text == "player.gold"
    assert draft("Füns: 2", "", keys, None).path == own / "füns-2-2.toml"


def test_a_profile_of_the_program_is_kept_with_its_tables(own: Path) -> None:
    shipped = shipped_profiles()[1]
    keys = draft_keys(rpg(), shipped)
    made = draft(shipped.name, shipped.files, keys, shipped)
    made.write()
    again = read_profile(made.path)
    assert (own / "lantern-fens-items.csv").is_file()
    assert [replace(key, at=shipped.keys[0].at) for key in again.keys] == [
        replace(key, at=shipped.keys[0].at) for key in shipped.keys
    ]
    assert [key.at.text for key in again.keys] == [key.at.text for key in shipped.keys]
    draft("Other", again.files, draft_keys(rpg(), again), again).write()
    assert read_profile(made.path).name == "Other"
    assert "The Lantern Fens" in made.path.with_suffix(".toml.bak").read_text(encoding="utf-8")
