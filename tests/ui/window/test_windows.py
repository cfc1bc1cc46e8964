"""Several windows and two sides: one document in all of them, moved tabs, one question, and everything open again."""

from __future__ import annotations

import gzip
import random
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.cell_text import cell_text
from viewer.document.edits.setting import set_literal
from viewer.document.edits.structure import delete
from viewer.document.path import parse_path
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.number_editor import NumberEditor
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.inspector import Inspector
from viewer.ui.settings import MOST_PACKETS, PaneWidths, Settings
from viewer.ui.sheets.sheet_pane import SheetPane
from viewer.ui.tree import dragging
from viewer.ui.window import journal_keeper, kept_windows
from viewer.ui.window.kept_windows import DIED, KeptWindows
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.profile_actions import NO_PROFILE
from viewer.ui.window.split_window import SplitWindow
from viewer.ui.window.windows import Windows
from viewer.ui.window.work_area import BottomPane, PaneLayout

FILES = corpus.DATA / "godot3" / "files"
GOLD = "[0].player.gold"


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two files, and a folder of its own for what the program keeps."""
    monkeypatch.setattr(journal_keeper, "usual_folder", lambda: tmp_path / "kept" / "journals")
    monkeypatch.setattr(kept_windows, "usual_folder", lambda: tmp_path / "kept" / "journals")
    paths = [tmp_path / name for name in ("a.save", "b.save")]
    for path, name in zip(paths, ("rpg.save", "all_types.save"), strict=True):
        shutil.copy(FILES / name, path)
    return paths


@pytest.fixture
def windows(qapp: QApplication, saves: list[Path], qtbot: QtBot) -> Iterator[Windows]:
    found = made(qapp)
    yield found
    end(found)


def made(app: QApplication) -> Windows:
    found = Windows(Settings(), ThemeController(app, "light"))
    frame = found.open()
    frame.resize(1280, 800)
    frame.show()
    frame.activateWindow()
    assert QTest.qWaitForWindowActive(frame)
    frame.active._offers = True  # nothing is offered here
    return found


def end(windows: Windows) -> None:
    """Let nothing be unsaved, and close all."""
    for document in windows.documents():
        document.history.mark_saved()
    if windows.frames:
        windows.quit()
    if windows._kept is not None and windows._kept._lock is not None:
        windows._kept._lock.release()


def press(window: SplitWindow, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    both = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        both |= modifier
    QTest.keyClick(QApplication.focusWidget() or window, key, both)
    QApplication.processEvents()


CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def document(view: MainWindow) -> Document:
    found = view.session.document
    assert found is not None
    return found


def gold(view: MainWindow) -> str:
    """The gold as the tree of a view shows it."""
    item, model = parse_path(document(view), GOLD), view._parts.tree.tree_model
    return str(model.facts(model.index_of(item)).text)


def set_gold(view: MainWindow, text: str) -> None:
    view.session.go_to_place(GOLD)
    assert view.session.item is not None
    view.session.set_literal(view.session.item, text)


def names(windows: Windows) -> list[list[list[str]]]:
    """The open files: of each window, of each side."""
    return [[[each.name for each in side.opened.documents] for side in frame.sides] for frame in windows.frames]


def two_sides(windows: Windows, path: Path) -> tuple[MainWindow, MainWindow]:
    frame = windows.frames[0]
    frame.active.open_path(path)
    frame.active._parts.tree.setFocus()
    press(frame, Qt.Key.Key_F12)
    left, right = frame.sides
    return left, right


def test_in_both_sides_the_caret_goes_with_its_value_where_a_long_file_is_read_again(
    windows: Windows, tmp_path: Path, qtbot: QtBot
) -> None:
    count, path = 1 << 20, tmp_path / "long.bin"
    head, rest = struct.pack("<II", 19, 3), struct.pack("<IIII", 2, 77, 19, count) + struct.pack("<II", 2, 5) * count
    path.write_bytes(head + struct.pack("<II12s", 4, 12, b"Mira Oakhand") + rest)
    left, right = two_sides(windows, path)
    qtbot.waitUntil(lambda: not left.session.waits, timeout=30_000)
    for side, value in ((left, "[0][1]"), (right, "[0][2][3]")):
        side.session.go_to_place(value)
        side.session.go_to(side.session.caret + 5)
    before = [(side.session.path, side.session.caret) for side in (left, right)]
    path.write_bytes(head + struct.pack("<II8s", 4, 8, b"Mira Oak") + rest)
    left._files.reload()
    assert left.session.waits
    qtbot.waitUntil(lambda: not left.session.waits and not right.session.waits, timeout=30_000)
    after = [(side.session.path, side.session.caret) for side in (left, right)]
    assert after == [(value, caret - 4) for value, caret in before]


def test_two_sides_show_one_document_and_undo_is_the_same_in_both(windows: Windows, saves: list[Path]) -> None:
    left, right = two_sides(windows, saves[0])
    frame = windows.frames[0]
    assert document(left) is document(right)
    assert (frame.active, right._parts.tree.hasFocus()) == (right, True)
    left.session.go_to_place("[0].inventory")
    set_gold(right, "4321")
    assert (gold(left), left.session.path) == ("4321", "[0].inventory")
    assert [side.opened.bar.tabText(0) for side in frame.sides] == ["a.save •"] * 2
    press(frame, Qt.Key.Key_F6, CONTROL)
    assert (frame.active, left._parts.tree.hasFocus()) == (left, True)
    press(frame, Qt.Key.Key_Z, CONTROL)
    assert (gold(right), right.session.path, document(right).modified) == ("5000000000", GOLD, False)
    press(frame, Qt.Key.Key_Y, CONTROL)
    press(frame, Qt.Key.Key_S, CONTROL)
    assert (Document.open(saves[0]).modified, gold(right), document(right).modified) == (False, "4321", False)
    assert right.opened.bar.tabText(0) == "a.save"


def rows(view: MainWindow) -> list[str]:
    """The items of the inventory as the tree of a view shows them."""
    model = view._parts.tree.tree_model
    outer = model.index_of(parse_path(document(view), "[0].inventory"))
    return [model.facts(model.index(row, 0, outer)).text for row in range(model.rowCount(outer))]


def test_rows_taken_away_and_put_in_on_one_side_are_so_on_the_other(windows: Windows, saves: list[Path]) -> None:
    left, right = two_sides(windows, saves[0])
    before = rows(left)
    right.session.go_to_place("[0].stats")
    left.session.go_to_place("[0].inventory[2]")
    left._actions["delete"].trigger()
    assert rows(right) == before[:2] + before[3:]
    assert right.session.path == "[0].stats"
    right.session.go_to_place("[0].inventory[0]")
    right._actions["duplicate"].trigger()
    assert rows(left)[:2] == [before[0]] * 2
    assert left.session.path.startswith("[0].inventory")
    right.session.undo()
    right.session.undo()
    assert rows(left) == rows(right) == before
    assert bytes(document(left).buffer[:]) == saves[0].read_bytes()


def test_two_sides_share_a_small_window_and_neither_lies_over_the_other(windows: Windows, saves: list[Path]) -> None:
    left, right = two_sides(windows, saves[0])
    windows.frames[0].resize(900, 600)
    QApplication.processEvents()
    assert not left.geometry().intersects(right.geometry())
    assert min(left.width(), right.width()) > 400
    assert left._parts.path_bar.width() > 200


def test_a_click_beside_all_fields_leaves_the_keys_where_they_are(windows: Windows, saves: list[Path]) -> None:
    frame = windows.frames[0]
    frame.active.open_path(saves[0])
    hex_view = frame.active._parts.hex
    hex_view.setFocus()
    for bar in (frame.active.statusBar(), frame.active.menuBar()):
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() - 3, 3))
        assert QApplication.focusWidget() is hex_view

    left, right = two_sides(windows, saves[1])
    frame.resize(2400, 800)  # room for values and bytes on each side
    QApplication.processEvents()
    left._parts.hex.setFocus()
    assert left._parts.hex.hasFocus()
    for _ in range(2):
        QTest.mouseClick(left.statusBar(), Qt.MouseButton.LeftButton, pos=QPoint(3, 1))
        assert QApplication.focusWidget() is left._parts.hex
    QTest.mouseClick(right.statusBar(), Qt.MouseButton.LeftButton, pos=QPoint(3, 1))
    assert frame.active is right
    assert QApplication.focusWidget() is right._parts.tree


def test_closing_the_split_keeps_all_files_and_the_last_tab_of_a_side_closes_it(
    windows: Windows, saves: list[Path], qtbot: QtBot
) -> None:
    left, right = two_sides(windows, saves[0])
    frame = windows.frames[0]
    right.open_path(saves[1])
    frame.turn_to(left)
    press(frame, Qt.Key.Key_F12, CONTROL)
    assert (names(windows), frame.menuWidget().isVisible()) == ([[["a.save", "b.save"]]], True)
    assert left.menuBar().isVisible()
    assert document(left).name == "a.save"
    press(frame, Qt.Key.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    assert (frame.is_split, frame.is_upright) == (True, True)
    press(frame, Qt.Key.Key_W, CONTROL)  # the same file stays open on the other side, so nothing is asked
    qtbot.waitUntil(lambda: not frame.is_split)
    press(frame, Qt.Key.Key_PageDown, CONTROL)
    assert document(left).name == "b.save"  # its keys work again


def test_a_tab_moves_with_its_changes_and_a_file_is_one_document_in_both_windows(
    windows: Windows, saves: list[Path], qtbot: QtBot, tmp_path: Path
) -> None:
    first = windows.frames[0].active
    for path in saves:
        first.open_path(path)
    first.opened.switch(0)
    set_gold(first, "99")
    (journal,) = tmp_path.glob("kept/**/*.journal")
    windows.move_to_new(first)
    second = windows.frames[1].active
    assert names(windows) == [[["b.save"]], [["a.save"]]]
    assert (gold(second), document(second).history.can_undo, journal.exists()) == ("99", True, True)
    first.open_path(saves[0])
    assert document(first) is document(second)
    assert first._files.save()
    assert (document(second).modified, journal.exists()) == (False, False)
    set_gold(second, "100")
    assert len(list(tmp_path.glob("kept/**/*.journal"))) == 1


def test_a_file_that_two_windows_unwrap_at_once_is_one_document(windows: Windows, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "packed.save"
    path.write_bytes(gzip.compress(random.Random(1).randbytes(1 << 17), 0))
    views = [windows.frames[0].active, windows.new_window().active]
    for view in views:
        view.open_path(path)
    qtbot.waitUntil(lambda: all(view.session.document is not None for view in views))
    assert len(windows.documents()) == 1


def test_closing_one_window_asks_only_about_what_is_open_in_no_other(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda _, name, *__: asked.append(name) or UserChoice.CANCEL)
    first = windows.frames[0].active
    first.open_path(saves[0])
    set_gold(first, "7")
    second = windows.new_window().active
    second.open_path(saves[0])
    assert windows.frames[1].close()
    assert (asked, gold(first), document(first).modified) == ([], "7", True)
    windows.new_window()
    assert not windows.frames[0].close()
    assert (asked, len(windows.frames)) == (["a.save"], 2)


def test_leaving_asks_once_about_all_windows_and_what_cannot_be_saved_stays(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, told = list[list[str]](), list[str]()

    def ask(_: object, files: list[str]) -> tuple[UserChoice, list[int]]:
        asked.append(files)
        return UserChoice.SAVE, [0, 1]

    monkeypatch.setattr(dialogs, "ask_all_unsaved", ask)
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    first = windows.frames[0].active
    first.open_path(saves[0])
    second = windows.new_window().active
    second.open_path(saves[1])
    for view in (first, second):
        view.session.overwrite(0x40, b"\x07")
    changed = bytes(document(second).buffer[:])
    saves[0].unlink()
    saves[0].mkdir()
    windows.quit()
    assert (asked, len(told), len(windows.frames)) == ([["“a.save”", "“b.save”"]], 1, 2)
    assert (document(first).modified, saves[1].read_bytes() == changed) == (True, True)


def test_nothing_is_changed_in_another_window_while_a_file_is_written(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "PATIENCE", 0)
    first = windows.frames[0].active
    first.open_path(saves[0])
    frame = windows.new_window()
    frame.active.open_path(saves[0])
    set_gold(first, "7")
    frame.activateWindow()
    assert QTest.qWaitForWindowActive(frame)
    frame.active._parts.hex.setFocus()
    shown: list[QWidget | None] = []

    def meddle() -> None:
        shown.append(QApplication.activeModalWidget())
        QTest.keyClick(frame.windowHandle(), Qt.Key.Key_7)

    QTimer.singleShot(0, first, meddle)
    assert first._files.save()
    assert shown != [None]
    assert saves[0].read_bytes() == bytes(document(first).buffer[:])


def test_changes_are_not_given_up_where_the_program_goes_on(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = windows.frames[0].active
    view.open_path(saves[0])
    set_gold(view, "7")
    asked: list[str] = []
    monkeypatch.setattr(MainWindow, "may_drop_recorded", lambda _, when: False)
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda *said: asked.append(said[1]) or UserChoice.DISCARD)
    windows.quit()
    monkeypatch.setattr(MainWindow, "may_drop_recorded", lambda _, when: True)
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda *said: asked.append(said[1]) or UserChoice.CANCEL)
    windows.quit()
    assert (asked[-1:], len(windows.frames)) == (["a.save"], 1)


def test_steps_in_a_grid_are_not_lost_when_another_window_ends_the_program(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = windows.frames[0].active
    view.open_path(saves[0])
    view.session.go_to_place("[0].map.tiles")
    other = windows.new_window().active
    other.open_path(saves[0])
    view._actions["edit_grid"].trigger()
    card = view.findChild(EditorCard)
    assert isinstance(card, EditorCard)
    assert isinstance(card.editor, PackedEditor)
    asked, told = list[str](), list[str]()
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda *said: asked.append(said[1]) or UserChoice.SAVE)
    assert not view.session.has_typed
    card.editor.grid.append_row()
    windows.quit()
    assert (asked, len(windows.frames)) == (["a.save"], 2)
    assert told == ["What is typed cannot be saved: apply it in its editor first, or close that."]
    card.apply()
    assert not view.session.has_typed
    assert document(view).modified
    assert other.files.save()


def test_what_is_brought_back_of_a_file_that_another_window_shows_is_one_document_in_both(
    windows: Windows, saves: list[Path]
) -> None:
    left = windows.frames[0].active
    left.open_path(saves[0])
    right = windows.new_window().active
    kept = Document.open(saves[0])
    kept.apply(set_literal(kept, parse_path(kept, GOLD), "77"))
    right.opened.bring_back(kept)
    assert windows.documents() == [kept]
    assert value(document(left), GOLD) == "77"


def in_card(windows: Windows, path: Path, place: str) -> tuple[MainWindow, MainWindow, EditorCard]:
    """A value in an editor, and another window with the same file."""
    view = windows.frames[0].active
    view.open_path(path)
    other = windows.new_window().active
    other.open_path(path)
    view.session.go_to_place(place)
    view._actions["edit_in_editor"].trigger()
    card = view.findChild(EditorCard)
    assert isinstance(card, EditorCard)
    return view, other, card


def value(found: Document, place: str) -> str:
    return cell_text(found, parse_path(found, place)).text


def set_to(view: MainWindow, place: str, literal: str) -> None:
    view.session.set_literal(parse_path(document(view), place), literal)


def test_what_is_typed_in_an_editor_is_written_after_an_edit_in_another_view(
    windows: Windows, saves: list[Path]
) -> None:
    view, other, card = in_card(windows, saves[0], GOLD)
    assert isinstance(card.editor, NumberEditor)
    card.editor.field.setText("4321")
    set_to(other, "[0].game", '"a much longer name than before"')
    assert card.isVisible()
    assert card.editor.field.text() == "4321"
    card.apply()
    found = document(view)
    assert value(found, GOLD) == "4321"
    assert value(found, "[0].game") == "a much longer name than before"


def test_what_is_typed_in_an_editor_stays_where_its_value_is_changed_in_another_view(
    windows: Windows, saves: list[Path]
) -> None:
    view, other, card = in_card(windows, saves[0], GOLD)
    assert isinstance(card.editor, NumberEditor)
    card.editor.field.setText("4321")
    set_to(other, GOLD, "5")
    assert card.isVisible()
    assert card.editor.field.text() == "4321"
    assert not card.apply_button.isEnabled()
    assert card.band.accessibleName().startswith("This value was changed elsewhere meanwhile.")
    card.editor.field.setText("43210")
    assert not card.apply_button.isEnabled()
    other.session.undo()
    assert card.apply_button.isEnabled()
    other.session.apply(delete(document(other), [parse_path(document(other), GOLD)]))
    assert not card.apply_button.isEnabled()
    card.apply()
    assert card.editor.field.text() == "43210"
    card.reject()
    assert not view.session.has_typed


def test_an_editor_in_which_nothing_was_typed_goes_with_an_edit_in_another_view(
    windows: Windows, saves: list[Path]
) -> None:
    view, other, card = in_card(windows, saves[0], GOLD)
    said = QSignalSpy(view.session.failed)
    set_to(other, GOLD, "5")
    assert not card.isVisible()
    assert said.at(0) == ["The file was changed meanwhile; open the editor again."]


def test_steps_in_a_grid_are_written_after_an_edit_in_another_view(windows: Windows, saves: list[Path]) -> None:
    view, other, card = in_card(windows, saves[0], "[0].map.tiles")
    card.reject()
    view._actions["edit_grid"].trigger()
    card = next(each for each in view.findChildren(EditorCard) if each.isVisible())
    assert isinstance(card.editor, PackedEditor)
    before = outline.span(document(view), parse_path(document(view), "[0].map.tiles"))
    card.editor.grid.append_row()
    other.session.apply(delete(document(other), [parse_path(document(other), "[0].inventory[0]")]))
    assert card.isVisible()
    card.apply()
    after = outline.span(document(view), parse_path(document(view), "[0].map.tiles"))
    assert len(after) > len(before)
    assert after.start < before.start


def test_what_is_typed_in_an_editor_outlives_that_the_file_is_read_again(windows: Windows, saves: list[Path]) -> None:
    view, other, card = in_card(windows, saves[0], GOLD)
    assert isinstance(card.editor, NumberEditor)
    card.editor.field.setText("4321")
    written = Document.open(saves[0])
    written.apply(set_literal(written, parse_path(written, "[0].game"), '"other"'))
    written.save(backup=0)
    assert other.session.has_typed
    other.files._read_again()
    assert card.isVisible()
    card.apply()
    found = document(view)
    assert found is document(other)
    assert value(found, GOLD) == "4321"
    assert value(found, "[0].game") == "other"


def in_field(windows: Windows, path: Path, typed: str, key: Qt.Key = Qt.Key.Key_F2) -> tuple[MainWindow, MainWindow]:
    """A number in the tree in which something is typed, and another window with the same file."""
    view = windows.frames[0].active
    view.open_path(path)
    other = windows.new_window().active
    other.open_path(path)
    windows.frames[0].activateWindow()
    assert QTest.qWaitForWindowActive(windows.frames[0])
    view.session.go_to_place(GOLD)
    view._parts.tree.setFocus()
    if key is Qt.Key.Key_F2:
        view._parts.tree.edit_current()
    else:
        view._parts.tree.rename_current()
    field = view._parts.tree.editor.field
    assert field is not None
    field.setText(typed)
    windows.frames[1].activateWindow()
    assert QTest.qWaitForWindowActive(windows.frames[1])
    return view, other


def test_what_is_typed_in_a_row_and_is_no_value_stays_there_after_an_edit_in_another_view(
    windows: Windows, saves: list[Path]
) -> None:
    view, other = in_field(windows, saves[0], "12 apples")
    editor = view._parts.tree.editor
    other.session.apply(delete(document(other), [parse_path(document(other), "[0].saved_at")]))
    assert editor.field is not None
    assert editor.field.text() == "12 apples"
    set_to(other, GOLD, "77")
    assert editor.field.text() == "12 apples"
    assert editor.card is not None
    assert view.session.has_typed
    editor.field.setText("12")
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    assert value(document(view), GOLD) == "12"
    assert not view.session.has_typed


@pytest.mark.parametrize("moves", [True, False])
def test_a_change_in_another_view_while_rows_are_dragged_moves_no_other_rows(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch, moves: bool
) -> None:
    left, right = two_sides(windows, saves[0])
    tree = left._parts.tree
    left.session.go_to_place("[0].inventory[3]")
    row = tree.row_rect(tree.tree_model.index_of(parse_path(document(left), "[0].inventory[1]")))
    place = QPointF(row.center().x(), row.top() + 1)
    monkeypatch.setattr(tree, "_moves", lambda _: moves)
    said = QSignalSpy(left.session.failed)
    changed: list[bytes] = []

    def drag(_: object, mime: QMimeData) -> None:
        copies, held, free = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        tree.dragMoveEvent(QDragMoveEvent(place.toPoint(), copies, mime, held, free))
        right.session.apply(delete(document(right), [parse_path(document(right), "[0].inventory[3]")]))
        right.session.apply(delete(document(right), [parse_path(document(right), "[0].saved_at")]))
        changed.append(bytes(document(left).buffer[:]))
        tree.dropEvent(QDropEvent(place, copies, mime, held, free))

    monkeypatch.setattr(dragging, "start", drag)
    tree.startDrag(Qt.DropAction.MoveAction)
    if moves:
        assert bytes(document(left).buffer[:]) == changed[0]
        assert said.at(0) == ["The values were changed meanwhile: drag them again."]
    else:
        assert len(document(left).buffer) > len(changed[0])
        assert not said.count()
        assert tree.tree_model.spot(tree.indexAt(place.toPoint())) is not None


def test_what_was_typed_in_a_cell_is_told_where_the_table_is_changed_in_another_view(
    windows: Windows, saves: list[Path]
) -> None:
    view = windows.frames[0].active
    view.open_path(saves[0])
    other = windows.new_window().active
    other.open_path(saves[0])
    windows.frames[0].activateWindow()
    assert QTest.qWaitForWindowActive(windows.frames[0])
    view.session.go_to_place("[0].inventory[1].count")
    view._actions["table"].trigger()
    pane = view.findChild(SheetPane)
    assert isinstance(pane, SheetPane)
    pane.editor.open("12 apples")
    assert view.session.has_typed
    said = QSignalSpy(view.session.failed)
    set_to(other, "[0].inventory[0].count", "3")
    assert [str(each[0]).startswith("Typed was “12 apples”. ") for each in (said.at(0),)] == [True]
    assert not view.session.has_typed


def test_what_was_typed_is_told_where_its_row_is_gone(windows: Windows, saves: list[Path]) -> None:
    view, other = in_field(windows, saves[0], "12 apples")
    said = QSignalSpy(view.session.failed)
    other.session.apply(delete(document(other), [parse_path(document(other), GOLD)]))
    assert view._parts.tree.editor.field is None
    assert said.at(0) == ["The value that was edited here is gone. Typed there: “12 apples”."]
    assert not view.session.has_typed


@pytest.mark.parametrize("key", [Qt.Key.Key_F2, Qt.Key.Key_F3])
def test_what_is_typed_in_a_row_outlives_another_theme_and_another_reading(
    windows: Windows, saves: list[Path], key: Qt.Key
) -> None:
    view, other = in_field(windows, saves[0], "4321", key)
    tree = view._parts.tree
    tree.set_theme(tree.theme)
    assert tree.editor.field is not None
    assert tree.editor.field.text() == "4321"
    other.session.read_as(document(other).choice)
    assert tree.editor.field is not None
    assert tree.editor.field.text() == "4321"
    QTest.keyClick(tree.editor.field, Qt.Key.Key_Return)
    assert value(document(view), GOLD if key is Qt.Key.Key_F2 else '[0].player["4321"]') in ("4321", "5000000000")


def test_a_file_read_again_is_so_in_all_views(windows: Windows, saves: list[Path]) -> None:
    left, right = two_sides(windows, saves[0])
    other = Document.open(saves[0])
    saves[0].write_bytes(bytes(other.buffer[:]).replace(b"Tales of Test", b"Tales of Toll"))
    left._files.reload()
    assert document(left) is document(right)
    assert b"Toll" in bytes(document(right).buffer[:])


def test_the_keys_stay_where_they_are_when_a_file_is_read_again(windows: Windows, saves: list[Path]) -> None:
    left, right = two_sides(windows, saves[0])
    for place in (right._parts.tree, left._parts.hex, left._parts.find):
        place.setFocus()
        keys = QApplication.focusWidget()
        old = document(left)
        saves[0].write_bytes(saves[0].read_bytes() + bytes(4))
        left._files.reload(is_asked=False)
        assert document(left) is document(right) is not old
        assert QApplication.focusWidget() is keys


def test_the_keys_stay_in_table_and_text_when_a_file_is_read_again(
    windows: Windows, saves: list[Path], qtbot: QtBot
) -> None:
    view = windows.frames[0].active
    view.open_path(saves[0])
    view.session.go_to_place("[0].inventory[1].count")
    view._actions["table"].trigger()
    grid = QApplication.focusWidget()
    assert grid is not None
    assert grid.objectName() == "sheetView"
    saves[0].write_bytes(saves[0].read_bytes() + bytes(4))
    view._files.reload(is_asked=False)
    qtbot.waitUntil(grid.hasFocus)
    settings = saves[0].with_name("a.json")
    settings.write_bytes(b'{"a": 1}')
    view.open_path(settings)
    text = view._parts.bytes.current
    text.setFocus()
    settings.write_bytes(b'{"a": 2}')
    view._files.reload(is_asked=False)
    assert view._parts.bytes.current.hasFocus()
    assert view._parts.bytes.current is text


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Escape])
def test_the_keys_leave_a_message_with_it(windows: Windows, saves: list[Path], key: Qt.Key) -> None:
    view = windows.frames[0].active
    view.open_path(saves[0])
    view.session.go_to_place(GOLD)
    view._parts.tree.setFocus()
    view._actions["delete"].trigger()
    toast = view._toast.get()
    toast.action_button.setFocus()
    left = QSignalSpy(toast.left)  # where the keys go without it depends on the order of all widgets
    press(windows.frames[0], key)
    assert (toast.isHidden(), left.count()) == (True, 1)
    assert QApplication.focusWidget() is view._parts.tree
    assert document(view).modified is (key is Qt.Key.Key_Escape)


def test_everything_is_open_again_with_windows_sides_and_places(
    windows: Windows, saves: list[Path], qapp: QApplication
) -> None:
    windows._restore()
    _, right = two_sides(windows, saves[0])
    right.open_path(saves[1])
    right.opened.switch(0)
    right.session.go_to_place(GOLD)
    windows.new_window().active.open_path(saves[1])
    gone = saves[0].with_name("gone.save")
    shutil.copy(saves[0], gone)
    windows.frames[1].active.open_path(gone)
    end(windows)
    gone.unlink()
    again = made(qapp)
    try:
        again._restore()
        frame = again.frames[0]
        assert names(again) == [[["a.save"], ["a.save", "b.save"]], [["b.save"]]]
        assert document(frame.sides[0]) is document(frame.sides[1])
        assert document(again.frames[1].active) is frame.sides[1].opened.documents[1]
        assert frame.sides[1].session.path == GOLD
        second = KeptWindows(Settings())
        assert not second.claim()  # a second run leaves it alone
    finally:
        end(again)


def test_a_file_that_got_its_name_last_is_kept_as_open_at_once(
    windows: Windows, saves: list[Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows._restore()
    other = saves[0].with_name("other.bin")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    view = windows.frames[0].active
    view.opened.add(Document(saves[0].read_bytes(), name="sample"))
    qtbot.waitUntil(lambda: not windows._soon.isActive())
    assert "other.bin" not in Settings().open_windows
    assert view.files.save_as()
    qtbot.waitUntil(lambda: "other.bin" in Settings().open_windows, timeout=5_000)


def test_the_keys_stay_with_the_file_that_the_program_was_started_for(
    windows: Windows, saves: list[Path], qapp: QApplication
) -> None:
    windows._restore()
    windows.frames[0].active.open_path(saves[0])
    windows.split(windows.frames[0].active, below=False)
    assert windows.frames[0].active is windows.frames[0].sides[1]
    end(windows)
    again = made(qapp)
    try:
        frame = again.frames[0]
        frame.active.open_path(saves[1])
        again._restore()
        QApplication.processEvents()
        assert frame.is_split
        assert frame.active is frame.sides[0]
        assert document(frame.active).path == saves[1]
        assert frame.sides[0].isAncestorOf(frame.focusWidget())
    finally:
        end(again)


def test_the_window_of_the_file_that_the_program_was_started_for_is_in_front(
    windows: Windows, saves: list[Path], qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows._restore()
    windows.frames[0].active.open_path(saves[0])
    windows.new_window().active.open_path(saves[0])
    windows.frames[1].activateWindow()
    assert QTest.qWaitForWindowActive(windows.frames[1])
    end(windows)
    again = made(qapp)
    try:
        again.frames[0].active.open_path(saves[1])
        raised: list[SplitWindow] = []
        monkeypatch.setattr(SplitWindow, "activateWindow", lambda frame: raised.append(frame))
        again._restore()
        assert len(again.frames) == 2
        assert raised[-1] is again.frames[0]
    finally:
        end(again)


@pytest.mark.parametrize("beside", [False, True])
def test_views_of_one_file_keep_one_profile_for_it_under_another_name(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch, beside: bool
) -> None:
    other = saves[0].with_name("other.bin")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    left, right = two_sides(windows, saves[0])
    for view in (left, right):
        view._profiles.look()
    left._profiles._choose("lantern-fens")
    if not beside:
        right.open_path(saves[1])
    assert left._files.save_as()
    assert Settings().profile_of(other) == "lantern-fens"
    left._profiles._choose(NO_PROFILE)
    right.opened.switch(0)
    assert document(right) is document(left)
    assert Settings().profile_of(other) == NO_PROFILE


def profile(view: MainWindow) -> str:
    labels = view.session.labels
    return labels.profile.key if labels is not None else ""


@pytest.mark.parametrize("chooses", ["left", "right"])
def test_two_views_of_bytes_without_a_file_agree_once_they_are_saved_with_a_profile(
    windows: Windows, saves: list[Path], monkeypatch: pytest.MonkeyPatch, chooses: str
) -> None:
    other = saves[0].with_name("other.bin")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    view = windows.frames[0].active
    view.opened.add(Document(saves[0].read_bytes(), name="sample"))
    view._parts.tree.setFocus()
    press(windows.frames[0], Qt.Key.Key_F12)
    left, right = windows.frames[0].sides
    for each in (left, right):
        each._profiles.look()
    (left if chooses == "left" else right)._profiles._choose("lantern-fens")
    assert [profile(each) for each in (left, right)] == ["lantern-fens"] * 2
    assert right._files.save_as()
    for each in (left, right):
        each._profiles.look()
    assert Settings().profile_of(other) == "lantern-fens"
    assert [profile(each) for each in (left, right)] == ["lantern-fens"] * 2
    assert [each.windowTitle() for each in (left, right)] == ["other.bin[*]"] * 2
    assert [each.opened.bar.tabText(0) for each in (left, right)] == ["other.bin"] * 2
    assert [each._guard.watcher._path for each in (left, right) if each._guard is not None] in (
        [],
        [other],
        [other] * 2,
    )
    left._profiles._choose(NO_PROFILE)
    assert [profile(each) for each in (left, right)] == [""] * 2


WRONG = (
    *("", "[", "[]", '{"windows": 3}', '{"windows": [{"sides": [{"files": [{"path": 1}, "x"], "shown": -3}]}]}'),
    '{"windows": [{"place": 5, "sizes": "x", "active": 9, "sides": [3, {"files": [{}]}, {"files": [{"path": "/"}]}]}]}',
)


@pytest.mark.parametrize("shown", [False, True])
def test_whether_the_inspector_is_shown_is_kept_when_the_program_ends(
    windows: Windows, saves: list[Path], qtbot: QtBot, shown: bool
) -> None:
    frame = windows.frames[0]
    view = frame.active
    view.open_path(saves[0])
    qtbot.waitUntil(lambda: view.width() == 1280)
    inspector = view.findChild(Inspector)
    assert inspector.isVisible()
    if not shown:
        inspector.closed.emit()
    frame.close()
    assert Settings().flag("inspector", default=True) == shown


def grip(view: MainWindow, number: int) -> tuple[QSplitter, QWidget]:
    """The panes beside each other in a view, and what one of them is dragged by."""
    panes = next(each for each in view.findChildren(QSplitter) if each.indexOf(view._parts.tree_pane) == 0)
    return panes, panes.handle(number)


def drag(held: QWidget, right: int, down: int = 0) -> None:
    middle = held.rect().center()
    QTest.mousePress(held, Qt.MouseButton.LeftButton, pos=middle)
    for part in (2, 1):
        QTest.mouseMove(held, middle + QPoint(right // part, down // part))
    QTest.mouseRelease(held, Qt.MouseButton.LeftButton, pos=middle)
    QApplication.processEvents()


@pytest.mark.parametrize("splits", [False, True])
def test_panes_are_as_wide_in_the_next_run_as_they_were_dragged(
    windows: Windows, saves: list[Path], qtbot: QtBot, splits: bool
) -> None:
    frame = windows.frames[0]
    frame.active.open_path(saves[0])
    if splits:
        windows.split(frame.active, below=True)
    view = frame.sides[-1]
    qtbot.waitUntil(lambda: view.width() == 1280)
    panes, held = grip(view, 2)
    usual = panes.sizes()
    drag(held, -120)
    drag(panes.handle(1), -90)
    dragged = panes.sizes()
    assert dragged[2] > usual[2] + 90
    assert dragged[0] < usual[0] - 60
    end(windows)
    again = made(QApplication.instance())  # type: ignore[arg-type]
    try:
        again.frames[0].active.open_path(saves[0])
        QApplication.processEvents()
        panes, held = grip(again.frames[0].active, 1)
        assert panes.sizes() == dragged
        again.frames[0].resize(1400, 800)
        qtbot.waitUntil(lambda: panes.width() == 1400)
        QApplication.processEvents()
        assert panes.sizes() == [dragged[0] + 120, *dragged[1:]]
        again.frames[0].resize(1280, 800)
        qtbot.waitUntil(lambda: panes.width() == 1280)
        QTest.mouseDClick(held, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert panes.sizes() == usual
        assert Settings().pane_widths("wide") == PaneWidths()
    finally:
        end(again)


def test_the_bottom_pane_is_as_high_in_the_next_run_as_it_was_dragged(
    windows: Windows, saves: list[Path], qtbot: QtBot
) -> None:
    def bottom(view: MainWindow) -> BottomPane:
        view.open_path(saves[0])
        view._parts.work.show_problems(True)
        QApplication.processEvents()
        return view.findChild(BottomPane)  # type: ignore[no-any-return]

    view = windows.frames[0].active
    pane = bottom(view)
    panes, usual = pane.parentWidget(), pane.height()
    assert isinstance(panes, QSplitter)
    drag(panes.handle(panes.indexOf(pane)), 0, -120)
    dragged = pane.height()
    assert dragged > usual + 100
    view._parts.work.show_problems(False)
    view._parts.work.show_problems(True)
    assert pane.height() == dragged
    end(windows)
    again = made(QApplication.instance())  # type: ignore[arg-type]
    try:
        pane = bottom(again.frames[0].active)
        assert pane.height() == dragged
        again.frames[0].resize(1280, 500)
        qtbot.waitUntil(lambda: pane.window().height() == 500)
        QApplication.processEvents()
        assert again.frames[0].active._parts.tree.height() > 60
        again.frames[0].resize(1280, 800)
        qtbot.waitUntil(lambda: pane.window().height() == 800)
        QApplication.processEvents()
        assert pane.height() == dragged
        panes = pane.parentWidget()
        assert isinstance(panes, QSplitter)
        QTest.mouseDClick(panes.handle(panes.indexOf(pane)), Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert pane.height() == usual
        assert Settings().bottom_height == 0
    finally:
        end(again)


def test_a_narrow_side_has_widths_of_its_own(windows: Windows, saves: list[Path], qtbot: QtBot) -> None:
    frame = windows.frames[0]
    frame.resize(1700, 800)
    frame.active.open_path(saves[0])
    QApplication.processEvents()
    panes, _ = grip(frame.active, 1)
    wide = panes.sizes()
    windows.split(frame.active, below=False)
    QApplication.processEvents()
    left = frame.sides[0]
    left._arrangement.show_both()
    QApplication.processEvents()
    panes, held = grip(left, 1)
    before = panes.sizes()
    drag(held, 50)
    assert panes.sizes()[0] > before[0] + 40
    kept = Settings().pane_widths("narrow")
    assert kept.bytes == panes.sizes()[1]
    assert Settings().pane_widths("wide") == PaneWidths()
    windows.close_split(left)
    QApplication.processEvents()
    assert grip(left, 1)[0].sizes() == wide


def test_what_is_dragged_is_written_when_it_is_let_go(
    windows: Windows, saves: list[Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = windows.frames[0].active
    view.open_path(saves[0])
    qtbot.waitUntil(lambda: view.width() == 1280)
    panes, held = grip(view, 1)
    written: list[PaneWidths] = []
    monkeypatch.setattr(Settings, "keep_pane_widths", lambda _, form, widths: written.append(widths))
    drag(held, -90)
    assert written == [PaneWidths(panes.sizes()[1], 0)]  # nobody dragged the inspector
    QTest.mouseClick(held, Qt.MouseButton.LeftButton)
    assert len(written) == 1


def test_a_pane_that_lacks_room_keeps_the_width_that_it_was_dragged_to(
    windows: Windows, saves: list[Path], qtbot: QtBot
) -> None:
    frame = windows.frames[0]
    frame.active.open_path(saves[0])
    frame.active._parts.work.set_widths(PaneLayout.WIDE, PaneWidths(1000, 300))
    QApplication.processEvents()
    panes, held = grip(frame.active, 2)
    _, wide, inspector = panes.sizes()
    assert wide < 1000
    drag(held, -30)
    assert panes.sizes()[2] > inspector + 20
    assert Settings().pane_widths("wide") == PaneWidths(1000, panes.sizes()[2])
    drag(panes.handle(1), 30)
    assert Settings().pane_widths("wide") == PaneWidths(*panes.sizes()[1:])


def test_the_shape_of_the_panes_that_earlier_versions_kept_is_forgotten() -> None:
    settings = Settings()
    settings._store.setValue("window/panes", "shape")
    settings.keep_pane_widths("wide", PaneWidths(500, 300))
    assert not settings._store.contains("window/panes")
    assert settings.pane_widths("wide") == PaneWidths(500, 300)


NO_NUMBERS = ("x", "--7", "-", "²", "9" * 5000, "99999999999999999999", "")


@pytest.mark.parametrize("kept", ["-7", *NO_NUMBERS])
def test_widths_that_are_kept_wrongly_are_the_usual_ones(kept: str) -> None:
    settings = Settings()
    settings._store.setValue("panes/wide/bytes", kept)
    assert settings.pane_widths("wide") == PaneWidths()


@pytest.mark.parametrize("kept", NO_NUMBERS)
def test_numbers_that_are_kept_wrongly_are_the_usual_ones(kept: str) -> None:
    settings = Settings()
    for name in ("hex/row_width", "hex/zoom", "packets/most", "files/backups"):
        settings._store.setValue(name, kept)
    assert (settings.row_width, settings.zoom) == (0, 0)
    assert (settings.most_packets, settings.backups) == (MOST_PACKETS, 1)


def test_what_is_kept_wrongly_opens_nothing(windows: Windows) -> None:
    for kept in WRONG:
        Settings().open_windows = kept
        KeptWindows(Settings()).open_again(windows)
        assert names(windows) == [[[]]]


def test_files_that_the_program_died_of_are_not_opened_again(windows: Windows, saves: list[Path]) -> None:
    settings = Settings()
    settings.open_windows = f'{{"windows": [{{"sides": [{{"files": [{{"path": "{saves[0]}"}}]}}]}}]}}'
    settings.is_reopening = True
    assert KeptWindows(settings).open_again(windows) == DIED
    assert names(windows) == [[[]]]
    assert KeptWindows(settings).open_again(windows) == ""
    assert names(windows) == [[["a.save"]]]
