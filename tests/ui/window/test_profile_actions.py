"""What a profile says stands beside the values of the window, from the first rows on that are painted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from viewer.base import assets
from viewer.document.path import parse_path
from viewer.document.profiles import profile_folder
from viewer.document.profiles.favourites import Favourite
from viewer.document.profiles.game_profile import GameProfile
from viewer.document.profiles.value_label import ValueLabel
from viewer.ui.look.palette import theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.favourites_bar import LEFT, WIDEST, FavouritesBar
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.settings import MOST_PROFILES, Settings
from viewer.ui.sheets import sheet_view
from viewer.ui.tree.model import TreeColumn
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.profile_actions import NO_PROFILE
from viewer.variant.items import Item

OWN = 'name = "Own <b>game</b>"\nhas = ["player.gold"]\n[[key]]\nat = "player.gold"\nname = "Money"\nrange = "0..9"\n'


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of profiles, empty."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path / "own")
    folder = tmp_path / "own" / "profiles"
    folder.mkdir(parents=True)
    return folder


def open_sample(qtbot: QtBot, window: MainWindow, name: str = "godot3-rpg.save") -> None:
    with qtbot.waitSignal(window.session.labels_changed):
        window._files.open_sample(name)


def select(window: MainWindow, path: str) -> None:
    document = window.session.document
    assert document is not None
    window.session.select(parse_path(document, path))


def told(window: MainWindow, role: Qt.ItemDataRole) -> str:
    index = window._parts.tree.currentIndex().siblingAtColumn(TreeColumn.VALUE)
    return str(index.data(role))


def test_tree_table_and_inspector_say_what_values_mean(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    select(window, "[0].inventory[2].id")
    assert told(window, Qt.ItemDataRole.DisplayRole) == "1002"
    assert told(window, Qt.ItemDataRole.AccessibleTextRole) == "1002, Item · Arrow"
    assert told(window, Qt.ItemDataRole.ToolTipRole).endswith("Item · Arrow")
    assert window._parts.inspector.head.said == ("Item · Arrow",)
    window._actions["table"].trigger()
    pane = window._sheets._pane.get()
    cell = pane.view.currentIndex()
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "id: 1002, Item · Arrow"
    window.grab()


def test_a_profile_of_another_game_is_not_parsed(
    qtbot: QtBot, window: MainWindow, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(
        profile_folder, "parse_profile", lambda key, *_: parsed.append(key) or GameProfile(key, key, key)
    )
    (own / "mine.toml").write_text(OWN.replace("has", 'files = "slot*.save"\nhas'), encoding="utf-8")
    window._files.open_sample("godot2-save.bin")
    window._profiles.look()
    assert not parsed
    assert window.session.labels is None
    (own / "mine.toml").write_text(OWN, encoding="utf-8")  # it does not say what its saves are called
    window._files.open_sample("pandemonium4.save")
    window._profiles.look()
    assert "mine" in parsed


def test_a_unit_stands_behind_its_number_and_numbers_end_in_one_place(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: dict[str, tuple[float, float]] = {}

    def paint(painter: QPainter, rect: QRectF, text: str, *args: Any, **named: Any) -> float:
        painted[text] = rect.left(), rect.right()
        return paint_line(painter, rect, text, *args, **named)

    open_sample(qtbot, window)
    select(window, "[0].inventory[2].id")
    window._actions["table"].trigger()
    monkeypatch.setattr(sheet_view, "paint_line", paint)
    window._sheets._pane.get().view.viewport().grab()
    assert painted["1002"][1] < painted["Arrow"][0]
    assert painted["1001"][1] == painted["1002"][1] == painted["1004"][1]


def test_a_number_out_of_range_has_a_note_and_is_no_problem(qtbot: QtBot, window: MainWindow, own: Path) -> None:
    (own / "own.toml").write_text(OWN)
    open_sample(qtbot, window)
    select(window, "[0].player.gold")
    assert window._parts.inspector.head.said == ("Money", "Out of range: the profile says 0 to 9.")
    window._parts.problems.refresh_now()
    assert window._parts.problems.counts.words == "no problems"
    window.grab()


def test_another_profile_can_be_chosen_or_none(qtbot: QtBot, window: MainWindow, own: Path) -> None:
    (own / "own.toml").write_text(OWN)
    open_sample(qtbot, window)
    menu = QMenu(window)
    window._profiles.fill(menu)
    words = [action.text() for action in menu.actions()]
    assert words == ["&Automatic (Own <b>game</b>)", "&None", "Own <b>game</b>", "Kestrel Farm", "The Lantern Fens"]
    menu.actions()[4].trigger()
    assert window.session.labels is not None
    assert window.session.labels.profile.name == "The Lantern Fens"
    menu.actions()[1].trigger()
    assert window.session.labels is None


def test_a_chosen_profile_that_is_gone_is_none_in_the_menu(qtbot: QtBot, window: MainWindow, own: Path) -> None:
    (own / "own.toml").write_text(OWN)
    open_sample(qtbot, window)
    window._profiles._choose("own")
    (own / "own.toml").unlink()
    window._profiles.look_again()
    menu = QMenu(window)
    window._profiles.fill(menu)
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["&Automatic (The Lantern Fens)"]


def run(qtbot: QtBot, app: QApplication) -> MainWindow:
    """A window that remembers."""
    found = MainWindow(Settings(), ThemeController(app, "light"))
    found._offers = True
    qtbot.addWidget(found, before_close_func=lambda _: found.session.show(None))
    found.show()
    return found


def profile_after(window: MainWindow, path: Path) -> str:
    window.open_path(path)
    window._profiles.look()
    return window.session.labels.profile.name if window.session.labels is not None else ""


def test_a_save_under_another_name_keeps_its_profile(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, other = tmp_path / "godot3-rpg-1.save", tmp_path / "before the boss.bin"
    save.write_bytes(assets.root().joinpath("samples", "godot3-rpg.save").read_bytes())
    window = run(qtbot, qapp)
    assert profile_after(window, save) == "The Lantern Fens"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    assert window._files.save_as()
    assert other.exists()
    assert window.session.labels is not None
    again = run(qtbot, qapp)
    assert profile_after(again, other) == "The Lantern Fens"
    again._profiles._choose(NO_PROFILE)
    last = run(qtbot, qapp)
    assert profile_after(last, other) == ""
    assert profile_after(last, save) == "The Lantern Fens"


def test_a_profile_chosen_for_a_copy_is_that_of_the_copy_from_then_on(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, own: Path
) -> None:
    copy = tmp_path / "copy.bin"
    copy.write_bytes(assets.root().joinpath("samples", "godot3-rpg.save").read_bytes())
    window = run(qtbot, qapp)
    assert profile_after(window, copy) == ""
    window._profiles._choose("lantern-fens")
    assert profile_after(run(qtbot, qapp), copy) == "The Lantern Fens"
    Settings().keep_profile(copy, "gone")
    assert profile_after(run(qtbot, qapp), copy) == ""
    (own / "any.toml").write_text(OWN)
    assert profile_after(run(qtbot, qapp), copy) == "Own <b>game</b>"


@pytest.mark.parametrize("kept", ["", "[", "[1]", '{"x": 3}', "[" * 100_000])
def test_profiles_that_are_kept_wrongly_are_none(kept: str, tmp_path: Path) -> None:
    settings = Settings()
    settings._store.setValue("profiles/chosen", kept)
    assert settings.profile_of(tmp_path / "a") == ""
    for number in range(MOST_PROFILES + 5):
        settings.keep_profile(tmp_path / str(number), "game")
    assert settings.profile_of(tmp_path / "4") == ""
    assert settings.profile_of(tmp_path / "5") == "game"


def test_a_profile_is_kept_for_a_file_however_windows_lets_its_name_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os.path, "normcase", lambda path: str(path).lower())
    settings = Settings()
    settings.keep_profile(tmp_path / "Game.save", "game")
    assert settings.profile_of(tmp_path / "game.SAVE") == "game"
    settings.keep_profile(tmp_path / "GAME.save", "other")
    assert settings.profile_of(tmp_path / "Game.save") == "other"
    settings.keep_profile(tmp_path / "game.save", "")
    assert settings._profiles() == {}


def test_what_is_wrong_in_a_profile_is_said_once_and_the_others_go_on(
    qtbot: QtBot, window: MainWindow, own: Path
) -> None:
    (own / "own.toml").write_text(OWN + "nmae = 1\n")
    open_sample(qtbot, window)
    assert "own.toml, line 7: A key has no “nmae”; name is likely meant." in window._toast.get().accessibleName()
    assert window.session.labels is not None


def test_labels_are_those_of_the_file_that_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window._files.open_sample("godot4-double.save")
    assert window.session.labels is None
    with qtbot.waitSignal(window.session.labels_changed):
        window._opened.step(-1)
    assert window.session.labels is not None


def names(window: MainWindow) -> list[str]:
    """The names of the rows that are shown in the first value."""
    tree = window._parts.tree
    model, first = tree.tree_model, tree.tree_model.index(0, 0)
    return [
        str(model.index(row, 0, first).data())
        for row in range(model.rowCount(first))
        if not tree.isRowHidden(row, first)
    ]


def bar(qtbot: QtBot, window: MainWindow) -> FavouritesBar:
    qtbot.waitUntil(lambda: window._profiles._bar.part is not None and not window._profiles._refresh.isActive())
    found = window._profiles._bar.part
    assert found is not None
    return found


def test_favourites_stand_above_the_tree_and_follow_edits(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    strip = bar(qtbot, window)
    gold = strip.buttons[0]
    assert [each.accessibleName() for each in strip.buttons] == ["Gold, 1375, coins", "Level, 14", "Health, 82.5"]
    gold.setFocus()
    qtbot.keyClick(gold, Qt.Key.Key_Return)
    assert window._parts.tree.hasFocus()
    qtbot.keyClick(window._parts.tree, Qt.Key.Key_F2)
    qtbot.keyClicks(QApplication.focusWidget(), "5000")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: strip.buttons[0].accessibleName() == "Gold, 5000, coins")
    window.grab()


def test_keys_that_the_profile_hides_are_left_out_until_they_are_wanted(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    strip = bar(qtbot, window)
    assert names(window)[:3] == ["game", "saved_at", "play_time"]
    assert strip.hidden_button.text() == "2 keys hidden"
    select(window, "[0].version")
    assert names(window)[:3] == ["version", "game", "saved_at"]
    window._actions["hidden_keys"].trigger()
    assert names(window)[:4] == ["version", "game", "saved_at", "saved_at_msec"]
    assert window._actions["hidden_keys"].isChecked()
    select(window, "[0].game")
    strip.hidden_button.click()
    assert names(window)[:3] == ["game", "saved_at", "play_time"]
    window.session.show(None)
    assert not strip.isVisible()


def test_keys_stay_hidden_through_a_change_of_structure(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    bar(qtbot, window)
    select(window, "[0].game")
    window._actions["delete"].trigger()
    assert names(window)[:2] == ["saved_at", "play_time"]
    window._actions["undo"].trigger()
    assert names(window)[:3] == ["game", "saved_at", "play_time"]


def test_keys_are_hidden_again_when_a_filter_goes(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    strip = bar(qtbot, window)
    window._actions["filter"].trigger()
    qtbot.keyClicks(QApplication.focusWidget(), "version")
    qtbot.waitUntil(lambda: names(window) == ["version"])
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "saved_at_msec" not in names(window) and "2 keys hidden" in strip.hidden_button.text())


def test_favourites_have_the_room_that_is_free(qtbot: QtBot) -> None:
    strip = FavouritesBar(theme("light"))
    qtbot.addWidget(strip)
    name = "Money in the purse of the hero"
    first, second = (Favourite(Item(0, node), name, "1375", ValueLabel(meaning="pieces of gold")) for node in (0, 1))
    strip.resize(900, 60)
    strip.show_favourites([first], 0, False)
    assert strip.buttons[0].width() == strip.buttons[0].sizeHint().width() > WIDEST
    strip.resize(LEFT + 2 * WIDEST + 12, 60)
    strip.show_favourites([first, second], 0, False)
    assert [button.width() >= WIDEST for button in strip.buttons] == [True, True]
    assert strip.buttons[1].geometry().right() < strip.width()
