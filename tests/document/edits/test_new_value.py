"""What may be put into a slot: a value like its neighbour, what was typed, and where it would stand, in words."""

from __future__ import annotations

import corpus
import pytest

from viewer.base import assets
from viewer.document.document import Document
from viewer.document.edits.new_value import empty_value, like_neighbour, place_words, typed_text, typed_value
from viewer.document.edits.setting import literal
from viewer.document.edits.slots import Slot, inside, slot_of
from viewer.document.edits.structure import insert
from viewer.document.path import parse_path

RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()


@pytest.fixture
def document() -> Document:
    return Document(RPG)


def behind(document: Document, path: str) -> Slot:
    slot = slot_of(document, parse_path(document, path))
    return Slot(slot.frame, slot.node, slot.number + 1)


def test_a_neighbour_is_named_with_its_keys_and_copied(document: Document) -> None:
    found = like_neighbour(document, behind(document, "[0].inventory[0]"))
    assert found is not None
    assert found.title == "Like [0]"
    assert found.detail == "id, name, count, weight, equipped, tint, …"
    document.apply(insert(document, behind(document, "[0].inventory[0]"), [found.fragment]))
    assert [found.code for found in document.findings.all()] == [found.code for found in Document(RPG).findings.all()]
    first, second = (parse_path(document, f"[0].inventory[{k}].name") for k in (0, 1))
    assert literal(document, first) == literal(document, second)


def test_a_neighbour_with_a_key_is_named_by_it(document: Document) -> None:
    found = like_neighbour(document, behind(document, "[0].player.gold"))
    assert found is not None
    assert (found.title, found.detail) == ("Like gold", "5000000000")


def test_an_empty_collection_has_no_neighbour() -> None:
    document = Document(bytes.fromhex("13000000 00000000"))
    assert like_neighbour(document, inside(document, parse_path(document, "[0]"))) is None
    assert place_words(document, inside(document, parse_path(document, "[0]"))) == "in [0]"


@pytest.mark.parametrize(
    ("text", "type_name"),
    [
        ("5", "int"),
        ("1.5", "float"),
        ("true", "bool"),
        ('"text"', "String"),
        ("Vector2(1, 2)", "Vector2"),
        ('{"id": "sword", "count": 1, "tags": ["a", null], "on": false}', "Dictionary"),
        ("[1, 2]", "Array"),
    ],
)
def test_literals_and_json_are_values(document: Document, text: str, type_name: str) -> None:
    slot = behind(document, "[0].inventory[0]")
    found = typed_value(document, slot, text)
    assert found is not None
    assert (found.title, found.detail) == (text, type_name)
    document.apply(insert(document, slot, [found.fragment]))


@pytest.mark.parametrize("text", ["Iron Sword", "Vector2", "", "{", "Bob"])
def test_other_words_are_no_values_but_texts(document: Document, text: str) -> None:
    slot = behind(document, "[0].inventory[0]")
    assert typed_value(document, slot, text) is None
    found = typed_text(document, slot, text)
    assert (found is None) == (not text)
    if found is not None:
        assert found.fragment.data.data == text


def test_a_plain_text_is_a_name_where_only_names_may_stand() -> None:
    document = Document(bytes(assets.data("samples", "godot4-typed.save")[:]))
    slot = inside(document, parse_path(document, "[0].tools"))
    found = typed_text(document, slot, " old rake ")
    assert found is not None
    assert (found.title, found.detail) == ("The text “old rake”", "StringName")
    document.apply(insert(document, slot, [found.fragment]))
    assert "old rake" in literal(document, parse_path(document, "[0].tools"))


def test_the_place_is_said(document: Document) -> None:
    assert place_words(document, behind(document, "[0].inventory[2]")) == "after [0].inventory[2]"
    first = slot_of(document, parse_path(document, "[0].inventory[0]"))
    assert place_words(document, first) == "at the beginning of [0].inventory"


def test_the_empty_value_of_a_type_is_to_be_edited(document: Document) -> None:
    assert empty_value(document, "int").is_empty
    assert empty_value(document, "Vector2").fragment.data.data == (0.0, 0.0)
