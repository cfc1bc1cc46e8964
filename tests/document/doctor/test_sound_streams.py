"""Streams that engines wrote are sound, whatever a game stores between the values: the doctor accuses none of them.

``SOUND_STREAMS=600`` lets the engines write so many new ones, and asks about all that are kept instead of every third.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable

import pytest
from document.doctor.stream_shapes import SHAPED, shaped
from document.doctor.streams import Stream, sample, streams, written

from viewer.base.diagnostic import Severity
from viewer.document.doctor import Cause, Repair, diagnose
from viewer.document.doctor.own_fields import own_fields
from viewer.document.doctor.repair_context import WorkBudget
from viewer.document.document import Document
from viewer.variant.dialect import load

NEW = int(os.environ.get("SOUND_STREAMS", "0"))
SEED = 7
NAMED = {"prefix-one-byte", "prefix-leb128", "prefix-u16", "prefix-u16-big-endian"}
"""What is true of a stream whose sizes are none that ``get_var`` reads."""
NO_FAULT = {
    Cause.OWN_FIELDS,
    Cause.SEVERAL_VALUES,
    Cause.OBJECTS_NOT_ALLOWED,
    Cause.TOO_DEEP,
    Cause.TOO_LARGE,
    Cause.NEWER_FEATURE,
}
GODOT3 = load("godot3")
WORDS = (b"level \xc3\xa4ueerst", b"volume velocity team score", b"score shield map", b"enemy", b"player one")


def accuses(repair: Repair) -> bool:
    """Whether something is said to be wrong, or bytes would change."""
    return repair.edit is not None or (repair.choice is None and repair.cause not in NO_FAULT)


def accused(kind: str, data: bytes) -> list[str]:
    """By what names a stream is accused; of nulls alone it may be said that they are zeros."""
    found = [repair.name for repair in diagnose(Document(data)) if accuses(repair) and any(data)]
    return [name for name in found if not (kind.startswith("sized") and name in NAMED)]


ONCE_ACCUSED = SHAPED.with_name("once_accused.jsonl.gz")
SAMPLED = [
    *((k, each) for k, each in enumerate(sample()) if NEW or k % 3 == 0),
    *((k, each) for k, each in enumerate(sample(SHAPED)) if NEW or k % 2 == 0),
    *enumerate(sample(ONCE_ACCUSED)),
]


@pytest.mark.parametrize(("kind", "data"), [pytest.param(*each, id=f"{k} {each[0]}") for k, each in SAMPLED])
def test_a_stream_that_an_engine_wrote_is_not_accused(kind: str, data: bytes) -> None:
    assert accused(kind, data) == []


@pytest.mark.engine
@pytest.mark.engine4
@pytest.mark.skipif(not NEW, reason="SOUND_STREAMS says how many streams the engines shall write")
@pytest.mark.parametrize("made", [streams, shaped])
def test_hardly_any_new_stream_is_accused(made: Callable[[int, int], list[Stream]]) -> None:
    some = made(NEW, SEED)
    found = [accused(stream.kind, data) for stream, data in zip(some, written(some), strict=True)]
    assert sum(map(bool, found)) <= 0.02 * NEW, [(k, each) for k, each in enumerate(found) if each]


def text(shown: bytes) -> bytes:
    return struct.pack("<II", 4, len(shown)) + shown + bytes(-len(shown) % 4)


def stored(value: bytes) -> bytes:
    return struct.pack("<I", len(value)) + value


@pytest.mark.parametrize("number", [0, 5, 1 << 40, 1 << 33])
def test_a_number_of_64_bits_is_no_length_with_a_null_behind_it(number: int) -> None:
    """What ``store_64`` and ``store_var`` write; 4 may be a null with its length all the same."""
    values = [stored(text(b"level")), stored(struct.pack("<II", 2, 7))]
    data = struct.pack("<Q", number) + values[0] + struct.pack("<Q", number) + values[1]
    document = Document(data)
    assert [bytes(data[frame.span.start : frame.span.end]) for frame in document.frames] == values
    assert [found for found in document.findings.all() if found.severity > Severity.NOTE] == []
    assert accused("mixed", data) == []


def test_the_row_of_values_and_fields_is_found() -> None:
    data = b"".join(struct.pack("<f", k + 0.7) + stored(text(b"player")) for k in range(5))
    found = own_fields(data, [GODOT3], WorkBudget(1 << 28))
    assert found is not None
    assert [len(span) for span in found.values] == [16] * 5
    assert sum(map(len, found.fields)) == 20


def test_a_collection_that_does_not_read_is_no_field() -> None:
    broken = struct.pack("<II", 19, 4) + text(b"one") + text(b"two")
    data = stored(text(b"first")) + stored(broken) + stored(text(b"second")) + stored(text(b"third"))
    assert own_fields(data, [GODOT3], WorkBudget(1 << 28)) is None


def test_an_array_of_numbers_before_texts_takes_none_of_them() -> None:
    """Many texts behind a first value that is a packed array are values of their own where all lengths are true."""
    data = stored(struct.pack("<IIf", 22, 1, 0.5)) + b"".join(stored(text(b"word")) for _ in range(6))
    assert not any(map(accuses, diagnose(Document(data))))


def test_values_behind_true_lengths_are_not_thrown_away() -> None:
    data = b"SAVE".join(stored(struct.pack("<If", 3, k / 2)) for k in range(19))
    assert not any(map(accuses, diagnose(Document(data))))


def test_a_mark_of_four_letters_between_values_is_no_length() -> None:
    values = [stored(text(b"word")), stored(struct.pack("<If", 3, 0.5)), stored(struct.pack("<IIf", 22, 1, 0.5))]
    data = b"".join([*values, b"SAVE", *values, *values])
    assert not any(map(accuses, diagnose(Document(data))))


def test_a_lone_value_is_not_believed_at_the_cost_of_most_bytes() -> None:
    """An empty dictionary, and then a game's own texts and numbers: nothing of it is waste."""
    own = b"".join(struct.pack("<I", len(word)) + word + struct.pack("<f", len(word) / 3) for word in WORDS)
    assert not any(map(accuses, diagnose(Document(struct.pack("<II", 18, 0) + own))))


