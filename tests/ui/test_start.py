"""How the window starts: what it loads, what it builds, what its first frame shows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from viewer.ui import dialogs
from viewer.ui.lazy import LazyPart
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.empty_state import EmptyState
from viewer.ui.panels.find_results import FindResults
from viewer.ui.panels.toast import Toast
from viewer.ui.samples import samples
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow

SAVE = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save")
NOT_AT_FIRST = {
    "viewer.cli.inspect",
    "viewer.cli.edit",
    "viewer.document.bulk",
    "viewer.document.doctor",
    "viewer.document.engines",
    "viewer.document.explain",
    "viewer.document.export",
    "viewer.document.searching.search",
    "viewer.ui.doctor",
    "viewer.ui.panels.empty_state",
    "viewer.ui.panels.find_results",
    "viewer.ui.panels.toast",
    "viewer.ui.tree.value_editor",
    "viewer.ui.tree.value_field",
    "viewer.ui.window.bulk_dialog",
    "viewer.ui.window.byte_dialogs",
    "viewer.ui.samples",
    "viewer.ui.window.shortcuts_dialog",
    "viewer.document.searching.row_search",
    "viewer.ui.panels.list_card",
    "viewer.ui.tree.tree_filter",
    "viewer.ui.window.history_list",
    "viewer.ui.window.command_palette",
}
RUN = """
import gc, sys
from viewer.ui import main_thread
from PySide6.QtWidgets import QApplication
from PySide6.QtCore import QTimer
from viewer.cli import main
from viewer.ui.window import edit_actions, main_window

main_window.GUARD_AFTER = edit_actions.IDLE = 1_000_000  # what comes in a pause would come before the end of a slow run
run = QApplication.exec

seen = []

def end():
    seen.append((main_thread._collector is not None, gc.get_freeze_count() > 0))
    QApplication.quit()

def watched(*_):
    QTimer.singleShot(300, end)
    return run()

QApplication.exec = watched
code = main(sys.argv[1:])
print(code, seen == [(True, True)], *sorted(name for name in sys.modules if name.startswith("viewer.")))
"""


SEVERAL = """
import sys
from PySide6.QtWidgets import QApplication, QTabBar
from PySide6.QtCore import QTimer
from viewer.cli import main

run = QApplication.exec

def watched(*_):
    def look():
        bars = [bar for top in QApplication.topLevelWidgets() for bar in top.findChildren(QTabBar)]
        names = max(([bar.tabText(k) for k in range(bar.count())] for bar in bars), key=len, default=[])
        if len(names) < len(sys.argv) - 1:
            QTimer.singleShot(20, look)
            return
        print(*names, sep="\\n")
        QApplication.quit()

    QTimer.singleShot(0, look)
    return run()

QApplication.exec = watched
main(sys.argv[1:])
"""


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    """A window that was not shown yet."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    made = MainWindow(None, ThemeController(app, "light"))
    qtbot.addWidget(made, before_close_func=lambda _: made.session.show(None))
    return made


@pytest.fixture(scope="module")
def run() -> list[str]:
    """What a run with a file tells of itself: exit code, whether garbage is collected, the modules it loaded."""
    done = subprocess.run([sys.executable, "-c", RUN, str(SAVE)], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_window_with_a_file_loads_nothing_that_only_later_steps_need(run: list[str]) -> None:
    assert run[0] == "0"
    assert NOT_AT_FIRST.isdisjoint(run[2:])


def test_garbage_is_collected_again_once_the_window_is_there(run: list[str]) -> None:
    assert run[1] == "True"


def test_a_file_that_is_opened_before_the_window_is_shown_is_in_its_first_frame(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.open_path(SAVE)
    with qtbot.waitExposed(window):
        window.show()
    tree = window.findChild(TreeView, "treeView")
    assert tree.isVisible()
    assert tree.model().rowCount() == 1
    assert [window.findChild(kind) for kind in (EmptyState, FindResults, Toast)] == [None, None, None]


def test_each_file_that_is_named_at_the_start_has_a_tab(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.save", "two.save", "three.save")]
    for path in paths:
        path.write_bytes(SAVE.read_bytes())
    folders = "XDG_CONFIG_HOME", "XDG_DATA_HOME"  # else what an earlier run had open is opened beside them
    own = os.environ | {name: str(tmp_path) for name in folders}
    call = [sys.executable, "-c", SEVERAL, *paths]
    done = subprocess.run(call, capture_output=True, text=True, check=True, env=own)
    assert done.stdout.splitlines() == ["one.save", "two.save", "three.save"]


def test_what_cannot_be_read_is_told_when_there_is_a_window(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    window.open_path(Path("/nowhere/at all.save"))
    assert told == []
    window.show()
    qtbot.waitUntil(lambda: len(told) == 1)
    assert window.findChild(EmptyState, "emptyState").isVisible()


def test_the_icons_of_the_menus_follow_in_a_moment(window: MainWindow, qtbot: QtBot) -> None:
    icons = {name: window.findChild(QAction, name) for name in ("open", "quit", "close", "go_to")}
    assert not icons["open"].icon().isNull()
    assert icons["close"].icon().isNull()
    qtbot.waitUntil(lambda: not icons["close"].icon().isNull() and not icons["go_to"].icon().isNull())
    assert icons["quit"].icon().isNull()


def test_a_menu_that_is_opened_at_once_has_its_icons(window: MainWindow) -> None:
    close = window.findChild(QAction, "close")
    assert close.icon().isNull()
    file = next(each for each in window.menuBar().findChildren(QMenu) if each.title() == "&File")
    file.aboutToShow.emit()
    assert not close.icon().isNull()


def test_a_menu_at_the_mouse_that_is_opened_at_once_has_its_icons(window: MainWindow, qtbot: QtBot) -> None:
    explain = window.findChild(QAction, "explain")
    assert explain.icon().isNull()
    window.findChild(TreeView, "treeView").menu_requested.emit(None, QPoint(10, 10))
    assert not explain.icon().isNull()
    QApplication.activePopupWidget().close()


def test_the_samples_are_in_their_menu_when_it_opens(window: MainWindow) -> None:
    menu = next(each for each in window.findChildren(QMenu) if each.title() == "Sam&ples")
    for _ in ("first", "second"):
        menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == [sample.title for sample in samples()]


def test_a_late_part_is_built_once_and_when_it_is_asked_for() -> None:
    built: list[str] = []
    late = LazyPart(lambda: built.append("part") or "part")
    assert (late.part, built) == (None, [])
    assert (late.get(), late.get(), late.part, built) == ("part", "part", "part", ["part"])


def test_no_module_is_read_for_the_sake_of_names_that_the_window_does_not_change() -> None:
    probe = "import linecache, viewer.ui.window.app; print([name for name in linecache.cache if 'viewer' in name])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
