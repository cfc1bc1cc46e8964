"""The scanner: bytes to a table, for every engine's bytes and for any other."""

from __future__ import annotations

import random
from typing import Any

import pytest
from corpus import ENGINES, Engine, malformed, spread, vector_bytes, vectors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from variant.corpus_values import expected_value, same
from variant.exercise import assert_tiled, exercise, flips, random_frame
from variant.random_values import VALUES, any_value

from viewer.base.diagnostic import Code
from viewer.variant import scan as scanner
from viewer.variant.dialect import Dialect, Kind, keys, load
from viewer.variant.encode import EncodeError, encode
from viewer.variant.items import parts
from viewer.variant.lint.lint import lint
from viewer.variant.read import read
from viewer.variant.scan import SAMPLED_CHILDREN, Stopped, scan
from viewer.variant.table import NONE

DEPTH = 3_000_000
RANDOM_FRAMES = 1_000
by_engine = pytest.mark.parametrize("engine", ENGINES, ids=str)
by_dialect = pytest.mark.parametrize("dialect", [load(key) for key in keys()], ids=lambda dialect: dialect.key)
PATIENT = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))


def word(number: int) -> bytes:
    return number.to_bytes(4, "little")


@by_engine
def test_every_vector_reads_as_the_value_that_the_engine_wrote(engine: Engine) -> None:
    dialect = load(engine.dialect)
    wrong = [
        row["id"]
        for row in vectors(engine.folder)
        if not same(read(scan(vector_bytes(row), dialect)), expected_value(row, dialect))
    ]
    assert wrong == []


@by_engine
def test_every_vector_is_tiled_to_its_last_byte(engine: Engine) -> None:
    for row in vectors(engine.folder):
        table = scan(vector_bytes(row), load(engine.dialect))
        assert_tiled(table)
        assert table.end_of_data == len(table.buffer)


def test_the_only_vectors_with_a_fault_are_those_that_their_engines_cannot_read_back() -> None:
    faults = {
        (str(engine), row["id"])
        for engine in ENGINES
        for row in vectors(engine.folder)
        if scan(vector_bytes(row), load(engine.dialect)).diagnostics
    }
    assert faults == {
        ("pandemonium5", "string_lone_surrogate"),
        ("godot4.0", "string_lone_surrogate"),
        ("godot4.0", "string_pair_surrogates"),
        ("godot4.0", "string_31bit"),
        ("godot4.0", "pstr_special"),
    }


@by_engine
def test_every_broken_input_is_tiled_up_to_the_end_of_data(engine: Engine) -> None:
    for row in spread(malformed(engine.folder), 2, engine.folder):
        exercise(bytes.fromhex(row["hex"]), load(engine.dialect))


@by_engine
def test_no_prefix_of_a_vector_raises(engine: Engine) -> None:
    for row in spread(vectors(engine.folder), 3, engine.folder):
        raw = vector_bytes(row)
        for end in range(0, len(raw), max(1, len(raw) // 24)):
            exercise(raw[:end], load(engine.dialect))


@by_engine
def test_every_prefix_of_a_sample_of_vectors_is_refused_or_ends_a_value(engine: Engine) -> None:
    for row in spread(vectors(engine.folder), 18, engine.folder):
        raw = vector_bytes(row)[:256]
        for end in range(len(raw)):
            table = exercise(raw[:end], load(engine.dialect))
            assert table.diagnostics or table.end_of_data == end


@by_engine
def test_no_changed_byte_of_a_sample_of_vectors_raises(engine: Engine) -> None:
    dice = random.Random(str(engine))
    for row in spread(vectors(engine.folder), 21, engine.folder):
        for spoilt in flips(vector_bytes(row)[:200], dice):
            exercise(spoilt, load(engine.dialect))


@by_dialect
def test_no_random_buffer_raises(dialect: Dialect) -> None:
    dice = random.Random(dialect.key)
    for _ in range(RANDOM_FRAMES):
        exercise(random_frame(dialect, dice), dialect)
        exercise(dice.randbytes(dice.randrange(64)), dialect)


@by_dialect
@PATIENT
@given(data=VALUES)
def test_no_nearly_valid_buffer_raises(dialect: Dialect, data: st.DataObject) -> None:
    try:
        raw = bytearray(encode(data.draw(any_value(dialect)), dialect))
    except EncodeError:
        return
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=4))
        if not raw:
            break
    exercise(bytes(raw), dialect)


