"""What keeps many damaged bytes from being there twice: mended bytes, parts of bytes and tables that are let go."""

from __future__ import annotations

from array import array

import corpus
import pytest

from viewer.base.buffer import window
from viewer.container.frames import BARE, STORED, FramingKind
from viewer.document.doctor import Cause, diagnose, preview
from viewer.document.doctor.candidate import COPIED, Patch, mended, patched
from viewer.document.doctor.repair_context import COPIED as COPIED_PART
from viewer.document.doctor.repair_context import (
    ROOM_MANY,
    STEP,
    BufferPart,
    ReadGuess,
    ScratchArena,
    WorkBudget,
    nodes,
    part,
    survey,
)
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.columns import SMALL, Columns, Pool
from viewer.variant.dialect import load
from viewer.variant.scan import scan

SAVE = (corpus.DATA / "godot3" / "files" / "medium_1mb.save").read_bytes()[4:]
GODOT3 = load("godot3")
SAVES = b"\x13\0\0\0\2\0\0\0" + SAVE + SAVE
"""Two saves in an array: more bytes than are copied."""
HALF = len(SAVES) // 2


@pytest.mark.parametrize(
    "patches",
    [
        (),
        (Patch(HALF, 0, b"\0"),),
        (Patch(HALF, 3, b""),),
        (Patch(HALF, 4, b"\1\2\3\4"),),
        (Patch(8, 4, b"\1\2\3\4"), Patch(HALF, 4, b""), Patch(len(SAVES), 0, b"end")),
        (Patch(0, len(SAVES), SAVES[::-1]),),
    ],
    ids=["none", "put in", "taken out", "overwritten", "several", "all"],
)
@pytest.mark.parametrize("since", [0, 8])
def test_many_mended_bytes_are_the_patched_ones(patches: tuple[Patch, ...], since: int) -> None:
    if patches and patches[0].at < since:
        since = 0
    assert len(SAVES) > COPIED + since
    assert bytes(mended(SAVES, patches, since)[:]) == patched(SAVES, patches, since)


@pytest.mark.parametrize("patch", [Patch(HALF, 0, b"\0"), Patch(HALF, 3, b""), Patch(HALF, 4, b"\1\2\3\4")])
def test_mended_bytes_are_scanned_as_patched_ones_are(patch: Patch) -> None:
    found, right = (scan(data, GODOT3) for data in (mended(SAVES, (patch,)), patched(SAVES, (patch,))))
    columns = [(table.start.tolist(), table.parent.tolist(), table.first.tolist()) for table in (found, right)]
    assert columns[0] == columns[1]
    assert found.diagnostics == right.diagnostics


@pytest.mark.parametrize("size", [COPIED_PART // 2, 2 * COPIED_PART])
def test_a_part_reads_as_the_bytes_do(size: int) -> None:
    some, right = part(SAVE, 12, 12 + size), SAVE[12 : 12 + size]
    assert isinstance(some, BufferPart) is (size > COPIED_PART)
    assert len(some) == len(right)
    assert (some[0], some[size - 1], some[:]) == (right[0], right[-1], right)
    for places in (slice(5, 9), slice(size - 2, size + 4), slice(size + 1, size + 9), slice(9, 5)):
        assert some[places] == right[places]


def test_a_table_is_read_again_after_others_took_its_memory() -> None:
    room, payload = ScratchArena(), window(SAVES)
    first = room.kept(payload, GODOT3)
    assert room.kept(payload, GODOT3) is first
    columns = first.start.tolist()
    room.take(ROOM_MANY + 1)
    again = room.kept(payload, GODOT3)
    assert again is not first
    assert again.start.tolist() == columns


def test_a_table_that_somebody_holds_stays_true_through_other_scans() -> None:
    room, payload = ScratchArena(), window(SAVES)
    held = room.kept(payload, GODOT3)
    columns = held.start.tolist()
    scan(SAVES[::-1], GODOT3, None, room)
    scan(SAVE, GODOT3, None, room)
    assert held.start.tolist() == columns


def test_short_scans_leave_the_table() -> None:
    room, payload = ScratchArena(), window(SAVES)
    first = room.kept(payload, GODOT3)
    scan(SAVE[:4096], GODOT3, None, room)
    assert room.kept(payload, GODOT3) is first


def test_the_columns_that_a_document_has_to_spare_are_borrowed_and_given_back() -> None:
    pool, spare = Pool(), Columns(ROOM_MANY + 2 * STEP)
    pool.give(spare)
    room = ScratchArena(pool)
    assert room.take(ROOM_MANY + 1) is spare
    assert pool.take(ROOM_MANY + 1) is not spare
    room.leave()
    assert pool.take(ROOM_MANY + 1) is spare


def test_spare_columns_that_are_too_few_are_not_used() -> None:
    pool = Pool()
    pool.give(Columns(SMALL + 1))
    assert ScratchArena(pool).take(ROOM_MANY + 1).capacity > ROOM_MANY


def test_the_places_at_the_trouble_are_the_same_after_other_scans() -> None:
    data = SAVES[:HALF] + b"\xff" * 8 + SAVES[HALF + 8 :]
    meter = WorkBudget(1 << 30)
    ground = survey(data, ReadGuess(GODOT3, BARE), meter)
    assert ground is not None
    before = nodes(ground)
    meter.scan(SAVES, 0, len(SAVES), GODOT3)
    assert nodes(ground) == before


def test_a_long_frame_is_not_copied() -> None:
    data = len(SAVES).to_bytes(4, "little") + SAVES[:HALF] + b"\xff" * 8 + SAVES[HALF + 8 :]
    ground = survey(data, ReadGuess(GODOT3, STORED), WorkBudget(1 << 30))
    assert ground is not None
    assert isinstance(ground.payload, BufferPart)
    assert ground.payload[:16] == SAVES[:16]


def swapped(data: bytes) -> bytes:
    words = array("I", data)
    words.byteswap()
    return words.tobytes()


@pytest.mark.parametrize(
    ("cause", "damaged"),
    [
        (Cause.MADE_UTF8, SAVES.decode("latin-1").encode()),
        (Cause.MADE_CRLF, SAVES.replace(b"\n", b"\r\n")),
        (Cause.BYTE_ORDER, swapped(SAVES)),
    ],
    ids=["utf-8", "crlf", "swapped"],
)
def test_what_happened_to_all_of_many_bytes_is_undone(cause: Cause, damaged: bytes) -> None:
    document = Document(damaged, choice=ReadOptions(GODOT3, None, FramingKind.BARE))
    best = diagnose(document)[0]
    assert best.cause is cause
    assert bytes(preview(document, best).buffer[:]) == SAVES


def test_what_takes_the_place_of_all_bytes_is_not_copied() -> None:
    new = SAVES[::-1]
    assert patched(SAVES, (Patch(0, len(SAVES), new),)) is new
