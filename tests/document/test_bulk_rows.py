"""Rows of a bulk plan: made when they are looked at, and the quick way to new bytes is the slow one's equal."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from viewer.container.frames import FramingKind
from viewer.document.bulk import plan
from viewer.document.bulk.quick_writes import QuickWrites
from viewer.document.disk.paged import open_paged
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Dialect, load, load_resource_values
from viewer.variant.encode import EncodeError, encode
from viewer.variant.value import Value

DIALECTS = (
    *map(load, ("godot2", "godot3", "godot4.0", "godot4", "pandemonium5")),
    *map(load_resource_values, ("godot3", "godot4")),
)
WHOLE = (0, -1, 5, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1)
FLOATS = (0.0, -0.0, 0.1, 0.5, 1e300, 1e-300, float("inf"), -float("inf"))
TEXTS = ("", "a", "abcd", "Dörte", "\0", "x" * 200)


def of_ints(count: int) -> Document:
    raw = struct.pack("<2I", 19, count) + b"".join(struct.pack("<2I", 2, k) for k in range(count))
    return Document(raw, choice=ReadOptions(load("godot3"), None, FramingKind.BARE))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_quick_bytes_are_those_of_the_encoder(dialect: Dialect) -> None:
    quick = QuickWrites(dialect)
    told = 0
    for name, results in (("int", WHOLE), ("float", FLOATS), ("String", TEXTS)):
        row = dialect.by_name[name]
        for wide in (0, 1 << 16):
            header = row.number | wide
            for result in results:
                new = quick.written(header, result)
                if new is None:
                    continue
                told += 1
                like = struct.pack("<I", header) + bytes(8)
                assert new == encode(Value(name, result), dialect, like=like)
        for result in results:
            try:
                encode(Value(name, result), dialect)
            except EncodeError:
                assert quick.written(row.number, result) is None
    assert told > 5 or dialect.rules.closed_texts


def test_rows_are_in_the_order_of_their_bytes_with_their_problems() -> None:
    found = plan(of_ints(20), "[0][*] > 3 -> 12 / (value - 10)")
    rows = list(found.rows)
    assert [row.start for row in rows] == sorted(row.start for row in rows)
    assert [row.item.node for row in rows if "divided by 0" in row.problem] == [11]
    assert found.problems == sum(1 for row in rows if row.problem)
    assert rows[-1] == found.rows[-1] == found.rows[len(rows) - 1 :][0]


def test_a_plan_takes_work_and_memory_by_its_values_and_is_undone() -> None:
    document = of_ints(6000)
    before = bytes(document.buffer)
    found = plan(document, "[0][*] -> value + 70000000000")
    assert (len(found.rows), found.changes) == (6000, 6000)
    assert (found.before(found.rows[5]), found.after(found.rows[5])) == ("5", "70000000005")
    assert found.edit is not None
    document.apply(found.edit)
    assert not document.findings.all()
    assert len(document.buffer) == len(before) + 6000 * 4
    document.undo()
    assert bytes(document.buffer) == before


def test_values_cut_off_at_the_end_of_the_bytes_are_asked_as_they_are_on_disk(tmp_path: Path) -> None:
    whole = struct.pack("<2I", 19, 3) + struct.pack("<2I4s", 4, 4, b"text") * 3
    for size in range(8, len(whole) + 1):
        raw = whole[:size]
        path = tmp_path / f"{size}.bin"
        path.write_bytes(raw)
        choice = ReadOptions(load("godot3"), None, FramingKind.BARE)
        rows = []
        for document in (Document(raw, choice=choice), Document(open_paged(path), choice=choice)):
            found = plan(document, '[0][*] -> "other"')
            told = [(row.item, row.after, row.problem, found.before(row)) for row in found.rows]
            rows.append((told, found.edit and found.edit.splices, found.same))
        assert rows[0] == rows[1], size
