"""The list of changes as a person uses it, with keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.splice import EditLabel
from viewer.ui.panels.list_card import ListCard
from viewer.ui.window.main_window import MainWindow

KEY = Qt.Key
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
PATHS = ("[0].player.gold", "[0].player.name", "[0].player.hp")


@pytest.fixture(autouse=True)
def _changed(window: MainWindow, rpg_path: Path) -> None:
    """The save is open, with three changes."""
    window.session.show(Document.open(rpg_path))
    for path, value in zip(PATHS, ("1", '"Somebody longer"', "2.0"), strict=True):
        put(window, path, value)


def put(window: MainWindow, path: str, value: str) -> None:
    document = window.session.document
    assert document is not None
    window.session.set_literal(parse_path(document, path), value)
    window.session.seal()


def done(window: MainWindow) -> int:
    assert window.session.document is not None
    return window.session.document.history.done


def opened(window: MainWindow) -> ListCard:
    QTest.keyClick(QApplication.focusWidget(), KEY.Key_Z, CTRL | ALT)
    found = window.findChild(ListCard, "historyList")
    assert isinstance(found, ListCard)
    return found


def press(key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)


def test_home_and_enter_undo_everything(window: MainWindow) -> None:
    assert window.session.document is not None
    card = opened(window)
    press(KEY.Key_Home)
    assert card.row == 0
    press(KEY.Key_Return)
    assert (done(window), window.session.document.modified) == (0, False)
    QTest.keyClicks(QApplication.focusWidget(), "[0]")
    QTest.keyClick(QApplication.focusWidget(), KEY.Key_End, CTRL)
    assert card.row == len(card.rows) - 1


def test_it_lists_the_changes_with_now_and_the_saved_state(window: MainWindow) -> None:
    card = opened(window)
    assert [row.end for row in card.rows] == ["saved", "", "", "now"]
    assert card.row == 3
    assert card.rows[3].strong
    assert card.rows[0].title == "As opened"


def test_enter_jumps_over_several_changes_in_one_and_it_stays(qtbot: QtBot, window: MainWindow) -> None:
    card = opened(window)
    for _ in range(3):
        press(KEY.Key_Up)
    changes: list[object] = []
    window.session.changed.connect(changes.append)
    press(KEY.Key_Return)
    assert done(window) == 0
    assert len(changes) == 1
    assert card.isVisible()
    assert [row.end for row in card.rows] == ["now, saved", "undone", "undone", "undone"]
    press(KEY.Key_PageDown)
    press(KEY.Key_Return)
    assert done(window) == 3
    assert len(changes) == 2


def test_a_click_jumps(window: MainWindow) -> None:
    card = opened(window)
    place = card.list.visualRect(card.model.index(1)).center()
    QTest.mouseClick(card.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert done(window) == 1


def test_now_itself_is_no_jump(window: MainWindow) -> None:
    opened(window)
    press(KEY.Key_Return)
    assert done(window) == 3


def test_the_saved_mark_follows_a_save(window: MainWindow) -> None:
    window.session.undo()
    window.session.save()
    assert [row.end for row in opened(window).rows] == ["", "", "now, saved", "undone"]


def test_letters_narrow_it_down(window: MainWindow) -> None:
    card = opened(window)
    QTest.keyClicks(QApplication.focusWidget(), "gold")
    assert len(card.rows) == 1
    press(KEY.Key_Return)
    assert done(window) == 1


def test_a_file_without_changes_says_what_would_stand_here(window: MainWindow) -> None:
    assert window.session.document is not None
    window.session.show(Document(bytes(window.session.document.buffer[:])))
    card = opened(window)
    assert len(card.rows) == 1
    assert card.foot.text().startswith("Nothing has been changed yet.")


def test_the_selection_is_where_it_was(window: MainWindow) -> None:
    window.session.go_to_place("[0].player.mana")
    opened(window)
    press(KEY.Key_Up)
    press(KEY.Key_Up)
    press(KEY.Key_Return)
    assert window.session.path == "[0].player.mana"


def test_it_goes_with_the_document(window: MainWindow) -> None:
    card = opened(window)
    window.session.show(None)
    assert card.isHidden()


def test_the_menu_says_what_undo_takes_back_in_words_made_when_it_opens(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(label: EditLabel) -> str:
        raise AssertionError("Nobody reads a label here.")

    undo, redo = (window.findChild(QAction, name) for name in ("undo", "redo"))
    assert isinstance(undo, QAction)
    assert isinstance(redo, QAction)
    menu = next(menu for menu in undo.associatedObjects() if isinstance(menu, QMenu))
    with monkeypatch.context() as patch:
        patch.setattr(EditLabel, "__str__", unread)
        put(window, PATHS[0], "7")
        window.session.undo()
        assert undo.isEnabled()
        assert redo.isEnabled()
    menu.aboutToShow.emit()
    assert (undo.text(), redo.text()) == (f"&Undo Set {PATHS[2]}", f"&Redo Set {PATHS[0]}")
    for _ in PATHS:
        window.session.undo()
    menu.aboutToShow.emit()
    assert (undo.text(), undo.isEnabled()) == ("&Undo", False)
