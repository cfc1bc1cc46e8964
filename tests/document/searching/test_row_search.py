"""Filtered rows: what is found, what stands above and under it, and that each row knows its place."""

from __future__ import annotations

import copy
import random
import struct
import sys
from types import FrameType

import corpus
import pytest

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching.query import parse_query
from viewer.document.searching.row_search import DEEPEST, filter_steps
from viewer.document.viewmodel.filtered_rows import FilteredRows
from viewer.document.viewmodel.follower import Follower
from viewer.document.viewmodel.rows import LEAF, TOP, RowIndex
from viewer.variant.dialect import load
from viewer.variant.items import Item

BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)
FILES = [file for engine in corpus.ENGINES for file in corpus.files(engine.folder)]


@pytest.fixture
def document() -> Document:
    return Document(next(f.path for f in corpus.files("godot3") if f.path.name == "rpg.save").read_bytes())


def found(document: Document, text: str) -> list[Item]:
    return [item for step in filter_steps(document, parse_query(text)) for item in step.items]


def paths(document: Document, text: str) -> list[str]:
    return sorted(format_path(document, item) for item in found(document, text))


def listed(rows: RowIndex) -> list[str]:
    """The paths of all rows from the top down, each checked to know its place."""
    out: list[str] = []
    waiting = [(TOP, k) for k in reversed(range(rows.count(TOP)))]
    while waiting:
        holder, row = waiting.pop()
        below = rows.holder(holder, row)
        assert rows.has_place((holder, row))
        assert rows.has_rows(holder, row) == (rows.count(below) > 0)
        if rows.page(holder, row) is None:
            item = rows.item(holder, row)
            assert rows.place(item) == (holder, row)
            out.append(format_path(rows.document, item))
        if below != LEAF and rows.count(below):
            assert rows.above(below) == (holder, row)
            assert rows.depth(below) == rows.depth(holder) + 1
            waiting += [(below, k) for k in reversed(range(rows.count(below)))]
    return out


def test_a_name_finds_its_value(document: Document) -> None:
    assert paths(document, "gold") == ["[0].player.gold"]


def test_a_text_is_found_in_either_case(document: Document) -> None:
    assert "[0].inventory[0].name" in paths(document, "iron SWORD")


def test_a_number_is_found_as_a_value(document: Document) -> None:
    assert paths(document, "5000000000") == ["[0].player.gold"]


def test_the_name_of_a_type_finds_its_values(document: Document) -> None:
    every = paths(document, "type: Vector2")
    assert "[0].player.position" in every
    assert set(every) <= set(paths(document, "vector2"))


def test_true_finds_only_what_is_true(document: Document) -> None:
    assert "[0].player.dead" not in paths(document, "true")
    assert "[0].player.dead" in paths(document, "false")
    assert "[0].player.pet" in paths(document, "null")


def test_a_key_that_is_no_string_finds_its_value() -> None:
    data = bytes.fromhex("12000000 01000000 13000000 01000000 04000000 04000000 68657265 02000000 07000000")
    assert paths(Document(data, choice=BARE), "here") == ['[0][["here"]]']


def test_only_what_was_found_and_what_is_above_it_is_there(document: Document) -> None:
    assert listed(FilteredRows(document, found(document, "gold"))) == ["[0]", "[0].player", "[0].player.gold"]


def test_nothing_found_is_no_row(document: Document) -> None:
    rows = FilteredRows(document, [])
    assert rows.count(TOP) == 0
    assert listed(rows) == []


def test_what_stands_under_a_found_collection_is_all_there(document: Document) -> None:
    rows = FilteredRows(document, [parse_path(document, "[0].saved_at")])
    assert len(listed(rows)) == 2 + 8


def test_the_rows_above_are_known_as_such(document: Document) -> None:
    rows = FilteredRows(document, found(document, "gold"))
    assert rows.is_above(TOP, 0)
    place = rows.place(parse_path(document, "[0].player.gold"))
    assert place is not None
    assert not rows.is_above(*place)


def test_what_is_not_there_has_no_place(document: Document) -> None:
    rows = FilteredRows(document, found(document, "gold"))
    assert rows.place(parse_path(document, "[0].player.hp")) is None
    assert rows.place(parse_path(document, "[0].quests")) is None


