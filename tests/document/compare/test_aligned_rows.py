"""Two documents as rows beside each other."""

from __future__ import annotations

from corpus import DATA
from document.compare.edited_pairs import ROOT, pairs
from document.compare.test_comparing import document

from viewer.document.compare.aligned_rows import LEAF, TOP, AlignedRow, AlignedRows
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import DifferenceKind, DocumentComparison
from viewer.document.compare.taking import take
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.outline import is_key
from viewer.document.path import format_path
from viewer.document.splice import Edit, Splice
from viewer.variant.items import Item

SAMPLES = ROOT / "resources" / "samples"
FILES = [DATA / "godot3" / "files" / "rpg.save", SAMPLES / "godot4-typed.save", SAMPLES / "pandemonium4.save"]


def walked(rows: AlignedRows) -> list[tuple[int, AlignedRow]]:
    """All rows from the top down, with their depth."""
    out: list[tuple[int, AlignedRow]] = []
    waiting = [(TOP, row, 0) for row in reversed(range(rows.count(TOP)))]
    while waiting:
        holder, row, depth = waiting.pop()
        out.append((depth, rows.row(holder, row)))
        below = rows.holder(holder, row)
        if below != LEAF:
            assert rows.above(below) == (holder, row)
            waiting += [(below, each, depth + 1) for each in reversed(range(rows.count(below)))]
    return out


def side(found: Document, item: Item | None) -> str:
    return "-" if item is None else format_path(found, item)


def lines(old: str, new: str, folds: bool = True) -> list[str]:
    found = compare(document(old), document(new))
    out = []
    for depth, row in walked(AlignedRows(found, folds=folds)):
        kind = found.rows[row.difference].kind.value if row.difference >= 0 else ""
        said = f"({row.folded})" if row.folded else f"{side(found.old, row.old)} | {side(found.new, row.new)} {kind}"
        out.append("  " * depth + said.rstrip())
    return out


def test_a_hole_stands_beside_what_is_on_one_side_only() -> None:
    assert lines('{"a": 1, "b": 2, "c": 3}', '{"a": 1, "c": 3, "d": 4}') == [
        "[0] | [0]",
        "  [0].a | [0].a",
        "  [0].b | - removed",
        "  [0].c | [0].c",
        "  - | [0].d added",
    ]


def test_what_moved_stands_where_it_is_and_is_told_where_it_was() -> None:
    assert lines("[10, 20, 30]", "[30, 10, 20]") == [
        "[0] | [0]",
        "  [0][2] | [0][0] moved",
        "  [0][0] | [0][1]",
        "  [0][1] | [0][2]",
        "  [0][2] | - moved",
    ]


def test_equal_rows_are_folded_and_can_be_opened() -> None:
    same = ", ".join(map(str, range(100, 112)))
    found = lines(f"[{same}, 1]", f"[{same}, 2]")
    assert found[:2] == ["[0] | [0]", "  (12)"]
    assert found[2] == "    [0][0] | [0][0]"
    assert found[-1] == "  [0][12] | [0][12] changed"
    assert len(found) == 2 + 12 + 1


def test_runs_of_elements_are_one_row_each() -> None:
    found = lines("PackedInt32Array(1, 2, 3, 4, 5)", "PackedInt32Array(1, 9, 9, 4, 5, 6)", folds=False)
    assert found == [
        "[0] | [0]",
        "  [0][0] | [0][0]",
        "  [0] | [0] changed",
        "    [0][1] | [0][1]",
        "    [0][2] | [0][2]",
        "  [0][3] | [0][3]",
        "  [0][4] | [0][4]",
        "  [0] | [0] added",
    ]


def test_very_long_equal_lists_come_in_pages() -> None:
    many = ", ".join(map(str, range(2500)))
    found = compare(document(f"[{many}, 1]"), document(f"[{many}, 2]"))
    rows = AlignedRows(found, folds=False)
    inside = rows.holder(TOP, 0)
    fold = rows.holder(inside, 0)
    assert rows.row(inside, 0).folded == 2500
    assert [rows.row(fold, k).folded for k in range(rows.count(fold))] == [1000, 1000, 500]
    place = rows.place_of_item(True, Item(0, found.new.frames[0].table.first[0] + 1234))
    assert place is not None
    assert rows.row(*place).new == Item(0, found.new.frames[0].table.first[0] + 1234)


