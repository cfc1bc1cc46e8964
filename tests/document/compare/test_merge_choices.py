"""What is decided about places that both sides changed."""

from __future__ import annotations

import pytest
from document.compare.test_comparing import document

from viewer.document.compare.merge_choices import MergeChoice, MergeDecision, decided
from viewer.document.compare.merging import merge
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

OURS, THEIRS, BASE, WRITTEN = MergeChoice


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "choice", "merged"),
    [
        ('{"a": 1, "b": 1}', '{"a": 2, "b": 1}', '{"a": 3, "b": 5}', OURS, '{"a": 2, "b": 5}'),
        ('{"a": 1, "b": 1}', '{"a": 2, "b": 1}', '{"a": 3, "b": 5}', THEIRS, '{"a": 3, "b": 5}'),
        ('{"a": 1, "b": 1}', '{"a": 2, "b": 1}', '{"a": 3, "b": 5}', BASE, '{"a": 1, "b": 5}'),
        ('{"a": 1, "b": 1}', '{"a": 2, "b": 1}', '{"a": 3, "b": 5}', WRITTEN, '{"a": 77, "b": 5}'),
        ('{"x": [1, 2]}', "{}", '{"x": [1, 2, 3]}', THEIRS, '{"x": [1, 2, 3]}'),
        ('{"x": [1, 2]}', "{}", '{"x": [1, 2, 3]}', OURS, "{}"),
        ('{"x": [1, 2]}', '{"x": [1, 2, 3]}', "{}", THEIRS, "{}"),
        ('{"x": [1, 2]}', '{"x": [1, 2, 3]}', "{}", BASE, '{"x": [1, 2]}'),
        ("{}", '{"n": 1}', '{"n": 2, "m": 3}', THEIRS, '{"n": 2, "m": 3}'),
        ("{}", '{"n": 1}', '{"n": 2, "m": 3}', WRITTEN, '{"n": 77, "m": 3}'),
        ("5", "6", "7", THEIRS, "7"),
        ("5", "6", "7", BASE, "5"),
        (
            "PackedInt32Array(1, 2, 3)",
            "PackedInt32Array(9, 5, 3)",
            "PackedInt32Array(7, 2, 8)",
            THEIRS,
            "PackedInt32Array(7, 5, 8)",
        ),
    ],
)
def test_each_choice_leaves_what_it_says_in_one_edit(
    base: str, ours: str, theirs: str, choice: MergeChoice, merged: str
) -> None:
    sides = document(base), document(ours), document(theirs)
    found = merge(*sides)
    assert len(found.conflicts) == 1
    before = bytes(sides[1].buffer[:])
    out = decided(found, *sides, {0: MergeDecision(choice, "77")})
    assert out.failed == {}
    assert bytes(sides[1].buffer[:]) == before
    assert format_literal(read(out.merged.frames[0].table), out.merged.dialect) == merged
    sides[1].apply(out.edit)
    assert bytes(sides[1].buffer[:]) == bytes(out.merged.buffer[:])
    sides[1].undo()
    assert bytes(sides[1].buffer[:]) == before


def test_several_decisions_of_all_kinds_go_together_and_what_fails_is_told() -> None:
    sides = (
        document('{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": "x"}'),
        document('{"a": 2, "b": 2, "c": 2, "d": 2, "e": 1, "f": "x"}'),
        document('{"a": 3, "b": 3, "c": 3, "d": 3, "e": 3, "f": "a much longer text"}'),
    )
    found = merge(*sides)
    assert [conflict.path for conflict in found.conflicts] == ["[0].a", "[0].b", "[0].c", "[0].d"]
    decisions = {
        0: MergeDecision(THEIRS),
        1: MergeDecision(BASE),
        2: MergeDecision(WRITTEN, '"written by hand"'),
        3: MergeDecision(WRITTEN, "no literal at all ("),
    }
    out = decided(found, *sides, decisions)
    assert list(out.failed) == [3]
    said = format_literal(read(out.merged.frames[0].table), out.merged.dialect)
    assert said == '{"a": 3, "b": 1, "c": "written by hand", "d": 2, "e": 3, "f": "a much longer text"}'
