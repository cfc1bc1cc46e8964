"""What machines leave behind, bytes that were cut off, bits that are others, and what it takes to tell values."""

from __future__ import annotations

import base64
import struct
from pathlib import Path
from random import Random

import pytest

from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.doctor.cut_off import missing, size_words
from viewer.document.doctor.description import description_length, raw_bits
from viewer.document.doctor.machine_damage import machine_damage, reals_in
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.scan import scan

SAMPLE = Path(__file__).parents[3] / "resources" / "samples" / "godot4-save.bin"
GODOT4 = load("godot4")


def text(shown: str) -> bytes:
    raw = shown.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def number(value: int) -> bytes:
    return struct.pack("<Ii", 2, value)


def pairs(*some: tuple[str, bytes]) -> bytes:
    return struct.pack("<II", 27, len(some)) + b"".join(text(key) + value for key, value in some)


def player(index: int) -> bytes:
    return pairs(("id", number(index)), ("name", text(f"Player {index}")), ("gold", number(100 * index)))


PARTY = struct.pack("<II", 28, 6) + b"".join(player(index) for index in range(6))


def bits(data: bytes) -> float:
    return description_length(scan(data, GODOT4))


def causes(data: bytes) -> set[Cause]:
    return {sign.cause for sign in machine_damage(data, reals_in(Document(data)))}


def best(data: bytes) -> Repair:
    return diagnose(Document(data))[0]


def test_values_that_games_store_are_shorter_to_tell_than_their_bytes() -> None:
    assert bits(PARTY) < 0.6 * raw_bits(PARTY)


@pytest.mark.parametrize(
    ("stored", "by_chance"),
    [
        (struct.pack("<Iq", 0x10002, 1 << 31), struct.pack("<Iq", 0x10002, 0x4D3C_2B1A_0908)),
        (struct.pack("<Iq", 0x10002, (1 << 53) + 1), struct.pack("<Iq", 0x10002, 0x0021_2B1A_0908_4242)),
        (struct.pack("<If", 3, float("inf")), struct.pack("<If", 3, 3.1234e38)),
        (struct.pack("<Id", 0x10003, float("nan")), struct.pack("<IQ", 0x10003, 0x7FF8_0012_3400_5678)),
        (struct.pack("<Id", 0x10003, 1e-10), struct.pack("<Id", 0x10003, 1.2345678901e-10)),
        (struct.pack("<Id", 0x10003, 0.1 + 0.2), struct.pack("<Id", 0x10003, 0.31234567890123)),
    ],
    ids=["power of two", "beside one", "infinity", "NaN", "short decimal", "sum of decimals"],
)
def test_numbers_that_programs_store_are_shorter_to_tell_than_others(stored: bytes, by_chance: bytes) -> None:
    assert bits(by_chance) > bits(stored) + 8


def test_the_next_key_is_expected_to_be_of_the_same_type() -> None:
    def numbered(keys: list[bytes]) -> bytes:
        return struct.pack("<II", 27, len(keys)) + b"".join(key + number(1) for key in keys)

    alike = numbered([number(key) for key in range(10)])
    mixed = numbered([number(key) if key % 2 else text(str(key)) for key in range(10)])
    assert bits(mixed) > bits(alike) + 8


@pytest.mark.parametrize(
    ("usual", "strange"),
    [
        (number(7), number(0x4D3C2B1A)),
        (text("gold"), text("g\x01l\x7f")),
        (struct.pack("<If", 3, 0.5), struct.pack("<If", 3, 1.3e-33)),
        (struct.pack("<II", 1, 1), struct.pack("<II", 1, 77)),
        (player(1), struct.pack("<II", 27, 3) + player(1)[8:36] + player(1)[8:36] + player(1)[36:]),
        (struct.pack("<II", 2, 5), struct.pack("<II", 0x4000_0002, 5)),
    ],
    ids=["int", "text", "float", "bool", "keys", "flags"],
)
def test_what_no_game_stores_is_longer_to_tell(usual: bytes, strange: bytes) -> None:
    assert bits(strange) > bits(usual) + 8


