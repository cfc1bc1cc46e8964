"""Binary resources in the window: what is seen first, what the keys do, and Qt's own tester through edits."""

from __future__ import annotations

import shutil
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.base.diagnostic import Severity
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.ui import dialogs
from viewer.ui.panels.inspector import Inspector
from viewer.ui.tree.model import TreeColumn, TreeModel
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.items import Item

FOLDER = corpus.DATA / "resources"
GAME = FOLDER / "godot4" / "game.res"
FILES = sorted(path for line in ("godot3", "godot4") for path in (FOLDER / line).iterdir() if path.suffix != ".json")
FILES = corpus.spread((path for path in FILES if path.suffix in (".res", ".scn")), 3)


def _names(model: TreeModel, above: QModelIndex | None = None) -> list[str]:
    index = above or QModelIndex()
    return [str(model.index(row, TreeColumn.NAME, index).data()) for row in range(model.rowCount(index))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_qt_finds_no_fault_through_an_edit_and_back(qtbot: QtBot, path: Path) -> None:
    document = Document.open(path)
    model = TreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_document(document)
    waiting = [QModelIndex()]
    while waiting:
        above = waiting.pop()
        for row in range(model.rowCount(above)):
            for column in TreeColumn:
                model.index(row, column, above).data()
            waiting.append(model.index(row, 0, above))
    for index, frame in enumerate(document.frames):
        node = frame.table.first[0] + 1
        if frame.table.child_count(0) and frame.table.row(node) is not None:
            try:
                edit = set_literal(document, Item(index, node), "null")
            except ValueError:
                continue
            model.apply_change(document.apply(edit))
            undone = document.undo()
            assert undone is not None
            model.apply_change(undone)
    assert tester.model() is model


def _tree(window: MainWindow) -> TreeView:
    found = window.findChild(TreeView)
    assert isinstance(found, TreeView)
    return found


def test_the_main_resource_stands_open_and_is_selected(window: MainWindow) -> None:
    window.session.show(Document.open(GAME))
    tree = _tree(window)
    current = tree.currentIndex().siblingAtColumn(0)
    assert current.data() == "main"
    assert tree.isExpanded(current)
    names = _names(tree.tree_model)
    assert names[:4] == ["header", "strings", "external resources", "internal resources"]
    assert names[-2:] == ["main", "end"]
    assert "player_name" in _names(tree.tree_model, current)


def test_a_value_is_edited_by_keys_undone_and_saved(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = Path(shutil.copy(GAME, tmp_path / "game.res"))
    window.session.show(Document.open(path))
    tree, document = _tree(window), window.session.document
    assert document is not None
    window.session.go_to_place("[21].player_name")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert tree.editor.field is not None
    qtbot.keyClicks(tree.editor.field, "Bob Ross")
    qtbot.keyClick(tree.editor.field, Qt.Key.Key_Return)
    assert tree.currentIndex().siblingAtColumn(TreeColumn.VALUE).data() == '"Bob Ross"'
    assert tree.currentIndex().siblingAtColumn(TreeColumn.NAME).data() == "player_name"
    document.save()
    saved = Document.open(path)
    assert len(saved.buffer) - len(Document.open(GAME).buffer) == len("Bob Ross") - len("Zoë".encode())
    assert not [found for found in saved.findings.all() if found.severity is Severity.ERROR]
    window.session.undo()
    assert bytes(document.buffer) == GAME.read_bytes()


def test_what_a_field_is_made_of_stands_in_the_inspector(window: MainWindow) -> None:
    window.session.show(Document.open(GAME))
    window.session.go_to_place("@gap2")
    inspector = window.findChild(Inspector)
    assert isinstance(inspector, Inspector)
    rows = [(row.label, row.words) for row in inspector.parts.rows.rows]
    assert ("external 0 path", "res://save_game.gd") in rows


def test_a_field_is_edited_by_keys_and_undone(qtbot: QtBot, window: MainWindow) -> None:
    window.session.show(Document.open(GAME))
    tree, document = _tree(window), window.session.document
    assert document is not None
    window.session.go_to_place("@external_resources.external_1.path")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert tree.editor.field is not None
    qtbot.keyClicks(tree.editor.field, '"res://some_other_item.gd"')
    qtbot.keyClick(tree.editor.field, Qt.Key.Key_Return)
    assert tree.currentIndex().siblingAtColumn(TreeColumn.VALUE).data() == "res://some_other_item.gd"
    assert tree.currentIndex().siblingAtColumn(TreeColumn.NAME).data() == "path"
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]
    window.session.undo()
    assert bytes(document.buffer) == GAME.read_bytes()
    window.session.go_to_place("@header.flags")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert tree.editor.field is None


def _trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert isinstance(action, QAction)
    action.trigger()
    QApplication.processEvents()


def test_resources_are_added_doubled_and_taken_away_in_the_tree(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.show(Document.open(FOLDER / "godot4" / "sub_shared.res"))
    tree, document = _tree(window), window.session.document
    assert document is not None
    before = bytes(document.buffer)
    asked: list[list[str]] = []
    monkeypatch.setattr(
        dialogs, "ask_references", lambda _, name, paths: bool(asked.append([name, *paths])) or len(asked) > 1
    )
    window.session.go_to_place("[0]")
    _trigger(window, "delete")
    assert asked == [["Resource_0mtqv", "[2].value[0]", "[2].value[1]", "[2].other.same"]]
    assert bytes(document.buffer) == before
    _trigger(window, "delete")
    assert document.value_names == ("Resource_knwyo", "main")
    window.session.undo()
    window.session.go_to_place("[0]")
    _trigger(window, "duplicate")
    assert document.value_names == ("Resource_0mtqv", "Resource_00001", "Resource_knwyo", "main")
    assert tree.currentIndex().siblingAtColumn(0).data() == "Resource_00001"
    window.session.undo()
    window.session.go_to_place("@internal_resources.internal_1")
    _trigger(window, "insert_after")
    assert document.value_names == ("Resource_0mtqv", "Resource_knwyo", "Resource_00001", "main")
    window.session.undo()
    window.session.go_to_place("@external_resources")
    _trigger(window, "insert_into")
    assert tree.editor.field is not None
    assert tree.editor.field.text() == '"res://"'
    tree.editor.close()
    window.session.undo()
    assert bytes(document.buffer) == before


def test_a_property_of_a_node_is_edited_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    window.session.show(Document.open(FOLDER / "godot4" / "scene_tree.scn"))
    tree, document = _tree(window), window.session.document
    assert document is not None
    before = bytes(document.buffer)
    window.session.go_to_place("scene.World_Hero_Clock.wait_time")
    assert tree.currentIndex().siblingAtColumn(0).data() == "wait_time"
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert tree.editor.field is not None
    qtbot.keyClicks(tree.editor.field, "7.25")
    qtbot.keyClick(tree.editor.field, Qt.Key.Key_Return)
    assert tree.currentIndex().siblingAtColumn(0).data() == "wait_time"
    assert tree.currentIndex().siblingAtColumn(TreeColumn.VALUE).data() == "7.25"
    window.session.undo()
    assert bytes(document.buffer) == before
