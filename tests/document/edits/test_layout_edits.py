"""Edits of files that have a layout: lengths, offsets, fill and checksums follow, whatever is edited."""

from __future__ import annotations

import hashlib
import struct
import zlib
from pathlib import Path

import pytest

from viewer.base import assets
from viewer.base.span import Span
from viewer.base.varint import varint_bytes
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import fill, overwrite
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import delete, duplicate
from viewer.document.path import parse_path
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Value

GODOT4 = load("godot4")
NAME = encode(Value("String", "Bob"), GODOT4)
NUMBER = encode(Value("int", 7), GODOT4)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of layouts."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path)
    folder = tmp_path / "layouts"
    folder.mkdir()
    return folder


def opened(own: Path, data: bytes, fields: str) -> Document:
    """A document that is read by a layout of these fields behind a mark of two letters."""
    text = f'name = "x"\ndialects = ["godot4"]\nfield = [{{ name = "mark", type = "mark", text = "AB" }},\n{fields}\n]'
    (own / "x.toml").write_text(text, encoding="utf-8")
    document = Document(b"AB" + data)
    assert document.structure is not None
    assert not document.findings.all()
    return document


def edited(document: Document, path: str, text: str) -> bytes:
    """The bytes behind the mark once something is set; they are read again without a finding, and undone."""
    before = bytes(document.buffer[:])
    document.apply(set_literal(document, parse_path(document, path), text))
    after = bytes(document.buffer[:])
    assert document.structure is not None
    assert not document.findings.all()
    again = Document(after)
    assert again.structure is not None
    assert [piece.text for piece in again.structure.pieces] == [piece.text for piece in document.structure.pieces]
    document.undo()
    assert bytes(document.buffer[:]) == before
    return after[2:]


FORMS = [
    ('{ name = "a", type = "u16", order = "big" }', "0102", "515", "0203"),
    ('{ name = "a", type = "i8" }', "ff", "-5", "fb"),
    ('{ name = "a", type = "f32" }', "0000003f", "0.25", "0000803e"),
    ('{ name = "a", type = "f64", order = "big" }', "3fe0000000000000", "0.25", "3fd0000000000000"),
    ('{ name = "a", type = "u64", as = "uid" }', "0100000000000000", "uid://c", "0200000000000000"),
    ('{ name = "a", type = "varint" }', "ac02", "1", "01"),
    ('{ name = "a", type = "varint" }', "01", "300", "ac02"),
    ('{ name = "a", type = "text", length = "u8" }', "026162", '"abc"', "03616263"),
    ('{ name = "a", type = "text", length = "u32", align = 4 }', "0400000061620000",
     '"abcde"', "080000006162636465000000"),
    ('{ name = "a", type = "text", length = "varint" }', "026162", '"abc"', "03616263"),
    ('{ name = "a", type = "text", until = "\\n" }', "61620a", '"abcd"', "616263640a"),
    ('{ name = "a", type = "text", until = "\\u0000" }', "616200", '""', "00"),
    ('{ name = "a", type = "text", length = 4 }', "61620000", '"abc"', "61626300"),
    ('{ name = "n", type = "u8" }, { name = "a", type = "text", length = "n" }', "026162", '"abc"', "03616263"),
    ('{ name = "n", type = "u8" }, { name = "a", type = "text", length = "n - 1" }', "036162", '"abc"', "04616263"),
    ('{ name = "n", type = "u8" }, { name = "a", type = "bytes", length = "n" }', "02ffff", "01 02 03", "03010203"),
    ('{ name = "a", type = "bytes", length = "u8" }', "02ffff", "01 02 03", "03010203"),
]  # fmt: skip


@pytest.mark.parametrize(("field", "before", "text", "after"), FORMS)
def test_fields_of_each_form_are_set(own: Path, field: str, before: str, text: str, after: str) -> None:
    tail = '{ name = "z", type = "u8" }'
    document = opened(own, bytes.fromhex(before) + b"\x2a", f"{field},\n{tail}")
    assert edited(document, "@a", text) == bytes.fromhex(after) + b"\x2a"


