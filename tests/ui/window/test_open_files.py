"""Several files in one window: each keeps its changes, its place and its open rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.look.theme import ThemeController
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.open_files import LEAST_TAB, folder_apart

FILES = corpus.DATA / "godot3" / "files"


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    found = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(found, before_close_func=forget)
    found.show()
    for name in ("rpg.save", "all_types.save"):
        (tmp_path / name).write_bytes((FILES / name).read_bytes())
        found.open_path(tmp_path / name)
    yield found
    found.session.reading.leave()


def forget(window: MainWindow) -> None:
    """Let nothing be unsaved, so that closing asks nothing."""
    for document in window._opened.documents:
        document.history.mark_saved()


def tabs(window: MainWindow) -> QTabBar:
    found = window.findChild(QTabBar, "documentTabs")
    assert isinstance(found, QTabBar)
    return found


def tree(window: MainWindow) -> TreeView:
    found = window.findChild(TreeView)
    assert isinstance(found, TreeView)
    return found


def test_short_names_on_tabs_stay_whole_where_a_long_one_is_shortened(window: MainWindow, tmp_path: Path) -> None:
    window.resize(480, 600)
    path = tmp_path / "backup of the hero from the long winter before the year of the rain.save"
    path.write_bytes((FILES / "rpg.save").read_bytes())
    window.open_path(path)
    bar = tabs(window)
    for number, name in enumerate(("rpg.save", "all_types.save")):
        assert bar.tabRect(number).width() >= min(LEAST_TAB, bar.fontMetrics().horizontalAdvance(name) + 40)
    assert bar.tabRect(2).width() >= LEAST_TAB


def press(window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, key, modifiers)


def test_the_tabs_show_only_where_there_are_several_files(window: MainWindow) -> None:
    assert tabs(window).isVisible()
    press(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert not tabs(window).isVisible()
    assert window.windowTitle().startswith("rpg.save")


def test_a_file_that_is_open_already_is_shown_and_not_read_again(window: MainWindow, tmp_path: Path) -> None:
    window.open_path(tmp_path / "rpg.save")
    assert (tabs(window).count(), tabs(window).currentIndex()) == (2, 0)


def test_place_rows_and_changes_wait_in_the_tab(window: MainWindow) -> None:
    press(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    window.session.go_to_place("[0].inventory[3].name")
    rows = set(tree(window).expansion.open)
    window.session.set_literal(window.session.item, '"Axe"')  # type: ignore[arg-type]
    press(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert not window.isWindowModified()
    press(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.isWindowModified()
    assert window.session.path == "[0].inventory[3].name"
    assert rows <= tree(window).expansion.open
    assert tabs(window).tabText(0) == "rpg.save •"
    window.session.undo()
    assert tabs(window).tabText(0) == "rpg.save"


def test_closing_the_window_asks_for_every_file_with_changes(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        window.session.overwrite(8, b"\x07")
        window._opened.step(1)
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "ask_all_unsaved", lambda _, names: (asked.extend(names) or UserChoice.DISCARD, []))
    assert window.close()
    assert asked == ["“rpg.save”", "“all_types.save”"]


def test_closing_a_tab_in_the_background_leaves_the_shown_one_shown(window: MainWindow) -> None:
    window._opened.close_requested.emit(0)
    assert window.windowTitle().startswith("all_types.save")
    assert tabs(window).count() == 1


def test_what_is_said_about_one_file_is_not_said_in_the_tab_of_another(window: MainWindow) -> None:
    toast = window._toast.get()
    window._say("Path copied.")
    assert toast.isVisible()
    window._opened.step(1)
    assert toast.isHidden()
    window._file_done("Saved “rpg.save”.")
    window._opened.step(1)
    assert toast.isVisible()


def test_files_of_one_name_are_told_apart_by_their_folders(window: MainWindow, tmp_path: Path) -> None:
    for folder in ("slot1", "slot2"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.save").write_bytes((tmp_path / "rpg.save").read_bytes())
        window.open_path(tmp_path / folder / "game.save")
    assert [tabs(window).tabText(k) for k in range(2, 4)] == ["game.save — slot1", "game.save — slot2"]
    assert window.windowTitle().startswith("game.save — slot2")
    window._opened.close_requested.emit(2)
    assert tabs(window).tabText(2) == "game.save"
    assert window.windowTitle() == "game.save[*]"


def test_the_folder_that_is_named_is_the_one_that_differs() -> None:
    here = Path("/games/a/saves/x.save")
    assert folder_apart(here, []) == ""
    assert folder_apart(here, [Path("/games/a/old/x.save")]) == "saves"
    assert folder_apart(here, [Path("/games/b/saves/x.save"), Path("/games/a/old/x.save")]) == "a/…"
    assert folder_apart(here, [here]) == ""
    assert folder_apart(Path("/b/x.save"), [Path("/a/b/x.save")]) == "/…"
