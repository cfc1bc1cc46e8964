"""The memory of tables: grown by doubling, used again, never larger than the bytes allow."""

from __future__ import annotations

import gc
import struct

from viewer.variant.columns import ROW, SMALL, Columns, Pool
from viewer.variant.dialect import load
from viewer.variant.scan import make_ready, scan

GODOT3 = load("godot3")


def words(*numbers: int) -> bytes:
    """Little-endian words."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


ARRAY = words(19)


def nulls(count: int) -> bytes:
    """An Array of so many null values."""
    return ARRAY + words(count) + bytes(4 * count)


def test_what_is_written_survives_growth() -> None:
    columns = Columns(10)
    columns.start[9], columns.parent[9], columns.first[9] = 1, 2, 3
    columns.grow(10, 3 * SMALL)
    assert columns.capacity == 3 * SMALL
    assert (columns.start[9], columns.parent[9], columns.first[9]) == (1, 2, 3)


def test_growth_at_least_doubles() -> None:
    columns = Columns(SMALL + 1)
    columns.grow(SMALL, SMALL + 2)
    assert columns.capacity == 2 * (SMALL + 1)


def test_a_node_takes_twelve_bytes() -> None:
    columns = Columns(SMALL + 1)
    assert (
        sum(column.nbytes for column in (columns.start, columns.parent, columns.first))
        == ROW * (SMALL + 1)
        == (12 * (SMALL + 1))
    )


def test_a_pool_gives_the_largest_columns_out_again_and_keeps_no_others() -> None:
    pool, small, large = Pool(), Columns(SMALL + 1), Columns(4 * SMALL)
    for columns in (large, small):
        pool.give(columns)
    assert pool.take(2 * SMALL) is large
    assert pool.take(2 * SMALL) is not small


def test_columns_come_back_when_nobody_holds_their_table_any_more() -> None:
    pool = Pool()
    table = scan(nulls(2 * SMALL), GODOT3, pool=pool)
    first = table.start.obj
    other = scan(nulls(2 * SMALL), GODOT3, pool=pool)
    assert other.start.obj is not first
    del table
    gc.collect()
    again = scan(nulls(2 * SMALL), GODOT3, pool=pool)
    assert again.start.obj is first


def test_a_pool_made_ready_serves_the_next_scan_without_growing() -> None:
    pool, raw = Pool(), nulls(2 * SMALL)
    make_ready(pool, len(raw), 2 * SMALL + 1)
    ready = pool.take(2 * SMALL)
    room = ready.start.obj
    pool.give(ready)
    assert scan(raw, GODOT3, pool=pool).start.obj is room


def test_a_table_in_used_columns_says_what_one_in_fresh_columns_says() -> None:
    pool, raw = Pool(), nulls(3 * SMALL)
    broken = raw[:4] + (0x7FFFFFFF).to_bytes(4, "little") + raw[8:]
    for data in (raw, broken, nulls(SMALL), raw):
        used, fresh = scan(data, GODOT3, pool=pool), scan(data, GODOT3)
        told = [(bytes(t.start), bytes(t.parent), bytes(t.first), t.end_of_data) for t in (used, fresh)]
        assert told[0] == told[1]
        del used


def test_no_count_makes_a_table_longer_than_the_bytes_allow() -> None:
    raw = bytes.fromhex("13000000 FFFFFF7F 13000000 FFFFFF7F 00000000")
    assert len(scan(raw, GODOT3)) <= len(raw) // 4 + 1


def test_a_table_says_the_same_whatever_its_columns_held_before() -> None:
    nested = ARRAY + words(SMALL) + (ARRAY + words(2) + words(2, 7) + words(0)) * SMALL
    pool, filled = Pool(), Columns(len(nested) // 4 + 3)
    for column in (filled.start, filled.parent, filled.first):
        column[:] = memoryview(bytes([0xA5]) * column.nbytes).cast("I")
    pool.give(filled)
    used, fresh = scan(nested, GODOT3, pool=pool), scan(nested, GODOT3)
    assert used.start.obj is filled.start.obj
    assert len(used) == 1 + 3 * SMALL
    assert (bytes(used.start), bytes(used.parent), bytes(used.first)) == (
        bytes(fresh.start),
        bytes(fresh.parent),
        bytes(fresh.first),
    )
