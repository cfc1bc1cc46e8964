"""The doctor: known damage is named, mended, and nothing is said of what is whole."""

from __future__ import annotations

import struct

import corpus
import pytest

from viewer.container.frames import FramingKind
from viewer.container.gdec import Version, encrypt
from viewer.container.layer import Secret
from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

SAVED = bytes.fromhex(
    "1b000000 02000000"  # Dictionary of two
    "04000000 04000000 676f6c64"  # "gold"
    "02000000 2a000000"  # 42
    "04000000 04000000 6e616d65"  # "name"
    "04000000 03000000 416e6e00"  # "Ann"
)


def _best(data: bytes, framing: FramingKind | None = None) -> Repair:
    return diagnose(_document(data, framing))[0]


def _document(data: bytes, framing: FramingKind | None = None) -> Document:
    return Document(data, choice=ReadOptions(load("godot4"), None, framing))


def test_says_in_words_what_happened_and_why() -> None:
    data = len(SAVED).to_bytes(4, "little") + SAVED
    swapped = len(SAVED).to_bytes(4, "big") + SAVED
    repair = _best(swapped + data)

    assert repair.cause is Cause.PREFIX_SWAPPED
    assert repair.sentence == "The length was written with its bytes swapped."
    assert repair.reason.startswith(f"Swapped back it says {len(SAVED)} bytes.")
    assert repair.before is not None
    assert repair.before.text == swapped[:4].hex(" ").upper()


def test_an_edit_mends_the_bytes_and_is_taken_back() -> None:
    broken = SAVED.replace(b"Ann\0", b"Ann")
    document = _document(broken, FramingKind.BARE)
    repair = diagnose(document)[0]
    assert repair.edit is not None

    document.apply(repair.edit)
    assert bytes(document.buffer[:]) == SAVED
    document.undo()
    assert bytes(document.buffer[:]) == broken


def test_a_preview_leaves_the_document_alone() -> None:
    broken = SAVED.replace(b"\x02\0\0\0", b"\x03\0\0\0", 1)
    document = _document(broken)
    repair = diagnose(document)[0]

    assert repair.cause is Cause.COUNT_TOO_LARGE
    assert bytes(preview(document, repair).buffer[:]) == SAVED
    assert bytes(document.buffer[:]) == broken


def test_another_engine_line_is_a_choice_not_an_edit() -> None:
    document = Document(SAVED, choice=ReadOptions(load("godot3"), None, FramingKind.BARE))
    repair = diagnose(document)[0]

    assert repair.cause is Cause.OTHER_ENGINE
    assert repair.edit is None
    assert preview(document, repair).frames[0].sound


def test_a_chosen_engine_line_that_leaves_bytes_over_is_doubted_before_any_encoder() -> None:
    saved = bytes.fromhex(
        "30000000 12000000 02000000"  # what Godot 3 calls a Dictionary, and Pandemonium 5 a type without children
        "04000000 01000000 69000000 02000000 23010000"  # "i": 291
        "04000000 02000000 73710000 02000000 c94a0100"  # "sq": 84681
    )
    document = Document(saved, choice=ReadOptions(load("pandemonium5"), None, FramingKind.STORED))
    assert document.frames[0].sound
    assert document.frames[0].gap is not None

    found = diagnose(document)
    assert found[0].cause is Cause.OTHER_ENGINE
    assert found[0].confidence >= 0.5
    assert preview(document, found[0]).dialect is load("godot3")


def test_knows_an_encoder_that_leaves_out_the_fill_of_some_texts_only() -> None:
    whole = bytes.fromhex(
        "1c000000 03000000"  # Array of three
        "04000000 03000000 416e6e00"  # "Ann"
        "04000000 03000000 426f6200"  # "Bob"
        "04000000 03000000 45766500"  # "Eve"
    )
    broken = whole.replace(b"Ann\0", b"Ann").replace(b"Eve\0", b"Eve")
    document = _document(broken, FramingKind.BARE)
    repair = diagnose(document)[0]

    assert repair.cause is Cause.PADDING_MISSING
    assert bytes(preview(document, repair).buffer[:]) == whole


