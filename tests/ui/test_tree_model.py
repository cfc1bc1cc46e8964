"""The tree model: Qt's own tester through every golden file, edits, undo and other readings; rows and their facts."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import corpus
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from viewer.document import outline
from viewer.document.advice import advice
from viewer.document.change import ExternalChange
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_written
from viewer.document.edits.setting import set_literal, set_value
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.rows import PAGE
from viewer.ui.tree.model import RowRole, TreeColumn, TreeModel
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.value import Array, Dictionary, Value

FILES = [saved for engine in corpus.ENGINES for saved in corpus.files(engine.folder)]
SMALL = [saved for saved in FILES if saved.path.stat().st_size < 100_000]
INNER = Value("Array", Array((Value("int", 1), Value("int", 2), Value("Dictionary", Dictionary()))))
NESTED = Value("Dictionary", Dictionary(((Value("String", "a"), INNER), (Value("String", "b"), Value("Nil")))))
RPG = corpus.DATA / "godot3" / "files" / "rpg.save"


def _tested(document: Document | None) -> tuple[TreeModel, QAbstractItemModelTester]:
    """A model under Qt's tester, which aborts the process when the model breaks a rule."""
    model = TreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_document(document)
    return model, tester


def _rows(model: TreeModel) -> Iterator[QModelIndex]:
    """Every row, without recursion: the golden bytes nest deeper than Python does."""
    waiting = [QModelIndex()]
    while waiting:
        above = waiting.pop()
        for row in range(model.rowCount(above)):
            index = model.index(row, 0, above)
            yield index
            waiting.append(index)


def _at(model: TreeModel, document: Document, path: str) -> QModelIndex:
    return model.index_of(parse_path(document, path))


@pytest.mark.parametrize("saved", corpus.spread(SMALL, 3), ids=str)
def test_qt_finds_no_fault_through_edits_undo_and_other_readings(qtbot: QtBot, saved: corpus.SavedFile) -> None:
    document = Document.open(saved.path)
    model, _tester = _tested(document)
    if document.frames:
        model.apply_change(document.apply(set_value(document, Item(0, 0), NESTED)))
        model.apply_change(document.apply(set_literal(document, parse_path(document, "[0].a[1]"), "7")))
        for step in (document.undo, document.undo, document.redo):
            change = step()
            assert change is not None
            model.apply_change(change)
    for key in ("godot4", "godot2"):
        model.apply_change(document.read_as(ReadOptions(dialect=load(key))))
    model.set_document(None)


@pytest.mark.parametrize("saved", corpus.spread(FILES, 2), ids=str)
def test_every_row_is_found_again_by_its_item(qtbot: QtBot, saved: corpus.SavedFile) -> None:
    model = TreeModel()
    model.set_document(Document.open(saved.path))
    for index in _rows(model):
        item = model.item(index)
        assert item is not None
        assert model.rows is not None
        if model.rows.page(index.internalId(), index.row()) is None:
            assert model.index_of(item) == index


def _broken(part: int, parts: int) -> list[str]:
    """A part of the broken bytes of all engines: several were asked about the same ones."""
    found = dict.fromkeys(row["hex"] for engine in corpus.ENGINES for row in corpus.malformed(engine.folder))
    return [each for each in found if len(each) <= 2000][part::parts]  # a path a row of deep nests is quadratic


@pytest.mark.parametrize("part", range(8))
def test_every_row_of_broken_bytes_can_be_told(qtbot: QtBot, part: int) -> None:
    model = TreeModel()
    for broken in corpus.spread(_broken(part, 8), 3):
        model.set_document(Document(bytes.fromhex(broken)))
        for index in _rows(model):
            for column in TreeColumn:
                assert isinstance(index.siblingAtColumn(column).data(), str)
                assert index.siblingAtColumn(column).data(Qt.ItemDataRole.ToolTipRole) is not None


def test_a_key_stands_in_the_row_of_its_value(qtbot: QtBot) -> None:
    document = Document.open(RPG)
    model = TreeModel()
    model.set_document(document)
    gold = parse_path(document, "[0].player.gold")
    index = model.index_of(gold)
    assert model.index_of(Item(gold.frame, gold.node - 1)) == index
    assert [index.siblingAtColumn(c).data() for c in TreeColumn] == ["gold", "int", "5000000000", "0x214", "12"]
    assert model.path(index) == "[0].player.gold"


def test_a_dictionary_without_its_last_value_shows_the_last_key(qtbot: QtBot) -> None:
    document = Document(
        bytes.fromhex(
            "12000000 01000000"  # a Dictionary of one pair
            "04000000 03000000 61626300"  # its key "abc", and then nothing
        ),
        choice=ReadOptions(dialect=load("godot3")),
    )
    model, _tester = _tested(document)
    root = model.index(0, 0)
    assert model.rowCount(root) == 1
    assert model.index(0, 0, root).data() == "abc"
    assert root.data(RowRole.IS_ERROR)


def test_a_million_elements_stand_in_pages_and_are_found(qtbot: QtBot) -> None:
    count = 1_000_000
    document = Document(struct.pack("<II", 21, count) + bytes(4 * count), choice=ReadOptions(dialect=load("godot3")))
    model = TreeModel()
    model.set_document(document)
    root = model.index(0, 0)
    assert root.siblingAtColumn(TreeColumn.TYPE).data() == "PoolIntArray"
    assert model.rowCount(root) == count // PAGE
    index = model.index_of(Item(0, 0, "[123456]"))
    assert (index.row(), index.parent().row(), index.data()) == (456, 123, "[123456]")
    assert index.parent().data() == "[123\u202f000 … 123\u202f999]"
    assert index.parent().parent() == root


