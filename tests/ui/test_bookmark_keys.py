"""Bookmarks as a person uses them, with keys."""

from __future__ import annotations

from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.base.assets import user_folder
from viewer.container.layer import Secret
from viewer.document.bookmarks import Bookmark, load
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.list_card import ListCard
from viewer.ui.panels.note_card import NoteCard
from viewer.ui.settings import Settings
from viewer.ui.window.main_window import MainWindow

KEY = Qt.Key
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "rpg.save"
    path.write_bytes(next(f.path for f in corpus.files("godot3") if f.path.name == "rpg.save").read_bytes())
    return path


@pytest.fixture
def window(qtbot: QtBot, save: Path) -> MainWindow:
    return shown(qtbot, save)


def shown(qtbot: QtBot, path: Path, choice: ReadOptions | None = None) -> MainWindow:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    found = MainWindow(Settings(), ThemeController(app, "light"))
    qtbot.addWidget(found, before_close_func=lambda _: found.session.show(None))
    found.resize(1400, 900)
    with qtbot.waitExposed(found):
        found.show()
    found.open_path(path, choice)
    return found


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def write(text: str) -> None:
    QTest.keyClicks(QApplication.focusWidget(), text)


def mark(window: MainWindow, path: str, note: str = "") -> None:
    window.session.go_to_place(path)
    window._parts.tree.setFocus()
    press(KEY.Key_B, CTRL)
    write(note)
    press(KEY.Key_Return)


def kept(save: Path) -> list[Bookmark]:
    return load(user_folder("bookmarks"), save)


def card(window: MainWindow) -> ListCard:
    press(KEY.Key_B, CTRL | SHIFT)
    found = window.findChild(ListCard, "bookmarkList")
    assert isinstance(found, ListCard)
    return found


def test_a_bookmark_with_a_note_is_set_and_kept(window: MainWindow, save: Path) -> None:
    mark(window, "[0].player.gold", "my gold")
    assert window._parts.tree.hasFocus()
    assert [(found.path, found.note) for found in kept(save)] == [("[0].player.gold", "my gold")]


def test_bookmarks_of_an_encrypted_save_keep_no_name_of_it_on_the_disk(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "closed.save"
    path.write_bytes((corpus.DATA / "godot3" / "files" / "enc_pass_one.save").read_bytes())
    opening = ReadOptions(opening=UnwrapOptions(None, Secret.of_password("hunter2")))
    for _ in range(2):  # the second window finds what the first one kept
        window = shown(qtbot, path, opening)
        if not kept(path):
            mark(window, "[0].level", "mine")
    assert [found.path for found in window._comfort._bookmarks.keeper.marks.marks] == ["[0].level"]
    files = [each for each in user_folder("bookmarks").rglob("*") if each.is_file()]
    assert files
    assert not [each for each in files if b"level" in each.read_bytes()]


def test_escape_sets_it_without_a_note(window: MainWindow, save: Path) -> None:
    window.session.go_to_place("[0].player.gold")
    press(KEY.Key_B, CTRL)
    write("not this")
    press(KEY.Key_Escape)
    assert [found.note for found in kept(save)] == [""]


def test_a_note_is_kept_when_the_focus_goes_elsewhere(window: MainWindow, save: Path) -> None:
    window.session.go_to_place("[0].player.gold")
    press(KEY.Key_B, CTRL)
    write("half a note")
    window._parts.hex.setFocus()
    assert [found.note for found in kept(save)] == ["half a note"]


def test_the_note_is_asked_for_beside_the_row(window: MainWindow) -> None:
    window.session.go_to_place("[0].player.gold")
    press(KEY.Key_B, CTRL)
    note = window.findChild(NoteCard, "noteCard")
    assert isinstance(note, NoteCard)
    tree = window._parts.tree
    row = tree.viewport().mapTo(window, tree.row_rect(tree.currentIndex()).bottomLeft())
    assert abs(note.geometry().top() - row.y()) < 24
    assert window.rect().contains(note.geometry())


def test_the_same_key_takes_it_away_and_brings_it_back(window: MainWindow, save: Path) -> None:
    mark(window, "[0].player.gold", "my gold")
    press(KEY.Key_B, CTRL)
    assert kept(save) == []
    press(KEY.Key_B, CTRL)
    press(KEY.Key_Return)
    assert [found.note for found in kept(save)] == ["my gold"]


def test_alt_and_arrows_step_through_them(window: MainWindow) -> None:
    for path in ("[0].player.gold", "[0].quests"):
        mark(window, path)
    press(KEY.Key_Down, ALT)
    assert window.session.path == "[0].player.gold"
    press(KEY.Key_Down, ALT)
    assert window.session.path == "[0].quests"
    press(KEY.Key_Up, ALT)
    assert window.session.path == "[0].player.gold"


def test_another_window_knows_them(qtbot: QtBot, window: MainWindow, save: Path) -> None:
    mark(window, "[0].player.gold", "my gold")
    window.session.show(None)
    other = shown(qtbot, save)
    press(KEY.Key_Down, ALT)
    assert other.session.path == "[0].player.gold"


def test_the_list_tells_path_note_and_offset_and_goes_there(window: MainWindow) -> None:
    mark(window, "[0].player.gold", "my gold")
    mark(window, "[0].quests")
    found = card(window)
    assert (found.rows[0].title, found.rows[0].detail, found.rows[0].end) == ("[0].player.gold", "my gold", "0x000214")
    assert found.row == 1
    write("my")
    press(KEY.Key_Return)
    assert window.session.path == "[0].player.gold"
    assert found.isHidden()


def test_delete_takes_one_out_of_the_list(window: MainWindow, save: Path) -> None:
    mark(window, "[0].player.gold")
    mark(window, "[0].quests")
    found = card(window)
    press(KEY.Key_Up)
    press(KEY.Key_Delete)
    assert [row.title for row in found.rows] == ["[0].quests"]
    assert [left.path for left in kept(save)] == ["[0].quests"]
    assert found.isVisible()


def test_f2_in_the_list_writes_the_note(window: MainWindow, save: Path) -> None:
    mark(window, "[0].player.gold", "old")
    card(window)
    press(KEY.Key_F2)
    write("new")
    press(KEY.Key_Return)
    assert [found.note for found in kept(save)] == ["new"]


def test_an_empty_list_says_how_to_fill_it(window: MainWindow) -> None:
    assert "Ctrl+B" in card(window).foot.text()
    press(KEY.Key_Delete)
    press(KEY.Key_Return)


def test_they_follow_an_edit_and_are_kept_with_the_save(window: MainWindow, save: Path) -> None:
    mark(window, "[0].quests")
    document = window.session.document
    assert document is not None
    before = kept(save)[0].offset
    window.session.set_literal(parse_path(document, "[0].player.name"), '"' + "x" * 400 + '"')
    assert kept(save)[0].offset == before
    window.session.save()
    assert kept(save)[0].offset > before
    press(KEY.Key_Down, ALT)
    assert window.session.path == "[0].quests"


def test_a_file_saved_under_another_name_has_them_too(window: MainWindow, tmp_path: Path) -> None:
    mark(window, "[0].quests", "here")
    window.session.save(tmp_path / "other.save")
    assert [found.note for found in kept(tmp_path / "other.save")] == ["here"]
