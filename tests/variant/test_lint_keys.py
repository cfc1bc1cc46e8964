"""Keys that stand twice: what each engine takes for the same key."""

from __future__ import annotations

import pytest

from viewer.base.diagnostic import Code, Diagnostic
from viewer.base.span import Span
from viewer.variant.dialect import load
from viewer.variant.lint.lint import lint
from viewer.variant.scan import scan

A, B = "04000000 01000000 61000000", "04000000 01000000 62000000"
"""The Strings a and b."""
NAME_A = "15000000 01000000 61000000"
"""Godot 4's StringName a."""

EQUAL_KEYS = [
    ("godot3", A, A, "texts"),
    ("godot3", A, "04000000 02000000 61000000", "texts up to a NUL"),
    ("godot3", "02000000 01000000", "02000100 0100000000000000", "ints of both widths"),
    ("godot3", "03000000 00000000", "03000000 00000080", "zeros of both signs"),
    ("godot3", "03000000 0000803f", "03000100 000000000000f03f", "floats of both widths"),
    ("godot3", "03000000 0000c07f", "03000100 010000000000f87f", "NaN"),
    ("godot3", "05000000 00000000 0000c07f", "05000000 00000080 0000c0ff", "vectors part by part"),
    ("godot3", "01000000 01000000", "01000000 02000000", "trues"),
    ("godot3", f"13000000 02000000 {A} {B}", f"13000000 02000000 {A} {B}", "arrays by value"),
    ("godot3", "00000000", "00000000", "nils"),
    ("godot3", "11000100 0000000000000000", "11000100 0000000000000000", "null objects"),
    ("godot4", A, NAME_A, "a String and a StringName"),
    ("godot4", f"1b000000 01000000 {A} {B}", f"1b000000 01000000 {A} {B}", "dictionaries by value"),
    ("godot4", "1c000100 02000000 00000000", "1c000000 00000000", "arrays whatever their type"),
    ("godot4", "1d000000 01000000 01 000000", "1d000000 01000000 01 000000", "packed arrays"),
    ("godot4", "19000000", "19000000", "callables"),
]

DIFFERENT_KEYS = [
    ("godot3", A, B, "texts"),
    ("godot3", "02000000 01000000", "03000000 0000803f", "int 1 and float 1.0"),
    ("godot3", "01000000 01000000", "02000000 01000000", "true and 1"),
    ("godot3", "12000000 00000000", "12000000 00000000", "dictionaries"),
    ("godot3", A, "0f000000 01000080 00000000 00000000 01000000 61000000", "a String and a NodePath"),
    ("godot3", "11000100 0500000000000000", "11000100 0500000000000000", "objects by id: each is its own wrapper"),
    ("godot3", "13000000 01000000 12000000 00000000", "13000000 01000000 12000000 00000000", "arrays of dictionaries"),
    ("godot2", "03000000 0000c07f", "03000000 0000c07f", "NaN in Godot 2"),
    ("godot4", f"1c000000 01000000 {A}", f"1c000000 01000000 {NAME_A}", "arrays of String and of StringName"),
    ("godot4", "1e000000 00000000", "1f000000 00000000", "packed arrays of other types"),
    ("godot4", "1c000000 01000000 1c000000 00000000", "1c000000 00000000", "arrays nested otherwise"),
    ("pandemonium5", A, "18000000 01000000 61000000", "a String and a StringName in Pandemonium"),
]


def found_in(dialect: str, text: str) -> list[Diagnostic]:
    return list(lint(scan(bytes.fromhex(text), load(dialect))))


def pairs(dialect: str, *keys: str) -> str:
    """A Dictionary with these keys and nil values."""
    number = load(dialect).type_number("Dictionary")
    return f"{number:02x}000000 {len(keys):02x}000000" + "".join(f"{key} 00000000" for key in keys)


@pytest.mark.parametrize(("dialect", "one", "other", "what"), EQUAL_KEYS, ids=[what for *_, what in EQUAL_KEYS])
def test_a_key_that_stands_twice_is_found_where_the_engine_takes_for_equal(
    dialect: str, one: str, other: str, what: str
) -> None:
    found = [entry for entry in found_in(dialect, pairs(dialect, one, other)) if entry.code is Code.DUPLICATE_KEY]
    first = len(bytes.fromhex(one))
    assert [entry.span for entry in found] == [Span(12 + first, 12 + first + len(bytes.fromhex(other)))]


@pytest.mark.parametrize(("dialect", "one", "other", "what"), DIFFERENT_KEYS, ids=[what for *_, what in DIFFERENT_KEYS])
def test_keys_that_the_engine_tells_apart_are_no_duplicates(dialect: str, one: str, other: str, what: str) -> None:
    found = [entry.code for entry in found_in(dialect, pairs(dialect, one, other))]
    assert Code.DUPLICATE_KEY not in found


@pytest.mark.parametrize(("one", "other"), [(1, 1), (1, 2)], ids=["equal", "different"])
def test_narrow_and_wide_ints_are_compared_by_value(one: int, other: int) -> None:
    wide = "02000100 " + other.to_bytes(8, "little").hex()
    found = [entry.code for entry in found_in("godot4", pairs("godot4", f"02000000 {one:02x}000000", wide))]
    assert (Code.DUPLICATE_KEY in found) == (one == other)


def test_a_key_that_stands_three_times_is_found_twice() -> None:
    found = found_in("godot3", pairs("godot3", A, B, A, A))
    assert [entry.code for entry in found] == [Code.DUPLICATE_KEY] * 2


def test_equal_keys_of_different_dictionaries_are_fine() -> None:
    inner = pairs("godot3", A)
    assert found_in("godot3", f"13000000 02000000 {inner} {inner}") == []


def test_keys_inside_keys_are_compared_too() -> None:
    inner = pairs("godot4", A, A)
    assert [entry.node for entry in found_in("godot4", pairs("godot4", inner, B))] == [7]


def test_long_chains_of_nested_keys_take_time_in_proportion() -> None:
    levels = 20_000
    raw = bytes.fromhex("1b000000 02000000") * levels + bytes(4) + bytes(12) * levels
    assert sum(found.code is Code.DUPLICATE_KEY for found in lint(scan(raw, load("godot4")))) == 1
