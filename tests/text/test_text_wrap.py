"""What every text of values has in common: places told in lines and columns, bytes that are no UTF-8."""

from __future__ import annotations

import random
from bisect import bisect_right

import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.text import text_wrap, utf8
from viewer.text.text_wrap import ColumnCounter
from viewer.text.utf8 import bad_utf8


@pytest.mark.parametrize("lengths", [(0, 3), (0, 90), (50, 60), (5, 5)])
def test_lines_and_columns_go_both_ways(monkeypatch: pytest.MonkeyPatch, lengths: tuple[int, int]) -> None:
    monkeypatch.setattr(text_wrap, "SAMPLE", 64)
    dice = random.Random(lengths[0])
    lines = [b'{"k": ['] + [b" " * dice.randint(*lengths) + b"1," for _ in range(200)] + [b"]}"]
    raw = b"\n".join(lines) + b"\n" * dice.randrange(2)
    starts = [0, *(at + 1 for at, sign in enumerate(raw) if sign == 10)]
    monkeypatch.setattr(text_wrap, "SAMPLE", 1 << 16)
    text = Document(raw).text
    assert text is not None
    monkeypatch.setattr(text_wrap, "SAMPLE", 64)
    for offset in [*dice.sample(range(len(raw)), 200), len(raw)]:
        line = bisect_right(starts, offset)
        assert text.line_and_column(offset) == (line, offset - starts[line - 1] + 1)
    again = Document(raw).text
    assert again is not None
    for line in dice.sample(range(1, len(starts) + 1), 100):
        assert again.offset_of(line) == starts[line - 1]
    assert [again.offset_of(line) for line in (0, -1, len(starts) + 1, 10**6)] == [None] * 4


def test_columns_far_to_the_right_are_counted_in_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "aé😀€" * 40
    text = b"\xef\xbb\xbf" + line.encode() + b"\n" + line.encode()
    places = [(0, 3), (3 + 10 * 40 + 1, 3 + 10 * 40 + 1)]
    for size in (1 << 16, 7):
        monkeypatch.setattr(text_wrap, "SAMPLE", size)
        columns = ColumnCounter()
        for begin, first in places:
            for signs in (*range(0, len(line), 9), 100, 90, 3):
                offset = first + len(line[:signs].encode())
                assert columns.column(text, begin, offset) == signs + 1


@pytest.mark.parametrize("size", [1, 2, 7])
def test_bytes_that_are_no_utf8_are_found_wherever_they_are_read(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(utf8, "DECODED", size)
    for text, bad in (
        ("aé😀€".encode() * 3, None),
        ("é😀".encode() + b"a\xffb", Span(7, 8)),
        ("ab😀".encode()[:-1] + b'"', Span(2, 5)),
        (b"abc\xe2\x82", Span(3, 5)),
    ):
        assert [damage.span for damage in bad_utf8(text)] == ([bad] if bad is not None else [])