def test_parts_in_parts_take_their_lengths_along(own: Path) -> None:
    fields = """{ name = "size", type = "u16" },
    { name = "outer", type = "group", length = "size", field = [
        { name = "inner", type = "group", length = "u8", field = [
            { name = "title", type = "text", length = "u8" }, { name = "v", type = "value", length = "u16" } ] },
        { name = "end", type = "u8" } ] },
    { name = "z", type = "u8" }"""

    def whole(title: bytes, value: bytes) -> bytes:
        inner = bytes([len(title)]) + title + struct.pack("<H", len(value)) + value
        outer = bytes([len(inner)]) + inner + b"\x09"
        return struct.pack("<H", len(outer)) + outer + b"\x2a"

    document = opened(own, whole(b"abc", NAME), fields)
    longer = encode(Value("String", "Bartholomew"), GODOT4)
    assert edited(document, "[0]", '"Bartholomew"') == whole(b"abc", longer)
    with pytest.raises(EditError, match="length"):
        set_literal(document, parse_path(document, "[0]"), f'"{300 * "x"}"')


def test_offsets_move_from_where_they_count(own: Path) -> None:
    fields = """{ name = "base", type = "u32" },
    { name = "title", type = "text", length = "u8" },
    { name = "place", type = "u32", order = "big" },
    { name = "size", type = "u8" },
    { name = "head", type = "text", length = "u8", at = "base" },
    { name = "body", type = "text", length = "size", at = "base + place" }"""

    def whole(title: bytes, head: bytes, body: bytes) -> bytes:
        base = 2 + 4 + 1 + len(title) + 5
        start = struct.pack("<I", base) + bytes([len(title)]) + title
        start += struct.pack(">I", len(head) + 1) + bytes([len(body)])
        return start + bytes([len(head)]) + head + body

    document = opened(own, whole(b"t", b"head", b"body"), fields)
    assert edited(document, "@title", '"title"') == whole(b"title", b"head", b"body")
    assert edited(document, "@head", '"a longer head"') == whole(b"t", b"a longer head", b"body")
    assert edited(document, "@body", '"b"') == whole(b"t", b"head", b"b")


def test_fill_goes_to_the_same_multiple_again(own: Path) -> None:
    fields = """{ name = "part", type = "group", length = "u8", field = [
        { name = "a", type = "text", length = "u8" }, { name = "fill", type = "padding", align = 4 } ] },
    { name = "gap", type = "padding", align = 8 },
    { name = "n", type = "u8" }"""

    def whole(text: bytes) -> bytes:
        inner = bytes([len(text)]) + text
        inner += bytes(-len(inner) % 4)
        out = b"AB" + bytes([len(inner)]) + inner
        return (out + bytes(-len(out) % 8) + b"\x2a")[2:]

    for before in range(12):
        document = opened(own, whole(b"x" * before), fields)
        for after in (1, 3, 4, 9):
            if before:
                assert edited(document, "@part.a", f'"{"y" * after}"') == whole(b"y" * after), (before, after)


SUMS = {
    "crc32": lambda raw: struct.pack("<I", zlib.crc32(raw)),
    "adler32": lambda raw: struct.pack("<I", zlib.adler32(raw)),
    "md5": lambda raw: hashlib.md5(raw, usedforsecurity=False).digest(),
    "sha256": lambda raw: hashlib.sha256(raw).digest(),
}


@pytest.mark.parametrize("kind", SUMS)
@pytest.mark.parametrize("text", ["9", '"a longer text"'])
def test_checksums_follow_values(own: Path, kind: str, text: str) -> None:
    fields = f"""{{ name = "sum", type = "{kind}", over = "world" }},
    {{ name = "world", type = "value", length = "u32" }}, {{ name = "n", type = "u8" }}"""

    def whole(value: bytes) -> bytes:
        stored = struct.pack("<I", len(value)) + value
        return SUMS[kind](stored) + stored + b"\x2a"

    value = Value("int", 9) if text == "9" else Value("String", "a longer text")
    before = NUMBER if text == "9" else NAME
    document = opened(own, whole(before), fields)
    assert edited(document, "[0]", text) == whole(encode(value, GODOT4))
    assert edited(document, "@n", "1") == whole(before)[:-1] + b"\1"


