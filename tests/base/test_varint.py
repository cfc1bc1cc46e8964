"""Numbers of seven bits a byte."""

from __future__ import annotations

import pytest

from viewer.base.varint import varint_at, varint_bytes


@pytest.mark.parametrize(
    ("number", "raw"), [(0, "00"), (127, "7f"), (128, "8001"), (300, "ac02"), (2**64 - 1, "ff" * 9 + "01")]
)
def test_numbers_go_there_and_back(number: int, raw: str) -> None:
    assert varint_bytes(number).hex() == raw
    assert varint_at(b"x" + bytes.fromhex(raw) + b"y", 1) == (number, 1 + len(raw) // 2)


@pytest.mark.parametrize("raw", ["", "80", "80" * 11])
def test_what_does_not_end_is_none(raw: str) -> None:
    assert varint_at(bytes.fromhex(raw)) is None
