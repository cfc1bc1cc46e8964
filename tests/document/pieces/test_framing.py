"""Frames with their tables: short values are measured in shared memory, and keep nothing of each other."""

from __future__ import annotations

import gc
import struct
from random import Random

import corpus
import pytest

from viewer.base.span import Span
from viewer.container.frames import BARE, CONCATENATED, STORED, Cut, FramingKind, Measurement, cut
from viewer.document.document import Document
from viewer.document.pieces.framing import SHORT, VERY_MANY, FrameReader, frames, gaps, is_sound, uncollected
from viewer.document.reading import ReadOptions
from viewer.variant.columns import SMALL, Pool
from viewer.variant.dialect import FLAG_64, Dialect, available, load
from viewer.variant.evidence import cut_off, has_words, promised_size
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
    found = frames(data, STORED, FrameReader(data, GODOT3))
    assert len(found) == len(values)
    for frame, value in zip(found, values, strict=True):
        expected = scan(value, GODOT3)
        for column in ("start", "parent", "first"):
            assert list(getattr(frame.table, column)) == list(getattr(expected, column))
        assert frame.table.end_of_data == expected.end_of_data
        assert [d.code for d in frame.table.diagnostics] == [d.code for d in expected.diagnostics]


@pytest.mark.parametrize("dialect", available(), ids=lambda dialect: dialect.key)
def test_a_value_whose_header_tells_its_size_is_measured_as_a_scan_does(dialect: Dialect) -> None:
    dice, told = Random(4), 0
    for header in (number | flags for number in range(48) for flags in (0, FLAG_64, 1 << 17, 1 << 24, 1 << 31)):
        size = dialect.fixed_size(header)
        for left in {0, 3, 4, 60, 200} | ({size - 5, size - 4, size - 3} if size is not None else set()):
            rest = (dice.choice((b"\0", b"\1", b"\xff")) for _ in range(max(left, 0)))
            data = struct.pack("<I", header) + b"".join(rest)
            found, table = FrameReader(data, dialect).measure(Span(0, len(data))), scan(data, dialect)
            if dialect.row(header) is None:
                continue
            assert (found.size, found.sound, found.until) == (table.end_of_data, is_sound(table), cut_off(table)), data
            assert (found.has_words(), found.promised()) == (has_words(table), promised_size(table)), data
            told += size is not None and found.sound
    assert told > 60


def test_values_one_after_another_are_cut_where_each_ends() -> None:
    long = BYTES("13000000 10270000") + INT * 10_000
    data = INT + long + PAIR + BROKEN
    found = frames(data, CONCATENATED, FrameReader(data, GODOT3))
    assert [len(frame.cut.payload) for frame in found] == [len(INT), len(long), len(PAIR), len(BROKEN)]
    assert [frame.sound for frame in found] == [True, True, True, False]


def test_so_many_frames_are_cut_and_the_rest_is_a_gap() -> None:
    data = stored(INT) * 10
    found = frames(data, STORED, FrameReader(data, GODOT3), most=4)
    assert len(found) == 4
    assert gaps(found, len(data)) == [Span(48, 120)]


def test_the_search_for_a_frame_can_be_stopped() -> None:
    data = BYTES("0c000000 02000000 ffffffff") * 2000
    asked: list[int] = []

    def progress(pos: int) -> bool:
        asked.append(pos)
        return len(asked) < 3

    reader = FrameReader(data, GODOT3, progress=progress)
    frames(data, STORED, reader)
    assert reader.stopped
    assert len(asked) == 3


@pytest.mark.parametrize("slip", [-8, -3, -1, 1, 2, 7])
def test_bytes_lost_or_inserted_in_a_value_leave_the_frames_around_it(slip: int) -> None:
    raw = (corpus.DATA / "godot3" / "files" / "many_store_var.save").read_bytes()
    starts = [frame.start for frame in Document(raw).frames]
    at = starts[41] + 24
    broken = raw[: at + slip] + raw[at:] if slip < 0 else raw[:at] + bytes(range(1, slip + 1)) + raw[at:]
    found = [frame.start for frame in Document(broken, choice=ReadOptions(load("godot3"))).frames]
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


TEXT = BYTES("04000000 28000000") + b"a text that is long enough to be believed"[:40]
LONG = BYTES("13000000 04000000") + INT + TEXT + INT + PAIR
HURT = LONG.replace(TEXT[8:] + INT, TEXT[8:] + BYTES("63000000 07000000"))


