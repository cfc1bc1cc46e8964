"""Replacing in the real window: the bar, its keys, the list of what would become what, and one step of undo."""

from __future__ import annotations

import struct

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching.query import Mode
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.find_results import FindResults, ReplaceRole
from viewer.ui.panels.replace_bar import ReplaceBar
from viewer.ui.panels.replacer import NOTHING, NOWHERE, STOPPED
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.read import read

pytestmark = pytest.mark.usefixtures("rpg_open")
KEY = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
ALL = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)


@pytest.fixture
def find(window: MainWindow) -> FindField:
    return window.findChild(FindField, "findField")  # type: ignore[return-value]


def action(window: MainWindow, name: str) -> QAction:
    return window.findChild(QAction, name)  # type: ignore[return-value]


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def begin(qtbot: QtBot, window: MainWindow, text: str, new: str) -> ReplaceBar:
    """Look for a text, open the bar and write what it becomes, all by keys."""
    find = window.findChild(FindField, "findField")
    action(window, "find").trigger()
    QTest.keyClicks(QApplication.focusWidget(), text)
    qtbot.waitUntil(lambda: find.runner.is_complete)
    action(window, "replace").trigger()
    bar = window.findChild(ReplaceBar, "replaceBar")
    QTest.keyClicks(QApplication.focusWidget(), new)
    return bar


def told(qtbot: QtBot, bar: ReplaceBar, words: str) -> None:
    qtbot.waitUntil(lambda: words in bar.replacer.sentence)


def value(window: MainWindow, path: str) -> object:
    document = window.session.document
    assert document is not None
    item = parse_path(document, path)
    return read(document.frames[item.frame].table, item.node).data


# Opening and leaving


def test_the_bar_opens_by_key_with_the_list_and_takes_the_focus(window: MainWindow, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "iron", "")
    assert bar.isVisible()
    assert bar.field.line.hasFocus()
    assert window.findChild(FindResults, "findResults").isVisible()


def test_without_a_search_the_search_field_is_asked_first(window: MainWindow, find: FindField) -> None:
    action(window, "replace").trigger()
    assert find.line.hasFocus()


