"""Keys, wheel and focus ring are the same in pictures and plots."""

from __future__ import annotations

from array import array
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.document.visuals.min_max_pyramid import Column, MinMaxPyramid
from viewer.document.visuals.plot_data import PlotData
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.visuals.picture_view import PictureView
from viewer.ui.visuals.plot_view import PlotView
from viewer.variant.items import Item

KEY = Qt.Key


def picture() -> PictureView:
    view, image = PictureView(theme(LIGHT)), QImage(40, 30, QImage.Format.Format_RGB32)
    for x in range(40):
        for y in range(30):
            image.setPixel(x, y, 0xFF000000 + x * 0x50301 + y * 0x20100)
    view.set_image(image)
    return view


def plot() -> PlotView:
    view = PlotView(theme(LIGHT))
    columns = tuple(cast(Column, array("d", [k * k % 17 for k in range(9 + shift)][shift:])) for shift in range(2))
    data = PlotData(Item(0, 0), "points", columns, (), lambda index: Item(0, 0, f"[{index}]"))
    view.set_data(data, tuple(map(MinMaxPyramid, columns)))
    return view


@pytest.fixture(params=[picture, plot])
def view(request: pytest.FixtureRequest, qtbot: QtBot) -> PictureView | PlotView:
    found: PictureView | PlotView = request.param()
    qtbot.addWidget(found)
    found.resize(300, 200)
    with qtbot.waitExposed(found):
        found.show()
    found.fit()
    return found


def turn(view: PictureView | PlotView, notches: float) -> None:
    delta = QPoint(0, round(notches * 120))
    at = QPointF(view.width() / 2, view.height() / 2)
    event = QWheelEvent(
        at,
        at,
        QPoint(),
        delta,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_keys_and_wheel_move_and_zoom(view: PictureView | PlotView, qtbot: QtBot) -> None:
    whole = view.grab().toImage()
    for there, back in ((KEY.Key_Left, KEY.Key_Right), (KEY.Key_Down, KEY.Key_Up)):
        qtbot.keyClick(view, there)
        assert view.grab().toImage() != whole
        qtbot.keyClick(view, back)
        assert view.grab().toImage() == whole
    qtbot.keyClick(view, KEY.Key_Plus)
    larger = view.grab().toImage()
    qtbot.keyClick(view, KEY.Key_0)
    assert view.grab().toImage() == whole != larger
    turn(view, 1)
    assert view.grab().toImage() == larger
    qtbot.keyClick(view, KEY.Key_Minus)
    assert view.grab().toImage() != larger


def test_the_ring_is_painted_unless_the_mouse_brings_the_focus(view: PictureView | PlotView) -> None:
    view.clearFocus()
    plain = view.grab().toImage()
    for reason, has_ring in ((Qt.FocusReason.TabFocusReason, True), (Qt.FocusReason.MouseFocusReason, False)):
        view.setFocus(reason)
        assert (view.grab().toImage() != plain) is has_ring
        view.clearFocus()
        assert view.grab().toImage() == plain


def test_the_ring_comes_back_with_the_window_as_it_was(view: PictureView | PlotView) -> None:
    view.setFocus(Qt.FocusReason.TabFocusReason)
    ringed = view.grab().toImage()
    QApplication.sendEvent(view, QFocusEvent(QFocusEvent.Type.FocusIn, Qt.FocusReason.ActiveWindowFocusReason))
    assert view.grab().toImage() == ringed
