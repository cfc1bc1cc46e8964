"""The look at a window for texts that are cut, by which pictures of the desk are judged."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.look.theme import ThemeController

SCRIPT = Path(__file__).parents[2] / "tools" / "cut_texts.py"
WORDS = "What has to be read as a whole"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cut_texts", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["cut_texts"] = module
    spec.loader.exec_module(module)
    return module


def label() -> QWidget:
    return QLabel(WORDS)


def wrapped() -> QWidget:
    found = QLabel(WORDS)
    found.setWordWrap(True)
    return found


def button() -> QWidget:
    return QPushButton(WORDS)


def default() -> QWidget:
    found = QPushButton(WORDS)
    found.setDefault(True)
    return found


def box() -> QWidget:
    found = QComboBox()
    found.addItem(WORDS)
    return found


def hint() -> QWidget:
    found = QLineEdit()
    found.setPlaceholderText(WORDS)
    return found


@pytest.mark.parametrize("build", [label, wrapped, button, box, hint])
@pytest.mark.parametrize("room", [1.5, 0.5])
def test_what_has_too_little_room_is_told(
    qtbot: QtBot, qapp: QApplication, script: ModuleType, build: Callable[[], QWidget], room: float
) -> None:
    ThemeController(qapp, "light")
    window, part = QWidget(), build()
    qtbot.addWidget(window)
    part.setParent(window)
    window.resize(900, 300)
    window.show()
    part.resize(round(part.fontMetrics().horizontalAdvance(WORDS) * room) + 30 * (room > 1), 30)
    found = script.cut_texts(window)
    assert [each.text for each in found] == ([WORDS] if room < 1 else [])


def test_what_a_parent_has_no_room_for_is_told(qtbot: QtBot, script: ModuleType) -> None:
    window, room = QWidget(), QWidget()
    qtbot.addWidget(window)
    room.setParent(window)
    part = QLabel(WORDS, room)
    part.adjustSize()
    room.resize(part.width() - 20, 40)
    window.show()
    assert [(each.of, each.needed - each.has) for each in script.cut_texts(window)] == [("clipped width", 20)]


def test_a_button_that_enter_presses_needs_room_for_bold_words(
    qtbot: QtBot, qapp: QApplication, script: ModuleType
) -> None:
    ThemeController(qapp, "light")
    window, part = QWidget(), default()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.addWidget(part)
    window.show()
    part.setFixedWidth(part.sizeHint().width())
    QApplication.processEvents()
    assert [each.of for each in script.cut_texts(window)] == ["width"]
    part.setFixedWidth(part.sizeHint().width() + 40)
    QApplication.processEvents()
    assert script.cut_texts(window) == []


def test_a_menu_has_to_lie_in_the_screen(qtbot: QtBot, script: ModuleType) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction(WORDS)
    menu.popup(menu.screen().availableGeometry().topLeft())
    assert script.cut_texts(menu) == []
    menu.move(menu.screen().availableGeometry().bottomRight())
    assert [each.of for each in script.cut_texts(menu)] == ["screen"]
