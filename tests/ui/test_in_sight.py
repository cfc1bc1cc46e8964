"""The keyboard is followed: whatever key moves the current row or the caret, it is to be seen afterwards."""

from __future__ import annotations

from collections.abc import Callable

import corpus
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QDragLeaveEvent, QDragMoveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QListView
from pytestqt.qtbot import QtBot

from viewer.base.record import replace
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.ui.doctor.finder import SearchProgress
from viewer.ui.doctor.repairs_controller import PreviewDialog
from viewer.ui.doctor.repairs_view import RepairsView
from viewer.ui.packets.packet_list import PacketsTable
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.inspector_parts import PartsView
from viewer.ui.panels.row_list import RowList
from viewer.ui.tree import dragging
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.tree_rows import TreeBase
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, Value

pytestmark = [pytest.mark.parametrize("platform", ["offscreen", pytest.param("xcb", marks=pytest.mark.xcb)])]
Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()
WALK = (
    *((Key.Key_Down,) * 45),
    *((Key.Key_Up,) * 3),
    *(Key.Key_PageDown, Key.Key_PageDown, Key.Key_PageUp, Key.Key_End, Key.Key_Up, Key.Key_Home, Key.Key_Down),
    *(Key.Key_End, Key.Key_PageUp, Key.Key_PageUp),
)


def in_sight(view: QAbstractItemView) -> bool:
    """Whether the whole current row is to be seen."""
    index = view.currentIndex()
    if isinstance(view, TreeBase):
        left = view.chip_left(view.tree_model.depth(index))
        if left < 0 or left >= view.columnWidth(TreeColumn.NAME) - 40:
            return False
    rect = view.visualRect(index.siblingAtColumn(TreeColumn.VALUE) if isinstance(view, TreeBase) else index)
    return index.isValid() and rect.top() >= 0 and rect.bottom() < view.viewport().height()


def walk(view: QAbstractItemView, keys: tuple[Key, ...] = WALK) -> set[int]:
    """Press keys one after the other; the rows that were passed."""
    bar = view.sideways if isinstance(view, TreeBase) else view.horizontalScrollBar()
    sideways, rows = bar.value(), set[int]()
    for key in keys:
        QTest.keyClick(view, key)
        assert in_sight(view), key
        assert bar.value() == sideways
        rows.add(view.visualRect(view.currentIndex()).top() + view.verticalScrollBar().value())
    return rows


def tree_of(window: MainWindow, raw: bytes = RPG) -> TreeView:
    window.session.show(Document(raw))
    tree = window._parts.tree
    tree.expand_all_under(tree.tree_model.index(0, 0))
    tree.set_current(tree.tree_model.index(0, 0))
    tree.scrollToTop()
    tree.setFocus()
    return tree


def test_every_key_that_goes_keeps_the_trees_current_row_in_sight(window: MainWindow, platform: str) -> None:
    assert len(walk(tree_of(window))) > 40


def test_left_and_right_bring_the_current_row_into_sight(window: MainWindow, platform: str) -> None:
    tree = tree_of(window)
    window.session.go_to_place("[0].inventory[20].name")
    walk(tree, (Key.Key_Left, Key.Key_Left, Key.Key_Left, Key.Key_Right, Key.Key_Right))
    tree.scrollToBottom()
    assert not in_sight(tree)
    walk(tree, (Key.Key_Right,))
    window.session.go_to_place("[0].npcs")
    tree.scrollToTop()
    walk(tree, (Key.Key_Left,))


def test_selecting_by_keys_is_followed(window: MainWindow, platform: str) -> None:
    tree = tree_of(window)
    for _ in range(60):
        QTest.keyClick(tree, Key.Key_Down, SHIFT)
        assert in_sight(tree)
    assert len(tree.selectionModel().selectedRows()) == 61


def test_a_name_that_is_typed_is_followed(window: MainWindow, platform: str) -> None:
    tree = tree_of(window)
    QTest.keyClick(tree, "q")
    assert tree.currentIndex().siblingAtColumn(TreeColumn.NAME).data().startswith("q")
    assert tree.verticalScrollBar().value()
    assert in_sight(tree)


