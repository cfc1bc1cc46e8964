"""Cutting buffers into frames, with a stand-in measure that knows only sizes: this room knows no Variant."""

from __future__ import annotations

import random

from viewer.base.span import Span
from viewer.container.frames import (
    BARE,
    CONCATENATED,
    LIKELY,
    LIKELY_SIZE,
    STORED,
    STORED_BIG,
    Cut,
    Measurement,
    chain,
    cut,
    likely,
)

BYTES = bytes.fromhex


def words(buffer: bytes):  # type: ignore[no-untyped-def]
    """A measure for values whose first byte, 1 to 26, says how many words they are long; the next is 1 in a text."""

    def measure(span: Span) -> Measurement:
        size = 4 * buffer[span.start] if buffer[span.start] <= 26 else 0
        until = len(span) if size > len(span) else 0
        return Measurement(min(size, len(span)), 0 < size <= len(span), until, lambda: buffer[span.start + 1] == 1)

    return measure


def spans(buffer: bytes, framing) -> list[tuple[int, int]]:  # type: ignore[no-untyped-def]
    return [(c.payload.start, c.payload.end) for c in cut(buffer, framing, words(buffer))]


def test_stored_values_follow_their_prefixes() -> None:
    #               prefix   one        prefix   two
    buffer = BYTES("04000000 01000000 08000000 02000000 00000000")
    assert spans(buffer, STORED) == [(4, 8), (12, 20)]
    assert chain(buffer, big_endian=False) == (2, True)


def test_a_big_endian_prefix_swaps_only_the_prefix() -> None:
    buffer = BYTES("00000004 01000000 00000008 02000000 00000000")
    assert spans(buffer, STORED_BIG) == [(4, 8), (12, 20)]


def test_a_broken_value_between_good_prefixes_keeps_its_frame() -> None:
    #               prefix   broken   prefix   one
    buffer = BYTES("04000000 00000000 04000000 01000000")
    assert spans(buffer, STORED) == [(4, 8), (12, 16)]


def test_foreign_bytes_between_frames_are_a_gap() -> None:
    #               foreign    prefix   two                 foreign prefix   two
    buffer = BYTES("53415645ff 08000000 02000000 00000000 ffffff  08000000 02000000 00000000")
    assert spans(buffer, STORED) == [(9, 17), (24, 32)]


def test_a_lone_value_whose_prefix_lies_is_still_shown() -> None:
    #               says 99  two
    buffer = BYTES("63000000 02000000 00000000")
    assert spans(buffer, STORED) == [(4, 12)]


def test_a_value_that_the_end_cuts_off_keeps_its_frame() -> None:
    #               prefix   one      says 20  five, of which two words are there
    buffer = BYTES("04000000 01000000 14000000 05000000 00000000")
    assert spans(buffer, STORED) == [(4, 8), (12, 20)]


def test_what_says_it_is_absurdly_long_is_no_value_cut_off() -> None:
    buffer = BYTES("04000000 01000000 14000070 05000000 00000000")
    assert spans(buffer, STORED) == [(4, 8)]


def test_behind_foreign_bytes_a_value_that_begins_with_words_is_believed_whatever_its_prefix_says() -> None:
    foreign, end = BYTES("53415645ff"), BYTES("ffffffffffffff")
    for says, kept in (("18", 24), ("12", 18), ("7f", 16)):
        value = BYTES("04010000 00000000 00000000 00000000")
        buffer = foreign + BYTES(f"{says}000000") + value + bytes(8) + end
        assert spans(buffer, STORED) == [(9, 9 + kept)]
        assert spans(buffer.replace(value, BYTES("04000000") + value[4:]), STORED) == [(4, len(buffer))]


def test_behind_foreign_bytes_a_value_that_begins_with_words_may_be_cut_off() -> None:
    buffer = BYTES("53415645ff 40000000 10010000 00000000 00000000")
    assert spans(buffer, STORED) == [(9, 21)]
    assert spans(buffer.replace(BYTES("1001"), BYTES("1000")), STORED) == [(4, 21)]


def test_bare_bytes_are_one_frame_whatever_they_hold() -> None:
    assert spans(BYTES("01000000 ffffffff"), BARE) == [(0, 8)]


def test_concatenated_values_end_where_the_next_begins() -> None:
    buffer = BYTES("01000000 02000000 00000000 01000000")
    assert spans(buffer, CONCATENATED) == [(0, 4), (4, 12), (12, 16)]


