"""Fields of a file that are no values: each form is read as text and written again, in its own order and width."""

from __future__ import annotations

import struct

import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.setting import can_set, literal, set_literal
from viewer.document.edits.slots import EditError
from viewer.document.outline import field_of, gap_item, item_at
from viewer.document.path import PathError, format_path, parse_path
from viewer.document.pieces.message import FieldForm, FieldRole, MessageField
from viewer.document.readers.file_structure import LengthWord, OffsetWord, Structure
from viewer.document.readers.resource_uid import NO_UID, parse_uid, uid_text
from viewer.document.viewmodel.row_data import RowDecorations, row_facts
from viewer.document.viewmodel.rows import LEAF, TOP, RowIndex
from viewer.variant.dialect import load
from viewer.variant.items import Item

GODOT4 = load("godot4")
FORMS = [
    (FieldForm("u8"), b"\x07", "7", "255", b"\xff"),
    (FieldForm("u16", True), b"\x01\x02", "258", "0x0203", b"\x02\x03"),
    (FieldForm("i16"), b"\xff\xff", "-1", "-2", b"\xfe\xff"),
    (FieldForm("u32"), b"\x01\0\0\0", "1", "4294967295", b"\xff\xff\xff\xff"),
    (FieldForm("i64", True), b"\xff" * 8, "-1", "1", bytes(7) + b"\1"),
    (FieldForm("f32"), struct.pack("<f", 0.1), "0.1", "2.5", struct.pack("<f", 2.5)),
    (FieldForm("f64", True), struct.pack(">d", 0.1), "0.1", "inf", struct.pack(">d", float("inf"))),
    (FieldForm("uid"), b"\xff" * 8, "none", "uid://b", b"\1" + bytes(7)),
    (FieldForm("text"), b"ab", '"ab"', '"ü"', "ü".encode()),
    (FieldForm("text", end=b"\0"), b"ab\0", '"ab"', '"xyz"', b"xyz\0"),
    (FieldForm("text", length=4, end=b"\0"), b"\3\0\0\0ab\0", '"ab"', '"abc"', b"\4\0\0\0abc\0"),
    (FieldForm("text", True, 2), b"\0\2ab", '"ab"', '""', b"\0\0"),
    (FieldForm("text", is_fixed=True), b"ab\0\0", '"ab"', '"abc"', b"abc\0"),
    (FieldForm("text", length=4, fill=4), b"\4\0\0\0ab\0\0", '"ab"', '"abcde"', b"\x08\0\0\0abcde\0\0\0"),
    (FieldForm("bytes"), b"\x0a\xff", "0A FF", "01", b"\1"),
    (FieldForm("bytes", length=1), b"\1\x0a", "0A", "0102 03", b"\3\1\2\3"),
]
REFUSED = [
    (FieldForm("u8"), b"\0", "256", "largest"),
    (FieldForm("i16"), b"\0\0", "-40000", "smallest"),
    (FieldForm("u32"), bytes(4), "1.5", "whole number"),
    (FieldForm("f32"), bytes(4), "x", "number"),
    (FieldForm("uid"), bytes(8), "uid://z", "id"),
    (FieldForm("text"), b"", "ab", "quotes"),
    (FieldForm("text", end=b"\0"), b"\0", '"a\\u0000b"', "ends"),
    (FieldForm("text", is_fixed=True), bytes(2), '"abc"', "2 bytes"),
    (FieldForm("text", length=1), b"\0", '"' + 256 * "a" + '"', "255"),
    (FieldForm("bytes"), b"", "0", "hex"),
    (FieldForm("bytes", is_fixed=True), bytes(2), "00", "2 bytes"),
]


def structured(data: bytes, structure: Structure) -> Document:
    """A document that a reader has cut."""
    document = Document(data)
    document.structure, document.fields = structure, structure.pieces
    document.frames, document.gaps = [], [piece.span for piece in structure.pieces]
    return document


@pytest.mark.parametrize(("form", "raw", "shown", "typed", "written"), FORMS)
def test_each_form_is_read_and_written(form: FieldForm, raw: bytes, shown: str, typed: str, written: bytes) -> None:
    piece = MessageField(Span(2, 2 + len(raw)), "field", "", form=form)
    document = structured(b"--" + raw + b"--", Structure("test", "Test", GODOT4, (piece,)))
    item = gap_item(0)
    assert can_set(document, item)
    assert literal(document, item) == shown
    document_after = bytes(b"--" + written + b"--")
    edit = set_literal(document, item, typed)
    assert edit.label == "Set @field"
    document.apply(edit)
    assert bytes(document.buffer[:]) == document_after
    document.undo()
    assert bytes(document.buffer[:]) == b"--" + raw + b"--"


