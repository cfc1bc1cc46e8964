"""Parts of the bytes that are of another nature than the rest: where they begin and end, and what mends all."""

from __future__ import annotations

import gzip
import struct
import tracemalloc
import zlib
from time import process_time

import pytest
import zstandard

from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.doctor.overwritten import TEXT
from viewer.document.doctor.stretches import MOST_PACKED
from viewer.document.document import Document


def text(shown: str) -> bytes:
    raw = shown.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def number(value: int) -> bytes:
    return struct.pack("<Ii", 2, value)


def pairs(*some: tuple[str, bytes]) -> bytes:
    return struct.pack("<II", 27, len(some)) + b"".join(text(key) + value for key, value in some)


def items(*some: bytes) -> bytes:
    return struct.pack("<II", 28, len(some)) + b"".join(some)


def item(index: int) -> bytes:
    name = text(("lamp", "rope", "sword", "shield of oak")[index % 4])
    return pairs(("id", number(40 + index)), ("name", name), ("count", number(index)))


def save(name: str = "Ann", count: int = 8) -> bytes:
    return pairs(
        ("version", number(3)),
        ("player_name", text(name)),
        ("gold", number(1250)),
        ("items", items(*map(item, range(count)))),
        ("owner", text(name)),
        ("seed", number(99)),
    )


def frame(value: bytes) -> bytes:
    return struct.pack("<I", len(value)) + value


SAVE = save()


def best(data: bytes) -> tuple[Document, Repair]:
    document = Document(data)
    return document, diagnose(document)[0]


def mended(data: bytes, name: str) -> bytes:
    """The bytes after the best repair, which has this name."""
    document, repair = best(data)
    assert repair.name == name, repair
    return bytes(preview(document, repair).buffer[:])


# What is taken out


@pytest.mark.parametrize("at", [10, 61, 150, 333, len(SAVE) - 6])
@pytest.mark.parametrize(
    "line", ["[autosave] writing slot 2...\n", "WARNING: no such node: HUD\n   At: node.cpp:14\r\n"]
)
def test_a_line_of_a_log_is_taken_out_wherever_it_stands(line: str, at: int) -> None:
    assert mended(SAVE[:at] + line.encode() + SAVE[at:], "text-inside") == SAVE


@pytest.mark.parametrize("fill", [b"\0", b"\xcd"])
@pytest.mark.parametrize(("at", "size"), [(47, 40), (150, 67), (256, 256), (331, 116)])
def test_the_unused_part_of_a_buffer_is_taken_out_wherever_it_stands(fill: bytes, at: int, size: int) -> None:
    for data in (SAVE, frame(SAVE)):
        assert mended(data[:at] + fill * size + data[at:], "fill-inside") == data


def test_zeros_behind_a_value_are_neither_more_values_nor_more_elements() -> None:
    long = items(*(number(k) for k in range(7)))
    for value in (SAVE, long):
        assert mended(value + bytes(400), "trailing-bytes") == value
        assert mended(struct.pack("<I", len(value) + 400) + value + bytes(400), "trailing-bytes") == frame(value)


def test_the_rest_of_a_longer_save_is_taken_off() -> None:
    for old, new in ((save(count=16), save("Bo", 4)), (frame(save(count=14)), frame(save("Kim", 5)))):
        assert mended(new + old[len(new) :], "stale-tail") == new


def test_a_child_too_many_is_not_the_rest_of_a_save() -> None:
    data = bytearray(items(*map(item, range(6))))
    data[4] = 5
    assert best(frame(bytes(data)))[1].cause is Cause.COUNT_TOO_SMALL


# What is turned back


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_one_compressed_value_among_others_is_opened(which: int, pack: object) -> None:
    assert callable(pack)
    values = [save("Ann", 6), save("Bo", 9), save("Kim", 5)]
    stored = [frame(pack(value) if index == which else value) for index, value in enumerate(values)]
    assert mended(b"".join(stored), "part-wrapped") == b"".join(map(frame, values))