def test_keys_that_stood_there_before_are_short_to_tell() -> None:
    alone, twice = bits(struct.pack("<II", 28, 1) + player(1)), bits(struct.pack("<II", 28, 2) + player(1) + player(2))
    assert twice - alone < 0.8 * alone


def test_bytes_that_no_longer_occur_are_a_sign() -> None:
    assert Cause.ZEROS_STRIPPED in causes(PARTY.replace(b"\0", b""))
    assert Cause.SEVEN_BIT in causes(bytes(byte & 0x7F for byte in PARTY * 4))
    assert Cause.REPLACED in causes(PARTY + "\ufffd".encode())
    assert not causes(PARTY + bytes([200]))


def test_blank_and_repeated_blocks_are_signs() -> None:
    noise = b"".join(struct.pack("<I", (k * 2654435761 + 12345) & 0xFFFFFFFF | 0x01010101) for k in range(1280))
    assert causes(noise[:1024] + bytes(512) + noise[1536:]) == {Cause.SECTOR_ZEROS}
    assert Cause.SECTOR_ONES in causes(noise[:1024] + b"\xff" * 512 + noise[1536:])
    other = bytes((byte * 7 + 3) & 0xFF | 1 for byte in range(512))
    assert Cause.BLOCK_REPEATED in causes(noise[:512] + other + noise[1024:1536] + other)
    assert Cause.SECTOR_ZEROS not in causes(noise[:1000] + bytes(90) + noise[1090:])


def test_what_ends_too_early_is_cut_off_and_the_size_is_told() -> None:
    data = struct.pack("<II", 28, 40) + b"".join(player(index) for index in range(40))
    found = best(data[:1400])
    assert (found.cause, found.edit) == (Cause.END_MISSING, None)
    assert "1,400 bytes, which may be the reason: a common size for UDP packets" in found.reason
    assert missing(Document(data)) is None


def test_a_frame_that_is_cut_off_tells_how_much_is_missing() -> None:
    data = struct.pack("<I", len(PARTY)) + PARTY
    assert missing(Document(data[:-30], choice=ReadOptions(GODOT4))) == 30


def test_what_breaks_in_the_middle_is_not_cut_off() -> None:
    assert missing(Document(PARTY[:60] + b"\x77\x77\x77\x77" + PARTY[64:], choice=ReadOptions(GODOT4))) is None


def test_sizes_that_cut_are_known() -> None:
    assert all(map(size_words, (1400, 4096, 512 * 37)))
    assert not any(map(size_words, (1337, 0)))


def test_one_bit_of_a_header_is_found() -> None:
    at = PARTY.index(text("gold"))
    data = PARTY[:at] + bytes([PARTY[at] ^ 0x40]) + PARTY[at + 1 :]
    document = Document(data)
    found = next(each for each in diagnose(document)[:3] if each.cause is Cause.BIT_FLIPPED)
    assert bytes(preview(document, found).buffer[:]) == PARTY