@pytest.mark.parametrize("lie", ["00000000", "40000000", "ff000000", "00000100", "ffffffff"])
@pytest.mark.parametrize("others", [0, 2])
def test_a_sound_value_ends_where_it_does_whatever_its_prefix_says(lie: str, others: int) -> None:
    data = stored(PAIR) + BYTES(lie) + LONG + others * stored(PAIR)
    found = Document(data, choice=ReadOptions(GODOT3, framing=FramingKind.STORED)).frames
    assert [frame.start for frame in found][:2] == [4, 28]
    assert len(found[1].cut.payload) == len(LONG)
    assert len(found) == 2 + others


@pytest.mark.parametrize("between", ["", "4a554e4b 21"])
def test_behind_bytes_of_the_game_a_value_is_shown_that_begins_well(between: str) -> None:
    header = b"SAVE" + BYTES("02000000 09") + b"slot one!"
    data = header + stored(HURT) + BYTES(between) + stored(INT)
    found = Document(data, choice=ReadOptions(GODOT3, framing=FramingKind.STORED)).frames
    assert found[0].span == Span(len(header), len(header) + 4 + len(HURT))
    assert not found[0].sound
    assert len(found) == 2


def test_foreign_bytes_hold_no_frame_because_a_count_could_be_its_length() -> None:
    inner = BYTES("13000000 40000000") + LONG * 64
    data = b"JUNK" + inner[:-1] + b"!" + stored(INT) + stored(PAIR)
    found = Document(data, choice=ReadOptions(GODOT3, framing=FramingKind.STORED)).frames
    assert [frame.start for frame in found][-2:] == [len(data) - len(PAIR) - 16 + 4, len(data) - len(PAIR)]


def test_the_last_value_is_shown_where_a_byte_of_it_is_lost() -> None:
    data = stored(PAIR) + stored(PAIR)
    found = Document(data[:-9] + data[-8:], choice=ReadOptions(GODOT3, framing=FramingKind.STORED)).frames
    assert [frame.start for frame in found] == [4, 28]


def test_a_broken_value_whose_prefix_lies_too_ends_before_the_next_ones() -> None:
    data = stored(PAIR) + BYTES("ffffff00") + HURT + stored(PAIR) + stored(PAIR)
    found = Document(data, choice=ReadOptions(GODOT3, framing=FramingKind.STORED)).frames
    assert [len(frame.cut.payload) for frame in found] == [len(PAIR), len(HURT), len(PAIR), len(PAIR)]


def test_a_table_that_ends_early_does_not_hold_on_to_memory_for_all_bytes() -> None:
    data = b"\x02\0\0\0\x07\0\0\0" + b"\xff" * (1 << 20)
    (frame,) = frames(data, BARE, FrameReader(data, GODOT3, pool=Pool(), recovers=True))
    assert len(frame.table) == 1
    assert frame.table.room <= SMALL


def test_foreign_bytes_seldom_look_like_broken_frames() -> None:
    """Numbers, texts and noise in front of a save, which is found behind them."""
    save = (corpus.DATA / "godot3" / "files" / "single_dict.save").read_bytes()
    chance = Random(1)
    floats = b"".join(struct.pack("<f", chance.choice((0.0, 1.0, chance.uniform(-100, 100)))) for _ in range(900))
    texts = b"".join(struct.pack("<I4s", 3, b"abc") for _ in range(300))
    for foreign in (floats, texts, chance.randbytes(4000)):
        data = foreign + save
        found = frames(data, STORED, FrameReader(data, GODOT3))
        assert found[-1].span == Span(len(foreign), len(data))
        assert len(found) == 1


def test_what_arrays_promise_is_work_however_few_bytes_are_read_of_them() -> None:
    """Lengths that all reach to the end, an array's head behind each: its count is the length behind it."""
    count = 20_000
    lengths = (word for k in range(count) for word in (8 * (count - k) - 4, 19))
    data = b"\xff" + struct.pack(f"<{2 * count}I", *lengths)
    reader, done = FrameReader(data, GODOT3), 0

    def measured(span: Span) -> Measurement:
        nonlocal done
        found = reader.measure(span)
        done += found.cost
        return found

    budget = 4 * len(data)
    assert scan(data[5:], GODOT3).promised == 2 * count
    assert len(list(cut(data, STORED, measured, budget))) == 1
    assert budget < done < 2 * budget


def text(letters: str) -> bytes:
    raw = letters.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def records(count: int) -> bytes:
    """An Array of so many records, as a game's list of enemies is."""
    one = struct.pack("<II", 18, 2) + text("name") + text("goblin") + text("gold") + INT
    return struct.pack("<II", 19, count) + one * count


