"""The grid of a packed array by real keys: cells, rows, the clipboard, one edit in the end."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui import dialogs
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.opening import Editors
from viewer.ui.editors.packed_editor import PackedEditor, PackedGrid
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.look.theme import style_sheet
from viewer.ui.session import Session
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Data, Value

KEY = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
GODOT3 = load("godot3")


class Opened:
    """A grid over a window, and what it writes to."""

    def __init__(self, qtbot: QtBot, raw: bytes, part: str = "") -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.session = Session(self.window)
        self.session.show(Document(raw, name="test", choice=ReadOptions(GODOT3, None, FramingKind.BARE)))
        self.session.select(Item(0, 0, part))
        card = Editors(self.session, theme(LIGHT), self.window).open_grid()
        assert card is not None
        assert isinstance(card.editor, PackedEditor)
        qtbot.waitUntil(card.isActiveWindow)
        self.card: EditorCard = card
        self.editor: PackedEditor = card.editor
        self.grid: PackedGrid = card.editor.grid

    def select(self, top: int, left: int, bottom: int, right: int) -> None:
        model = self.editor.model
        area = QItemSelection(model.index(top, left), model.index(bottom, right))
        self.grid.selectionModel().select(area, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.grid, key, modifier)

    def apply(self) -> Data:
        with self.qtbot.waitSignal(self.session.changed):
            self.qtbot.keyClick(self.card, KEY.Key_Return, CTRL)
        assert self.session.document is not None
        return read(self.session.document.frames[0].table).data


def opened(qtbot: QtBot, type_name: str, data: Data, part: str = "") -> Opened:
    return Opened(qtbot, encode(Value(type_name, data), GODOT3), part)


def test_an_empty_array_is_filled_by_keys(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", ())
    empty = desk.grid.viewport().grab().toImage()
    desk.press(KEY.Key_Insert, CTRL)  # which is Copy, too, on Windows and X11
    desk.press(KEY.Key_Insert, CTRL)
    assert desk.grid.viewport().grab().toImage() != empty
    desk.press(KEY.Key_Return)
    field = desk.grid.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    qtbot.keyClicks(field, "17")
    qtbot.keyClick(field, KEY.Key_Return)
    qtbot.waitUntil(lambda: desk.editor.model.index(1, 0).data() == "17")
    assert desk.apply() == (0, 17)


def test_a_cell_is_typed_into(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 2, 3))
    desk.press(KEY.Key_Down)
    desk.press(KEY.Key_Return)
    field = desk.grid.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, "77")
    qtbot.keyClick(field, KEY.Key_Return)
    qtbot.waitUntil(lambda: "1 set" in desk.card.band.accessibleName())
    assert desk.card.isVisible()
    assert desk.apply() == (1, 77, 3)
    desk.session.undo()
    assert desk.session.document is not None
    assert read(desk.session.document.frames[0].table).data == (1, 2, 3)


def test_the_field_of_a_cell_hides_what_was_in_it(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 8888888, 3))
    desk.card.setStyleSheet(style_sheet(theme(LIGHT)))
    desk.press(KEY.Key_Down)
    desk.press(KEY.Key_Return)
    field = desk.grid.findChild(QLineEdit)
    assert field is not None
    field.setText("")
    inside = field.geometry().adjusted(12, 5, -5, -5)
    seen = desk.grid.viewport().grab(inside).toImage()
    colours = {seen.pixelColor(x, y).rgb() for x in range(seen.width()) for y in range(seen.height())}
    assert colours == {theme(LIGHT).ui.base.rgb()}


def test_return_does_nothing_where_there_is_no_cell(qtbot: QtBot) -> None:
    """Qt would warn, which fails a test."""
    desk = opened(qtbot, "PoolIntArray", ())
    desk.press(KEY.Key_Return)
    assert desk.grid.findChild(QLineEdit) is None


def test_what_a_cell_cannot_hold_is_said_and_not_taken(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolByteArray", b"\1")
    model = desk.editor.model
    assert not model.setData(model.index(0, 0), "256")
    assert "The largest is 255" in desk.card.says.text()
    assert model.data(model.index(0, 0)) == "1"


@pytest.mark.skipif(sys.platform == "darwin", reason="no key pastes by Insert there")
def test_shift_insert_pastes(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 2, 3))
    QGuiApplication.clipboard().setText("8\n9")
    desk.select(1, 0, 1, 0)
    desk.press(KEY.Key_Insert, Qt.KeyboardModifier.ShiftModifier)
    assert desk.apply() == (1, 8, 9)


def test_rows_are_inserted_and_deleted_by_keys(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 2, 3))
    desk.select(1, 0, 1, 0)
    desk.press(KEY.Key_Insert)
    assert desk.editor.model.rowCount() == 4
    desk.select(2, 0, 3, 0)
    desk.press(KEY.Key_Delete)
    assert desk.apply() == (1, 0)


def test_steps_in_the_grid_are_taken_back_there(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 2, 3))
    desk.select(0, 0, 2, 0)
    desk.press(KEY.Key_Delete)
    assert desk.editor.model.rowCount() == 0
    desk.press(KEY.Key_Z, CTRL)
    assert desk.editor.model.rowCount() == 3
    assert "same" in desk.card.band.accessibleName()


def test_all_selected_cells_are_set_at_once(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolVector2Array", ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)))
    desk.select(1, 0, 2, 1)
    qtbot.keyClicks(desk.editor.all, "= value * 2")
    qtbot.keyClick(desk.editor.all, KEY.Key_Return)
    assert desk.card.isVisible()
    assert desk.apply() == ((1.0, 2.0), (6.0, 8.0), (10.0, 12.0))


def test_a_wrong_expression_changes_no_cell(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 0))
    desk.select(0, 0, 1, 0)
    qtbot.keyClicks(desk.editor.all, "= 1 // value")
    qtbot.keyClick(desk.editor.all, KEY.Key_Return)
    assert "Element 1, value: This divides by zero" in desk.card.says.text()
    assert desk.editor.model.draft.changes.size == 0


def test_a_spreadsheet_is_pasted_and_rows_are_added(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolVector2Array", ((1.0, 2.0),))
    desk.select(0, 0, 0, 0)
    QGuiApplication.clipboard().setText("9\t8\n7\t6\n")
    desk.press(KEY.Key_V, CTRL)
    assert desk.apply() == ((9.0, 8.0), (7.0, 6.0))


@pytest.mark.parametrize(("text", "reason"), [("1\t2\t3", "wider"), ("1\tx", "not a number"), ("", "not hold a table")])
def test_a_table_that_does_not_fit_changes_nothing(qtbot: QtBot, text: str, reason: str) -> None:
    desk = opened(qtbot, "PoolVector2Array", ((1.0, 2.0),))
    QGuiApplication.clipboard().setText(text)
    desk.press(KEY.Key_V, CTRL)
    assert reason in desk.card.says.text()
    assert desk.editor.model.draft.changes.size == 0


def test_selected_cells_are_copied_for_a_spreadsheet(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolVector2Array", ((1.0, 2.0), (3.0, 4.5)))
    desk.select(0, 0, 1, 1)
    desk.press(KEY.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "1\t2\n3\t4.5\n"


def test_the_selected_element_is_where_it_begins(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", tuple(range(1000)), "[700]")
    assert desk.grid.currentIndex().row() == 700


def test_the_model_keeps_the_rules_of_models_through_edits(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolStringArray", ("a", "b", "c"))
    model = desk.editor.model
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.insert(1, 2)
    model.delete([range(1), range(3, 5)])
    model.paste(1, 0, [["x"], ["y"], ["z"]])
    model.undo()
    assert tester.model() is model


def test_selecting_all_of_a_long_array_asks_no_row_for_its_state(qtbot: QtBot) -> None:
    count = 2_000_000
    desk = Opened(qtbot, b"\x15\0\0\0" + count.to_bytes(4, "little") + bytes(4 * count))
    desk.grid.selectAll()
    desk.grid.grab()
    assert desk.grid.rows() == [range(count)]
    assert not desk.grid.set_picked("5")
    assert "at most" in desk.card.says.text()


def test_esc_asks_before_steps_in_the_grid_are_lost(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 2))
    desk.press(KEY.Key_Insert, CTRL)
    asked: list[bool] = []
    for wanted in (False, True):
        monkeypatch.setattr(dialogs, "ask_drop_steps", lambda _, wanted=wanted: asked.append(wanted) or wanted)
        gone = QSignalSpy(desk.card.finished)
        desk.press(KEY.Key_Escape)
        assert bool(gone.count()) is wanted
    assert asked == [False, True]
    assert desk.session.document is not None
    assert not desk.session.document.modified


def test_a_grid_in_which_nothing_is_changed_is_left_unasked(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "ask_drop_steps", lambda _: pytest.fail("asked"))
    desk = opened(qtbot, "PoolIntArray", (1, 2))
    desk.press(KEY.Key_Insert, CTRL)
    desk.press(KEY.Key_Z, CTRL)
    with qtbot.waitSignal(desk.card.finished):
        desk.press(KEY.Key_Escape)
    desk = opened(qtbot, "PoolIntArray", (1, 2))
    desk.press(KEY.Key_Insert, CTRL)
    with qtbot.waitSignal(desk.card.finished):
        desk.card.cancel_button.click()


def test_a_long_text_is_edited_whole(qtbot: QtBot) -> None:
    long = "a" * 40_000
    desk = opened(qtbot, "PoolStringArray", (long, "b"))
    desk.press(KEY.Key_F2)
    field = desk.grid.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    qtbot.keyClick(field, KEY.Key_End)
    qtbot.keyClicks(field, "z")
    qtbot.keyClick(field, KEY.Key_Return)
    qtbot.waitUntil(lambda: "1 set" in desk.card.band.accessibleName())
    desk.editor.all.setText(long)
    desk.select(1, 0, 1, 0)
    qtbot.keyClick(desk.editor.all, KEY.Key_Return)
    assert desk.apply() == (long + "z", long)


def test_a_grid_that_goes_while_it_asks_takes_nothing_with_it(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 2))
    desk.press(KEY.Key_Insert, CTRL)
    gone = QSignalSpy(desk.card.finished)

    def come() -> None:
        desk.session.show(None)
        QTimer.singleShot(0, answer)

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert not gone.count()
        box.reject()

    QTimer.singleShot(0, come)
    desk.press(KEY.Key_Escape)
    assert gone.count() == 1
    assert not desk.session.has_typed


def test_steps_in_a_grid_stay_where_another_file_is_shown(qtbot: QtBot) -> None:
    desk = opened(qtbot, "PoolIntArray", (1, 2))
    desk.press(KEY.Key_Insert, CTRL)
    desk.session.show(Document(encode(Value("int", 5), GODOT3), name="other"))
    assert desk.card.isVisible()
    assert desk.editor.has_steps
    assert not desk.card.apply_button.isEnabled()
    assert "changed elsewhere" in desk.card.band.accessibleName()
