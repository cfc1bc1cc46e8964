"""The form of bulk edits: its answers become the expression that a person would write, without a quote typed."""

from __future__ import annotations

import pytest
from corpus import ENGINES, Engine, vector_bytes, vectors

from viewer.container.frames import FramingKind
from viewer.document.bulk import plan
from viewer.document.bulk.form_expression import (
    Become,
    FormAnswers,
    FormTest,
    ValueChoice,
    expression,
    missing,
    names_beside,
    names_in,
    own_name,
    places_around,
)
from viewer.document.document import Document
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

GODOT4 = load("godot4")
SAVE = """{
    "party": [
        {"name": "Mira", "hp": 4, "max hp": 30, "if": 1},
        {"name": "Tom \\"T\\" Reed", "hp": 70, "max hp": 90, "if": 2}
    ],
    "foes": [{"name": &"Rat", "hp": 3}], "codes": [{"code": "a7"}, {"code": "b8"}],
    "tint": Color(1, 0, 0, 1)
}"""
NAMED, LIKE, EQUAL, HOLDING, TYPED = ValueChoice


@pytest.fixture
def document() -> Document:
    raw = encode(parse_literal(SAVE, GODOT4), GODOT4)
    return Document(raw, choice=ReadOptions(GODOT4, framing=FramingKind.BARE))


CASES = [
    (FormAnswers(NAMED, "hp", "99", test=FormTest.LESS, operand="50"), "..hp < 50 -> 99", ["4 99", "3 99"]),
    (FormAnswers(NAMED, "hp", "99"), "..hp -> 99", ["4 99", "70 99", "3 99"]),
    (FormAnswers(NAMED, "hp", "2", Become.TIMES, "[0].party"), "[0].party..hp -> value * 2", ["4 8", "70 140"]),
    (FormAnswers(NAMED, "hp", "1", Become.PLUS), "..hp -> value + 1", ["4 5", "70 71", "3 4"]),
    (FormAnswers(NAMED, "hp", "1", Become.MINUS), "..hp -> value - 1", ["4 3", "70 69", "3 2"]),
    (FormAnswers(NAMED, "hp", "50", Become.LEAST), "..hp -> max(value, 50)", ["4 50", "3 50"]),
    (FormAnswers(NAMED, "hp", "50", Become.MOST), "..hp -> min(value, 50)", ["70 50"]),
    (
        FormAnswers(NAMED, "code", "X", test=FormTest.CONTAINS, operand="7"),
        '..code if (value contains "7" or value contains 7) -> "X"',
        ['"a7" "X"'],
    ),
    (FormAnswers(NAMED, "hp", "+10"), "..hp -> value + 10", ["4 14", "70 80", "3 13"]),
    (FormAnswers(NAMED, "hp", "*2"), "..hp -> value * 2", ["4 8", "70 140", "3 6"]),
    (FormAnswers(NAMED, "hp", "-=1"), "..hp -> value - 1", ["4 3", "70 69", "3 2"]),
    (FormAnswers(NAMED, "hp", "-5"), "..hp -> -5", ["4 -5", "70 -5", "3 -5"]),
    (FormAnswers(NAMED, "hp", "(3+4)*2"), "..hp -> (3 + 4) * 2", ["4 14", "70 14", "3 14"]),
    (
        FormAnswers(NAMED, "name", "20-11", scope="[0].foes"),
        '[0].foes..name -> "20-11"',
        ['&"Rat" &"20-11"'],
    ),
    (FormAnswers(NAMED, "name", "+1", scope="[0].foes"), '[0].foes..name -> "+1"', ['&"Rat" &"+1"']),
    (FormAnswers(NAMED, "max hp", "9"), '..["max hp"] -> 9', ["30 9", "90 9"]),
    (FormAnswers(LIKE, "hp", "9"), '..* if key contains "hp" -> 9', ["4 9", "30 9", "70 9", "90 9", "3 9"]),
    (FormAnswers(EQUAL, "Mira", "Bob Lee"), '..* if value == "Mira" -> "Bob Lee"', ['"Mira" "Bob Lee"']),
    (
        FormAnswers(EQUAL, 'Tom "T" Reed', 'A "B" C'),
        r'..* if value == "Tom \"T\" Reed" -> "A \"B\" C"',
        [r'"Tom \"T\" Reed" "A \"B\" C"'],
    ),
    (FormAnswers(EQUAL, "4", "5"), "..* if value == 4 -> 5", ["4 5"]),
    (
        FormAnswers(HOLDING, "Ra", "Cat"),
        '..[type == "String" or type == "StringName"] if value contains "Ra" -> "Cat"',
        ['&"Rat" &"Cat"'],
    ),
    (
        FormAnswers(TYPED, "Color", "Color(0, 0, 0, 1)"),
        '..[type == "Color"] -> Color(0, 0, 0, 1)',
        ["Color(1, 0, 0, 1) Color(0, 0, 0, 1)"],
    ),
    (
        FormAnswers(NAMED, "hp", "1", test=FormTest.SAME, operand="Mira", subject="name"),
        '..hp if `name` == "Mira" -> 1',
        ["4 1"],
    ),
    (
        FormAnswers(NAMED, "hp", "1", test=FormTest.LEAST, operand="2", subject="if"),
        "..hp if `if` >= 2 -> 1",
        ["70 1"],
    ),
    (
        FormAnswers(NAMED, "name", "X", test=FormTest.CONTAINS, operand="Reed"),
        '..name contains "Reed" -> "X"',
        [r'"Tom \"T\" Reed" "X"'],
    ),
    (
        FormAnswers(LIKE, "hp", "1", test=FormTest.MORE, operand="60"),
        '..* if key contains "hp" and value > 60 -> 1',
        ["70 1", "90 1"],
    ),
]


