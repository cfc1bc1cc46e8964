"""A row of search results tells where a hit lies and what is around it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.searching.hits import HitRow, hit_row
from viewer.document.searching.query import parse_query
from viewer.document.searching.search import find_all
from viewer.variant.dialect import load

DATA = Path(__file__).parents[2] / "data"
BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)


@pytest.fixture
def rpg() -> Document:
    return Document.open(DATA / "godot3/files/rpg.save")


def first(document: Document, text: str) -> HitRow:
    return hit_row(document, find_all(document, parse_query(text))[0].span, text.startswith("hex"))


def test_a_key_is_shown_with_its_value(rpg: Document) -> None:
    assert first(rpg, "gold") == HitRow("[0].player.gold", "s", "text", "", "gold", "", ": 5000000000")


def test_a_text_is_shown_around_the_hit(rpg: Document) -> None:
    row = first(rpg, "sword")
    assert (row.path, row.before, row.found, row.after) == ("[0].inventory[0].name", "Iron ", "Sword", "")


def test_a_long_text_is_cut_on_both_sides() -> None:
    raw = struct.pack("<II", 4, 1000) + "ä".encode() * 248 + b"nail" + b"x" * 500
    row = first(Document(raw, choice=BARE), "nail")
    assert row.before.startswith("…ä")
    assert (row.found, row.after) == ("nail", "x" * 24 + "…")


def test_a_number_is_shown_as_what_it_is_with_its_field(rpg: Document) -> None:
    row = first(rpg, "number: 0.8")
    assert (row.path, row.chip, row.found) == ("[0].player.skin.g", "c", "0.8")


def test_bytes_are_shown_with_their_neighbours(rpg: Document) -> None:
    row = first(rpg, "hex: 00 00 80 3F")
    assert (row.path, row.before, row.found) == ("[0].player.skin.r", "0E 00 00 00 ", "00 00 80 3F")


def test_an_element_of_a_packed_array_has_its_index() -> None:
    raw = struct.pack("<II3i", 21, 3, 7, 8, 9)
    assert first(Document(raw, choice=BARE), "number: 8").path == "[0][1]"


def test_bytes_that_no_value_claims_are_shown_too() -> None:
    raw = struct.pack("<II", 2, 7) + b"stray bytes."
    row = first(Document(raw, choice=BARE), "stray")
    assert (row.path, row.chip, row.found) == ("[0] skipped bytes", "", "73 74 72 61 79")


def test_signs_that_cannot_be_shown_are_dots() -> None:
    raw = struct.pack("<II", 4, 8) + b"a\nb\x01c\0d\x7f"
    assert first(Document(raw, choice=BARE), "b").text == "a·b·c·d·"


def test_deep_nesting_leaves_the_first_steps_of_the_path_out() -> None:
    raw = struct.pack("<II", 19, 1) * 5000 + struct.pack("<II", 2, 77)
    assert first(Document(raw, choice=BARE), "number: 77").path == "…" + "[0]" * 6


def test_any_place_has_a_row(rpg: Document) -> None:
    size = len(rpg.buffer)
    for start in range(size - 3):
        row = hit_row(rpg, Span(start, start + 3))
        assert row.path
        assert row.found
