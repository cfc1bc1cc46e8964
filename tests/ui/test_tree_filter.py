"""The filter over the tree as a person uses it, with keys."""

from __future__ import annotations

import struct
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.tree.tree_filter import MOST, TreeFilter
from viewer.ui.tree.tree_filter_bar import FilterBar
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

pytestmark = pytest.mark.usefixtures("rpg_open")
KEY = Qt.Key
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)


def golden(name: str) -> Path:
    return next(f.path for f in corpus.files("godot3") if f.path.name == name)


def tree(window: MainWindow) -> TreeView:
    return window.findChild(TreeView, "treeView")  # type: ignore[return-value]


def bar(window: MainWindow) -> FilterBar:
    return window.findChild(FilterBar, "filterBar")  # type: ignore[return-value]


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    found = window.findChild(TreeFilter)
    qtbot.waitUntil(lambda: found.is_complete and not found._pause.isActive())


def narrow(qtbot: QtBot, window: MainWindow, text: str) -> None:
    press(KEY.Key_F, CTRL | ALT)
    QTest.keyClicks(QApplication.focusWidget(), text)
    settle(qtbot, window)


def shown(window: MainWindow) -> list[str]:
    """The paths of all rows that can be scrolled to."""
    view, out = tree(window), []
    index = view.tree_model.index(0, 0)
    while index.isValid():
        out.append(view.tree_model.path(index))
        index = view.indexBelow(index)
    return out


def test_only_rows_with_the_text_and_those_above_them_are_shown(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "gold")
    assert shown(window) == ["[0]", "[0].player", "[0].player.gold"]
    assert bar(window).words == "1 row"


def test_enter_goes_to_the_first_row(qtbot: QtBot, window: MainWindow) -> None:
    window.session.select(None)
    narrow(qtbot, window, "gold")
    press(KEY.Key_Return)
    assert tree(window).hasFocus()
    press(KEY.Key_End)
    assert window.session.path == "[0].player.gold"


def test_escape_shows_all_rows_and_what_was_open_before(qtbot: QtBot, window: MainWindow) -> None:
    before = shown(window)
    narrow(qtbot, window, "type: Vector2")
    assert len(shown(window)) > 3
    press(KEY.Key_Escape)
    assert shown(window) == before
    assert bar(window).isHidden()
    assert tree(window).hasFocus()


def test_escape_in_the_tree_shows_all_rows_too(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "gold")
    press(KEY.Key_Return)
    press(KEY.Key_Escape)
    assert len(shown(window)) > 3


def test_what_is_chosen_among_few_is_shown_among_all(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "gold")
    press(KEY.Key_Return)
    press(KEY.Key_End)
    press(KEY.Key_Escape)
    assert tree(window).tree_model.path(tree(window).currentIndex()) == "[0].player.gold"
    assert window.session.path == "[0].player.gold"


def test_nothing_found_says_so(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "nowhere at all")
    assert shown(window) == []
    assert bar(window).words == "none"
    press(KEY.Key_Return)
    assert bar(window).line.hasFocus()


def test_where_nothing_fits_a_sentence_stands_in_the_tree_with_a_way_back(qtbot: QtBot, window: MainWindow) -> None:
    before = shown(window)
    narrow(qtbot, window, "nowhere at all")
    nothing = bar(window).nothing
    assert nothing.isVisible()
    assert nothing.words == "No row has “nowhere at all” in its name, type or value."
    QTest.mouseClick(nothing.button, Qt.MouseButton.LeftButton)
    assert not nothing.isVisible()
    assert shown(window) == before
    narrow(qtbot, window, "gold")
    assert not nothing.isVisible()


def test_another_file_is_not_said_to_have_no_row(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "nowhere at all")
    assert bar(window).nothing.isVisible()
    window.session.show(None)
    assert not bar(window).nothing.isVisible()
    window.session.show(Document(bytes.fromhex("02000000 05000000")))
    assert bar(window).nothing.words == ""


def test_what_cannot_be_read_says_why_and_changes_no_row(qtbot: QtBot, window: MainWindow) -> None:
    before = shown(window)
    narrow(qtbot, window, "hex: 1")
    assert shown(window) == before
    press(KEY.Key_Return)
    assert bar(window).sentence.text == "A byte has two digits: write 0A, not A; ? stands for any digit."


def test_more_than_are_shown_are_said_to_be_more(qtbot: QtBot, window: MainWindow) -> None:
    data = struct.pack("<II", 19, 6000) + struct.pack("<II", 2, 77) * 6000
    window.session.show(Document(data, choice=BARE))
    narrow(qtbot, window, "77")
    assert len(shown(window)) == MOST + 1
    assert bar(window).words == "the first 5000, there are more"


