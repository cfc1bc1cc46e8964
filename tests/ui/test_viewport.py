"""What has long been seen is painted in turns of its own, and who waits for one is let go."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication
from pytestqt.qtbot import QtBot

from viewer.ui.viewport import BAND, PaintedLater


class Area(QAbstractScrollArea):
    def __init__(self) -> None:
        super().__init__()
        self.painted: list[QRegion] = []
        self.later = PaintedLater(self)
        self.resize(300, 3 * BAND)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        self.painted.append(event.region())


def test_all_of_it_is_painted_a_band_in_each_turn(qtbot: QtBot) -> None:
    area = Area()
    qtbot.addWidget(area)
    area.show()
    qtbot.waitExposed(area)
    QApplication.processEvents()
    area.painted.clear()
    area.later.start()
    area.later.start()
    assert area.later.is_due
    qtbot.waitUntil(lambda: not area.later.is_due)
    QApplication.processEvents()
    assert len(area.painted) >= 3
    assert max(region.boundingRect().height() for region in area.painted) <= BAND
    whole = QRegion()
    for region in area.painted:
        whole += region
    assert QRegion(area.viewport().rect()).subtracted(whole).isEmpty()


@pytest.mark.usefixtures("own_garbage")
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_an_area_that_goes_while_some_is_due_is_let_go(qtbot: QtBot, turns: int) -> None:
    area = Area()
    area.show()
    area.later.start()
    for _ in range(turns):
        QApplication.processEvents()
    seen = weakref.ref(area)
    area.deleteLater()
    del area
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert seen() is None