def test_the_names_stay_where_they_are_however_deep_the_current_row_is(window: MainWindow, platform: str) -> None:
    value = Value("int", 1)
    for _ in range(40):
        value = Value("Dictionary", Dictionary(((Value("String", "inside"), value),)))
    many = Value("Array", Array((value, *(Value("int", k) for k in range(60)))))
    walk(tree_of(window, encode(many, load("godot3"))))


def test_a_change_leaves_the_tree_where_it_is(window: MainWindow, platform: str) -> None:
    """What follows the keyboard must not follow an edit far away."""
    tree = tree_of(window)
    walk(tree, (Key.Key_End,))
    tree.scrollToTop()
    document = window.session.document
    assert document is not None
    window.session.apply(overwrite(document, len(RPG) - 4, b"\x07"))
    assert tree.verticalScrollBar().value() == 0
    document.history.mark_saved()


def test_a_drag_that_rests_at_the_edge_scrolls_on_until_it_leaves(
    window: MainWindow, qtbot: QtBot, platform: str
) -> None:
    tree = tree_of(window)
    item = tree.tree_model.item(tree.tree_model.index(3, 0, tree.tree_model.index(0, 0)))
    assert item is not None
    mime = dragging.mime_of(window.session.document, [item])  # type: ignore[arg-type]
    assert mime is not None
    place = QPoint(60, tree.viewport().height() - 4)
    none = Qt.KeyboardModifier.NoModifier
    tree.dragMoveEvent(QDragMoveEvent(place, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, none))
    bar, row = tree.verticalScrollBar(), tree.verticalScrollBar().singleStep()
    qtbot.waitUntil(lambda: bar.value() > 5 * row)
    tree.dragLeaveEvent(QDragLeaveEvent())
    assert not any(timer.isActive() for timer in tree.findChildren(QTimer) if timer.interval() == 50)
    tree.dragMoveEvent(QDragMoveEvent(place, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, none))
    bar.setValue(bar.maximum() - 3 * row)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    qtbot.waitUntil(lambda: not tree._at_edge.isActive())
    tree.dragLeaveEvent(QDragLeaveEvent())


def lists(window: MainWindow, qtbot: QtBot) -> dict[str, Callable[[], QAbstractItemView]]:
    """Each list of the window with many rows."""

    def packets() -> QAbstractItemView:
        window.open_path(corpus.capture_file("enet_rpc_none.pcap"))
        window.settle()
        table = window.findChild(PacketsTable)
        assert table is not None
        return table

    def problems() -> QAbstractItemView:
        floats = b"".join(bytes.fromhex("01000000") + bytes([k + 2, 0, 0, 0]) for k in range(200))
        window.session.show(Document(bytes.fromhex("13000000 c8000000") + floats))
        window._panes.toggle_problems() if not window._parts.problems.isVisible() else None
        window._parts.problems.refresh_now()
        return window._parts.problems.list

    def found() -> QAbstractItemView:
        window.session.show(Document(RPG))
        window._panes.show_find()
        field = window.findChild(FindField, "findField")
        assert field is not None
        field.line.setText("a")
        qtbot.waitUntil(lambda: field.runner.is_complete and len(field.runner.hits) > 50)
        window._panes.show_results(True)
        found = window.findChild(RowList, "findList")
        assert found is not None
        return found

    def parts() -> QAbstractItemView:
        numbers = bytes.fromhex("15000000 20030000") + bytes(4 * 800)
        window.session.show(Document(numbers))
        window.resize(1400, 500)
        found = window.findChild(PartsView)
        assert found is not None
        return found

    return {"packets": packets, "problems": problems, "found": found, "parts": parts}


@pytest.mark.parametrize("name", ["packets", "problems", "found", "parts"])
def test_every_list_follows_the_keyboard(window: MainWindow, qtbot: QtBot, name: str, platform: str) -> None:
    view = lists(window, qtbot)[name]()
    qtbot.waitUntil(view.isVisible)
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, view.currentIndex().column() if view.currentIndex().isValid() else 0))
    assert len(walk(view)) > 3


