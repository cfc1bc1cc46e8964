"""Keys that save, close or leave while a cell is being edited: what was typed there counts, and is lost in no way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.sheets.sheet_pane import SheetPane
from viewer.ui.window.main_window import MainWindow

CONTROL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key
GOLD, COUNT = "[0].player.gold", "[0].inventory[1].count"
NEW = 4321


def number(data: bytes, path: str) -> int:
    document = Document(data)
    span = outline.span(document, parse_path(document, path))
    return int.from_bytes(document.buffer[span.start + 4 : span.end], "little")


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    found = QApplication.focusWidget()
    assert found is not None
    QTest.keyClick(found, key, modifier)


def type_text(text: str) -> None:
    found = QApplication.focusWidget()
    assert found is not None
    QTest.keyClicks(found, text)


def in_tree(window: MainWindow) -> str:
    """Begin to edit a number in the tree."""
    window.session.go_to_place(GOLD)
    window._parts.tree.setFocus()
    press(Key.Key_F2)
    return GOLD


def in_table(window: MainWindow) -> str:
    """Begin to edit a number in the table."""
    window.session.go_to_place(COUNT)
    window._actions["table"].trigger()
    window._parts.tree_pane.window().findChild(SheetPane).view.setFocus()
    press(Key.Key_F2)
    return COUNT


Begin = Callable[[MainWindow], str]
PLACES = pytest.mark.parametrize("begin", [in_tree, in_table])


@pytest.fixture
def opened(window: MainWindow, rpg_path: Path) -> Path:
    window.open_path(rpg_path)
    window.activateWindow()
    return rpg_path


@pytest.fixture
def opened_beside(window: MainWindow, opened: Path, tmp_path: Path) -> Path:
    """A file that is shown, with another one in the tab beside it."""
    other = tmp_path / "other.save"
    other.write_bytes(opened.read_bytes())
    window.open_path(other)
    window.open_path(opened)
    return opened


@PLACES
def test_what_is_typed_is_saved_by_the_key(window: MainWindow, opened: Path, begin: Begin) -> None:
    path = begin(window)
    type_text(str(NEW))
    press(Key.Key_S, CONTROL)
    assert number(opened.read_bytes(), path) == NEW
    assert window.session.document is not None
    assert not window.session.document.modified


@PLACES
@pytest.mark.parametrize("leave", ["close", "quit"])
def test_what_is_typed_is_asked_about_and_saved_when_all_goes(
    window: MainWindow, opened: Path, begin: Begin, leave: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda *_: asked.append("") or UserChoice.SAVE)
    path = begin(window)
    type_text(str(NEW))
    if leave == "close":
        press(Key.Key_W, CONTROL)
    else:
        window.close()
    assert len(asked) == 1
    assert number(opened.read_bytes(), path) == NEW


@PLACES
def test_what_is_typed_stays_while_another_tab_is_shown(window: MainWindow, opened_beside: Path, begin: Begin) -> None:
    path = begin(window)
    document = window.session.document
    type_text(str(NEW))
    press(Key.Key_Tab, CONTROL)
    assert window.session.document is not document
    assert document is not None
    assert document.modified
    assert number(bytes(document.buffer[:]), path) == NEW


@PLACES
def test_what_is_no_value_stays_in_its_field_and_is_not_left_unasked(
    window: MainWindow, opened: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: said.append(sentence))
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda *_: asked.append("") or UserChoice.CANCEL)
    before = opened.read_bytes()
    begin(window)
    type_text("12 apples")
    field = QApplication.focusWidget()
    press(Key.Key_S, CONTROL)
    assert opened.read_bytes() == before
    assert said == ["What is typed cannot be saved: One value belongs here. “apples” is unexpected."]
    press(Key.Key_W, CONTROL)
    assert len(asked) == 1
    assert QApplication.focusWidget() is field
    press(Key.Key_Escape)
    assert not window.session.has_typed
    press(Key.Key_W, CONTROL)
    assert window.session.document is None


@PLACES
def test_a_field_in_which_nothing_was_typed_changes_nothing(window: MainWindow, opened: Path, begin: Begin) -> None:
    begin(window)
    assert not window.session.has_typed
    window.session.settle()
    assert window.session.document is not None
    assert not window.session.document.modified
    assert not window.session.document.history.can_undo


def test_another_deed_by_a_key_comes_after_what_is_typed(window: MainWindow, opened: Path) -> None:
    in_tree(window)
    type_text(str(NEW))
    press(Key.Key_D, CONTROL)
    document = window.session.document
    assert document is not None
    assert document.history.done == 2
    assert number(bytes(document.buffer[:]), GOLD) == NEW


@PLACES
def test_what_is_no_value_is_told_when_another_tab_is_shown(
    window: MainWindow, opened_beside: Path, begin: Begin
) -> None:
    said: list[str] = []
    window.session.failed.connect(said.append)
    begin(window)
    type_text("12x")
    press(Key.Key_Tab, CONTROL)
    assert len(said) == 1
    assert said[0].endswith("keeps its value.")
    assert not window.session.has_typed


@PLACES
def test_a_file_that_another_program_wrote_is_not_read_while_a_cell_is_edited(
    window: MainWindow, opened: Path, begin: Begin
) -> None:
    window._settings.reload_unasked = True
    window._build_guard()
    assert window._guard is not None
    begin(window)
    type_text("12")
    field = QApplication.focusWidget()
    opened.write_bytes(opened.read_bytes())
    window._guard._changed_on_disk()
    assert QApplication.focusWidget() is field
    assert window.session.document is not None
    assert not window.session.document.modified


def test_a_file_that_another_program_wrote_is_not_read_while_a_dialog_asks(
    window: MainWindow, opened: Path, qtbot: QtBot
) -> None:
    window._settings.reload_unasked = True
    window._build_guard()
    assert window._guard is not None
    shown = window.session.document
    box = QDialog(window)
    box.open()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is box)
    opened.write_bytes(opened.read_bytes()[:-4])
    window._guard._changed_on_disk()
    assert window.session.document is shown
    box.close()


def test_a_view_of_the_same_file_takes_what_was_typed_before_it_is_edited_itself(
    window: MainWindow, opened: Path
) -> None:
    in_tree(window)
    type_text(str(NEW))
    editor = window._parts.tree.editor
    window.session.go_to_place(COUNT)
    editor.open(window._parts.tree.currentIndex())
    assert window.session.document is not None
    assert number(bytes(window.session.document.buffer[:]), GOLD) == NEW
    assert editor.is_open


def test_undo_of_a_toast_takes_back_what_it_speaks_of_or_nothing(window: MainWindow, opened: Path) -> None:
    window.session.go_to_place("[0].player.xp")
    window._parts.tree.setFocus()
    press(Key.Key_Delete)
    toast = window._toast.get()
    assert toast.action_button.isVisible()
    in_tree(window)
    type_text(str(NEW))
    toast.action_button.click()
    document = window.session.document
    assert document is not None
    assert number(bytes(document.buffer[:]), GOLD) == NEW
    assert document.history.done == 2
