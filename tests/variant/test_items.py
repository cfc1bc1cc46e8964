"""Items: the parts of a node by name, and which part holds a byte."""

from __future__ import annotations

import struct
import sys
from types import FrameType

import pytest
from corpus import ENGINES, Engine, vector_bytes, vectors

from viewer.base.span import Span
from viewer.variant.dialect import load
from viewer.variant.items import MANY, PartCutter, Role, element, element_count, part, part_at, part_label, parts
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

LAYOUTS = {
    "Nil": ("godot4", "00000000", "header"),
    "bool": ("godot4", "01000000 01000000", "header value"),
    "wide int": ("godot4", "02000100 0000000001000000", "header value"),
    "String": ("godot4", "04000000 05000000 68656c6c6f 000000", "header length text padding"),
    "empty String": ("godot4", "04000000 00000000", "header length"),
    "Vector2": ("godot4", "05000000 0000803f 00000040", "header x y"),
    "wide Vector2": ("godot4", "05000100 000000000000f03f 0000000000000040", "header x y"),
    "NodePath": (
        "godot4",
        "16000000 01000080 01000000 00000000  01000000 41 000000  01000000 78 000000",
        "header name_count subname_count flags name0_length name0 name0_padding"
        " subname0_length subname0 subname0_padding",
    ),
    "old NodePath": ("godot2", "10000000 03000000 612f62", "header length text"),
    "object id": ("godot4", "18000100 0500000000000000", "header id"),
    "full object": ("godot4", "18000000 04000000 4e6f6465 00000000", "header class_length class count"),
    "object of no class": ("godot4", "18000000 00000000", "header class_length"),
    "object whose class reads as empty": (
        "godot4",
        "18000000 01000000 00 000000",
        "header class_length class class_padding",
    ),
    "null object": ("godot2", "12000000", "header"),
    "Signal": ("godot4", "1a000000 03000000 736967 00 0500000000000000", "header name_length name name_padding id"),
    "Array": ("godot4", "1c000000 00000000", "header count"),
    "Array of int": ("godot4", "1c000100 02000000 00000000", "header element_type count"),
    "Array of a class": (
        "godot4",
        "1c000200 05000000 4e6f646533 000000 00000000",
        "header element_class_length element_class element_class_padding count",
    ),
    "Dictionary of int to a script": (
        "godot4",
        "1b000d00 02000000 06000000 7265733a2f2f 0000 00000000",
        "header key_type value_script_length value_script value_script_padding count",
    ),
    "TypedArray of a class": (
        "pandemonium5",
        "1b000000 17000000 18000000 04000000 4e6f6465 00000000",
        "header element_type class_header class_length class count",
    ),
    "PackedByteArray": ("godot4", "1d000000 05000000 0102030405 000000", "header count elements padding"),
    "PackedVector2Array": ("godot4", "23000000 01000000 0000803f 00000040", "header count elements"),
    "PackedStringArray": (
        "godot4",
        "22000000 02000000  02000000 6100 0000  01000000 00 000000",
        "header count [0]@length [0] [0]@padding [1]@length [1] [1]@padding",
    ),
    "Image": (
        "godot2",
        "0f000000 00000000 00000000 01000000 01000000 01000000 61 000000",
        "header format mipmaps width height length data padding",
    ),
    "InputEvent": (
        "godot2",
        "13000000 01000000 00000000 14000000 00000002 41000000",
        "header type device length modifiers scancode",
    ),
}


def table_of(dialect: str, text: str) -> NodeTable:
    return scan(bytes.fromhex(text), load(dialect))


