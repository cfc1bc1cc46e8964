"""Recovery's ledger: what was read before the first error is given up only for as much."""

from __future__ import annotations

import corpus
import pytest
from bench import broken as shapes

from viewer.variant.dialect import TypeRow, load
from viewer.variant.recovery import evidence_ledger
from viewer.variant.recovery.recover import recover
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

CUT_IN_A_RECT = (
    "godot4",
    "1c000100 07000000 02000000 07000100" + 32 * "00" + "0700",
    (12, 48, "Rect2"),
)
CUT_BEHIND_A_BOOL = (
    "pandemonium5",
    "17000000 08000000 5265736f75726365 03000000 17000000 7265736f757263655f6c6f63616c5f746f5f7363656e6500"
    "01000000 00000000 0d000000 7265736f757263655f6e616d65000000 04000000 06000000",
    (48, 56, "bool"),
)
CUT_IN_A_DICTIONARY = (
    "godot4",
    "1b000000 01000000 1b000000 01000000 02000000 01000000 02000000 02000000 04000000",
    (24, 32, "int"),
)
KEY_WITHOUT_A_TYPE = (
    "pandemonium4",
    "19000000 01000000 1a000000 02000000 02000000 01000000 78000000 02000000 04000000 01000000 02000000",
    (16, 24, "int"),
)
ZEROS_AT_THE_END = (
    "pandemonium5",
    "19000000 01000000 04000000 06000000 706c617965720000 19000000 03000000 04000000 04000000 6e616d65"
    "04000000 03000000 426f6200 04000000 03000000 706f7300 07000000 0000803f 00000040"
    "04000000 03000000 696e7600 1a000000 03000000 04000000 05000000 73776f7264000000 02000000 03000000"
    "19000000 01000000 04000000 01000000 71000000 00000000 0000003f",
    (68, 80, "Vector2"),
)
NAMES = (
    "18000000 08000000 5265736f75726365 04000000 17000000 7265736f757263655f6c6f63616c5f746f5f7363656e6500"
    "01000000 00000000 0d000000 7265736f757263655f6e616d65000000 04000000 05000000 7361766564000000"
    "06000000 7363726970740000 00000000"
)
NAME_WITH_A_WRONG_LENGTH = (
    "godot4",
    NAMES + "0a000023 893ab161 646174612f6b0000 02000000 05000000",
    (76, 92, "String"),
)
BROKEN_INT_IN_AN_OBJECT = (
    "godot4",
    "1c000000 02000000" + NAMES + "0a000000 6d657461646174612f6b0000 02000000 05000000 67000000 01000000",
    (132, 140, "int"),
)


def values(table: NodeTable) -> set[tuple[int, int, str]]:
    """Where the values that hold no others begin and end, and their types; keys and names are left out."""
    found = set()
    for node in table.nodes:
        is_key = node > 0 and table.has_pairs(table.parent[node]) and table.index(node) % 2 == 0
        row = table.row(node)
        assert table.has_children(node) == (table.child_count(node) > 0)
        if not is_key and not table.has_children(node):
            found.add((table.start[node], table.end(node), "" if row is None else row.name))
    return found


@pytest.mark.parametrize(
    ("dialect", "raw", "whole"),
    [
        CUT_IN_A_RECT,
        CUT_BEHIND_A_BOOL,
        CUT_IN_A_DICTIONARY,
        KEY_WITHOUT_A_TYPE,
        ZEROS_AT_THE_END,
        NAME_WITH_A_WRONG_LENGTH,
        BROKEN_INT_IN_AN_OBJECT,
    ],
)
def test_a_whole_value_stays_where_little_would_be_won(dialect: str, raw: str, whole: tuple[int, int, str]) -> None:
    first = scan(bytes.fromhex(raw), load(dialect))
    assert whole in values(first)
    assert whole in values(recover(first))


def test_a_value_that_holds_the_next_ones_header_is_given_up_for_it() -> None:
    """The first text lost a byte, so that it ends in the header of the second."""
    raw = bytes.fromhex("13000000 03000000 04000000 04000000 616263 04000000 03000000 78797a00 02000000 07000000")
    assert values(recover(scan(raw, load("godot3")))) >= {(19, 31, "String"), (31, 39, "int")}


def test_no_more_values_become_keys_than_keys_become_values() -> None:
    """A word is there twice; all reads on, one value short at the end, where a dictionary has keys of four types."""
    save = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()[4:]
    first = scan(save[:10964] + save[10960:], load("godot3"))
    texts = {(20924, 20940, "String"), (20952, 20972, "String"), (20980, 20996, "String")}
    assert texts <= values(first)
    assert texts <= values(recover(first))


def test_of_a_million_values_that_a_guess_makes_only_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A string array whose count is twice too large looks like an object without an end to another engine line."""
    looked: list[int] = []
    is_whole = evidence_ledger._is_whole

    def look(table: NodeTable, node: int, row: TypeRow | None) -> bool:
        looked.append(node)
        return is_whole(table, node, row)

    monkeypatch.setattr(evidence_ledger, "_is_whole", look)
    monkeypatch.setattr(evidence_ledger, "MOST_LOOKED", 1 << 10)
    recover(scan(shapes.many_texts(400_000), load("pandemonium4")))
    assert 1 << 10 <= len(looked) <= 1 << 11
