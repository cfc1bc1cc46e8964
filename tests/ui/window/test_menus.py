"""Menus: what cannot work is grey there with its reason, keys still tell it, and what was deleted comes back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.ui.packets.entries import AT_ROW
from viewer.ui.panels.list_card import ListCard
from viewer.ui.sheets.table_entries import AT_CELL
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.tree_rows import TreeHeader
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.menus import BYTES, TEXT, TREE

Key = Qt.Key
HIGHEST = 700


def at(window: MainWindow, path: str) -> None:
    window.session.go_to_place(path)
    window._parts.tree.setFocus()


def within(menu: QMenu) -> Iterator[QAction]:
    """The actions of a menu and of the menus in it."""
    for action in menu.actions():
        yield action
        group = action.menu()
        if isinstance(group, QMenu):
            yield from within(group)


def greyed(window: MainWindow, top: str) -> dict[str, str]:
    """The grey actions of a menu of the bar while it is open, with their tooltips."""
    menu = next(action.menu() for action in window.menuBar().actions() if action.text().replace("&", "") == top)
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    found = {a.objectName(): a.toolTip() for a in within(menu) if a.objectName() and not a.isEnabled()}
    menu.aboutToHide.emit()
    return found


@pytest.mark.usefixtures("rpg_open")
@pytest.mark.parametrize(
    ("path", "name", "why"),
    [
        ("[0].player.gold", "sort_keys", "This value holds no others; choose an array, a dictionary or an object"),
        ("[0].player.gold", "insert_into", "This value holds no others; choose an array, a dictionary or an object"),
        ("[0].player.gold", "look_inside", "Only byte arrays and texts hold values inside: select one"),
        ("[0].player.gold", "edit_grid", "Only packed arrays have a grid: select one"),
        ("[0].inventory", "edit_in_editor", "What is in this collection is edited in the tree: open it there"),
        ("[0].player.name", "edit_in_editor", ""),
        ("[0].inventory[0]", "move_up", "This is the first value of its collection"),
        ("[0].inventory[0]", "rename_key", "This value has no key; only values of dictionaries and objects have one"),
        ("[0]", "to_bare", ""),
        ("[0]", "to_stored", "The values of this file have length prefixes already"),
    ],
)
def test_a_menu_greys_what_cannot_work_and_its_tooltip_says_why(
    window: MainWindow, path: str, name: str, why: str
) -> None:
    at(window, path)
    top = "Edit" if name in ("edit_grid", "edit_in_editor") else "Value"
    found = greyed(window, top)
    assert found.get(name, "") == why
    assert all(tip for tip in found.values())


def test_without_a_file_every_grey_action_has_a_reason(window: MainWindow) -> None:
    for action in window.menuBar().actions():
        for name, tip in greyed(window, action.text().replace("&", "")).items():
            assert tip
            assert not tip.startswith(window._actions[name].statusTip() or "\0"), (name, tip)


@pytest.mark.usefixtures("rpg_open")
def test_with_a_file_every_grey_action_has_a_reason(window: MainWindow) -> None:
    at(window, "[0].player.gold")
    for action in window.menuBar().actions():
        for name, tip in greyed(window, action.text().replace("&", "")).items():
            assert not tip.startswith(window._actions[name].statusTip() or "\0"), (name, tip)


@pytest.mark.usefixtures("rpg_open")
def test_once_the_menu_is_gone_the_key_tells_the_reason(window: MainWindow, qtbot: QtBot) -> None:
    at(window, "[0].inventory[0]")
    assert "rename_key" in greyed(window, "Value")
    qtbot.waitUntil(lambda: window._actions["rename_key"].isEnabled())
    assert window._actions["rename_key"].toolTip().startswith("Change the key")
    with qtbot.waitSignal(window.session.failed) as failed:
        QTest.keyClick(window._parts.tree, Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    assert failed.args == ["This value has no key; only values of dictionaries and objects have one."]


@pytest.mark.usefixtures("rpg_open")
def test_a_menu_reached_from_the_one_beside_it_stays_grey(window: MainWindow, qtbot: QtBot) -> None:
    at(window, "[0].player.gold")
    edit, value = (a.menu() for a in window.menuBar().actions() if a.text().replace("&", "") in ("Edit", "Value"))
    assert isinstance(edit, QMenu)
    assert isinstance(value, QMenu)
    edit.aboutToShow.emit()
    edit.aboutToHide.emit()
    value.aboutToShow.emit()
    QApplication.processEvents()
    names = ("look_inside", "insert_into", "to_stored")
    assert [name for name in names if window._actions[name].isEnabled()] == []
    value.aboutToHide.emit()
    qtbot.waitUntil(lambda: all(window._actions[name].isEnabled() for name in names))


@pytest.mark.usefixtures("rpg_open")
def test_the_menu_at_a_row_has_lines_between_its_groups(window: MainWindow, qtbot: QtBot) -> None:
    window._menus.pop_up(TREE, window.mapToGlobal(window.rect().center()))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.toolTipsVisible()
    assert [a.objectName() or None for a in menu.actions()] == list(TREE)
    menu.close()
    for names in (TREE, BYTES, TEXT):
        assert None in names
        assert names[0] is not None
        assert names[-1] is not None


def test_no_menu_is_higher_than_a_small_screen(window: MainWindow) -> None:
    heights = {}
    for action in window.menuBar().actions():
        top = action.menu()
        assert isinstance(top, QMenu)
        for menu in (top, *(m for each in within(top) if isinstance(m := each.menu(), QMenu))):
            heights[menu.title()] = menu.sizeHint().height()
    for names in (TREE, BYTES, TEXT, AT_CELL, AT_ROW):
        window._menus.pop_up(names, window.mapToGlobal(window.rect().center()))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        heights[str(names[:2])] = menu.sizeHint().height()
        menu.close()
    assert {name: height for name, height in heights.items() if height > HIGHEST} == {}


@pytest.mark.usefixtures("rpg_open")
def test_what_cannot_work_in_a_group_is_grey_while_its_menu_is_open(window: MainWindow) -> None:
    at(window, "[0].inventory[0]")
    assert "move_up" in greyed(window, "Value")
    QTest.keyClick(
        window._parts.tree, Key.Key_Down, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert window.session.path == "[0].inventory[1]"  # the keys work as they stood in the menu itself


@pytest.mark.usefixtures("rpg_open")
def test_a_deletion_offers_undo_until_something_else_is_done(window: MainWindow) -> None:
    document = window.session.document
    assert isinstance(document, Document)
    raw = bytes(document.buffer[:])
    at(window, "[0].player.gold")
    QTest.keyClick(window._parts.tree, Key.Key_Delete)
    toast = window._toast.get()
    assert toast.line.text() == "Deleted [0].player.gold."
    assert toast.action_button.text() == "Undo"
    toast.action_button.click()
    assert bytes(document.buffer[:]) == raw
    QTest.keyClick(window._parts.tree, Key.Key_Delete)
    window._actions["duplicate"].trigger()
    doubled = bytes(document.buffer[:])
    assert toast.isHidden()
    toast.action_button.click()
    assert bytes(document.buffer[:]) == doubled  # what was done since is not taken back in its place
    window._actions["undo"].trigger()
    window._actions["undo"].trigger()
    QTest.keyClick(window._parts.tree, Key.Key_Delete)
    assert toast.isVisible()
    window._actions["undo"].trigger()
    assert toast.isHidden()
    toast.action_button.click()
    assert bytes(document.buffer[:]) == raw
    at(window, "[0].player.gold")
    QTest.keyClick(window._parts.tree, Key.Key_Delete)
    window._actions["undo"].trigger()
    window.session.overwrite(540, b"\7")  # as many edits are done as before
    changed = bytes(document.buffer[:])
    toast.action_button.click()
    assert bytes(document.buffer[:]) == changed


@pytest.mark.usefixtures("rpg_open")
def test_messages_can_be_read_again_with_their_file(window: MainWindow) -> None:
    at(window, "[0].player.gold")
    QTest.keyClick(window._parts.tree, Key.Key_Delete)
    window._say("A second sentence.")
    window._toast.get().hide()
    window._actions["messages"].trigger()
    card = window.findChild(ListCard, "messageList")
    assert isinstance(card, ListCard)
    assert [row.title for row in card.rows] == ["A second sentence.", "Deleted [0].player.gold."]
    assert {row.detail for row in card.rows} == {window.session.document.name}  # type: ignore[union-attr]
    QTest.keyClicks(card.field, "deleted")
    QTest.keyClick(card.field, Key.Key_Return)
    assert card.isHidden()
    assert QGuiApplication.clipboard().text() == "Deleted [0].player.gold."
    toast = window._toast.get()
    assert (toast.isVisible(), toast.line.text(), len(toast.said)) == (True, "Deleted [0].player.gold.", 2)


@pytest.mark.usefixtures("rpg_open")
def test_columns_of_the_tree_are_chosen_and_kept(window: MainWindow) -> None:
    tree = window._parts.tree
    header = tree.columns
    menu = window._actions.menus["columns"]
    menu.aboutToShow.emit()
    shown = [(a.text().replace("&", ""), a.isChecked()) for a in menu.actions()]
    assert shown == [("Type", True), ("Offset", True), ("Size", True)]
    value = header.sectionSize(TreeColumn.VALUE)
    menu.actions()[1].trigger()
    assert header.isSectionHidden(TreeColumn.OFFSET)
    assert header.sectionSize(TreeColumn.VALUE) > value  # the others have its room
    other = TreeHeader(window._theme_now())
    other.restore_widths(tree.save_state())
    assert [other.wants(column) for column in (TreeColumn.TYPE, TreeColumn.OFFSET, TreeColumn.SIZE)] == [
        True,
        False,
        True,
    ]
    other.restore_widths(b'{"share": null, "chosen": {}, "left_out": ["0", 99]}')
    assert other.wants(TreeColumn.NAME)
    menu.aboutToShow.emit()
    menu.actions()[1].trigger()
    assert not header.isSectionHidden(TreeColumn.OFFSET)


@pytest.mark.usefixtures("rpg_open")
def test_undo_tells_what_changed_elsewhere_and_shows_it(window: MainWindow) -> None:
    document = window.session.document
    assert isinstance(document, Document)
    at(window, "[0].player.gold")
    window.session.set_literal(parse_path(document, "[0].player.gold"), "77")
    window._actions["undo"].trigger()
    assert window._toast.part is None or window._toast.get().isHidden()  # it is what is selected
    window._actions["redo"].trigger()
    at(window, "[0].inventory[2]")
    window._actions["undo"].trigger()
    toast = window._toast.get()
    assert toast.line.text() == "Undone: Set [0].player.gold."
    assert window.session.path == "[0].inventory[2]"
    toast.action_button.click()
    assert window.session.path == "[0].player.gold"
    at(window, "[0].inventory[2]")
    window._actions["redo"].trigger()
    assert toast.line.text() == "Done again: Set [0].player.gold."
