"""Values inside values in the window: marked, opened with a key, edited in place, and linked to the bytes."""

from __future__ import annotations

import base64
import gzip
import zlib

import pytest
from document.nested.nested_saves import WAYS, packed
from document.readers.test_shipped_layouts import package2, save_of
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.container.gdec import Version, encrypt
from viewer.container.layer import Secret
from viewer.document import outline
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.document import Document
from viewer.document.export.item_text import item_literal
from viewer.document.nested.nested_document import enter
from viewer.document.path import parse_path
from viewer.document.searching.query import parse_query
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.find_results import FindResults, RowRole
from viewer.ui.panels.inspector import Inspector
from viewer.ui.panels.path_bar import PathBar
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView
from viewer.ui.window.bulk_dialog import BulkDialog
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.password_dialog import PasswordDialog
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Array, Dictionary, Value

GODOT4 = load("godot4")
GOLD = parse_literal('{"gold": 5, "name": "Ann", "list": [1, 2], "on": true}', GODOT4)
Key, CTRL, LEFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton


def save(*values: Value) -> bytes:
    """A save that is a list of these."""
    return encode(Value("Array", Array(values)), GODOT4)


def holding(value: Value) -> Value:
    """A dictionary with a value under ``x``, and one beside it."""
    return Value("Dictionary", Dictionary(((Value("String", "x"), value), (Value("String", "y"), Value("int", 7)))))


@pytest.fixture
def tree(window: MainWindow) -> TreeView:
    found = window.findChild(TreeView)
    assert found is not None
    found.setFocus()
    return found


def show(window: MainWindow, *values: Value) -> Document:
    document = Document(save(*values))
    window.session.show(document)
    return document


def press(qtbot: QtBot, tree: TreeView, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(tree, key)


def act(window: MainWindow, name: str) -> None:
    """Choose an entry of a menu."""
    found = window.findChild(QAction, name)
    assert isinstance(found, QAction)
    found.trigger()


def names(tree: TreeView, path: str) -> list[str]:
    """The names of the rows under the row of a path."""
    tree._session.go_to_place(path)
    model, row = tree.tree_model, tree.currentIndex().siblingAtColumn(0)
    return [model.index(k, 0, row).data() for k in range(model.rowCount(row))]


def told(document: Document, path: str) -> str:
    level = enter(document, path)
    return item_literal(level.document, level.item())


def type_value(qtbot: QtBot, tree: TreeView, text: str) -> None:
    press(qtbot, tree, Key.Key_F2)
    field = tree.editor.field
    assert field is not None
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Key.Key_Return)


@pytest.mark.parametrize("way", WAYS)
def test_the_right_key_opens_what_is_inside_and_an_edit_there_is_one_step(
    qtbot: QtBot, window: MainWindow, tree: TreeView, way: str
) -> None:
    document = show(window, packed(GOLD, way, GODOT4), Value("int", 3))
    before, session = bytes(document.buffer[:]), window.session
    session.go_to_place("[0][0]")
    index = tree.currentIndex().siblingAtColumn(TreeColumn.NAME)
    assert tree.tree_model.facts(index).inside
    assert tree.tree_model.hasChildren(index)
    press(qtbot, tree, Key.Key_Right, Key.Key_Right)
    assert session.path == "[0][0]!0"
    assert tree.currentIndex().siblingAtColumn(TreeColumn.NAME).data() == "!0"
    press(qtbot, tree, Key.Key_Right, Key.Key_Right)
    assert session.path == "[0][0]!0.gold"
    type_value(qtbot, tree, "5000000000")
    assert session.path == "[0][0]!0.gold"
    assert tree.currentIndex().siblingAtColumn(TreeColumn.VALUE).data() == "5000000000"
    assert told(document, "[0][0]!0.gold") == "5000000000"
    assert told(document, "[0][1]") == "3"
    session.undo()
    assert document.buffer == before
    assert session.path == "[0][0]!0.gold"
    assert tree.currentIndex().siblingAtColumn(TreeColumn.VALUE).data() == "5"
    session.redo()
    assert told(document, "[0][0]!0.gold") == "5000000000"


