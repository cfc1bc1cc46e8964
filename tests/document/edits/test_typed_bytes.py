"""Bytes and numbers of bytes as a person types them."""

from __future__ import annotations

import pytest

from viewer.document.edits.raw_bytes import MOST
from viewer.document.edits.typed_bytes import TypedBytesError, parse_count, parse_pattern


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("00 FF", b"\x00\xff"),
        ("0xAB, 0xCD", b"\xab\xcd"),
        ('"ab"', b"ab"),
        (' "Zoë" ', "Zoë".encode()),
        ('"00"', b"00"),
        ("'ab'", b"ab"),
    ],
)
def test_a_pattern_is_hex_digits_or_quoted_text(text: str, found: bytes) -> None:
    assert parse_pattern(text) == found


@pytest.mark.parametrize("text", ["", "  ", '""', "0", "xyz", '"ab', "0x"])
def test_what_is_no_pattern_is_told_with_what_to_write(text: str) -> None:
    with pytest.raises(TypedBytesError, match=r"00 FF|00 00"):
        parse_pattern(text)


@pytest.mark.parametrize(("text", "count"), [("16", 16), ("0x10", 16), (" 1 ", 1), (str(MOST), MOST)])
def test_a_count_is_decimal_or_hex(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize("text", ["", "-1", "0", "1.5", "ten", str(MOST + 1), "9" * 5000])
def test_what_is_no_count_is_told(text: str) -> None:
    with pytest.raises(TypedBytesError):
        parse_count(text)
