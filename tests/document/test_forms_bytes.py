"""Bytes in forms of text, both ways, and texts that are not quite of a form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.document.export.forms import BYTE_FORMS, FormError, TextForm, form, read, write_bytes
from viewer.variant.dialect import load

GODOT3 = load("godot3")
SOME = bytes.fromhex("1300000041000a22")


def tried(form: TextForm, text: str) -> object:
    """What a text reads as, or why it does not."""
    try:
        return read(form, text, GODOT3)
    except FormError as error:
        return error


@pytest.mark.parametrize("form", BYTE_FORMS, ids=lambda form: form.key)
@settings(max_examples=80, deadline=None)
@given(data=st.binary(min_size=1, max_size=200), start=st.integers(0, 1 << 40))
def test_any_bytes_read_back(form: TextForm, data: bytes, start: int) -> None:
    assert read(form, write_bytes(form, data, start), GODOT3) == data


@pytest.mark.parametrize("form", BYTE_FORMS, ids=lambda form: form.key)
@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet="0123456789abcdefxXbB \n\t\\\"'[](){},;:=*|/<>-_é", max_size=60))
def test_any_text_is_bytes_or_one_sentence(form: TextForm, text: str) -> None:
    found = tried(form, text)
    if isinstance(found, FormError):
        assert str(found).endswith(".")
        assert 0 <= found.position <= len(text)
    else:
        assert isinstance(found, bytes)
        assert len(found) <= len(text)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("hex", "13 00 00 00 41 00 0A 22"),
        ("base64", "EwAAAEEACiI="),
        ("c", "unsigned char data[] = {\n    0x13, 0x00, 0x00, 0x00, 0x41, 0x00, 0x0a, 0x22\n};\n"),
        ("python", 'b"\\x13\\x00\\x00\\x00\\x41\\x00\\x0a\\x22"'),
        ("print", "[19, 0, 0, 0, 65, 0, 10, 34]"),
        ("packed", "PackedByteArray([19, 0, 0, 0, 65, 0, 10, 34])"),
        ("hexdump", '00000000: 1300 0000 4100 0a22                      ....A.."\n'),
    ],
)
def test_some_bytes_in_each_form(key: str, text: str) -> None:
    assert write_bytes(form(key), SOME) == text


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("hex", "\\x13\\x00\\x00\\x00\\x41\\x00\\x0a\\x22"),
        ("hex", "0x13,0x00,0x00,0x00,\n0x41,0x00,0x0A,0x22"),
        ("hex", "<13000000 41000a22>"),
        ("base64", "EwAA\nAEEA\r\nCiI"),
        ("base64", " EwAAAEEACiI= "),
        ("c", "/* a save */ const uint8_t x[8] = {19, 0x0, 0, 0, // type\n 65, 0, 0XA, 34,};"),
        ("c", "0x13, 0x00, 0x00, 0x00, 0x41, 0x00, 0x0a, 0x22"),
        ("c", "unsigned char x[] = {0x13,0,0,0,65,0,10,34};\nunsigned int x_len = 8;\n"),
        ("python", "b'\\x13\\0\\0\\x00A\\x00\\n\"'"),
        ("python", "data = bytes(b'\\x13\\x00'  b\"\\x00\\x00\"\n b'A\\x00\\n\\\"')"),
        ("print", "[19,0,0,0,65,0,10,34,]"),
        ("print", "PoolByteArray( 19, 0, 0, 0, 65, 0, 10, 34 )"),
        ("packed", "PackedByteArray([19, 0, 0, 0, 65, 0, 10, 34])"),
        ("hexdump", '00000000  13 00 00 00 41 00 0a 22                           |....A.."|\n00000008\n'),
        ("hexdump", '0000   13 00 00 00 41 00 0a 22                           ....A.."\n'),
        ("hexdump", '0x0010: 13000000  ....\n0x0014: 41000a22  A.."\n'),
    ],
)
def test_other_dresses_are_read(key: str, text: str) -> None:
    assert read(form(key), text, GODOT3) == SOME


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("hex", "13 0g", "“g” is not a hex digit; bytes are written like 13 00 or 0x13, 0x00 (line 1, column 5)."),
        ("hex", "13 0", "The number of hex digits is odd, but a byte takes two (line 1, column 5)."),
        ("base64", "Ew*A", "“*” does not occur in base64 (line 1, column 3)."),
        ("base64", "EwAAA", "This base64 is cut off; copy all of it (line 1, column 6)."),
        ("c", "x[] = {0x13,\n 0x113}", "“0x113” is not a byte; one is written like 0x13 or 19 (line 2, column 2)."),
        ("c", "x[] = {0x13", "The closing “}” of the array is missing (line 1, column 12)."),
        ("c", "x[] = {1} y[] = {2}", "The array is complete, but more follows (line 1, column 10)."),
        ("python", 'b"\\x1"', "“\\x” needs two hex digits after it (line 1, column 3)."),
        ("python", 'b"\\x13', 'Bytes of Python are written b"…", with a closing quote (line 1, column 1).'),
        ("python", 'b"é"', "Bytes of Python hold only ASCII; others are written \\x13 (line 1, column 3)."),
        ("python", 'b"\\400"', "“\\400” is more than a byte holds (line 1, column 3)."),
        ("print", "[19, 256]", "“256” is not a byte; one is a whole number from 0 to 255 (line 1, column 6)."),
        ("print", "[19, , 1]", "A byte is missing (line 1, column 6)."),
        ("print", "[19, 0", "The closing “]” of the list is missing (line 1, column 7)."),
        (
            "hexdump",
            "00000000: 1300\n00000010: 0000",
            "This line begins at 0x10, but 0x2 comes next: bytes are left out (line 2, column 1).",
        ),
        (
            "hexdump",
            "00000000  13 00 |..|\n*\n00000010",
            "“*” stands for lines that were left out; make the dump with all of them (hexdump -v) (line 2, column 1).",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(key: str, text: str, reason: str) -> None:
    with pytest.raises(FormError) as failure:
        read(form(key), text, GODOT3)
    assert str(failure.value) == reason


@pytest.mark.parametrize("form", BYTE_FORMS, ids=lambda form: form.key)
def test_nothing_is_no_bytes(form: TextForm) -> None:
    with pytest.raises(FormError):
        read(form, "  \n", GODOT3)


@pytest.mark.parametrize("key", ["c", "python", "print", "hex", "base64", "hexdump"])
@pytest.mark.parametrize("piece", ["/*", "b'", "[", "{", "0x", "\\", "00 ", "0,", "00000000: 00\n", "=", "b''", "  "])
def test_a_million_characters_of_nonsense_come_to_an_end(key: str, piece: str) -> None:
    found = tried(form(key), piece * (1_000_000 // len(piece)))
    assert isinstance(found, bytes) or len(str(found)) < 300
