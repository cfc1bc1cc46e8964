"""The encoder: values to the bytes that the dialect's engine writes."""

from __future__ import annotations

import pytest
from corpus import ENGINES, Engine, malformed, vector_bytes, vectors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from variant.corpus_values import expected_value
from variant.random_values import VALUES, any_value

from viewer.variant.dialect import Dialect, Precision, keys, load
from viewer.variant.encode import EncodeError, encode
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Array, NaN, ObjectFull, ObjectId, Value

by_engine = pytest.mark.parametrize("engine", ENGINES, ids=str)
by_dialect = pytest.mark.parametrize("dialect", [load(key) for key in keys()], ids=lambda dialect: dialect.key)
PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
EMPTY = {"NodePath": "00000080", "InputEvent": "00000000 00000000 0c000000"}
"""How the payload of an empty value begins where it does not begin with zeros."""
ROWS = [
    pytest.param(dialect, row.name, precision, id=f"{key}-{row.name}-{precision.value}")
    for key in keys()
    for dialect in [load(key)]
    for row in dialect.rows
    for precision in dialect.precisions
]


@by_engine
def test_every_vector_is_read_and_written_back_to_the_same_bytes(engine: Engine) -> None:
    dialect, precision = load(engine.dialect), Precision(engine.precision)
    wrong = [
        row["id"]
        for row in vectors(engine.folder)
        if encode(read(scan(vector_bytes(row), dialect)), dialect, precision) != vector_bytes(row)
    ]
    assert wrong == []


@by_engine
def test_the_value_that_an_engine_tells_is_written_as_the_engine_writes_it(engine: Engine) -> None:
    dialect, precision = load(engine.dialect), Precision(engine.precision)
    wrong = [
        row["id"]
        for row in vectors(engine.folder)
        if row.get("roundtrip", True) and encode(expected_value(row, dialect), dialect, precision) != vector_bytes(row)
    ]
    assert wrong == []


@pytest.mark.parametrize(("dialect", "name", "precision"), ROWS)
def test_the_zero_value_of_every_row_survives_both_ways(dialect: Dialect, name: str, precision: Precision) -> None:
    row = dialect.by_name[name]
    header = row.number | (1 << 16 if precision is Precision.DOUBLE and row.real else 0)
    table = scan(header.to_bytes(4, "little") + bytes.fromhex(EMPTY.get(name, "")) + bytes(136), dialect)
    assert table.diagnostics == []
    assert encode(read(table), dialect, precision) == table.buffer[: table.end_of_data]


@by_dialect
@PATIENT
@given(data=VALUES)
def test_any_value_survives_both_ways(dialect: Dialect, data: st.DataObject) -> None:
    value = data.draw(any_value(dialect))
    precision = data.draw(st.sampled_from(dialect.precisions))
    try:
        raw = encode(value, dialect, precision)
    except EncodeError:
        return
    table = scan(raw, dialect)
    assert table.end_of_data == len(raw)
    assert encode(read(table), dialect, precision) == raw


@by_engine
def test_an_unchanged_value_written_over_its_old_bytes_keeps_what_was_odd_in_its_header(engine: Engine) -> None:
    dialect = load(engine.dialect)
    for row in malformed(engine.folder):
        if not row["id"].startswith(("flags/", "int/wide", "nil_", "bool_flag", "v2_flag", "int_flag")):
            continue
        raw = bytes.fromhex(row["hex"])
        table = scan(raw, dialect)
        old = raw[: table.end_of_data]
        if not table.diagnostics:
            assert encode(read(table), dialect, like=old) == old


def test_a_class_name_of_one_nul_is_kept() -> None:
    raw = bytes.fromhex("18000000 01000000 00000000")
    assert encode(read(scan(raw, load("godot4"))), load("godot4")) == raw


def test_a_nan_keeps_its_bits() -> None:
    raw = bytes.fromhex("03000100 010000000000f07f")
    value = read(scan(raw, load("godot4")))
    assert isinstance(value.data, NaN)
    assert encode(value, load("godot4")) == raw


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Value("Nothing"), "no type Nothing"),
        (Value("int", 1 << 64), "does not fit"),
        (Value("Vector2", (1.0,)), "takes 2 numbers"),
        (Value("String", 5), "not the data of a String"),
        (Value("Object", ObjectId(-1)), "does not fit"),
        (Value("Object", ObjectFull("", (("name", Value("Nil")),))), "needs a class name"),
    ],
)
def test_what_the_dialect_cannot_hold_is_refused_with_a_reason(value: Value, reason: str) -> None:
    with pytest.raises(EncodeError, match=reason):
        encode(value, load("godot4"))


def test_deep_values_are_written_without_recursion() -> None:
    value = Value("Nil")
    for _ in range(20_000):
        value = Value("Array", Array((value,)))
    assert encode(value, load("godot3")) == bytes.fromhex("13000000 01000000") * 20_000 + bytes(4)
