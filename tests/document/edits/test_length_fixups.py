"""Mending: what raw edits made untrue is found, said, and put right exactly as a set value would be written."""

from __future__ import annotations

from collections.abc import Iterable

import corpus
import engine
import pytest
from engine import Request

from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.length_fixups import UnfixedEdits, healed, mend, offer
from viewer.document.edits.raw_bytes import insert_bytes, remove_bytes, replace_bytes
from viewer.document.edits.setting import set_literal, set_value
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.variant import items
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

BARE_TEXT = bytes.fromhex("04000000 05000000 48656C6C 6F000000")
EMPTY_TEXT = bytes.fromhex("13000000 01000000 04000000 00000000")
STORED_TEXT = bytes.fromhex("10000000") + BARE_TEXT
STORED_INT = bytes.fromhex("08000000 02000000 07000000")
NESTED = bytes.fromhex(
    "2C000000 13000000 0300000004000000 05000000 48656C6C 6F00000004000000 04000000 4142434402000000 2A000000"
)
BYTES = bytes.fromhex("14000000 03000000 010203 00")
INTS = bytes.fromhex("15000000 02000000 01000000 02000000")
STRINGS = bytes.fromhex("17000000 02000000 03000000 6162 00 00 02000000 63 00 0000")
PATH = bytes.fromhex("0F000000 02000080 01000000 00000000 01000000 41000000 02000000 42430000 02000000 68700000")
PATH_OF_GODOT2 = bytes.fromhex("10000000 03000000 412F42")


class Editing:
    """A document with raw edits and what they made untrue, as the window keeps them."""

    def __init__(self, data: bytes, choice: ReadOptions | None = None) -> None:
        self.document = Document(data, choice=choice)
        self.wound = UnfixedEdits()

    def do(self, edit: Edit) -> None:
        for splice in edit.splices:
            self.wound = self.wound.before(self.document, splice)
        change = self.document.apply(edit)
        self.wound = self.wound.after(change.splices)

    def insert(self, offset: int, new: bytes) -> None:
        self.do(insert_bytes(self.document, offset, new))

    def remove(self, start: int, end: int) -> None:
        self.do(remove_bytes(self.document, Span(start, end)))

    @property
    def words(self) -> str:
        found = offer(self.document, self.wound)
        return found.sentence if found else ""

    @property
    def action(self) -> str:
        found = offer(self.document, self.wound)
        return found.action if found else ""

    def mended(self) -> bytes:
        edit = mend(self.document, self.wound)
        assert edit is not None
        self.wound = healed(self.document, self.wound)
        self.document.apply(edit)
        assert self.words == ""
        return bytes(self.document.buffer[:])


def set_to(data: bytes, path: str, text: str) -> bytes:
    """The bytes that setting a value writes."""
    document = Document(data)
    document.apply(set_literal(document, parse_path(document, path), text))
    return bytes(document.buffer[:])


# Texts


@pytest.mark.parametrize(
    ("data", "path", "start"),
    [
        pytest.param(BARE_TEXT, "[0]", 8, id="bare"),
        pytest.param(STORED_TEXT, "[0]", 12, id="stored"),
        pytest.param(STORED_INT + STORED_TEXT + STORED_INT, "[1]", 24, id="between frames"),
        pytest.param(NESTED, "[0][0]", 20, id="nested"),
    ],
)
@pytest.mark.parametrize("more", ["!", "ab", "abc", "abcd", "a much longer text"])
@pytest.mark.parametrize("place", [0, 2, 5])
def test_bytes_put_into_a_text_and_mended_are_what_setting_it_writes(
    data: bytes, path: str, start: int, more: str, place: int
) -> None:
    editing = Editing(data)
    editing.insert(start + place, more.encode())
    assert editing.mended() == set_to(data, path, '"' + "Hello"[:place] + more + "Hello"[place:] + '"')


@pytest.mark.parametrize("cut", [(0, 1), (1, 4), (4, 5), (0, 5)])
def test_bytes_taken_out_of_a_text_and_mended_are_what_setting_it_writes(cut: tuple[int, int]) -> None:
    editing = Editing(NESTED)
    editing.remove(20 + cut[0], 20 + cut[1])
    assert editing.mended() == set_to(NESTED, "[0][0]", '"' + "Hello"[: cut[0]] + "Hello"[cut[1] :] + '"')


def test_an_empty_text_can_be_typed_into() -> None:
    editing = Editing(EMPTY_TEXT)
    editing.insert(16, b"Hi")
    assert editing.words == "The text is 2 bytes longer than its length says."
    assert editing.mended() == set_to(EMPTY_TEXT, "[0][0]", '"Hi"')


def test_bytes_typed_one_by_one_are_one_offer_that_follows_them() -> None:
    editing = Editing(NESTED)
    for number, letter in enumerate(b"xyz"):
        editing.insert(25 + number, bytes([letter]))
    assert editing.words == "The text is 3 bytes longer than its length says."
    assert editing.action == "Fix length and padding"
    assert editing.mended() == set_to(NESTED, "[0][0]", '"Helloxyz"')


