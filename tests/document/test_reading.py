"""Cutting again after an edit gives what cutting everything gives."""

from __future__ import annotations

import random

import pytest

from viewer.base.buffer import Buffer
from viewer.container.frames import CONCATENATED, STORED, STORED_BIG, Framing
from viewer.document.pieces.framing import Frame, FrameReader, frames
from viewer.document.reading import recut
from viewer.document.splice import Splice, applied
from viewer.variant.dialect import load

BYTES = bytes.fromhex
GODOT3 = load("godot3")
INT = BYTES("02000000 07000000")
NIL = BYTES("00000000")
PAIR = BYTES("13000000 02000000 02000000 01000000 00000000")
BROKEN = BYTES("13000000 02000000 63000000")


def stored(value: bytes, order: str = "little") -> bytes:
    return len(value).to_bytes(4, order) + value  # type: ignore[arg-type]


def whole(buffer: Buffer, framing: Framing) -> list[Frame]:
    return frames(buffer, framing, FrameReader(buffer, GODOT3))


def facts(found: list[Frame]) -> list[object]:
    return [
        (f.cut, bytes(f.table.buffer[:]), f.table.end_of_data, list(f.table.start), list(f.table.parent), f.sound)
        for f in found
    ]


def edited(data: bytes, splices: list[Splice], framing: Framing) -> list[Frame]:
    old = whole(data, framing)
    after = applied(data, splices)
    expected = facts(whole(after, framing))
    found = recut(old, splices, after, framing, FrameReader(after, GODOT3))
    assert facts(found) == expected
    return found


def test_frames_that_an_edit_does_not_reach_keep_their_tables() -> None:
    data = stored(INT) * 2000
    old = whole(data, STORED)
    splices = [Splice(12_000, stored(INT), stored(PAIR))]
    after = applied(data, splices)
    found = recut(old, splices, after, STORED, FrameReader(after, GODOT3))
    assert [found[0].table, found[-1].table] == [old[0].table, old[-1].table]
    assert found[1500].start == old[1500].start + 12


def test_two_splices_of_one_edit_are_both_seen() -> None:
    data = stored(INT) * 1000
    edited(data, [Splice(6000, b"\x08", b"\x04"), Splice(6004, INT, NIL)], STORED)
    edited(data, [Splice(9000, b"", stored(PAIR)), Splice(6000, stored(INT), b"")], STORED)
    edited(data, [Splice(6000, stored(INT), b""), Splice(9000, b"", stored(PAIR))], STORED)


@pytest.mark.parametrize("framing", [STORED, STORED_BIG, CONCATENATED])
def test_any_edit_gives_the_frames_of_a_fresh_cut(framing: Framing) -> None:
    numbers = random.Random(framing.label)
    order = "big" if framing.big_endian else "little"
    values = (INT, INT, NIL, PAIR, BROKEN) if framing is not CONCATENATED else (INT, INT, NIL, PAIR)
    pieces = [value if framing is CONCATENATED else stored(value, order) for value in values]
    for _ in range(15):
        junk = [bytes(numbers.randrange(1, 40))] if framing is not CONCATENATED else []
        data = b"".join(numbers.choice(pieces * 8 + junk) for _ in range(numbers.choice((1, 5, 900))))
        splices: list[Splice] = []
        size = len(data)
        for _ in range(numbers.randrange(1, 4)):
            at = numbers.randrange(size + 1)
            before = applied(data, splices)
            removed = before[at : at + numbers.choice((0, 4, 12))]
            inserted = numbers.choice((b"", b"\xff", removed[:2], *pieces))
            splices.append(Splice(at, removed, inserted))
            size += len(inserted) - len(removed)
        edited(data, splices, framing)


@pytest.mark.parametrize(
    "change", ["a frame begins there", "the end is there", "the end is near"], ids=lambda name: name.replace(" ", "-")
)
def test_a_frame_whose_prefix_lies_may_depend_on_what_stands_where_it_points(change: str) -> None:
    value = BYTES("13000000 05000000") + 5 * INT
    frame, count = stored(value), 400
    lie = len(value) + 300 * len(frame) + 20
    data = 3 * frame + lie.to_bytes(4, "little") + value + count * frame
    there = 3 * len(frame) + 4 + lie
    splices = {
        "a frame begins there": Splice(there - 20, b"", b"\xff" * 20),
        "the end is there": Splice(there, data[there:], b""),
        "the end is near": Splice(there + 5, data[there + 5 :], b""),
    }
    edited(data, [splices[change]], STORED)
