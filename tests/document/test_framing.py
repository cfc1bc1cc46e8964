"""Frames with their tables: short values are measured in shared memory, and keep nothing of each other."""

from __future__ import annotations

import corpus
import pytest

from viewer.container.frames import CONCATENATED, STORED
from viewer.document.document import Document
from viewer.document.framing import Reader, frames, gaps
from viewer.document.reading import Choice
from viewer.span import Span
from viewer.variant.dialect import load
from viewer.variant.scan import scan

BYTES = bytes.fromhex
GODOT3 = load("godot3")
INT = BYTES("02000000 07000000")
PAIR = BYTES("13000000 02000000 02000000 01000000 00000000")
BROKEN = BYTES("13000000 02000000 63000000")


def stored(value: bytes) -> bytes:
    return len(value).to_bytes(4, "little") + value


def test_every_frame_has_the_table_that_a_scan_of_its_bytes_gives() -> None:
    values = [INT, PAIR, BROKEN, BYTES("13000000 88130000") + INT * 5000, PAIR, INT] * 3
    data = b"".join(stored(value) for value in values)
    found = frames(data, STORED, Reader(data, GODOT3))
    assert len(found) == len(values)
    for frame, value in zip(found, values, strict=True):
        expected = scan(value, GODOT3)
        for column in ("start", "parent", "first"):
            assert list(getattr(frame.table, column)) == list(getattr(expected, column))
        assert frame.table.end_of_data == expected.end_of_data
        assert [d.code for d in frame.table.diagnostics] == [d.code for d in expected.diagnostics]


def test_values_one_after_another_are_cut_where_each_ends() -> None:
    long = BYTES("13000000 10270000") + INT * 10_000
    data = INT + long + PAIR + BROKEN
    found = frames(data, CONCATENATED, Reader(data, GODOT3))
    assert [len(frame.cut.payload) for frame in found] == [len(INT), len(long), len(PAIR), len(BROKEN)]
    assert [frame.sound for frame in found] == [True, True, True, False]


def test_so_many_frames_are_cut_and_the_rest_is_a_gap() -> None:
    data = stored(INT) * 10
    found = frames(data, STORED, Reader(data, GODOT3), most=4)
    assert len(found) == 4
    assert gaps(found, len(data)) == [Span(48, 120)]


def test_the_search_for_a_frame_can_be_stopped() -> None:
    data = BYTES("0c000000 02000000 ffffffff") * 2000
    asked: list[int] = []

    def progress(pos: int) -> bool:
        asked.append(pos)
        return len(asked) < 3

    reader = Reader(data, GODOT3, progress=progress)
    frames(data, STORED, reader)
    assert reader.stopped
    assert len(asked) == 3


@pytest.mark.parametrize("slip", [-8, -3, -1, 1, 2, 7])
def test_bytes_lost_or_inserted_in_a_value_leave_the_frames_around_it(slip: int) -> None:
    raw = (corpus.DATA / "godot3" / "files" / "many_store_var.save").read_bytes()
    starts = [frame.start for frame in Document(raw).frames]
    at = starts[41] + 24
    broken = raw[: at + slip] + raw[at:] if slip < 0 else raw[:at] + bytes(range(1, slip + 1)) + raw[at:]
    found = [frame.start for frame in Document(broken, choice=Choice(load("godot3"))).frames]
    assert found[:42] == starts[:42]
    assert [start - slip for start in found[-100:]] == starts[-100:]
    assert len(found) == len(starts)


@pytest.mark.parametrize("harm", ["cut", "cut short", "inserted", "lost"])
def test_a_save_of_one_value_stays_one_frame_where_its_prefix_lies(harm: str) -> None:
    raw = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()
    broken = {
        "cut": raw[:-4],
        "cut short": raw[:3000],
        "inserted": raw[:2000] + b"A" + raw[2000:],
        "lost": raw[:2000] + raw[2003:],
    }[harm]
    found = Document(broken)
    assert [frame.start for frame in found.frames] == [4]
    assert found.dialect.key == "godot3"
