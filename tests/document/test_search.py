"""Search finds keys, texts, numbers and bytes, in order and step by step."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import pytest

from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Choice, Document
from viewer.document.edits import set_literal
from viewer.document.path import format_path, parse_path
from viewer.document.search import CHUNK, Mode, Query, QueryError, find_all, hits, parse_query, steps
from viewer.span import Span
from viewer.variant.dialect import load

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def rpg() -> Document:
    return Document.open(DATA / "godot3/files/rpg.save")


def found(document: Document, text: str) -> list[str]:
    items = [outline.item_at(document, hit.span.start) for hit in find_all(document, parse_query(text))]
    return [format_path(document, item) for item in items if item is not None]


def ints(*numbers: int) -> bytes:
    return struct.pack("<II", 19, len(numbers)) + b"".join(struct.pack("<II", 2, number) for number in numbers)


def test_plain_text_finds_keys_and_values_in_any_case(rpg: Document) -> None:
    assert found(rpg, "gold") == ["[0].player.gold@key.text"]
    assert found(rpg, "IRON SWORD")[0] == "[0].inventory[0].name.text"


def test_text_beyond_ascii_is_found_in_any_case(rpg: Document) -> None:
    assert found(rpg, "ZOË") == ["[0].player.name.text"]


def test_case_can_matter(rpg: Document) -> None:
    assert find_all(rpg, parse_query("iron", case_sensitive=True)) == []
    assert len(find_all(rpg, parse_query("Iron", case_sensitive=True))) == 3


def test_key_leaves_values_out(rpg: Document) -> None:
    assert all("@key" in path for path in found(rpg, "key: name"))
    assert found(rpg, "key: Iron Sword") == []


@pytest.mark.parametrize("text", ["5000000000", "number: 5000000000", "0x12A05F200", "5_000_000_000"])
def test_a_number_is_found_where_its_value_stands(rpg: Document, text: str) -> None:
    assert found(rpg, text) == ["[0].player.gold.value"]


def test_a_number_is_found_in_every_encoding(rpg: Document) -> None:
    assert "[0].player.skin.g" in found(rpg, "0.8")
    assert "[0].player.hp.value" in found(rpg, "87.5")


def test_counts_and_headers_are_no_numbers() -> None:
    raw = struct.pack("<III", 19, 1, 2) + struct.pack("<I", 19)
    document = Document(raw, choice=Choice(dialect=load("godot3"), framing=FramingKind.BARE))
    assert find_all(document, parse_query("number: 19")) == [] or found(document, "number: 19") == ["[0][0].value"]


def test_zeros_are_all_found_in_a_run_of_zeros() -> None:
    document = Document(ints(0, 0, 7, 0), choice=Choice(dialect=load("godot3"), framing=FramingKind.BARE))
    assert found(document, "number: 0") == ["[0][0].value", "[0][1].value", "[0][3].value"]


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("hex: 0A 0B", [1]),
        ("hex:0a0b", [1]),
        ("hex: ?B", [2, 5]),
        ("hex: 0? 0B", [1]),
        ("hex: 0A ?? 0C", [1]),
        ("hex: ?? FF", [3]),
    ],
)
def test_hex_with_wildcards(text: str, offsets: list[int]) -> None:
    document = Document(bytes.fromhex("00 0A 0B 0C FF 2B"))
    assert [hit.span.start for hit in find_all(document, parse_query(text))] == offsets


@pytest.mark.parametrize(
    ("text", "part"),
    [("hex: 1", "two digits"), ("hex: zz", "not a hex digit"), ("number: ten", "not a number")],
)
def test_what_cannot_be_read_is_said(text: str, part: str) -> None:
    with pytest.raises(QueryError, match=part):
        parse_query(text)


def test_an_empty_query_finds_nothing(rpg: Document) -> None:
    assert parse_query("").is_empty
    assert parse_query("key:") == Query("", Mode.KEY)
    assert list(hits(rpg, parse_query("hex:"))) == []


def test_a_text_across_two_stretches_is_found_once() -> None:
    raw = bytearray(2 * CHUNK)
    raw[CHUNK - 3 : CHUNK + 3] = b"needle"
    document = Document(bytes(raw), choice=Choice(dialect=load("godot3"), framing=FramingKind.BARE))
    assert [hit.span for hit in hits(document, parse_query("needle"))] == [Span(CHUNK - 3, CHUNK + 3)]


def test_hits_do_not_overlap_and_are_in_order(rpg: Document) -> None:
    spans = [hit.span for hit in hits(rpg, parse_query("hex: 00 00"))]
    assert spans == sorted(spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


def test_the_limit_is_kept(rpg: Document) -> None:
    assert len(find_all(rpg, parse_query("hex: 00"), limit=7)) == 7


def test_a_change_ends_the_search(rpg: Document) -> None:
    running = steps(rpg, parse_query("e"))
    next(running)
    rpg.apply(set_literal(rpg, parse_path(rpg, "[0].player.name"), '"Bo"'))
    assert list(running) == []
