"""The menu that changes types: what it offers, what it asks, what it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.edits.setting import literal
from viewer.document.path import parse_path
from viewer.document.splice import Edit, Splice
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, ElementType, Value

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
TYPED = Value(
    "Dictionary",
    Dictionary(((Value("String", "list"), Value("Array", Array((Value("int", 1),), ElementType(builtin=2)))),)),
)


@pytest.fixture(autouse=True)
def _opened(window: MainWindow) -> None:
    window.open_path(RPG)


def menu(window: MainWindow, path: str, *submenus: str) -> QMenu:
    """The menu as it is filled for a path, or one of its submenus."""
    window.session.go_to_place(path)
    found = next(m for m in window.findChildren(QMenu) if m.title() == "C&hange Type")
    found.aboutToShow.emit()
    for title in submenus:
        found = next(m for m in found.findChildren(QMenu) if m.title() == title)
    return found


def offered(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text() and action.menu() is None]


def choose(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()


def value(window: MainWindow, path: str) -> str:
    document = window.session.document
    assert isinstance(document, Document)
    return literal(document, parse_path(document, path))


def answering(button: str, said: list[str]) -> Callable[[], None]:
    """Press a button of the question once it is there, and keep what it says."""

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        said.extend([box.text(), *box.informativeText().split("\n")])
        next(b for b in box.buttons() if b.text() == button).click()

    return answer


def test_what_loses_nothing_is_done_at_once(window: MainWindow) -> None:
    choose(menu(window, "[0].player.gold"), "String")

    assert value(window, "[0].player.gold") == '"5000000000"'
    assert window.session.path == "[0].player.gold"


def test_what_loses_something_has_three_dots_and_is_asked_about(window: MainWindow) -> None:
    said: list[str] = []
    QTimer.singleShot(0, window, answering("&Change", said))

    choose(menu(window, "[0].player.hp"), "int…")

    assert said == ["Change [0].player.hp to int?", "87.5 becomes 87."]
    assert value(window, "[0].player.hp") == "87"


def test_nothing_changes_where_the_question_is_answered_with_cancel(window: MainWindow) -> None:
    said: list[str] = []
    QTimer.singleShot(0, window, answering("Cancel", said))

    choose(menu(window, "[0].player.hp"), "Nil…")

    assert said[1:] == ["87.5 is lost."]
    assert value(window, "[0].player.hp") == "87.5"


def test_undo_takes_it_back(window: MainWindow) -> None:
    choose(menu(window, "[0].player.gold"), "float")
    window.session.undo()

    assert value(window, "[0].player.gold") == "5000000000"


def test_the_key_has_a_menu_of_its_own(window: MainWindow) -> None:
    choose(menu(window, "[0].player.gold", "&Key"), "NodePath")

    assert value(window, '[0].player[NodePath("gold")]') == "5000000000"
    assert window.session.path == '[0].player[NodePath("gold")]'


def test_an_element_of_a_packed_array_has_nothing_to_change(window: MainWindow) -> None:
    found = menu(window, "[0].map.tiles[1]")

    assert offered(found) == ["This Has No Type of Its Own"]
    assert not found.actions()[0].isEnabled()


@pytest.fixture
def typed(window: MainWindow, tmp_path: Path) -> MainWindow:
    path = tmp_path / "typed.bin"
    path.write_bytes(encode(TYPED, load("godot4")))
    window.open_path(path)
    return window


def test_what_an_array_holds_is_checked_and_can_be_changed(typed: MainWindow) -> None:
    found = menu(typed, "[0].list", "&Elements Hold")

    assert offered(found) == ["&Anything", "int"]
    assert [action.isChecked() for action in found.actions()] == [False, True]
    choose(found, "&Anything")
    assert value(typed, "[0].list") == "[1]"


def test_only_types_that_hold_everything_are_offered(typed: MainWindow) -> None:
    assert offered(menu(typed, "[0]", "Ke&ys Hold")) == ["&Anything", "String"]
    assert offered(menu(typed, "[0]", "&Values Hold")) == ["&Anything", "Array"]


def test_it_is_reached_from_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    window.session.go_to_place("[0].player.gold")
    tree = window.findChild(TreeView)
    assert isinstance(tree, TreeView)
    tree.setFocus()
    bar = window.menuBar()
    place = next(action for action in bar.actions() if action.text() == "Va&lue")
    bar.setActiveAction(place)
    value_menu = place.menu()
    assert isinstance(value_menu, QMenu)
    qtbot.keyClick(value_menu, Qt.Key.Key_H)
    submenu = next(m for m in window.findChildren(QMenu) if m.title() == "C&hange Type")
    qtbot.keyClick(submenu, Qt.Key.Key_Return)
    QApplication.processEvents()

    assert value(window, "[0].player.gold") == "5000000000.0"


@pytest.mark.parametrize("submenus", [(), ("&Elements Hold",)])
def test_a_type_is_not_given_to_what_changed_since_the_menu_was_filled(
    typed: MainWindow, qtbot: QtBot, submenus: tuple[str, ...]
) -> None:
    found = menu(typed, "[0].list", *submenus)
    document = typed.session.document
    assert isinstance(document, Document)
    typed.session.apply(Edit("nearly all", (Splice(8, bytes(document.buffer[8:]), b""),)))
    before = bytes(document.buffer[:])
    action = next(each for each in found.actions() if each.text() and each.menu() is None and not each.isChecked())
    with qtbot.waitSignal(typed.session.failed) as told:
        action.trigger()
    assert "changed meanwhile" in told.args[0]
    assert bytes(document.buffer[:]) == before
