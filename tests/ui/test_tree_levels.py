"""Opening the tree to a level, with keys."""

from __future__ import annotations

import struct

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.panels.toast import Toast
from viewer.ui.tree.tree_rows import MOST_EXPANDED
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

pytestmark = pytest.mark.usefixtures("rpg_open")
KEY = Qt.Key
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)
LEVEL = (KEY.Key_0, KEY.Key_1, KEY.Key_2, KEY.Key_3, KEY.Key_4)


def tree(window: MainWindow) -> TreeView:
    return window.findChild(TreeView, "treeView")  # type: ignore[return-value]


def expand(level: int) -> None:
    QTest.keyClick(QApplication.focusWidget(), LEVEL[level], CTRL | ALT)


def depths(window: MainWindow) -> list[int]:
    """How deep each row that can be scrolled to lies."""
    view, out = tree(window), []
    index = view.tree_model.index(0, 0)
    while index.isValid():
        out.append(view.tree_model.depth(index))
        index = view.indexBelow(index)
    return out


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_rows_are_open_just_so_far(window: MainWindow, level: int) -> None:
    expand(4)
    expand(level)
    assert max(depths(window)) == level
    again = depths(window)
    expand(level)
    assert depths(window) == again


def test_all_rows_of_a_level_are_there(window: MainWindow) -> None:
    expand(2)
    model = tree(window).tree_model
    root = model.index(0, 0)
    below = sum(model.rowCount(model.index(row, 0, root)) for row in range(model.rowCount(root)))
    assert len(depths(window)) == 1 + model.rowCount(root) + below


def test_closing_all_leaves_what_is_seen_at_first(window: MainWindow) -> None:
    at_first = depths(window)
    expand(4)
    expand(0)
    assert depths(window) == at_first


def test_many_values_in_a_row_are_all_closed(window: MainWindow) -> None:
    data = struct.pack("<IIII", 19, 1, 2, 5) * 10
    window.session.show(Document(data, choice=ReadOptions(load("godot3"), framing=FramingKind.CONCATENATED)))
    expand(1)
    assert depths(window) == [0, 1] * 10
    expand(0)
    assert depths(window) == [0] * 10


def test_the_selection_goes_to_the_lowest_row_that_is_left(window: MainWindow) -> None:
    window.session.go_to_place("[0].inventory[3].name")
    expand(2)
    assert window.session.path == "[0].inventory[3]"
    expand(1)
    assert window.session.path == "[0].inventory"
    expand(4)
    assert window.session.path == "[0].inventory"


def test_too_many_rows_are_said_to_stay_closed(window: MainWindow) -> None:
    inner = struct.pack("<II", 19, 9) + struct.pack("<II", 2, 5) * 9
    window.session.show(Document(struct.pack("<II", 19, 900) + inner * 900, choice=BARE))
    expand(2)
    assert len(depths(window)) <= MOST_EXPANDED + 901
    toast = window.findChild(Toast, "toast")
    assert isinstance(toast, Toast)
    assert toast.line.text() == "There are more than 5000 rows to open: the rest stays closed."


def test_what_the_keys_open_stays_so_through_an_edit(window: MainWindow) -> None:
    expand(3)
    before = depths(window)
    document = window.session.document
    assert document is not None
    window.session.set_literal(parse_path(document, "[0].player.name"), '"' + "x" * 300 + '"')
    assert depths(window) == before


def test_nothing_open_is_no_mistake(window: MainWindow) -> None:
    window.session.show(None)
    assert not window.findChild(TreeView, "treeView").tree_model.hasChildren(QModelIndex())
    expand(1)