def test_a_broken_value_behind_foreign_bytes_hides_no_frame_behind_it() -> None:
    broken = bytearray(records(1200))
    broken[broken.index(b"goblin", len(broken) // 2) - 8] = 99
    pieces = [b"\xff\xfeGAME1" + stored(bytes(broken)), *[b"\xfe\xffGAME2" + stored(records(3))] * 5]
    data = b"".join(pieces)
    assert len(data) > 64_000
    found = frames(data, STORED, FrameReader(data, GODOT3))
    ends = [sum(map(len, pieces[: k + 1])) for k in range(len(pieces))]
    assert [frame.span.end for frame in found] == ends


@pytest.mark.parametrize("count", [2, 20, 23, 40, 2000])
def test_a_list_of_any_length_is_known_by_its_words(count: int) -> None:
    """Its length reaches beyond the end, and only words tell that it is a value."""
    value = records(count)
    data = b"\xff\xfeGAME1" + struct.pack("<I", len(value) + 70_000) + value + b"\xfe\xffGAME2" * 3
    found = frames(data, STORED, FrameReader(data, GODOT3))
    assert [frame.cut.payload for frame in found] == [Span(11, 11 + len(value))]


def test_a_count_and_the_end_of_a_text_are_no_prefix() -> None:
    """Of a value whose header is broken the values inside are shown, without a length before them."""
    inner = struct.pack("<II", 18, 2) + text("name") + text("goblin") + text("gold") + INT
    behind = b"\xfe\xff\xfd\xfc" * 4
    key = b"\xff\xfeGAME1" + struct.pack("<III", 900, 99, 6) + b"player\0\0"
    for front in (key, b"\xff\xfeGAME1" + struct.pack("<III", 9_000, 19, 70_000)):
        data = front + inner + behind
        found = frames(data, STORED, FrameReader(data, GODOT3))
        assert [frame.cut for frame in found] == [Cut(None, Span(len(front), len(front) + len(inner)))]


def test_fill_that_goes_on_behind_a_stretch_belongs_to_its_text() -> None:
    """In Godot 2 fill may be missing at the end; a path of an old form moves it off the words' places."""
    godot2 = load("godot2")
    path = struct.pack("<II", godot2.type_number("NodePath"), 1) + b"a"
    head = struct.pack("<II", godot2.type_number("Array"), 2) + path
    letters = SHORT - len(head) - 8
    value = head + struct.pack("<II", godot2.type_number("String"), letters) + b"x" * letters + bytes(-letters % 4)
    assert len(value) > SHORT
    data = value + value
    assert FrameReader(data, godot2).measure(Span(0, len(data))).size == scan(data, godot2).end_of_data == len(value)


@pytest.mark.parametrize("behind", [bytes(64), b"\xfe\xfd\xfc\xfb" * 16], ids=["zeros", "others"])
def test_a_count_that_is_too_large_keeps_its_frame_whatever_follows(behind: bytes) -> None:
    value = records(40)
    broken = value[:4] + struct.pack("<I", 140) + value[8:]
    data = b"\xff\xfeGAME1" + stored(broken) + behind + stored(records(2))
    found = frames(data, STORED, FrameReader(data, GODOT3))
    assert [frame.cut.payload.start for frame in found] == [11, len(data) - len(records(2))]
    assert found[0].cut.payload.end == 11 + len(value)


@pytest.mark.parametrize("count", [3, 1200, 6000])
def test_the_engine_line_is_found_though_a_value_behind_foreign_bytes_is_broken(count: int) -> None:
    """Only the beginning of many bytes tells of it: there the value is broken, and its end is not in sight."""
    broken = bytearray(records(count))
    broken[broken.index(b"goblin", len(broken) // 3) - 8] = 99
    data = b"\xff\xfeGAME1" + stored(bytes(broken)) + b"\xfe\xffGAME2" + stored(records(3))
    document = Document(data)
    assert document.dialect.key == GODOT3.key
    assert [frame.cut.payload for frame in document.frames] == [
        Span(11, 11 + len(broken)),
        Span(len(data) - len(records(3)), len(data)),
    ]


def test_very_many_new_objects_are_old_ones_to_the_collector_at_once() -> None:
    was_on = gc.isenabled()
    gc.enable()
    try:
        with uncollected():
            made: list[list[int]] = [[] for _ in range(VERY_MANY + 1)]
        young = {id(each) for generation in (0, 1) for each in gc.get_objects(generation=generation)}
    finally:
        if not was_on:
            gc.disable()
    assert gc.get_freeze_count() == 0
    assert not any(id(each) in young for each in made)
