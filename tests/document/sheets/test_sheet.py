"""Sheets: which cells a collection has, what they show, in which order, and what becomes of them."""

from __future__ import annotations

import random

import corpus
import pytest

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.sheets.sheet import CellPlace, ParallelSheet, Sheet
from viewer.document.sheets.sheet_cells import cell_facts, plain_text
from viewer.document.sheets.sheet_edits import add_column, fill_down, removable, rename_column, sort_data
from viewer.document.sheets.sheet_entry import drafted, opening_text, tip
from viewer.document.sheets.sheet_finding import open_sheet, tables_below, wanted
from viewer.document.sheets.sheet_order import SheetSort, complaint, now, ordered
from viewer.document.sheets.sheet_text import csv_lines, imported, pasted, read_csv
from viewer.document.splice import Edit
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Value

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
GODOT = load("godot3")
MIXED = """[ {"name": "Iron", "hp": 5}, {"name": "Ash", "hp": 2.5, "note": null}, {"hp": "many", 7: [1, 2]}, 12, [] ]"""
HEROES = '{ "mira": {"hp": 10, "name": "Mira"}, "bo": {"hp": 9, "name": "Bo", "mana": 3} }'
SIDES = '{ "x": PoolRealArray(1, 2, 3), "name": PoolStringArray("a", "", "c"), "n": [10, 9, 8], "of": "these" }'


def opened(text: str) -> Document:
    """A document of one bare value."""
    return Document(encode(parse_literal(text, GODOT), GODOT), choice=ReadOptions(GODOT, framing=FramingKind.BARE))


def sheet_of(document: Document, path: str = "[0]") -> Sheet:
    """The sheet that a value belongs to, read to its end."""
    sheet = open_sheet(document, *wanted(document, parse_path(document, path)))
    while not sheet.is_read:
        sheet.read_on(3)
    return sheet


def texts(sheet: Sheet) -> list[list[str]]:
    """All cells, missing ones as a dash."""
    return [[_text(sheet, row, column) for column in range(len(sheet.columns))] for row in range(sheet.rows)]


def _text(sheet: Sheet, row: int, column: int) -> str:
    return "-" if sheet.cell(row, column) is None else plain_text(sheet, row, column)


def column(sheet: Sheet, title: str) -> int:
    """The number of a column."""
    return next(k for k, each in enumerate(sheet.columns) if each.title == title)


def done(sheet: Sheet, edit: Edit) -> Sheet:
    """The same sheet after an edit, which was one step: its undo and redo give the same bytes."""
    document, before = sheet.document, bytes(sheet.document.buffer[:])
    document.apply(edit)
    after = bytes(document.buffer[:])
    document.undo()
    assert bytes(document.buffer[:]) == before
    document.redo()
    assert bytes(document.buffer[:]) == after
    assert not document.findings.all()
    fresh = open_sheet(document, Item(sheet.holder.frame, sheet.holder.node), sheet.is_turned)
    fresh.read_on(1 << 20)
    return fresh


def test_columns_are_the_keys_found_with_their_types_and_how_many_rows_have_them() -> None:
    sheet = sheet_of(opened(MIXED))
    assert [each.title for each in sheet.columns] == ["name", "hp", "note", "7", "value"]
    assert [(sheet.facts(k).count, dict(sheet.facts(k).types)) for k in range(5)] == [
        (2, {"String": 2}),
        (3, {"int": 1, "float": 1, "String": 1}),
        (1, {"Nil": 1}),
        (1, {"Array": 1}),
        (1, {"int": 1}),
    ]
    assert texts(sheet) == [
        ["Iron", "5", "-", "-", "-"],
        ["Ash", "2.5", "null", "-", "-"],
        ["-", "many", "-", "[1, 2]", "-"],
        ["-", "-", "-", "-", "12"],
        ["-", "-", "-", "-", "-"],
    ]
    assert cell_facts(sheet, 0, 2).is_missing
    assert not cell_facts(sheet, 1, 2).is_missing
    assert tip(sheet, 0, 2) == "This row has no “note”. Type a value to add it."
    assert tip(sheet, 3, 0) == "This row has no “name”. This row is a plain value, which has no such column."
    assert tip(sheet, 0, 0) == "Iron\nString"
    assert tip(sheet, 2, 3).splitlines()[-1] == "Enter goes to the values inside."


@pytest.mark.parametrize("text", [MIXED, HEROES, SIDES, "[ [1, 2], [3], PoolIntArray(4, 5, 6) ]", "[1, 2]"])
def test_each_cell_is_found_from_its_value(text: str) -> None:
    sheet = sheet_of(opened(text))
    for row in range(sheet.rows):
        for k in range(len(sheet.columns)):
            item = sheet.cell(row, k)
            assert item is None or sheet.place(item) == CellPlace(row, k)
    assert sheet.place(sheet.holder) is None