def test_looks_at_the_count_of_a_long_array() -> None:
    numbers = b"".join(b"\x02\0\0\0" + number.to_bytes(4, "little") for number in range(1000))
    whole = b"\x1c\0\0\0" + (1000).to_bytes(4, "little") + numbers
    document = _document(whole.replace(b"\xe8\x03\0\0", b"\xe9\x03\0\0", 1), FramingKind.BARE)
    repair = diagnose(document)[0]

    assert repair.cause is Cause.COUNT_TOO_LARGE
    assert bytes(preview(document, repair).buffer[:]) == whole


def test_finds_a_child_written_twice_far_from_the_end_of_a_long_array() -> None:
    numbers = [b"\x02\0\0\0" + number.to_bytes(4, "little") for number in range(1000)]
    head = b"\x1c\0\0\0" + (1000).to_bytes(4, "little")
    document = _document(head + b"".join([*numbers[:100], *numbers[99:]]), FramingKind.BARE)
    repair = diagnose(document)[0]

    assert repair.cause is Cause.CHILD_DUPLICATED
    assert bytes(preview(document, repair).buffer[:]) == head + b"".join(numbers)


def test_finds_a_byte_too_many_in_a_frame_that_still_reads() -> None:
    frame = len(SAVED).to_bytes(4, "little") + SAVED
    broken = frame[:-3] + b"\xc8" + frame[-3:] + frame + frame
    document = _document(broken, FramingKind.STORED)
    repair = diagnose(document)[0]

    assert repair.cause is Cause.BYTE_INSERTED
    assert len(preview(document, repair).buffer) == 3 * len(frame)


def test_believes_a_whole_value_between_two_frames_before_foreign_bytes() -> None:
    frame = len(SAVED).to_bytes(4, "little") + SAVED
    document = _document(frame + SAVED + frame, FramingKind.STORED)
    repair = diagnose(document)[0]

    assert repair.cause is Cause.PREFIX_MISSING
    assert bytes(preview(document, repair).buffer[:]) == 3 * frame


def test_a_number_before_a_value_is_no_beginning_of_another_packet() -> None:
    assert _best(b"\x11\x0b" + SAVED, FramingKind.BARE).cause is Cause.PACKET_HEADER


def test_doubts_an_engine_line_that_was_only_guessed() -> None:
    broken = bytes.fromhex(
        "1b000500 04000000 02000000 02000000"  # Dictionary[String, int] of two
        "04000000 01000000 61000000 02000000 01000000"  # "a": 1
        "04000000 02000000 62620000 02000000 00000080 00000000"  # "bb": 2147483648 without its flag
    )
    whole = broken.replace(bytes.fromhex("02000000 00000080"), bytes.fromhex("02000100 00000080"))
    document = Document(broken)
    repair = next(each for each in diagnose(document)[:3] if each.cause is Cause.FLAG_MISSING)

    assert bytes(preview(document, repair).buffer[:]) == whole


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_proposes_nothing_for_vectors_read_as_what_they_are(engine: corpus.Engine) -> None:
    for row in corpus.spread(corpus.vectors(engine.folder), 4, engine.folder):
        document = Document(corpus.vector_bytes(row), choice=ReadOptions(load(engine.dialect), None, FramingKind.BARE))
        found = [repair for repair in diagnose(document) if repair.can_be_applied]
        odd = any(d.code.slug in ("bad-utf8", "nul-in-text") for d in document.findings.all())
        assert not found or odd or row.get("decode_error"), row


def test_does_not_doubt_rare_values_that_an_engine_would_write() -> None:
    rare = bytes.fromhex(
        "12000000 03000000"  # Dictionary of three
        "00000000 02000000 00000000"  # null: 0
        "01000000 01000000 02000000 01000000"  # true: 1
        "01000000 00000000 02000000 02000000"  # false: 2
    )
    assert not [repair for repair in diagnose(Document(rare)) if repair.edit is not None]


