"""The help by keys: pages are listed, words are found and marked, Escape leaves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from viewer.ui.window.help_window import NOTHING, HelpWindow
from viewer.ui.window.main_window import MainWindow

Key = Qt.Key


@pytest.fixture
def help_window(window: MainWindow) -> HelpWindow:
    window._actions["help"].trigger()
    return window._help.get()


def test_it_opens_at_the_first_page_with_the_field_ready(help_window: HelpWindow) -> None:
    assert help_window.isVisible()
    assert help_window.list.item(0).text() == "First steps"
    assert help_window.page.toPlainText().startswith("First steps\n")
    assert help_window.list.count() == 9


def test_typed_words_leave_their_pages_and_are_marked(help_window: HelpWindow) -> None:
    QTest.keyClicks(help_window.field, "pcap")
    assert [help_window.list.item(k).text() for k in range(help_window.list.count())] == ["Packets"]
    assert help_window.says.text() == "1 page"
    marks = help_window.page.extraSelections()
    assert {mark.cursor.selectedText().lower() for mark in marks} == {"pcap"}  # type: ignore[attr-defined]
    QTest.keyClicks(help_window.field, "xyzzy")
    assert help_window.says.text() == NOTHING
    assert help_window.page.toPlainText() == ""
    QTest.keyClick(help_window.field, Key.Key_Escape)
    assert help_window.list.count() == 9
    QTest.keyClick(help_window.field, Key.Key_Escape)
    assert not help_window.isVisible()


def test_down_turns_pages_and_enter_goes_from_place_to_place(help_window: HelpWindow) -> None:
    QTest.keyClick(help_window.field, Key.Key_Down)
    assert help_window.page.toPlainText().startswith("Change values")
    QTest.keyClicks(help_window.field, "undo")
    QTest.keyClick(help_window.field, Key.Key_Return)
    assert help_window.page.textCursor().selectedText().lower() == "undo"


def test_the_guide_to_bulk_edits_opens_at_its_page(window: MainWindow) -> None:
    window._actions["bulk_guide"].trigger()
    page = window._help.get().page
    assert page.toPlainText().startswith("Bulk edit")
    assert page.verticalScrollBar().value() == 0
