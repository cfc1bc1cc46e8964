"""The window as a person uses it: real keys, real clicks, real files."""

from __future__ import annotations

import os
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from viewer.base.words import grouped
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.packed import delete_elements
from viewer.document.edits.structure import delete
from viewer.document.path import parse_path
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.hex.view import HexView
from viewer.ui.panels.banner import Banner
from viewer.ui.settings import Settings
from viewer.ui.tree.tree_filter_bar import FilterBar
from viewer.ui.tree.view import TreeView
from viewer.ui.window.actions import all_entries
from viewer.ui.window.byte_dialogs import RangeDialog
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.items import Item

KEY = Qt.Key
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def golden(name: str, folder: str = "godot3") -> Path:
    return next(file.path for file in corpus.files(folder) if file.path.name == name)


@pytest.fixture
def save(window: MainWindow, tmp_path: Path) -> Path:
    """The role-playing save, open in the window, as a file of this test."""
    path = tmp_path / "rpg.save"
    path.write_bytes(golden("rpg.save").read_bytes())
    window.open_path(path)
    return path


@pytest.fixture
def short_save(window: MainWindow, tmp_path: Path) -> None:
    """The same save with the first four of many things that are alike: each kind of row and byte, and not thousands."""
    shown = Document(golden("rpg.save").read_bytes())
    for path in ("[0].map.tiles", "[0].thumbnail.data"):
        shown.apply(delete_elements(shown, parse_path(shown, path), [range(4, 3072)]))
    for path, step in (("[0].inventory", 1), ("[0].quests", 2), ("[0].npcs", 1)):
        item = parse_path(shown, path)
        values = shown.frames[item.frame].table.children(item.node)[step - 1 :: step]  # in pairs behind their keys
        shown.apply(delete(shown, [Item(item.frame, node) for node in values[4:]]))
    short = tmp_path / "short.save"
    short.write_bytes(shown.buffer[:])
    window.open_path(short)


def tree(window: MainWindow) -> TreeView:
    return window.findChild(TreeView, "treeView")  # type: ignore[return-value]


def bytes_view(window: MainWindow) -> HexView:
    return window.findChild(HexView, "hexView")  # type: ignore[return-value]


def keys(text: str) -> None:
    QTest.keyClicks(QApplication.focusWidget(), text)


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifier)


def trigger(window: MainWindow, name: str) -> None:
    next(action for action in window.actions() if action.objectName() == name).trigger()


def document(window: MainWindow) -> Document:
    assert window.session.document is not None
    return window.session.document


def test_the_main_widgets_have_the_names_that_others_rely_on(window: MainWindow, save: Path) -> None:
    for name in ("treeView", "hexView", "inspector", "problemsView", "pathBar"):
        assert window.findChild(QWidget, name) is not None, name
    assert window.objectName() == "mainWindow"


def test_the_gold_is_found_changed_and_saved_by_keys_alone(window: MainWindow, save: Path, qtbot: QtBot) -> None:
    before = save.read_bytes()
    trigger(window, "go_to")
    press(KEY.Key_A, CTRL)
    keys("[0].player.gold")
    press(KEY.Key_Return)
    assert window.session.path == "[0].player.gold"
    tree(window).setFocus()
    press(KEY.Key_F2)
    press(KEY.Key_A, CTRL)
    keys("6000000000")
    press(KEY.Key_Return)
    assert window.isWindowModified()
    trigger(window, "save")
    assert not window.isWindowModified()
    saved = Document.open(save)
    item = parse_path(saved, "[0].player.gold")
    span = outline.span(saved, item)
    assert saved.buffer[span.start : span.end].hex() == "0200010000bca06501000000"
    assert save.with_name("rpg.save.bak").read_bytes() == before


def test_a_wrong_value_keeps_the_field_open_and_changes_nothing(window: MainWindow, save: Path) -> None:
    window.session.go_to_place("[0].player.gold")
    tree(window).setFocus()
    press(KEY.Key_F2)
    press(KEY.Key_A, CTRL)
    keys("9223372036854775808")
    press(KEY.Key_Return)
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    assert not window.isWindowModified()
    press(KEY.Key_Escape)
    assert not window.isWindowModified()