@by_dialect
@pytest.mark.parametrize("name", ["Array", "Dictionary"])
def test_a_hostile_count_costs_no_more_nodes_than_there_are_words(dialect: Dialect, name: str) -> None:
    raw = word(dialect.type_number(name)) + word(0x7FFFFFFF) + bytes(40)
    table = exercise(raw, dialect)
    assert len(table) == 11
    assert [found.code for found in table.diagnostics] == [Code.CHILD_MISSING]


class Zeros:
    """Bytes that begin with a head and go on with zeros, none of which are in memory."""

    def __init__(self, head: bytes, size: int) -> None:
        self.head = head
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            begin, end, _ = at.indices(self.size)
            return self.head[begin:end].ljust(max(end - begin, 0), b"\0")
        return self.head[at] if at < len(self.head) else 0


@by_dialect
@pytest.mark.parametrize(("name", "unit"), [("Array", 1), ("Dictionary", 2)])
def test_of_very_many_nulls_some_are_read(dialect: Dialect, name: str, unit: int) -> None:
    size, number = 3 << 30, word(dialect.type_number(name))
    for promised in (size // 4 - 2) // unit, 0x7FFFFFFF // unit:
        table = scan(Zeros(number + word(promised), size), dialect)
        assert [found.code for found in table.diagnostics] == [Code.TOO_MANY_NULLS]
        assert len(table) == 1 + SAMPLED_CHILDREN == 1 + len(table.children(0))
        assert f"promises {promised} {'pairs' if unit == 2 else 'elements'}" in table.diagnostics[0].message


def test_a_collection_that_breaks_soon_gets_no_room_for_all_that_it_promises() -> None:
    size = 3 << 30
    table = scan(Zeros(word(19) + word(size // 4 - 2) + word(2) * 2 + word(200), size), load("godot3"))
    assert [found.code for found in table.diagnostics] == [Code.UNKNOWN_TYPE]
    assert len(table) == 3
    assert table.promised < 1 << 16


def test_many_values_of_a_large_frame_are_read_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 1 << 16
    for name, number in (("LARGE", size), ("WIDE", size // 2), ("BLANK", 1 << 12)):
        monkeypatch.setattr(scanner, name, number)
    table = scan(word(19) + word(size) + (word(2) + word(7)) * size, load("godot3"))
    assert len(table) == 1 + size
    assert not table.diagnostics


@by_dialect
def test_a_hostile_count_of_every_type_is_no_error_of_ours(dialect: Dialect) -> None:
    for row in dialect.rows:
        for count in (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
            exercise(word(row.number) + word(count) * 3 + bytes(24), dialect)


@by_dialect
def test_nested_hostile_counts_share_the_words_that_are_left(dialect: Dialect) -> None:
    level = word(dialect.type_number("Array")) + word(0x7FFFFFFF)
    assert len(exercise(level * 500, dialect)) <= 1001


def test_three_million_levels_neither_recurse_nor_crash() -> None:
    raw = bytes.fromhex("13000000 01000000") * DEPTH + bytes.fromhex("01000000 02000000")
    table = scan(raw, load("godot3"))
    assert len(table) == DEPTH + 1
    assert table.at(len(raw) - 1) == DEPTH
    assert [part.name for part in parts(table, DEPTH)] == ["header", "value"]
    assert next(lint(table)).code is Code.BOOL_NOT_0_OR_1


def test_a_deep_value_is_read_and_written_back_without_recursion() -> None:
    raw = bytes.fromhex("13000000 01000000") * 20_000 + bytes.fromhex("00000000")
    dialect = load("godot3")
    assert encode(read(scan(raw, dialect)), dialect) == raw


def test_levels_beyond_the_limit_are_an_error_once_and_still_in_the_table() -> None:
    raw = bytes.fromhex("1c000000 01000000") * 2_000 + bytes.fromhex("00000000")
    table = scan(raw, load("godot4"))
    assert [found.code for found in table.diagnostics] == [Code.TOO_DEEP]
    assert len(table) == 2_001


def test_the_progress_callback_stops_the_scan() -> None:
    raw = bytes.fromhex("13000000 00000200") + bytes.fromhex("02000000 01000000") * 0x20000
    seen: list[int] = []

    def progress(offset: int) -> bool:
        seen.append(offset)
        return len(seen) < 3

    with pytest.raises(Stopped) as stopped:
        scan(raw, load("godot3"), progress)
    assert len(seen) == 3
    assert seen == sorted(seen)
    assert stopped.value.table.end_of_data <= seen[-1] < len(raw)


def test_the_children_of_a_collection_have_consecutive_ids() -> None:
    raw = bytes.fromhex("13000000 02000000  13000000 01000000 00000000  00000000")
    table = scan(raw, load("godot3"))
    assert list(table.children(0)) == [1, 2]
    assert list(table.children(1)) == [3]
    assert [table.start[node] for node in range(4)] == [0, 8, 20, 16]
    assert list(table.parent) == [NONE, 0, 0, 1]


def test_any_bytes_like_buffer_gives_the_same_table() -> None:
    raw = bytes.fromhex("12000000 01000000  04000000 01000000 61000000  02000000 05000000")
    tables = [scan(kind(raw), load("godot3")) for kind in (bytes, bytearray, memoryview)]
    assert len({(tuple(table.start), tuple(table.parent), tuple(table.first)) for table in tables}) == 1
    assert all(list(lint(table)) == [] for table in tables)


def test_names_and_values_keep_their_places_where_an_object_is_cut_off_between_them() -> None:
    raw = bytes.fromhex("11000000 01000000 41000000 03000000  01000000 61000000  02000000 05000000  01000000")
    table = exercise(raw, load("godot3"))
    assert [table.is_name(node) for node in table.nodes] == [False, True, False, True]
    assert [found.code for found in table.diagnostics] == [Code.LENGTH_TOO_LONG]


def test_the_empty_buffer_has_no_nodes() -> None:
    table = exercise(b"", load("godot4"))
    assert len(table) == 0
    assert [found.code for found in table.diagnostics] == [Code.HEADER_MISSING]


def test_values_behind_one_of_odd_length_are_read_where_they_begin() -> None:
    #                   Array    3       NodePath, old form, 3 bytes and no fill: a/b    int 5             int 6
    raw = bytes.fromhex("15000000 03000000 10000000 03000000 612f62 02000000 05000000 02000000 06000000")
    table = scan(raw, load("godot2"))
    assert [table.start[node] for node in range(4)] == [0, 8, 19, 27]
    assert table.end_of_data == len(raw)
    assert table.diagnostics == []


def test_many_values_of_odd_length_are_read_one_by_one() -> None:
    count = 3000
    #                      NodePath 3       a / b
    raw = bytes.fromhex("10000000 03000000 612f62") * count
    table = scan(word(0x15) + word(count) + raw, load("godot2"))
    assert [table.start[node] for node in (1, 2, count)] == [8, 19, 8 + 11 * (count - 1)]
    assert table.diagnostics == []


@by_engine
def test_bits_of_a_header_that_mean_nothing_change_no_structure(engine: Engine) -> None:
    dialect, odd = load(engine.dialect), 0x4400_0000
    fixed = [raw for raw in map(vector_bytes, vectors(engine.folder)) if is_fixed(dialect, raw)]
    meant = ~dialect.rules.header_mask & odd
    plain = word(dialect.type_number("Array")) + word(len(fixed)) + b"".join(fixed)
    marked = b"".join(word(int.from_bytes(raw[:4], "little") | meant) + raw[4:] for raw in fixed)
    table, other = (scan(raw, dialect) for raw in (plain, plain[:8] + marked))
    assert len(fixed) > 20
    assert (other.start, other.parent, other.first) == (table.start, table.parent, table.first)
    assert other.end_of_data == len(plain)
    assert other.diagnostics == []


def is_fixed(dialect: Dialect, raw: bytes) -> bool:
    """Whether a value always takes the same bytes."""
    row = dialect.row(int.from_bytes(raw[:4], "little"))
    return row is not None and row.kind is Kind.FIXED