def test_numbers_that_change_keep_every_index(qtbot: QtBot) -> None:
    document = Document.open(RPG)
    model = TreeModel()
    model.set_document(document)
    index = _at(model, document, "[0].player.hp")
    with qtbot.waitSignal(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        model.apply_change(document.apply(set_literal(document, parse_path(document, "[0].player.hp"), "1")))
    assert index.siblingAtColumn(TreeColumn.VALUE).data() == "1.0"
    assert index.data(RowRole.IS_MODIFIED)
    assert not index.parent().data(RowRole.IS_MODIFIED)


def test_what_holds_a_changed_value_tells_it_and_nothing_else_does(qtbot: QtBot) -> None:
    document = Document.open(RPG)
    model = TreeModel()
    model.set_document(document)
    paths = ("[0]", "[0].inventory", "[0].inventory[0]", "[0].inventory[1]", "[0].player", "[0].inventory[0].name")

    def below() -> list[str]:
        return [path for path in paths if _at(model, document, path).data(RowRole.IS_MODIFIED_BELOW)]

    assert below() == []
    model.apply_change(document.apply(set_literal(document, parse_path(document, "[0].inventory[0].name"), '"Ada"')))
    assert below() == ["[0]", "[0].inventory", "[0].inventory[0]"]
    change = document.undo()
    assert change is not None
    model.apply_change(change)
    assert below() == []
    item = parse_path(document, "[0].inventory[1].name")
    document.news = (ExternalChange(item, outline.span(document, item), "Torch"),)
    model.refresh_marks()
    assert below() == ["[0]", "[0].inventory", "[0].inventory[1]"]


def test_an_error_marks_its_row_and_those_above(qtbot: QtBot) -> None:
    document = Document.open(RPG)
    broken = bytearray(document.buffer)
    name = document.frames[0].start + document.frames[0].table.start[parse_path(document, "[0].inventory[0].name").node]
    broken[name + 4 : name + 8] = broken[name + 4 : name + 8][::-1]
    broken_document = Document(bytes(broken), choice=ReadOptions(document.dialect, document.precision))
    model = TreeModel()
    model.set_document(broken_document)
    row = _at(model, broken_document, "[0].inventory[0].name")
    assert row.data(RowRole.IS_ERROR)
    assert row.data(RowRole.TEXT) == "length 167\u202f772\u202f160, only 20\u202f064 bytes left"
    above = row.parent()
    while above.isValid():
        assert above.data(RowRole.HAS_ERROR_BELOW)
        assert not above.data(RowRole.IS_ERROR)
        above = above.parent()
    assert not _at(model, broken_document, "[0].player").data(RowRole.HAS_ERROR_BELOW)
    behind = row.siblingAtRow(row.row() + 1)
    assert behind.data(RowRole.IS_GAP)
    assert behind.data() == "skipped bytes"


def test_the_tooltip_of_a_faulty_row_says_what_is_wrong_and_what_to_do(qtbot: QtBot) -> None:
    #                                     String   9 bytes, of which 4 are there
    document = Document(bytes.fromhex("04000000 09000000 61626364"), choice=ReadOptions(load("godot3")))
    model = TreeModel()
    model.set_document(document)
    found = document.findings.all()[0]
    told = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole).splitlines()
    assert told == ["[0]", found.message, advice(found)]


def test_values_can_be_edited_and_gaps_cannot(qtbot: QtBot) -> None:
    document = Document.open(corpus.DATA / "godot3" / "files" / "mixed_calls.save")
    model, _tester = _tested(document)
    editable = {index.data(): model.can_set(index) for index in _rows(model)}
    assert not editable["skipped bytes"]
    assert editable["hp"]


def _places(model: TreeModel, document: Document, path: str) -> tuple[str, str]:
    row = _at(model, document, path)
    return str(row.siblingAtColumn(TreeColumn.OFFSET).data()), str(row.siblingAtColumn(TreeColumn.SIZE).data())


def test_in_a_text_offset_and_size_are_those_of_now(qtbot: QtBot) -> None:
    text = b'{"hp": 37.5, "name": "Bo"}'
    document = Document(text)
    model, _tester = _tested(document)
    assert _places(model, document, "[0].hp") == ("0x7", "4")
    model.apply_change(document.apply(set_literal(document, parse_path(document, "[0].hp"), "1234567.5")))
    assert _places(model, document, "[0].hp") == ("0x7", "9")
    assert _places(model, document, "[0].name") == (f"0x{text.index(b'Bo') + 4:X}", "4")
    assert _places(model, document, "[0]") == ("0x0", str(len(text) + 5))
    change = document.undo()
    assert change is not None
    model.apply_change(change)
    assert _places(model, document, "[0].hp") == ("0x7", "4")
    model.set_document(None)


def test_a_comment_that_is_typed_moves_the_settings_behind_it(qtbot: QtBot) -> None:
    text = b"[a]\n; old\nx=1\n"
    document = Document(text)
    model, _tester = _tested(document)
    before = _places(model, document, "[0].a.x")
    edit = text_written(document, text.replace(b"old", b"oldxxxxx"))
    assert edit is not None
    model.apply_change(document.apply(edit))
    assert before == (f"0x{text.index(b'1'):X}", "1")
    assert _places(model, document, "[0].a.x") == (f"0x{text.index(b'1') + 5:X}", "1")
    model.set_document(None)