def test_a_text_as_long_as_the_number_of_a_collection_is_a_field() -> None:
    """A text of 19 bytes begins like an Array that does not read."""
    values = [
        text(b"the shield of the player, and its colour"),
        text(b"what nobody knows of it"),
        text(b"and where it was found"),
    ]
    data = b"".join(struct.pack("<I", 19) + b"language level done" + value for value in values)
    found = own_fields(data, [GODOT3], WorkBudget(1 << 28))
    assert found is not None
    assert [len(span) for span in found.fields] == [23] * 3


def test_fields_that_look_like_no_head_and_no_length_are_plain() -> None:
    """A count in two bytes, a length in words and a broken text do; what a game stores does not."""
    words = b"".join(map(text, WORDS))
    plain = struct.pack("<fd", 28.36, 0.7)
    head = struct.pack("<IH", 19, len(WORDS))
    length = struct.pack("<I", len(words) // 4)
    broken = struct.pack("<I", 4) + b"\7\0\0\0" + b"a\1b"
    found = [own_fields(own + words, [GODOT3], WorkBudget(1 << 28)) for own in (plain, head, length, broken)]
    assert [row is not None and row.is_plain for row in found] == [True, False, False, False]


def test_names_beside_small_values_are_a_row() -> None:
    """Texts tell most of the bytes, but values enough of them."""
    row = [struct.pack("<I", len(word)) + word + struct.pack("<II", 2, k) for k, word in enumerate(WORDS)]
    found = own_fields(b"SAVE" + b"".join(row), [GODOT3], WorkBudget(1 << 28))
    assert found is not None
    assert len(found.values) == len(WORDS)


def test_a_number_that_counts_the_values_behind_it_is_no_wrong_length() -> None:
    data = struct.pack("<I", 2) + stored(struct.pack("<II", 2, 0)) + stored(struct.pack("<II", 2, 1))
    assert not any(map(accuses, diagnose(Document(data))))


def test_values_behind_a_number_do_not_lie_behind_one_length() -> None:
    """The number is none that would be the length of them all."""
    values = struct.pack("<5I", 6, 0, 0x3F800000, 0x3F800000, 0x3F000000) + struct.pack("<IIq", 19, 1, 2) + text(b"id")
    assert "several-values" not in {each.name for each in diagnose(Document(struct.pack("<I", 1816) + values * 2))}


def test_four_zeros_behind_a_number_are_no_value_with_a_wrong_length() -> None:
    data = b"".join(struct.pack(">H", 8) + struct.pack("<II", 3, 0) for _ in range(2))
    assert [each.name for each in diagnose(Document(data)) if accuses(each)] == ["prefix-u16-big-endian"]
