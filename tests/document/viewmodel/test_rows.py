"""Rows by numbers alone: pages inside pages, from the top down to an element and back up."""

from __future__ import annotations

import copy
import struct
from collections.abc import Callable, Iterator

import corpus
import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.setting import set_value
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.filtered_rows import FilteredRows
from viewer.document.viewmodel.row_data import RowData, RowDecorations, row_facts
from viewer.document.viewmodel.rows import LEAF, NODE_SHIFT, PAGE_BITS, TOP, RowIndex, _frames_before
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.value import Array, Value

PAGE = 4
FILES = [saved for engine in corpus.ENGINES for saved in corpus.files(engine.folder)]
GODOT3 = load("godot3")
RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()[4:]


def _document(data: bytes) -> Document:
    return Document(data, choice=ReadOptions(dialect=GODOT3))


def _floats(count: int) -> Document:
    return _document(struct.pack("<II", GODOT3.type_number("PoolRealArray"), count) + bytes(4 * count))


def _strings(count: int) -> Document:
    text = bytes.fromhex(
        "02000000 61000000"  # "a" with its closing NUL, and fill
    )
    return _document(struct.pack("<II", GODOT3.type_number("PoolStringArray"), count) + text * count)


def _ints(count: int) -> Document:
    number = bytes.fromhex("02000000 07000000")
    return _document(struct.pack("<II", GODOT3.type_number("Array"), count) + number * count)


def _all(rows: RowIndex) -> Iterator[tuple[int, int]]:
    waiting = [TOP]
    while waiting:
        holder = waiting.pop()
        for row in range(rows.count(holder)):
            yield holder, row
            waiting.append(rows.holder(holder, row))


def _root(rows: RowIndex) -> int:
    return rows.holder(TOP, 0)


def _facts(document: Document, rows: RowIndex, holder: int, row: int) -> RowData:
    return row_facts(document, rows, RowDecorations(document), holder, row)


@pytest.mark.parametrize("saved", corpus.spread(FILES, 2), ids=str)
def test_every_row_is_found_by_its_item_and_every_holder_by_its_row(saved: corpus.SavedFile) -> None:
    rows = RowIndex(Document.open(saved.path), PAGE)
    for holder, row in _all(rows):
        below = rows.holder(holder, row)
        assert rows.has_rows(holder, row) == (rows.count(below) > 0)
        if below != LEAF:
            assert rows.above(below) == (holder, row)
            assert rows.depth(below) == rows.depth(holder) + 1
        if rows.page(holder, row) is None:
            assert rows.place(rows.item(holder, row)) == (holder, row)


@pytest.mark.parametrize("saved", corpus.spread(FILES, 3), ids=str)
def test_nowhere_stand_more_rows_than_a_page_holds(saved: corpus.SavedFile) -> None:
    rows = RowIndex(Document.open(saved.path), PAGE)
    assert all(rows.count(rows.holder(*place)) <= PAGE + 1 for place in _all(rows))  # one more is a gap


def test_the_pages_of_a_node_cover_its_children_once() -> None:
    rows = RowIndex(_floats(1234), PAGE)
    found = [rows.item(*place).part for place in sorted(_all(rows)) if place[0] and rows.page(*place) is None]
    assert sorted(found, key=lambda part: int(part[1:-1])) == [f"[{k}]" for k in range(1234)]


def test_ten_million_elements_stand_two_pages_below_their_node() -> None:
    rows = RowIndex(_floats(10_000_000))
    place = rows.place(Item(0, 0, "[7654321]"))
    assert place is not None
    above = rows.above(place[0])
    assert above is not None
    top = rows.above(above[0])
    assert (top, above[1], place[1]) == ((_root(rows), 7), 654, 321)
    assert rows.count(_root(rows)) == 10


def test_a_thousand_children_need_no_page_and_one_more_does() -> None:
    rows = RowIndex(_ints(1000))
    assert (rows.count(_root(rows)), rows.page(_root(rows), 0)) == (1000, None)
    rows = RowIndex(_ints(1001))
    assert [rows.page(_root(rows), row) for row in range(2)] == [range(1000), range(1000, 1001)]


def test_a_million_and_one_children_stand_in_pages_of_a_million() -> None:
    document = _floats(1_000_001)
    rows = RowIndex(document)
    names = [_facts(document, rows, _root(rows), row).name for row in range(rows.count(_root(rows)))]
    assert names == ["[0 … 999\u202f999]", "[1\u202f000\u202f000 … 1\u202f000\u202f000]"]


def test_a_holder_fits_into_63_bits_at_the_largest_sizes() -> None:
    rows = RowIndex(_floats(1))
    largest = rows.key(0, 2**30) | 4 << 25 | (1 << 25) - 1
    assert largest < 1 << 63
    assert 2**32 // 1000 < 1 << 25


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (_floats, [Span(8, 72), Span(72, 88)]),  # 16 elements of 4 bytes, then 4
        (_ints, [Span(8, 136), Span(136, 168)]),
        (_strings, [Span(8, 136), Span(136, 168)]),
    ],
)
def test_a_page_tells_where_its_children_lie(make: Callable[[int], Document], expected: list[Span]) -> None:
    document = make(20)
    rows = RowIndex(document, PAGE)
    facts = [_facts(document, rows, _root(rows), row) for row in range(2)]
    assert [one.span for one in facts] == expected
    assert facts[0].offset_text == "0x8"
    assert facts[0].size_text == str(len(expected[0]))