def test_checksums_over_checksums_come_last_and_over_themselves_count_zeros(own: Path) -> None:
    fields = """{ name = "all", type = "crc32", order = "big", over = ["mark", "n"] },
    { name = "inner", type = "adler32", over = "text" },
    { name = "text", type = "text", length = "u8" }, { name = "n", type = "u8" }"""

    def whole(text: bytes) -> bytes:
        sized = bytes([len(text)]) + text
        rest = SUMS["adler32"](sized) + sized + b"\x2a"
        return struct.pack(">I", zlib.crc32(b"AB" + bytes(4) + rest)) + rest

    document = opened(own, whole(b"abc"), fields)
    assert edited(document, "@text", '"abcdef"') == whole(b"abcdef")


def test_a_checksum_that_was_wrong_and_one_that_is_set_stay_as_they_are(own: Path) -> None:
    fields = '{ name = "sum", type = "crc32", over = "n" }, { name = "n", type = "u8" }'
    text = f'name = "x"\ndialects = ["godot4"]\nfield = [{{ name = "mark", type = "mark", text = "AB" }},\n{fields}\n]'
    (own / "x.toml").write_text(text, encoding="utf-8")
    document = Document(b"AB\1\2\3\4\5")
    document.apply(set_literal(document, parse_path(document, "@n"), "6"))
    assert bytes(document.buffer[:]) == b"AB\1\2\3\4\6"


def test_lengths_that_are_varints_grow_themselves(own: Path) -> None:
    fields = """{ name = "size", type = "varint" },
    { name = "part", type = "group", length = "varint", field = [
        { name = "v", type = "value", length = "varint" }, { name = "n", type = "u8" } ] },
    { name = "name", type = "text", length = "size" }"""

    def whole(value: bytes, name: bytes) -> bytes:
        inner = varint_bytes(len(value)) + value + b"\x2a"
        return varint_bytes(len(name)) + varint_bytes(len(inner)) + inner + name

    document = opened(own, whole(NAME, b"abc"), fields)
    long = "x" * 400
    assert edited(document, "[0]", f'"{long}"') == whole(encode(Value("String", long), GODOT4), b"abc")
    assert edited(document, "@name", f'"{long}"') == whole(NAME, long.encode())


def test_a_text_up_to_the_end_of_its_part_takes_the_length_of_the_part_along(own: Path) -> None:
    fields = """{ name = "part", type = "group", length = "u8", field = [
        { name = "n", type = "u8" }, { name = "a", type = "text", length = "end - here" } ] },
    { name = "z", type = "u8" }"""
    document = opened(own, b"\3\1ab\2", fields)
    assert edited(document, "@part.a", '"abcd"') == b"\5\1abcd\2"


def test_what_follows_from_other_fields_is_not_set_by_itself(own: Path) -> None:
    fields = """{ name = "size", type = "u8" }, { name = "a", type = "text", length = "size" },
    { name = "count", type = "u8" }, { name = "n", type = "u8", repeat = "count" }"""
    document = opened(own, b"\2ab\1\7", fields)
    for path in ("@size", "@count"):
        with pytest.raises(EditError, match="derived from others"):
            set_literal(document, parse_path(document, path), "1")


