"""What the tests of the window stand on: one that is shown, and the save that most of them open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.ui.look.theme import ThemeController
from viewer.ui.window.main_window import MainWindow

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture(autouse=True)
def _own_settings() -> None:
    """What a test before this one chose in menus is forgotten."""
    QSettings().clear()


@pytest.fixture(autouse=True)
def _no_window_stays(qapp: QApplication) -> Iterator[None]:
    """What a test closed is gone before the next one: no loop of events runs between them that would see to it."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> MainWindow:
    """A window that is shown, with nothing open; it leaves what was opened in it before it is closed."""
    found = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(found, before_close_func=lambda _: found.session.show(None))
    found.resize(1400, 900)
    with qtbot.waitExposed(found):
        found.show()
    return found


@pytest.fixture
def rpg_path(tmp_path: Path) -> Path:
    """The role-playing game's save, as a file of this test."""
    path = tmp_path / "rpg.save"
    path.write_bytes(RPG.read_bytes())
    return path


@pytest.fixture
def rpg_open(window: MainWindow) -> None:
    """The role-playing game's save is open in the window, from bytes without a file."""
    window.session.show(Document(RPG.read_bytes()))
