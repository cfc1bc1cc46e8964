"""Signs of UTF-8 among bytes: whole ones alone, also where they begin before a run or end behind it."""

from __future__ import annotations

import pytest

from viewer.base.utf8_signs import utf8_signs


@pytest.mark.parametrize(
    ("before", "data", "behind", "letters", "signs"),
    [
        (b"", b"Mira", b"", b"Mira", ()),
        (
            b"",
            "é Ж ✓ 😀".encode(),
            b"",
            b" " * 14,
            ((0, "é"), (3, "Ж"), (6, "✓"), (10, "😀")),
        ),
        (b"\xc3", b"\xa9x", b"", b" x", ()),  # its first byte stands before the run
        (b"", b"x\xe2\x9c", b"\x93", b"x  ", ((1, "✓"),)),
        (b"", b"x\xe2\x9c", b"x", b"x\xe2\x9c", ()),  # cut off
        (b"", b"\xc0\xaf\xed\xa0\x80\xf5\x80\x80\x80", b"", b"\xc0\xaf\xed\xa0\x80\xf5\x80\x80\x80", ()),  # no UTF-8
        (b"", "\u202e\u0301\u200b".encode(), b"", "\u202e\u0301\u200b".encode(), ()),  # nothing to see by itself
    ],
)
def test_signs(before: bytes, data: bytes, behind: bytes, letters: bytes, signs: tuple[tuple[int, str], ...]) -> None:
    assert utf8_signs(before, data, behind) == (letters, signs)
