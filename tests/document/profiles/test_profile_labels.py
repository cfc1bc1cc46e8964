"""What a profile says of the values of a document, found by their paths."""

from __future__ import annotations

import time

import pytest

from viewer.base import assets
from viewer.base.words import grouped
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import format_path, parse_path
from viewer.document.profiles.profile_fitting import fitting_profile
from viewer.document.profiles.profile_folder import profiles
from viewer.document.profiles.profile_labels import ProfileLabels
from viewer.document.profiles.profile_parser import parse_profile
from viewer.document.profiles.value_label import ValueLabel
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal

GODOT4 = load("godot4")
VALUE = """{"gold": 7, "class": 0, "deep": {"a": {"hp": 3}, "hp": 250}, "list": [{"hp": 1}, {"hp": 2}],
 "ids": PackedInt32Array(1, 2), 5: "five", &"name": "Bo", "share": 2.0, "on": true, "any key": 1, "text": "a<b>c"}"""


def document_of(literal: str = VALUE) -> Document:
    return Document(encode(parse_literal(literal, GODOT4), GODOT4), name="x.save")


def labels_of(*keys: str) -> ProfileLabels:
    text = 'name = "X"\nfiles = "*.save"\n'
    text += "".join("[[key]]\n" + key.replace("; ", "\n") + "\n" for key in keys)
    return ProfileLabels(parse_profile("x", text, "x.toml", str), GODOT4)


def said(labels: ProfileLabels, path: str) -> ValueLabel | None:
    document = document_of()
    return labels.label(document, parse_path(document, f"[0]{path}"))


@pytest.mark.parametrize(
    ("at", "paths"),
    [
        ("gold", [".gold"]),
        ("[0].gold", [".gold"]),
        ("[1].gold", []),
        ("..hp", [".deep.a.hp", ".deep.hp", ".list[0].hp", ".list[1].hp"]),
        ("deep..hp", [".deep.a.hp", ".deep.hp"]),
        ("deep.*", [".deep.a", ".deep.hp"]),
        ("list[*].hp", [".list[0].hp", ".list[1].hp"]),
        ("list[1]..hp", [".list[1].hp"]),
        ("[*][5]", ["[5]"]),
        ("name", ['[&"name"]']),
        ("`any key`", ['["any key"]']),
        ("..a..hp", [".deep.a.hp"]),
    ],
)
def test_a_path_leads_where_it_leads_everywhere_in_the_program(at: str, paths: list[str]) -> None:
    document, labels = document_of(), labels_of(f"at = '{at}'; name = 'N'")
    nodes = range(len(document.frames[0].table))
    found = [format_path(document, Item(0, node)) for node in nodes if labels.label(document, Item(0, node))]
    assert sorted(found) == [f"[0]{path}" for path in paths]


def test_elements_of_packed_arrays_have_labels_and_keys_have_none() -> None:
    labels = labels_of("at = 'ids[*]'; names = { 2 = 'two' }", "at = '..gold'; name = 'G'")
    assert said(labels, ".ids[1]") == ValueLabel(meaning="two")
    assert said(labels, ".gold@key") is None


def test_the_nearest_of_several_paths_is_taken() -> None:
    labels = labels_of("at = '..hp'; name = 'any'", "at = 'deep.*'; name = 'deep'", "at = 'deep.hp'; name = 'this'")
    assert [getattr(said(labels, path), "name", "") for path in (".deep.hp", ".list[0].hp")] == ["this", "any"]


@pytest.mark.parametrize(
    ("key", "path", "label"),
    [
        ("names = { 0 = 'ranger' }; unit = 'class'", ".class", ValueLabel(meaning="ranger class")),
        ("names = { 2 = 'whole' }", ".share", ValueLabel(meaning="whole")),
        ("names = { true = 'lit' }; range = '5..'", ".on", ValueLabel(meaning="lit")),
        ("range = '0..99'", ".deep.hp", ValueLabel(note="Out of range: the profile says 0 to 99.")),
        ("range = '..1.5'", ".share", ValueLabel(note="Out of range: the profile says at most 1.5.")),
        ("range = '1000..'", ".gold", ValueLabel(note=f"Out of range: the profile says at least {grouped(1000)}.")),
        ("range = '0..99'", ".gold", ValueLabel()),
        ("range = '0..99'; names = { x = 'y' }", ".list", ValueLabel()),
        ('about = "a\\u202Eb"', ".text", ValueLabel(about="a\\u202eb")),
    ],
)
def test_values_are_named_and_held_against_their_range(key: str, path: str, label: ValueLabel) -> None:
    at = path.removeprefix(".")
    assert said(labels_of(f"at = '{at}'; {key}"), path) == label


def test_a_label_follows_an_edit() -> None:
    document, labels = document_of(), labels_of("at = 'class'; names = { 0 = 'ranger', 1 = 'mage' }")
    item = parse_path(document, "[0].class")
    before = labels.label(document, item)
    document.apply(set_literal(document, item, "1"))
    assert (before, labels.label(document, item)) == (ValueLabel(meaning="ranger"), ValueLabel(meaning="mage"))


@pytest.mark.parametrize(
    ("sample", "name", "game"),
    [
        ("godot3-rpg.save", "godot3-rpg.save", "The Lantern Fens"),
        ("godot3-rpg.save", "slot1.bin", None),
        ("godot4-typed.save", "godot4-typed 2.save", "Kestrel Farm"),
        ("godot4-double.save", "godot3-rpg.save", None),
    ],
)
def test_a_save_is_known_by_its_name_and_keys(sample: str, name: str, game: str | None) -> None:
    found = fitting_profile(Document(assets.data("samples", sample), name=name), profiles())
    assert (found.name if found else None) == game


def test_two_hundred_labels_cost_a_row_little() -> None:
    rows = ", ".join(f'{{"id": {k}, "hp": 5, "x": 1}}' for k in range(500))
    document = document_of(f'{{"list": [{rows}]}}')
    keys = [f"at = 'list[*].k{k}'; names = {{ 1 = 'x' }}" for k in range(200)]
    few, many = labels_of("at = 'list[*].hp'; range = '0..9'"), labels_of(*keys, "at = 'list[*].hp'; range = '0..9'")
    spent = []
    for labels in (few, many):
        begin = time.process_time()
        found = sum(labels.label(document, Item(0, node)) is not None for node in range(len(document.frames[0].table)))
        spent.append(time.process_time() - begin)
        assert found == 500
    assert spent[1] < 3 * spent[0] + 0.05


def test_a_path_that_leads_anywhere_does_not_grow_with_the_depth() -> None:
    literal = '{"a": ' * 300 + "1" + "}" * 300
    document, labels = document_of(literal), labels_of(f"at = '{'..a' * 16}'; name = 'N'")
    table = document.frames[0].table
    begin = time.process_time()
    found = sum(labels.label(document, Item(0, node)) is not None for node in range(len(table)))
    assert (found, time.process_time() - begin < 2) == (285, True)