def test_takes_nothing_out_of_rare_values_one_after_another() -> None:
    rare = bytes.fromhex(
        "1c000000 02000000"  # Array of two
        "05000000 ca1b0e5a 95bfd62e"  # Vector2(1e16, 1e-10)
        "02000100 d5d4d3d2 01d1d0cf"  # a large int
    )
    assert not [repair for repair in diagnose(Document(SAVED + rare + rare)) if repair.edit is not None]


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_proposes_nothing_for_saved_files(engine: corpus.Engine) -> None:
    for saved in [*corpus.files(engine.folder), *corpus.spread(corpus.wrapped(engine.folder), 4, engine.folder)]:
        found = [repair for repair in diagnose(Document(saved.path.read_bytes())) if repair.can_be_applied]
        assert not found, saved


def test_stops_when_it_is_told_to() -> None:
    told: list[int] = []

    def stop(count: int) -> bool:
        told.append(count)
        return False

    diagnose(_document(SAVED[:-1] + b"\xff\xff", FramingKind.BARE), stop)
    assert len(told) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"\xff" * 4096,
        bytes(4096),
        b"\x1c\0\0\0\xff\xff\xff\x7f" * 512,
        b"\x1c\0\0\0\x01\0\0\0" * 4096,
        b"\x22\0\0\0\xff\xff\xff\x0f" + b"\x04\0\0\0abc\0" * 512,
        b"\x04\0\0\0\xff\xff\xff\xff" * 64,
        b"\r\n" * 64,
    ],
    ids=["empty", "one byte", "ff", "zeros", "counts", "nested", "texts", "lengths", "lines"],
)
def test_survives_hostile_bytes(data: bytes) -> None:
    for repair in diagnose(Document(data)):
        assert 0 <= repair.confidence <= 1


def test_a_closed_file_of_a_known_kind_is_not_taken_for_an_unknown_one() -> None:
    closed = Document(encrypt(Version.CFB, Secret.of_password("open"), bytes(range(256)) * 64))
    assert closed.wraps.needs_key
    assert [repair.cause for repair in diagnose(closed)] == [Cause.WRAPPED]


def test_bytes_that_stand_in_their_order_have_not_changed_places() -> None:
    doubled = SAVED.replace(bytes.fromhex("1b000000 02000000"), bytes.fromhex("1b000000 04000000"))
    found = diagnose(_document(doubled, FramingKind.BARE))
    assert found
    assert not any(repair.edit is not None and not repair.edit.splices for repair in found)
    assert Cause.PARTS_SWAPPED not in {repair.cause for repair in found}


def _wide(*numbers: int) -> bytes:
    return struct.pack("<2I", 28, len(numbers)) + b"".join(struct.pack("<Iq", 0x10002, number) for number in numbers)


@pytest.mark.parametrize(
    ("numbers", "is_told"),
    [
        ((0x1234_5678_1234_5678,), True),
        ((0x1234_5678_1234_5678, 7 << 40), False),  # one of two
        ((1 << 32 | 1, 2 << 32 | 2), False),  # small ones are alike by chance
        ((-1 << 40, -1 << 41), False),
        ((0x5555_5555_5555_5555, 0x00FF_00FF_00FF_00FF, 0x0101_0101_0101_0101), False),  # patterns of bits
        ((0x1234_5678_1234_5678, -0x1234_5678_1234_5679), True),
    ],
)
def test_an_encoder_that_writes_the_lower_half_twice_is_told(numbers: tuple[int, ...], is_told: bool) -> None:
    found = diagnose(Document(_wide(*numbers)))
    assert [each.slug for each in found if each.slug == "int64-low-half-twice"] == ["int64-low-half-twice"] * is_told
    assert all(each.edit is None for each in found)
