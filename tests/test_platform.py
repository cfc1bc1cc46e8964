"""The window on a real X server, with the platform plug-in that people use."""

from __future__ import annotations

from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.edits.setting import literal
from viewer.document.path import parse_path
from viewer.ui.look.theme import ThemeController
from viewer.ui.tree.value_field import ValueField
from viewer.ui.window.main_window import MainWindow

pytestmark = pytest.mark.xcb


def test_a_save_is_opened_edited_and_saved_on_a_real_x_server(qtbot: QtBot, tmp_path: Path) -> None:
    assert QGuiApplication.platformName() == "xcb"
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    path = tmp_path / "rpg.save"
    path.write_bytes(next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save").read_bytes())
    window = MainWindow(None, ThemeController(app, "dark"))
    qtbot.addWidget(window, before_close_func=lambda _: window.session.show(None))
    window.resize(1200, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.open_path(path)
    window.session.go_to_place("[0].player.gold")
    window.findChild(object, "edit_value").trigger()
    field = window.findChild(ValueField)
    assert field is not None
    QTest.keyClicks(field, "77")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window.findChild(object, "save").trigger()
    saved = Document.open(path)
    assert literal(saved, parse_path(saved, "[0].player.gold")) == "77"
    assert not window.grab().isNull()
