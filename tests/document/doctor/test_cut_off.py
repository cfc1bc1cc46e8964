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

GODOT3 = ReadOptions(load("godot3"), None, FramingKind.BARE)
RPG = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save").read_bytes()
SAVE = RPG[4 : 4 + int.from_bytes(RPG[:4], "little")]


@pytest.mark.parametrize(("values", "left"), [(0, 9), (1, 8), (4, 5)])
def test_elements_that_were_counted_are_missing(values: int, left: int) -> None:
    """Each takes a header at least, the one that was begun the rest of an int."""
    number = struct.pack("<Ii", 2, 7)
    inner = struct.pack("<II", 19, 9) + number * values
    data = struct.pack("<II", 19, 3) + number + inner + number[:4]
    assert missing(Document(data, choice=GODOT3)) == 4 + 4 * (left - 1) + 4


def test_pairs_are_two_each() -> None:
    data = struct.pack("<II", 18, 5) + struct.pack("<II", 4, 4) + b"abcd" + struct.pack("<I", 2)
    assert missing(Document(data, choice=GODOT3)) == 4 + 4 * 8


def test_a_count_that_nobody_believes_says_nothing() -> None:
    data = struct.pack("<II", 19, 1 << 20) + struct.pack("<Ii", 2, 7) * 40 + struct.pack("<I", 2)
    assert missing(Document(data, choice=GODOT3)) in (None, 4)


def test_no_more_is_missing_than_there_was() -> None:
    for size in corpus.spread(range(8, len(SAVE)), 7):
        lacking = missing(Document(SAVE[:size], choice=GODOT3))
        assert lacking is None or 0 < lacking <= len(SAVE) - size, size
