"""Elements of packed arrays are set, inserted and deleted; count, fill and prefix follow, and the engine agrees."""

from __future__ import annotations

import struct

import engine
import pytest
from engine import Request

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.packed import (
    Changes,
    change_elements,
    delete_elements,
    insert_elements,
    set_elements,
)
from viewer.document.edits.slots import EditError
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import NaN

ROOT = Item(0, 0)
BYTES, INTS, REALS, STRINGS, VECTORS2, COLORS = 20, 21, 22, 23, 24, 26


def words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "little", signed=number < 0) for number in numbers)


def text(content: bytes) -> bytes:
    raw = content + b"\0"
    return words(len(raw)) + raw + bytes(-len(raw) % 4)


def document(raw: bytes, framing: FramingKind = FramingKind.BARE, dialect: str = "godot3") -> Document:
    return Document(raw, name="test", choice=ReadOptions(load(dialect), None, framing))


def after(source: Document, edit: Edit) -> bytes:
    """The bytes after an edit, which can be taken back."""
    before = bytes(source.buffer[:])
    source.apply(edit)
    new = bytes(source.buffer[:])
    assert not source.findings.all()
    source.undo()
    assert bytes(source.buffer[:]) == before
    return new


def test_setting_an_element_changes_only_its_bytes() -> None:
    source = document(words(INTS, 3, 1, 2, 3))
    edit = set_elements(source, ROOT, {1: -7})
    assert after(source, edit) == words(INTS, 3, 1, -7, 3)
    assert [(splice.offset, splice.removed) for splice in edit.splices] == [(12, words(2))]


def test_elements_far_apart_are_set_in_one_step() -> None:
    source = document(words(INTS, 5, 1, 2, 3, 4, 5))
    assert after(source, set_elements(source, ROOT, {4: 50, 0: 10, 1: 20})) == words(INTS, 5, 10, 20, 3, 4, 50)


def test_inserting_counts_and_may_append() -> None:
    source = document(words(INTS, 2, 1, 2))
    assert after(source, insert_elements(source, ROOT, 1, [8, 9])) == words(INTS, 4, 1, 8, 9, 2)
    assert after(source, insert_elements(source, ROOT, 2, [3])) == words(INTS, 3, 1, 2, 3)


def test_an_empty_array_takes_elements() -> None:
    source = document(words(INTS, 0))
    assert after(source, insert_elements(source, ROOT, 0, [3])) == words(INTS, 1, 3)


def test_deleting_several_runs_is_one_step() -> None:
    source = document(words(INTS, 6, 0, 1, 2, 3, 4, 5))
    assert after(source, delete_elements(source, ROOT, [range(4, 6), range(1, 2)])) == words(INTS, 3, 0, 2, 3)


def test_the_fill_of_bytes_follows_their_number() -> None:
    source = document(words(BYTES, 5) + b"abcde\0\0\0")
    assert after(source, delete_elements(source, ROOT, [range(1)])) == words(BYTES, 4) + b"bcde"
    assert after(source, insert_elements(source, ROOT, 5, [102])) == words(BYTES, 6) + b"abcdef\0\0"
    assert after(source, insert_elements(source, ROOT, 0, [1] * 4)) == words(BYTES, 9) + b"\1\1\1\1abcde\0\0\0"


def test_the_length_prefix_follows() -> None:
    source = document(words(20, INTS, 3, 1, 2, 3), FramingKind.STORED)
    assert after(source, delete_elements(source, ROOT, [range(2)])) == words(12, INTS, 1, 3)


def test_strings_bring_their_length_and_fill() -> None:
    source = document(words(STRINGS, 2) + text(b"one") + text(b"three"))
    assert after(source, set_elements(source, ROOT, {0: "Zoë"})) == words(STRINGS, 2) + text("Zoë".encode()) + text(
        b"three"
    )
    assert after(source, insert_elements(source, ROOT, 1, ["two", ""])) == words(STRINGS, 4) + text(b"one") + text(
        b"two"
    ) + text(b"") + text(b"three")
    assert after(source, delete_elements(source, ROOT, [range(1)])) == words(STRINGS, 1) + text(b"three")


def test_a_string_behind_one_without_its_fill_begins_at_a_multiple_of_four() -> None:
    row = load("godot2").by_name["StringArray"]
    source = document(words(row.number, 1, 2) + b"a\0", dialect="godot2")
    source.apply(insert_elements(source, ROOT, 1, ["b"]))
    assert bytes(source.buffer[:]) == words(row.number, 2) + text(b"a") + text(b"b")


def test_all_changes_at_once_count_in_the_indexes_before() -> None:
    source = document(words(INTS, 5, 0, 1, 2, 3, 4))
    changes = Changes({2: 20, 3: 30}, ((3, (7,)), (5, (8, 9))), (range(2),))
    assert after(source, change_elements(source, ROOT, changes)) == words(INTS, 6, 20, 7, 30, 4, 8, 9)


def test_vectors_are_tuples_and_wide_arrays_stay_wide() -> None:
    number = load("godot4").by_name["PackedVector2Array"].number
    wide = words(number | 1 << 16, 1) + struct.pack("<2d", 1, 2)
    source = document(wide, dialect="godot4")
    assert after(source, insert_elements(source, ROOT, 0, [(0.1, 5)])) == (
        words(number | 1 << 16, 2) + struct.pack("<4d", 0.1, 5, 1, 2)
    )


