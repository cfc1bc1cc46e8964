"""Twelve things that a player wants, done with keys and mouse on a real X server: no quote, no language, no manual."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import engine
import pytest
from document.visuals.picture_values import png
from PySide6 import QtWidgets
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.edits.setting import literal
from viewer.document.games.user_folders import DataFolder
from viewer.document.path import parse_path
from viewer.ui.look.theme import ThemeController
from viewer.ui.sheets.sheet_view import SheetView
from viewer.ui.visuals.plot_dialog import PlotDialog
from viewer.ui.window import games_dialog
from viewer.ui.window.bulk_dialog import BulkDialog
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Dictionary, Value

pytestmark = [pytest.mark.xcb]
Key = Qt.Key
PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
GODOT3 = load("godot3")
SAVE = """{
    "hero": {"name": "Mira", "gold": 1375, "cloak": Color(0.2, 0.4, 0.6, 1)},
    "party": [{"name": "Tom", "hp": 12}, {"name": "Ash", "hp": 80}, {"name": "Bea", "hp": 49}],
    "inventory": [{"id": "sword", "count": 4}, {"id": "potion", "count": 1}, {"id": "arrow", "count": 48}],
    "enemies": [{"kind": "rat", "place": Vector2(10, 20)}, {"kind": "bat", "place": Vector2(40, 5)}]
}"""


def save() -> bytes:
    """A stored save with a picture in it, as Godot 3 writes such."""
    root = parse_literal(SAVE, GODOT3)
    assert isinstance(root.data, Dictionary)
    hero = root.data.pairs[0][1]
    assert isinstance(hero.data, Dictionary)
    portrait = Value("String", "portrait"), Value("PoolByteArray", png())
    hero = Value("Dictionary", Dictionary((*hero.data.pairs, portrait)))
    pairs = ((root.data.pairs[0][0], hero), *root.data.pairs[1:])
    raw = encode(Value("Dictionary", Dictionary(pairs)), GODOT3)
    return len(raw).to_bytes(4, "little") + raw


class Player:
    """A person who knows none of it; every key and click is counted.

    Args:
        window: in front of which they sit.
        qtbot: waits.
    """

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.steps = 0

    @property
    def focus(self) -> QWidget:
        """What the keys go to."""
        return QApplication.focusWidget() or self.window

    def press(self, key: Qt.Key, how: Qt.KeyboardModifier = PLAIN) -> None:
        self.steps += 1
        QTest.keyClick(self.focus, key, how)
        QApplication.processEvents()

    def write(self, text: str) -> None:
        self.steps += 1
        QTest.keyClicks(self.focus, text)
        QApplication.processEvents()

    def click(self, widget: QWidget, place: QPoint | None = None) -> None:
        self.steps += 1
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, PLAIN, place or widget.rect().center())
        QApplication.processEvents()

    def click_row(self, path: str) -> None:
        """Click a row of the tree, whose branches are opened by their chevrons before."""
        tree, document = self.window._parts.tree, self.document
        index = tree.tree_model.index_of(parse_path(document, path))
        above = []
        while index.parent().isValid():
            index = index.parent()
            above.append(index)
        for each in reversed(above):
            if not tree.isExpanded(each):
                self.steps += 1
                tree.setExpanded(each, True)
        tree.executeDelayedItemsLayout()
        rect = tree.cell_rect(tree.tree_model.index_of(parse_path(document, path)), tree_column())
        assert tree.viewport().rect().contains(rect.center()), path
        self.click(tree.viewport(), rect.center())

    @property
    def document(self) -> Document:
        found = self.window.session.document
        assert found is not None
        return found

    def value(self, path: str) -> str:
        return literal(self.document, parse_path(self.document, path))

    def in_dialog(self, do: Callable[[QDialog], None]) -> None:
        """Do something in the dialog that is about to open and to block."""

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if not isinstance(dialog, QDialog):
                QTimer.singleShot(10, self.window, look)
                return
            try:
                dialog.activateWindow()  # no window manager does it here
                self.qtbot.waitUntil(dialog.isActiveWindow)
                do(dialog)
            finally:
                if dialog.isVisible():
                    dialog.reject()

        QTimer.singleShot(0, self.window, look)


def tree_column() -> int:
    from viewer.ui.tree.model import TreeColumn

    return TreeColumn.TYPE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The newest save of a game, beside an older one."""
    folder = tmp_path / "godot" / "app_userdata" / "The Fens"
    folder.mkdir(parents=True)
    for name, when in (("old.save", 1000), ("new.save", 2000)):
        (folder / name).write_bytes(save())
        os.utime(folder / name, (when, when))
    return folder / "new.save"