def test_a_text_whose_fill_was_taken_with_its_end_is_filled_again() -> None:
    editing = Editing(NESTED)
    editing.remove(23, 27)
    assert editing.words == "The text is 2 bytes shorter than its length says."
    assert editing.mended() == set_to(NESTED, "[0][0]", '"Hel"')


def test_a_length_that_a_person_puts_right_by_hand_ends_the_offer_when_the_fill_is_right_too() -> None:
    editing = Editing(BARE_TEXT)
    editing.insert(13, b"abc")
    editing.remove(16, 19)
    assert editing.words == "The text is 3 bytes longer than its length says."
    editing.do(replace_bytes(editing.document, Span(4, 5), b"\x08"))
    assert editing.words == ""


def test_fill_of_the_wrong_length_is_an_offer_of_its_own() -> None:
    editing = Editing(BARE_TEXT)
    editing.insert(15, b"\0")
    assert editing.words == "The text has 4 bytes of padding where 3 belong."
    assert editing.action == "Fix padding"
    assert editing.mended() == BARE_TEXT


def test_undo_ends_the_offer_and_redo_makes_it_again() -> None:
    editing = Editing(STORED_TEXT)
    editing.insert(17, b"!")
    undone = editing.document.undo()
    assert undone is not None
    editing.wound = editing.wound.after(undone.splices)
    assert editing.words == ""
    redone = editing.document.redo()
    assert redone is not None
    editing.wound = editing.wound.after(redone.splices)
    assert editing.words == "The text is 1 byte longer than its length says."