def test_a_dictionary_of_dictionaries_is_a_table_whose_rows_have_its_keys() -> None:
    sheet = sheet_of(opened(HEROES), "[0].bo.hp")
    assert [sheet.row_label(row)[0] for row in range(2)] == ["mira", "bo"]
    assert texts(sheet) == [["10", "Mira", "-"], ["9", "Bo", "3"]]


def test_arrays_of_the_same_length_stand_side_by_side() -> None:
    sheet = sheet_of(opened(SIDES))
    assert isinstance(sheet, ParallelSheet)
    assert texts(sheet) == [["1", "a", "10"], ["2", "", "9"], ["3", "c", "8"]]
    assert sheet.left_out == "1 other value is not an array"
    document = sheet.document
    turned = open_sheet(document, sheet.holder, False)
    assert [turned.row_label(row)[0] for row in range(turned.rows)] == ["x", "name", "n", "of"]


def test_the_table_of_a_value_is_what_it_lies_in_else_the_largest_below_it() -> None:
    document = Document(RPG.read_bytes())
    wants = {
        path: format_path(document, wanted(document, parse_path(document, path))[0]) for path in ("[0]", "[0].player")
    }
    assert wants["[0]"] == "[0].inventory"
    holder = wanted(document, parse_path(document, "[0].inventory[3].count"))[0]
    assert format_path(document, holder) == "[0].inventory"
    assert "[0].inventory" in [format_path(document, item) for item, _ in tables_below(document, Item(0, 0))]
    with pytest.raises(EditError):
        wanted(opened("5"), Item(0, 0))


def test_rows_are_sorted_by_number_and_by_text_as_people_count() -> None:
    sheet = sheet_of(opened('[{"n": "item10"}, {"n": "Item2"}, {"n": 3}, {"m": 1}, {"n": null}, {"n": 1.5}, {"n": 1}]'))
    assert list(now(ordered(sheet, SheetSort(0), "")) or ()) == [6, 5, 2, 1, 0, 4, 3]
    assert list(now(ordered(sheet, SheetSort(0, True), "")) or ()) == [4, 0, 1, 2, 5, 6, 3]
    assert now(ordered(sheet, None, "")) is None


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("ash", [1]),
        ("hp>3", [0]),
        ("hp > 3", [0]),
        ("iron hp >= 3", [0]),
        ("hp<=2.5", [1]),
        ('"hp" =< 2.5', [1]),
        ("hp=many", [2]),
        ("hp == many", [2]),
        ("hp<zzz", [2]),
        ("hp > 3 name", []),
        ("name:i", [0]),
        ("name: i", [0]),
        ('"Iron" 5', [0]),
        ("> 11", [3]),
        ("zzz", []),
        ("name=", []),
    ],
)
def test_a_filter_leaves_the_rows_that_are_meant(words: str, rows: list[int]) -> None:
    assert list(now(ordered(sheet_of(opened(MIXED)), None, words)) or ()) == rows


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("hp < 10 mira", ""),
        ("mira:10 res://x", ""),
        ("hp!=abc", ""),
        ("hp<abc", "“abc” is not a number, and “hp” holds numbers."),
        ("hp=abc", "“abc” is not a number, and “hp” holds numbers."),
        ("name > 5", "“name” holds texts, which are neither more nor less than a number."),
        ("name > M", ""),
        ("mama>5", "No column is called “mama”; one is called “mana”."),
        ("colour=red", "No column is called “colour”; there are hp, name, mana."),
        ("hp <", "< must be followed by what “hp” is compared with."),
    ],
)
def test_a_condition_that_holds_for_no_row_whatever_it_has_is_told(words: str, says: str) -> None:
    assert complaint(sheet_of(opened(HEROES)), words) == says


def test_a_word_with_a_colon_is_looked_for_where_no_column_is_called_so() -> None:
    sheet = sheet_of(opened('[{"icon": "res://sword.png"}, {"icon": "res://bow.png"}]'))
    assert list(now(ordered(sheet, None, "res://bow")) or ()) == [1]
    assert now(ordered(sheet, None, "icon <")) is not None