def test_three_levels_stay_open_through_edits_of_each(qtbot: QtBot, window: MainWindow, tree: TreeView) -> None:
    inner = packed(holding(packed(GOLD, "text", GODOT4)), "base64 of gzip", GODOT4)
    document = show(window, packed(holding(inner), "bytes", GODOT4))
    session, path = window.session, "[0][0]!0.x!0.x!0.name"
    session.go_to_place(path)
    assert session.path == path
    type_value(qtbot, tree, "a much longer name")
    assert (session.path, told(document, path)) == (path, '"a much longer name"')
    session.go_to_place("[0][0]!0.y")
    type_value(qtbot, tree, "8")
    session.go_to_place("[0][0]!0.x!0.y")
    type_value(qtbot, tree, "9")
    open_rows = {tree.tree_model.path(tree.tree_model.index_of_holder(holder)) for holder in tree.expansion.open}
    assert {"[0][0]", "[0][0]!0", "[0][0]!0.x", "[0][0]!0.x!0", "[0][0]!0.x!0.x", "[0][0]!0.x!0.x!0"} <= open_rows
    assert told(document, path) == '"a much longer name"'
    assert told(document, "[0][0]!0.x!0.y") == "9"
    for _ in range(3):
        session.undo()
    assert told(document, path) == '"Ann"'


def test_what_is_typed_inside_stays_where_something_else_is_changed(
    qtbot: QtBot, window: MainWindow, tree: TreeView
) -> None:
    document, session = show(window, Value("String", "x"), packed(GOLD, WAYS[0], GODOT4)), window.session
    session.go_to_place("[0][1]!0.on")
    press(qtbot, tree, Key.Key_F2)
    assert tree.editor.field is not None
    tree.editor.field.setText("neither")
    session.set_literal(parse_path(document, "[0][0]"), '"longer than before"')
    level = enter(document, "[0][1]!0.name")
    inner = session.inside.all[0].document
    session.set_literal(level.item(), '"longer than before"', inner)
    for _ in range(2):
        assert tree.editor.field is not None
        assert tree.editor.field.text() == "neither"
        tree.set_theme(tree.theme)
    assert session.has_typed
    tree.editor.field.setText("false")
    qtbot.keyClick(tree.editor.field, Key.Key_Return)
    assert told(document, "[0][1]!0.on") == "false"
    assert told(document, "[0][1]!0.name") == '"longer than before"'
    assert told(document, "[0][0]") == '"longer than before"'


def test_structure_is_changed_inside(qtbot: QtBot, window: MainWindow, tree: TreeView) -> None:
    document = show(window, packed(GOLD, "gzip", GODOT4))
    session = window.session
    session.go_to_place("[0][0]!0.list[0]")
    act(window, "duplicate")
    assert told(document, "[0][0]!0.list") == "[1, 1, 2]"
    assert session.path == "[0][0]!0.list[1]"
    act(window, "move_down")
    assert told(document, "[0][0]!0.list") == "[1, 2, 1]"
    act(window, "delete")
    assert told(document, "[0][0]!0.list") == "[1, 2]"
    session.go_to_place("[0][0]!0.on")
    press(qtbot, tree, Key.Key_Space)
    assert told(document, "[0][0]!0.on") == "false"
    act(window, "copy")
    session.go_to_place("[0][0]!0.list[0]")
    act(window, "paste_value")
    assert told(document, "[0][0]!0.list") == "[1, false, 2]"
    act(window, "copy_path")
    assert QGuiApplication.clipboard().text() == session.path