def test_the_model_keeps_its_promises(qtbot: QtBot, window: MainWindow) -> None:
    tester = QAbstractItemModelTester(
        tree(window).tree_model, QAbstractItemModelTester.FailureReportingMode.Warning, window
    )
    for text in ("gold", "type: Color", "zz"):
        narrow(qtbot, window, text)
        bar(window).line.clear()
        settle(qtbot, window)
    assert tester is not None


def test_an_edit_keeps_the_rows_and_the_selection(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "name")
    count = len(shown(window))
    window.session.go_to_place("[0].player.name")
    document = window.session.document
    assert document is not None
    window.session.set_literal(parse_path(document, "[0].player.name"), '"' + "x" * 300 + '"')
    assert len(shown(window)) == count
    assert window.session.path == "[0].player.name"
    assert tree(window).tree_model.path(tree(window).currentIndex()) == "[0].player.name"
    window.session.undo()
    assert len(shown(window)) == count


def test_a_value_that_does_not_fit_any_more_stays_until_the_text_changes(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "value: ranger")
    document = window.session.document
    assert document is not None
    window.session.set_literal(parse_path(document, "[0].player.class"), '"wizard of the north"')
    assert "[0].player.class" in shown(window)


def test_going_to_a_row_that_is_not_there_keeps_the_filter(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "gold")
    window.session.go_to_place("[0].player.hp")
    assert window.session.path == "[0].player.hp"
    assert not tree(window).currentIndex().isValid()
    assert shown(window) == ["[0]", "[0].player", "[0].player.gold"]
    press(KEY.Key_Escape)
    assert tree(window).tree_model.path(tree(window).currentIndex()) == "[0].player.hp"


def test_another_file_has_no_filter(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "gold")
    window.session.show(Document(golden("single_dict.save").read_bytes()))
    assert bar(window).isHidden()
    assert not tree(window).tree_model.is_filtered
    window.session.show(None)


def test_another_reading_filters_anew(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "gold")
    window.session.read_as(ReadOptions(dialect=load("godot3")))
    settle(qtbot, window)
    assert shown(window) == ["[0]", "[0].player", "[0].player.gold"]


def test_the_bar_is_in_the_narrow_window_too(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(700, 500)
    window._parts.work.reveal(window._parts.hex)
    narrow(qtbot, window, "gold")
    assert tree(window).isVisible()
    assert bar(window).isVisible()


def test_rows_above_are_told_from_those_found(qtbot: QtBot, window: MainWindow) -> None:
    narrow(qtbot, window, "gold")
    document, model = window.session.document, tree(window).tree_model
    assert document is not None
    found = {name: model.index_of(parse_path(document, f"[0].player{name}")) for name in ("", ".gold")}
    assert [model.facts(index).above for index in found.values()] == [True, False]


def test_a_number_changed_while_it_looks_does_not_end_it_too_early(qtbot: QtBot, window: MainWindow) -> None:
    data = struct.pack("<II", 19, 200_000) + struct.pack("<II", 2, 5) * 199_999 + struct.pack("<II", 2, 77)
    window.session.show(Document(data, choice=BARE))
    press(KEY.Key_F, CTRL | ALT)
    bar(window).line.setText("number: 77")
    found = window.findChild(TreeFilter)
    qtbot.waitUntil(lambda: found._timer.isActive() or found.is_complete)
    document = window.session.document
    assert document is not None
    window.session.set_literal(parse_path(document, "[0][0]"), "77")
    settle(qtbot, window)
    assert bar(window).words in ("2 rows", "1 row")
    assert "[0][199999]" in shown(window)


def test_an_expression_that_would_never_end_is_given_up_with_a_sentence(window: MainWindow, qtbot: QtBot) -> None:
    words = b"".join(struct.pack("<II", 4, 40) + b"a" * 37 + b"!%02d" % k for k in range(40))
    window.session.show(Document(struct.pack("<II", 19, 40) + words, choice=BARE))
    press(KEY.Key_F, CTRL | ALT)
    QTest.keyClicks(QApplication.focusWidget(), "regex: (a+)+$")
    found = window.findChild(TreeFilter)
    qtbot.waitUntil(lambda: found.is_complete and not found._pause.isActive(), timeout=30_000)
    assert found._error.endswith(".")
    assert bar(window).sentence.isVisible()
