"""Dialects are data: the shipped ones are complete, a user's own needs one file, and a bad one is a sentence."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.variant import dialect
from viewer.variant.dialect import DialectError, EventType, available, input_event, keys, load, parse_dialect

COUNTS = {
    "godot2": 29,
    "godot3": 27,
    "godot4.0": 38,
    "godot4": 39,
    "pandemonium3.5": 33,
    "pandemonium4": 38,
    "pandemonium5": 40,
}


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A configuration folder of this test; what was read from another one is forgotten, before and after."""
    caches = (dialect.load, dialect.keys, dialect.available, dialect._own)
    monkeypatch.setattr("viewer.base.assets._configuration", lambda: tmp_path)
    (tmp_path / "dialects").mkdir()
    for cached in caches:
        cached.cache_clear()
    yield tmp_path / "dialects"
    for cached in caches:
        cached.cache_clear()


def shipped(key: str) -> str:
    from viewer.base import assets

    return assets.text("dialects", f"{key}.toml")


def test_every_engine_line_has_the_number_of_types_that_it_has() -> None:
    assert {key: len(load(key).rows) for key in keys()} == COUNTS


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("godot2", {"Image": 15, "NodePath": 16, "Dictionary": 20, "ColorArray": 28}),
        ("godot3", {"Vector3": 7, "NodePath": 15, "Dictionary": 18, "Array": 19, "PoolColorArray": 26}),
        ("godot4", {"Vector2i": 6, "StringName": 21, "Dictionary": 27, "Array": 28, "PackedVector4Array": 38}),
        ("pandemonium3.5", {"Rect2i": 8, "StringName": 21, "PoolColorArray": 32}),
        ("pandemonium4", {"Rect2": 5, "Projection": 19, "PoolByteArray": 27, "PoolColorArray": 37}),
        ("pandemonium5", {"TypedArray": 27, "PackedTypedArray": 28, "PoolByteArray": 29, "PoolColorArray": 39}),
    ],
)
def test_the_same_number_means_different_types(key: str, numbers: dict[str, int]) -> None:
    assert {name: load(key).type_number(name) for name in numbers} == numbers


def test_a_users_own_file_is_a_dialect_like_any_other(own_folder: Path) -> None:
    text = shipped("godot4").replace('"Quaternion", ', "").replace("Godot 4", "My Fork")
    (own_folder / "fork.toml").write_text(text, encoding="utf-8")
    assert "fork" in keys()
    assert load("fork").type_number("AABB") == load("godot4").type_number("AABB") - 1
    assert load("fork") in available()


@pytest.mark.parametrize(
    "text",
    ["", "types = [", 'name = "x"\nabout = "x"\ntypes = ["Nonsense"]\n[rules]\n', "name = 5"],
)
def test_a_file_that_cannot_be_used_is_one_sentence_and_harms_nothing(own_folder: Path, text: str) -> None:
    (own_folder / "broken.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DialectError, match="broken"):
        load("broken")
    assert len(available()) == len(COUNTS)


def test_an_unknown_shape_is_named() -> None:
    with pytest.raises(DialectError, match="unknown shape “Vector9”"):
        parse_dialect("x", shipped("godot3").replace('"Vector3"', '"Vector9"'))


def test_an_unknown_dialect_says_which_there_are() -> None:
    with pytest.raises(DialectError, match="Known are godot2, godot3"):
        load("godot9")


def test_of_events_that_no_engine_knows_nothing_is_remembered() -> None:
    """A damaged file may name any number of them."""
    assert {input_event(number).fields for number in range(1000, 2000)} == {()}
    gc.collect()
    kept = {each.name for each in gc.get_objects() if isinstance(each, EventType)}
    assert kept <= {input_event(number).name for number in range(9)}
    assert input_event(1) is input_event(1)