def test_bytes_of_both_levels_are_linked_where_they_lie_plain(window: MainWindow, tree: TreeView) -> None:
    document = show(window, packed(GOLD, "bytes", GODOT4), packed(GOLD, "gzip", GODOT4))
    session = window.session
    session.go_to_place("[0][0]!0.gold")
    span = session.item_span
    assert span is not None
    assert document.buffer[span.start : span.end] == encode(Value("int", 5), GODOT4)
    assert session.caret == span.start
    name = bytes(document.buffer[:]).find(b"Ann")
    session.go_to(name)
    assert session.path == "[0][0]!0.name.text"
    assert tree.tree_model.path(tree.currentIndex()) == "[0][0]!0.name"
    source = DocumentSource(session)
    told_there = source.describe(name)
    assert told_there is not None
    assert (told_there.path, told_there.value) == ("[0][0]!0.name.text", '"Ann"')
    assert source.styles(name, name + 3) == ByteClassifier(Document(b"\4\0\0\0\3\0\0\0Ann\0")).codes(8, 11)
    session.go_to_place("[0][1]!0.gold")
    assert session.item_span is not None
    assert session.item_span == document_span(document, "[0][1]")
    assert tree.currentIndex().siblingAtColumn(TreeColumn.OFFSET).data().startswith("+0x")
    inspector = window.findChild(Inspector)
    assert inspector is not None
    assert inspector.head.place.endswith(" in gzip")


def document_span(document: Document, path: str) -> object:
    return outline.span(document, parse_path(document, path))


def test_the_path_bar_shows_the_levels(window: MainWindow) -> None:
    show(window, packed(GOLD, "bytes", GODOT4), packed(GOLD, "gzip", GODOT4))
    window.session.go_to_place("[0][0]!0.list[1]")
    bar = window.findChild(PathBar)
    assert bar is not None
    assert bar.steps[1:] == ["[0]", "[0]", "!0", "list", "[1]"]
    assert not bar._offset().startswith("+")
    window.session.go_to_place("[0][1]!0.list[1]")
    assert bar._offset().endswith(" in gzip")


def test_elements_are_shown_on_wish_and_texts_are_looked_into(window: MainWindow, tree: TreeView) -> None:
    show(window, packed(GOLD, "bytes", GODOT4), Value("String", "[1]"), Value("String", "plain"))
    session = window.session
    session.go_to_place("[0][0]")
    assert names(tree, "[0][0]") == ["!0"]
    act(window, "look_inside")
    assert names(tree, "[0][0]")[:2] == ["[0]", "[1]"]
    act(window, "look_inside")
    assert names(tree, "[0][0]") == ["!0"]
    assert not names(tree, "[0][1]")
    session.go_to_place("[0][1].text")
    act(window, "look_inside")
    assert names(tree, "[0][1]") == ["!0"]
    assert not names(tree, "[0][2]")
    said: list[str] = []
    session.failed.connect(said.append)
    act(window, "look_inside")
    assert said == ["Nothing in [0][2] reads as a value."]


def test_ordinary_rows_have_no_mark_and_no_arrow(window: MainWindow, tree: TreeView) -> None:
    texts = ("hello", "a" * 40, "[b]bold[/b]", base64.b64encode(bytes(30)).decode(), "Hello (world)", "{0} of {1}")
    show(window, *(Value("String", text) for text in texts), Value("PackedByteArray", bytes(range(64))))
    for place in range(len(texts) + 1):
        window.session.go_to_place(f"[0][{place}]")
        index = tree.currentIndex().siblingAtColumn(0)
        assert tree.tree_model.facts(index).inside == ""
        assert tree.tree_model.hasChildren(index) == (place == len(texts))


