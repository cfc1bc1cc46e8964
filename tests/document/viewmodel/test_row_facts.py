"""What a row of the tree says."""

from __future__ import annotations

import pytest
from document.visuals.picture_values import BYTE_ARRAYS, png, save

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.row_data import RowDecorations, node_name, row_facts
from viewer.document.viewmodel.rows import RowIndex
from viewer.document.visuals.found_picture import sides_text
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.literal.preview import preview
from viewer.variant.scan import scan
from viewer.variant.value import Value


def shown(data: bytes, node: int) -> tuple[str, bool]:
    """The text and the error mark of a node's row in a bare Godot 3 buffer."""
    document = Document(data, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    rows = RowIndex(document)
    place = rows.place(Item(0, node))
    assert place is not None
    facts = row_facts(document, rows, RowDecorations(document), *place)
    return facts.text, facts.is_error


def test_a_broken_key_leaves_its_value_to_be_seen() -> None:
    #                    Dict.    1        String   2    h \xff     int      7
    data = bytes.fromhex("12000000 01000000 04000000 02000000 68ff0000 02000000 07000000")
    assert shown(data, 2) == ("7", True)


@pytest.mark.parametrize("key", ["04000000 ffffff7f 61626300", "02000000 0100"])
def test_the_row_of_a_broken_key_is_called_so(key: str) -> None:
    document = Document(
        bytes.fromhex(f"12000000 01000000 {key}"), choice=ReadOptions(load("godot3"), framing=FramingKind.BARE)
    )
    rows = RowIndex(document)
    place = rows.place(Item(0, 1))
    assert place is not None
    facts = row_facts(document, rows, RowDecorations(document), *place)
    assert (facts.name, facts.fixed_name) == ("broken key", True)


def test_an_empty_key_is_shown_in_quotes() -> None:
    #                    Dict.    1        String   0        int      7
    data = bytes.fromhex("12000000 01000000 04000000 00000000 02000000 07000000")
    assert node_name(scan(data, load("godot3")), Item(0, 2)) == ('""', True)


def test_a_broken_value_says_what_is_wrong_in_its_place() -> None:
    #                    Array    1        String   says 99
    data = bytes.fromhex("13000000 01000000 04000000 63000000 61000000")
    text, is_error = shown(data, 1)
    assert is_error
    assert "length 99" in text


def test_the_digits_of_a_large_count_stand_in_groups() -> None:
    #                                Array
    table = scan(bytes.fromhex("13000000") + (12_345).to_bytes(4, "little") + bytes(4 * 12_345), load("godot3"))
    assert preview(table, 0).count == "[12\u202f345]"


@pytest.mark.parametrize("line", ["godot3", "godot4"])
def test_the_row_of_a_picture_says_so(line: str) -> None:
    document = save(line, portrait=Value(BYTE_ARRAYS[line], png()), other=Value(BYTE_ARRAYS[line], b"\x89PNX" * 9))
    rows = RowIndex(document)
    found = []
    for name in ("portrait", "other"):
        place = rows.place(parse_path(document, f"[0].{name}"))
        assert place is not None
        found.append(row_facts(document, rows, RowDecorations(document), *place))
    portrait, other = found
    assert (portrait.count, portrait.text) == (f"[{len(png())}]", f"PNG picture, {sides_text(2, 1)}")
    assert other.text.startswith("137, 80, 78, 88")


def test_a_key_whose_value_is_missing_is_not_shown_as_its_value() -> None:
    #                    Dict.    2        String   1    a        int      7        String   1    b
    data = bytes.fromhex("12000000 02000000 04000000 01000000 61000000 02000000 07000000 04000000 01000000 62000000")
    assert shown(data, 2) == ("7", False)
    assert shown(data, 3)[0] == "no value follows this key"