@pytest.mark.parametrize("file", FILES, ids=str)
def test_each_row_of_any_choice_knows_its_place(file: corpus.SavedFile) -> None:
    document = Document(file.path.read_bytes())
    whole, chance = RowIndex(document, page=8), random.Random(5)
    items = [
        Item(index, node)
        for index, frame in enumerate(document.frames)
        for node in range(min(400, len(frame.table)))
        if whole.place(Item(index, node)) is not None and whole.item(*whole.place(Item(index, node))).node == node  # type: ignore[misc]
    ]
    for count in (1, 5, 40):
        chosen = chance.sample(items, min(count, len(items)))
        names = listed(FilteredRows(document, chosen, page=8))
        assert {format_path(document, item) for item in chosen} <= set(names)
        assert len(names) == len(set(names))


def test_elements_of_a_packed_array_are_rows() -> None:
    data = struct.pack("<II6i", 21, 6, 5, 7, 9, 7, 5, 8)  # PoolIntArray
    document = Document(data, choice=BARE)
    rows = FilteredRows(document, found(document, "7"))
    assert listed(rows) == ["[0]", "[0][1]", "[0][3]"]
    assert rows.item(*rows.place(Item(0, 0, "[2]"))) == Item(0, 0)  # type: ignore[misc]


def test_thousands_of_rows_stand_under_one_without_pages() -> None:
    data = struct.pack("<II", 19, 6000) + struct.pack("<II", 2, 77) * 6000
    document = Document(data, choice=BARE)
    items = found(document, "77")[:5000]
    rows = FilteredRows(document, items)
    assert rows.count(rows.key(0, 0)) == 5000
    assert rows.item(rows.key(0, 0), 4999) == Item(0, 5000)


def test_what_lies_deeper_than_anyone_looks_is_left_out() -> None:
    depth = 100_000
    data = struct.pack("<II", 19, 1) * depth + struct.pack("<II", 4, 4) + b"gold"
    document = Document(data, choice=BARE)
    assert found(document, "gold") == []
    shallow = struct.pack("<II", 19, 1) * (DEEPEST - 1) + struct.pack("<II", 4, 4) + b"gold"
    assert len(found(Document(shallow, choice=BARE), "gold")) == 1


def test_what_lies_less_deep_is_shown_behind_what_lies_too_deep() -> None:
    """Each array holds the next one and then a text, so that the deepest text comes first."""
    depth = DEEPEST + 100
    text = struct.pack("<II", 4, 4) + b"gold"
    document = Document(struct.pack("<II", 19, 2) * depth + text + text * depth, choice=BARE)
    assert len(found(document, "gold")) == DEEPEST - 1


def test_filtering_deep_rows_looks_at_each_level_once() -> None:
    def work(levels: int) -> int:
        document = Document(struct.pack("<II", 19, 1) * levels + bytes(4), choice=BARE)
        count = 0

        def seen(frame: FrameType, event: str, _: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(seen)
        try:
            assert len(found(document, "hex: 13 00 00 00")) == min(levels, DEEPEST)
        finally:
            sys.setprofile(None)
        return count

    assert work(480) <= 5 * work(120)


def test_rows_are_followed_through_an_edit(document: Document) -> None:
    old = FilteredRows(copy.copy(document), found(document, "gold"))
    change = document.apply(set_literal(document, parse_path(document, "[0].player.name"), '"' + "x" * 100 + '"'))
    follower = Follower(old, RowIndex(document), change.splices)
    place = old.place(old.items[0])
    assert place is not None
    there = follower.row(place)
    assert there is not None
    assert format_path(document, follower.new.item(*there)) == "[0].player.gold"


@pytest.mark.parametrize("row", corpus.spread(corpus.malformed("godot3"), 3), ids=lambda row: str(row.get("name", "")))
def test_damaged_bytes_are_filtered_as_others_are(row: corpus.Row) -> None:
    document = Document(bytes.fromhex(row["hex"]))
    for text in ("a", "1", "int", "hex: 00", "true"):
        rows = FilteredRows(document, found(document, text))
        assert {format_path(document, item) for item in rows.items} <= set(listed(rows))
