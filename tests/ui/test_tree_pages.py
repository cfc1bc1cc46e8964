"""Pages inside pages in the tree: Qt's own tester over them, keys, paths, and what stays where it is."""

from __future__ import annotations

import struct
from collections.abc import Callable

import corpus
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits.setting import set_value
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.session import Session
from viewer.ui.tree.model import TreeColumn, TreeModel
from viewer.ui.tree.tree_rows import MOST_EXPANDED
from viewer.ui.tree.view import TreeView
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.value import Array, Value

PAGE = 4
GODOT3 = load("godot3")
FILES = [saved for engine in corpus.ENGINES for saved in corpus.files(engine.folder)]
SMALL = [saved for saved in FILES if saved.path.stat().st_size < 20_000]
PAIR = bytes.fromhex("13000000 02000000 02000000 07000000 02000000 08000000")  # an Array that holds 7 and 8
NO_KEYS = Qt.KeyboardModifier.NoModifier


def _floats(count: int) -> Document:
    data = struct.pack("<II", GODOT3.type_number("PoolRealArray"), count) + bytes(4 * count)
    return Document(data, choice=ReadOptions(dialect=GODOT3))


def _pairs(count: int) -> Document:
    return Document(struct.pack("<II", 19, count) + PAIR * count, choice=ReadOptions(dialect=GODOT3))


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    return Session()


def _tree(qtbot: QtBot, session: Session, document: Document, page: int) -> TreeView:
    view = TreeView(session, theme(LIGHT), page=page)
    qtbot.addWidget(view)
    view.resize(520, 600)
    session.show(document)
    with qtbot.waitExposed(view):
        view.show()
    view.activateWindow()
    view.setFocus()
    return view


@pytest.fixture
def tree(qtbot: QtBot, session: Session) -> TreeView:
    """A hundred arrays in pages of four."""
    return _tree(qtbot, session, _pairs(100), PAGE)


def _names(view: TreeView) -> list[str]:
    """The names of all rows that are shown, from the top down."""
    out, index = [], view.tree_model.index(0, 0)
    while index.isValid():
        out.append(index.data())
        index = view.indexBelow(index)
    return out


def _insert(session: Session, at: int, new: bytes) -> None:
    """Put an element into the root array before the byte *at*."""
    document = session.document
    assert document is not None
    count = bytes(document.buffer[4:8])
    more = struct.pack("<I", struct.unpack("<I", count)[0] + 1)
    session.apply(Edit("insert", (Splice(4, count, more), Splice(at, b"", new))))


def _top(view: TreeView) -> tuple[object, int]:
    index = view.indexAt(view.viewport().rect().topLeft())
    return index.data(), view.visualRect(index).top()


@pytest.mark.parametrize("saved", corpus.spread(SMALL, 2), ids=str)
def test_qt_finds_no_fault_in_small_pages_through_edit_and_undo(qtbot: QtBot, saved: corpus.SavedFile) -> None:
    document = Document.open(saved.path)
    model = TreeModel(page=PAGE)
    _tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_document(document)
    if document.frames:
        model.apply_change(
            document.apply(set_value(document, Item(0, 0), Value("Array", Array((Value("int", 1),) * 70))))
        )
        change = document.undo()
        assert change is not None
        model.apply_change(change)


@pytest.mark.parametrize("make", [_floats, _pairs])
def test_qt_finds_no_fault_in_pages_of_pages_of_pages(qtbot: QtBot, make: Callable[[int], Document]) -> None:
    model = TreeModel(page=PAGE)
    _tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_document(make(300))
    index, depth = model.index(0, 0), 0
    while model.hasChildren(index):
        index, depth = model.index(model.rowCount(index) - 1, 0, index), depth + 1
    assert depth >= 5


def test_a_path_opens_the_pages_above_its_row(qtbot: QtBot, session: Session) -> None:
    view = _tree(qtbot, session, _floats(10_000_000), 1000)
    session.go_to_place("[0][7654321]")
    index = view.currentIndex()
    above = [index.parent(), index.parent().parent()]
    assert index.data() == "[7654321]"
    assert [one.data() for one in above] == [
        "[7\u202f654\u202f000 … 7\u202f654\u202f999]",
        "[7\u202f000\u202f000 … 7\u202f999\u202f999]",
    ]
    assert all(view.isExpanded(one) for one in above)
    assert view.viewport().rect().contains(view.visualRect(index))


