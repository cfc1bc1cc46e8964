"""What the tests of the window stand on: one that is shown, and the save that most of them open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.base.progress import Progress
from viewer.document.doctor import examine
from viewer.document.doctor.diagnose import Answer, Found
from viewer.document.document import Document
from viewer.ui.look.theme import ThemeController
from viewer.ui.window.main_window import MainWindow

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
_ANSWERS: dict[tuple[object, ...], Answer] = {}
"""What the doctor found in some bytes, read in some way."""


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
def searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window looks for repairs of the same bytes once for all tests that are only about what was found.

    The same search always finds the same, which the doctor's own tests prove.
    """

    def answer(document: Document, progress: Progress | None = None, found: Found | None = None) -> Answer:
        key = bytes(document.buffer[:]), document.dialect.key, document.precision, document.framing
        if key not in _ANSWERS:
            _ANSWERS[key] = examine(document, progress, found)
        elif found is not None:
            found(_ANSWERS[key])
        return _ANSWERS[key]

    monkeypatch.setattr("viewer.ui.doctor.finder.examine", answer)


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
