"""Recovery's evidence: what is whole stays, and zeros alone make no values of what is not."""

from __future__ import annotations

import pytest

from viewer.base.span import Span
from viewer.variant.dialect import load
from viewer.variant.recovery.header_run import Trails
from viewer.variant.recovery.recover import recover
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

GODOT3, GODOT4 = load("godot3"), load("godot4")

QUATERNION = "0f000100" + 24 * "00" + "000000000000f03f"
"""One of double precision: zeros but for the last number, which is 1."""
QUATERNIONS = "1c000100 0f000000 02000000" + 2 * QUATERNION
POOLS = "13000000 0300000014000000 01000000 0100000014000000 05000000 01020304 05000000"
"""The head of an array of three, and two byte arrays."""


def shown(table: NodeTable) -> list[tuple[int, str]]:
    """Where the values stand and their types, in the order of their bytes."""
    rows = ((table.start[node], table.row(node)) for node in table.nodes)
    return sorted((start, row.name if row is not None else "") for start, row in rows)


def without(raw: bytes, at: int) -> bytes:
    return raw[:at] + raw[at + 1 :]


@pytest.mark.parametrize("at", [52, 57, 62, 64, 68])
def test_an_array_of_quaternions_that_lost_a_byte_is_none_of_nils(at: int) -> None:
    raw = without(bytes.fromhex(QUATERNIONS), at)
    assert shown(recover(scan(raw, GODOT4))) == [(0, "Array"), (12, "Quaternion"), (48, "Quaternion")]


@pytest.mark.parametrize("header", ["78", "5a"])
def test_an_array_of_quaternions_one_of_which_has_no_type_is_none_of_nils(header: str) -> None:
    raw = bytearray.fromhex(QUATERNIONS)
    raw[48:49] = bytes.fromhex(header)
    assert shown(recover(scan(bytes(raw), GODOT4)))[:2] == [(0, "Array"), (12, "Quaternion")]


def test_an_array_of_quaternions_the_first_of_which_is_zeroed_keeps_the_second_at_its_place() -> None:
    raw = bytearray.fromhex(QUATERNIONS)
    raw[10:18] = bytes(8)
    table = recover(scan(bytes(raw), GODOT4))
    assert shown(table) == [(0, "Array"), (12, "Nil"), (48, "Quaternion")]
    assert [gap.span for gap in table.gaps] == [Span(16, 48)]


def test_a_trail_of_nils_alone_makes_no_collection() -> None:
    trails = Trails(bytes(40) + bytes.fromhex("02000000 05000000"), GODOT4)
    assert Trails(bytes(40), GODOT4).children(8) is None
    assert trails.children(8) == trails.whole(8) is not None


def test_an_element_type_that_is_broken_itself_is_held_against_no_element() -> None:
    """One byte more in the type number: what follows the count is shown all the same."""
    ints = "02000000 00000000 02000000 00ca9a3b 02000000 00943577"
    ints += "02000100 005ed0b2 00000000 02000100 00286bee 00000000"
    raw = bytes.fromhex("1c000100 02003500 00 05000000" + ints)
    assert shown(recover(scan(raw, GODOT4)))[-4:] == [(start, "int") for start in (21, 29, 37, 49)]


@pytest.mark.parametrize("last", ["14008468 81ef0000", "14000000 001b0000", "14008347 09e40000", "14000000 000000c7"])
def test_a_whole_value_is_not_given_up_for_numbers_that_are_no_games(last: str) -> None:
    table = recover(scan(bytes.fromhex(POOLS + last), GODOT3))
    assert [table.span(table.at(start)) for start in (8, 20)] == [Span(8, 20), Span(20, 36)]


def test_a_value_that_looks_whole_is_given_up_where_the_last_one_begins_in_it() -> None:
    """The second array lost four bytes, so that the header behind it became part of it."""
    raw = bytes.fromhex(POOLS.replace("01020304", "") + "14000000 08000000 0102030405060708")
    assert shown(recover(scan(raw, GODOT3)))[-1] == (32, "PoolByteArray")
