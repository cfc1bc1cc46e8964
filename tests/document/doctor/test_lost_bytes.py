"""Lost bytes: where the other bytes tell what they were, the doctor puts back those very bytes."""

from __future__ import annotations

import struct

from viewer.container.frames import FramingKind
from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def _entry(name: str, number: int) -> bytes:
    pairs = _text("position") + struct.pack("<II", 2, number) + _text("name") + _text(name)
    return struct.pack("<II", 27, 2) + pairs


ENTRIES = struct.pack("<II", 28, 3) + b"".join(_entry(name, k) for k, name in enumerate(("Ann", "Bob", "Eve")))
FLOATS = struct.pack("<II5f", 32, 5, 0.25, 1234.5, 1234.5, 1234.5, 3.0)
WIDE = 2 | 1 << 16
LONG_NUMBERS = b"".join(
    (
        struct.pack("<II", 27, 2),
        _text("played"),
        struct.pack("<Iq", WIDE, 1_000_000_000_000),
        _text("players"),
        struct.pack("<II", 28, 2) + _text("Ann") + _text("Bob"),
    )
)


def _lost(data: bytes, at: int, size: int) -> Document:
    return Document(data[:at] + data[at + size :], choice=ReadOptions(load("godot4"), None, FramingKind.BARE))


def _best(document: Document) -> Repair:
    best = diagnose(document)[0]
    assert best.cause is Cause.BYTE_LOST
    return best


def test_a_character_of_a_key_that_other_entries_have_too() -> None:
    document = _lost(ENTRIES, ENTRIES.rindex(b"position") + 3, 1)
    best = _best(document)
    assert bytes(preview(document, best).buffer[:]) == ENTRIES
    assert "“position”" in best.reason


def test_three_characters_of_it() -> None:
    document = _lost(ENTRIES, ENTRIES.rindex(b"position") + 2, 3)
    assert bytes(preview(document, _best(document)).buffer[:]) == ENTRIES


def test_bytes_of_a_number_that_the_element_before_has_too() -> None:
    document = _lost(FLOATS, 8 + 2 * 4 + 1, 2)
    best = _best(document)
    assert bytes(preview(document, best).buffer[:]) == FLOATS
    assert "the same as 4 bytes before" in best.reason


def test_the_flag_of_a_number_of_64_bits() -> None:
    at = LONG_NUMBERS.index(b"\2\0\1\0") + 2
    document = _lost(LONG_NUMBERS, at, 2)
    best = _best(document)
    assert bytes(preview(document, best).buffer[:]) == LONG_NUMBERS
    assert "64-bit flag" in best.reason


def test_a_text_that_stands_nowhere_else_is_not_made_up() -> None:
    data = ENTRIES.replace(b"position", b"velocity", 2)
    document = _lost(data, data.index(b"position") + 3, 1)
    best = _best(document)
    restored = bytes(preview(document, best).buffer[:])
    assert len(restored) == len(data)
    assert restored.count(b"velocity") == 2
    assert "cannot be known" in best.reason
