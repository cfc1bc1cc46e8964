"""Files inside a package in the window: opened in the tree, edited in place, linked to the bytes."""

from __future__ import annotations

import corpus
import pytest
from document.readers.test_shipped_layouts import contents, id_cache, package2, save_of
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow

Key = Qt.Key
PROJECT = (corpus.DATA / "projects" / "godot4-project.binary").read_bytes()
FILES = {"a.txt": b"hello", "b.save": save_of("few"), "project.binary": PROJECT, "z.bin": bytes(40)}


@pytest.fixture
def tree(window: MainWindow) -> TreeView:
    found = window.findChild(TreeView)
    assert found is not None
    found.setFocus()
    return found


def press(qtbot: QtBot, tree: TreeView, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(tree, key)


def type_value(qtbot: QtBot, tree: TreeView, text: str) -> None:
    press(qtbot, tree, Key.Key_F2)
    field = tree.editor.field
    assert field is not None
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Key.Key_Return)


def test_a_save_in_a_package_opens_in_the_tree_and_is_edited_there(
    qtbot: QtBot, window: MainWindow, tree: TreeView
) -> None:
    document, session = Document(package2(FILES)), window.session
    session.show(document)
    session.go_to_place("@entry_1")
    press(qtbot, tree, Key.Key_Right)  # rows of fields and rows of files inside have numbers of their own
    session.go_to_place("@b_save")
    index = tree.currentIndex().siblingAtColumn(TreeColumn.NAME)
    assert tree.tree_model.facts(index).inside == "value"
    press(qtbot, tree, Key.Key_Right, Key.Key_Right)
    assert session.path == "@b_save!0"
    press(qtbot, tree, Key.Key_Right, Key.Key_Right)
    assert session.path == "@b_save!0.gold"
    type_value(qtbot, tree, "very many pieces")
    assert session.path == "@b_save!0.gold"
    assert tree.currentIndex().siblingAtColumn(TreeColumn.VALUE).data() == '"very many pieces"'
    assert contents(document) == {**FILES, "b.save": save_of("very many pieces")}
    assert not document.findings.all()
    session.undo()
    assert contents(document) == FILES


def test_a_byte_of_a_file_inside_that_is_open_leads_to_its_value(
    qtbot: QtBot, window: MainWindow, tree: TreeView
) -> None:
    document, session = Document(package2(FILES)), window.session
    session.show(document)
    session.go_to_place("@b_save!0.gold")
    place = bytes(document.buffer[:]).index(b"few")
    session.go_to_place("@a_txt")
    session.go_to(place)
    assert session.path == "@b_save!0.gold.text"


def test_settings_in_a_package_open_with_their_own_fields(qtbot: QtBot, window: MainWindow, tree: TreeView) -> None:
    document, session = Document(package2(FILES)), window.session
    session.show(document)
    session.go_to_place("@project_binary")
    assert tree.tree_model.facts(tree.currentIndex().siblingAtColumn(0)).inside == "settings of a Godot project"
    press(qtbot, tree, Key.Key_Right)
    model, row = tree.tree_model, tree.currentIndex().siblingAtColumn(0)
    names = [model.index(k, 0, row).data() for k in range(model.rowCount(row))]
    assert "count" in names
    assert "application/config/name" in names
    session.go_to_place("@z_bin")
    assert not tree.tree_model.facts(tree.currentIndex().siblingAtColumn(0)).inside


def test_an_entry_is_deleted_and_doubled_with_the_keys(qtbot: QtBot, window: MainWindow, tree: TreeView) -> None:
    entries = {1: "res://a.tscn", 2: "res://b.tscn", 3: "res://c.tscn"}
    document, session = Document(id_cache(entries)), window.session
    session.show(document)
    session.go_to_place("@res_b_tscn")
    qtbot.keyClick(tree, Key.Key_Delete)
    assert bytes(document.buffer[:]) == id_cache({1: "res://a.tscn", 3: "res://c.tscn"})
    session.undo()
    session.go_to_place("@res_b_tscn")
    qtbot.keyClick(tree, Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert len(document.buffer) == len(id_cache(entries)) + len(id_cache({2: "res://b.tscn"})) - 4
    assert document.buffer[0] == 4
    assert not document.findings.all()
