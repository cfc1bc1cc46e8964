"""Check boxes and fields have a frame that can be seen, in every theme."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionButton, QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.look.palette import DARK, LIGHT, contrast, theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.panel_widgets import TickBox, TypedComboBox


@pytest.mark.parametrize("name", [LIGHT, DARK])
def test_a_frame_stands_out_from_the_window(qtbot: QtBot, qapp: QApplication, name: str) -> None:
    controller = ThemeController(qapp, name)
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(300, 120)
    box, field = TickBox("Ticked", holder), TypedComboBox(holder)
    box.move(20, 10)
    box.setChecked(True)
    field.setGeometry(20, 60, 200, 30)
    holder.show()
    option = QStyleOptionButton()
    box.initStyleOption(option)
    mark = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    picture, panel = holder.grab().toImage(), theme(name).ui.panel
    for place in (box.pos() + QPoint(mark.center().x(), mark.top()), field.pos() + QPoint(80, 0)):
        assert contrast(picture.pixelColor(place), panel) > 2
    controller.deleteLater()
