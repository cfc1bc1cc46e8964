"""Letting go: what was open leaves nothing behind once its tab is closed, whatever was done in it."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.ui.panels.find_field import FindField
from viewer.ui.window.main_window import MainWindow

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
BROKEN = RPG.read_bytes().replace(b"\x04\x00\x00\x00gold", b"\xff\xff\xff\x7fgold", 1)
pytestmark = pytest.mark.usefixtures("own_garbage")
Use = Callable[[MainWindow, QtBot], object]


def edited(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.go_to_place("[0].player.gold")
    assert session.item is not None
    session.set_literal(session.item, "7")
    session.overwrite(100, b"\x01")
    session.undo()
    session.undo()


def searched(window: MainWindow, qtbot: QtBot) -> None:
    window._panes.show_find()
    field = window.findChild(FindField, "findField")
    assert field is not None
    field.line.setText("gold")
    qtbot.waitUntil(lambda: field.runner.is_complete)
    window._panes.show_results(True)
    window._panes.show_replace()


def walked(window: MainWindow, qtbot: QtBot) -> None:
    tree = window._parts.tree
    tree.expand_all_under(tree.tree_model.index(0, 0))
    for place in ("[0].inventory[3].name", "[0].player.position", "[0].map"):
        window.session.go_to_place(place)
    window._parts.hex.grab()
    tree.grab()


def edited_in_place(window: MainWindow, qtbot: QtBot) -> None:
    window.session.go_to_place("[0].player.gold")
    window._parts.tree.edit_current()
    assert window._parts.tree.editor.is_open


def switched(window: MainWindow, qtbot: QtBot) -> None:
    window._opened.step(1)
    window._opened.step(1)


def listed(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("palette", "history", "filter"):
        window._actions[name].trigger()


USES: dict[str, Use] = {
    "looked at": lambda window, qtbot: None,
    "edited": edited,
    "edited in its row": edited_in_place,
    "searched": searched,
    "walked": walked,
    "switched": switched,
    "listed": listed,
}


def close_all(window: MainWindow) -> None:
    leave_all(window)
    let_go()


def leave_all(window: MainWindow) -> None:
    while window._opened.documents:
        window._opened.documents[window._opened.current].history.mark_saved()
        window._actions["close"].trigger()
    window.session.reading.leave()


def let_go() -> None:
    """What is to be deleted later is deleted now."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
        gc.collect()


def counts(window: MainWindow) -> Counter[str]:
    passing = ("QPropertyAnimation",)  # a message that fades
    found = (type(each).__name__ for each in window.findChildren(QObject))
    return Counter(name for name in found if name not in passing)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_no_document_outlives_its_tab(window: MainWindow, qtbot: QtBot, tmp_path: Path, use: Use) -> None:
    seen: list[weakref.ref[Document]] = []
    for number in range(2):
        path = tmp_path / f"{number}.save"
        path.write_bytes(RPG.read_bytes())
        window.open_path(path)
        document = window.session.document
        assert document is not None
        seen.append(weakref.ref(document))
        del document
    window.settle()
    use(window, qtbot)
    close_all(window)
    assert [each() for each in seen] == [None, None]


@pytest.mark.parametrize("broken", [False, True], ids=["sound", "broken"])
def test_a_closed_tab_leaves_no_widget_model_or_timer(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, searched_once: None, broken: bool
) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(BROKEN if broken else RPG.read_bytes())

    def once() -> Counter[str]:
        window.open_path(path)
        window.settle()
        edited(window, qtbot) if not broken else window._doctor.show_repairs(True)
        searched(window, qtbot)
        close_all(window)
        return counts(window)

    once()
    first = once()
    once()
    assert once() == first
    assert not [each for each in QObject.findChildren(window, QThread) if each.isRunning()]


def test_the_palette_and_the_menus_leave_no_menu_behind(window: MainWindow, qtbot: QtBot, rpg_path: Path) -> None:
    window.open_path(rpg_path)
    window.session.go_to_place("[0].player.gold")

    def once() -> Counter[str]:
        window._actions["palette"].trigger()
        window._actions["palette"].trigger()
        for menu in window._actions.menus.values():
            menu.aboutToShow.emit()
        let_go()
        return counts(window)

    first = once()
    once()
    assert once() == first


def test_many_openings_leave_no_python_objects(window: MainWindow, qtbot: QtBot, rpg_path: Path) -> None:
    def open_and_close(times: int) -> int:
        for _ in range(times):
            window.open_path(rpg_path)
            window.settle()
            leave_all(window)
        let_go()
        return len(gc.get_objects())

    open_and_close(3)
    before = open_and_close(1)
    assert open_and_close(10) - before < 50
    assert not [each for each in gc.get_objects() if isinstance(each, QWidget) and each.objectName() == "valueField"]
