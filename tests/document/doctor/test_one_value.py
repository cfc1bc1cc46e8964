"""What is wrong with one value only: its vectors, what another packet left beside it, a number without its flag."""

from __future__ import annotations

import struct

import pytest

from viewer.container.frames import FramingKind
from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

VECTORS = (("speed", 1.5, 2.0), ("at", 101.3, 40.9), ("size", 0.6, 0.7))


def _key(name: str) -> bytes:
    return struct.pack("<II", 4, len(name)) + name.encode() + bytes(-len(name) % 4)


def _vectors(widths: tuple[str, ...]) -> bytes:
    """A dictionary of vectors of Godot 3, each of floats or of doubles, which no flag tells there."""
    pairs = (
        _key(name) + struct.pack(f"<I2{width}", 5, *struct.unpack("<2f", struct.pack("<2f", x, y)))
        for (name, x, y), width in zip(VECTORS, widths, strict=True)
    )
    return struct.pack("<II", 18, len(VECTORS)) + b"".join(pairs)


def _stored(*values: bytes) -> bytes:
    return b"".join(struct.pack("<I", len(value)) + value for value in values)


def _best(data: bytes, line: str, framing: FramingKind | None = None) -> tuple[Repair, bytes]:
    """The first answer, and the bytes after it."""
    document = Document(data, choice=ReadOptions(load(line), framing=framing))
    best = diagnose(document)[0]
    return best, bytes(preview(document, best).buffer[:])


@pytest.mark.parametrize("widths", ["dff", "ddd"], ids=["one vector", "all vectors"])
def test_vectors_of_doubles_are_told_where_other_values_have_floats(widths: str) -> None:
    right = _vectors(("f", "f", "f"))
    best, after = _best(_stored(right, _vectors(tuple(widths))), "godot3")
    assert best.cause is Cause.OTHER_PRECISION
    assert after == _stored(right, right)


@pytest.mark.parametrize("number", [1 << 31, (1 << 53) + 1])
def test_a_large_number_without_its_flag_is_no_end_mark(number: int) -> None:
    head, small = struct.pack("<II", 0x1C, 3), struct.pack("<IiIi", 2, 5, 2, 7)
    best, after = _best(head + small + struct.pack("<Iq", 2, number), "godot4", FramingKind.BARE)
    assert best.cause is Cause.FLAG_MISSING
    assert after == head + small + struct.pack("<Iq", 0x10002, number)


def _record(index: int) -> bytes:
    names = ("id", "health", "gold", "level", "name of it")
    pairs = (_key(name) + struct.pack("<Ii", 2, index * place) for place, name in enumerate(names, 2))
    return struct.pack("<II", 0x1B, len(names)) + b"".join(pairs)


def test_the_begin_of_a_packet_before_one_that_is_alike_is_told() -> None:
    best, after = _best(_record(3)[:75] + _record(7), "godot4")
    assert best.cause is Cause.PACKETS_MIXED
    assert after == _record(7)


def test_what_is_left_behind_a_value_that_stands_alone_is_no_field_of_a_game() -> None:
    best, after = _best(_record(3) + (_record(7) * 3)[9:], "godot4", FramingKind.BARE)
    assert best.cause in (Cause.BYTES_BEHIND, Cause.PACKETS_MIXED, Cause.STALE_TAIL)
    assert after == _record(3)
