"""Recovery: what is whole behind an error is still shown, at its place."""

from __future__ import annotations

import os
import random
import struct

import pytest
from variant.damage import Sample, damaged
from variant.recovery_cases import run, samples, shares, told, total

from viewer.base.diagnostic import Code
from viewer.base.span import Span
from viewer.variant import items
from viewer.variant.dialect import load
from viewer.variant.read import read
from viewer.variant.recovery.recover import recover
from viewer.variant.scan import scan
from viewer.variant.table import Gap, NodeTable
from viewer.variant.tints import Tints

CASES = int(os.environ.get("RECOVERY_CASES", "400"))
GODOT3 = load("godot3")


def text(letters: str) -> bytes:
    raw = letters.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def number(value: int) -> bytes:
    return struct.pack("<Ii", 2, value)


def pairs(*values: bytes) -> bytes:
    return struct.pack("<II", 18, len(values) // 2) + b"".join(values)


def array(*values: bytes) -> bytes:
    return struct.pack("<II", 19, len(values)) + b"".join(values)


ANNA = pairs(text("id"), number(1), text("name"), text("Annabelle the Brave"), text("hp"), number(99))
BO = pairs(text("id"), number(2), text("name"), text("Bo"), text("hp"), number(62))
PACKET = pairs(text("tick"), number(18244), text("players"), array(ANNA, BO), text("chat"), text("gg wp"))
LENGTH = PACKET.index(b"Annabelle") - 4


def recovered(raw: bytes) -> NodeTable:
    return recover(scan(raw, GODOT3))


def shown(table: NodeTable) -> object:
    """The values as plain Python."""
    return plain(read(table))


def plain(value: object) -> object:
    data = getattr(value, "data", None)
    if hasattr(data, "pairs"):
        return {plain(key): plain(found) for key, found in data.pairs}
    if hasattr(data, "elements"):
        return [plain(found) for found in data.elements]
    return data


WHOLE = {
    "tick": 18244,
    "players": [{"id": 1, "name": "Annabelle the Brave", "hp": 99}, {"id": 2, "name": "Bo", "hp": 62}],
    "chat": "gg wp",
}


def with_name(name: object) -> object:
    return {**WHOLE, "players": [{"id": 1, "name": name, "hp": 99}, {"id": 2, "name": "Bo", "hp": 62}]}


LIES = PACKET[:LENGTH] + bytes.fromhex("00 00 00 13") + PACKET[LENGTH + 4 :]


def test_sound_bytes_are_left_alone() -> None:
    table = scan(PACKET, GODOT3)
    assert recover(table) is table


def test_behind_a_length_that_lies_all_siblings_are_shown() -> None:
    assert shown(recovered(LIES)) == with_name(None)


def test_skipped_bytes_lie_in_the_collection_of_the_broken_value() -> None:
    table = recovered(LIES)
    (gap,) = table.gaps
    assert gap.span == Span(LENGTH + 4, LENGTH + 24)
    assert plain(read(table, gap.owner)) == {"id": 1, "name": None, "hp": 99}


def test_the_broken_value_ends_before_the_skipped_bytes() -> None:
    table = recovered(LIES)
    node = table.at(LENGTH)
    assert table.span(node) == Span(LENGTH - 4, LENGTH + 4)


def test_the_engines_own_finding_stays() -> None:
    found = [each for each in recovered(LIES).diagnostics if each.code is Code.LENGTH_TOO_LONG]
    assert [each.span for each in found] == [Span(LENGTH, LENGTH + 4)]


def test_what_follows_the_skipped_bytes_is_a_guess() -> None:
    table = recovered(LIES)
    guessed = {table.start[node] >= LENGTH + 24 for node in table.nodes if table.is_guessed(node)}
    sure = {table.start[node] < LENGTH + 24 for node in table.nodes if not table.is_guessed(node)}
    assert guessed == sure == {True}


def test_a_lost_byte_in_a_text_costs_only_that_text() -> None:
    assert shown(recovered(PACKET[: LENGTH + 6] + PACKET[LENGTH + 7 :])) == with_name("Anabelle the Brave")


def test_an_inserted_byte_in_a_text_costs_only_that_text() -> None:
    found = recovered(PACKET[: LENGTH + 6] + b"x" + PACKET[LENGTH + 6 :])
    assert shown(found) == with_name("Anxnabelle the Brav")


def test_a_lost_byte_in_a_long_array_of_numbers_costs_only_one() -> None:
    raw = array(*(number(k) for k in range(1, 1000)))
    values = shown(recovered(raw[:2005] + raw[2006:]))
    assert isinstance(values, list)
    assert len(values) == 999
    assert sum(value == k for k, value in enumerate(values, 1)) == 998


def test_a_count_too_small_leaves_siblings_that_are_shown() -> None:
    raw = array(number(1), number(2), number(3))
    table = recovered(raw[:4] + b"\x02" + raw[5:])
    assert shown(table) == [1, 2, 3]
    assert table.guess == len(raw) - 8


def test_a_count_too_large_inside_leaves_the_outer_values_where_they_belong() -> None:
    raw = pairs(text("a"), array(number(1), number(2)), text("b"), number(3), text("c"), number(4))
    at = raw.index(struct.pack("<II", 19, 2)) + 4
    table = recovered(raw[:at] + b"\xff\xff\xff\x7f" + raw[at + 4 :])
    assert shown(table) == {"a": [1, 2], "b": 3, "c": 4}


def test_a_dictionary_whose_header_is_broken_is_still_one() -> None:
    at = PACKET.index(BO)
    table = recovered(PACKET[:at] + b"\x4d" + PACKET[at + 1 :])
    assert shown(table) == WHOLE


def test_cut_off_data_stays_as_it_is() -> None:
    raw = PACKET[: LENGTH + 9]
    table = scan(raw, GODOT3)
    assert recover(table) is table


def test_two_errors_are_recovered_one_after_another() -> None:
    entries = [pairs(text("id"), number(k), text("name"), text(f"player {k}")) for k in range(40)]
    raw = bytearray(array(*entries))
    for k in (5, 30):
        at = raw.index(b"player %d" % k) - 4
        raw[at : at + 4] = b"\xff\xff\xff\x00"
    values = shown(recovered(bytes(raw)))
    assert isinstance(values, list)
    assert [value["name"] for value in values] == [None if k in (5, 30) else f"player {k}" for k in range(40)]


def test_zeros_behind_a_value_are_no_values() -> None:
    table = scan(PACKET + bytes(64), GODOT3)
    assert recover(table) is table


def test_a_gap_belongs_to_no_node_but_its_owner() -> None:
    table = recovered(LIES)
    (gap,) = table.gaps
    assert {table.at(offset) for offset in range(gap.span.start, gap.span.end)} == {gap.owner}
    assert items.part_at(table, gap.owner, gap.span.start) == items.gap_part(table, 0)
    assert gap == Gap(gap.span, gap.owner)


def test_progress_can_end_it() -> None:
    table = scan(LIES, GODOT3)
    assert len(recover(table, lambda pos: False)) > 0


@pytest.fixture(scope="module")
def sound() -> list[Sample]:
    return samples()


def test_most_intact_values_are_shown_in_every_way_of_damage(sound: list[Sample]) -> None:
    tallies = run(7, CASES, sound)
    found = total(tallies.values())
    assert found.shown >= 0.9 * found.intact, shares(tallies)
    assert found.shown > found.first
    assert all(tally.shown >= 0.97 * tally.first for tally in tallies.values()), shares(tallies)
    assert found.empty == 0


@pytest.mark.parametrize("seed", [6, 11, 24])
def test_never_is_less_shown_than_before_the_first_error(sound: list[Sample], seed: int) -> None:
    """What looks like the damage may lie in front of the error: only what makes up for it takes its place."""
    worse = total(run(seed, max(CASES, 700), sound).values()).worse
    assert not worse, [told(each) for each in worse]


def test_every_byte_has_one_owner_after_recovery(sound: list[Sample]) -> None:
    chance = random.Random(3)
    for _ in range(CASES // 2):
        _, number, raw, _ = damaged(chance, sound)
        check_tiling(recover(scan(raw, sound[number].dialect)))


def check_tiling(table: NodeTable) -> None:
    """Parts and gaps tile everything up to the end of the data."""
    spans = [gap.span for gap in table.gaps]
    for node in table.nodes:
        spans.extend(part.span for part in items.parts(table, node) if len(part.span))
    at = 0
    for span in sorted(spans):
        assert span.start == at
        at = span.end
    assert at == table.end_of_data
    size = len(table.buffer)
    assert len(Tints(table).codes(0, size)) == size


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff" * 100_000,
        bytes(100_000),
        struct.pack("<II", 18, 0x7FFFFFFF) + bytes(100_000),
        struct.pack("<II", 19, 2) * 12_500,
        struct.pack("<III", 4, 9_999_999, 2) * 8_000,
        struct.pack("<II", 19, 12_500) + b"\0" + number(7) * 12_500,
        b"".join(struct.pack("<I", k % 32) for k in range(25_000)),
    ],
)
def test_hostile_bytes_neither_raise_nor_grow(raw: bytes) -> None:
    table = recovered(raw)
    check_tiling(table)
    assert len(table) <= 2 * (len(raw) // 4 + 2)
