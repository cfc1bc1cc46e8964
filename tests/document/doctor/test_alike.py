"""What one mistake explains in many places at once, and what other explanations leave to be said."""

from __future__ import annotations

import struct

import pytest
from document.doctor.cases import cases

from viewer.container.frames import FramingKind
from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

SQUARE = bytes.fromhex(
    "12000000 02000000"  # in Godot 3 a Dictionary of two
    "04000000 01000000 69000000 02000000 ba000000"  # "i": 186
    "04000000 02000000 73710000 02000000 24870000"  # "sq": 34596
)
LONG = 1 << 14


def _word(number: int) -> bytes:
    return struct.pack("<I", number)


def _text(shown: bytes, header: bytes = b"\4\0\0\0") -> bytes:
    return header + _word(len(shown)) + shown + bytes(-len(shown) % 4)


def _mended(document: Document, repair: Repair) -> bytes:
    return bytes(preview(document, repair).buffer[:])


@pytest.mark.parametrize("is_stored", [True, False])
def test_swapped_words_are_no_two_rules_of_an_encoder(is_stored: bool) -> None:
    """One letter with its fill, swapped, looks like fill that was written before it."""
    data = _word(len(SQUARE)) * is_stored + SQUARE
    document = Document(b"".join(data[k : k + 4][::-1] for k in range(0, len(data), 4)))
    repair = diagnose(document)[0]
    assert repair.cause is Cause.BYTE_ORDER
    assert _mended(document, repair) == data


def test_bytes_that_became_utf8_are_no_rule_of_an_encoder() -> None:
    """Two numbers that got one byte longer look like a byte that follows each pair."""
    document = Document(SQUARE.decode("latin-1").encode())
    repair = diagnose(document)[0]
    assert repair.cause is Cause.MADE_UTF8
    assert _mended(document, repair) == SQUARE


def test_all_open_texts_of_many_arrays_are_closed() -> None:
    """Those without letters have their NUL, and there are more arrays than are looked at one by one."""
    case = next(case for case in cases(Cause.NUL_MISSING, 25) if len(case.data) > LONG)
    document = Document(case.data, choice=case.choice)
    assert _mended(document, diagnose(document)[0]) == case.expected


@pytest.mark.parametrize("unit", [1, 2], ids=["bytes", "pairs"])
def test_all_texts_in_utf16_are_mended_at_once(unit: int) -> None:
    """The names beside them are as an engine writes them: it is no rule for all texts."""

    def saved(coding: str, unit: int) -> bytes:
        def text(shown: str) -> bytes:
            raw = shown.encode(coding)
            return _word(4) + _word(len(raw) // unit) + raw + bytes(-len(raw) % 4)

        pairs = ((b"a", "sn"), (b"b", "np"), (b"c", "ok"))
        return _word(18) + _word(3) + b"".join(_text(key) + text(shown) for key, shown in pairs)

    document = Document(saved("utf-16-le", unit), choice=ReadOptions(load("godot3"), None, FramingKind.BARE))
    repair = diagnose(document)[0]
    assert repair.cause is Cause.TEXT_UTF16
    assert _mended(document, repair) == saved("utf-8", 1)


def test_who_says_that_there_is_no_length_is_told_of_the_one_that_is_there() -> None:
    """Nobody said which engine line, and what stands first is no type number in any of them."""
    saved = bytes.fromhex(
        "19000000 01000000 1a000000 02000000 02000000 01000000 02000000 02000000"  # in Pandemonium 4 {[1, 2]: "x"}
        "04000000 01000000 78000000"
    )
    document = Document(_word(len(saved)) + saved, choice=ReadOptions(None, None, FramingKind.BARE))
    repair = diagnose(document)[0]
    assert repair.cause is Cause.PREFIX_EXTRA
    after = preview(document, repair)
    assert bytes(after.buffer[:]) == saved
    assert after.frames[0].sound


def test_what_explains_less_than_unknown_damage_is_told_behind_it() -> None:
    """Two bytes of a length are lost: to say so takes more than to say that nobody knows."""
    saved = bytes.fromhex("1c000000 03000000 04000000 03000000 74776f00 02000000 fdffffff 04000000 03000000 6e656700")
    broken = saved[:32] + saved[34:]
    document = Document(broken, choice=ReadOptions(load("godot4"), None, FramingKind.BARE))
    repairs = diagnose(document)
    lost = next(repair for repair in repairs if repair.cause is Cause.BYTE_LOST)
    assert _mended(document, lost) == saved
    assert [repair.confidence for repair in repairs] == sorted((r.confidence for r in repairs), reverse=True)