def test_a_nan_keeps_its_bits() -> None:
    source = document(words(REALS, 1, 0))
    edit = set_elements(source, ROOT, {0: NaN(bytes.fromhex("010203ff"))})
    assert after(source, edit) == words(REALS, 1) + bytes.fromhex("010203ff")


def test_an_array_inside_a_collection_grows_in_its_place() -> None:
    source = document(words(19, 2, INTS, 1, 5, 2, 9))
    assert after(source, insert_elements(source, Item(0, 1), 1, [6])) == words(19, 2, INTS, 2, 5, 6, 2, 9)


@pytest.mark.parametrize(
    ("raw", "change", "reason"),
    [
        (words(INTS, 1, 1), Changes({1: 0}), "There is no element 1"),
        (words(INTS, 1, 1), Changes({0: 1 << 31}), "does not fit a 32-bit integer"),
        (words(INTS, 1, 1), Changes({0: 0.5}), "A whole number belongs here"),
        (words(INTS, 1, 1), Changes({0: "a"}), "A whole number belongs here"),
        (words(REALS, 1, 1), Changes({0: "a"}), "A number belongs here"),
        (words(BYTES, 1, 1), Changes({0: 256}), "does not fit a byte"),
        (words(VECTORS2, 1, 1, 1), Changes({0: (1, 2, 3)}), "takes 2 numbers"),
        (words(STRINGS, 1) + text(b"a"), Changes({0: 5}), "An element is a text"),
        (words(INTS, 1, 1), Changes(inserts=((2, (1,)),)), "There is no place 2"),
        (words(INTS, 1, 1), Changes(deletes=(range(2),)), "There is no element 1"),
        (words(INTS, 2, 1, 2), Changes(deletes=(range(2), range(1, 2))), "cannot be deleted twice"),
        (words(INTS, 9, 1, 2), Changes(inserts=((0, (1,)),)), "cuts this array off"),
        (words(2, 5), Changes({0: 1}), "not a packed array"),
    ],
)
def test_what_cannot_be_is_said_in_words(raw: bytes, change: Changes, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        change_elements(document(raw), ROOT, change)


def test_an_element_of_a_cut_off_array_may_be_set() -> None:
    source = document(words(INTS, 9, 1, 2))
    source.apply(set_elements(source, ROOT, {1: 5}))
    assert bytes(source.buffer[:]) == words(INTS, 9, 1, 5)


def test_an_inserted_element_is_selected_and_a_deleted_one_selects_the_next() -> None:
    source = document(words(INTS, 3, 1, 2, 3))
    assert insert_elements(source, ROOT, 1, [9]).focus.after == (12,)  # type: ignore[union-attr]
    assert delete_elements(source, ROOT, [range(1, 2)]).focus.after == (12,)  # type: ignore[union-attr]
    assert delete_elements(source, ROOT, [range(1, 3)]).focus.after == (0,)  # type: ignore[union-attr]


@pytest.mark.engine
def test_the_engine_reads_back_what_was_changed() -> None:
    number = struct.Struct("<f").pack
    tries = [
        (words(BYTES, 5) + b"abcde\0\0\0", Changes({0: 1}, ((5, (2, 3)),), (range(2, 3),)), (1, 98, 100, 101, 2, 3)),
        (words(INTS, 3, 1, 2, 3), Changes({0: -5}, ((1, (2**31 - 1,)),)), (-5, 2**31 - 1, 2, 3)),
        (words(REALS, 1) + number(1), Changes(inserts=((0, (0.5, -2)),)), (0.5, -2.0, 1.0)),
        (words(STRINGS, 1) + text(b"a"), Changes({0: "Zoë"}, ((1, ("", "漢字")),)), ("Zoë", "", "漢字")),
        (words(VECTORS2, 1) + number(1) + number(2), Changes(inserts=((1, ((3, 4),)),)), ((1.0, 2.0), (3.0, 4.0))),
        (words(COLORS, 0), Changes(inserts=((0, ((0, 0.5, 1, 2),)),)), ((0.0, 0.5, 1.0, 2.0),)),
    ]
    requests, wanted = [], []
    for raw, changes, expected in tries:
        source = document(raw)
        source.apply(change_elements(source, ROOT, changes))
        data = read(source.frames[0].table).data
        assert tuple(data) == expected  # type: ignore[arg-type]
        requests.append(Request(bytes(source.buffer[:])))
        wanted.append(expected)
    answers = engine.read_back(requests)
    assert [answer.error for answer in answers] == [None] * len(tries)
    assert [plain(answer.value) for answer in answers] == wanted


def plain(value: object) -> object:
    """The elements that the engine read."""
    assert isinstance(value, dict)
    name = next(iter(value))
    content = value[name]
    if name == "PoolByteArray":
        return tuple(bytes.fromhex(content))
    convert = {"PoolIntArray": int, "PoolRealArray": float, "PoolStringArray": lambda found: found["str"]}
    one = convert.get(name, lambda found: tuple(map(float, found)))
    return tuple(one(entry) for entry in content)
