"""Returns that were taken out anywhere are put in again, at the ends of lines and where they were the number 13."""

from __future__ import annotations

import struct

import pytest

from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.doctor.stripped_returns import MOST_BYTES
from viewer.document.document import Document


def text(shown: str) -> bytes:
    raw = shown.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def number(value: int) -> bytes:
    return struct.pack("<Ii", 2, value)


def array(*values: bytes) -> bytes:
    return struct.pack("<II", 19, len(values)) + b"".join(values)


NOTE = text("line one\r\nline two\r\nand three")
FLAT = [each for k in range(20) for each in (text(f"word {k}"), number(1000 * k))]


def best(data: bytes) -> tuple[Repair, bytes]:
    """The first explanation that puts returns in, and the bytes after it."""
    document = Document(data)
    found = next(each for each in diagnose(document) if each.cause is Cause.CR_STRIPPED)
    return found, bytes(preview(document, found).buffer[:])


def is_found(data: bytes) -> bool:
    """Whether returns are put in one by one; all at the ends of lines are put in by another family."""
    return any(each.cause is Cause.CR_STRIPPED and "0D" in each.reason for each in diagnose(Document(data)))


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize(
    ("some", "count"),
    [
        ([NOTE], 2),
        ([NOTE, *FLAT[:9], text("and\r\nmore"), *FLAT[9:]], 3),
        ([*FLAT[:11], struct.pack("<6I", 21, 4, 3, 9, 13, 12), *FLAT[11:], NOTE], 3),
        ([struct.pack("<8I", 21, 6, 7, 13, 13, 5, 13, 2)], 3),
        ([text("thirteen char"), *FLAT, NOTE], 3),
    ],
    ids=["a text", "two texts", "a number and a text", "numbers of an array", "a length and a text"],
)
def test_all_of_them_come_back(some: list[bytes], count: int, framed: bool) -> None:
    value = array(*FLAT, *some, *FLAT)
    data = len(value).to_bytes(4, "little") + value if framed else value
    assert data.count(b"\r") == count
    found, mended = best(data.replace(b"\r", b""))
    assert mended == data
    assert ("0D" in found.reason) is (data.count(b"\r\n") < count)
    assert found.note


def test_values_behind_true_lengths_are_read_one_after_another() -> None:
    frames = [array(*FLAT[:k], NOTE, *FLAT[k:]) for k in (3, 8, 20)]
    data = b"".join(len(each).to_bytes(4, "little") + each for each in frames)
    assert best(data.replace(b"\r", b""))[1] == data


def test_bytes_that_hold_one_lost_none() -> None:
    value = array(*FLAT, NOTE, text("a\r\nb"), *FLAT)
    at = value.rindex(b"\r")
    assert not is_found(value[:at] + value[at + 1 :])


def test_many_bytes_are_not_searched() -> None:
    value = array(*FLAT, NOTE, *FLAT, text("x" * MOST_BYTES)).replace(b"\r", b"")
    assert not is_found(value)
