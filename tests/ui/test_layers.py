"""Layers in the window: the bar, the password, what the menu does."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus import DATA
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from viewer.container.layer import Secret
from viewer.container.new_wrap import fresh
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.notices import Remedy, notice
from viewer.document.wraps import UnwrapOptions
from viewer.ui import dialogs
from viewer.ui.panels.layer_bar import LayerBar
from viewer.ui.panels.panel_widgets import FlatButton
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.password_dialog import KEY, PasswordDialog

CLOSED = DATA / "godot3" / "files" / "enc_pass_one.save"
PLAIN = DATA / "godot3" / "files" / "rpg.save"
OPENED = ReadOptions(opening=UnwrapOptions(secret=Secret.of_password("hunter2")))


def buttons(window: MainWindow) -> list[FlatButton]:
    bar = window.findChild(LayerBar, "layerBar")
    assert bar is not None
    return [button for button in bar.findChildren(FlatButton) if button.isCheckable() and not button.isHidden()]


def answer(password: str, then: str | None = None) -> list[str]:
    """Type into the password dialogs that come; returns what each said."""
    said: list[str] = []
    words = [password, *([then] if then is not None else [])]

    def type_one() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, PasswordDialog):
            QTimer.singleShot(20, type_one)
            return
        said.append(dialog._says.text())
        word = words.pop(0) if words else ""
        if words:
            QTimer.singleShot(20, type_one)
        dialog.field.setText(word)
        dialog.open_button.click()

    QTimer.singleShot(0, type_one)
    return said


def test_a_file_without_wraps_has_no_bar(window: MainWindow) -> None:
    window.session.show(Document.open(PLAIN))
    assert window.findChild(LayerBar, "layerBar").isHidden()


def test_each_layer_is_a_button_and_shows_its_own_bytes(window: MainWindow) -> None:
    window.session.show(Document.open(CLOSED, OPENED))
    assert [button.text() for button in buttons(window)] == ["File: GDEC 1", "Values"]
    assert [button.isChecked() for button in buttons(window)] == [False, True]
    hex_view = window._parts.hex
    inside = hex_view._source.read(0, 4)
    buttons(window)[0].click()
    assert hex_view._source.read(0, 4) == b"GDEC"
    assert hex_view.read_only
    assert [button.isChecked() for button in buttons(window)] == [True, False]
    buttons(window)[1].click()
    assert hex_view._source.read(0, 4) == inside
    assert not hex_view.read_only


def test_over_a_layer_around_the_values_nothing_is_told_as_if_its_bytes_were_theirs(window: MainWindow) -> None:
    window.session.show(Document.open(CLOSED, OPENED))
    window.session.go_to_place("[0].level")
    parts = window._parts
    offset = parts.path_bar._offset()
    assert parts.status.place.text().startswith(offset)
    buttons(window)[0].click()
    assert parts.status.place.text() == "Bytes of GDEC 1"
    assert parts.status.selection.isHidden()
    assert parts.path_bar._offset() == f"{offset} in Values"
    assert parts.inspector.numbers.isHidden()
    buttons(window)[1].click()
    assert parts.status.place.text().startswith(offset)
    assert not parts.status.selection.isHidden()
    assert parts.path_bar._offset() == offset
    assert not parts.inspector.numbers.isHidden()


def test_a_layer_of_another_file_is_not_shown(window: MainWindow) -> None:
    window.session.show(Document.open(PLAIN))
    for number in (0, 1):
        window.session.show_layer(number)
        assert window.session.layer is None
    assert not window._parts.hex.read_only


def test_what_is_typed_over_a_layer_around_the_values_changes_nothing(window: MainWindow, qtbot: Any) -> None:
    document = Document.open(CLOSED, OPENED)
    window.session.show(document)
    window.session.show_layer(0)
    with qtbot.waitSignal(window._parts.hex.typing_refused):
        QTest.keyClicks(window._parts.hex, "ff")
    assert not document.modified


def test_selecting_a_value_leads_back_to_its_bytes(window: MainWindow) -> None:
    window.session.show(Document.open(CLOSED, OPENED))
    window.session.show_layer(0)
    window.session.go_to_place("[0].level")
    assert window.session.layer is None
    span = window.session.item_span
    assert span is not None
    assert window._parts.hex.caret.offset == span.start


def test_the_password_is_asked_again_until_it_fits(window: MainWindow) -> None:
    said = answer("wrong", "hunter2")
    window.open_path(CLOSED)
    assert said[0].startswith("It stays in memory")
    assert "wrong" in said[1]
    document = window.session.document
    assert document is not None
    assert document.wraps.blocked is None
    assert len(document.frames) == 1


def test_who_has_no_password_sees_closed_bytes_and_can_try_later(window: MainWindow) -> None:
    QTimer.singleShot(0, lambda: QApplication.activeModalWidget().reject())
    window.open_path(CLOSED)
    document = window.session.document
    assert document is not None
    assert document.wraps.needs_key
    assert not window._parts.banner.isHidden()
    assert window._parts.banner.action_button.text() == "Enter password…"
    answer("hunter2")
    window._parts.banner.action_button.click()
    document = window.session.document
    assert document is not None
    assert document.wraps.blocked is None


def test_a_key_that_is_none_is_said_below_the_field(window: MainWindow, qtbot: Any) -> None:
    dialog = PasswordDialog(window, window._theme.theme, "x.save")
    qtbot.addWidget(dialog)
    dialog.kind.setCurrentIndex(KEY)
    dialog.field.setText("12 zz")
    dialog.open_button.click()
    assert dialog.secret is None
    assert "64 hexadecimal digits" in dialog._says.text()
    dialog.field.setText("61" * 32)
    dialog.open_button.click()
    assert dialog.secret == Secret(b"a" * 32)
    assert dialog.field.text() == ""


def test_what_is_changed_inside_is_saved_encrypted(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    path.write_bytes(CLOSED.read_bytes())
    answer("hunter2")
    window.open_path(path)
    window.session.go_to_place("[0].level")
    item = window.session.item
    assert item is not None
    window.session.set_literal(item, "99")
    window._files.save()
    assert path.read_bytes()[:4] == b"GDEC"
    again = Document.open(path, OPENED)
    assert bytes(again.buffer[:]) == bytes(window.session.document.buffer[:])  # type: ignore[union-attr]


def test_the_menu_leaves_a_wrap_on(window: MainWindow) -> None:
    window.session.show(Document.open(CLOSED, OPENED))
    menu = QMenu(window)
    window._layers.get().fill(menu)
    action = next(each for each in menu.actions() if each.text().startswith("&Leave the Inner Wrap"))
    action.trigger()
    document = window.session.document
    assert document is not None
    assert document.wraps.names == ()
    assert bytes(document.buffer[:4]) == b"GDEC"


def test_the_layers_can_be_walked_with_the_keys(window: MainWindow) -> None:
    window.session.show(Document.open(CLOSED, OPENED))
    first, second = buttons(window)
    second.setFocus()
    QTest.keyClick(second, Qt.Key.Key_Left)
    assert first.hasFocus() or not window.isActiveWindow()
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert window.session.layer == 0


def test_embedded_objects_have_a_banner_that_takes_them_out(window: MainWindow) -> None:
    window.session.show(Document.open(DATA / "godot3" / "files" / "full_objects.save"))
    window.settle()
    banner = window._parts.banner
    assert not banner.isHidden()
    assert "GDScript" in banner.sentence.text()
    banner.action_button.click()
    window.settle()
    assert window.session.document is not None
    assert window.session.document.modified
    assert banner.isHidden() or "embedded" not in banner.sentence.text()


def test_a_large_wrapped_file_is_opened_and_saved_beside_the_window(
    window: MainWindow, tmp_path: Path, qtbot: Any
) -> None:
    inside = PLAIN.read_bytes() * 60
    path = tmp_path / "large.save"
    path.write_bytes(fresh("gcpf:fastlz", None).wrap(inside))
    with qtbot.waitSignal(window.session.opened, timeout=30_000):
        window.open_path(path)
    qtbot.waitUntil(lambda: not window.session.waits, timeout=30_000)
    window.session.overwrite(540, b"\x01\x02")
    assert window._files.save()
    again = Document.open(path)
    assert again.wraps.names == ("gcpf",)
    assert bytes(again.buffer[:]) == inside[:540] + b"\x01\x02" + inside[542:]


def test_brotli_is_saved_as_zstd_where_a_person_says_so(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "brotli.save"
    path.write_bytes((DATA / "godot4" / "files" / "compressed_brotli_single.gcpf").read_bytes())
    window.open_path(path)
    window.session.overwrite(20, b"\x01")
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "ask_zstd", lambda parent, problem: asked.append(problem) or len(asked) > 1)
    assert not window._files.save()
    assert path.read_bytes()[4] == 4
    assert window._files.save()
    assert "Brotli" in asked[0]
    again = Document.open(path)
    assert again.wraps.around[0].form.label == "GCPF, Zstd"
    assert bytes(again.buffer[20:21]) == b"\x01"


@contextlib.contextmanager
def agree(times: int) -> Iterator[list[str]]:
    """Let that many questions be answered with their own button, later ones with Cancel; tells what each said."""
    said: list[str] = []
    timer = QTimer(interval=20)

    def look() -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, dialogs.QtWidgets.QMessageBox):
            return
        said.append(f"{box.text()} {box.informativeText()}")
        go_on = next(button for button in box.buttons() if button.text().startswith("&Unpack"))
        stop = box.button(dialogs.QtWidgets.QMessageBox.StandardButton.Cancel)
        (go_on if len(said) <= times else stop).click()

    timer.timeout.connect(look)
    timer.start()
    yield said
    timer.stop()


def bomb() -> bytes:
    """A save of four mebibytes, most of them zeros, in a small gzip stream."""
    return fresh("gzip", None).wrap(bytes.fromhex("1D000000 FCFF3F00") + bytes((1 << 22) - 4))


def test_more_than_is_allowed_is_asked_about_until_all_is_there(window: MainWindow) -> None:
    window._opened.add(Document(bomb(), choice=ReadOptions(opening=UnwrapOptions(limit=1 << 19))))
    with agree(2) as said:
        window._files.unlock()
    document = window.session.document
    assert document is not None
    assert len(said) == 2
    assert said[0].startswith("Unpack “")
    assert "up to 2 MiB?" in said[0]
    assert "This file of 4." in said[0]
    assert "more than the 512 KiB that are allowed" in said[0]
    assert "up to 8 MiB?" in said[1]
    assert len(document.buffer) == (1 << 22) + 4
    assert document.wraps.blocked is None


def test_who_does_not_unpack_sees_the_file_and_is_told_why(window: MainWindow) -> None:
    window._opened.add(Document(bomb(), choice=ReadOptions(opening=UnwrapOptions(limit=1 << 19))))
    with agree(0) as said:
        window._files.unlock()
    document = window.session.document
    assert document is not None
    assert len(said) == 1
    assert bytes(document.buffer[:2]) == b"\x1f\x8b"
    shown = notice(document)
    assert shown is not None
    assert shown.remedy is Remedy.UNPACK
    assert "512 KiB that are allowed" in shown.sentence


def test_over_a_layer_around_a_text_no_line_of_the_text_is_told(window: MainWindow) -> None:
    window.session.show(Document(gzip.compress(b'{"a": 1, "b": [1, 2, 3]}\n')))
    assert [button.text() for button in buttons(window)] == ["File: gzip", "JSON"]
    window.session.go_to_place("[0].b")
    status = window._parts.status
    assert status.place.text().startswith("Line 1")
    buttons(window)[0].click()
    assert status.place.text() == "Bytes of gzip"
    assert status.selection.isHidden()
    buttons(window)[1].click()
    assert status.place.text().startswith("Line 1")
