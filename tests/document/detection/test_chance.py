"""Chance: values that any bytes hold are told from stored ones among other bytes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from struct import pack

import pytest
from command_line import SAMPLE
from document.detection.words import small_words
from document.doctor.judging import load_cases

from viewer.container.frames import FramingKind
from viewer.document.detection.detect import detect
from viewer.document.document import Document
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal


@pytest.mark.parametrize("count", [250, 1024])
def test_nulls_behind_what_looks_like_a_length_are_no_stored_values(count: int) -> None:
    for seed in range(12):
        best = detect(small_words(seed, count))[0]
        assert best.framing.kind is not FramingKind.STORED, (seed, best.reason)


@pytest.mark.parametrize(("count", "most"), [(25, 5), (64, 3), (350, 2)])
def test_few_words_hold_hardly_ever_stored_values_by_chance(count: int, most: int) -> None:
    found = [Document(small_words(seed, count)) for seed in range(100, 160)]
    some = [each for each in found if each.framing.kind is FramingKind.STORED and each.gaps]
    whole = [each for each in some if all(frame.sound and frame.gap is None for frame in each.frames)]
    assert len(whole) <= most


@pytest.mark.parametrize(
    "data",
    [
        pack("<3I", 8, 1, 1) * 8 + b"A" * 1000,
        b"A" * 1000 + pack("<3I", 8, 1, 1) * 5,
        pack("<3I", 8, 2, 1) * 5 + b"A" * 1000,
        b"A" * 1500 + pack("<2I4f", 20, 20, 0.5, 0.25, 0.75, 1) * 12,
        b"A" * 300 + pack("<2I", 4, 0) * 6,
        pack("<3I", 8, 2, 77) + Random(2).randbytes(300),
    ],
    ids=["bools first", "bools last", "ints", "colours", "nulls in a row", "one int"],
)
def test_equal_values_in_a_row_among_other_bytes_are_stored(data: bytes) -> None:
    """Words that repeat would be the same in an order by fixed steps."""
    assert detect(data)[0].framing.kind is FramingKind.STORED


def test_an_unlikely_value_among_other_bytes_is_none() -> None:
    """The header of a Dictionary is no length, though another type's number follows it and so many bytes."""
    path = next(path for path in Path(__file__).parents[1].rglob("fifth.jsonl.gz"))
    case = next(case for case in load_cases(path) if case.data[:12].hex() == "efbfbd0000001c0000000800")
    assert detect(case.data)[0].framing.kind is FramingKind.BARE


def test_a_text_among_small_words_is_stored() -> None:
    value = encode(parse_literal('{"name": "anna"}', load("godot4")), load("godot4"))
    for seed in range(5):
        data = b"SAVE" + small_words(seed, 60) + pack("<I", len(value)) + value
        assert detect(data)[0].framing.kind is FramingKind.STORED


def test_a_true_length_before_a_value_that_breaks_is_one() -> None:
    save = SAMPLE.with_name("godot4-typed.save").read_bytes()
    assert detect(save, load("godot3"))[0].framing.kind is FramingKind.STORED


def test_one_null_at_the_begin_of_other_bytes_is_not_stored() -> None:
    data = pack("<2I", 4, 0) + pack("<24I", *(dice for dice in range(24)))
    assert detect(data)[0].framing.kind is FramingKind.BARE


@pytest.mark.parametrize(
    "literal", ['"a word"', "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)", "PackedVector3Array(1, 2, 3, 4, 5, 6, 7, 8, 9)"]
)
def test_one_value_that_is_none_by_chance_is_found_among_many_bytes(literal: str) -> None:
    value = encode(parse_literal(literal, load("godot4")), load("godot4"))
    noise = Random(5).randbytes(700)
    data = noise[:500] + pack("<I", len(value)) + value + noise[500:]
    document = Document(data)
    assert [frame.start for frame in document.frames] == [504]


@pytest.mark.parametrize("count", [2, 40])
@pytest.mark.parametrize("head", [b"SAV1", b"SAVEGAME v1 slot 3 " * 16 + b"\n", Random(7).randbytes(4000)])
def test_small_values_one_behind_another_are_none_by_chance(count: int, head: bytes) -> None:
    small = b"".join(pack("<3I", 8, 1 + k % 2, k % 2) for k in range(count))
    data = head + small + b"\xff" * (400 * (len(head) < 400))
    best = detect(data)[0]
    assert best.framing.kind is FramingKind.STORED, best.reason
    assert [frame.start for frame in Document(data).frames][:2] == [len(head) + 4, len(head) + 16]