def test_a_text_is_typed_as_it_is_and_a_number_may_be_a_sum() -> None:
    sheet = sheet_of(opened(MIXED))
    for text, row, k, after in (
        ("Bob", 0, 0, "Bob"),
        ('say "hi" \\n', 0, 0, 'say "hi" \\n'),
        ("5", 0, 0, "5"),
        ("+5", 0, 1, "10"),
        ("*2", 0, 1, "10"),
        ("5000+5", 0, 1, "5005"),
        ("-5", 0, 1, "-5"),
        ("0x1F", 0, 1, "31"),
        ("Bob", 1, 2, "Bob"),
        ("[ 1 ]", 1, 2, "[1]"),
        ("7", 2, 1, "7"),
        ("New", 2, 0, "New"),
    ):
        draft = drafted(sheet, row, k, text)
        assert draft.verdict.ok
        assert draft.edit is not None
        assert texts(done(sheet, draft.edit))[row][k] == after
        sheet.document.undo()
        sheet = sheet_of(sheet.document)
    assert opening_text(sheet, 0, 0) == "Iron"
    refused = drafted(sheet, 0, 1, "x").verdict
    assert (refused.ok, refused.title) == (False, "“x” is not an int, such as 12")
    assert not drafted(sheet, 3, 0, "x").verdict.ok
    with pytest.raises(EditError, match="Enter goes to them"):
        opening_text(sheet, 2, 3)


def test_filling_down_and_adding_a_key_are_one_step_each() -> None:
    sheet = sheet_of(opened(MIXED))
    filled = done(sheet, fill_down(sheet, [0, 1, 2], [0, 1]))
    assert [row[:2] for row in texts(filled)[:3]] == [["Iron", "5"]] * 3
    wider = done(filled, add_column(filled, Value("String", "new"), 1))
    assert [row[column(wider, "new")] for row in texts(wider)] == ["1", "1", "1", "-", "-"]
    with pytest.raises(EditError, match="already"):
        add_column(wider, Value("String", "new"), 1)
    with pytest.raises(EditError, match="no note"):
        fill_down(sheet_of(opened(MIXED)), [0, 1], [2])


def test_a_key_is_renamed_in_all_rows_that_have_it() -> None:
    sheet = sheet_of(opened(MIXED))
    after = done(sheet, rename_column(sheet, 1, Value("String", "health")))
    assert [row[column(after, "health")] for row in texts(after)][:3] == ["5", "2.5", "many"]
    with pytest.raises(EditError, match="already"):
        rename_column(after, column(after, "health"), Value("String", "name"))
    with pytest.raises(EditError, match="no key"):
        rename_column(after, column(after, "value"), Value("String", "x"))


def test_a_table_is_pasted_with_new_rows_behind_the_last() -> None:
    sheet = sheet_of(opened('[{"n": "a", "hp": 1}, {"n": "b", "hp": 2}]'))
    found = pasted(sheet, [1], [0, 1], [["x", "5"], ["y", ""]], True)
    after = done(sheet, found.edit)
    assert (texts(after), found.added) == ([["a", "1"], ["x", "5"], ["y", "-"]], 1)
    with pytest.raises(EditError, match=r"\[0\], hp"):
        pasted(after, [0], [0, 1], [["x", "many"]], True)
    with pytest.raises(EditError, match="wide"):
        pasted(after, [0], [1], [["x", "y"]], True)
    with pytest.raises(EditError, match="more rows"):
        pasted(after, [2], [0], [["x"], ["y"]], False)


ODD = '[{"n": "a,\\"b", "hp": 1}, {"n": "", "c": "d"}, {"n": "a\\rb\\r\\n", "c": "\\t"}]'


@pytest.mark.parametrize("text", [ODD, HEROES, SIDES])
def test_what_is_exported_as_csv_changes_nothing_when_it_is_imported(text: str) -> None:
    sheet = sheet_of(opened(text))
    lines = "".join(csv_lines(sheet, range(sheet.rows), range(len(sheet.columns))))
    assert not imported(sheet, read_csv(lines.encode())).edit.does_something


def test_a_csv_file_sets_cells_by_their_titles_adds_keys_and_rows() -> None:
    sheet = sheet_of(opened(HEROES))
    found = imported(sheet, read_csv("\ufeff(key);name;rank\nbo;Bob;2\nzed;Zed;1\n".encode()))
    after = done(sheet, found.edit)
    assert [after.row_label(row)[0] for row in range(after.rows)] == ["mira", "bo", "zed"]
    assert [row[column(after, "name")] for row in texts(after)] == ["Mira", "Bob", "Zed"]
    assert [row[column(after, "rank")] for row in texts(after)] == ["-", "2", "1"]


def test_a_csv_file_of_shown_rows_goes_back_to_these_rows() -> None:
    sheet = sheet_of(opened('[{"a": 1, "n": "x"}, {"a": 3, "n": "y"}, {"a": 2, "n": "z"}]'))
    lines = "".join(csv_lines(sheet, [1, 2], [0, 1])).replace("z", "changed")
    after = done(sheet, imported(sheet, read_csv(lines.encode()), [1, 2]).edit)
    assert texts(after) == [["1", "x"], ["3", "y"], ["2", "changed"]]
    with pytest.raises(EditError, match="filter"):
        imported(sheet, read_csv(lines.encode()), [1])


