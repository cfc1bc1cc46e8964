"""Rows found again after a change: by their bytes, else by their key or number."""

from __future__ import annotations

import struct

from viewer.document.document import Document
from viewer.document.edits.setting import set_value
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.document.viewmodel.follower import Follower
from viewer.document.viewmodel.rows import LEAF, Place, RowIndex
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.value import Array, Dictionary, Value

PAGE = 4
GODOT3 = load("godot3")
ONE = bytes.fromhex("13000000 01000000 02000000 07000000")  # an Array that holds the int 7


def _array(*elements: bytes) -> Document:
    return Document(struct.pack("<II", 19, len(elements)) + b"".join(elements), choice=ReadOptions(dialect=GODOT3))


def _count(document: Document, growth: int) -> Splice:
    old = document.buffer[4:8]
    return Splice(4, bytes(old), struct.pack("<I", struct.unpack("<I", old)[0] + growth))


def _row(rows: RowIndex, path: str) -> Place:
    place = rows.place(parse_path(rows.document, path))
    assert place is not None
    return place


def _followed(document: Document, edit: Edit, *paths: str) -> list[str]:
    """The paths after an edit of the rows that had *paths* before it; empty for those that are gone."""
    old = RowIndex(_as_it_is(document), PAGE)
    places = [_row(old, path) for path in paths]
    change = document.apply(edit)
    follower = Follower(old, RowIndex(document, PAGE), change.splices)
    found = [follower.row(place) for place in places]
    return ["" if place is None else format_path(document, follower.new.item(*place)) for place in found]


def _as_it_is(document: Document) -> Document:
    return Document(bytes(document.buffer[:]), choice=document.choice)


def test_an_element_put_before_others_moves_them_on() -> None:
    document = _array(ONE, ONE, ONE)
    edit = Edit("insert", (_count(document, 1), Splice(8 + 16, b"", ONE)))
    assert _followed(document, edit, "[0][0]", "[0][1]", "[0][2][0]") == ["[0][0]", "[0][2]", "[0][3][0]"]


def test_a_deleted_element_is_gone_and_the_next_one_does_not_take_its_place() -> None:
    document = _array(ONE, ONE, ONE)
    edit = Edit("delete", (_count(document, -1), Splice(8 + 16, ONE, b"")))
    assert _followed(document, edit, "[0][0]", "[0][1]", "[0][1][0]", "[0][2]") == ["[0][0]", "", "", "[0][1]"]


def test_what_was_written_anew_is_found_by_its_keys() -> None:
    inner = Value("Dictionary", Dictionary(((Value("String", "b"), Value("Array", Array((Value("int", 1),)))),)))
    document = _array(ONE)
    document.apply(set_value(document, Item(0, 0), Value("Dictionary", Dictionary(((Value("String", "a"), inner),)))))
    whole = bytes(document.buffer[:])
    nil, text = bytes(4), bytes.fromhex("04000000 01000000 7A000000")
    longer = whole[:4] + struct.pack("<I", 2) + text + nil + whole[8:]
    edit = Edit("all", (Splice(0, whole, longer),))
    assert _followed(document, edit, "[0].a", "[0].a.b", "[0].a.b[0]") == ["[0].a", "[0].a.b", "[0].a.b[0]"]


def test_a_page_stays_where_it_is_in_number() -> None:
    document = _array(*[ONE] * 20)
    old = RowIndex(_as_it_is(document), PAGE)
    page = _row(old, "[0][5]")[0]
    change = document.apply(Edit("insert", (_count(document, 1), Splice(8, b"", ONE))))
    follower = Follower(old, RowIndex(document, PAGE), change.splices)
    assert follower.holder(page) == page
    assert follower.row((old.holder(0, 0), 1)) == (old.holder(0, 0), 1)


def test_pages_that_are_no_more_are_gone() -> None:
    document = _array(*[ONE] * 5)
    old = RowIndex(_as_it_is(document), PAGE)
    page = _row(old, "[0][4]")[0]
    change = document.apply(Edit("delete", (_count(document, -1), Splice(8, ONE, b""))))
    follower = Follower(old, RowIndex(document, PAGE), change.splices)
    assert follower.holder(page) == LEAF
    assert follower.holder(old.key(0, 0)) == old.key(0, 0)


def test_an_element_of_a_packed_array_moves_with_its_bytes() -> None:
    floats = struct.pack("<II", GODOT3.type_number("PoolRealArray"), 3) + bytes(12)
    document = _array(ONE, floats)
    edit = Edit("insert", (Splice(8 + 16 + 4, struct.pack("<I", 3), struct.pack("<I", 4)), Splice(32, b"", bytes(4))))
    assert _followed(document, edit, "[0][1][0]", "[0][1][2]") == ["[0][1][1]", "[0][1][3]"]
    edit = Edit("insert", (_count(document, 1), Splice(8, b"", ONE)))
    assert _followed(document, edit, "[0][1][2]") == ["[0][2][2]"]


def test_other_frames_are_found_by_their_bytes() -> None:
    document = Document(ONE * 3, choice=ReadOptions(dialect=GODOT3))
    assert len(document.frames) == 3
    edit = Edit("delete", (Splice(0, ONE, b""),))
    assert _followed(document, edit, "[0]", "[1][0]", "[2]") == ["", "[0][0]", "[1]"]


def test_a_nest_deeper_than_python_is_followed() -> None:
    depth = 50_000
    document = Document(bytes.fromhex("13000000 01000000") * depth + bytes(4), choice=ReadOptions(dialect=GODOT3))
    old = RowIndex(_as_it_is(document), PAGE)
    change = document.apply(Edit("all", (Splice(0, bytes(document.buffer[:]), ONE),)))
    assert Follower(old, RowIndex(document, PAGE), change.splices).node(0, 1000) is None


def test_an_element_that_was_promised_only_keeps_its_name() -> None:
    one = bytes.fromhex("17000000 01000000 01000000 61000000")
    document = Document(one, choice=ReadOptions(dialect=GODOT3))
    follower = Follower(RowIndex(document, PAGE), RowIndex(document, PAGE), ())
    assert follower._element(Item(0, 0, "[7]")) == "[7]"
