"""What bytes of no value may be: numbers, texts, times, counts and checksums, the likeliest first."""

from __future__ import annotations

import hashlib
import random
import struct
import zlib

import pytest

from viewer.base.span import Span
from viewer.document.readers.field_readings import FieldPlace, guessed, readings

REST = bytes(range(1, 60))


def told(raw: bytes, behind: int = 0) -> list[str]:
    """What a gap before other bytes may be made of."""
    return [each.words for each in guessed(FieldPlace(raw + REST, Span(0, len(raw)), behind))]


def best(raw: bytes, behind: int = 0, is_first: bool = True) -> tuple[str, str]:
    """The likeliest reading of all bytes of a gap."""
    found = readings(FieldPlace(raw + REST, Span(0, len(raw)), behind, is_first))[0]
    return found.words, found.text


@pytest.mark.parametrize(
    ("raw", "words", "text"),
    [
        (b"\7\0\0\0", "u32", "7"),
        (b"\7\0", "u16", "7"),
        (b"\xfe\xff\xff\xff", "i32", "-2"),
        (struct.pack("<f", 1.5), "f32", "1.5"),
        (struct.pack("<d", 0.25), "f64", "0.25"),
        (struct.pack("<I", 1_600_000_000), "u32, time", "2020-09-13 12:26:40"),
        (struct.pack("<Q", 1_600_000_000_000), "u64, time", "2020-09-13 12:26:40"),
        (b"\5\0\0\0Hello", "mark, a Pascal string", "“Hello”"),
        (b"GSAV", "mark", "“GSAV”"),
        (b"Tom Sawyer\0", "C string", "“Tom Sawyer”"),
        (b"night = 3\r\n", "line", "“night = 3”"),
        (b"\4\0\0\0SAVE", "mark, a Pascal string", "“SAVE”"),
        (struct.pack("<I", len(REST)), "u32, length of the rest", "59"),
        (bytes(13), "padding", "13 bytes"),
        (hashlib.md5(REST).digest(), "checksum, MD5", hashlib.md5(REST).hexdigest().upper()),
        (hashlib.sha256(REST).digest(), "checksum, SHA-256", hashlib.sha256(REST).hexdigest().upper()),
        (b"Tom\0\0\0\0\0", "text of a fixed length", "“Tom”"),
        (struct.pack("<I", zlib.crc32(REST)), "checksum, CRC32", f"0x{zlib.crc32(REST):08X}"),
    ],
)
def test_the_likeliest_reading_comes_first(raw: bytes, words: str, text: str) -> None:
    assert best(raw) == (words, text)


def test_a_text_is_a_mark_only_where_the_file_begins() -> None:
    assert best(b"\5\0\0\0Hello", is_first=False) == ("Pascal string", "“Hello”")
    assert best(b"\5Hello", is_first=False) == ("text after a u8", "“Hello”")
    assert best(b"\3\0\0\0a b", is_first=True) == ("Pascal string", "“a b”")


def test_a_number_that_is_the_count_of_the_values_behind_says_so() -> None:
    assert best(b"\3\0\0\0", behind=3) == ("u32, count of the values", "3")
    assert best(b"\3\0\0\0", behind=2) == ("u32", "3")


def test_a_gap_falls_into_its_fields() -> None:
    assert told(b"EVAS" + struct.pack("<HQ", 4, 1_600_000_000)) == ["mark", "u16", "u64, time"]
    assert told(b"\4\0\0\0SAVE\3\0\0\0") == ["mark, a Pascal string", "u32"]
    assert told(b"\x2d\1\0\0\3\0\0\0end") == ["u32", "Pascal string"]


def test_readings_tile_what_they_are_of() -> None:
    chance = random.Random(7)
    for _ in range(40):
        raw = chance.randbytes(chance.randrange(1, 40))
        row = guessed(FieldPlace(raw, Span(0, len(raw))))
        assert not row or b"".join(raw[each.span.start : each.span.end] for each in row) == raw
        assert all(each.span == Span(0, len(raw)) for each in readings(FieldPlace(raw, Span(0, len(raw)))))


def test_a_long_run_of_anything_is_cut_in_no_time_or_not_at_all() -> None:
    assert guessed(FieldPlace(bytes(5000), Span(0, 5000))) == ()
    assert guessed(FieldPlace(b"", Span(0, 0))) == ()
    assert readings(FieldPlace(b"", Span(0, 0))) == []
