"""What hardly any game stores is pointed at; what games store is not."""

from __future__ import annotations

import struct

import pytest

from viewer.container.frames import FramingKind
from viewer.document.doctor.strange_values import strange_values
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

BARE = ReadOptions(load("godot3"), None, FramingKind.BARE)


def text(raw: bytes) -> bytes:
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def told(*values: bytes) -> list[tuple[int, str]]:
    document = Document(struct.pack("<II", 19, len(values)) + b"".join(values), choice=BARE)
    assert document.frames[0].sound
    return [(each.offset, each.words) for each in strange_values(document)]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (struct.pack("<II", 3, 0x803F), "a float of 4.6e-41"),
        (struct.pack("<IIf", 3 | 0x10000, 0, 0.0)[:4] + struct.pack("<d", 1e300), "a float of 1e+300"),
        (struct.pack("<Iff", 5, 1.0, 2e-38), "a Vector2 with 2e-38 in it"),
        (text(b"a\x07b"), "a text with control characters"),
        (text(b"end\x7f"), "a text with control characters"),
    ],
)
def test_a_strange_value_is_named_with_its_place(value: bytes, words: str) -> None:
    good = struct.pack("<Ii", 2, 7)
    assert told(good, value, good) == [(16, words)]


@pytest.mark.parametrize(
    "value",
    [
        struct.pack("<If", 3, 0.0),
        struct.pack("<If", 3, -0.0),
        struct.pack("<If", 3, float("inf")),
        struct.pack("<If", 3, float("nan")),
        struct.pack("<If", 3, -4.371139e-08),
        struct.pack("<If", 3, 1e20),
        struct.pack("<Iff", 5, 1.0, -2.5),
        struct.pack("<Ii", 2, 1),
        text("line\r\nüber\ttab \x1b[31mred".encode()),
        bytes(4),
    ],
)
def test_what_games_store_is_not(value: bytes) -> None:
    assert told(value) == []


def test_keys_count_as_texts() -> None:
    data = struct.pack("<II", 18, 1) + text(b"k\x01") + struct.pack("<Ii", 2, 7)
    assert [each.offset for each in strange_values(Document(data, choice=BARE))] == [8]
