"""Values alone or beside their bytes: the usual one, the chosen one, and what brings the bytes back."""

from __future__ import annotations

from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QLineEdit, QSplitter, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from viewer.document.damage import kind_of
from viewer.document.document import Document
from viewer.ui.look.theme import ThemeController
from viewer.ui.settings import Settings
from viewer.ui.window.arrangement import NO_PACKETS
from viewer.ui.window.main_window import MainWindow

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
TEXT = b'{"gold": 1}'
BROKEN = bytes.fromhex("04000000 05000000 4142")


def shows_bytes(window: MainWindow) -> bool:
    QApplication.processEvents()
    return window._parts.bytes.isVisible()


def show(window: MainWindow, data: bytes) -> None:
    window.session.show(Document(data))


@pytest.mark.parametrize(("width", "shown"), [(1400, True), (1000, False), (700, False)])
def test_the_bytes_stand_beside_the_values_where_there_is_room(
    window: MainWindow, rpg_open: None, width: int, shown: bool
) -> None:
    window.resize(width, 800)
    assert shows_bytes(window) is shown
    assert window._parts.tree.isVisible()
    assert window._actions["bytes"].isChecked() is shown


def test_damaged_bytes_are_shown_in_small_windows_too(window: MainWindow) -> None:
    window.resize(1000, 800)
    show(window, BROKEN)
    assert kind_of(Document(BROKEN)) == "damaged"
    assert shows_bytes(window)


@pytest.mark.parametrize("chosen", [False, True])
def test_damage_that_is_known_when_all_is_read_shows_the_bytes_unless_a_person_chose(
    window: MainWindow, qtbot: QtBot, chosen: bool
) -> None:
    window.resize(1000, 800)
    QApplication.processEvents()
    window.session.show(Document(BROKEN, patience=1))
    assert window.session.waits
    assert not window._parts.bytes.isVisible()
    if chosen:
        window._actions["arrange_values"].trigger()
    qtbot.waitUntil(lambda: not window.session.waits)
    assert shows_bytes(window) is not chosen


def test_a_choice_holds_for_the_files_of_its_kind(window: MainWindow, rpg_open: None) -> None:
    window._actions["bytes"].trigger()
    assert not shows_bytes(window)
    show(window, TEXT)
    assert shows_bytes(window)
    show(window, bytes.fromhex("0200000005000000"))
    assert not shows_bytes(window)


def test_a_choice_is_remembered(qtbot: QtBot, qapp: QApplication, rpg_path: Path) -> None:
    for shown in (True, False):
        window = MainWindow(Settings(), ThemeController(qapp, "light"))
        qtbot.addWidget(window, before_close_func=lambda it: it.session.show(None))
        window.show()
        window.resize(1400, 900)
        window.open_path(rpg_path)
        assert shows_bytes(window) is shown
        if shown:
            window._actions["bytes"].trigger()
        QSettings().sync()


def test_hidden_bytes_give_their_focus_away_and_are_no_stop_for_f6(window: MainWindow, rpg_open: None) -> None:
    window.activateWindow()
    window._parts.hex.setFocus()
    window._actions["bytes"].trigger()
    assert window._parts.tree.hasFocus()
    for _ in range(4):
        window._actions["next_pane"].trigger()
        focus = QApplication.focusWidget()
        assert focus is not None
        assert focus.isVisible()


def test_a_damaged_file_of_the_command_line_leaves_the_keys_with_the_tree(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "cut.save"
    path.write_bytes(RPG.read_bytes()[:-20])
    window = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(window, before_close_func=lambda it: it.session.show(None))
    window.resize(640, 420)
    window.open_path(path)  # before there is a window that could have the keys
    window.show()
    QApplication.processEvents()
    assert window.focusWidget() is window._parts.tree


def test_in_a_window_that_is_not_active_the_tree_keeps_the_keys_through_every_turn(
    window: MainWindow, rpg_open: None
) -> None:
    other = QWidget()
    other.show()
    window.resize(640, 420)
    other.activateWindow()
    QApplication.processEvents()
    window._parts.tree.setFocus()
    for name in ("inspector", "inspector", "bytes", "bytes"):
        window._actions[name].trigger()
        QApplication.processEvents()
        assert window.focusWidget() is window._parts.tree, name
    other.close()


def test_the_tab_beside_the_values_is_called_what_it_shows(window: MainWindow) -> None:
    window.resize(640, 420)
    show(window, TEXT)
    window._actions["arrange_both"].trigger()
    titles = []
    for shown in (True, False, True):
        window._parts.bytes.show_text(shown)
        bars = [bar for bar in window._parts.work.findChildren(QTabBar) if bar.tabText(0) == "Values"]
        titles.append(bars[0].tabText(1))
    assert titles == ["Text", "Bytes", "Text"]


def test_however_far_the_tree_is_dragged_its_values_can_be_edited(window: MainWindow, rpg_open: None) -> None:
    QApplication.processEvents()
    tree, work = window._parts.tree, window._parts.work
    splitter = next(s for s in work.findChildren(QSplitter) if s.indexOf(window._parts.tree_pane) == 0)
    splitter.moveSplitter(60, 1)
    QApplication.processEvents()
    assert tree.viewport().width() >= 200
    window.session.go_to_place("[0].player.gold")
    tree.setFocus()
    window._actions["edit_value"].trigger()
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.isVisible()
    assert field.text() == "5000000000"


def test_what_works_on_bytes_brings_them_back(window: MainWindow, rpg_open: None) -> None:
    window._actions["arrange_values"].trigger()
    assert not shows_bytes(window)
    assert not window._parts.inspector.isVisible()
    window._actions["paste_bytes"].trigger()
    assert shows_bytes(window)


def test_the_text_comes_back_with_its_key(window: MainWindow) -> None:
    show(window, TEXT)
    window._actions["bytes"].trigger()
    window._actions["text"].trigger()
    assert shows_bytes(window)
    assert window._parts.bytes.shows_text


def test_values_and_bytes_are_one_step(window: MainWindow, rpg_open: None) -> None:
    window._actions["arrange_values"].trigger()
    window._actions["arrange_both"].trigger()
    assert shows_bytes(window)
    assert window._parts.inspector.isVisible()


def test_packets_are_shown_where_there_are_some(window: MainWindow, rpg_open: None) -> None:
    window._actions["arrange_packets"].trigger()
    assert window._toast.get().accessibleName() == NO_PACKETS