@pytest.mark.parametrize("folder", ["godot2", "godot3", "godot4", "godot4-double", "pandemonium5"])
def test_in_saves_of_every_engine_a_mended_text_is_what_setting_it_writes(folder: str) -> None:
    data = max((file.path for file in corpus.files(folder)), key=lambda path: path.stat().st_size).read_bytes()
    original = Document(data)
    found = [(k, node) for k, frame in enumerate(original.frames) for node in _strings(frame.table)]
    assert found
    for index, node in found[:: 1 + len(found) // 4]:
        frame = original.frames[index]
        text = items.part(frame.table, node, "text")
        assert text is not None
        editing = Editing(data)
        editing.insert(frame.start + text.span.end, b"!?")
        wanted = Document(data)
        wanted.apply(set_value(wanted, Item(index, node), Value("String", f"{text.value}!?")))
        assert editing.mended() == bytes(wanted.buffer[:])


def _strings(table: NodeTable) -> list[int]:
    """The String values of a frame that are not empty."""
    rows = [(node, table.row(node)) for node in range(len(table)) if not table.is_name(node)]
    strings = [node for node, row in rows if row is not None and row.name == "String"]
    return [node for node in strings if items.part(table, node, "text") is not None]


# Other runs


@pytest.mark.parametrize("more", [b"\x09", b"\x09\x08", b"\x09" * 5])
def test_bytes_of_a_byte_array_are_counted_and_filled(more: bytes) -> None:
    editing = Editing(BYTES)
    editing.insert(9, more)
    listed = ", ".join(str(byte) for byte in b"\x01" + more + b"\x02\x03")
    assert editing.mended() == set_to(BYTES, "[0]", f"PoolByteArray( {listed} )")


def test_whole_elements_are_counted() -> None:
    editing = Editing(INTS)
    editing.insert(12, b"\x05\0\0\0")
    assert editing.words == "The PoolIntArray has 1 element more than its count says."
    assert editing.action == "Fix count"
    assert editing.mended() == set_to(INTS, "[0]", "PoolIntArray( 1, 5, 2 )")


def test_part_of_an_element_is_told_and_nothing_is_offered_until_it_is_whole() -> None:
    editing = Editing(INTS)
    editing.insert(12, b"\x05")
    assert editing.words == ("An element of this PoolIntArray takes 4 bytes: insert 3 more, or remove 1.")
    assert editing.action == ""
    assert mend(editing.document, editing.wound) is None
    editing.insert(13, b"\0\0\0")
    assert editing.action == "Fix count"


def test_a_string_of_a_packed_array_is_mended_alone() -> None:
    editing = Editing(STRINGS)
    editing.insert(13, b"XY")
    assert editing.mended() == set_to(STRINGS, "[0]", 'PoolStringArray( "aXYb", "c" )')


def test_a_name_of_a_node_path_is_mended_alone() -> None:
    editing = Editing(PATH)
    editing.insert(30, b"D")
    assert editing.words == "The name is 1 byte longer than its length says."
    assert editing.mended() == PATH[:24] + bytes.fromhex("03000000 42434400") + PATH[32:]


def test_a_node_path_of_godot_2_has_no_fill_to_mend() -> None:
    editing = Editing(PATH_OF_GODOT2, ReadOptions(load("godot2"), framing=FramingKind.BARE))
    editing.insert(11, b"/C")
    assert editing.action == "Fix length"
    assert editing.mended() == bytes.fromhex("10000000 05000000 412F422F43")


def test_a_value_put_between_values_leaves_only_the_prefix_untrue() -> None:
    editing = Editing(NESTED)
    editing.insert(28, bytes.fromhex("02000000 07000000"))
    assert editing.words == "The value is 8 bytes longer than its length prefix says."
    assert editing.action == "Fix length prefix"
    assert editing.mended()[:4] == bytes.fromhex("34000000")


def test_a_prefix_that_was_never_true_is_left_alone() -> None:
    data = bytes.fromhex("FF000000") + BARE_TEXT
    document = Document(data)
    wound = UnfixedEdits().before(document, insert_bytes(document, 17, b"!").splices[0])
    change = document.apply(insert_bytes(document, 17, b"!"))
    edit = mend(document, wound.after(change.splices))
    assert edit is not None
    assert all(splice.offset >= 4 for splice in edit.splices)


def test_the_bytes_of_a_number_are_nobodys_length() -> None:
    editing = Editing(bytes.fromhex("02000000 07000000"))
    editing.insert(6, b"\0")
    assert editing.words == ""


# Several at once


def test_two_texts_changed_from_the_end_are_mended_together() -> None:
    editing = Editing(NESTED)
    editing.insert(40, b"E")
    editing.insert(25, b"!!")
    wanted = set_to(set_to(NESTED, "[0][1]", '"ABCDE"'), "[0][0]", '"Hello!!"')
    assert editing.words == "The text is 2 bytes longer than its length says. The same is true in 1 more place."
    assert editing.mended() == wanted


def test_behind_a_broken_length_nothing_is_believed() -> None:
    editing = Editing(NESTED)
    editing.insert(25, b"!!!!")
    runs = editing.wound.runs
    editing.insert(42, b"E")
    assert len(editing.wound.runs) == len(runs) == 1


def test_another_frame_is_believed_although_one_is_broken() -> None:
    editing = Editing(STORED_TEXT + NESTED)
    editing.insert(17, b"!")
    editing.mended()
    editing = Editing(bytes(editing.document.buffer[:]))
    editing.insert(45, b"?")
    assert editing.words == "The text is 1 byte longer than its length says."


def mended_everywhere(data: bytes, offsets: Iterable[int], new: bytes) -> int:
    """Insert bytes at each place, and take what is offered then: it tells no more. Returns how often there was any."""
    count = 0
    for offset in offsets:
        editing = Editing(data)
        editing.insert(offset, new)
        found = offer(editing.document, editing.wound)
        if found is None:
            continue
        assert found.sentence
        assert bool(found.action) == (found.edit is not None)
        if found.edit is not None:
            editing.mended()
            editing.document.undo()
            count += 1
        editing.document.undo()
        assert bytes(editing.document.buffer) == data
    return count


def test_no_place_in_a_save_makes_the_search_fail() -> None:
    data = next(file.path for file in corpus.files("godot4") if file.path.stat().st_size < 1 << 13).read_bytes()
    places = range(0, len(data) + 1, 1 + len(data) // 97)
    assert mended_everywhere(data, places, b"\x01") > len(places) // 2


@pytest.mark.parametrize("folder", ["godot2", "godot3", "godot4", "pandemonium5"])
def test_no_broken_bytes_make_the_search_fail(folder: str) -> None:
    for row in corpus.spread(corpus.malformed(folder)[:60], 2, folder):
        data = bytes.fromhex(row["hex"])
        offsets = {min(offset, len(data)) for offset in (0, 4, 9, len(data) // 2, len(data))}
        mended_everywhere(data, offsets, b"\x01\x02")


# The engine


@pytest.mark.engine
def test_the_engine_reads_what_was_mended() -> None:
    saves = {
        "text": (NESTED, 25, b"!!!"),
        "stored text": (STORED_TEXT, 17, b" and more"),
        "bytes": (len(BYTES).to_bytes(4, "little") + BYTES, 13, b"\x09\x08"),
        "strings": (len(STRINGS).to_bytes(4, "little") + STRINGS, 17, b"XY"),
    }
    mended = {}
    for name, (data, offset, new) in saves.items():
        editing = Editing(data)
        editing.insert(offset, new)
        mended[name] = editing.mended()
    answers = engine.read_back([Request(data, "get_var_all") for data in mended.values()])
    assert [answer.error for answer in answers] == [None] * len(mended)
    assert [answer.value for answer in answers] == [
        {"Array": [{"str": "Hello!!!"}, {"str": "ABCD"}, {"int": "42"}]},
        {"str": "Hello and more"},
        {"PoolByteArray": "0109080203"},
        {"PoolStringArray": [{"str": "aXYb"}, {"str": "c"}]},
    ]
