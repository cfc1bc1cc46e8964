"""The search while it runs and the list of what it found, in the real window."""

from __future__ import annotations

import struct

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching.query import LIMIT
from viewer.ui.hex.view import HexView
from viewer.ui.panels.find_field import NOT_ASKED, FindField
from viewer.ui.panels.find_results import NOTHING_ASKED, FindResults, OffsetRole, RowRole
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

pytestmark = pytest.mark.usefixtures("rpg_open")
KEY = Qt.Key
BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)
LARGE = 24 << 20
SLOW = "hex:" + "??" * 12 + "6E 65 65 64 6C 65"
"""What lies behind it takes a second to be searched: every byte may be the first of these."""


@pytest.fixture
def find(window: MainWindow) -> FindField:
    return window.findChild(FindField, "findField")  # type: ignore[return-value]


@pytest.fixture
def results(window: MainWindow) -> FindResults:
    """The list, as it is after it was shown once; it is built then."""
    for _ in ("show", "hide"):
        action(window, "find_list").trigger()
    return window.findChild(FindResults, "findResults")  # type: ignore[return-value]


@pytest.fixture
def places(window: MainWindow, results: FindResults) -> QListView:
    return window.findChild(QListView, "findList")  # type: ignore[return-value]


def action(window: MainWindow, name: str) -> QAction:
    return window.findChild(QAction, name)  # type: ignore[return-value]


def look_for(qtbot: QtBot, find: FindField, text: str) -> None:
    find.focus()
    find.line.setText(text)
    qtbot.waitUntil(lambda: find.runner.is_complete)


def press(key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)


def show_large(window: MainWindow, text: bytes = bytes(12) + b"needle") -> None:
    """A packed byte array with *text* in front."""
    raw = struct.pack("<II", 20, LARGE) + text + bytes(LARGE - len(text))
    window.session.show(Document(raw, choice=BARE))


# The list


def test_the_list_opens_by_key_and_shows_every_place(
    window: MainWindow, find: FindField, results: FindResults, places: QListView, qtbot: QtBot
) -> None:
    look_for(qtbot, find, "iron")
    action(window, "find_list").trigger()
    assert results.isVisible()
    assert find.list_button.isChecked()
    rows = [places.model().index(row, 0) for row in range(places.model().rowCount())]
    assert [row.data(RowRole).path for row in rows] == [f"[0].inventory[{k}].name" for k in (0, 9, 18)]
    assert [row.data(OffsetRole) for row in rows] == [f"0x{hit.start:06X}" for hit in find.hits]
    assert results.words == "3 places"


def test_the_button_in_the_field_opens_and_closes_the_list(find: FindField, results: FindResults, qtbot: QtBot) -> None:
    look_for(qtbot, find, "iron")
    for shown in (True, False):
        qtbot.mouseClick(find.list_button, Qt.MouseButton.LeftButton)
        assert results.isVisible() is shown


def test_arrow_keys_browse_and_enter_goes_to_the_bytes(
    window: MainWindow, find: FindField, results: FindResults, places: QListView, qtbot: QtBot
) -> None:
    look_for(qtbot, find, "iron")
    action(window, "find_list").trigger()
    assert places.hasFocus()
    before = window.session.caret
    press(KEY.Key_Down)
    assert window.session.caret == before
    press(KEY.Key_Return)
    assert find.current == find.hits[1]
    assert window.session.marked_span == find.hits[1]
    assert window.findChild(HexView, "hexView").hasFocus()


def test_escape_in_the_list_returns_to_the_field(
    window: MainWindow, find: FindField, places: QListView, qtbot: QtBot
) -> None:
    look_for(qtbot, find, "iron")
    action(window, "find_list").trigger()
    press(KEY.Key_Escape)
    assert find.line.hasFocus()
    press(KEY.Key_Down)
    assert places.hasFocus()


def test_a_step_lights_its_row(window: MainWindow, find: FindField, places: QListView, qtbot: QtBot) -> None:
    look_for(qtbot, find, "iron")
    action(window, "find_list").trigger()
    action(window, "find_next").trigger()
    action(window, "find_next").trigger()
    assert places.currentIndex().row() == find.runner.index == 1


def test_closing_the_search_closes_the_list(find: FindField, results: FindResults, qtbot: QtBot) -> None:
    look_for(qtbot, find, "iron")
    qtbot.mouseClick(find.list_button, Qt.MouseButton.LeftButton)
    find.focus()
    press(KEY.Key_Escape)
    assert not results.isVisible()


def test_the_list_says_when_there_is_nothing_or_too_much(
    window: MainWindow, find: FindField, results: FindResults, places: QListView, qtbot: QtBot
) -> None:
    action(window, "find_list").trigger()
    assert find.line.hasFocus()
    look_for(qtbot, find, "no such thing")
    assert places.empty == "“no such thing” was not found in this file."  # type: ignore[attr-defined]
    show_large(window)
    look_for(qtbot, find, "hex: 00")
    assert (len(find.hits), find.count_text) == (LIMIT, "10\u202f000+")
    assert places.model().rowCount() == LIMIT
    assert results.words.startswith("the first 10\u202f000 places; there are more")