def test_a_search_reaches_inside_what_is_open(qtbot: QtBot, window: MainWindow, tree: TreeView) -> None:
    show(window, packed(GOLD, "gzip", GODOT4), packed(GOLD, "bytes", GODOT4), packed(GOLD, "text", GODOT4))
    session, find = window.session, window.findChild(FindField)
    assert find is not None
    runner = find.runner
    runner.look_for(parse_query("key: gold"))
    qtbot.waitUntil(lambda: runner.is_complete)
    assert runner.total == 0
    session.go_to_place("[0][0]")
    press(qtbot, tree, Key.Key_Right)
    session.go_to_place("[0][1]!0.name")
    session.go_to_place("[0]")
    qtbot.waitUntil(lambda: runner.is_complete and runner.total == 2)
    paths = []
    for _ in range(3):
        runner.step(1)
        paths.append(session.path)
    assert paths == ["[0][0]!0.gold@key.text", "[0][1]!0.gold@key.text", "[0][0]!0.gold@key.text"]
    runner.step(-1)
    assert session.path == paths[1]
    rows = window.findChild(FindResults)
    act(window, "find_list")
    rows = window.findChild(FindResults)
    assert rows is not None
    assert [rows.rows.data(rows.rows.index(k), RowRole).path for k in range(2)] == paths[:2]
    runner.look_for(parse_query("text: Ann"))
    qtbot.waitUntil(lambda: runner.is_complete)
    assert runner.total == 3  # two lie plain in the file, and are told once
    assert len(runner.inside) == 1


def test_a_bulk_edit_works_inside_where_the_selection_is(qtbot: QtBot, window: MainWindow) -> None:
    document = show(window, packed(GOLD, "gzip", GODOT4), parse_literal('{"gold": 5}', GODOT4))
    window.session.go_to_place("[0][0]!0.name")
    dialog = BulkDialog(window, window.session, theme(LIGHT))
    dialog.field.setText("..gold -> 77")
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.apply_button.isEnabled())
    dialog.accept()
    assert told(document, "[0][0]!0.gold") == "77"
    assert told(document, "[0][1].gold") == "5"
    assert window.session.path == "[0][0]!0.name"


def test_a_file_in_a_package_opens_and_is_edited(qtbot: QtBot, window: MainWindow, tree: TreeView) -> None:
    document = Document(package2({"a.txt": b"hello", "b.save": save_of("5")}))
    session = window.session
    session.show(document)
    session.go_to_place("@b_save")
    press(qtbot, tree, Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Right)
    assert session.path == "@b_save!0.gold"
    type_value(qtbot, tree, "very many pieces")
    assert session.path == "@b_save!0.gold"
    assert told(document, "@b_save!0.gold") == '"very many pieces"'
    assert not document.findings.all()
    session.go_to(bytes(document.buffer[:]).find(b"very many pieces"))
    assert session.path.startswith("@b_save!0.gold")
    session.go_to_place("@a_txt")
    assert not tree.tree_model.hasChildren(tree.currentIndex().siblingAtColumn(0))