@pytest.fixture
def player(qtbot: QtBot, qapp: QApplication, path: Path) -> Player:
    window = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(window, before_close_func=lambda _: window.session.show(None))
    window.resize(1200, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    window.open_path(path)
    window._parts.tree.setFocus()
    return Player(window, qtbot)


def test_gold_is_found_and_changed(player: Player) -> None:
    player.press(Key.Key_F, CTRL)
    player.write("gold")
    player.qtbot.waitUntil(lambda: player.window._parts.find.runner.is_complete)
    player.press(Key.Key_Return)
    player.press(Key.Key_Escape)
    assert player.window.session.path == "[0].hero.gold"
    player.press(Key.Key_F2)
    player.write("9999")
    player.press(Key.Key_Return)
    assert player.value("[0].hero.gold") == "9999"
    assert player.steps <= 7


def test_a_hero_is_renamed_with_a_space_and_quotes(player: Player) -> None:
    player.click_row("[0].hero.name")
    player.press(Key.Key_F2)
    player.press(Key.Key_A, CTRL)
    player.write('Mira "Swift" Oak')
    player.press(Key.Key_Return)
    assert player.value("[0].hero.name") == r'"Mira \"Swift\" Oak"'


def test_an_item_like_its_neighbours_is_added(player: Player) -> None:
    player.click_row("[0].inventory[2]")
    player.press(Key.Key_N, CTRL)
    player.press(Key.Key_Return)  # "Like [2]: id, count" is the first offer
    assert player.window.session.path == "[0].inventory[3].id"
    player.press(Key.Key_F2)
    player.press(Key.Key_A, CTRL)
    player.write("shield")
    player.press(Key.Key_Return)
    assert player.value("[0].inventory[3]") == '{"id": "shield", "count": 48}'


def test_all_below_50_hp_get_99_by_the_form(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(dialog: QDialog) -> None:
        assert isinstance(dialog, BulkDialog)
        assert dialog.form.what.currentText() == "hp"
        player.click(dialog.form.test)
        player.press(Key.Key_Down)
        player.press(Key.Key_Return)
        assert dialog.form.test.currentText() == "is less than"
        player.click(dialog.form.operand)
        player.write("50")
        player.click(dialog.form.new)
        player.write("99")
        player.qtbot.waitUntil(dialog.apply_button.isEnabled)
        assert dialog.says.text() == "2 values change."
        player.click(dialog.apply_button)

    said: list[str] = []
    monkeypatch.setattr(player.window._editing._bulk, "_say_undo", said.append)
    player.press(Key.Key_F, CTRL)
    player.write("hp")
    player.qtbot.waitUntil(lambda: player.window._parts.find.runner.is_complete)
    button = player.window.findChild(QAbstractButton, "changeFound")
    assert isinstance(button, QAbstractButton)
    player.in_dialog(fill)
    player.click(button)
    assert [player.value(f"[0].party[{k}].hp") for k in range(3)] == ["99", "80", "99"]
    assert said == ["2 values changed; Ctrl+Z undoes that."]


def test_an_inventory_is_sorted_by_count_and_three_cells_are_changed(player: Player) -> None:
    player.click_row("[0].inventory")
    player.press(Key.Key_T, CTRL | SHIFT)
    view = player.window.findChild(SheetView)
    assert isinstance(view, SheetView)
    header, model = view.horizontalHeader(), view.model()
    titles = [str(model.headerData(k, Qt.Orientation.Horizontal)) for k in range(model.columnCount())]
    count = next(k for k, title in enumerate(titles) if "count" in title)
    player.click(header.viewport(), QPoint(header.sectionViewportPosition(count) + 20, 10))
    player.click(view.viewport(), view.visualRect(model.index(0, count)).center())
    for number in ("5", "6", "7"):
        player.write(number)
        player.press(Key.Key_Return)
    counts = {player.value(f"[0].inventory[{k}].id"): player.value(f"[0].inventory[{k}].count") for k in range(3)}
    assert counts == {'"potion"': "5", '"sword"': "6", '"arrow"': "7"}


def test_a_portrait_is_replaced(player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "face.png"
    picture.write_bytes(png(2, 1, b"\x00\x00\x00\xff\xff\x00\x00"))
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_, **__: (str(picture), ""))
    before = player.value("[0].hero.portrait")
    player.click_row("[0].hero.portrait")
    player.window._actions["replace_picture"].trigger()
    player.qtbot.waitUntil(lambda: player.value("[0].hero.portrait") != before)


def test_it_is_seen_where_the_enemies_stand(player: Player) -> None:
    player.click_row("[0].enemies")
    player.press(Key.Key_F7, CTRL)
    dialog = next(found for found in player.window.findChildren(PlotDialog) if found.isVisible())
    player.qtbot.waitUntil(dialog.isActiveWindow)
    player.press(Key.Key_PageDown)
    player.press(Key.Key_Return)
    assert player.window.session.path.startswith("[0].enemies[")
    assert player.window.session.path.endswith("].place")
    dialog.close()


def test_a_colour_is_changed(player: Player) -> None:
    from viewer.ui.editors.editor_card import EditorCard

    player.click_row("[0].hero.cloak")
    player.press(Key.Key_F4)
    card = next(found for found in player.window.findChildren(EditorCard) if found.isVisible())
    player.qtbot.waitUntil(card.isActiveWindow)
    before = player.value("[0].hero.cloak")
    player.press(Key.Key_Right)
    player.press(Key.Key_Up)
    player.press(Key.Key_Return, CTRL)
    assert player.value("[0].hero.cloak") != before


def test_the_newest_save_of_a_game_is_opened_from_the_list(
    player: Player, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.window.session.show(None)
    monkeypatch.setattr(games_dialog, "data_folders", lambda *_: [DataFolder(tmp_path)])

    def choose(dialog: QDialog) -> None:
        assert isinstance(dialog, games_dialog.GamesDialog)
        player.qtbot.waitUntil(lambda: dialog._finder.job is None and dialog._looker.job is None)
        player.press(Key.Key_Return)

    player.in_dialog(choose)
    player.press(Key.Key_O, CTRL | SHIFT)
    assert player.document.path == path


def test_everything_is_undone(player: Player) -> None:
    raw = bytes(player.document.buffer[:])
    player.click_row("[0].inventory[1]")
    player.press(Key.Key_Delete)
    player.press(Key.Key_D, CTRL)
    player.press(Key.Key_Delete)
    assert bytes(player.document.buffer[:]) != raw
    player.press(Key.Key_Z, CTRL | ALT)  # the list of changes
    player.press(Key.Key_Home, CTRL)
    player.press(Key.Key_Up)
    for _ in range(8):
        player.press(Key.Key_Up)
        if player.window._comfort._history.get().card.row == 0:
            break
    player.press(Key.Key_Return)
    assert bytes(player.document.buffer[:]) == raw


@pytest.mark.engine
def test_what_was_changed_is_saved_and_the_game_reads_it(player: Player, path: Path) -> None:
    player.click_row("[0].hero.gold")
    player.press(Key.Key_F2)
    player.write("+25")
    player.press(Key.Key_Return)
    player.press(Key.Key_S, CTRL)
    answer = engine.read_back([engine.Request(path.read_bytes(), "get_var")])[0]
    assert answer.error is None
    assert "1400" in str(answer.values[0])
    assert (path.parent / "new.save.bak").read_bytes() == save()