@pytest.mark.parametrize("text", ["iron", "0", "hex: 00", "key: name"])
def test_qt_finds_no_fault_with_the_rows_while_they_come_and_go(
    window: MainWindow, find: FindField, results: FindResults, qtbot: QtBot, text: str
) -> None:
    action(window, "find_list").trigger()
    tester = QAbstractItemModelTester(results.rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
    look_for(qtbot, find, text)
    document = window.session.document
    assert document is not None
    window.session.apply(set_literal(document, parse_path(document, "[0].player.name"), '"Al"'))
    qtbot.waitUntil(lambda: find.runner.is_complete)
    look_for(qtbot, find, "")
    assert tester.model() is results.rows


# While it runs


def test_escape_stops_the_search_and_a_second_one_leaves(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    show_large(window)
    find.focus()
    find.line.setText(SLOW)
    qtbot.waitUntil(lambda: bool(find.hits))
    assert find.count_text == "1+ …"
    press(KEY.Key_Escape)
    assert (find.runner.is_complete, find.runner.is_stopped, find.count_text) == (True, True, "1+")
    assert find.line.text() == SLOW.removeprefix("hex:")
    press(KEY.Key_Escape)
    assert (find.line.text(), find.hits) == ("", [])


def test_the_next_place_is_gone_to_before_the_search_is_through(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    show_large(window)
    find.focus()
    find.line.setText(SLOW)
    press(KEY.Key_Return)
    qtbot.waitUntil(lambda: find.current is not None)
    assert not find.runner.is_complete
    assert window.session.caret == 8


def test_the_list_fills_while_the_search_runs(
    window: MainWindow, find: FindField, results: FindResults, qtbot: QtBot
) -> None:
    show_large(window)
    action(window, "find_list").trigger()
    find.line.setText(SLOW)
    qtbot.waitUntil(lambda: results.rows.rowCount() == 1)
    assert not find.runner.is_complete
    assert results.words.startswith("1 place so far, ")


def test_typing_on_gives_the_running_search_up(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    show_large(window, bytes(12) + b"needle nail")
    find.focus()
    find.line.setText(SLOW)
    qtbot.waitUntil(lambda: bool(find.hits))
    find.line.setText("text: nail")
    assert (find.hits, find.runner.reached) == ([], 0)
    qtbot.waitUntil(lambda: find.runner.is_complete)
    assert [hit.start for hit in find.hits] == [27]


def test_closing_the_file_ends_the_search(window: MainWindow, find: FindField) -> None:
    show_large(window)
    find.line.setText(SLOW)
    window.session.show(None)
    assert find.runner.is_complete
    assert find.hits == []


# Around it


def test_without_a_query_there_is_no_next_place_and_the_menu_says_why(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    for name in ("find_next", "find_previous"):
        assert not action(window, name).isEnabled()
        assert action(window, name).toolTip() == NOT_ASKED
    look_for(qtbot, find, "iron")
    assert action(window, "find_next").isEnabled()
    assert action(window, "find_next").toolTip() == "Go to the next place found"
    look_for(qtbot, find, "no such thing")
    assert not action(window, "find_next").isEnabled()


def test_an_edit_moves_what_was_found_at_once_and_leaves_the_selection(
    window: MainWindow, find: FindField, qtbot: QtBot
) -> None:
    look_for(qtbot, find, "iron")
    before, document = list(find.hits), window.session.document
    assert document is not None
    window.session.go_to_place("[0].player.name")
    selected, size = window.session.path, len(document.buffer)
    window.session.apply(
        set_literal(document, parse_path(document, "[0].player.name"), '"A much longer name than before"')
    )
    growth = len(document.buffer) - size
    assert growth
    assert find.hits == [hit.shifted(growth) for hit in before]
    assert not find.runner.is_complete
    qtbot.waitUntil(lambda: find.runner.is_complete)
    assert find.hits == [hit.shifted(growth) for hit in before]
    assert window.session.path == selected


def test_a_place_that_an_edit_overwrites_is_found_no_more(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "iron")
    gone, *left = find.hits
    window.session.overwrite(gone.start, b"X")
    assert find.hits == left


def test_what_an_edit_wrote_is_found(window: MainWindow, find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "iron")
    count, document = len(find.hits), window.session.document
    assert document is not None
    window.session.apply(set_literal(document, parse_path(document, "[0].player.name"), '"Iron Maiden"'))
    qtbot.waitUntil(lambda: find.runner.is_complete)
    assert len(find.hits) == count + 1


def test_the_new_widgets_have_names(find: FindField, results: FindResults, places: QListView) -> None:
    assert [part.accessibleName() for part in (results, places)] == ["Found", "Places found"]
    assert "List all places found" in find.list_button.accessibleName()


def test_of_a_text_the_offsets_are_those_of_the_file(
    window: MainWindow, find: FindField, results: FindResults, places: QListView, qtbot: QtBot
) -> None:
    raw = b'{\n    "name": "Mira",\n    "count": 5\n}\n'
    window.session.show(Document(raw, name="save.json"))
    look_for(qtbot, find, "count")
    action(window, "find_list").trigger()
    model = places.model()
    qtbot.waitUntil(lambda: model.rowCount() == 1)
    assert int(model.index(0, 0).data(OffsetRole), 16) == raw.index(b'"count"')


def test_what_cannot_be_looked_for_is_told_in_the_list_and_below_the_field(
    qtbot: QtBot, window: MainWindow, find: FindField, results: FindResults
) -> None:
    action(window, "find_list").trigger()
    why = "“z” is not a hex digit: write bytes as 10 27 4? ??."
    look_for(qtbot, find, "hex: zz")
    assert results.list.empty == why
    qtbot.waitUntil(lambda: find._sentence.isVisible() and find._sentence.text == why)
    look_for(qtbot, find, "hex: 0A")
    assert results.list.empty != why
    assert not find._sentence.isVisible()
    look_for(qtbot, find, "")
    assert results.list.empty == NOTHING_ASKED