def test_typing_hex_digits_overwrites_and_one_undo_takes_the_run_back(window: MainWindow, save: Path) -> None:
    original = document(window).buffer
    view = bytes_view(window)
    view.setFocus()
    window.session.go_to(0x218)
    keys("ff01")
    assert document(window).buffer[0x218:0x21A] == b"\xff\x01"
    assert window.session.caret == 0x21A
    trigger(window, "undo")
    assert document(window).buffer == original


def test_tab_goes_to_the_text_column_and_a_letter_overwrites_a_byte(window: MainWindow, save: Path) -> None:
    view = bytes_view(window)
    view.setFocus()
    offset = document(window).buffer.index(b"ranger")
    window.session.go_to(offset)
    press(KEY.Key_Tab)
    keys("R")
    assert document(window).buffer[offset : offset + 6] == b"Ranger"


@pytest.mark.usefixtures("short_save")
def test_every_byte_selects_its_row_and_every_row_its_bytes(window: MainWindow) -> None:
    shown = document(window)
    model_view = tree(window)
    for offset in range(1, len(shown.buffer), 3):
        window.session.go_to(offset, remember=False)
        item = outline.item_at(shown, offset)
        assert item is not None
        assert model_view.current_item == outline.row_item(shown, item), hex(offset)
        span = window.session.item_span
        assert span is not None
        assert offset in span


@pytest.mark.usefixtures("short_save")
def test_the_model_is_sound_through_a_whole_session(window: MainWindow) -> None:
    tester = QAbstractItemModelTester(tree(window).model(), QAbstractItemModelTester.FailureReportingMode.Fatal)
    session = window.session
    session.go_to_place("[0].inventory[3].name")
    session.set_literal(session.item, '"a longer name than there was before"')  # type: ignore[arg-type]
    session.go_to_place("[0].player.hp")
    session.set_literal(session.item, "12.5")  # type: ignore[arg-type]
    session.undo()
    session.undo()
    session.redo()
    session.overwrite(0x20, b"\xff\xff\xff\xff")
    session.undo()
    choice = document(window).choice
    session.read_as(type(choice)(load("godot4")))
    session.read_as(choice)
    trigger(window, "save")
    window.open_path(golden("mixed_calls.save"))
    assert tester is not None


def test_expansion_and_selection_survive_an_edit_and_its_undo(window: MainWindow, save: Path) -> None:
    session, view = window.session, tree(window)
    session.go_to_place("[0].inventory[2].name")
    session.set_literal(session.item, '"Long Bow of the Seven Winds"')  # type: ignore[arg-type]
    assert session.path == "[0].inventory[2].name"
    assert view.isExpanded(view.currentIndex().parent())
    session.undo()
    assert session.path == "[0].inventory[2].name"
    assert view.isExpanded(view.currentIndex().parent())


def test_back_and_forward_walk_the_places(window: MainWindow, save: Path) -> None:
    session = window.session
    for path in ("[0].player", "[0].inventory", "[0].stats"):
        session.go_to_place(path)
    trigger(window, "back")
    assert session.path == "[0].inventory"
    trigger(window, "back")
    assert session.path == "[0].player"
    trigger(window, "forward")
    assert session.path == "[0].inventory"


def test_f6_goes_around_the_panes(window: MainWindow, save: Path) -> None:
    tree(window).setFocus()
    trigger(window, "next_pane")
    assert bytes_view(window).hasFocus()
    trigger(window, "previous_pane")
    assert tree(window).hasFocus()


def test_f8_steps_through_problems(window: MainWindow) -> None:
    #                      Array    2        bool     7        bool     9
    broken = bytes.fromhex("13000000 02000000 01000000 07000000 01000000 09000000")
    window.session.show(Document(broken, name="packet"))
    offsets = []
    for _ in range(3):
        trigger(window, "next_problem")
        offsets.append(window.session.caret)
    assert offsets == [12, 20, 12]