@pytest.mark.parametrize(("dialect", "text", "names"), LAYOUTS.values(), ids=LAYOUTS)
def test_the_parts_of_every_layout_have_these_names(dialect: str, text: str, names: str) -> None:
    table = table_of(dialect, text)
    assert table.diagnostics == []
    assert [part.name for part in parts(table, 0)] == names.split()


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_byte_of_a_vector_belongs_to_one_part_of_the_deepest_node_there(engine: Engine) -> None:
    for row in vectors(engine.folder)[::3]:
        table = scan(vector_bytes(row), load(engine.dialect))
        for offset in range(0, len(table.buffer), 1 + len(table.buffer) // 64):
            found = part_at(table, table.at(offset), offset)
            assert found is not None
            assert offset in found.span


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_part_is_found_by_its_name(engine: Engine) -> None:
    for row in vectors(engine.folder)[::5]:
        table = scan(vector_bytes(row), load(engine.dialect))
        for node in list(table.nodes)[:20]:
            for found in parts(table, node)[:20]:
                again = part(table, node, found.name)
                assert again is not None
                assert again.span == found.span


def test_a_property_name_has_no_header() -> None:
    text = "18000000 04000000 4e6f6465 01000000  01000000 61 000000  01000000 01000000"
    table = table_of("godot4", text)
    assert [part.name for part in parts(table, 1)] == ["length", "text", "padding"]
    assert [part.name for part in parts(table, 2)] == ["header", "value"]


def test_elements_and_their_components_are_parts_on_demand() -> None:
    table = table_of("godot4", "23000000 02000000  0000803f 00000040  00004040 00008040")
    assert element_count(table, 0) == 2
    assert element(table, 0, 1).value == (3.0, 4.0)
    found = part(table, 0, "[1].y")
    assert found is not None
    assert (found.span, found.value) == (Span(20, 24), 4.0)
    assert part_at(table, 0, 9) == part(table, 0, "[0].x")


def test_there_is_no_element_beyond_the_last() -> None:
    table = table_of("godot4", "1e000000 02000000 01000000 02000000")
    assert part(table, 0, "[2]") is None
    with pytest.raises(IndexError):
        element(table, 0, 2)


def test_the_elements_of_a_broken_packed_array_are_those_that_are_there() -> None:
    table = table_of("godot4", "1e000000 ffffff7f 01000000 02000000 0300")
    assert element_count(table, 0) == 2
    assert table.end_of_data == 16


def test_what_an_error_cuts_off_is_left_out() -> None:
    table = table_of("godot4", "05000000 0000803f 0000")
    assert [part.name for part in parts(table, 0)] == ["header", "x"]


def test_the_closing_nul_of_a_packed_string_is_in_its_span_but_not_in_its_value() -> None:
    table = table_of("godot4", "22000000 01000000 02000000 6100 0000")
    found = part(table, 0, "[0]")
    assert found is not None
    assert (found.span, found.value) == (Span(12, 14), "a")


def test_roles_tell_what_bytes_are_for() -> None:
    table = table_of("godot4", "04000000 05000000 68656c6c6f 000000")
    assert [part.role for part in parts(table, 0)] == [Role.HEADER, Role.LENGTH, Role.VALUE, Role.PADDING]


def test_labels_are_words() -> None:
    text = "16000000 01000080 01000000 00000000  01000000 41 000000  01000000 78 000000"
    labels = [part_label(part) for part in parts(table_of("godot4", text), 0)]
    assert labels[4:7] == ["name 0 length", "name 0", "name 0 padding"]
    assert labels[7:] == ["subname 0 length", "subname 0", "subname 0 padding"]


def test_very_many_parts_are_cut_once_and_anew_when_the_bytes_change() -> None:
    raw = struct.pack("<IIII", 22, 1 << 31 | MANY, 0, 0) + struct.pack("<I2s2x", 2, b"ab") * MANY
    table = scan(raw, load("godot4"))
    cuts = []

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is PartCutter.__init__.__code__:
            cuts.append(event)

    sys.setprofile(seen)
    try:
        one, other = parts(table, 0), parts(table, 0)
        part_at(table, 0, len(raw) - 3)
        part(table, 0, "name7")
    finally:
        sys.setprofile(None)
    assert len(cuts) == 1
    one.clear()
    assert len(other) == len(parts(table, 0)) == 4 + 3 * MANY
    table.buffer = raw[:20] + b"xy" + raw[22:]
    found = part(table, 0, "name0")
    assert found is not None
    assert found.value == "xy"