@pytest.mark.parametrize(("answers", "line", "changes"), CASES, ids=[case[1] for case in CASES])
def test_answers_become_a_line_that_does_what_they_say(
    document: Document, answers: FormAnswers, line: str, changes: list[str]
) -> None:
    assert expression(document, answers) == line
    found = plan(document, line)
    assert [f"{found.before(row)} {found.after(row)}" for row in found.rows if not row.problem] == changes


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (FormAnswers(NAMED, "", "5"), "Say what the values are called."),
        (FormAnswers(NAMED, "hp", "  "), "Say what they become."),
        (FormAnswers(NAMED, "hp", "5", test=FormTest.LESS), "Say below which number."),
        (FormAnswers(NAMED, "hp", "5"), ""),
        (
            FormAnswers(NAMED, "hp", "5", test=FormTest.LESS, operand="abc"),
            "“abc” is not a number, such as 50; texts are compared with one in quotes.",
        ),
        (FormAnswers(NAMED, "name", "5", test=FormTest.MORE, operand='"M"'), ""),
        (FormAnswers(NAMED, "hp", "twice", Become.TIMES), "“twice” is not a number, such as 2."),
        (FormAnswers(NAMED, "place", "Vector2(1, 2)", Become.MINUS), ""),
    ],
)
def test_a_missing_answer_is_no_line_and_is_asked_for(document: Document, answers: FormAnswers, says: str) -> None:
    assert missing(answers) == says
    assert bool(expression(document, answers)) is not bool(says)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_texts_of_every_engine_line_are_found_by_what_they_contain(engine: Engine) -> None:
    choice = ReadOptions(load(engine.dialect), Precision(engine.precision), FramingKind.BARE)
    changes = 0
    for row in vectors(engine.folder):
        if row["type"] in ("Array", "Dictionary"):
            document = Document(vector_bytes(row), choice=choice)
            found = plan(document, expression(document, FormAnswers(HOLDING, "s", "Cat")))
            assert all("s" in found.before(each) for each in found.rows)
            changes += found.changes
    assert changes


def test_names_are_those_of_the_file_the_most_frequent_first(document: Document) -> None:
    assert names_in(document)[:2] == ["name", "hp"]
    assert set(names_in(document)) == {"name", "hp", "max hp", "if", "party", "foes", "codes", "code", "tint"}


def test_names_beside_a_value_are_offered_without_its_own(document: Document) -> None:
    assert names_beside(document, parse_path(document, "[0].party[0].hp")) == ["name", "max hp", "if"]
    assert names_beside(document, parse_path(document, "[0].party[0]")) == []
    assert own_name(document, parse_path(document, '[0].party[0]["max hp"]')) == "max hp"
    assert own_name(document, parse_path(document, "[0].party[0]")) == ""


def test_the_collections_around_a_value_are_offered_the_nearest_first(document: Document) -> None:
    def around(path: str) -> list[str]:
        return [format_path(document, place) for place in places_around(document, parse_path(document, path))]

    assert around("[0].party") == ["[0].party", "[0]"]
    assert around("[0].party[1].hp") == ["[0].party[1]", "[0].party", "[0]"]
    assert around("[0].tint") == ["[0]"]
    assert around("[0]") == ["[0]"]
    assert set(names_in(document, parse_path(document, "[0].foes"))) == {"name", "hp"}
