"""What a person says about packets: what ports carry, whose rules hold, how methods are called."""

from __future__ import annotations

import pytest
from packet_lists import capture_path
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from viewer.document.packets.conversation import PortProtocol, TrafficSettings
from viewer.document.packets.node_paths import MethodNames
from viewer.document.packets.packet_source import CaptureSource
from viewer.document.pieces.message import Protocol
from viewer.ui.look.palette import theme
from viewer.ui.packets.packet_dialogs import MethodsDialog, PortsDialog, method_lists
from viewer.ui.packets.packets_view import Packets


@pytest.fixture
def packets(qtbot: QtBot) -> Packets:
    told: list[str] = []
    found = Packets(theme("light"), told.append, told.append)
    qtbot.addWidget(found.pane, before_close_func=lambda _: found.close())
    found.pane.resize(1000, 290)
    with qtbot.waitExposed(found.pane):
        found.pane.show()
    return found


def opened(packets: Packets, name: str) -> None:
    packets.open_capture(capture_path(name).read_bytes())
    packets.pane.finish()


def test_a_capture_is_read_while_there_is_time(qtbot: QtBot, packets: Packets) -> None:
    packets.open_capture(capture_path("udp.pcap").read_bytes())
    qtbot.waitUntil(lambda: packets.pane.title.detail.text() == "24 packets, 1 with an error")


def test_control_packets_are_hidden_until_they_are_asked_for(packets: Packets) -> None:
    opened(packets, "enet_putvar_none.pcap")
    source = packets.pane.source
    assert source is not None
    hidden = source.controls
    assert hidden > 0
    assert len(packets.pane.listed()) == len(source.store) - hidden
    assert f"{hidden} control hidden" in packets.pane.title.detail.text()
    packets.run("control_packets")
    assert len(packets.pane.listed()) == len(source.store)


def test_a_filter_that_asks_for_control_packets_gets_them(packets: Packets) -> None:
    opened(packets, "enet_putvar_none.pcap")
    packets.pane.title.filter.line.setText("control")
    packets.pane.ask_filter()
    assert len(packets.pane.listed()) == packets.pane.source.controls


def test_reading_again_keeps_what_was_chosen_by_hand(packets: Packets) -> None:
    opened(packets, "udp.pcap")
    packets.pane.table.choose(14)
    before = packets.pane.source
    packets.pane.title.reload_button.click()
    packets.pane.finish()
    assert packets.pane.source is not before
    assert packets.pane.packet.row == 14


def test_what_a_person_says_of_a_port_holds_for_all_its_packets(packets: Packets) -> None:
    opened(packets, "udp.pcap")
    packets.meaning.tell(TrafficSettings({45001: PortProtocol.BYTES}))
    packets.pane.finish()
    assert isinstance(packets.pane.source, CaptureSource)
    assert {packets.pane.source.packet(row).message.kind for row in range(24)} == {"bytes"}


def test_the_dialog_offers_the_port_of_the_server(qtbot: QtBot, packets: Packets) -> None:
    opened(packets, "udp.pcap")
    packets.run("ports")
    dialog = packets.pane.findChild(PortsDialog)
    assert isinstance(dialog, PortsDialog)
    found = packets.pane.packet
    assert dialog.port.text() == str((found.target if found.to_server else found.source).port)
    dialog.close()


def test_the_dialog_answers_with_all_that_was_said(qtbot: QtBot, packets: Packets) -> None:
    dialog = PortsDialog(packets.pane, TrafficSettings({9000: PortProtocol.ENET}))
    dialog.findChild(QLineEdit, "meaningPort").setText("9001")
    dialog.carries.setCurrentIndex(dialog.carries.findData(PortProtocol.VALUES))
    dialog.protocol.setCurrentIndex(dialog.protocol.findData(Protocol.VALUE))
    dialog.dialect.setCurrentIndex(dialog.dialect.findData("godot4"))
    with qtbot.waitSignal(dialog.answered) as answered:
        dialog.go.click()
    told = answered.args[0]
    assert told.ports == {9000: PortProtocol.ENET, 9001: PortProtocol.VALUES}
    assert (told.protocol, told.dialect.key) == (Protocol.VALUE, "godot4")


def test_the_dialog_shows_what_was_said_of_a_port_before(qtbot: QtBot, packets: Packets) -> None:
    dialog = PortsDialog(packets.pane, TrafficSettings({9000: PortProtocol.ENET}))
    qtbot.addWidget(dialog)
    dialog.port.setText("9000")
    assert dialog.carries.currentData() is PortProtocol.ENET


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("", ()),
        ("b\na", (("a", "b"),)),
        ("a, b\n\n\nc", (("a", "b"), ("c",))),
        ("\n a \n", (("a",),)),
    ],
)
def test_method_names_are_read_as_lists(text: str, lists: tuple[tuple[str, ...], ...]) -> None:
    assert method_lists(text) == tuple(MethodNames(names) for names in lists)


def test_the_dialog_for_method_names_tells_their_sum(qtbot: QtBot, packets: Packets) -> None:
    dialog = MethodsDialog(packets.pane, TrafficSettings())
    qtbot.addWidget(dialog)
    dialog.findChild(QPlainTextEdit, "methodNames").setPlainText("hit\njump")
    assert MethodNames.of(["hit", "jump"]).md5[:8] in dialog.says.text()