@pytest.mark.parametrize("name", ["palette", "history"])
def test_the_cards_follow_the_keyboard(window: MainWindow, qtbot: QtBot, name: str, platform: str) -> None:
    window.session.show(Document(RPG))
    for k in range(40):
        window.session.overwrite(4 + 12 * k, bytes([k + 1]))
    window._actions[name].trigger()
    card = next(
        card
        for card in window.findChildren(QListView)
        if card.isVisible() and card.parent().inherits("QWidget") and type(card.parent()).__name__ == "ListCard"
    )
    field = card.parent().field  # type: ignore[attr-defined]
    for key in (*([Key.Key_Down] * 30), Key.Key_PageDown, Key.Key_PageDown, Key.Key_PageUp, Key.Key_Up, Key.Key_Up):
        QTest.keyClick(field, key)
        assert in_sight(card)
    QTest.keyClick(field, Key.Key_Escape)


def test_the_caret_of_the_bytes_is_followed(window: MainWindow, platform: str) -> None:
    window.session.show(Document(RPG))
    view = window._parts.hex
    view.setFocus()
    for key in WALK:
        QTest.keyClick(view, key)
        rows = view._grid.row_of(window.session.caret)
        assert view._scroll.top <= rows < view._scroll.top + view._scroll.visible, key


def test_the_focus_in_the_repairs_is_in_sight(
    window: MainWindow, qtbot: QtBot, searched_once: None, platform: str
) -> None:
    """Heads by the arrows, and by Tab every button too, however low the pane is."""
    window.session.show(Document(RPG.replace(b"\4\0\0\0gold", b"\xff\xff\xff\x7fgold", 1)))
    window._doctor.show_repairs(True)
    view = window.findChild(RepairsView)
    assert view is not None
    qtbot.waitUntil(lambda: view._finder.state is SearchProgress.DONE, timeout=20_000)
    assert view.rows[0].is_open
    window.settle()
    view._show_rows(tuple(replace(view.rows[0].repair, sentence=f"Mistake {k}.") for k in range(12)))
    view.area.setFixedHeight(60)
    QApplication.processEvents()

    def is_seen() -> bool:
        focus = window.focusWidget()
        assert focus is not None
        assert view.isAncestorOf(focus)
        top = focus.mapTo(view.area.viewport(), QPoint()).y()
        return top >= 0 and top + focus.height() <= view.area.viewport().height()

    view.take_focus()
    assert is_seen()
    for _ in range(len(view.rows[0].stops) - 1):
        QTest.keyClick(window.focusWidget(), Key.Key_Tab)
        assert is_seen()
    view.take_focus()
    for key in (*([Key.Key_Down] * 11), *([Key.Key_Up] * 6)):
        QTest.keyClick(window.focusWidget(), key)
        assert is_seen()
    assert window.focusWidget() is view.rows[5].head
    QTest.keyClick(view.rows[5].head, Key.Key_Return)
    QApplication.processEvents()
    assert view.rows[5].is_open
    for key in (Key.Key_Tab, Key.Key_Tab, Key.Key_Tab, Key.Key_Backtab, Key.Key_Backtab, Key.Key_Backtab):
        QTest.keyClick(window.focusWidget(), key)
        assert is_seen()
    assert window.focusWidget() is view.rows[5].head


def test_the_tree_of_a_preview_follows_the_keyboard(window: MainWindow, qtbot: QtBot, platform: str) -> None:
    document = Document(RPG)
    repair = Repair(Cause.PREFIX_EXTRA, "Something happened.", "Nothing says so.", 0.5)
    dialog = PreviewDialog(window, repair, document, window._theme.theme)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.tree.expand_all_under(dialog.tree.tree_model.index(0, 0))
    dialog.tree.set_current(dialog.tree.tree_model.index(0, 0))
    assert len(walk(dialog.tree)) > 40
    dialog.close()
