"""Texts in pieces, held beside plain bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.base.buffer import STRETCH, joined
from viewer.base.span import Span
from viewer.ui.text import text_caret
from viewer.ui.text.piece_table import PieceTable
from viewer.ui.text.text_caret import after, before, letter_after, letter_before, word_after, word_at, word_before

TEXTS = st.text(alphabet="ab1 \tä€😀\u0301\r\n,;", max_size=40)
EDITS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12), TEXTS, st.booleans()), max_size=12)


@settings(max_examples=400, deadline=None)
@given(TEXTS, EDITS)
def test_after_edits_a_text_in_pieces_is_the_same_as_one_in_one(
    text: str, edits: list[tuple[int, int, str, bool]]
) -> None:
    plain = text.encode()
    table = PieceTable(plain)
    for at, size, inserted, is_joined in edits:
        span = Span(min(at, len(plain)), min(at + size, len(plain)))
        plain = plain[: span.start] + inserted.encode() + plain[span.end :]
        table.replace(span, inserted.encode())
        assert len(table) == len(plain)
        assert table[:] == plain
        assert [table[k] for k in range(len(plain))] == list(plain)
        assert all(table[k : k + 5] == plain[k : k + 5] for k in range(len(plain) + 2))
        if is_joined:
            assert bytes(table) == plain
            assert bytes(table) is table.whole
    assert bytes(table) == plain


def test_a_text_that_nobody_typed_into_is_not_copied() -> None:
    raw = bytes(range(256))
    table = PieceTable(raw)
    assert bytes(table) is raw
    table.replace(Span(3, 5), b"")
    assert table.whole is None
    joined = bytes(table)
    assert joined is table.whole is bytes(table)
    assert joined == raw[:3] + raw[5:]


def test_pieces_that_were_joined_elsewhere_are_taken_unless_something_was_typed_since() -> None:
    raw = bytes(range(256))
    table = PieceTable(raw)
    table.replace(Span(3, 5), b"xyz")
    edition, whole = table.edition, joined(table.pieces)
    assert whole == raw[:3] + b"xyz" + raw[5:]
    assert bytes(table) == whole  # who counts lines joins them as well, and that is nothing typed
    assert table.take_joined(edition, whole)
    assert bytes(table) is table.whole is whole
    table.replace(Span(0, 0), b"more")
    assert not table.take_joined(edition, whole)
    assert bytes(table) == b"more" + whole


def test_bytes_behind_the_end_are_refused() -> None:
    with pytest.raises(IndexError):
        PieceTable(b"ab")[2]


@pytest.mark.parametrize("size", [0, 1, STRETCH - 1, STRETCH, STRETCH + 1, 3 * STRETCH])
def test_parts_of_any_size_are_joined_whole(size: int) -> None:
    part = bytes(k % 251 for k in range(size))
    assert (
        joined((part, memoryview(b"between"), memoryview(part)[size // 2 :])) == part + b"between" + part[size // 2 :]
    )


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_letters_and_words_are_found_across_pieces_and_wherever_they_are_looked_for(a: str, b: str, c: str) -> None:
    table = PieceTable((a + c).encode())
    table.replace(Span(len(a.encode()), len(a.encode())), b.encode())
    whole = PieceTable((a + b + c).encode())
    ahead = text_caret.WORD_AHEAD
    for offset in range(len(whole)):
        text_caret.WORD_AHEAD = ahead
        far = [
            find(whole, offset)
            for find in (after, before, letter_after, letter_before, word_after, word_before, word_at)
        ]
        text_caret.WORD_AHEAD = 2
        near = [
            find(table, offset)
            for find in (after, before, letter_after, letter_before, word_after, word_before, word_at)
        ]
        text_caret.WORD_AHEAD = ahead
        assert near == far
