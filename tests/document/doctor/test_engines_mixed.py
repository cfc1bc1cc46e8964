"""Two engine lines in one file are told, where each value is sound in one of them and not in the other."""

from __future__ import annotations

import struct

import pytest

from viewer.container.frames import FramingKind
from viewer.document.doctor import Cause, examine
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

VALUE = '{"name": "anna", "gold": 12, "bag": ["sword", "key"], "at": Vector2(1, 2)}'
"""The two lines number two of its types otherwise."""


def stored(line: str, literal: str = VALUE) -> bytes:
    value = encode(parse_literal(literal, load(line)), load(line))
    return struct.pack("<I", len(value)) + value


def told(data: bytes, choice: ReadOptions | None = None) -> list[str]:
    """What the doctor says of several engine lines: why."""
    document = Document(data) if choice is None else Document(data, choice=choice)
    return [each.reason for each in examine(document).repairs if each.cause is Cause.SEVERAL_ENGINES]


@pytest.mark.parametrize("rest", [b"", stored("godot4"), stored("godot3") * 3], ids=["two", "three", "back again"])
def test_each_value_is_named_by_the_line_that_reads_it(rest: bytes) -> None:
    one, other = stored("godot3"), stored("godot4")
    first = examine(Document(one + other + rest)).repairs[0]
    assert (first.cause, first.confidence > 0.85) == (Cause.SEVERAL_ENGINES, True)
    assert "The one at 0x4 is sound in Godot 3 and not in Godot 4," in first.reason
    assert f"the one at 0x{len(one) + 4:X} the other way round" in first.reason
    assert first.edit is None


def test_values_that_both_lines_read_belong_to_either() -> None:
    assert told(stored("godot3") + stored("godot4", "7") + stored("godot4"))


@pytest.mark.parametrize(
    "data",
    [
        stored("godot4") * 2,
        stored("godot3") + stored("godot3", "[1, 2]"),
        stored("godot3") + stored("godot4")[:-4],
        stored("godot3") + stored("godot4") + b"SAVE",
        stored("godot3") + struct.pack("<3I", 8, 28, 0),
        stored("godot3") + struct.pack("<4I", 12, 200, 0, 0),
    ],
    ids=["one line", "one line that both read", "cut", "a field", "no words", "no line"],
)
def test_nothing_is_told_where_it_is_not_so(data: bytes) -> None:
    assert not told(data)


@pytest.mark.parametrize(("line", "header", "wrong"), [("godot4", 27, 25), ("godot4", 28, 26), ("godot3", 18, 20)])
def test_one_damaged_header_is_no_engine_line(line: str, header: int, wrong: int) -> None:
    """In another line the wrong number is that of a collection."""
    values = stored(line, '["a word", 7, "more words"]' if header == 28 else '{"name": "anna", "gold": 12}')
    last = values[:4] + bytes([wrong]) + values[5:]
    assert values[4] == header
    assert not told(stored(line) * 4 + last)


def test_who_named_the_engine_is_not_contradicted() -> None:
    assert not told(stored("godot3") + stored("godot4"), ReadOptions(load("godot3"), None, FramingKind.STORED))
