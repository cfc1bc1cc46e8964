"""A long text in the window: its first values and all of its lines are there before it is read to its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from viewer.document.wraps import LONG_TEXT
from viewer.ui.text.line_view import TextView
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow

TEXT = json.dumps([{"name": f"Settler {k}", "gold": 10 * k} for k in range(LONG_TEXT // 30)], indent=1)


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A window at the moment in which it shows a long text."""
    path = tmp_path / "settlers.json"
    path.write_text(TEXT)
    with qtbot.waitSignal(window.session.opened, timeout=20_000):
        window.open_path(path)
    return window


def found(window: MainWindow) -> tuple[TreeView, TextView]:
    tree, text = window.findChild(TreeView), window.findChild(TextView)
    assert isinstance(tree, TreeView)
    assert isinstance(text, TextView)
    return tree, text


def test_the_first_values_are_seen_with_all_lines(opened: MainWindow, qtbot: QtBot) -> None:
    session, (tree, text) = opened.session, found(opened)
    document = session.document
    assert document is not None
    assert document.is_begun
    assert session.waits
    rows = tree.tree_model
    page = rows.index(0, 0, rows.index(0, 0))
    assert rows.facts(rows.index(0, 0)).count == ""
    assert rows.facts(rows.index(0, 0, rows.index(0, 0, page))).text == '"Settler 0"'
    assert text.source is not None
    assert bytes(text.source.data) == TEXT.encode()
    qtbot.waitUntil(lambda: not session.waits, timeout=20_000)
    assert session.document is document
    assert not document.is_begun
    assert rows.facts(rows.index(0, 0)).count
    session.go_to_place(f"[0][{LONG_TEXT // 30 - 1}].gold")
    assert session.path == f"[0][{LONG_TEXT // 30 - 1}].gold"


def test_what_is_typed_before_is_refused_and_goes_in_afterwards(opened: MainWindow, qtbot: QtBot) -> None:
    session, (_, text) = opened.session, found(opened)
    text.setFocus()
    text.set_caret(TEXT.index('"gold": 10') + len('"gold": 10'))
    with qtbot.waitSignal(session.failed) as told:
        QTest.keyClick(text, Qt.Key.Key_5)
    assert "still being read" in told.args[0]
    assert session.document is not None
    assert bytes(session.document.shown[:]) == TEXT.encode()
    qtbot.waitUntil(lambda: not session.waits, timeout=20_000)
    text.set_caret(TEXT.index('"gold": 10') + len('"gold": 10'))
    QTest.keyClick(text, Qt.Key.Key_5)
    session.settle()
    assert (
        bytes(session.document.shown[:])
        == TEXT.replace('"gold": 10,', '"gold": 105,', 1).replace('"gold": 10\n', '"gold": 105\n', 1).encode()
    )


def test_a_reading_that_is_stopped_leaves_the_lines(opened: MainWindow, qtbot: QtBot) -> None:
    session, (tree, text) = opened.session, found(opened)
    session.stop_reading()
    assert tree.tree_model.rowCount() == 0
    assert text.source is not None
    assert bytes(text.source.data) == TEXT.encode()
    session.read_on()
    qtbot.waitUntil(lambda: not session.waits, timeout=20_000)
    assert tree.tree_model.rowCount() == 1


def test_it_is_saved_as_it_was(opened: MainWindow, tmp_path: Path) -> None:
    session = opened.session
    session.save(tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_text() == TEXT
