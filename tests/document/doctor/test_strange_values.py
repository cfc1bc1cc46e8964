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
        (struct.pack(">f", 1.0), "a float of 4.6e-41 (with its bytes turned around 1)"),
        (struct.pack(">f", -12.5), "a float of 2.6e-41 (with its bytes turned around -12.5)"),
        (struct.pack(">ff", 0.0, 300.25), "a Vector2 with 4.6e-41 in it (with its bytes turned around 300.25)"),
        (text(b"a\x07b"), "a text with control characters"),
        (text(b"end\x7f"), "a text with control characters"),
    ],
)
def test_a_strange_value_is_named_with_its_place(value: bytes, words: str) -> None:
    good = struct.pack("<Ii", 2, 7)
    header = {4: struct.pack("<I", 3), 8: struct.pack("<I", 5)}.get(len(value), b"")
    found = told(good, header + value, good)
    assert [offset for offset, _ in found] == [16]
    assert found[0][1].partition("(")[2] == words.partition("(")[2]
    assert found[0][1].split(" ")[:2] == words.split(" ")[:2]


def test_a_double_may_be_turned_around_too() -> None:
    assert "(with its bytes turned around 0.1)" in told(struct.pack("<I", 3 | 0x10000) + struct.pack(">d", 0.1))[0][1]


@pytest.mark.parametrize(
    "value",
    [
        struct.pack("<If", 3, 0.0),
        struct.pack("<If", 3, -0.0),
        struct.pack("<If", 3, float("inf")),
        struct.pack("<If", 3, float("nan")),
        struct.pack("<If", 3, -4.371139e-08),
        struct.pack("<If", 3, 3.4028234e38),
        struct.pack("<If", 3, 1e-38),
        struct.pack("<I", 3 | 0x10000) + struct.pack("<d", 1.7976931348623157e308),
        struct.pack("<Iff", 5, 1.0, -2.5),
        struct.pack("<Iff", 5, 3.2e-34, 0.0),
        struct.pack("<I", 5) + struct.pack("<f", 4.0) + struct.pack(">f", 1.0),
        struct.pack("<Ii", 2, 1),
        text("line\r\nüber\ttab \x1b[31mred".encode()),
        bytes(4),
    ],
)
def test_what_games_store_is_not(value: bytes) -> None:
    assert told(value) == []


def test_broken_values_are_left_out_wherever_they_end() -> None:
    data = struct.pack("<II", 19, 4) + struct.pack("<Iff", 5, 1.0, 2.0) + text(b"a\x07b") + struct.pack("<Id", 3, 1.0)
    for size in range(len(data)):
        assert list(strange_values(Document(data[:size], choice=BARE))) == []


def test_only_so_many_values_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.document.doctor.strange_values.MOST_NODES", 3)
    assert told(bytes(4), text(b"\x07"), text(b"\x07"))[0][0] == 12
    assert len(told(bytes(4), text(b"\x07"), text(b"\x07"))) == 1


def test_keys_count_as_texts() -> None:
    data = struct.pack("<II", 18, 1) + text(b"k\x01") + struct.pack("<Ii", 2, 7)
    assert [each.offset for each in strange_values(Document(data, choice=BARE))] == [8]
