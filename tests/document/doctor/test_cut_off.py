"""How many bytes are missing at the end, at least: what the open collections say is counted, and never too much."""

from __future__ import annotations

import struct

import corpus
import pytest

from viewer.container.frames import FramingKind
from viewer.document.doctor.cut_off import missing
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

GODOT3 = ReadOptions(load("godot3"), None, FramingKind.BARE)
RPG = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save").read_bytes()
SAVE = RPG[4 : 4 + int.from_bytes(RPG[:4], "little")]


@pytest.mark.parametrize(("values", "left"), [(0, 9), (1, 8), (4, 5)])
def test_elements_that_were_counted_are_missing(values: int, left: int) -> None:
    """Each takes a header at least, the one that was begun the rest of an int; so does the last of the outer ones."""
    number = struct.pack("<Ii", 2, 7)
    inner = struct.pack("<II", 19, 9) + number * values
    data = struct.pack("<II", 19, 3) + number + inner + number[:6]
    assert missing(Document(data, choice=GODOT3)) == 2 + 4 * (left - 1) + 4


def test_pairs_are_two_each() -> None:
    data = struct.pack("<II", 18, 5) + struct.pack("<II", 4, 4) + b"abcd" + struct.pack("<I", 2)
    assert missing(Document(data, choice=GODOT3)) == 4 + 4 * 8


def test_a_count_that_nobody_believes_says_nothing() -> None:
    data = struct.pack("<II", 19, 1 << 20) + struct.pack("<Ii", 2, 7) * 40 + struct.pack("<I", 2)
    assert missing(Document(data, choice=GODOT3)) in (None, 4)


LITERALS = (
    "[null, null, null, null]",
    '{"a": null, "b": true}',
    '[1, 2.5, "text", Vector2(1, 2), true]',
    '{"k": [1, 2, [3, 4]], "z": {"q": "w"}}',
    '[[], {}, "", 0]',
    '[Color(1, 0, 0, 1), NodePath("a/b:c")]',
)


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("line", ["godot3", "godot4"])
@pytest.mark.parametrize("literal", LITERALS)
def test_of_each_cut_no_more_is_missing_than_there_was(literal: str, line: str, framed: bool) -> None:
    value = encode(parse_literal(literal, load(line)), load(line))
    data = struct.pack("<I", len(value)) + value if framed else value
    choice = ReadOptions(load(line), None, FramingKind.STORED if framed else FramingKind.BARE)
    found = [(size, missing(Document(data[:size], choice=choice))) for size in range(8, len(data))]
    assert any(lacking is not None for _, lacking in found)
    for size, lacking in found:
        assert lacking is None or 0 < lacking <= len(data) - size, size
        assert lacking is None or not framed or lacking == len(data) - size, size  # its length says all of it


def test_no_more_is_missing_than_there_was() -> None:
    for size in corpus.spread(range(8, len(SAVE)), 7):
        lacking = missing(Document(SAVE[:size], choice=GODOT3))
        assert lacking is None or 0 < lacking <= len(SAVE) - size, size