def test_very_many_differences_come_in_pages_and_each_is_found() -> None:
    old, new = (", ".join(f"[{n}, {n + by}, {n}]" for n in range(6000)) for by in (0, 1))
    found = compare(document(f"[{old}]"), document(f"[{new}]"))
    rows = AlignedRows(found)
    assert len(rows.shown) == 6000
    inside = rows.holder(TOP, 0)
    assert [rows.row(inside, k).folded for k in range(rows.count(inside))] == [1000] * 6
    assert all(rows.row(inside, k).holds for k in range(rows.count(inside)))
    for number in (0, 999, 1000, 5999):
        place = rows.place_of(number)
        assert place is not None
        assert rows.row(*place).difference == number


def test_a_long_run_of_elements_is_one_row_that_opens_in_pages() -> None:
    old, new = (", ".join(str(n + by * (n % 2)) for n in range(12_000)) for by in (0, 1))
    found = compare(document(f"PackedInt32Array({old})"), document(f"PackedInt32Array({new})"))
    rows = AlignedRows(found, folds=False)
    place = rows.place_of(0)
    assert place is not None
    assert rows.row(*place).is_run
    run = rows.holder(*place)
    assert [rows.row(run, k).folded for k in range(rows.count(run))] == [1000] * 11 + [999]
    page = rows.holder(run, 11)
    assert rows.row(page, 998).new == Item(0, 0, "[11999]")


def nodes(found: Document) -> set[Item]:
    """The values that have a row of their own."""
    out = set()
    for number, frame in enumerate(found.frames):
        table = frame.table
        for node in range(len(table)):
            inside_key = False
            up = node
            while up:
                inside_key |= is_key(table, up)
                up = table.parent[up]
            if not inside_key:
                out.add(Item(number, node))
    return out


def test_every_value_of_both_sides_has_its_row_and_every_difference_is_found() -> None:
    for number, pair in enumerate(pairs(16, 5, FILES)):
        found = compare(pair.old, pair.new)
        rows = AlignedRows(found, folds=bool(number % 2))
        all_rows = [row for _, row in walked(rows) if not row.folded]
        for is_new, each in enumerate((found.old, found.new)):
            items = [row.new if is_new else row.old for row in all_rows if not row.is_run]
            assert nodes(each) <= set(items)
        for difference in rows.shown:
            place = rows.place_of(difference)
            assert place is not None
            told = found.rows[rows.row(*place).difference]
            assert (told.old, told.new) == (found.rows[difference].old, found.rows[difference].new)


def turned(found: DocumentComparison) -> list[tuple[str, object, object]]:
    return [(row.kind.value, row.old, row.new) for row in found.rows]


def test_a_comparison_turned_round_takes_the_old_side_back() -> None:
    for pair in pairs(16, 6, FILES):
        found = compare(pair.old, pair.new)
        back = found.turned()
        assert turned(back.turned()) == turned(found)
        assert back.count(DifferenceKind.ADDED) == found.count(DifferenceKind.REMOVED)
        try:
            made = take(back)
        except EditError:
            continue  # what has no place in the other engine line
        if not made.left and not made.losses:
            pair.new.apply(made.edit)
            assert compare(pair.new, pair.old).is_equal


def test_a_twin_says_the_same_and_hears_of_no_edit() -> None:
    for pair in pairs(6, 7, FILES):
        twin = pair.new.twin()
        twin.read_now()
        assert compare(pair.new, twin).rows == ()
        before = bytes(twin.buffer[:])
        frame = pair.new.frames[0]
        pair.new.apply(Edit("Zero", (Splice(frame.start, before[frame.start : frame.start + 4], bytes(4)),)))
        assert bytes(pair.new.buffer[:]) != before
        assert bytes(twin.buffer[:]) == before
