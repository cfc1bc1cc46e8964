"""Lengths before values that an encoder writes otherwise: what the numbers in their places tell instead."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from viewer.document.doctor import diagnose
from viewer.document.doctor.prefix_rules import _beside
from viewer.document.document import Document
from viewer.document.splice import applied


def payload(number: int) -> bytes:
    text = b"wave" * (1 + number)
    name = struct.pack("<II", 4, len(text)) + text
    return struct.pack("<II", 19, 3) + struct.pack("<Ii", 2, number) + name + struct.pack("<If", 3, number + 0.5)


PAYLOADS = [payload(number) for number in range(4)]
STORED = b"".join(struct.pack("<I", len(each)) + each for each in PAYLOADS)


def written(says: Callable[[int, int], bytes]) -> bytes:
    """The values behind what is said of each by where it begins and ends."""
    out, size = b"", len(says(64, 128))
    for each in PAYLOADS:
        out += says(len(out) + size, len(out) + size + len(each)) + each
    return out


@pytest.mark.parametrize(
    ("slug", "says"),
    [
        ("prefix-offset-of-end", lambda start, end: struct.pack("<I", end)),
        ("prefix-offset-of-end", lambda start, end: struct.pack(">I", end)),
        ("prefix-offset-of-end", lambda start, end: struct.pack("<Q", end + 16)),
        ("prefix-offset-of-value", lambda start, end: struct.pack("<I", start)),
        ("prefix-off", lambda start, end: struct.pack("<I", end - start + 12)),
        ("prefix-off", lambda start, end: struct.pack(">H", end - start - 1)),
    ],
)
def test_what_stands_for_a_length_is_told_and_undone(slug: str, says: Callable[[int, int], bytes]) -> None:
    document = Document(written(says))
    first = diagnose(document)[0]
    assert first.name == slug
    assert first.confidence > 0.9
    assert first.edit is not None
    assert bytes(applied(document.buffer, first.edit.splices)[:]) == STORED


@pytest.mark.parametrize(("by", "said"), [(6, "but 6 too large"), (-1, "but 1 too small")])
def test_a_length_that_is_off_is_told_by_how_much(by: int, said: str) -> None:
    first = diagnose(Document(written(lambda start, end: struct.pack("<I", end - start + by))))[0]
    assert first.sentence.startswith(f"Your encoder writes the length before a value, {said}; an engine reads ")
    assert _beside(4, True) == ", but 4 too large, as if it counted itself"


def test_values_behind_a_number_that_counts_up_are_not_called_wrong() -> None:
    count = iter(range(5))
    document = Document(written(lambda start, end: struct.pack("<I", next(count))))
    assert not any(each.name.startswith("prefix-off") for each in diagnose(document))