def test_a_byte_selects_its_element_in_the_right_page(qtbot: QtBot, session: Session) -> None:
    view = _tree(qtbot, session, _floats(10_000_000), 1000)
    session.go_to(8 + 4 * 1_234_567 + 2)
    assert view.currentIndex().data() == "[1234567]"
    assert session.path == "[0][1234567]"


def test_right_opens_a_page_and_left_goes_back(qtbot: QtBot, tree: TreeView) -> None:
    root = tree.tree_model.index(0, 0)
    page = tree.tree_model.index(0, 0, root)
    tree.setCurrentIndex(page)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.isExpanded(page)
    assert tree.currentIndex() == page
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.currentIndex().parent() == page
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.currentIndex() == page
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert not tree.isExpanded(page)


def test_home_end_and_page_keys_go_over_pages(qtbot: QtBot, tree: TreeView) -> None:
    tree.setCurrentIndex(tree.tree_model.index(0, 0))
    qtbot.keyClick(tree, Qt.Key.Key_End)
    assert tree.currentIndex().data() == "[64 … 99]"
    qtbot.keyClick(tree, Qt.Key.Key_Home)
    assert tree.currentIndex().data() == "[0]"
    qtbot.keyClick(tree, Qt.Key.Key_PageDown)
    assert tree.currentIndex().data() == "[64 … 99]"
    qtbot.keyClick(tree, Qt.Key.Key_PageUp)
    assert tree.currentIndex().data() == "[0]"


def test_a_page_row_can_not_be_edited(qtbot: QtBot, tree: TreeView) -> None:
    page = tree.tree_model.index(0, 0, tree.tree_model.index(0, 0))
    tree.setCurrentIndex(page)
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert not tree.tree_model.can_set(page)
    assert not tree.editor.is_open


@pytest.mark.parametrize("modifier", [NO_KEYS, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier])
def test_the_asterisk_opens_so_many_rows_and_says_that_there_are_more(
    qtbot: QtBot, session: Session, modifier: Qt.KeyboardModifier
) -> None:
    view = _tree(qtbot, session, _floats(1_000_000), 1000)
    view.setCurrentIndex(view.tree_model.index(0, 0))
    with qtbot.waitSignal(session.failed) as failed:
        qtbot.keyClick(view, Qt.Key.Key_Asterisk, modifier)
    assert failed.args is not None
    assert "5000 rows" in failed.args[0]
    assert MOST_EXPANDED <= len(_names(view)) <= MOST_EXPANDED + 1001


def test_the_asterisk_opens_a_small_tree_whole(qtbot: QtBot, session: Session) -> None:
    view = _tree(qtbot, session, _pairs(3), 1000)
    view.setCurrentIndex(view.tree_model.index(0, 0))
    with qtbot.assertNotEmitted(session.failed):
        qtbot.keyClick(view, Qt.Key.Key_Asterisk)
    assert len(_names(view)) == 1 + 3 + 6


def test_an_element_put_before_an_open_one_keeps_it_open(tree: TreeView, session: Session) -> None:
    session.go_to_place("[0][2][0]")
    session.go_to_place("[0]")
    _insert(session, 8, PAIR)
    model, document = tree.tree_model, session.document
    assert document is not None
    assert tree.isExpanded(model.index_of(parse_path(document, "[0][3]")))
    assert not tree.isExpanded(model.index_of(parse_path(document, "[0][2]")))
    session.undo()
    assert tree.isExpanded(model.index_of(parse_path(document, "[0][2]")))
    assert not tree.isExpanded(model.index_of(parse_path(document, "[0][3]")))


