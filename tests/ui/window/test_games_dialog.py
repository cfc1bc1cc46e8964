"""The games of this computer in the window, by keyboard."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.base import assets
from viewer.document.games.user_folders import DataFolder
from viewer.ui.window.games_dialog import KIND, NAME, PROFILE, GamesDialog
from viewer.ui.window.main_window import MainWindow


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games, one of them with two saves."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path / "own")
    for place, sample, when in (
        ("Fens/godot3-rpg 2.save", "godot3-rpg.save", 2000),
        ("Fens/godot3-rpg 1.save", "godot3-rpg.save", 1000),
        ("<b>Farm/slot.dat", "godot4-typed.save", 3000),
    ):
        path = tmp_path / "godot" / "app_userdata" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(assets.data("samples", sample))
        os.utime(path, (when, when))
    return tmp_path


def shown(qtbot: QtBot, window: MainWindow, data: Path) -> GamesDialog:
    dialog = GamesDialog(window, window._theme_now(), lambda: [DataFolder(data)])
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog._finder.job is None and dialog._looker.job is None)
    return dialog


def told(dialog: GamesDialog, column: int) -> list[str]:
    """What a column says of the saves that are shown."""
    tree, model, out = dialog.tree, dialog.model, []
    for row in range(model.rowCount()):
        game = model.index(row, NAME)
        out += [
            str(game.model().index(child, column, game).data())
            for child in range(model.rowCount(game))
            if not tree.isRowHidden(child, game) and not tree.isRowHidden(row, tree.rootIndex())
        ]
    return out


def test_saves_are_listed_with_kind_and_profile(qtbot: QtBot, window: MainWindow, data: Path) -> None:
    dialog = shown(qtbot, window, data)
    assert told(dialog, NAME) == ["slot.dat", "godot3-rpg 2.save", "godot3-rpg 1.save"]
    assert told(dialog, KIND) == ["Godot 4", "Godot 3", "Godot 3"]
    assert told(dialog, PROFILE) == ["", "The Lantern Fens", "The Lantern Fens"]
    assert dialog.says.text() == "2 games, 3 files."
    dialog.grab()


def test_the_filter_and_enter_choose_the_newest_of_a_game(qtbot: QtBot, window: MainWindow, data: Path) -> None:
    dialog = shown(qtbot, window, data)
    qtbot.keyClicks(dialog.field, "lantern rpg")
    assert told(dialog, NAME) == ["godot3-rpg 2.save", "godot3-rpg 1.save"]
    qtbot.keyClick(dialog.field, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Up)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.chosen is not None
    assert dialog.chosen.name == "godot3-rpg 2.save"


def test_a_copy_is_made_beside_and_listed(qtbot: QtBot, window: MainWindow, data: Path) -> None:
    dialog = shown(qtbot, window, data)
    before = told(dialog, NAME)
    dialog.copy_button.click()
    qtbot.waitUntil(lambda: dialog._finder.job is None and dialog._looker.job is None)
    made = set(told(dialog, NAME)) - set(before)
    assert len(made) == 1
    name = made.pop()
    assert dialog.says.text().startswith(f"The copy is “{name}”, beside the save in {data / 'godot/app_userdata'}")
    assert dict(zip(told(dialog, NAME), told(dialog, KIND), strict=True))[name] == "copy"
    assert dialog.tree.currentIndex().data() == "slot.dat"


def test_earlier_versions_and_copies_stand_last_and_are_never_chosen_unasked(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    farm = data / "godot/app_userdata/<b>Farm"
    for name in ("slot.dat.bak", "slot 2026-03-14 20.05.dat", "auto 2026-03-14 20.05.dat"):
        path = farm / name
        path.write_bytes(assets.data("samples", "godot4-typed.save"))
        os.utime(path, (2900 if name.startswith("auto") else 9000,) * 2)
    dialog = shown(qtbot, window, data)
    assert told(dialog, NAME)[:4] == [
        "slot.dat",
        "auto 2026-03-14 20.05.dat",  # a game's own: there is no auto.dat that was copied
        "slot 2026-03-14 20.05.dat",
        "slot.dat.bak",
    ]
    assert told(dialog, KIND)[1:4] == ["Godot 4", "copy", "earlier version"]
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.chosen == farm / "slot.dat"
    dialog = shown(qtbot, window, data)
    qtbot.keyClicks(dialog.field, "earlier")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.chosen == farm / "slot.dat.bak"


def test_a_version_whose_save_is_gone_is_all_that_is_left_and_chosen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "godot/app_userdata/Fens/slot.save.bak2"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x")
    dialog = shown(qtbot, window, tmp_path)
    assert told(dialog, NAME) == ["slot.save.bak2"]
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.chosen == path


def test_where_was_looked_is_said_when_nothing_is_found(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = shown(qtbot, window, tmp_path / "nowhere")
    assert dialog.says.text().endswith(f"• (not there) {tmp_path / 'nowhere'}")
    assert not dialog.open_button.isEnabled()
