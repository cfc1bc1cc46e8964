"""What the neighbours of a mistake tell: a bracket that an item of a list lost, a quote within a section."""

from __future__ import annotations

import pytest

from viewer.document.doctor import diagnose
from viewer.document.document import Document
from viewer.text.sure_repairs import BEHIND, sure_repairs

TRES = b"""[gd_resource type="Resource" load_steps=3 format=3]

[ext_resource type="Script" path="res://a.gd" id="1"]

[sub_resource type="Resource" id="2_ab"]
name = "s"

[resource]
script = ExtResource("1")
other = SubResource("2_ab")
"""
LINES = b"""{
  "items": [
    {
      "name": "sword",
      "n": 1
    },
    {
      "name": "bow",
      "n": 2
    }
  ],
  "gold": 5
}
"""
ONE_LINE = (
    b'{"items": [{"name": "sword", "n": 1}, {"name": "bow", "n": 2}], "rows": [[1, 2], [3, 4], [5, 6]], "gold": 5}\n'
)
SETTINGS = b"""[player]
name="Bob"
items=[{"name": "sword", "n": 1}, {"name": "bow", "n": 2}]
rows=[[1, 2], [3, 4], [5, 6]]

[audio]
volume=0.5
"""


def without(text: bytes, sign: bytes, number: int) -> bytes:
    at = -1
    for _ in range(number):
        at = text.index(sign, at + 1)
    return text[:at] + text[at + len(sign) :]


CASES = [
    *((LINES, b"{", number) for number in (2, 3)),
    *((ONE_LINE, b"{", number) for number in (2, 3)),
    *((ONE_LINE, b"[", number) for number in (1, 2, 3, 4, 5)),
    *((SETTINGS, b"{", number) for number in (1, 2)),
    *((SETTINGS, b"[", number) for number in (1, 2, 3, 4, 5, 6)),
    (SETTINGS, b"]", 1),
    *((TRES, b'"', number) for number in range(1, TRES.count(b'"') + 1)),
    (TRES, b"[", 1),
    (TRES, b"]", 1),
]


@pytest.mark.parametrize(("text", "sign", "number"), CASES)
def test_the_first_offer_gives_the_text_back(text: bytes, sign: bytes, number: int) -> None:
    document = Document(without(text, sign, number))
    best = diagnose(document)[0]
    assert best.edit is not None
    document.apply(best.edit)
    assert b"".join(bytes(document.to_be_written()[:]).split()) == b"".join(text.split())


def test_a_bracket_is_put_in_a_line_of_its_own_where_the_other_one_stands_so() -> None:
    document = Document(LINES.replace(b'    {\n      "name": "bow"', b'      "name": "bow"'))
    best = diagnose(document)[0]
    assert best.edit is not None
    document.apply(best.edit)
    assert bytes(document.to_be_written()[:]) == LINES


@pytest.mark.parametrize("place", [b"4]", b"6]"])
def test_a_bracket_too_many_is_taken_out_where_the_neighbours_have_one(place: bytes) -> None:
    document = Document(SETTINGS.replace(place, place + b"]"))
    best = diagnose(document)[0]
    assert best.edit is not None
    document.apply(best.edit)
    assert bytes(document.to_be_written()[:]) == SETTINGS


@pytest.mark.parametrize(
    "text", [b"[" * 50_000, b"{" * 50_000, b'{"a": [' * 9000, b'[1, "' * 9000, b"a=[" + b"1, " * 9000]
)
def test_hostile_texts_are_looked_at_in_bounds(text: bytes) -> None:
    assert len(list(sure_repairs(text, len(text) // 2, True))) < BEHIND


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_quote_goes_in_front_of_the_bracket_whatever_ends_the_line(end: bytes) -> None:
    text = end.join((b"[gd_scene format=3]", b"", b'[node type="Node" name="Root]', b""))
    at = text.index(b"Root")
    assert [(found.at, found.sign) for found in sure_repairs(text, at, False)] == [(at + 4, b'"')]


def test_a_section_of_very_many_blanks_is_looked_through_once() -> None:
    text = b'[node name="a" x=' + b" " * 500_000 + b"y z\n"
    assert list(sure_repairs(text, 10, False)) == []
