"""Names of deep trees scroll sideways, and they alone; the current row's name comes into sight as it is reached."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.ui.tree.cell_painter import CHEVRON, INDENT
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Dictionary, Value

Key = Qt.Key
SHIFT, PLAIN = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
NAMES = ("children", "inventory_of_the_hero", "id")


def nested(levels: int, name: str = "") -> bytes:
    """Dictionaries in each other, each with a number beside the next one."""
    value = Value("int", 1)
    for level in range(levels):
        key = name or f"{NAMES[level % 3]}{levels - level}"
        number = Value("String", "id"), Value("int", level)
        value = Value("Dictionary", Dictionary(((Value("String", key), value), number)))
    return encode(value, load("godot3"))


def tree_of(window: MainWindow, levels: int, name: str = "") -> TreeView:
    window.session.show(Document(nested(levels, name)))
    tree = window._parts.tree
    tree.expand_all_under(tree.tree_model.index(0, 0))
    tree.set_current(tree.tree_model.index(0, 0))
    tree.setFocus()
    QApplication.processEvents()
    return tree


def name_rect(tree: TreeView, index: QModelIndex) -> QRect:
    """Chevron, chip and whole name of a row in the viewport."""
    first = index.siblingAtColumn(TreeColumn.NAME)
    left = tree.chip_left(tree.tree_model.depth(first)) - CHEVRON
    needed = tree.cells.painter.name_width(tree.tree_model.facts(first))
    return QRect(left, tree.row_rect(first).top(), CHEVRON + round(needed), tree.row_rect(first).height())


def deep_path(level: int) -> str:
    return "[0]" + "".join(f".{NAMES[(60 - number) % 3]}{number}" for number in range(1, level + 1))


def is_in_sight(tree: TreeView) -> bool:
    """Whether the current row's chevron and name are to be seen whole; of a name too long for that, as much as can."""
    rect = name_rect(tree, tree.currentIndex())
    return rect.left() >= 0 and (rect.right() < tree.columnWidth(TreeColumn.NAME) or rect.left() == 0)