@pytest.mark.parametrize(("form", "raw", "typed", "words"), REFUSED)
def test_what_does_not_fit_is_refused_in_a_sentence(form: FieldForm, raw: bytes, typed: str, words: str) -> None:
    piece = MessageField(Span(0, len(raw)), "field", "", form=form)
    document = structured(raw, Structure("test", "Test", GODOT4, (piece,)))
    with pytest.raises(EditError, match=words):
        set_literal(document, gap_item(0), typed)


def test_lengths_and_offsets_elsewhere_follow() -> None:
    data = bytes([3, 0, 9, 0, 0, 5]) + b"abc" + b"rest"
    pieces = (
        MessageField(Span(0, 2), "length", "3"),
        MessageField(Span(2, 3), "offset", "9"),
        MessageField(Span(3, 6), "outer length", "5"),
        MessageField(Span(6, 9), "name", "abc", form=FieldForm("text")),
        MessageField(Span(9, 13), "rest", ""),
    )
    structure = Structure(
        "test",
        "Test",
        GODOT4,
        pieces,
        offsets=(OffsetWord(Span(2, 3), 9),),
        lengths=(LengthWord(Span(0, 2), Span(6, 9)), LengthWord(Span(3, 6), Span(4, 13), True)),
    )
    document = structured(data, structure)
    document.apply(set_literal(document, parse_path(document, "@name"), '"abcdef"'))
    assert bytes(document.buffer[:]) == bytes([6, 0, 12, 0, 0, 8]) + b"abcdef" + b"rest"
    document = structured(data, structure)
    for size, words in ((0x10000, "length"), (0xFF, "begin")):
        with pytest.raises(EditError, match=words):
            set_literal(document, parse_path(document, "@name"), f'"{size * "x"}"')


def nested() -> Document:
    """A document with fields in fields, two of them of the same name."""
    leaf = MessageField(Span(4, 6), "size", "0", form=FieldForm("u16"))
    group = MessageField(Span(2, 6), "entry 0", "", children=(MessageField(Span(2, 4), "id", "1"), leaf))
    again = MessageField(Span(6, 8), "entry 0", "", form=FieldForm("u16"))
    table = MessageField(Span(0, 8), "a table", "", children=(MessageField(Span(0, 2), "count", "2"), group, again))
    last = MessageField(Span(8, 9), "gap7", "", FieldRole.OPAQUE)
    return structured(bytes(9), Structure("test", "Test", GODOT4, (table, last)))


def test_fields_in_fields_have_rows_and_paths_of_their_own() -> None:
    document = nested()
    rows, found = RowIndex(document), []
    marks = RowDecorations(document)
    waiting = [TOP]
    while waiting:
        holder = waiting.pop(0)
        for row in range(rows.count(holder)):
            item = rows.item(holder, row)
            path = format_path(document, item)
            assert parse_path(document, path) == item
            assert rows.place(item) == (holder, row)
            found.append((path, row_facts(document, rows, marks, holder, row).name))
            below = rows.holder(holder, row)
            assert rows.has_rows(holder, row) == (below != LEAF)
            if below != LEAF:
                assert rows.has(below)
                waiting.append(below)
    assert found == [
        ("@a_table", "a table"),
        ("@gap1", "gap7"),
        ("@a_table.count", "count"),
        ("@a_table.entry_0", "entry 0"),
        ("@a_table[2]", "entry 0"),
        ("@a_table.entry_0.id", "id"),
        ("@a_table.entry_0.size", "size"),
    ]
    assert item_at(document, 5) == parse_path(document, "@a_table.entry_0.size")
    assert rows.place(gap_item(0, (1, 9))) is None
    assert field_of(document, gap_item(0, (9,))) is None
    assert field_of(document, Item(-1, -1, "gap.x")) is None
    for wrong in ("@a_table.none", "@a_table[3]", "@gap2", "@gap0.count.x", "@nothing"):
        with pytest.raises(PathError):
            parse_path(document, wrong)


def test_rows_of_very_many_fields_are_cut_into_pages() -> None:
    children = tuple(MessageField(Span(k, k + 1), f"field {k}", "") for k in range(50))
    piece = MessageField(Span(0, 50), "all", "", children=children)
    document = structured(bytes(50), Structure("test", "Test", GODOT4, (piece,)))
    rows = RowIndex(document, page=4)
    for number in range(50):
        place = rows.place(gap_item(0, (number,)))
        assert place is not None
        assert rows.item(*place) == gap_item(0, (number,))
    holder = rows.holder(TOP, 0)
    assert rows.page_span(holder, 0) == Span(0, 16)


def test_ids_are_written_as_the_engine_writes_them() -> None:
    for uid in (0, 1, 33, 34, 5_000_000_000_000_000_000, NO_UID):
        assert parse_uid(uid_text(uid)) == uid
    assert uid_text(0) == "uid://a"
    assert uid_text(34) == "uid://ba"
    for wrong in ("", "uid://", "uid://z", "uid://9", "b", "uid://" + 20 * "8"):
        assert parse_uid(wrong) is None