@pytest.mark.parametrize("key", [b"\xaa", b"\xff", b"\x17\xc4\x05\x99"])
@pytest.mark.parametrize("at", [64, 201])
def test_a_key_over_all_bytes_from_some_offset_on_is_found(at: int, key: bytes) -> None:
    changed = bytes(byte ^ key[(at + k) % len(key)] for k, byte in enumerate(SAVE[at:]))
    assert mended(SAVE[:at] + changed, "rest-changed") == SAVE


def test_words_that_are_swapped_from_some_offset_on_are_found() -> None:
    at = 160
    swapped = b"".join(SAVE[k : k + 4][::-1] for k in range(at, len(SAVE), 4))
    assert mended(SAVE[:at] + swapped, "rest-changed") == SAVE


@pytest.mark.parametrize(
    ("old", "new"), [("Ann", "Annika"), ("Thorgrim", "Thor"), ("Bob", "Bartholomew"), ("Kim", "K")]
)
def test_a_name_that_was_replaced_everywhere_gets_its_lengths(old: str, new: str) -> None:
    data = save(old).replace(old.encode(), new.encode())
    assert mended(data, "length-off") == save(new)
    assert mended(frame(save(old)).replace(old.encode(), new.encode()), "length-off") == frame(save(new))


# What cannot be known


@pytest.mark.parametrize("at", [75, 200, 301])
def test_where_a_value_was_cut_off_the_next_one_is_kept(at: int) -> None:
    whole = save("Kim", 5)
    document, repair = best(frame(SAVE)[:at] + frame(whole))
    assert repair.cause is Cause.FRAME_CUT
    assert f"0x{at:X}" in repair.reason
    assert f"breaks off after {at - 4} bytes, {len(SAVE) + 4 - at} bytes before its end" in repair.reason
    after = preview(document, repair)
    assert [each.sound for each in after.frames] == [True, True]
    assert after.frames[1].table.buffer[:] == whole
    assert len(after.frames[0].table) > 4


def test_addresses_over_a_value_are_named() -> None:
    pointers = struct.pack("<QQ", 0x7F085C028BE0, 0x7F085C028C40)
    for at in (0, 96):
        repair = best(SAVE[:at] + pointers + SAVE[at + 16 :])[1]
        assert repair.cause is Cause.OVERWRITTEN
        assert f"from 0x{at:X} on are 2 addresses" in repair.reason


@pytest.mark.parametrize(("fill", "cause"), [(0xFF, Cause.SECTOR_ONES), (0xCD, Cause.OVERWRITTEN)])
def test_a_stretch_of_one_byte_is_named_and_not_taken_out(fill: int, cause: Cause) -> None:
    data = save(count=24)
    repair = best(data[:256] + bytes([fill]) * 256 + data[512:])[1]
    assert repair.cause is cause


def test_zeros_in_the_place_of_the_end_are_no_value() -> None:
    data = save(count=24)
    assert best(data[:512] + bytes(len(data) - 512))[1].cause is Cause.SECTOR_ZEROS


@pytest.mark.parametrize("fill", [0, 0xCD])
def test_what_fills_a_buffer_behind_a_whole_value_is_taken_off(fill: int) -> None:
    assert mended(SAVE + bytes([fill]) * 700, "trailing-bytes") == SAVE


# Bounds


def test_a_line_that_never_ends_takes_no_longer_than_it_is_long() -> None:
    text = b"x" * 200_000
    begun = process_time()
    assert TEXT.search(text) is None
    assert process_time() - begun < 1.0
    assert TEXT.findall(b"\0" + text + b"\nand so on\0") == [text + b"\n"]


def test_what_many_frames_hold_compressed_is_held_only_up_to_a_bound() -> None:
    inside = struct.pack("<II", 29, 8 << 20) + bytes(8 << 20)
    packed = zstandard.ZstdCompressor().compress(inside)
    document = Document(frame(SAVE) + 12 * frame(packed) + frame(SAVE))
    tracemalloc.start()
    diagnose(document)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * MOST_PACKED
