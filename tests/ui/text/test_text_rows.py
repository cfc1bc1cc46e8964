"""Lines and rows of a text, held beside the plainest way to count them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.base.span import Span
from viewer.ui.text import text_rows
from viewer.ui.text.piece_table import PieceTable
from viewer.ui.text.text_rows import TAB, TextRows

TEXTS = st.text(alphabet="ab\nä€😀\r\t", max_size=60)


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
        if has_tab(rows, row.line):
            assert width(rows, row.span) <= columns
            if not row.is_last:  # nothing more has room
                more = rows.row(k + 1).span
                assert width(rows, Span(row.span.start, after_sign(rows, more.start))) > columns


def has_tab(rows: TextRows, line: int) -> bool:
    span = rows.line_span(line)
    return b"\t" in rows.data[span.start : span.end]


def width(rows: TextRows, span: Span) -> int:
    """How wide a row is shown, by the plainest way to count it."""
    return len(rows.data[span.start : span.end].decode("latin-1").replace("\r", " ").expandtabs(TAB))


def after_sign(rows: TextRows, at: int) -> int:
    """Where the sign that begins at a byte ends."""
    data = bytes(rows.data)
    return at + next(
        size
        for size in range(1, 5)
        if size == 4 or data[at + size : at + size + 1] < b"\x80" or data[at + size] >= 0xC0
    )


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


def test_rows_with_tabs_are_cut_where_what_is_shown_ends() -> None:
    rows = TextRows(PieceTable(b"\tif x:\n\t\treturn 12345\nno tab in this line\n"))
    rows.set_columns(12)
    shown = [bytes(rows.data)[rows.row(k).span.start : rows.row(k).span.end] for k in range(rows.rows)]
    assert shown == [b"\tif x:", b"\t\tretu", b"rn 12345", b"no tab in th", b"is line", b""]


def test_a_very_long_line_with_tabs_is_cut_after_bytes() -> None:
    rows = TextRows(PieceTable(b"a\t" * text_rows.LONGEST_TABBED))
    assert rows.rows == -(-2 * text_rows.LONGEST_TABBED // rows.columns)


def test_lines_with_tabs_beside_a_very_long_one_are_cut_as_without_it() -> None:
    lines = b"\tif x:\n\t\treturn 12345\na\r\tb\n"
    alone, beside = (TextRows(PieceTable(lines + b"\t" + b"x" * size)) for size in (1, 2 * text_rows.MOST_TABS))
    for rows in (alone, beside):
        rows.set_columns(12)
    assert [beside.row(k).span for k in range(4)] == [alone.row(k).span for k in range(4)]
    assert width(beside, beside.row(4).span) == width(beside, beside.row(5).span) == 12


def test_a_line_with_very_many_tabs_is_cut_after_bytes() -> None:
    few, many = (TextRows(PieceTable(b"\t" * count)) for count in (text_rows.MOST_TABS, text_rows.MOST_TABS + 1))
    assert few.rows == -(-text_rows.MOST_TABS * TAB // few.columns)
    assert many.rows == -(-(text_rows.MOST_TABS + 1) // many.columns)


def test_lines_with_tabs_that_have_room_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, between = [], TextRows._between
    monkeypatch.setattr(TextRows, "_between", lambda *args: asked.append(args[1:]) or between(*args))
    rows = TextRows(PieceTable(b"\t\ta line that has tabs\rbefore\tit\n" * 10_000))
    assert rows.rows == rows.lines
    asked.clear()
    for columns in (79, 70, 60, 39, 38):
        rows.set_columns(columns)
        assert rows.rows == rows.lines
    assert asked == []
    rows.set_columns(37)
    assert rows.rows == 2 * rows.lines - 1


def test_a_row_is_never_narrower_than_a_few_bytes() -> None:
    rows = TextRows(PieceTable(b"x" * 100))
    rows.set_columns(0)
    assert rows.rows == -(-100 // text_rows.NARROWEST)


def test_bytes_that_are_no_utf8_are_cut_somewhere() -> None:
    rows = TextRows(PieceTable(b"\x80" * 100))
    rows.set_columns(10)
    check(rows)