def test_an_encrypted_value_asks_for_its_password(
    qtbot: QtBot, window: MainWindow, tree: TreeView, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = encrypt(Version.CFB, Secret.of_password("open"), encode(GOLD, GODOT4))
    document = show(window, Value("PackedByteArray", raw))
    session, answers, wrong = window.session, ["shut", "open"], []

    def answer(dialog: PasswordDialog) -> bool:
        wrong.append(dialog._says.text())
        dialog.secret = Secret.of_password(answers.pop(0))
        return True

    monkeypatch.setattr(PasswordDialog, "exec", answer)
    session.go_to_place("[0][0]")
    press(qtbot, tree, Key.Key_Right)
    assert names(tree, "[0][0]") == ["closed"]
    act(window, "look_inside")
    assert not answers
    assert "password" in wrong[1]
    assert names(tree, "[0][0]") == ["!0"]
    session.go_to_place("[0][0]!0.gold")
    type_value(qtbot, tree, "77")
    assert session.path == "[0][0]!0.gold"
    level = enter(document, "[0][0]!0.gold", Secret.of_password("open"))
    assert item_literal(level.document, level.item()) == "77"


# Hostile bytes


def test_hundreds_of_levels_open_and_close(qtbot: QtBot, window: MainWindow, tree: TreeView) -> None:
    raw = encode(GOLD, GODOT4)
    for _ in range(400):
        raw = encode(Value("Dictionary", Dictionary(((Value("String", "x"), Value("PackedByteArray", raw)),))), GODOT4)
    session = window.session
    session.show(Document(raw))
    session.go_to_place("[0]")
    qtbot.keyClick(tree, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert len(session.inside.all) == 400
    path = "[0].x" + "!0.x" * 399 + "!0.gold"
    session.go_to_place(path)
    assert session.path == path
    spot, document = session.spot, session.document
    assert spot is not None
    assert document is not None
    session.set_literal(spot.item, "5000000000", spot.document)
    assert session.path == path
    assert (5000000000).to_bytes(8, "little") in document.buffer[:]
    act(window, "collapse_all")


@pytest.mark.parametrize("bomb", [gzip.compress(bytes(1 << 27)), zlib.compress(gzip.compress(bytes(1 << 27)))])
def test_a_bomb_stays_closed_and_that_is_said(qtbot: QtBot, window: MainWindow, tree: TreeView, bomb: bytes) -> None:
    show(window, Value("PackedByteArray", bomb))
    said: list[str] = []
    window.session.failed.connect(said.append)
    window.session.go_to_place("[0][0]")
    act(window, "look_inside")
    assert "more than 64 MiB" in said[0]
    press(qtbot, tree, Key.Key_Right, Key.Key_Right, Key.Key_Right)
    assert not window.session.inside.is_any_open


def test_a_value_that_is_gone_or_holds_nothing_any_more_closes(window: MainWindow, tree: TreeView) -> None:
    document = show(window, holding(packed(holding(packed(GOLD, "gzip", GODOT4)), "bytes", GODOT4)), Value("int", 3))
    session = window.session
    session.go_to_place("[0][0].x!0.x!0.gold")
    assert len(session.inside.all) == 2
    session.set_literal(parse_path(document, "[0][0].x"), "PackedByteArray([1, 2, 3, 4])")
    assert not session.inside.is_any_open
    assert session.path.startswith("[0][0].x")
    session.undo()
    session.go_to_place("[0][0].x!0.x!0.gold")
    act(window, "select_all")
    session.go_to_place("[0]")
    act(window, "delete")
    assert not session.inside.is_any_open


def test_rows_around_a_value_are_not_taken_for_those_inside_of_it(window: MainWindow, tree: TreeView) -> None:
    inner = encode(Value("Array", Array(tuple(Value("int", 100 + k) for k in range(5)))), GODOT4)
    window.session.show(Document(save(Value("PackedByteArray", inner), *(Value("int", k) for k in range(9)))))
    window.settle()
    tree.expandAll()
    window.settle()
    tree.expandAll()
    rows, chosen = tree.tree_model, tree.selectionModel()
    root = rows.index(0, 0)
    inside = rows.index(0, 0, rows.index(0, 0, root))
    first, last = rows.index(3, 0, root), rows.index(9, 0, root)
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(first).center())
    for index in (last, inside, inside):
        QTest.mouseClick(tree.viewport(), LEFT, CTRL, tree.visualRect(index).center())
    assert [rows.path(index) for index in chosen.selectedRows()] == ["[0][3]", "[0][9]"]
    assert window._parts.status.selection.text() == "Selected 2 rows"
    assert window.session.document is not None
    before = bytes(window.session.document.buffer)
    tree.setFocus()
    QTest.keyClick(tree, Key.Key_Delete)
    assert bytes(window.session.document.buffer) == before


@pytest.mark.parametrize("path", ["[0][0]!0.list", "[0][0]!0.list[1]", "[0][0]!0"])
def test_esc_in_the_field_of_a_new_value_inside_leads_back_to_where_it_was_put_in(
    qtbot: QtBot, window: MainWindow, tree: TreeView, path: str
) -> None:
    document = show(window, packed(GOLD, "base64", GODOT4), Value("int", 3))
    raw, session = bytes(document.buffer[:]), window.session
    session.go_to_place(path)
    act(window, "insert_after" if path.endswith("]") else "insert_into")
    for letter in "int":
        focus = QApplication.focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, letter)
    qtbot.keyClick(QApplication.focusWidget(), Key.Key_Return)
    field = tree.editor.field
    assert field is not None
    qtbot.keyClick(field, Key.Key_Escape)
    assert bytes(document.buffer[:]) == raw
    assert session.path == path