def test_columns_that_are_called_the_same_are_taken_in_their_order() -> None:
    sheet = sheet_of(opened('[{"7": 1, 7: 2}, {"7": 3, 7: 4}]'))
    lines = "".join(csv_lines(sheet, range(2), [0, 1]))
    assert lines.splitlines() == ["7,7", "1,2", "3,4"]
    assert not imported(sheet, read_csv(lines.encode())).edit.does_something
    keyed = sheet_of(opened("{1: {7: 1}, 2: {7: 2}}"))
    after = done(keyed, imported(keyed, read_csv(b"(key),7\n3,9\n")).edit)
    assert [after.row_label(row)[0] for row in range(3)] == ["1", "2", "3"]
    assert [row[0] for row in texts(after)] == ["1", "2", "9"]


@pytest.mark.parametrize(
    "text", [HEROES, SIDES.replace(', "of": "these"', ""), "[3, 1, 2]", '[{"a": 2}, {"a": 1}, {}]']
)
def test_sorting_the_data_moves_the_rows_in_one_step(text: str) -> None:
    sheet = sheet_of(opened(text))
    order = now(ordered(sheet, SheetSort(0, True), "")) or ()
    before = texts(sheet)
    if list(order) == list(range(sheet.rows)):
        order = list(reversed(order))
    assert texts(done(sheet, sort_data(sheet, order))) == [before[row] for row in order]
    with pytest.raises(EditError, match="filter"):
        sort_data(sheet, [0])


def test_elements_side_by_side_are_set_like_all_cells() -> None:
    sheet = sheet_of(opened(SIDES))
    for row, k, text in ((0, 0, "7.5"), (1, 1, "now a text"), (2, 1, ""), (2, 2, "+1")):
        edit = drafted(sheet, row, k, text).edit
        assert edit is not None
        sheet = done(sheet, edit)
    assert texts(sheet) == [["7.5", "a", "10"], ["2", "now a text", "9"], ["3", "", "9"]]
    sheet = done(sheet, fill_down(sheet, [0, 1, 2], [0, 1, 2]))
    assert texts(sheet) == [["7.5", "a", "10"]] * 3
    with pytest.raises(EditError, match="Only a key"):
        removable(sheet, [(0, 0)])


def test_strange_tables_are_shown_as_they_are() -> None:
    sheet = sheet_of(opened('[{"a": 1, "a": 2, 1: 3, true: 4, "\\u0001": 5}, {Vector2(1, 2): 6, null: 7, [1]: 8}]'))
    assert texts(sheet)[0][0] == "2"
    assert sheet.times(0, 0) == 2
    assert "2 times" in tip(sheet, 0, 0)
    titles = [each.title for each in sheet.columns]
    assert titles[:3] == ["a", "1", "true"]
    assert titles[4:] == ["(1, 2)", "null", "[1] 1"]


def test_columns_stay_where_they_are_when_the_sheet_is_made_anew() -> None:
    sheet = sheet_of(opened('[{"a": 1, [nan]: 2, nan: 3, Vector2(1, 2): 4, 5: 5}, {5: 1, "a": 2}]'))
    again = open_sheet(sheet.document, sheet.holder, False, sheet.columns[::-1])
    again.read_on(1 << 20)
    assert [each.title for each in again.columns] == [each.title for each in sheet.columns][::-1]
    assert texts(again) == [row[::-1] for row in texts(sheet)]


def test_a_million_keys_and_shapes_are_bounded() -> None:
    many = "[ " + ", ".join(f'{{"key{k}": {k}, "name": "n"}}' for k in range(6000)) + " ]"
    sheet = sheet_of(opened(many))
    assert len(sheet.columns) == 1000
    assert sheet.left_out == "only the first 1000 keys have a column"
    assert sheet.facts(1).count == 6000
    assert plain_text(sheet, 5999, 1) == "n"


@pytest.mark.parametrize("seed", range(20))
def test_damaged_saves_have_tables_without_a_fault(seed: int) -> None:
    chosen = random.Random(seed)
    data = bytearray(RPG.read_bytes())
    for _ in range(6):
        data[chosen.randrange(len(data))] = chosen.randrange(256)
    document = Document(bytes(data))
    for frame in range(len(document.frames)):
        for holder, kind in tables_below(document, Item(frame, 0), 300) if len(document.frames[frame].table) else ():
            sheet = open_sheet(document, holder, kind.is_parallel)
            sheet.read_on(1 << 20)
            for row in range(min(sheet.rows, 30)):
                sheet.row_label(row)
                for k in range(min(len(sheet.columns), 30)):
                    cell_facts(sheet, row, k)
                    tip(sheet, row, k)
                    drafted(sheet, row, k, "5")
            now(ordered(sheet, SheetSort(0), "a>1"))
