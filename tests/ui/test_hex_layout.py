"""Where bytes lie: every place on the grid leads back to its byte, in files of any size."""

from __future__ import annotations

import pytest

from viewer.base.span import Span
from viewer.ui.hex.caret_keys import CaretMove, HexCaret, target
from viewer.ui.hex.layout import (
    BAR_LIMIT,
    CELL_DIGITS,
    GAP_DIGITS,
    MARGIN,
    OFFSET_GAP,
    TEXT_GAP,
    Area,
    HexLayout,
    bar_maximum,
    bar_of_row,
    offset_digits,
    row_count,
    row_of_bar,
)

DIGIT = 7.8125
HUGE = 2**63


def layout(columns: int = 16) -> HexLayout:
    return HexLayout(DIGIT, 20, columns, 6)


@pytest.mark.parametrize(
    ("size", "digits"),
    [(0, 6), (1, 6), (2**24, 6), (2**24 + 1, 8), (2**32, 8), (2**32 + 1, 10), (2**40, 10), (HUGE, 16)],
)
def test_offsets_have_an_even_number_of_digits_and_six_at_least(size: int, digits: int) -> None:
    assert offset_digits(size) == digits


def test_columns_stand_where_the_drawing_says() -> None:
    grid = layout()
    assert grid.hex_x == MARGIN + 6 * DIGIT + OFFSET_GAP
    assert grid.cell_x(1, Area.HEX) - grid.cell_x(0, Area.HEX) == pytest.approx(CELL_DIGITS * DIGIT)
    assert grid.cell_x(4, Area.HEX) - grid.cell_x(3, Area.HEX) == pytest.approx((CELL_DIGITS + GAP_DIGITS) * DIGIT)
    assert grid.text_x == pytest.approx(grid.cell_x(15, Area.HEX) + grid.cell + TEXT_GAP)
    assert MARGIN + 6 * DIGIT < grid.rail_x < grid.hex_x


def test_positions_do_not_drift_with_a_fractional_advance() -> None:
    grid = layout(32)
    assert grid.cell_x(31, Area.HEX) == pytest.approx(grid.hex_x + (31 * CELL_DIGITS + 7 * GAP_DIGITS) * DIGIT)


