"""Packets of a real capture held against each other."""

from __future__ import annotations

from collections.abc import Iterator

import corpus
import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.document.compare.varying_values import shape_of, varying_values
from viewer.ui.compare.compare_window import CompareWindow
from viewer.ui.compare.varying_dialog import VaryingDialog
from viewer.ui.packets.pane import PacketsPane
from viewer.ui.window.main_window import MainWindow

CALLS = corpus.capture_file("enet_rpc_none.pcap")


class Listed:
    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        window.open_path(CALLS)
        window.settle()
        pane = window.findChild(PacketsPane, "packetsView")
        assert isinstance(pane, PacketsPane)
        self.pane = pane
        assert pane.source is not None
        self.source = pane.source
        rows = range(self.source.first, self.source.end)
        self.calls = [row for row in rows if self.source.packet(row).message.kind == "call"]

    def choose(self, row: int) -> None:
        self.pane.table.choose(row)
        QApplication.processEvents()

    def run(self, name: str) -> None:
        action = self.window._actions[name]
        assert action.isEnabled(), action.toolTip()
        action.trigger()

    def compared(self) -> CompareWindow:
        found = self.window._compares.get()._shown[-1]
        assert isinstance(found, CompareWindow)
        self.qtbot.waitUntil(lambda: found.comparison is not None)
        return found


@pytest.fixture
def listed(window: MainWindow, qtbot: QtBot) -> Iterator[Listed]:
    found = Listed(window, qtbot)
    yield found
    if window._compares.part is not None:
        window._compares.part.leave()
    window._packets.leave()


def test_the_packet_before_has_the_same_shape(listed: Listed) -> None:
    comparing = listed.window._packets._late.get().comparing
    pairs = 0
    for row in listed.calls:
        packet = listed.source.packet(row)
        before = comparing.before(packet)
        if before is None:
            continue
        pairs += 1
        assert before.row < row
        assert before.to_server is packet.to_server
        assert shape_of(comparing.document(before)) == shape_of(comparing.document(packet))
        assert before.message.summary.partition("(")[0] == packet.message.summary.partition("(")[0]
    assert pairs


def test_a_packet_is_compared_with_the_one_before_and_with_a_good_one(listed: Listed) -> None:
    comparing = listed.window._packets._late.get().comparing
    row = next(row for row in listed.calls if comparing.before(listed.source.packet(row)) is not None)
    listed.choose(row)
    assert not listed.window._actions["compare_good_packet"].isEnabled()
    listed.run("compare_packet_before")
    found = listed.compared()
    assert found.sides[1].title.endswith(f"packet {listed.source.packet(row).payload.number}")
    assert found.sides[1].document is listed.window.session.document
    listed.choose(listed.calls[0])
    listed.run("good_packet")
    listed.choose(listed.calls[-1])
    listed.run("compare_good_packet")
    again = listed.compared()
    assert again is not found
    assert again.sides[0].title.endswith(f"packet {listed.source.packet(listed.calls[0]).payload.number}")


def test_columns_show_what_varies_over_the_selected_packets(listed: Listed) -> None:
    comparing = listed.window._packets._late.get().comparing
    documents = [comparing.document(listed.source.packet(row)) for row in listed.calls]
    shapes = [shape_of(document) for document in documents]
    alike = [row for row, shape in zip(listed.calls, shapes, strict=True) if shapes.count(shape) > 1]
    listed.choose(alike[0])
    listed.run("packet_columns")
    flags = QItemSelectionModel.SelectionFlag
    model, selection = listed.pane.model, listed.pane.table.selectionModel()
    for row in alike:
        index = model.index(model.place_of(row), 0)
        selection.select(index, flags.Select | flags.Rows)
    QApplication.processEvents()
    listed.run("packet_columns")
    dialog = listed.window.findChild(VaryingDialog)
    assert isinstance(dialog, VaryingDialog)
    tester = QAbstractItemModelTester(dialog.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert dialog.model.rowCount() == len(alike)
    for column in dialog.model.found.columns:
        assert len(set(column.values)) > 1
    dialog.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == len(alike) + 1
    assert lines[0].startswith("Packet\t") or not dialog.model.found.columns
    assert tester.model() is dialog.model
    dialog.close()
    QGuiApplication.clipboard().clear()


def test_equal_packets_vary_in_nothing(listed: Listed) -> None:
    comparing = listed.window._packets._late.get().comparing
    document = comparing.document(listed.source.packet(listed.calls[0]))
    found = varying_values([document, document])
    assert found.columns == ()
    assert found.same > 3


def test_a_value_that_is_the_whole_packet_has_one_column(window: MainWindow) -> None:
    window.open_path(corpus.capture_file("udp.pcap"))
    window.settle()
    pane = window.findChild(PacketsPane, "packetsView")
    assert isinstance(pane, PacketsPane)
    assert pane.source is not None
    comparing = window._packets._late.get().comparing
    packets = [pane.source.packet(row) for row in range(pane.source.first, pane.source.first + 4)]
    found = varying_values([comparing.document(packet) for packet in packets])
    assert [(column.path, column.values) for column in found.columns] == [("[0]", ("null", "true", "42", "-1"))]
    window._packets.leave()
