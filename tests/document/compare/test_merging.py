"""Three-way merge: what only one side changed goes by itself, all else is told."""

from __future__ import annotations

import pytest
from document.compare.edited_triples import merge_fault, triples
from document.compare.test_comparing import document
from document.compare.test_edited_pairs import FILES

from viewer.document.compare.merging import merge
from viewer.document.document import Document
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged", "conflicts"),
    [
        ('{"a": 1, "b": [1, 2]}', '{"a": 2, "b": [1, 2]}', '{"a": 1, "b": [1, 2, 3]}', '{"a": 2, "b": [1, 2, 3]}', []),
        ('{"a": 1}', '{"a": 2}', '{"a": 3, "c": 5}', '{"a": 2, "c": 5}', ["[0].a"]),
        ('{"a": 1}', '{"a": 2}', '{"a": 2}', '{"a": 2}', []),
        ("[1, 2, 3]", "[1, 2, 3, 4]", "[1, 2, 3, 5]", "[1, 2, 3, 4, 5]", []),
        ("[1, 2, 3]", "[3, 1, 2]", "[3, 1, 2]", "[3, 1, 2]", []),
        ("[1, 2, 3]", "[3, 1, 2]", "[2, 1, 3]", "[3, 2, 1]", []),
        ('{"x": [1, 2]}', "{}", '{"x": [1, 2, 3]}', "{}", ["[0].x[2]"]),
        ('{"x": [1, 2]}', '{"x": [1, 2, 3]}', "{}", '{"x": [1, 2, 3]}', ["[0].x"]),
        ('{"x": {"s": "long", "z": 1}}', '{"y": {"s": "long", "z": 1}}', '{"x": {"s": "long", "z": 2}}', None, []),
        ("PackedInt32Array(1, 2, 3)", "PackedInt32Array(9, 2, 3)", "PackedInt32Array(7, 2, 8)", None, ["[0][0]"]),
        ("{}", '{"n": 1}', '{"n": 2, "m": 3}', '{"n": 1, "m": 3}', ["[0].n"]),
        ("5", "6", "7", "6", ["[0]"]),
        (  # what stayed as it was moved past what both changed
            '[{"a": "first of them", "n": 1}, {"b": "another one", "n": 2}]',
            '[{"a": "first of them", "n": 1}, {"b": "another one", "n": 3}]',
            '[{"b": "another one", "n": 4}, {"a": "first of them", "n": 1}]',
            '[{"b": "another one", "n": 3}, {"a": "first of them", "n": 1}]',
            ["[0][1].n"],
        ),
        (  # nothing of the element stayed as it was on their side, but what they took away nobody else set
            '["x", {"t": "int", "v": "5"}]',
            '["x", {"t": "int", "v": "lantern gold"}]',
            '["x", {"v": "a sword of gold and a lantern"}]',
            '["x", {"v": "lantern gold"}]',
            ["[0][1].v"],
        ),
    ],
)
def test_a_merge_takes_what_nothing_hinders_and_tells_the_rest(
    base: str, ours: str, theirs: str, merged: str | None, conflicts: list[str]
) -> None:
    mine = document(ours)
    found = merge(document(base), mine, document(theirs))
    mine.apply(found.edit)
    assert [conflict.path for conflict in found.conflicts] == conflicts
    said = format_literal(read(mine.frames[0].table), mine.dialect)
    assert said == merged if merged else ("2" in said or "8" in said)
    assert all(str(conflict).count(", ") >= 2 for conflict in found.conflicts)


def test_sides_of_other_engine_lines_are_merged_into_ours() -> None:
    ours = document('{"q": Quat(0, 0, 0, 1), "gold": 5}', dialect="godot3")
    base = document('{"q": Quaternion(0, 0, 0, 1), "gold": 1}')
    found = merge(base, ours, document('{"q": Quaternion(1, 0, 0, 0), "gold": 1}'))
    ours.apply(found.edit)
    assert found.conflicts == ()
    assert format_literal(read(ours.frames[0].table), ours.dialect) == '{"q": Quat(1, 0, 0, 0), "gold": 5}'


def test_two_new_files_without_a_base_are_a_conflict() -> None:
    found = merge(Document(b""), document('{"a": 1}'), document('{"a": 2}'))
    assert [str(conflict) for conflict in found.conflicts] == [
        "[0]: both put something there; base nothing, ours {1} a: 1, theirs {1} a: 2"
    ]


def test_random_sides_are_merged_and_all_disputed_values_are_told() -> None:
    for triple in triples(15, 2412, FILES):
        assert merge_fault(triple) == "", triple.name