@pytest.mark.parametrize(
    ("cause", "data"),
    [
        (Cause.BYTES_BACKWARDS, PARTY[::-1]),
        (Cause.BITS_BACKWARDS, bytes(int(f"{byte:08b}"[::-1], 2) for byte in PARTY)),
        (Cause.NULS_AS_PAIRS, PARTY.replace(b"\0", b"\xc0\x80")),
        (Cause.MARK_BEFORE, b"\xef\xbb\xbf" + PARTY),
    ],
)
def test_what_one_rule_did_to_all_bytes_is_undone(cause: Cause, data: bytes) -> None:
    document = Document(data)
    found = diagnose(document)[0]
    assert found.cause is cause
    assert bytes(preview(document, found).buffer[:]) == PARTY


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("prefix-u16", lambda value: struct.pack("<H", len(value)) + value),
        ("prefix-u16-big-endian", lambda value: struct.pack(">H", len(value)) + value),
        ("prefix-u64", lambda value: struct.pack("<Q", len(value)) + value),
        ("prefix-in-words", lambda value: struct.pack("<I", len(value) // 4) + value),
        ("prefix-in-bits", lambda value: struct.pack("<I", len(value) * 8) + value),
        ("prefix-constant", lambda value: struct.pack("<I", 1024) + value),
        ("prefix-netstring", lambda value: f"{len(value)}:".encode() + value + b","),
        ("prefix-both-ends", lambda value: struct.pack("<I", len(value)) + value + struct.pack("<I", len(value))),
        ("separators", lambda value: value + b"\n"),
    ],
)
def test_a_rule_for_lengths_is_named_and_undone(name: str, write: object) -> None:
    assert callable(write)
    values = [player(index) for index in range(4)]
    document = Document(b"".join(map(write, values)))
    found = diagnose(document)[0]
    assert found.name == name
    assert " 4 of 4 " in found.reason
    mended = bytes(preview(document, found).buffer[:])
    assert mended in (b"".join(values), b"".join(struct.pack("<I", len(value)) + value for value in values))


def test_noise_without_a_zero_is_not_taken_for_values_that_lost_theirs() -> None:
    assert diagnose(Document(Random(5).randbytes(40))) == []


@pytest.mark.parametrize("at", [31, 40, 77, 150, 203])
@pytest.mark.parametrize("size", [45, 86])
def test_a_stretch_that_stands_twice_is_found_wherever_it_begins(at: int, size: int) -> None:
    packets = [
        pairs(("name", text(f"Player {k}")), ("said", text("gg" * k)), ("gold", number(977 * k))) for k in range(6)
    ]
    stream = b"".join(struct.pack("<I", len(each)) + each for each in packets)
    document = Document(stream[: at + size] + stream[at:])
    first = diagnose(document)[0]
    assert first.cause is Cause.SEGMENT_DOUBLED
    assert bytes(preview(document, first).buffer[:]) == stream


@pytest.mark.parametrize(("first", "other"), [(512, 1024), (512, 2048), (1024, 1536)])
def test_two_blocks_in_each_others_place_change_it_again(first: int, other: int) -> None:
    data = struct.pack("<II", 28, 60) + b"".join(player(7 * index) for index in range(60))
    mixed = bytearray(data)
    mixed[first : first + 512], mixed[other : other + 512] = data[other : other + 512], data[first : first + 512]
    document = Document(bytes(mixed))
    repair = diagnose(document)[0]
    assert repair.cause is Cause.BLOCKS_SWAPPED
    assert bytes(preview(document, repair).buffer[:]) == data


@pytest.mark.parametrize("prefixed", [False, True])
@pytest.mark.parametrize("size", [500, 1000])
def test_base64_that_a_column_cut_is_opened_and_its_end_is_missed(size: int, prefixed: bool) -> None:
    items = [text(f"item {at:03}") + (number(at * at) if at % 3 else text("a" * at)) for at in range(60)]
    value = struct.pack("<II", 27, len(items)) + b"".join(items)
    data = struct.pack("<I", len(value)) * prefixed + value
    document = Document(base64.b64encode(data)[:size])
    assert [wrap.codec.name for wrap in document.wraps.around] == ["base64"]
    assert bytes(document.buffer[:]) == data[: size * 3 // 4]
    first = diagnose(document)[0]
    assert first.cause is Cause.END_MISSING
    assert f"{size:,} characters" in first.reason


def test_equal_records_are_no_block_that_occurs_twice() -> None:
    record = struct.pack("<2I", 27, 1) + struct.pack("<2I4s", 4, 4, b"gold") + struct.pack("<2I", 2, 9)
    data = struct.pack("<2I", 28, 9000) + record * 1000 + b"\7" + record * 1000
    assert Cause.BLOCK_REPEATED not in {each.cause for each in diagnose(Document(data))}
