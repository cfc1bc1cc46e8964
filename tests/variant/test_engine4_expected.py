"""Typed collections of Godot 4: which values of other types the real engine keeps, against what we say of it."""

from __future__ import annotations

import struct

import pytest
from engine4 import Godot, Json, Request

from viewer.variant.dialect import Kind, TypeRow, load
from viewer.variant.expected import expected
from viewer.variant.scan import scan
from viewer.variant.value import ElementType

pytestmark = pytest.mark.engine4
GODOT4 = load("godot4")
NAMED = [row for row in GODOT4.rows if row.name not in ("Nil", "Object")]
ARRAY, DICTIONARY = 28, 27


def sample(row: TypeRow) -> bytes:
    """The smallest value of a type."""
    raw = struct.pack("<I", row.number) + (bytes.fromhex("00000080") if row.name == "NodePath" else b"") + bytes(136)
    return raw[: scan(raw, GODOT4).end_of_data]


def holding(number: int, held: TypeRow, value: bytes) -> bytes:
    """A collection that says it holds a type, with one value, or with that as a key."""
    behind = struct.pack("<II", 2, 9) if number == DICTIONARY else b""
    return struct.pack("<III", number | 1 << 16, held.number, 1) + value + behind


def is_kept(shown: Json, name: str) -> bool:
    return bool(shown[name])


@pytest.mark.parametrize(("number", "name"), [(ARRAY, "Array"), (DICTIONARY, "Dictionary")], ids=["element", "key"])
def test_the_engine_keeps_and_converts_what_we_say(godot4: Godot, number: int, name: str) -> None:
    pairs = [(held, row) for held in NAMED for row in GODOT4.rows if row.kind is not Kind.OBJECT]
    answers = godot4.read([Request(holding(number, held, sample(row)), "bare") for held, row in pairs])
    kind = GODOT4.rows[number].kind
    wrong = []
    for (held, row), answer in zip(pairs, answers, strict=True):
        only = expected(GODOT4, kind, ElementType(builtin=held.number))
        assert only is not None
        if is_kept(answer.value, name) is not (row.number in only.kept | only.changed | only.later):
            wrong.append((held.name, row.name, answer.value))
    assert len(pairs) == 37 * 38
    assert wrong == []
