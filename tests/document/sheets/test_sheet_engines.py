"""Every edit of a table is read by the engines: the values that were meant, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import engine
import engine4
import pytest

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.structure import delete, duplicate
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_edits import (
    add_column,
    fill_down,
    removable,
    rename_column,
    row_cells,
    set_cells,
    sort_data,
)
from viewer.document.sheets.sheet_entry import drafted
from viewer.document.sheets.sheet_finding import open_sheet, wanted
from viewer.document.sheets.sheet_text import imported, pasted
from viewer.document.splice import Edit
from viewer.variant.dialect import Dialect, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Value

RECORDS = '[{"n": "a", "hp": 1, "w": 0.5}, {"n": "bcd", "hp": 2}, {"n": "é", "w": 1.5, "more": [1, 2]}]'
KEYED = '{"x": {"hp": 1}, "y": {"hp": 5, "n": "Y"}}'
SIDES = '{"k": PoolIntArray(3, 1, 2), "n": PoolStringArray("c", "", "b"), "v": [true, null, "t"]}'


@dataclass(frozen=True)
class TableCase:
    """A table, an edit of it, and the value that it then is, in Godot 3's words."""

    before: str
    make: Callable[[Sheet], Edit | None]
    after: str


CASES = (
    TableCase(
        RECORDS,
        lambda s: drafted(s, 0, 0, 'Bob "x"').edit,
        RECORDS.replace('"a"', '"Bob \\"x\\""'),
    ),
    TableCase(RECORDS, lambda s: drafted(s, 1, 1, "*3").edit, RECORDS.replace('"hp": 2', '"hp": 6')),
    TableCase(
        RECORDS,
        lambda s: drafted(s, 1, 2, "2").edit,
        RECORDS.replace('"hp": 2', '"hp": 2, "w": 2.0'),
    ),
    TableCase(
        RECORDS,
        lambda s: fill_down(s, [0, 1, 2], [0, 1]),
        '[{"n": "a", "hp": 1, "w": 0.5}, {"n": "a", "hp": 1}, {"n": "a", "w": 1.5, "more": [1, 2], "hp": 1}]',
    ),
    TableCase(
        RECORDS,
        lambda s: add_column(s, Value("String", "new"), "t"),
        '[{"n": "a", "hp": 1, "w": 0.5, "new": "t"}, {"n": "bcd", "hp": 2, "new": "t"},'
        ' {"n": "é", "w": 1.5, "more": [1, 2], "new": "t"}]',
    ),
    TableCase(
        RECORDS,
        lambda s: pasted(s, [1, 2], [0, 1], [["x", "7"], ["y", "8"], ["z", "9"]], True).edit,
        '[{"n": "a", "hp": 1, "w": 0.5}, {"n": "x", "hp": 7}, {"n": "y", "w": 1.5, "more": [1, 2], "hp": 8},'
        ' {"n": "z", "hp": 9}]',
    ),
    TableCase(
        RECORDS,
        lambda s: sort_data(s, [2, 0, 1]),
        '[{"n": "é", "w": 1.5, "more": [1, 2]}, {"n": "a", "hp": 1, "w": 0.5}, {"n": "bcd", "hp": 2}]',
    ),
    TableCase(
        RECORDS,
        lambda s: delete(s.document, removable(s, [(0, 1), (2, 3)])),
        '[{"n": "a", "w": 0.5}, {"n": "bcd", "hp": 2}, {"n": "é", "w": 1.5}]',
    ),
    TableCase(
        RECORDS,
        lambda s: duplicate(s.document, row_cells(s, [1])),
        '[{"n": "a", "hp": 1, "w": 0.5}, {"n": "bcd", "hp": 2}, {"n": "bcd", "hp": 2},'
        ' {"n": "é", "w": 1.5, "more": [1, 2]}]',
    ),
    TableCase(
        KEYED,
        lambda s: imported(s, [["(key)", "hp", "rank"], ["y", "6", "1"], ["z", "9", ""]]).edit,
        '{"x": {"hp": 1}, "y": {"hp": 6, "n": "Y", "rank": 1}, "z": {"hp": 9}}',
    ),
    TableCase(RECORDS, lambda s: rename_column(s, 0, Value("String", "title")), RECORDS.replace('"n"', '"title"')),
    TableCase(
        RECORDS,
        lambda s: set_cells(s, {(0, 2): 2.0, (1, 2): 2.5, (2, 0): "long enough"}),
        '[{"n": "a", "hp": 1, "w": 2.0}, {"n": "bcd", "hp": 2, "w": 2.5}, {"n": "long enough", "w": 1.5,'
        ' "more": [1, 2]}]',
    ),
    TableCase(KEYED, lambda s: sort_data(s, [1, 0]), '{"y": {"hp": 5, "n": "Y"}, "x": {"hp": 1}}'),
    TableCase(
        SIDES,
        lambda s: sort_data(s, [1, 2, 0]),
        '{"k": PoolIntArray(1, 2, 3), "n": PoolStringArray("", "b", "c"), "v": [null, "t", true]}',
    ),
    TableCase(
        SIDES,
        lambda s: fill_down(s, [0, 1, 2], [0, 1]),
        '{"k": PoolIntArray(3, 3, 3), "n": PoolStringArray("c", "c", "c"), "v": [true, null, "t"]}',
    ),
    TableCase(
        SIDES,
        lambda s: delete(s.document, row_cells(s, [1])),
        '{"k": PoolIntArray(3, 2), "n": PoolStringArray("c", "b"), "v": [true, "t"]}',
    ),
    TableCase(
        "[[1, 2], [3, 4]]",
        lambda s: pasted(s, [0, 1], [0, 1], [["9", "8"], ["7", "6"]], True).edit,
        "[[9, 8], [7, 6]]",
    ),
)


def changed(case: TableCase, dialect: Dialect) -> bytes:
    """The bytes after the edit."""
    raw = encode(parse_literal(case.before, dialect), dialect)
    document = Document(raw, choice=ReadOptions(dialect, framing=FramingKind.BARE))
    sheet = open_sheet(document, *wanted(document, parse_path(document, "[0]")))
    sheet.read_on(1 << 20)
    edit = case.make(sheet)
    assert edit is not None
    document.apply(edit)
    assert len(document.history.labels) == 1
    return bytes(document.buffer[:])


@pytest.mark.engine
def test_godot_3_reads_what_was_meant() -> None:
    dialect = load("godot3")
    meant = engine.encode([case.after for case in CASES])
    ours = [changed(case, dialect) for case in CASES]
    answers = engine.read_back([engine.Request(data) for data in [*ours, *meant]])
    for case, got, wanted_value in zip(CASES, answers, answers[len(CASES) :], strict=False):
        assert (got.values, got.error) == (wanted_value.values, None), case.after


@pytest.mark.engine4
def test_godot_4_reads_what_was_meant() -> None:
    dialect = load("godot4")
    with engine4.Godot() as godot:
        answers = godot.read([engine4.Request(changed(case, dialect), "bare") for case in CASES])
        words = [case.after.replace("PoolInt", "PackedInt32").replace("PoolS", "PackedS") for case in CASES]
        for case, got, meant in zip(CASES, answers, godot.texts(words), strict=True):
            assert got.value == meant.value, case.after
