"""Lines and rows of a text, held beside the plainest way to count them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.base.span import Span
from viewer.ui.text import text_rows
from viewer.ui.text.piece_table import PieceTable
from viewer.ui.text.text_rows import TextRows

TEXTS = st.text(alphabet="ab\nä€😀\r", max_size=60)


def check(rows: TextRows) -> None:
    """All lines and rows tile the text, and every byte is found in them."""
    data = bytes(rows.data)
    lines = data.split(b"\n")
    assert rows.lines == len(lines)
    assert [data[rows.line_span(k).start : rows.line_span(k).end] for k in range(rows.lines)] == lines
    all_rows = [rows.row(k) for k in range(rows.rows)]
    for line in range(rows.lines):
        own = [row for row in all_rows if row.line == line]
        assert b"".join(data[row.span.start : row.span.end] for row in own) == lines[line]
        assert [row.is_first for row in own] == [True] + [False] * (len(own) - 1)
        assert [row.is_last for row in own] == [False] * (len(own) - 1) + [True]
    for offset in range(len(data) + 1):
        assert rows.line_of(offset) == data.count(b"\n", 0, offset)
        row = rows.row(rows.row_of(offset))
        assert row.span.start <= offset <= row.span.end
        assert offset < row.span.end or row.is_last


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.integers(8, 12))
def test_rows_tile_a_text(text: str, columns: int) -> None:
    rows = TextRows(PieceTable(text.encode()))
    rows.set_columns(columns)
    check(rows)
    for k in range(rows.rows):
        row = rows.row(k)
        assert len(row.span) <= columns + 3
        rows.data[row.span.start : row.span.end].decode()  # no character is cut


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 80), st.integers(0, 20), TEXTS), max_size=4))
def test_after_edits_they_are_as_if_counted_anew(text: str, edits: list[tuple[int, int, str]]) -> None:
    block, text_rows.BLOCK = text_rows.BLOCK, 3
    try:
        rows = TextRows(PieceTable(text.encode()))
        rows.set_columns(9)
        for at, size, inserted in edits:
            start = min(at, len(rows.data))
            span = Span(start, min(start + size, len(rows.data)))
            rows.data.replace(span, inserted.encode())
            rows.replace(span, inserted.encode(), rows.data)
            check(rows)
    finally:
        text_rows.BLOCK = block


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(st.tuples(st.sampled_from("olrcsd"), st.integers(0, 70), TEXTS), max_size=6))
def test_lines_that_are_counted_late_are_as_if_counted_at_once(text: str, asked: list[tuple[str, int, str]]) -> None:
    before = text_rows.BLOCK, text_rows.AT_ONCE, text_rows.STRETCH
    text_rows.BLOCK, text_rows.AT_ONCE, text_rows.STRETCH = 2, 1, 1
    try:
        late = TextRows(PieceTable(text.encode()))
        late.set_columns(9)
        for what, number, inserted in asked:
            at = min(number, len(late.data))
            whole = TextRows(PieceTable(bytes(late.data)))
            whole.set_columns(9)
            whole.count_on()
            if what == "o":
                assert (late.line_of(at), late.row_of(at)) == (whole.line_of(at), whole.row_of(at))
            elif what == "l":
                assert late.line_span(number) == whole.line_span(number)
            elif what == "r":
                assert (late.row(number), late.has_row(number)) == (whole.row(number), number < whole.rows)
            elif what == "c":
                late.count_on(number)
            else:
                span = Span(at, min(at + 7 * (what == "d"), len(late.data)))
                late.data.replace(span, inserted.encode())
                late.replace(span, inserted.encode(), late.data)
        check(late)
    finally:
        text_rows.BLOCK, text_rows.AT_ONCE, text_rows.STRETCH = before


def test_of_a_long_text_the_first_lines_alone_are_counted_at_once() -> None:
    rows = TextRows(PieceTable(b"a line of text\n" * 100_000))
    assert rows.row(10).line == 10
    assert not rows.is_counted
    assert (rows.likely_lines, rows.likely_rows) == (100_000, 100_000)
    assert rows.line_of(15 * 90_000) == 90_000
    assert (rows.lines, rows.rows, rows.is_counted) == (100_001, 100_001, True)


def test_a_row_is_never_narrower_than_a_few_bytes() -> None:
    rows = TextRows(PieceTable(b"x" * 100))
    rows.set_columns(0)
    assert rows.rows == -(-100 // text_rows.NARROWEST)


def test_bytes_that_are_no_utf8_are_cut_somewhere() -> None:
    rows = TextRows(PieceTable(b"\x80" * 100))
    rows.set_columns(10)
    check(rows)
