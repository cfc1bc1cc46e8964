"""Patterns as other languages write them: each is read, or answered with how it is written here."""

from __future__ import annotations

import pytest

from viewer.document.bulk import BulkError, plan
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

GODOT4 = load("godot4")
PARTY = '{"party": [{"name": "Mira", "hp": 4, "max_hp": 7}, {"name": "Tom", "hp": 30, "max_hp": 9}], "hp": 1}'
BY_KEY = "A name holds no * or ?; names are chosen by a pattern of their keys: write "


@pytest.fixture(scope="module")
def party() -> Document:
    return Document(encode(parse_literal(PARTY, GODOT4), GODOT4), choice=ReadOptions(dialect=GODOT4))


@pytest.mark.parametrize(
    "pattern", ["..hp", "**.hp", "**..hp", ".**.hp", "..**.hp", "**.**.hp", '**[key == "hp"]', '**.[key == "hp"]']
)
def test_two_stars_lead_to_any_depth(party: Document, pattern: str) -> None:
    found = plan(party, f"{pattern} -> 99")
    assert [found.path(row) for row in found.rows] == ["[0].party[0].hp", "[0].party[1].hp", "[0].hp"]


def test_stars_stand_for_values_as_behind_dots(party: Document) -> None:
    for mine, own in (("**", "..*"), ("**.*", "..*"), ("*", ".*"), ("party.**.hp", "party..hp")):
        rows = [[row.start for row in plan(party, f"{pattern} -> 99").rows] for pattern in (mine, own)]
        assert rows[0] == rows[1] != []


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("*hp* -> 9", f'{BY_KEY}..[key matches "hp"] -> 9.'),
        ("..max_* -> 9", f'{BY_KEY}..[key matches "^max_"] -> 9.'),
        ("party[*].max_* -> 9", f'{BY_KEY}party[*][?key matches "^max_"] -> 9.'),
        ("%hp -> 9", f'{BY_KEY}..[key matches "hp$"] -> 9.'),
        ("party/*/hp -> 9", "Steps are joined with dots: write party[*].hp -> 9."),
        ("**/hp -> 9", "Steps are joined with dots: write ..hp -> 9."),
        ("party::hp -> 9", "Steps are joined with dots: write party.hp -> 9."),
        ("$..hp -> 9", "A pattern begins with a name or with two dots, not with $: write ..hp -> 9."),
        ("party**.hp -> 9", "Two dots lead to any depth: write party.**.hp -> 9."),
        ("...hp -> 9", "Two dots lead to any depth: write ..hp -> 9."),
        ("party[].hp -> 9", "All elements are [*]: write party[*].hp -> 9."),
        ("party[1:3] -> 9", "Elements are chosen by a condition: write party[?index >= 1 and index < 3] -> 9."),
        ("party[0,1] -> 9", "Elements are chosen by a condition: write party[?index == 0 or index == 1] -> 9."),
        ("party[?(@.hp<5)].hp -> 9", "A condition names entries as they are: write party[?hp<5].hp -> 9."),
        ("party[hp<5].hp -> 9", "A condition in brackets begins with ?: write party[?hp<5].hp -> 9."),
        ("party.0.hp -> 9", "A place in an array goes in brackets: write party[0].hp -> 9."),
        ("party.[*].hp -> 9", "A bracket follows without a dot: write party[*].hp -> 9."),
        ("party[*]hp -> 9", "A name follows a dot: write party[*].hp -> 9."),
        ("party[*][hp] -> 9", "A name follows a dot, or is in quotes in brackets: write party[*].hp -> 9."),
        (
            "{hp,max_hp} -> 9",
            "One pattern leads to one name; several are chosen by their keys: "
            'write ..[key == "hp" or key == "max_hp"] -> 9.',
        ),
        ('"hp" -> 9', "A name is written without quotes, or in brackets: write hp -> 9."),
        ("gold coins -> 9", 'A name of several words goes in brackets: write ["gold coins"] -> 9.'),
        ("all hp -> 9", "Two dots mean all values of this name: write ..hp -> 9."),
        ("..hp = 99", "The new value follows an arrow: write ..hp -> 99."),
        ("..hp += 5", "The new value follows an arrow: write ..hp -> value + 5."),
        ("max_* = 3", f'{BY_KEY}..[key matches "^max_"] -> 3.'),
        ("..hp --> 9", "The arrow is ->: write ..hp -> 9."),
        ("..hp where hp < 5 -> 9", "A condition follows “if”: write ..hp if hp < 5 -> 9."),
        ("..hp < 9 && hp > 3 -> 9", "Conditions are joined with “and”: write ..hp < 9 and hp > 3 -> 9."),
        ("..hp <> 5 -> 9", "What differs is tested with !=: write ..hp != 5 -> 9."),
        ('..name like "M%" -> "x"', 'What a text holds is tested with “contains”: write ..name contains "M" -> "x".'),
    ],
)
def test_what_is_written_as_elsewhere_is_answered_with_how_it_is_written_here(
    party: Document, written: str, sentence: str
) -> None:
    with pytest.raises(BulkError) as caught:
        plan(party, written)
    assert str(caught.value) == sentence
    plan(party, sentence.partition(": write ")[2].rstrip("."))