def test_another_dialect_can_be_chosen_and_the_tree_follows(window: MainWindow, save: Path) -> None:
    choice = document(window).choice
    window.session.read_as(type(choice)(load("godot4")))
    assert document(window).dialect.key == "godot4"
    window.session.read_as(choice)
    assert document(window).dialect.key == "godot3"


def test_closing_with_changes_asks_and_cancel_stays(
    window: MainWindow, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.overwrite(0x218, b"\xff")
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda *_: UserChoice.CANCEL)
    trigger(window, "close")
    assert window.session.document is not None
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda *_: UserChoice.DISCARD)
    trigger(window, "close")
    assert window.session.document is None


def test_a_file_the_game_wrote_meanwhile_is_asked_about_before_it_is_overwritten(
    window: MainWindow, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.overwrite(0x218, b"\xff")
    save.write_bytes(save.read_bytes() + bytes(4))
    monkeypatch.setattr(dialogs, "ask_changed_on_disk", lambda *_: UserChoice.CANCEL)
    trigger(window, "save")
    assert window.isWindowModified()
    assert len(save.read_bytes()) == 21144


def test_what_cannot_be_opened_is_told_in_one_sentence(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    window.open_path(tmp_path)
    window.open_path(tmp_path / "nothing.save")
    assert len(told) == 2
    assert all(sentence.endswith(".") for sentence in told)


def test_a_file_that_vanished_while_open_can_be_saved_again(window: MainWindow, save: Path) -> None:
    data = save.read_bytes()
    save.unlink()
    window.session.overwrite(0x218, b"\xff")
    trigger(window, "save")
    assert save.read_bytes() == data[:0x218] + b"\xff" + data[0x219:]


@pytest.mark.parametrize("data", [b"", b"\0", b"no save at all\n", bytes(4096), b"\xff" * 4096, os.urandom(4096)])
def test_any_bytes_can_be_shown(window: MainWindow, data: bytes) -> None:
    window.session.show(Document(data, name="bytes"))
    window.settle()
    assert window.session.document is not None


def test_a_dropped_file_opens(window: MainWindow, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(golden("single_int.save")))])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(10, 10), actions, data, buttons, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(event)
    qtbot.waitUntil(lambda: document(window).name == "single_int.save")


def test_hex_from_the_clipboard_opens_as_a_packet(window: MainWindow) -> None:
    QGuiApplication.clipboard().setText("02 00 00 00 2a 00 00 00")
    trigger(window, "paste")
    assert document(window).buffer == bytes.fromhex("020000002a000000")


def test_copy_gives_the_value_in_the_tree_and_hex_in_the_bytes(window: MainWindow, save: Path) -> None:
    window.session.go_to_place("[0].player.gold")
    tree(window).setFocus()
    trigger(window, "copy")
    assert QGuiApplication.clipboard().text() == "5000000000"
    window.session.go_to(0x214, outline.span(document(window), parse_path(document(window), "[0].player.gold")))
    bytes_view(window).setFocus()
    trigger(window, "copy")
    assert QGuiApplication.clipboard().text() == "02 00 01 00 00 F2 05 2A 01 00 00 00"


