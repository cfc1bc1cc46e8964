"""The search field: chips for what is looked for, marks in the tree, and the value of a key that was found."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from viewer.document.searching.query import Mode
from viewer.ui.panels.find_chips import FindChips
from viewer.ui.panels.find_field import PAUSE, FindField
from viewer.ui.panels.list_card import SHADOW
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("rpg_open")
KEY, ALT = Qt.Key, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def find(window: MainWindow) -> FindField:
    return window.findChild(FindField, "findField")  # type: ignore[return-value]


@pytest.fixture
def tree(window: MainWindow) -> TreeView:
    return window.findChild(TreeView, "treeView")  # type: ignore[return-value]


def look_for(qtbot: QtBot, find: FindField, text: str) -> None:
    find.focus()
    find.line.setText(text)
    qtbot.waitUntil(lambda: find.runner.is_complete)


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def told(tree: TreeView, path: str) -> tuple[str, int]:
    """What the row of a path tells of a search: in words, and the places below it."""
    model, top = tree.tree_model, tree.tree_model.index(0, 0)
    rows = [model.index(row, 0, top) for row in range(model.rowCount(top))]
    index = next(index for index in rows if model.path(index) == path)
    found = model.facts(index).found
    return (found.words, found.below) if found is not None else ("", 0)


def test_a_found_key_selects_its_value_and_the_next_step_goes_on(
    window: MainWindow, find: FindField, tree: TreeView, qtbot: QtBot
) -> None:
    look_for(qtbot, find, "name")
    paths = []
    for back in (False, False, True):
        press(KEY.Key_Return, Qt.KeyboardModifier.ShiftModifier if back else Qt.KeyboardModifier.NoModifier)
        paths.append(window.session.path)
    assert paths == ["[0].player.name", "[0].inventory[0].name", "[0].player.name"]
    press(KEY.Key_Escape)
    assert tree.hasFocus()


@pytest.mark.parametrize(
    ("mode", "text", "pane"), [(Mode.ANY, "Iron", "treeView"), (Mode.HEX, "49 72 6f 6e", "hexView")]
)
def test_escape_goes_to_the_value_of_a_text_and_to_bytes_that_were_asked_for(
    window: MainWindow, find: FindField, qtbot: QtBot, mode: Mode, text: str, pane: str
) -> None:
    find.set_mode(mode)
    look_for(qtbot, find, text)
    press(KEY.Key_Return)
    assert find.runner.current is not None
    press(KEY.Key_Escape)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus.objectName() == pane


@pytest.mark.parametrize("pane", ["treeView", "hexView"])
@pytest.mark.parametrize("key", [KEY.Key_F, KEY.Key_G])
def test_escape_goes_back_to_the_pane_that_had_the_keys(window: MainWindow, pane: str, key: Qt.Key) -> None:
    for width in (1400, 700):  # where one of them lies behind the other
        window.resize(width, 800)
        place = window._parts.hex if pane == "hexView" else window._parts.tree
        window._parts.work.reveal(place)
        place.setFocus()
        press(key, Qt.KeyboardModifier.ControlModifier)
        assert QApplication.focusWidget() is not place
        press(KEY.Key_Escape)
        assert QApplication.focusWidget() is place


def test_the_keys_never_go_to_a_tree_that_lies_behind_the_bytes(window: MainWindow) -> None:
    window.resize(700, 800)
    window._parts.work.reveal(window._parts.hex)
    window._parts.path_bar.edit()
    press(KEY.Key_Escape)
    assert QApplication.focusWidget() is window._parts.hex


def test_what_was_found_is_marked_in_the_tree_and_counted_on_closed_branches(
    find: FindField, tree: TreeView, qtbot: QtBot
) -> None:
    look_for(qtbot, find, "game")
    assert told(tree, "[0].game") == ("Found in its name", 0)
    look_for(qtbot, find, "name")
    assert told(tree, "[0].player") == ("1 place found below", 1)
    assert told(tree, "[0].inventory")[1] == 24
    assert told(tree, "[0].flags") == ("", 0)
    look_for(qtbot, find, "value: tales")
    assert told(tree, "[0].game")[0] == "Found in its value"
    inventory = tree.tree_model.index(7, 0, tree.tree_model.index(0, 0))
    role = Qt.ItemDataRole.AccessibleDescriptionRole
    look_for(qtbot, find, "iron")
    assert inventory.siblingAtColumn(TreeColumn.NAME).data(role) == "3 places found below"
    find.clear()
    assert told(tree, "[0].inventory") == ("", 0)


def test_chips_say_what_is_looked_for_by_keys_alone(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "gold")
    chips = window.findChild(FindChips, "findChips")
    assert isinstance(chips, FindChips)
    assert chips.isVisible()
    for number, mode in ((KEY.Key_2, Mode.KEY), (KEY.Key_4, Mode.TYPE), (KEY.Key_3, Mode.VALUE)):
        press(number, ALT)
        assert (find.mode, find.runner.query.mode, find.line.text()) == (mode, mode, "gold")
        assert [own for own, chip in chips.chips.items() if chip.isChecked()] == [mode]
        assert find.mode_button.isVisible()
    press(KEY.Key_Home)
    press(KEY.Key_Backspace)
    assert (find.mode, find.mode_button.isVisible()) == (Mode.ANY, False)
    press(KEY.Key_Tab)
    assert QApplication.focusWidget() is chips.chips[Mode.ANY]
    press(KEY.Key_Right)
    press(KEY.Key_Space)
    assert find.mode is Mode.KEY
    assert find.line.hasFocus()
    window.session.select(window.session.item)
    tree = window.findChild(TreeView, "treeView")
    assert isinstance(tree, TreeView)
    tree.setFocus()
    qtbot.waitUntil(lambda: not chips.isVisible())


def test_a_word_in_front_becomes_a_chip(find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "key: gold")
    assert (find.mode, find.line.text(), find.mode_button.text()) == (Mode.KEY, "gold", "Keys")
    look_for(qtbot, find, "type: Rect2")
    assert (find.mode, find.count_text) == (Mode.TYPE, "1")


def test_the_chips_stay_below_the_field_when_it_grows(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    window.resize(900, 600)
    QApplication.processEvents()
    window._actions["find"].trigger()
    qtbot.waitUntil(lambda: window.findChild(FindChips) is not None)
    chips = window.findChild(FindChips)
    assert isinstance(chips, FindChips)
    qtbot.waitUntil(chips.isVisible)
    QTest.qWait(50)
    right = find.mapTo(window, QPoint(find.width(), 0)).x()
    assert abs(chips.geometry().right() + 1 - SHADOW - right) <= 1


def test_what_is_wrong_is_not_said_over_what_a_person_went_on_to(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    find.focus()
    QTest.keyClicks(find.line, "hex:z")
    qtbot.waitUntil(find._sentence.isVisible)
    tree = window.findChild(TreeView, "treeView")
    assert isinstance(tree, TreeView)
    tree.setFocus()
    qtbot.waitUntil(lambda: not find._sentence.isVisible())
    find.focus()
    QTest.keyClicks(find.line, "zz")
    tree.setFocus()
    QTest.qWait(PAUSE + 100)
    assert not find._sentence.isVisible()


def test_a_long_text_is_looked_for_and_put_in_whole(window: MainWindow, find: FindField) -> None:
    long = "a" * 40_000
    find.line.setText(long)
    window._panes.show_replace()
    replace_line = window.findChild(QLineEdit, "replaceLine")
    assert isinstance(replace_line, QLineEdit)
    replace_line.setText(long)
    assert (find.line.text(), replace_line.text()) == (long, long)


def test_a_click_beside_the_path_takes_the_keys(window: MainWindow, tree: TreeView) -> None:
    window.resize(1400, 800)
    window._parts.hex.setFocus()
    press(KEY.Key_G, Qt.KeyboardModifier.ControlModifier)
    place = tree.visualRect(tree.tree_model.index(0, 0)).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert QApplication.focusWidget() is tree
    press(KEY.Key_G, Qt.KeyboardModifier.ControlModifier)
    QTest.mouseClick(window._parts.hex.viewport(), Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is window._parts.hex
    press(KEY.Key_G, Qt.KeyboardModifier.ControlModifier)
    press(KEY.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget().objectName() == "findLine"
    press(KEY.Key_Escape)
    assert QApplication.focusWidget() is window._parts.hex
