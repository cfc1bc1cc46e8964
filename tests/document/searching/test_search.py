"""Search finds keys, texts, numbers and bytes, in order and step by step."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching.query import Mode, Query, QueryError, parse_query
from viewer.document.searching.search import CHUNK, MOST, find_all, steps
from viewer.variant.dialect import load

DATA = Path(__file__).parents[2] / "data"
BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)
EVERYTHING = 1 << 30


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
    document = Document(raw, choice=ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE))
    assert find_all(document, parse_query("number: 19")) == [] or found(document, "number: 19") == ["[0][0].value"]


def test_zeros_are_all_found_in_a_run_of_zeros() -> None:
    document = Document(ints(0, 0, 7, 0), choice=ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE))
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
    assert find_all(rpg, parse_query("hex:"), EVERYTHING) == []


def test_a_text_across_two_stretches_is_found_once() -> None:
    raw = bytearray(2 * CHUNK)
    raw[CHUNK - 3 : CHUNK + 3] = b"needle"
    document = Document(bytes(raw), choice=ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE))
    assert [hit.span for hit in find_all(document, parse_query("needle"), EVERYTHING)] == [Span(CHUNK - 3, CHUNK + 3)]


def test_hits_do_not_overlap_and_are_in_order(rpg: Document) -> None:
    spans = [hit.span for hit in find_all(rpg, parse_query("hex: 00 00"), EVERYTHING)]
    assert spans == sorted(spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


def test_the_limit_is_kept(rpg: Document) -> None:
    assert len(find_all(rpg, parse_query("hex: 00"), limit=7)) == 7


def test_a_change_ends_the_search(rpg: Document) -> None:
    running = steps(rpg, parse_query("e"))
    next(running)
    rpg.apply(set_literal(rpg, parse_path(rpg, "[0].player.name"), '"Bo"'))
    assert list(running) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [("straße", "STRAßE"), ("straße", "strasse"), ("ЁЛКА", "ёлка"), ("Ärger", "ÄRGER"), ("žluťoučký", "ŽluŤoučký")],
)
def test_letters_of_other_alphabets_match_in_any_case(text: str, written: str) -> None:
    raw = written.encode()
    document = Document(struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4), choice=BARE)
    assert [hit.span for hit in find_all(document, parse_query(text))] == [Span(8, 8 + len(raw))]


def test_letters_of_other_alphabets_can_matter_too() -> None:
    document = Document(struct.pack("<II", 4, 4) + "Ää".encode(), choice=BARE)
    assert [hit.span for hit in find_all(document, parse_query("ä", case_sensitive=True))] == [Span(10, 12)]


def test_a_text_frequent_in_values_does_not_hide_the_keys_behind_it() -> None:
    text = b"key " * (CHUNK // 2)
    pairs = struct.pack("<II", 4, 4) + b"long" + struct.pack("<II", 4, len(text)) + text
    pairs += struct.pack("<II", 4, 4) + b"key." + struct.pack("<II", 2, 1)
    document = Document(struct.pack("<II", 18, 2) + pairs, choice=BARE)
    assert found(document, "key: key") == ['[0]["key."]@key.text']
    assert sum(1 for _ in steps(document, parse_query("key: key"))) < 10


@pytest.mark.parametrize("text", ["hex: 00", "number: 0", "0"])
def test_a_step_finds_few_places_however_frequent_they_are(text: str) -> None:
    document = Document(ints(*[0] * 5000), choice=BARE)
    found_by_step = [len(step.hits) for step in steps(document, parse_query(text))]
    assert max(found_by_step) <= 5 * MOST
    assert len(found_by_step) > 5


def test_steps_tell_how_far_they_are(rpg: Document) -> None:
    reached = [step.reached for step in steps(rpg, parse_query("number: 0"))]
    assert reached == sorted(reached)
    assert reached[-1] == len(rpg.buffer)


def test_cutting_a_stretch_loses_and_doubles_nothing(rpg: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = [parse_query(text) for text in ("hex: 00 00", "number: 0", "1", "key: a", "e")]
    whole = [find_all(rpg, query, EVERYTHING) for query in queries]
    monkeypatch.setattr("viewer.document.searching.search.MOST", 3)
    assert [find_all(rpg, query, EVERYTHING) for query in queries] == whole


@dataclass(frozen=True)
class OnlySlices:
    """Bytes that are no buffer to Python, as those of a file that is read in pages."""

    raw: bytes

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, key: slice) -> bytes:
        assert key.stop - key.start <= 2 * CHUNK
        return self.raw[key]


@pytest.mark.parametrize("text", ["iron", "hex: 00 ??", "key: name"])
def test_bytes_are_only_asked_for_in_slices(rpg: Document, text: str) -> None:
    expected = find_all(rpg, parse_query(text))
    rpg.buffer = OnlySlices(rpg.buffer)  # type: ignore[assignment]
    assert find_all(rpg, parse_query(text)) == expected
