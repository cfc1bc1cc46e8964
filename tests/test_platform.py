"""The machine can show a window."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot


def show(qtbot: QtBot) -> None:
    label = QLabel("Variant")
    qtbot.addWidget(label)
    with qtbot.waitExposed(label):
        label.show()


def test_a_window_is_shown_off_screen(qtbot: QtBot) -> None:
    show(qtbot)


@pytest.mark.xcb
def test_a_window_is_shown_on_a_real_x_server(qtbot: QtBot) -> None:
    show(qtbot)
    assert QGuiApplication.platformName() == "xcb"
