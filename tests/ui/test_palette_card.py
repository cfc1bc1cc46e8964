"""The command palette as a person uses it, with keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.panels.list_card import ListCard
from viewer.ui.settings import Settings
from viewer.ui.window.actions import all_entries
from viewer.ui.window.command_palette import commands
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.shortcuts_dialog import ShortcutsDialog, _native

pytestmark = pytest.mark.usefixtures("rpg_open")
KEY = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def opened(window: MainWindow, text: str = "") -> ListCard:
    QTest.keyClick(QApplication.focusWidget(), KEY.Key_P, CTRL | SHIFT)
    found = window.findChild(ListCard, "commandPalette")
    assert isinstance(found, ListCard)
    QTest.keyClicks(QApplication.focusWidget(), text)
    return found


def press(key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)


def test_every_action_is_in_a_menu_and_the_palette_and_its_keys_are_listed(window: MainWindow) -> None:
    bar = window.window().findChild(QMenuBar)
    found = {command.key: command for command in commands(bar, is_open=True)}
    below = {  # menus below menus, whose own entries are found in their place
        menu.menuAction().objectName() for menu in bar.findChildren(QMenu) if menu.menuAction().objectName()
    }
    entries = [entry for _, entry in all_entries()]
    assert [entry.name for entry in entries if entry.name not in {*found, *below}] == []
    listed = {label.text() for label in ShortcutsDialog(window).findChildren(PlainLabel)}
    with_keys = [entry for entry in entries if entry.keys]
    assert [entry.name for entry in with_keys if _native(entry.keys) not in listed] == []
    assert [entry.name for entry in with_keys if entry.tip not in listed] == []
    own = [action for action in window.findChildren(QAction) if not action.shortcut().isEmpty()]
    assert own
    assert [action.text() for action in own if action.objectName() not in {entry.name for entry in with_keys}] == []


def test_the_chosen_action_is_run_and_the_focus_goes_back(window: MainWindow) -> None:
    before = QApplication.focusWidget()
    card = opened(window, "inspector")
    assert card.isVisible()
    assert card.rows[0].title == "Inspector"
    press(KEY.Key_Return)
    assert card.isHidden()
    assert QApplication.focusWidget() is before
    assert not window.findChild(type(window._parts.inspector), "inspector").isVisible()


def test_escape_and_the_shortcut_itself_close_it(window: MainWindow) -> None:
    card = opened(window)
    press(KEY.Key_Escape)
    assert card.isHidden()
    opened(window)
    assert card.isVisible()
    opened(window)
    assert card.isHidden()


def test_rows_tell_menu_and_shortcut(window: MainWindow) -> None:
    card = opened(window, "save as")
    assert (card.rows[0].title, card.rows[0].detail, card.rows[0].end) == ("Save As…", "File", "Ctrl+Shift+S")
    assert card.rows[0].found[:4] == (0, 1, 2, 3)


def test_what_cannot_be_done_says_why_and_is_not_run(window: MainWindow) -> None:
    card = opened(window, "undo")
    assert not card.rows[0].enabled
    assert card.rows[0].detail == "Nothing has been changed yet"
    press(KEY.Key_Return)
    assert card.isVisible()
    assert card.foot.text() == "Nothing has been changed yet."


def test_without_a_file_the_reason_is_that(window: MainWindow) -> None:
    window.session.show(None)
    card = opened(window, "zoom in")
    assert card.rows[0].detail == "Open a file first"


def test_what_was_run_last_comes_first(window: MainWindow) -> None:
    opened(window, "next pane")
    press(KEY.Key_Return)
    card = opened(window)
    assert card.rows[0].title == "Next Pane"
    assert card.rows[1].title == "Open…"


def test_the_commands_run_last_are_kept(window: MainWindow) -> None:
    settings = Settings()
    settings.recent_commands = ["redo", "undo"]
    assert Settings().recent_commands == ["redo", "undo"]
    settings.recent_commands = []
    assert Settings().recent_commands == []


def test_entries_of_submenus_are_found(window: MainWindow) -> None:
    card = opened(window, "theme dark")
    assert card.rows[0].title == "Theme: Dark"
    assert card.rows[0].detail == "View > Theme"


@pytest.mark.parametrize("text", ["@[0].player.gold", "[0].player.gold"])
def test_a_path_goes_there(window: MainWindow, text: str) -> None:
    card = opened(window, text)
    assert card.rows[0].title == "Go to [0].player.gold"
    press(KEY.Key_Return)
    assert window.session.path == "[0].player.gold"
    assert card.isHidden()


def test_an_offset_goes_there(window: MainWindow) -> None:
    opened(window, "0x1A0")
    press(KEY.Key_Return)
    assert window.session.caret == 0x1A0


def test_a_wrong_path_says_so_and_keeps_the_text(window: MainWindow) -> None:
    card = opened(window, "@[0].nobody")
    press(KEY.Key_Return)
    assert card.isVisible()
    assert card.field.text() == "@[0].nobody"
    assert "nobody" in card.foot.text()


def test_letters_that_fit_nothing_say_so(window: MainWindow) -> None:
    card = opened(window, "qqqq")
    assert card.rows == ()
    assert "qqqq" in card.foot.text()
    press(KEY.Key_Return)
    assert card.isVisible()


def test_arrows_go_around_the_end(window: MainWindow) -> None:
    card = opened(window)
    press(KEY.Key_Up)
    assert card.row == len(card.rows) - 1
    press(KEY.Key_Down)
    assert card.row == 0


def test_it_goes_when_the_focus_does(window: MainWindow) -> None:
    card = opened(window)
    window._parts.hex.setFocus()
    assert card.isHidden()
    assert window._parts.hex.hasFocus()


def test_it_stays_within_a_small_window(window: MainWindow) -> None:
    window.resize(640, 420)
    card = opened(window)
    assert window.rect().contains(card.geometry().adjusted(12, 12, -12, -12))