def test_escape_goes_back_to_the_search_field_and_from_there_out(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    bar = begin(qtbot, window, "iron", "Copper")
    press(KEY.Key_Escape)
    assert not bar.isVisible()
    assert find.line.hasFocus()
    press(KEY.Key_Escape)
    assert not find.line.hasFocus()


def test_arrows_lead_to_the_search_field_and_to_the_list(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    begin(qtbot, window, "iron", "")
    press(KEY.Key_Up)
    assert find.line.hasFocus()
    action(window, "replace").trigger()
    press(KEY.Key_Down)
    assert window.findChild(FindResults, "findResults").list.hasFocus()


def test_closing_the_file_closes_the_bar(window: MainWindow, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "iron", "Copper")
    window.session.show(None)
    assert not bar.isVisible()


# What would become of it


def test_the_list_shows_what_every_place_would_become(window: MainWindow, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "iron", "Copper")
    told(qtbot, bar, "3 will change.")
    rows = window.findChild(FindResults, "findResults").rows
    assert [rows.index(k).data(ReplaceRole).after for k in range(3)] == ["Copper Sword"] * 3
    assert "→ Copper Sword" in rows.index(0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_what_cannot_be_replaced_is_said_in_the_list_and_in_the_bar(window: MainWindow, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "number: 0.8", "1e99")
    told(qtbot, bar, "1 of 2 will change. 1e99 is too large for f32.")
    rows = window.findChild(FindResults, "findResults").rows
    assert [rows.index(k).data(ReplaceRole).problem for k in range(2)] == ["1e99 is too large for f32.", ""]


def test_how_many_will_be_replaced_is_seen_in_a_narrow_window_too(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 600)
    bar = begin(qtbot, window, "a", "o")
    told(qtbot, bar, "will change")
    many = bar.message.text().partition(".")[0]
    assert " of " in many
    assert QFontMetricsF(bar.message.font()).horizontalAdvance(f"{many}…") <= bar.message.width()


@pytest.mark.parametrize(
    ("text", "new", "sentence"),
    [
        (
            "hex: 49 72",
            "41",
            "Bytes are replaced by the same number of bytes: 2 bytes are looked for, 1 would be written.",
        ),
        ("number: 5", "x", "“x” is not a number: write 42, -1.5 or 0x1F."),
        ("type: int", "x", "A type is not replaced here: change it in the tree."),
        (
            "regex: iron",
            "\\1",
            "The replacement cannot be used: it names a group that is not there; put ( ) around what \\1 stands for.",
        ),
    ],
)
def test_a_replacement_that_cannot_be_is_told_below_the_field(
    window: MainWindow, qtbot: QtBot, text: str, new: str, sentence: str
) -> None:
    bar = begin(qtbot, window, text, new)
    assert bar.field.sentence.text == sentence
    assert bar.field.sentence.isVisible()
    before = bytes(window.session.document.buffer)
    press(KEY.Key_Return, ALL)
    press(KEY.Key_Return)
    assert bytes(window.session.document.buffer) == before
    assert bar.field.line.text() == new


# Replacing


def test_enter_goes_to_a_place_and_then_replaces_one_after_the_other(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    bar = begin(qtbot, window, "iron", "Copper")
    press(KEY.Key_Return)
    assert value(window, "[0].inventory[0].name") == "Iron Sword"
    assert find.runner.index == 0
    press(KEY.Key_Return)
    assert value(window, "[0].inventory[0].name") == "Copper Sword"
    assert find.current is not None
    assert window.session.path.startswith("[0].inventory[9].name")
    assert bar.field.line.hasFocus()
    press(KEY.Key_Return)
    assert value(window, "[0].inventory[9].name") == "Copper Sword"
    assert value(window, "[0].inventory[18].name") == "Iron Sword"


def test_one_place_after_the_other_in_one_text_skips_none(window: MainWindow, qtbot: QtBot) -> None:
    raw = struct.pack("<II", 4, 10) + b"iron, iron" + bytes(2)
    window.session.show(Document(raw, choice=BARE))
    begin(qtbot, window, "iron", "gold ore")
    for _ in range(3):
        press(KEY.Key_Return)
    assert value(window, "[0]") == "gold ore, gold ore"


def test_what_was_replaced_is_not_replaced_again_when_it_holds_what_is_looked_for(
    window: MainWindow, qtbot: QtBot
) -> None:
    begin(qtbot, window, "iron", "iron ore")
    for _ in range(3):
        press(KEY.Key_Return)
    assert value(window, "[0].inventory[0].name") == "iron ore Sword"
    assert value(window, "[0].inventory[9].name") == "iron ore Sword"


def test_all_are_replaced_by_keys_as_one_step(window: MainWindow, qtbot: QtBot) -> None:
    before = bytes(window.session.document.buffer)
    bar = begin(qtbot, window, "key: name", "title")
    press(KEY.Key_Return, ALL)
    told(qtbot, bar, "Replaced 46 places in 46 values.")
    assert value(window, "[0].inventory[0].title") == "Iron Sword"
    window.session.undo()
    assert bytes(window.session.document.buffer) == before
    assert not window.session.document.modified


@pytest.mark.parametrize("keys", [(KEY.Key_Return, NONE), (KEY.Key_Return, ALL)])
def test_undo_in_the_field_takes_back_what_was_replaced_until_something_is_typed(
    window: MainWindow, qtbot: QtBot, keys: tuple[Qt.Key, Qt.KeyboardModifier]
) -> None:
    document = window.session.document
    assert document is not None
    before = bytes(document.buffer[:])
    bar = begin(qtbot, window, "iron", "steel")
    told(qtbot, bar, "will change")
    if keys[1] is NONE:
        press(*keys)  # goes to the first place
    press(*keys)
    qtbot.waitUntil(lambda: bytes(document.buffer[:]) != before)
    press(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bytes(document.buffer[:]) == before
    assert bar.field.line.text() == "steel"
    press(KEY.Key_S)
    press(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bar.field.line.text() == ""
    assert bytes(document.buffer[:]) == before


def test_nothing_lies_over_the_bar_while_the_search_field_has_the_focus(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    begin(qtbot, window, "iron", "steel")
    chips = window.findChild(QWidget, "findChips")
    assert isinstance(chips, QWidget)
    find.focus()
    assert chips.isHidden()
    window.findChild(ReplaceBar, "replaceBar").close_button.click()
    window._parts.tree.setFocus()
    find.focus()
    assert chips.isVisible()


def test_replacing_all_before_the_plan_is_made_does_it_too(window: MainWindow, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, r"regex: ^iron (\w+)$", r"\1 of iron")
    bar.replacer.replace_all()
    told(qtbot, bar, "Replaced 3 places")
    assert value(window, "[0].inventory[0].name") == "Sword of iron"


def test_an_edit_meanwhile_gives_the_replacing_up(window: MainWindow, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "iron", "Copper")
    bar.replacer.replace_all()
    if bar.replacer.is_replacing:
        window.session.set_literal(parse_path(window.session.document, "[0].player.level"), "99")
    assert not bar.replacer.is_replacing


def test_escape_stops_a_long_replacing_and_nothing_is_changed(window: MainWindow, qtbot: QtBot) -> None:
    raw = struct.pack("<II", 19, 1 << 17) + (struct.pack("<II", 4, 4) + b"iron") * (1 << 17)
    window.session.show(Document(raw, choice=BARE))
    bar = begin(qtbot, window, "iron", "tin")
    press(KEY.Key_Return, ALL)
    assert bar.replacer.is_replacing
    press(KEY.Key_Escape)
    assert bar.replacer.sentence == STOPPED
    assert bar.isVisible()
    assert not window.session.document.modified


def test_more_places_than_are_listed_are_replaced_too(window: MainWindow, qtbot: QtBot) -> None:
    many = 12_000
    raw = struct.pack("<II", 19, many) + (struct.pack("<II", 4, 4) + b"iron") * many
    window.session.show(Document(raw, choice=BARE))
    bar = begin(qtbot, window, "iron", "gold")
    press(KEY.Key_Return, ALL)
    qtbot.waitUntil(lambda: "Replaced 12" in bar.replacer.sentence, timeout=20_000)
    assert bytes(window.session.document.buffer).count(b"gold") == many


def test_without_anything_to_replace_a_sentence_says_so(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "nosuchword", "x")
    press(KEY.Key_Return, ALL)
    assert bar.field.sentence.text == NOWHERE
    find.line.clear()
    press(KEY.Key_Return, ALL)
    assert bar.field.sentence.text == NOTHING


# Options


def test_the_search_can_be_narrowed_to_the_selected_value(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "iron", "Copper")
    window.session.select(parse_path(window.session.document, "[0].inventory[9]"))
    press(KEY.Key_U, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: find.runner.is_complete)
    assert bar.scope_button.text() == "In [0].inventory[9]"
    assert len(find.hits) == 1
    press(KEY.Key_Return, ALL)
    told(qtbot, bar, "Replaced 1 place")
    assert value(window, "[0].inventory[9].name") == "Copper Sword"
    assert value(window, "[0].inventory[0].name") == "Iron Sword"
    assert find.runner.scope_path == "[0].inventory[9]"
    press(KEY.Key_U, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: find.runner.is_complete)
    assert len(find.hits) == 2


def test_letters_can_be_made_to_match_exactly(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    begin(qtbot, window, "iron", "")
    press(KEY.Key_C, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: find.runner.is_complete)
    assert find.hits == []


def test_what_is_looked_for_is_shown_and_switched(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    bar = begin(qtbot, window, "key: iron", "")
    assert bar.mode_button.text() == "Keys"
    press(KEY.Key_R, Qt.KeyboardModifier.AltModifier)
    assert (find.mode, find.line.text()) == (Mode.REGEX, "iron")
    assert bar.mode_button.text() == "Regular expression"


def test_find_next_is_offered_only_with_something_to_look_for(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    for text, offered in (("", False), ("regex: (", False), ("nosuchword", False), ("iron", True)):
        find.line.setText(text)
        qtbot.waitUntil(lambda: find.runner.is_complete)
        assert action(window, "find_next").isEnabled() is offered, text
