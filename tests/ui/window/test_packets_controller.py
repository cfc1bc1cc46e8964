"""Captures in the window: the list across the top, the chosen payload below, edited and sent."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path
from typing import Any

import corpus
import pytest
from PySide6.QtWidgets import QApplication

from viewer.document.edits.setting import set_literal
from viewer.document.outline import row_item
from viewer.ui import dialogs
from viewer.ui.look.theme import ThemeController
from viewer.ui.packets.live_traffic import RecordingRequest
from viewer.ui.packets.packet_dialogs import ListenDialog
from viewer.ui.packets.pane import PacketsPane
from viewer.ui.window.main_window import MainWindow
from viewer.variant.items import Item

CALLS = corpus.capture_file("enet_rpc_none.pcap")


@pytest.fixture
def window(qtbot: Any, qapp: QApplication) -> MainWindow:
    found = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(found, before_close_func=lambda _: (found._packets.leave(), found.session.show(None)))
    found.resize(1400, 900)
    found.show()
    return found


@pytest.fixture
def shown(window: MainWindow) -> MainWindow:
    window.open_path(CALLS)
    window.settle()
    return window


def pane(window: MainWindow) -> PacketsPane:
    found = window.findChild(PacketsPane, "packetsView")
    assert isinstance(found, PacketsPane)
    return found


def choose(window: MainWindow, kind: str) -> None:
    """Choose the first packet of a kind."""
    listed = pane(window)
    source = listed.source
    assert source is not None
    row = next(row for row in range(source.first, source.end) if source.packet(row).message.kind == kind)
    listed.table.choose(row)
    QApplication.processEvents()


def test_a_capture_is_listed_and_its_first_packet_shown_below(shown: MainWindow) -> None:
    assert not pane(shown).isHidden()
    assert pane(shown).counts.packets == 60
    document = shown.session.document
    assert document is not None
    assert document.message is not None
    assert document.message.kind == "simplify path"
    assert [field.name for field in document.fields] == ["source", "target", "kind", "id", "path"]
    assert document.explained == 1.0
    assert document.findings.all() == []


def test_the_layers_of_a_packet_can_be_looked_at(shown: MainWindow) -> None:
    choose(shown, "call")
    shown.session.show_layer(0)
    source = shown._parts.hex._source
    assert source is not None
    assert source.size() > 43
    about = source.describe(0)
    assert about is not None
    assert about.path == "Ethernet"


def test_an_argument_is_changed_and_the_packet_stays_true(shown: MainWindow) -> None:
    choose(shown, "call")
    document = shown.session.document
    assert document is not None
    assert document.message is not None
    assert document.message.summary == 'Main.hit(1, "abc")'
    shown.session.apply(set_literal(document, row_item(document, Item(1, 0)), '"a much longer text"'))
    assert document.message.summary == 'Main.hit(1, "a much longer text")'
    assert document.message.severity is None
    shown.session.undo()
    assert document.message.summary == 'Main.hit(1, "abc")'


def test_a_changed_packet_keeps_its_tab_when_another_is_chosen(shown: MainWindow) -> None:
    choose(shown, "call")
    document = shown.session.document
    assert document is not None
    shown.session.overwrite(0, b"\x01")
    choose(shown, "confirm path")
    assert document in shown._opened.documents
    assert shown.session.document is not document
    document.history.mark_saved()


def test_the_next_packet_takes_the_place_of_an_unchanged_one(shown: MainWindow) -> None:
    for kind in ("call", "confirm path", "raw"):
        choose(shown, kind)
    assert len(shown._opened.documents) == 1


def test_a_changed_packet_is_sent_as_it_is_now(shown: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(shown, "call")
    shown.session.overwrite(0, b"\x01\x02\x03\x04")
    asked: list[bytes] = []
    monkeypatch.setattr(shown._packets._late.get().commands, "ask_send_bytes", asked.append)
    shown._packets.run("send_packet")
    assert asked == [bytes(shown.session.document.buffer[:])]  # type: ignore[union-attr]
    shown.session.undo()


def test_closing_the_list_leaves_the_payload(shown: MainWindow) -> None:
    pane(shown).closed.emit()
    assert pane(shown).isHidden()
    assert shown.session.document is not None
    shown.session.show(None)
    assert shown._parts.pages.currentWidget() is not shown._parts.work


def test_a_question_where_to_listen_that_is_left_shows_no_list(window: MainWindow) -> None:
    window._actions["listen"].trigger()
    (dialog,) = window.findChildren(ListenDialog)
    assert dialog.isVisible()
    assert not window._packets.is_shown
    dialog.reject()
    assert not window._packets.is_shown
    window._packets._late.get().live.start(RecordingRequest("127.0.0.1", 0))
    assert window._packets.is_shown


def test_actions_say_why_they_cannot_be_chosen(window: MainWindow) -> None:
    actions = window._actions
    assert actions["listen"].isEnabled()
    assert not actions["export_payload"].isEnabled()
    assert "Open a capture" in actions["export_payload"].toolTip()
    window.open_path(CALLS)
    window.settle()
    assert actions["export_payload"].isEnabled()


def test_a_file_that_only_begins_like_a_capture_is_said_in_words(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cut.pcapng"
    path.write_bytes(bytes.fromhex("0a0d0d0a 1c000000 4d3c2b1a 0100"))
    window.open_path(path)
    window.settle()
    assert pane(window).counts.packets == 0


def test_a_capture_is_remembered_and_read_again_from_disk(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "copy.pcap"
    shutil.copy(CALLS, path)
    window.open_path(path)
    window.settle()
    assert window.session.document is not None
    assert window.session.document.name.startswith("copy.pcap: packet")


def test_recorded_packets_are_not_lost_without_a_question(
    window: MainWindow, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    packets = window._packets
    packets._show()
    listed = packets._late.get()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    listed.live.start(RecordingRequest("127.0.0.1", port))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(bytes.fromhex("02000000 2a000000"), ("127.0.0.1", port))
        qtbot.waitUntil(lambda: pane(window).counts.packets == 1, timeout=5000)
    asked: list[object] = []
    monkeypatch.setattr(dialogs, "ask_drop_recorded", lambda parent, when: asked.append(parent) or False)
    assert not window.close()
    assert len(asked) == 1
    window.open_path(CALLS)  # a capture would take their place
    assert len(asked) == 2
    assert pane(window).counts.packets == 1
    monkeypatch.setattr(dialogs, "ask_drop_recorded", lambda parent, when: True)
    window.open_path(CALLS)
    window.settle()
    assert pane(window).counts.packets > 1


def test_as_many_recorded_packets_are_kept_as_wanted(window: MainWindow, qtbot: Any) -> None:
    window._packets._show()
    listed = window._packets._late.get()
    window._packets.keep(100)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    listed.live.start(RecordingRequest("127.0.0.1", port))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(400):
            sender.sendto(bytes.fromhex("02000000") + number.to_bytes(4, "little"), ("127.0.0.1", port))
    source = pane(window).source
    assert source is not None
    qtbot.waitUntil(lambda: source.end >= 300, timeout=5000)
    assert source.end - source.first <= 112
    listed.live.stop()
    listed.live.clear()


def test_the_list_shows_what_an_edited_packet_says_and_leads_to_its_tab(shown: MainWindow) -> None:
    listed = pane(shown)
    source = listed.source
    assert source is not None
    choose(shown, "call")
    first = listed.table.chosen
    document = shown.session.document
    assert first is not None
    assert document is not None
    before = listed.model.words(listed.model.place_of(first))
    shown.session.overwrite(len(document.buffer) - 4, b"\x2a")
    edited = listed.model.words(listed.model.place_of(first))
    assert before is not None
    assert edited is not None
    assert edited.value.startswith("edited: ")
    assert edited.value != f"edited: {before.value}"
    choose(shown, "simplify path")
    assert shown.session.document is not document
    tabs = len(shown._opened.documents)
    choose(shown, "call")
    assert shown.session.document is document
    assert len(shown._opened.documents) == tabs
    shown.session.undo()
    assert listed.model.words(listed.model.place_of(first)) == before
    document.history.mark_saved()


def test_other_packets_are_listed_without_the_filter_that_was_typed_for_those_before(shown: MainWindow) -> None:
    listed = pane(shown)
    listed.title.filter.line.setText("size > 100000")
    listed.ask_filter()
    assert listed.model.rowCount() == 0
    shown.open_path(corpus.capture_file("enet_rpc_none.pcap"))
    shown.settle()
    assert listed.title.filter.text == ""
    assert listed.model.rowCount() > 0
