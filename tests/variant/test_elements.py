"""Elements of packed string arrays, found one at a time among thousands."""

from __future__ import annotations

import struct

import pytest

from viewer.variant.dialect import load
from viewer.variant.elements import STRIDE, TextIndex
from viewer.variant.hops import text_starts
from viewer.variant.items import part, part_at, parts
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

GODOT4 = load("godot4")
COUNT = 2 * STRIDE + 7


def _strings(count: int, cut: int = 0) -> NodeTable:
    """Strings of 0 to 6 bytes with their closing NUL; *cut* bytes are missing at the end."""
    texts = [b"x" * (k % 7) + b"\0" for k in range(count)]
    data = b"".join(struct.pack("<I", len(text)) + text + bytes(-len(text) % 4) for text in texts)
    whole = struct.pack("<II", GODOT4.type_number("PackedStringArray"), count) + data
    return scan(whole[: len(whole) - cut], GODOT4)


def test_each_byte_belongs_to_the_part_that_cutting_the_whole_array_gives() -> None:
    table = _strings(COUNT)
    expected = [(offset, found) for found in parts(table, 0) for offset in range(found.span.start, found.span.end)][
        ::97
    ]
    assert [(offset, part_at(table, 0, offset)) for offset, _ in expected] == expected


@pytest.mark.parametrize("number", [0, STRIDE - 1, STRIDE, 2 * STRIDE, COUNT - 1])
def test_a_string_is_found_by_its_name(number: int) -> None:
    table = _strings(COUNT)
    by_name = {found.name: found for found in parts(table, 0)}
    for name in (f"[{number}]", f"[{number}]@length", f"[{number}]@padding", "count"):
        assert part(table, 0, name) == by_name.get(name)


@pytest.mark.parametrize("name", [f"[{COUNT}]", "[99999999999]", "[-1]", "[x]", "[1].x", f"[{'9' * 5000}]"])
def test_a_name_of_no_string_finds_none(name: str) -> None:
    assert part(_strings(COUNT), 0, name) is None


def test_the_strings_of_a_cut_off_array_are_those_that_are_whole() -> None:
    table = _strings(COUNT, cut=30)
    whole = [found for found in parts(table, 0) if found.name.endswith("]")]
    index = TextIndex(table, 0)
    assert len(index) == len(whole) < COUNT
    assert [index.start(k) + 4 for k in range(len(index))] == [found.span.start for found in whole]
    assert part(table, 0, whole[-1].name) == whole[-1]


def test_a_count_that_lies_finds_no_more_than_the_bytes_hold() -> None:
    table = scan(struct.pack("<II", GODOT4.type_number("PackedStringArray"), 0x7FFFFFFF) + bytes(40), GODOT4)
    assert len(TextIndex(table, 0)) <= 10


def test_starts_end_with_the_first_byte_behind_the_last_text() -> None:
    texts = bytes.fromhex(
        "01000000 00 000000"  # an empty string, closed by a NUL
        "05000000 61626364 00 000000"
        "FF000000"  # longer than what is left
    )
    assert list(text_starts(texts, 0, len(texts), 9)) == [0, 8, 20]
    assert list(text_starts(texts, 0, len(texts), 1)) == [0, 8]
