"""Live traffic in the list of packets: listening, standing between, sending, and the dialogs that ask for it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from packet_lists import INT, MOVE, record, store_of
from ports import free_port
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from viewer.container.capture import open_capture
from viewer.container.wire import Endpoint
from viewer.document.packets.live import TrafficCounts
from viewer.document.packets.packet_source import PacketSource
from viewer.ui.look.palette import theme
from viewer.ui.packets.live_traffic import LiveState, RecordingRequest
from viewer.ui.packets.packet_dialogs import EndsDialog, ListenDialog, ProxyDialog, SendDialog
from viewer.ui.packets.packets_view import Packets
from viewer.ui.packets.pane import words

LOOPBACK = "127.0.0.1"


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def packets(qtbot: QtBot, told: list[str]) -> Packets:
    found = Packets(theme("dark"), told.append, told.append)
    qtbot.addWidget(found.pane, before_close_func=lambda _: found.close())
    found.pane.resize(1000, 290)
    with qtbot.waitExposed(found.pane):
        found.pane.show()
    return found


@pytest.fixture
def peer() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind((LOOPBACK, 0))
        made.settimeout(5)
        yield made


def heard(qtbot: QtBot, packets: Packets, count: int) -> None:
    qtbot.waitUntil(lambda: packets.pane.counts.packets == count)


def listening(packets: Packets) -> int:
    port = free_port()
    assert packets.live.start(RecordingRequest(LOOPBACK, port))
    return port


# Recording


def test_what_is_sent_to_the_port_is_listed(qtbot: QtBot, packets: Packets, peer: socket.socket) -> None:
    port = listening(packets)
    for data in (INT, MOVE, INT):
        peer.sendto(data, (LOOPBACK, port))
    heard(qtbot, packets, 3)
    assert [packets.pane.source.packet(row).payload.data for row in range(3)] == [INT, MOVE, INT]


def test_the_bar_says_where_it_listens_and_how_much_came(qtbot: QtBot, packets: Packets, peer: socket.socket) -> None:
    port = listening(packets)
    peer.sendto(INT, (LOOPBACK, port))
    heard(qtbot, packets, 1)
    assert packets.pane.bar.isVisible()
    assert packets.pane.bar.sentence.text() == f"Listening on 127.0.0.1:{port}, 1 packet"


def test_stop_ends_recording_and_keeps_the_packets(qtbot: QtBot, packets: Packets, peer: socket.socket) -> None:
    port = listening(packets)
    peer.sendto(INT, (LOOPBACK, port))
    heard(qtbot, packets, 1)
    packets.pane.bar.stop_button.click()
    peer.sendto(INT, (LOOPBACK, port))
    assert packets.pane.counts.packets == 1
    assert packets.pane.bar.sentence.text() == "Stopped, 1 packet recorded"
    assert packets.why_not("stop_live") == "Nothing is being recorded"


def test_start_again_goes_on_in_the_same_list(qtbot: QtBot, packets: Packets, peer: socket.socket) -> None:
    port = listening(packets)
    peer.sendto(INT, (LOOPBACK, port))
    heard(qtbot, packets, 1)
    packets.run("stop_live")
    packets.pane.bar.start_button.click()
    peer.sendto(MOVE, (LOOPBACK, port))
    heard(qtbot, packets, 2)
    assert packets.pane.source.packet(1).payload.number == 2


def test_clear_empties_the_list_and_goes_on(qtbot: QtBot, packets: Packets, peer: socket.socket) -> None:
    port = listening(packets)
    peer.sendto(INT, (LOOPBACK, port))
    heard(qtbot, packets, 1)
    packets.pane.bar.clear_button.click()
    assert packets.pane.counts.packets == 0
    assert "Nothing has come yet" in packets.pane.table.empty
    peer.sendto(MOVE, (LOOPBACK, port))
    heard(qtbot, packets, 1)
    assert packets.pane.packet.payload.data == MOVE


def test_a_port_in_use_is_said_in_a_sentence(packets: Packets, told: list[str], peer: socket.socket) -> None:
    assert not packets.live.start(RecordingRequest(LOOPBACK, peer.getsockname()[1]))
    assert "already listens" in told[0]
    assert not packets.pane.bar.isVisible()


def test_the_recording_is_saved_as_pcapng(
    qtbot: QtBot, packets: Packets, told: list[str], peer: socket.socket, tmp_path: Path
) -> None:
    port = listening(packets)
    for data in (INT, MOVE):
        peer.sendto(data, (LOOPBACK, port))
    heard(qtbot, packets, 2)
    packets.live.save_to(tmp_path / "recorded")
    saved = list(open_capture((tmp_path / "recorded.pcapng").read_bytes()))
    assert [each.data for each in saved] == [INT, MOVE]
    assert saved[0].target == Endpoint(LOOPBACK, port)
    assert told == ["Saved 2 packets to “recorded.pcapng”."]


def test_a_proxy_lists_what_both_ends_say(qtbot: QtBot, packets: Packets, peer: socket.socket) -> None:
    port = free_port()
    assert packets.live.start(RecordingRequest(LOOPBACK, port, Endpoint(LOOPBACK, peer.getsockname()[1])))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(5)
        client.sendto(INT, (LOOPBACK, port))
        data, proxy = peer.recvfrom(100)
        peer.sendto(MOVE, proxy)
        assert (data, client.recvfrom(100)[0]) == (INT, MOVE)
    heard(qtbot, packets, 2)
    assert [packets.pane.source.packet(row).to_server for row in range(2)] == [True, False]


def test_opening_a_capture_stops_recording(packets: Packets) -> None:
    listening(packets)
    packets.show_source(PacketSource(store_of([record(INT)])))
    assert not packets.pane.bar.isVisible()
    assert not packets.has_recorded


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (LiveState("Listening on [::1]:9000", True, 12), "Listening on [::1]:9000, 12 packets"),
        (
            LiveState("Listening on [::1]:9000", True, 12, 20_000),
            "Listening on [::1]:9000, 12 packets, 20\u202f000 dropped, too many came at once",
        ),
        (LiveState("Listening on [::1]:9000", False, 1), "Stopped, 1 packet recorded"),
        (
            LiveState("Forwarding a to b", True, 0, 0, "Nobody listens on b."),
            "Nobody listens on b. Forwarding a to b, 0 packets.",
        ),
    ],
)
def test_the_bar_tells_the_state_in_words(state: LiveState, said: str) -> None:
    assert words(state) == said


def test_more_than_can_be_taken_up_is_counted(qtbot: QtBot, packets: Packets) -> None:
    class Flood:
        """An inbox that has dropped some."""

        counts = TrafficCounts(5, 3, 2)

        def __init__(self) -> None:
            self._waiting = [record(INT), record(INT, 2)]

        def drain(self, most: int = 1) -> list[object]:
            waiting, self._waiting = self._waiting, []
            return list(waiting)

    class Ear:
        inbox = Flood()
        address = Endpoint(LOOPBACK, 9000)
        problem = ""

        def stop(self) -> None:
            """Nothing listens."""

    taken: list[object] = []
    packets.pane.live.start(RecordingRequest(LOOPBACK, 9000), Ear(), taken.extend)
    packets.pane.live.look()
    assert (len(taken), packets.pane.live.state.dropped) == (2, 3)


# Dialogs


def field(dialog: EndsDialog, name: str) -> QLineEdit:
    found = dialog.findChild(QLineEdit, name)
    assert isinstance(found, QLineEdit)
    return found


def test_the_listen_dialog_answers_where_to_listen(qtbot: QtBot, packets: Packets) -> None:
    dialog = ListenDialog(packets.pane)
    field(dialog, "listenPort").setText("9123")
    assert "127.0.0.1:9123" in dialog.says.text()
    with qtbot.waitSignal(dialog.answered) as told:
        dialog.go.click()
    assert told.args == [RecordingRequest(LOOPBACK, 9123)]


def test_the_listen_dialog_says_who_can_reach_an_address(qtbot: QtBot, packets: Packets) -> None:
    dialog = ListenDialog(packets.pane)
    qtbot.addWidget(dialog)
    assert "Only programs on this machine" in dialog.says.text()
    field(dialog, "listenHost").setText("0.0.0.0")
    assert "other machines" in dialog.says.text()


@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "nine", "9000.5", "9" * 5000, "٣"])
def test_what_is_no_port_is_refused_while_typing(qtbot: QtBot, packets: Packets, text: str) -> None:
    dialog = ListenDialog(packets.pane)
    qtbot.addWidget(dialog)
    field(dialog, "listenPort").setText(text)
    assert dialog.says.text() == "A port is a number from 1 to 65535."
    assert not dialog.go.isEnabled()


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("127.0.0.1:9000", Endpoint(LOOPBACK, 9000)),
        ("[::1]:9000", Endpoint("::1", 9000)),
        ("game.example:7", Endpoint("game.example", 7)),
        ("9000", Endpoint(LOOPBACK, 9000)),
    ],
)
def test_the_proxy_dialog_answers_whom_to_forward_to(
    qtbot: QtBot, packets: Packets, text: str, server: Endpoint
) -> None:
    dialog = ProxyDialog(packets.pane)
    field(dialog, "proxyServer").setText(text)
    with qtbot.waitSignal(dialog.answered) as told:
        dialog.go.click()
    assert told.args == [RecordingRequest(LOOPBACK, 9001, server)]


@pytest.mark.parametrize("text", ["::1:9000", "host", ":9000", "a b:9000", "127.0.0.1:9001"])
def test_whom_no_proxy_can_forward_to_is_refused(qtbot: QtBot, packets: Packets, text: str) -> None:
    dialog = ProxyDialog(packets.pane)
    qtbot.addWidget(dialog)
    field(dialog, "proxyServer").setText(text)
    assert not dialog.go.isEnabled()
    assert dialog.says.text()


def test_sending_says_how_many_bytes_go_where_before_it_does(qtbot: QtBot, packets: Packets) -> None:
    dialog = SendDialog(packets.pane, MOVE)
    qtbot.addWidget(dialog)
    assert not dialog.go.isEnabled()
    field(dialog, "sendPort").setText("9000")
    assert dialog.says.text().startswith("32 bytes go to 127.0.0.1:9000 in one datagram.")


def test_send_brings_exactly_the_bytes_there(
    qtbot: QtBot, packets: Packets, told: list[str], peer: socket.socket
) -> None:
    packets.show_source(PacketSource(store_of([record(MOVE)])))
    packets.run("send_packet")
    dialog = packets.pane.findChild(SendDialog)
    assert isinstance(dialog, SendDialog)
    port = str(peer.getsockname()[1])
    QTest.keyClicks(field(dialog, "sendPort"), port)
    dialog.go.click()
    assert peer.recv(100) == MOVE
    assert told == [f"32 bytes sent to 127.0.0.1:{port}."]


def test_a_dialog_of_ends_begins_in_its_first_field_and_tab_leads_through_the_fields_to_the_buttons(
    qtbot: QtBot, packets: Packets
) -> None:
    for kind in (ListenDialog, ProxyDialog):
        dialog = kind(packets.pane)
        qtbot.addWidget(dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        fields = dialog.findChildren(QLineEdit)
        assert dialog.focusWidget() is fields[0]
        assert fields[0].objectName().endswith("Port")
        assert fields[0].selectedText() == fields[0].text()
        assert fields[0].nextInFocusChain() is fields[1]
        assert fields[1].nextInFocusChain() in dialog.buttons.buttons()