def test_bytes_that_are_typed_take_their_checksums_along(own: Path) -> None:
    fields = """{ name = "sum", type = "md5", over = "body" }, { name = "body", type = "bytes", length = 4 },
    { name = "n", type = "u8" }"""

    def whole(body: bytes) -> bytes:
        return b"AB" + SUMS["md5"](body) + body + b"\x2a"

    document = opened(own, whole(b"body")[2:], fields)
    document.apply(overwrite(document, 18, b"B", "typing"))
    document.apply(overwrite(document, 19, b"O", "typing"))
    assert bytes(document.buffer[:]) == whole(b"BOdy")
    assert not document.findings.all()
    document.undo()
    assert bytes(document.buffer[:]) == whole(b"body")
    document.apply(fill(document, Span(18, 22), b"x"))
    assert bytes(document.buffer[:]) == whole(b"xxxx")
    document.apply(overwrite(document, 22, b"\1"))
    document.apply(overwrite(document, 2, b"\1"))
    assert bytes(document.buffer[2:4]) == b"\1" + whole(b"xxxx")[3:4]


ITEMS = """{ name = "size", type = "u16" },
    { name = "part", type = "group", length = "size", field = [
        { name = "count", type = "u8" },
        { name = "item", type = "group", repeat = "count", field = [
            { name = "what", type = "text", length = "u8" }, { name = "n", type = "u8" } ] } ] },
    { name = "sum", type = "crc32", over = "part" },
    { name = "values", type = "varint" },
    { name = "value", type = "value", length = "u32", repeat = "values" },
    { name = "place", type = "u8" }, { name = "last", type = "u8", at = "place" }"""


def with_items(items: list[tuple[bytes, int]], values: list[bytes]) -> bytes:
    """A file of that layout."""
    part = bytes([len(items)]) + b"".join(bytes([len(name)]) + name + bytes([n]) for name, n in items)
    out = b"AB" + struct.pack("<H", len(part)) + part + SUMS["crc32"](part) + bytes([len(values)])
    out += b"".join(struct.pack("<I", len(raw)) + raw for raw in values)
    return out + bytes([len(out) + 1]) + b"\x2a"


def test_entries_are_doubled_and_taken_away_with_their_number(own: Path) -> None:
    items, values = [(b"sword", 1), (b"pot", 2), (b"", 3)], [NUMBER, NAME]
    whole = with_items(items, values)
    for path, edit, wanted in (
        ("@part.item_0", delete, with_items(items[1:], values)),
        ("@part.item_2", delete, with_items(items[:2], values)),
        ("@part.item_2", duplicate, with_items([*items, items[2]], values)),
        ("@part.item_0", duplicate, with_items([items[0], *items], values)),
        ("[0]", delete, with_items(items, values[1:])),
        ("[1]", duplicate, with_items(items, [*values, NAME])),
    ):
        document = opened(own, whole[2:], ITEMS)
        document.apply(edit(document, [parse_path(document, path)]))
        assert bytes(document.buffer[:]) == wanted, path
        assert not document.findings.all()
        document.undo()
        assert bytes(document.buffer[:]) == whole
    document = opened(own, whole[2:], ITEMS)
    both = [parse_path(document, f"@part.item_{k}") for k in (0, 1)]
    document.apply(delete(document, both))
    assert bytes(document.buffer[:]) == with_items(items[2:], values)


def test_entries_that_others_depend_on_and_single_fields_are_not_taken_away(own: Path) -> None:
    fields = """{ name = "count", type = "u8" },
    { name = "item", type = "group", repeat = "count", field = [
        { name = "place", type = "u8" }, { name = "n", type = "u8" }, { name = "far", type = "u8", at = "place" } ] }"""
    document = opened(own, b"\1\5\1\2", fields)
    with pytest.raises(EditError, match="where other bytes are"):
        delete(document, [parse_path(document, "@item_0")])
    with pytest.raises(EditError):
        delete(document, [parse_path(document, "@item_0.n")])
    twice = """{ name = "count", type = "u8" }, { name = "a", type = "u8", repeat = "count" },
    { name = "b", type = "u8", repeat = "count" }"""
    document = opened(own, b"\1\5\6", twice)
    with pytest.raises(EditError, match="counts others too"):
        duplicate(document, [parse_path(document, "@a_0")])
