"""Favourites of a profile, in its order."""

from __future__ import annotations

from viewer.document.document import Document
from viewer.document.profiles.favourites import favourites
from viewer.document.profiles.profile_labels import ProfileLabels
from viewer.document.profiles.profile_parser import parse_profile
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

GODOT4 = load("godot4")


def test_favourites_have_names_and_values() -> None:
    value = '{"gold": 7, "party": [{"hp": 1}, {"hp": 2}], "ids": PackedStringArray("a", "b"), "hp": 9}'
    document = Document(encode(parse_literal(value, GODOT4), GODOT4), name="x.save")
    keys = ("party[*].hp'\nname = 'Health", "gold'\nunit = 'coins", "ids[1]", "gone", "..hp")
    text = "name = 'X'\nfiles = '*.save'\n" + "".join(f"[[key]]\nat = '{key}'\nfavourite = true\n" for key in keys)
    labels = ProfileLabels(parse_profile("x", text, "x.toml", str), GODOT4)
    assert [(each.name, each.text, each.label.meaning) for each in favourites(document, labels)] == [
        ("[0] Health", "1", ""),
        ("[1] Health", "2", ""),
        ("gold", "7", "coins"),
        ("[1]", '"b"', ""),
        ("hp", "9", ""),
    ]