@pytest.mark.parametrize("columns", [8, 16, 32])
@pytest.mark.parametrize("area", list(Area))
@pytest.mark.parametrize("top", [0, 3, HUGE // 16])
def test_the_middle_of_every_cell_leads_back_to_its_byte(columns: int, area: Area, top: int) -> None:
    grid = layout(columns)
    for row in range(3):
        for column in range(columns):
            x = grid.cell_x(column, area) + grid.cell_width(area) / 2
            hit = grid.hit(x, row * 20 + 10, top, HUGE * columns)
            assert hit is not None
            assert (hit.offset, hit.area) == ((top + row) * columns + column, area)


@pytest.mark.parametrize("area", list(Area))
def test_both_edges_of_every_cell_belong_to_it(area: Area) -> None:
    grid = layout()
    for column in range(16):
        left = grid.cell_x(column, area)
        assert grid.column_at(left + 0.01, area) == column
        assert grid.column_at(left + grid.cell_width(area) - 0.01, area) == column


def test_no_point_between_two_groups_is_dead() -> None:
    grid = layout()
    edge = grid.cell_x(4, Area.HEX)
    assert grid.column_at(edge - grid.gap * 0.75, Area.HEX) == 3
    assert grid.column_at(edge - grid.gap * 0.25, Area.HEX) == 4


def test_margins_and_the_room_behind_the_last_byte_hold_nothing() -> None:
    grid = layout()
    assert grid.hit(5, 10, 0, 100) is None
    assert grid.hit(grid.text_x - 5, 10, 0, 100) is None
    assert grid.hit(grid.cell_x(4, Area.HEX) + 3, 6 * 20 + 10, 0, 100) is None
    assert grid.hit(grid.cell_x(3, Area.HEX) + 3, 6 * 20 + 10, 0, 100) is not None


def test_the_nearest_byte_is_always_one_of_the_buffer() -> None:
    grid = layout()
    assert grid.nearest(-50, -500, 2, 99).offset == 0
    assert grid.nearest(5000, 5000, 2, 99).offset == 99
    assert grid.nearest(5000, 10, 2, 99).area is Area.TEXT
    assert grid.nearest(5000, 10, 2, 99, Area.HEX).offset == 47


def test_a_span_falls_into_one_segment_a_row() -> None:
    pieces = [(s.row, s.first, s.last) for s in layout().segments(Span(0x39C, 0x3C4), 0x38, 20)]
    assert pieces == [(1, 12, 16), (2, 0, 16), (3, 0, 16), (4, 0, 4)]


def test_segments_stay_within_the_visible_rows_however_long_the_span() -> None:
    pieces = list(layout().segments(Span(0, HUGE), HUGE // 32, 5))
    assert [piece.row for piece in pieces] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("span", "corners"),
    [
        (Span(4, 8), [4]),  # one row
        (Span(4, 32), [8]),  # stepped at the start
        (Span(4, 24), [8]),  # two rows that touch
        (Span(12, 20), [4, 4]),  # two rows that do not
        (Span(12, 40), [8]),  # three rows
    ],
)
def test_the_outline_is_one_polygon_unless_its_rows_do_not_touch(span: Span, corners: list[int]) -> None:
    assert [len(polygon) for polygon in layout().outline(span, 0, 10, Area.HEX)] == corners


def test_an_outline_runs_on_beyond_the_view() -> None:
    (polygon,) = layout().outline(Span(0, HUGE), 100, 5, Area.TEXT)
    assert min(y for _, y in polygon) == -20
    assert max(y for _, y in polygon) == 6 * 20


def test_an_outline_out_of_view_is_not_drawn() -> None:
    assert layout().outline(Span(0, 16), 100, 5, Area.HEX) == []


@pytest.mark.parametrize("rows", [1, 50, 51, 10**6, BAR_LIMIT + 10**6, HUGE])
def test_the_scroll_bar_reaches_both_ends(rows: int) -> None:
    last = max(0, rows - 50)
    assert row_of_bar(0, rows, 50) == 0
    assert row_of_bar(bar_maximum(rows, 50), rows, 50) == last
    assert bar_of_row(last, rows, 50) == bar_maximum(rows, 50) < 2**31


@pytest.mark.parametrize("rows", [402_653_184, BAR_LIMIT + 51, 2**31, 3 * 2**31 + 7, HUGE])
def test_the_bar_stays_where_it_is_dragged(rows: int) -> None:
    highest = bar_maximum(rows, 50)
    for value in (0, 1, 2, 999, highest // 3, highest // 2, highest - 1, highest):
        assert bar_of_row(row_of_bar(value, rows, 50), rows, 50) == value


def test_one_step_of_the_bar_is_one_row_while_it_can_count_them() -> None:
    assert [row_of_bar(value, 10**6, 50) for value in (0, 1, 2, 999)] == [0, 1, 2, 999]


def test_the_place_behind_the_last_byte_has_a_row_only_where_one_can_write_there() -> None:
    assert (row_count(0, 16), row_count(16, 16), row_count(17, 16)) == (1, 1, 2)
    assert row_count(16, 16, append=True) == 2


@pytest.mark.parametrize(
    ("move", "start", "end"),
    [
        (CaretMove.LEFT, 0, 0),
        (CaretMove.RIGHT, 99, 99),
        (CaretMove.UP, 5, 5),
        (CaretMove.UP, 21, 5),
        (CaretMove.DOWN, 80, 96),
        (CaretMove.DOWN, 90, 99),
        (CaretMove.DOWN, 97, 97),
        (CaretMove.ROW_START, 37, 32),
        (CaretMove.ROW_END, 37, 47),
        (CaretMove.ROW_END, 97, 99),
        (CaretMove.START, 37, 0),
        (CaretMove.END, 37, 99),
        (CaretMove.PAGE_DOWN, 3, 35),
        (CaretMove.PAGE_UP, 20, 4),
        (CaretMove.PAGE_DOWN, 83, 99),
    ],
)
def test_the_caret_moves_within_the_buffer_and_keeps_its_column(move: CaretMove, start: int, end: int) -> None:
    assert target(move, start, columns=16, page=2, last=99) == end


def test_a_selection_holds_the_bytes_under_anchor_and_caret() -> None:
    caret = HexCaret(10)
    caret.place(7, extend=True)
    assert caret.selection == Span(7, 11)
    caret.place(10, extend=True)
    assert caret.selection is None
    caret.place(12)
    assert caret.selection is None


def test_a_single_byte_can_be_selected_as_a_whole() -> None:
    caret = HexCaret()
    caret.select(Span(5, 6))
    assert caret.selection == Span(5, 6)
    caret.place(6, extend=True)
    assert caret.selection == Span(5, 7)