def test_an_edit_above_leaves_the_top_row_on_its_pixel(tree: TreeView, session: Session) -> None:
    for number in range(0, 100, 4):
        session.go_to_place(f"[0][{number}][1]")
    session.go_to_place("[0]")
    tree.verticalScrollBar().setValue(1003)
    before, shown = _top(tree), _names(tree)
    _insert(session, 8, bytes.fromhex("02000000 07000000"))
    assert _top(tree)[1] == before[1]
    session.undo()
    assert (_top(tree), _names(tree)) == (before, shown)
    session.redo()
    assert _top(tree)[1] == before[1]
    session.undo()
    assert (_top(tree), _names(tree)) == (before, shown)


@pytest.mark.parametrize("typed", [["FF"], ["F3", "63", "0F"]])
def test_what_a_broken_count_closed_is_open_again_after_undo(
    tree: TreeView, session: Session, typed: list[str]
) -> None:
    for path in ("[0][2][0]", "[0][70][1]", "[0][98][1]", "[0]"):
        session.go_to_place(path)
    tree.verticalScrollBar().setValue(201)
    before, shown = _top(tree), _names(tree)
    third = 8 + 24 * 2
    for word in typed:  # over the count of the third element, one step for undo
        session.overwrite(third + 4, bytes.fromhex(word), merge="typing")
    assert _names(tree) != shown
    session.undo()
    assert (_top(tree), _names(tree)) == (before, shown)


def test_what_was_closed_after_an_edit_stays_closed_after_undo(tree: TreeView, session: Session) -> None:
    session.go_to_place("[0][2][0]")
    session.go_to_place("[0]")
    _insert(session, 8, PAIR)
    document = session.document
    assert document is not None
    tree.collapse(tree.tree_model.index_of(parse_path(document, "[0][3]")))
    session.undo()
    assert not tree.isExpanded(tree.tree_model.index_of(parse_path(document, "[0][2]")))


def test_another_dialect_and_back_leaves_all_open(tree: TreeView, session: Session) -> None:
    for path in ("[0][2][0]", "[0][98][1]"):
        session.go_to_place(path)
    shown = _names(tree)
    for key in ("godot2", "pandemonium5", "godot3"):
        session.read_as(ReadOptions(dialect=load(key)))
    assert _names(tree) == shown


def test_a_page_row_stays_the_current_one(tree: TreeView, session: Session) -> None:
    page = tree.tree_model.index(1, 0, tree.tree_model.index(0, 0))
    tree.setCurrentIndex(page)
    assert session.path == "[0]"
    _insert(session, 8, PAIR)
    assert tree.currentIndex().data() == "[64 … 100]"
    assert session.path == "[0]"


def test_a_document_that_is_read_again_keeps_what_was_open(tree: TreeView, session: Session) -> None:
    session.go_to_place("[0][70][1]")
    shown, document = _names(tree), session.document
    assert document is not None
    document.frames = []
    session.changed.emit(Change(document.revision, (), structure=True))
    assert _names(tree) == []
    session.changed.emit(document.read_as(document.choice))
    assert _names(tree) == shown


def test_closing_the_document_forgets_the_pages(tree: TreeView, session: Session) -> None:
    session.go_to_place("[0][70][1]")
    session.show(None)
    assert tree.tree_model.index(0, 0) == QModelIndex()
    assert not tree.expansion.open


def test_offset_and_size_of_a_page_are_told(tree: TreeView) -> None:
    page = tree.tree_model.index(1, 0, tree.tree_model.index(0, 0))
    assert page.siblingAtColumn(TreeColumn.OFFSET).data() == f"0x{8 + 64 * 24:X}"
    assert page.siblingAtColumn(TreeColumn.SIZE).data() == str(36 * 24)


def test_the_number_columns_have_room_for_the_files_numbers(qtbot: QtBot, session: Session) -> None:
    view = _tree(qtbot, session, _pairs(3), 1000)
    narrow = [view.columnWidth(column) for column in (TreeColumn.OFFSET, TreeColumn.SIZE)]
    session.show(_floats(10_000_000))
    view.columns.fit(700)
    wide = [view.columnWidth(column) for column in (TreeColumn.OFFSET, TreeColumn.SIZE)]
    assert wide[0] > narrow[0]
    assert wide[1] > narrow[1]
    assert sum(view.columnWidth(column) for column in TreeColumn) == 700
