"""What editors show and read: numbers, colours, texts, paths, grids of components, pictures."""

from __future__ import annotations

import math

import pytest

from viewer.document.edits.slots import EditError
from viewer.document.forms.cells import evaluate
from viewer.document.forms.components import MODIFIERS, bits_of, grid, with_bit
from viewer.document.forms.pictures import doubt, picture
from viewer.document.forms.typed_values import (
    bits_text,
    escaped,
    from_text,
    hex_lines,
    is_hdr,
    lines,
    measure,
    names,
    number_text,
    parse_bits,
    parse_html,
    parse_number,
    plain,
    to_byte,
    unescaped,
)
from viewer.document.visuals.pixel_formats import Picture, PixelLayout
from viewer.variant.dialect import input_event, load
from viewer.variant.literal.html_colour import text_of
from viewer.variant.value import Image, NaN, NodePath


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("42", "i32", 42),
        (" -0x10 ", "i32", -16),
        ("0b101", "u8", 5),
        ("18446744073709551615", "u64", 2**64 - 1),
        ("0.5", "f32", 0.5),
        ("1e300", "f64", 1e300),
        ("-inf", "f32", -math.inf),
        (".5", "f64", 0.5),
    ],
)
def test_a_number_is_read_as_a_person_writes_it(text: str, kind: str, number: float) -> None:
    assert parse_number(text, kind) == number


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("", "i32", "belongs here"),
        ("256", "u8", "The largest is 255"),
        ("-1", "u32", "The smallest is 0"),
        ("1.5", "i32", "without a fraction"),
        ("abc", "i32", "is not a number"),
        ("abc", "f32", "is not a number"),
        ("1e39", "f32", "Too large"),
        ("9" * 400, "i64", "Too large"),
    ],
)
def test_what_is_no_such_number_is_said_in_words(text: str, kind: str, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        parse_number(text, kind)


def test_a_float_has_its_shortest_text() -> None:
    assert number_text(0.10000000149011612, "f32") == "0.1"
    assert number_text(0.10000000149011612, "f64") == "0.10000000149011612"


def test_bits_go_both_ways() -> None:
    assert bits_text(1.0, "f32") == "0x3F800000"
    assert parse_bits("3F800000", "f32") == 1.0
    assert bits_text(-1, "i32") == "0xFFFFFFFF"
    assert parse_bits("0xFFFFFFFF", "i32") == -1
    found = parse_bits("0x7F800001", "f32")
    assert isinstance(found, NaN)
    assert found.raw == bytes.fromhex("0100807f")
    with pytest.raises(EditError, match="Too many digits"):
        parse_bits("0x123456789", "f32")


def test_colours_have_bytes_and_a_html_form() -> None:
    godot3, godot4 = load("godot3"), load("godot4")
    assert text_of((1.0, 0.5, 0.0, 1.0), godot4) == "#ff8000"
    assert [text_of((2.0, 0.0, 0.0, 0.5), dialect) for dialect in (godot3, godot4)] == ["#80ff0000", "#ff000080"]
    assert [to_byte(channel) for channel in parse_html("#80ff0040", godot4)] == [128, 255, 0, 64]
    assert [to_byte(channel) for channel in parse_html("#80ff0040", godot3)] == [255, 0, 64, 128]
    assert parse_html("f00", godot3) == (1.0, 0.0, 0.0, 1.0)
    assert is_hdr((1.5, 0.0, 0.0, 1.0))
    assert not is_hdr((1.0, 0.0, 0.0, 5.0))
    with pytest.raises(EditError, match="#aarrggbb"):
        parse_html("#12345", godot3)


@pytest.mark.parametrize("text", ["plain", "tab\tand\nline", "back\\slash", "\u0001\x7f", "\ud800", "漢字"])
def test_an_escaped_text_reads_back(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert "\n" not in escaped(text)


def test_an_unknown_escape_says_what_may_stand_there() -> None:
    with pytest.raises(EditError, match="unknown"):
        unescaped("a\\q")
    with pytest.raises(EditError, match="unknown"):
        unescaped("a\\")


def test_a_text_is_measured_in_characters_bytes_and_lines() -> None:
    assert measure("Zoë\nx") == "5 characters, 6 bytes, 2 lines"
    assert plain("a\tb\n")
    assert not plain("a\rb")


def test_a_node_path_has_parts() -> None:
    assert from_text("/A/B:c:d", with_property=False) == NodePath(("A", "B"), ("c", "d"), True)
    assert from_text("A:c", with_property=True) == NodePath(("A",), (), False, "c")
    assert names(lines(("a", "b\nc"))) == ("a", "b\nc")
    with pytest.raises(EditError, match="sub-name"):
        from_text("A::b", with_property=False)


def test_matrices_stand_as_they_lie() -> None:
    dialect = load("godot3")
    transform = grid(dialect.by_name["Transform2D"].narrow)
    assert transform.columns == ("x axis", "y axis", "origin")
    assert transform.cells == ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))
    basis = grid(dialect.by_name["Basis"].narrow)
    assert basis.rows == ("row 0", "row 1", "row 2")
    assert basis.cells[1] == (0, 1)
    rect = grid(dialect.by_name["Rect2"].narrow)
    assert (rect.rows, rect.columns) == (("position", "size"), ("x", "y"))
    plane = grid(dialect.by_name["Plane"].narrow)
    assert len(set(plane.cells)) == 4


def test_modifiers_are_named_bits() -> None:
    assert bits_of(input_event(1), "modifiers") == MODIFIERS
    assert bits_of(input_event(1), "scancode") == ()
    assert with_bit(0x10000001, MODIFIERS[3], False) == 1


def test_expressions_reckon_with_the_cell() -> None:
    assert evaluate("= value * 2 + row", 5, 1, whole=True) == "11"
    assert evaluate("=-(value) / 4", 2, 0, whole=False) == "-0.5"
    for bad in ("= value **", "= open(1)", "= value ** 9", "=" + "(" * 300, "= 'a'", "= 1 if value else 2"):
        with pytest.raises(EditError):
            evaluate(bad, 1, 0, whole=False)
    with pytest.raises(EditError, match="divides by zero"):
        evaluate("= value / row", 1, 0, whole=False)


def test_plain_formats_are_pictures() -> None:
    assert picture(Image(3, 0, 2, 1, b"abcdef")) == Picture(2, 1, PixelLayout.RGB, b"abcdef")
    assert picture(Image(2, 0, 2, 1, b"\x10\xff\x20\x80")) == Picture(
        2, 1, PixelLayout.RGBA, b"\x10\x10\x10\xff\x20\x20\x20\x80"
    )
    assert "BC1" in str(picture(Image(9, 0, 4, 4, b"8 bytes!")))
    assert "needs" in str(picture(Image(4, 0, 16000, 1, b"abcd")))
    assert "draws no image" in str(picture(Image(4, 0, 1 << 31, 1 << 31, b"abcd")))
    assert doubt(Image(4, 0, 1, 1, b"abcd")) == ""
    assert "empty image" in doubt(Image(4, 0, 2, 1, b"abcd"))


def test_a_hexdump_has_offsets_and_text() -> None:
    assert hex_lines(b"A\x00", 4) == ["000000  41 00" + " " * 42 + "  A·"]
