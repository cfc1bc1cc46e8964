"""How a file is read is kept with its place: chosen once, or edited and saved, it opens so again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.status_bar import fill_reading_menu
from viewer.ui.settings import Settings
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

#                         a Color of Godot 3, a Plane of Godot 4
AMBIGUOUS = bytes.fromhex("0e000000 0000803f 0000003f 0000803e 0000803f")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "a.bin"
    path.write_bytes(AMBIGUOUS)
    return path


def opened(
    qtbot: QtBot, qapp: QApplication, path: Path, settings: Settings | None, choice: ReadOptions | None = None
) -> MainWindow:
    """A window of a new run of the program."""
    found = MainWindow(settings, ThemeController(qapp, "light"))
    qtbot.addWidget(found, before_close_func=lambda _: found.session.show(None))
    found.open_path(path, choice)
    assert found.session.document is not None
    return found


def read_in(window: MainWindow) -> str:
    assert window.session.document is not None
    return window.session.document.dialect.key


def other_than_found(path: Path) -> str:
    found = Document(path.read_bytes()).dialect.key
    return next(key for key in ("godot3", "godot4") if key != found)


def test_a_chosen_line_is_chosen_again_in_the_next_run(qtbot: QtBot, qapp: QApplication, path: Path) -> None:
    other = other_than_found(path)
    opened(qtbot, qapp, path, Settings()).session.read_as(ReadOptions(load(other)))
    assert read_in(opened(qtbot, qapp, path, Settings())) == other
    assert read_in(opened(qtbot, qapp, path, Settings(), ReadOptions())) == other
    assert read_in(opened(qtbot, qapp, path, Settings(), ReadOptions(load("godot2")))) == "godot2"


def test_to_have_it_found_forgets_what_was_chosen(qtbot: QtBot, qapp: QApplication, path: Path) -> None:
    other = other_than_found(path)
    window = opened(qtbot, qapp, path, Settings())
    window.session.read_as(ReadOptions(load(other)))
    menu = QMenu()
    fill_reading_menu(menu, window.session)
    next(action for action in menu.actions() if action.text() == "Find Automatically").trigger()
    assert read_in(opened(qtbot, qapp, path, Settings())) != other


def test_another_line_is_read_though_one_is_preferred(qtbot: QtBot, qapp: QApplication, path: Path) -> None:
    other = other_than_found(path)
    window = opened(qtbot, qapp, path, Settings())
    window.session.read_as(ReadOptions(load(other)))
    window = opened(qtbot, qapp, path, Settings())
    document = window.session.document
    assert document is not None
    menu = QMenu()
    fill_reading_menu(menu, window.session)
    lines = next(action.menu() for action in menu.actions() if action.text() == "Engine Line")
    assert isinstance(lines, QMenu)
    next(action for action in lines.actions() if action.text() == "Godot 2").trigger()
    assert read_in(window) == "godot2"


def test_what_is_saved_opens_as_it_was_edited(qtbot: QtBot, qapp: QApplication, path: Path) -> None:
    #                          an Array of Godot 3, [5], which is edited into a Color
    path.write_bytes(bytes.fromhex("13000000 02000000 02000000 05000000 02000000 07000000"))
    window = opened(qtbot, qapp, path, Settings())
    before = read_in(window)
    assert before == "godot3"
    window.session.overwrite(0, AMBIGUOUS)
    window._files.save()
    assert read_in(opened(qtbot, qapp, path, Settings())) == before


def test_a_file_read_again_stays_in_its_reading(qtbot: QtBot, qapp: QApplication, path: Path) -> None:
    other = other_than_found(path)
    opened(qtbot, qapp, path, Settings()).session.read_as(ReadOptions(load(other)))
    window = opened(qtbot, qapp, path, Settings())
    path.write_bytes(AMBIGUOUS[:-1] + b"\x3e")
    window._files.reload()
    assert read_in(window) == other


def test_a_window_that_remembers_nothing_keeps_no_reading(
    qtbot: QtBot, qapp: QApplication, path: Path, tmp_path: Path
) -> None:
    opened(qtbot, qapp, path, None).session.read_as(ReadOptions(load(other_than_found(path))))
    assert not (tmp_path / "config" / "variant-viewer" / "readings").exists()
