"""One branch alone: its rows stand at the left edge, edits go on in it, and whatever lies outside leads out of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from viewer.document.document import Document
from viewer.ui.tree.branch_focus import BranchBar
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Array, Value

Key = Qt.Key
DEEP = 40


def nested(levels: int) -> bytes:
    """An Array in an Array, so many times, each with a number before it."""
    value = Value("Array", Array(()))
    for level in range(levels):
        value = Value("Array", Array((Value("int", level), value)))
    return encode(value, load("godot4"))


def shown(tree: TreeView) -> list[str]:
    """The names of the rows that are shown below the root of the view."""
    return [
        tree.tree_model.facts(tree.tree_model.index(row, 0, tree.rootIndex())).name
        for row in range(tree.tree_model.rowCount(tree.rootIndex()))
    ]


def toggle(window: MainWindow, path: str) -> TreeView:
    tree = window._parts.tree
    window.session.go_to_place(path)
    tree.setFocus()
    QTest.keyClick(tree, Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    return tree


def bar(window: MainWindow) -> BranchBar:
    found = window.findChild(QWidget, "branchBar")
    assert isinstance(found, BranchBar)
    return found


@pytest.mark.usefixtures("rpg_open")
def test_a_branch_is_shown_alone_and_the_same_key_leads_back(window: MainWindow) -> None:
    tree = toggle(window, "[0].player")
    assert tree.tree_model.path(tree.rootIndex()) == "[0].player"
    assert "gold" in shown(tree)
    assert bar(window).isVisible()
    assert bar(window).line.text() == "Only [0].player"
    assert window._actions["focus_branch"].isChecked()
    assert tree.name_left(tree.currentIndex()) < 60  # its rows begin at the left edge
    QTest.keyClick(tree, Key.Key_Left)  # the row of the branch is not shown: there is nothing to go to
    assert tree.tree_model.path(tree.currentIndex()).startswith("[0].player.")
    toggle(window, window.session.path)
    assert not tree.rootIndex().isValid()
    assert bar(window).isHidden()
    assert not window._actions["focus_branch"].isChecked()


@pytest.mark.usefixtures("rpg_open")
def test_a_value_without_rows_means_what_it_lies_in_and_stays_selected(window: MainWindow) -> None:
    tree = toggle(window, "[0].player.gold")
    assert tree.tree_model.path(tree.rootIndex()) == "[0].player"
    assert window.session.path == "[0].player.gold"


@pytest.mark.usefixtures("rpg_open")
def test_edits_and_their_undo_stay_in_the_branch(window: MainWindow) -> None:
    tree = toggle(window, "[0].inventory")
    document = window.session.document
    assert isinstance(document, Document)
    before = shown(tree)
    QTest.keyClick(tree, Key.Key_Delete)
    assert tree.tree_model.path(tree.rootIndex()) == "[0].inventory"
    assert len(shown(tree)) == len(before) - 1
    window._actions["undo"].trigger()
    assert tree.tree_model.path(tree.rootIndex()) == "[0].inventory"
    assert shown(tree) == before


@pytest.mark.usefixtures("rpg_open")
def test_what_lies_outside_leads_out_when_it_is_gone_to(window: MainWindow) -> None:
    tree = toggle(window, "[0].inventory")
    window.session.go_to_place("[0].player.gold")
    assert not tree.rootIndex().isValid()
    assert tree.tree_model.path(tree.currentIndex()) == "[0].player.gold"
    assert tree.row_rect(tree.currentIndex()).isValid()


@pytest.mark.usefixtures("rpg_open")
def test_a_branch_that_is_deleted_leads_out(window: MainWindow) -> None:
    tree = toggle(window, "[0].inventory[0]")
    window.session.go_to_place("[0].inventory[0].id")
    window._actions["undo"].trigger()
    from viewer.document.edits.structure import delete
    from viewer.document.path import parse_path

    document = window.session.document
    assert document is not None
    window.session.apply(delete(document, [parse_path(document, "[0].inventory")]))
    assert not tree.rootIndex().isValid()
    assert bar(window).isHidden()


def test_up_goes_level_by_level_and_names_of_deep_rows_have_room_again(window: MainWindow) -> None:
    window.session.show(Document(nested(DEEP)))
    path = "[0]" + "[1]" * 30
    window.session.go_to_place(path)
    deep = window._parts.tree.name_left(window._parts.tree.currentIndex())
    tree = toggle(window, path)
    assert tree.name_left(tree.currentIndex()) < deep
    assert tree.names.step == 16
    bar(window).up_button.click()
    assert tree.tree_model.path(tree.rootIndex()) == "[0]" + "[1]" * 29
    bar(window).all_button.click()
    assert tree.rootIndex() == QModelIndex()
    assert tree.hasFocus()
    assert tree.row_rect(tree.currentIndex()).isValid()


@pytest.mark.usefixtures("rpg_open")
def test_every_painted_row_of_a_branch_begins_inside_its_column(window: MainWindow) -> None:
    tree = toggle(window, "[0]")
    tree.expand_all_under(tree.rootIndex())
    index = tree.indexAt(tree.viewport().rect().topLeft())
    seen = 0
    while index.isValid():
        seen += 1
        assert 0 <= tree.name_left(index) < tree.columnWidth(TreeColumn.NAME)
        index = tree.indexBelow(index)
    assert seen > len(shown(tree))