def test_a_page_of_pairs_begins_with_its_first_key() -> None:
    pair = "04000000 01000000 61000000 00000000"  # "a": null
    document = _document(bytes.fromhex("12000000 05000000" + pair * 5))
    rows = RowIndex(document, PAGE)
    assert [rows.page_span(_root(rows), row) for row in range(2)] == [Span(8, 72), Span(72, 88)]


def test_an_error_in_a_page_marks_it() -> None:
    numbers = "02000000 07000000" * 5
    broken = "63000000"  # no type has this number
    document = _document(bytes.fromhex("13000000 06000000" + numbers + broken))
    rows = RowIndex(document, PAGE)
    assert [_facts(document, rows, _root(rows), row).error_below for row in range(2)] == [False, True]


def test_many_frames_stand_in_pages_too() -> None:
    document = _document(bytes.fromhex("02000000 07000000") * 10)
    rows = RowIndex(document, PAGE)
    assert len(document.frames) == 10
    assert [rows.page(TOP, row) for row in range(rows.count(TOP))] == [range(4), range(4, 8), range(8, 10)]
    assert rows.page_span(TOP, 1) == Span(32, 64)
    assert rows.place(Item(9, 0)) == (rows.holder(TOP, 2), 1)


def test_a_number_that_is_no_holder_has_no_rows() -> None:
    rows = RowIndex(_ints(20), PAGE)
    page = rows.holder(_root(rows), 1)
    assert rows.has(page)
    assert not any(rows.has(wrong) for wrong in (page + 1, page | 3 << 25, rows.key(0, 1), rows.key(0, 99), LEAF))


def test_opening_a_long_string_array_hops_over_none_of_it() -> None:
    document = _strings(5000)
    rows = RowIndex(document)
    assert rows.count(_root(rows)) == 5
    assert rows.page_span(_root(rows), 4) == Span(8 + 8 * 4000, 8 + 8 * 5000)
    assert rows.elements.string_start(Item(0, 0, "[4999]")) == 8 + 8 * 4999


def test_the_last_page_of_millions_of_strings_is_not_looked_for() -> None:
    document = _strings(200_000)
    rows = RowIndex(document)
    assert rows.page_span(_root(rows), 199) is None
    facts = _facts(document, rows, _root(rows), 199)
    assert (facts.offset_text, facts.size_text) == ("", "")


def test_a_node_without_frames_shows_nothing() -> None:
    document = _ints(5)
    document.frames, document.gaps = [], []
    rows = RowIndex(document)
    assert rows.count(TOP) == 0
    assert rows.place(Item(0, 0)) is None


def test_a_new_value_is_cut_into_pages_anew() -> None:
    document = _ints(20)
    document.apply(set_value(document, Item(0, 0), Value("Array", Array((Value("int", 1),) * 3))))
    rows = RowIndex(document, PAGE)
    assert [rows.page(_root(rows), row) for row in range(rows.count(_root(rows)))] == [None] * 3


@pytest.mark.parametrize(
    "raw",
    [
        RPG[: len(RPG) // 2],  # its collections promise more than there is
        RPG[: len(RPG) // 2] + b"abcd" + RPG[len(RPG) // 2 :],
        bytes.fromhex(
            "12000000 02000000"  # a Dictionary of two pairs
            "13000000 01000000 02000000 01000000"  # whose first key is an array of one number,
            "13000000 01000000 02000000 02000000"  # as its value is
            "04000000 01000000 61000000 12000000"  # and of whose second one not all is there
        ),
    ],
    ids=["cut off", "inserted", "a key that holds others"],
)
@pytest.mark.parametrize("filtered", [False, True], ids=["all rows", "some rows"])
def test_a_number_is_a_holder_only_where_the_rows_lead_down_to_it(raw: bytes, filtered: bool) -> None:
    """Every number that another file, or this one before an edit, could have left open."""
    document = _document(raw)
    rows = RowIndex(document, PAGE)
    if filtered:
        items = [rows.item(*place) for place in _all(rows)]
        rows = FilteredRows(document, items[5::40] or items[-1:], PAGE)
    there = {below for place in _all(rows) if rows.count(below := rows.holder(*place))}
    nodes = sum(len(frame.table) for frame in document.frames)
    asked = [
        number << NODE_SHIFT | level << PAGE_BITS | page
        for number in range(nodes + 3)
        for level in range(3)
        for page in range(3)
    ]
    fresh = copy.copy(rows)
    fresh._depths = {TOP: 0}
    assert {holder for holder in asked if rows.has(holder)} == there & set(asked) | {TOP}
    assert {holder for holder in reversed(asked) if fresh.has(holder)} == there & set(asked) | {TOP}
    assert not rows.has(LEAF)
    assert not rows.has_place((LEAF, 0))


def test_few_gaps_among_many_frames_stand_where_many_gaps_would() -> None:
    document = _document(bytes.fromhex("0200000001000000") * 200)
    assert len(document.frames) == 200
    for at in (0, 8, 12, 800, 1599, 1600):
        gap = Span(at, at + 1)
        assert _frames_before(document.frames, [gap]) == _frames_before(document.frames, [gap] * 200)[:1]