def test_a_long_run_of_zeros_behind_a_value_is_room_and_not_thousands_of_nulls() -> None:
    buffer = BYTES("02000000 07000000") + bytes(100_000)
    assert spans(buffer, CONCATENATED) == [(0, 8)]


def test_a_frame_far_behind_zeros_is_found() -> None:
    value = BYTES("08000000 02000000 07000000")
    for zeros in (65_500, 65_536, 65_540, 200_000):
        buffer = value + bytes(zeros) + value
        assert spans(buffer, STORED) == [(4, 12), (zeros + 16, zeros + 24)]


def test_no_bytes_have_no_frames() -> None:
    assert spans(b"", STORED) == []


def test_the_search_behind_foreign_bytes_is_bounded() -> None:
    """A buffer in which every word looks like a prefix costs no more than some times its size."""
    buffer = BYTES("00100000 05000000") * 20_000
    asked = 0

    def measure(span: Span) -> Measurement:
        nonlocal asked
        asked += 1
        return Measurement(0, False)

    assert list(cut(buffer, STORED, measure)) == [Cut(Span(0, 4), Span(4, len(buffer)))]
    assert 0 < asked < 60_000


def test_without_a_budget_nothing_is_looked_for_behind_foreign_bytes() -> None:
    #               prefix   one      foreign  prefix   two
    buffer = BYTES("04000000 01000000 ffffffff 08000000 02000000 00000000")
    found = cut(buffer, STORED, words(buffer), budget=0)
    assert [(c.payload.start, c.payload.end) for c in found] == [(4, 8)]


def test_cutting_can_begin_behind_a_frame() -> None:
    buffer = BYTES("04000000 01000000 08000000 02000000 00000000")
    assert [c.payload.start for c in cut(buffer, STORED, words(buffer), start=8)] == [12]


def test_a_text_behind_its_length_is_no_frame() -> None:
    #               prefix   one      length   "name"
    buffer = BYTES("04000000 01000000 04000000 6e616d65")
    assert spans(buffer, STORED) == [(4, 8)]
    #               prefix   one      prefix   broken
    assert spans(BYTES("04000000 01000000 04000000 ff00ff00"), STORED) == [(4, 8), (12, 16)]


def test_a_number_behind_a_frame_is_no_prefix_where_the_value_promises_another_length() -> None:
    #               prefix   one      number   five, of which two words are there
    buffer = BYTES("04000000 01000000 63000000 05000000 00000000")

    def leaf(span: Span) -> Measurement:
        found = words(buffer)(span)
        return Measurement(found.size, found.sound, found.until, promised=lambda: 4 * buffer[span.start])

    assert [cut.payload for cut in cut(buffer, STORED, leaf)] == [Span(4, 8)]
    assert spans(buffer, STORED) == [(4, 8), (12, 20)]  # of a value with parts nobody knows how long it would be


def test_two_words_behind_a_number_are_no_frame_for_another_that_follows() -> None:
    #               prefix   one      number   two               prefix   one
    buffer = BYTES("04000000 01000000 63000000 02000000 00000000 04000000 01000000")
    assert spans(buffer, STORED)[0] == (4, 8)
    assert (12, 20) not in spans(buffer, STORED)


class Stored:
    """Bytes as if they were on disk, which counts how often they are asked for."""

    def __init__(self, raw: bytes) -> None:
        self.raw, self.asked = raw, 0

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, at):  # type: ignore[no-untyped-def]
        self.asked += 1
        return self.raw[at]


def test_likely_places_are_the_same_however_the_bytes_are_read() -> None:
    choose = random.Random(4)
    raw = bytearray(3 << 20)
    for _ in range(2000):
        at = choose.randrange(len(raw) - 4)
        raw[at : at + 4] = choose.randbytes(4)
    expected = [found.end() - LIKELY_SIZE for found in LIKELY.finditer(raw)]
    assert len(expected) > 1000
    assert list(likely(bytes(raw), 0, None)) == expected
    assert list(likely(Stored(bytes(raw)), 0, None)) == expected


def test_a_long_run_of_zeros_is_read_in_long_stretches() -> None:
    stored = Stored(bytes(64 << 20))
    assert not list(likely(stored, 0, None))
    assert stored.asked < 80