def turn(tree: TreeView, x: int, y: int, modifiers: Qt.KeyboardModifier) -> None:
    place = QPointF(tree.viewport().rect().center())
    event = QWheelEvent(
        place,
        tree.viewport().mapToGlobal(place),
        QPoint(),
        QPoint(x, y),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(tree.viewport(), event)


def halves(tree: TreeView) -> tuple[QImage, QImage]:
    """The column of names, and all other columns."""
    shot, names = tree.viewport().grab().toImage(), tree.columnWidth(TreeColumn.NAME)
    return shot.copy(4, 0, names - 4, shot.height()), shot.copy(names, 0, shot.width() - names, shot.height())


def test_a_tree_of_few_levels_has_nothing_to_scroll(window: MainWindow) -> None:
    tree = tree_of(window, 4)
    assert tree.sideways.maximum() == 0
    assert not tree.sideways.isVisible()
    turn(tree, 0, -120, SHIFT)
    assert tree.chip_left(3) == 3 * INDENT + CHEVRON


@pytest.mark.parametrize("width", [1000, 1400])
def test_the_bar_of_a_deep_tree_stands_below_the_names_alone(window: MainWindow, width: int) -> None:
    window.resize(width, 900)
    tree = tree_of(window, 60)
    window._actions["arrange_both"].trigger()
    QApplication.processEvents()
    bar = tree.sideways
    assert bar.isVisible()
    assert bar.width() == tree.columnWidth(TreeColumn.NAME)
    assert bar.mapTo(window, QPoint()).y() >= tree.mapTo(window, tree.rect().bottomLeft()).y()
    tree.columns.resizeSection(TreeColumn.NAME, tree.columnWidth(TreeColumn.NAME) + 30)
    assert bar.width() == tree.columnWidth(TreeColumn.NAME)
    tree_of(window, 3)
    assert not bar.isVisible()


@pytest.mark.parametrize("wheel", ["with Shift", "of its own"])
def test_the_wheel_moves_the_names_and_nothing_else(window: MainWindow, wheel: str) -> None:
    tree = tree_of(window, 60)
    names, others = halves(tree)
    down = tree.verticalScrollBar().value()
    turn(tree, *((0, -120, SHIFT) if wheel == "with Shift" else (-120, 0, PLAIN)))
    assert tree.sideways.value() == 3 * INDENT
    assert tree.verticalScrollBar().value() == down
    moved = halves(tree)
    assert moved[0] != names
    assert moved[1] == others
    turn(tree, *((0, 120, SHIFT) if wheel == "with Shift" else (120, 0, PLAIN)))
    assert halves(tree) == (names, others)
    turn(tree, 0, -120, PLAIN)
    assert tree.verticalScrollBar().value() > down
    assert tree.sideways.value() == 0


@pytest.mark.parametrize("width", [1000, 1400])
def test_the_name_of_the_current_row_comes_into_sight_as_it_moves(window: MainWindow, width: int) -> None:
    window.resize(width, 700)
    tree = tree_of(window, 60)
    window._actions["arrange_both"].trigger()
    QApplication.processEvents()
    levels = set()
    for key in (*[Key.Key_Down] * 130, Key.Key_Home, Key.Key_End, *[Key.Key_Left] * 60, *[Key.Key_Right] * 60):
        QTest.keyClick(tree, key)
        assert is_in_sight(tree)
        level = tree.tree_model.depth(tree.currentIndex())
        levels.add(level)
    assert len(levels) == 61


def test_names_that_have_room_do_not_move_sideways(window: MainWindow) -> None:
    """Not for a level more or less, and not from a row to the one beside it."""
    tree = tree_of(window, 40, "in")
    for _ in range(82):
        QTest.keyClick(tree, Key.Key_Down)
        assert is_in_sight(tree)
        assert tree.sideways.value() == 0


def test_a_name_too_long_for_the_column_begins_at_its_left(window: MainWindow) -> None:
    tree = tree_of(window, 40, "a_name_that_is_far_longer_than_any_column_of_names_that_anybody_has_ever_made_for_them")
    for _ in range(39):
        QTest.keyClick(tree, Key.Key_Down)
    left = name_rect(tree, tree.currentIndex()).left()
    assert left == 0
    value = tree.sideways.value()
    QTest.keyClick(tree, Key.Key_Up)
    QTest.keyClick(tree, Key.Key_Down)
    assert tree.sideways.value() == value


def test_a_place_that_is_gone_to_has_its_name_in_sight(window: MainWindow) -> None:
    tree = tree_of(window, 60)
    window.session.go_to_place(deep_path(56))
    assert window.session.path == deep_path(56)
    assert is_in_sight(tree)
    assert tree.sideways.value() > 0
    window.session.go_to_place("[0]")
    assert is_in_sight(tree)


def test_the_key_of_a_deep_row_is_edited_where_it_is_to_be_seen(window: MainWindow) -> None:
    tree = tree_of(window, 60)
    for _ in range(50):
        QTest.keyClick(tree, Key.Key_Down)
    tree.sideways.setValue(tree.sideways.maximum())
    tree.rename_current()
    field = tree.editor.field
    assert field is not None
    assert field.isVisible()
    assert field.geometry().left() >= 0
    before = field.geometry().left()
    tree.sideways.setValue(tree.sideways.value() - 16)
    assert field.geometry().left() == before + 16
    tree.editor.close()


def test_levels_and_place_are_the_same_when_a_file_is_shown_again(window: MainWindow) -> None:
    tree = tree_of(window, 60)
    window.session.go_to_place(deep_path(56))
    lefts = [tree.chip_left(level) for level in range(60)]
    sideways = tree.sideways.value()
    assert sideways > 0
    window._opened.add(Document(nested(3)))
    assert tree.sideways.maximum() == 0
    assert tree.chip_left(3) == 3 * INDENT + CHEVRON
    window._opened.step(1)
    assert tree.sideways.value() == sideways
    assert [tree.chip_left(level) for level in range(60)] == lefts


def test_levels_are_wide_again_when_deep_rows_are_all_closed(window: MainWindow) -> None:
    tree = tree_of(window, 60)
    window._actions["expand_2"].trigger()
    QApplication.processEvents()
    assert tree.sideways.maximum() == 0
    assert [tree.chip_left(level) for level in range(3)] == [CHEVRON, CHEVRON + INDENT, CHEVRON + 2 * INDENT]


def test_deep_rows_of_a_closed_one_are_not_counted(window: MainWindow) -> None:
    tree = tree_of(window, 60)
    tree.collapse(tree.tree_model.index(0, 0, tree.tree_model.index(0, 0)))
    tree.levels_changed()
    assert tree.names.deepest == 1
    assert len(tree.expansion.open) > 50


def test_rows_that_the_filter_opens_are_counted(window: MainWindow, qtbot: QtBot) -> None:
    window.session.show(Document(nested(60)))
    tree = window._parts.tree
    assert tree.names.deepest < 3
    window._actions["filter"].trigger()
    QTest.keyClicks(QApplication.focusWidget(), "id58")
    qtbot.waitUntil(lambda: tree.names.deepest > 50)
    assert tree.sideways.maximum() > 0