@pytest.mark.parametrize("size", [(640, 420), (900, 600), (1000, 640), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_size_and_theme_can_be_painted(window: MainWindow, save: Path, size: tuple[int, int], theme: str) -> None:
    window._theme.choose(theme)
    window.resize(*size)
    window.settle()
    window.session.go_to_place("[0].player.target")
    window.settle()
    assert not window.grab().isNull()
    assert tree(window).isVisible() or bytes_view(window).isVisible()


def test_every_action_has_words_a_tip_and_the_keys_of_the_table(window: MainWindow) -> None:
    for _, entry in all_entries():
        assert entry.text
    menus = (
        "recent",
        "save_for",
        "save_kind",
        "samples",
        "row_width",
        "theme",
        "change_type",
        "copy_as",
        "backups",
        "layers",
        "most_packets",
    )
    tipped = [entry for _, entry in all_entries() if entry.name not in menus]
    assert all(entry.tip for entry in tipped)
    for button in window.findChildren(QToolButton):
        if button.isVisible() and button.objectName() != "qt_menubar_ext_button":
            assert button.accessibleName() or button.text() or button.toolTip()


def test_no_key_means_two_things(window: MainWindow) -> None:
    used = [keys for _, entry in all_entries() for keys in entry.keys]
    assert len(used) == len(set(used))


def test_recent_files_are_remembered_the_last_one_first(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings()
    settings.clear_recent()
    for name in ("a.save", "b.save", "a.save"):
        path = tmp_path / name
        path.write_bytes(b"x")
        settings.add_recent(path)
    assert [entry.path.name for entry in settings.recent] == ["a.save", "b.save"]
    (tmp_path / "b.save").unlink()
    assert [entry.path.name for entry in Settings().recent] == ["a.save"]


def test_the_question_about_unsaved_changes_saves_by_default_and_escape_stays(window: MainWindow, qtbot: QtBot) -> None:
    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert box.defaultButton().text() == "&Save"
        QTest.keyClick(box, KEY.Key_Escape)

    QTimer.singleShot(0, answer)
    assert dialogs.ask_unsaved(window, "x.save") is UserChoice.CANCEL


def test_the_range_dialog_says_what_is_wrong_while_typing(window: MainWindow, save: Path, qtbot: QtBot) -> None:
    dialog = RangeDialog(window, document(window), 16)
    qtbot.addWidget(dialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText("0x10..0x1F")
    assert dialog.span is not None
    assert len(dialog.span) == 16
    field.setText("0x10..")
    assert dialog.span is None


def test_a_right_click_offers_actions(window: MainWindow, save: Path) -> None:
    window.findChild(TreeView, "treeView").menu_requested.emit(
        parse_path(document(window), "[0].player"), QPoint(10, 10)
    )
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()


def test_a_banner_tells_that_the_game_wrote_the_file_and_reloads_it(window: MainWindow, save: Path) -> None:
    banner = window.findChild(Banner, "banner")
    assert banner.isHidden()
    save.write_bytes(bytes.fromhex("08000000 02000000 05000000"))
    QApplication.sendEvent(window, QEvent(QEvent.Type.ActivationChange))
    assert not banner.isHidden()
    QTest.mouseClick(banner.action_button, Qt.MouseButton.LeftButton)
    assert banner.isHidden()
    assert len(document(window).buffer) == 12


def test_the_inspector_comes_back_with_the_width(window: MainWindow, save: Path) -> None:
    inspector = window.findChild(QWidget, "inspector")
    for width, shown in ((1400, True), (1000, False), (700, False), (1400, True)):
        window.resize(width, 700)
        window.settle()
        assert inspector.isVisible() is shown


def test_the_bytes_take_no_more_width_than_the_columns_that_fit(window: MainWindow, save: Path) -> None:
    window.resize(760, 500)
    window.settle()
    assert bytes_view(window).width() == bytes_view(window).width_for_columns(8)
    window.resize(1280, 800)
    for _ in range(5):
        bytes_view(window).zoom_in()
    window.settle()
    assert bytes_view(window).width() == bytes_view(window).width_for_columns(8)


def test_the_smallest_window_shows_the_search_field_in_place_of_the_path(window: MainWindow, save: Path) -> None:
    window.resize(640, 420)
    window.settle()
    path_bar, find = window.findChild(QWidget, "pathBar"), window.findChild(QWidget, "findField")
    press(KEY.Key_F, CTRL)
    assert (path_bar.isVisible(), find.isVisible()) == (False, True)
    press(KEY.Key_G, CTRL)
    assert (path_bar.isVisible(), find.isVisible()) == (True, False)
    assert path_bar.isAncestorOf(QApplication.focusWidget())


def test_escape_goes_from_a_found_place_to_its_value(window: MainWindow, save: Path, qtbot: QtBot) -> None:
    press(KEY.Key_F, CTRL)
    keys("Sword")
    press(KEY.Key_Return)
    qtbot.waitUntil(lambda: bool(QApplication.focusWidget().parent().current))  # type: ignore[attr-defined]
    press(KEY.Key_Escape)
    assert QApplication.focusWidget() is tree(window)


def test_after_closing_nothing_is_left_of_a_search_and_the_open_button_has_the_focus(
    window: MainWindow, save: Path
) -> None:
    press(KEY.Key_F, CTRL)
    keys("nowhere")
    trigger(window, "close")
    assert window.findChild(QLineEdit, "findLine").text() == ""
    assert QApplication.focusWidget().accessibleName().startswith("Open")


def test_no_button_of_a_question_is_cut(window: MainWindow) -> None:
    cut: list[str] = []

    def measure() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        cut.extend(button.text() for button in box.buttons() if button.width() < button.sizeHint().width())
        QTest.keyClick(box, KEY.Key_Escape)

    for ask in (dialogs.ask_unsaved, dialogs.ask_changed_on_disk, dialogs.ask_drop_changes):
        QTimer.singleShot(50, measure)
        ask(window, "x.save")
    assert not cut


def test_typing_the_digits_that_stand_there_changes_nothing(window: MainWindow, save: Path) -> None:
    window.session.go_to_place("[0].player.gold")
    bytes_view(window).setFocus()
    keys(f"{document(window).buffer[window.session.caret]:02x}")
    assert not document(window).modified


@pytest.mark.parametrize("width", [1400, 1000])
def test_closing_a_pane_gives_the_focus_to_the_tree(window: MainWindow, save: Path, width: int) -> None:
    window.resize(width, 700)
    window.settle()
    for name, pane_name in (("problems", "problemsView"), ("inspector", "inspector")):
        pane = window.findChild(QWidget, pane_name)
        if not pane.isVisible():
            trigger(window, name)
        pane.setFocus()
        assert QApplication.focusWidget() is pane or pane.isAncestorOf(QApplication.focusWidget())
        trigger(window, name)
        assert QApplication.focusWidget() is tree(window)


def test_the_status_bar_counts_all_selected_rows(window: MainWindow, save: Path) -> None:
    tree, status = window.findChild(TreeView), window._parts.status
    window.session.go_to_place("[0].inventory[1]")
    one = status.selection.text()
    tree.setFocus()
    QTest.keyClick(tree, KEY.Key_Down, SHIFT)
    document = window.session.document
    size = sum(len(outline.span(document, item)) for item in tree.selected_items())
    assert status.selection.text() == f"Selected 2 rows, {size} bytes"
    QTest.keyClick(tree, KEY.Key_Up)
    window.session.go_to_place("[0].inventory[1]")
    assert status.selection.text() == one
    tree.selectAll()  # what lies in a selected row counts once
    span = outline.span(document, Item(0, 0))
    rows = len(tree.selectionModel().selectedRows())
    assert status.selection.text() == f"Selected {rows} rows, {grouped(len(span))} bytes"


def test_the_status_bar_counts_no_rows_that_a_filter_took_away(window: MainWindow, save: Path) -> None:
    tree, status = window.findChild(TreeView), window._parts.status
    window.session.go_to_place("[0].inventory[1]")
    tree.setFocus()
    QTest.keyClick(tree, KEY.Key_Down, SHIFT)
    assert "2 rows" in status.selection.text()
    trigger(window, "filter")
    bar = window.findChild(FilterBar)
    bar.line.setText("no row has this")
    QTest.qWait(300)
    assert bar.nothing.words
    assert "rows" not in status.selection.text()


def test_the_keys_are_never_in_values_that_lie_behind_the_bytes(window: MainWindow, save: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.save"
    other.write_bytes(save.read_bytes())
    window.resize(700, 700)
    window.settle()
    hex_view = window._parts.hex
    for do in (lambda: window.open_path(other), lambda: window._opened.step(1), window.take_keys):
        window._parts.work.reveal(hex_view)
        hex_view.setFocus()
        do()
        window.settle()
        assert QApplication.focusWidget() in (tree(window), hex_view)
        assert QApplication.focusWidget().isVisible()
