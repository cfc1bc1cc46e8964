"""The empty window of the first moment looks like the one that takes its place, and loses nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.look.palette import theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.find_field import PLACEHOLDERS, FindField, Mode
from viewer.ui.window import first_frame, parts, work_area
from viewer.ui.window.actions import MENUS, all_entries
from viewer.ui.window.first_frame import FirstFrame
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.split_window import SIZE, SplitWindow


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> MainWindow:
    made = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(made)
    return made


def test_its_menus_drawings_and_words_are_those_of_the_window() -> None:
    assert tuple(title for title, _ in MENUS) == first_frame.TITLES
    drawings = {entry.name: entry.icon for _, entry in all_entries()}
    left = [drawings[name] for group in parts.LEFT for name in group]
    assert [name for _, name in first_frame.TOOLS] == left
    assert [name for _, name in first_frame.LAST_TOOLS] == [drawings[name] for name in parts.RIGHT]
    assert drawings["find"] == first_frame.FIND_ICON
    assert PLACEHOLDERS[Mode.ANY] == first_frame.FIND_WORDS
    assert work_area.NARROW == first_frame.NARROW


def test_its_tools_lie_where_they_will_lie(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(*SIZE)
    window.show()
    qtbot.waitExposed(window)
    buttons = [button for button in window.findChildren(QToolButton) if button.parent().objectName() == "toolRow"]
    shown = sorted(_place(button, window).x() + 6 for button in buttons if button.isVisible())
    right = [SIZE[0] - far for far, _ in first_frame.LAST_TOOLS]
    assert shown == [*(left for left, _ in first_frame.TOOLS), *right]
    tools = window.findChild(QWidget, "toolRow")
    assert tools is not None
    assert (_place(tools, window).y(), tools.height()) == (first_frame.MENU_ROOM, first_frame.TOOL_ROOM)
    field = window.findChild(FindField)
    assert field is not None
    qtbot.waitUntil(lambda: _place(field, window).x() > 0)
    left_edge = _place(field, window).x()
    assert (SIZE[0] - left_edge, SIZE[0] - left_edge - field.width()) == (first_frame.FIND_LEFT, first_frame.FIND_RIGHT)


def _place(widget: QWidget, window: QWidget) -> QPoint:
    return widget.mapTo(window, QPoint(0, 0))


@pytest.mark.parametrize("has_file", [False, True])
@pytest.mark.parametrize("width", [700, 1400])
def test_it_is_painted_before_the_start_goes_on(qtbot: QtBot, has_file: bool, width: int) -> None:
    frame = SplitWindow(lambda _: True)
    qtbot.addWidget(frame)
    frame.resize(width, 500)
    first = FirstFrame(theme("dark"), has_file)
    frame.stand_in(first)
    frame.show()
    first.wait()
    assert first.is_painted
    picture = frame.grab().toImage()
    assert picture.pixelColor(width // 2, 300) == theme("dark").ui.base
    assert picture.pixelColor(width // 2, 495) == theme("dark").ui.panel


def test_the_view_takes_its_place_and_the_keys(qtbot: QtBot, window: MainWindow) -> None:
    frame = SplitWindow(lambda _: True)
    qtbot.addWidget(frame)
    first = FirstFrame(theme("light"), False)
    frame.stand_in(first)
    frame.show()
    qtbot.waitExposed(frame)
    frame.add(window)
    assert first.isVisible()
    assert not window.isVisible()
    frame.reveal()
    assert not first.isVisible()
    assert window.isVisible()
    assert window.size() == frame.centralWidget().size()
    assert window.isAncestorOf(frame.focusWidget())
