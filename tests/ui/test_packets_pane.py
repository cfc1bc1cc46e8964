"""The pane of packets as a person uses it, with mouse and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from packet_lists import CUT, INT, MOVE, Talk, captured, put, record, store_of
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QMenu
from pytestqt.qtbot import QtBot

from viewer.document.export.forms import form
from viewer.document.packets.packet import Packet
from viewer.document.packets.packet_source import PacketSource
from viewer.document.packets.store import PacketStore, StoreLimit
from viewer.ui.look.palette import theme
from viewer.ui.packets.packet_list import PacketsHeader
from viewer.ui.packets.packets_model import PacketColumn
from viewer.ui.packets.packets_view import Packets
from viewer.ui.packets.pane import PacketsPane

KEY = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


class Told(list[str]):
    """What a person was told."""


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def packets(qtbot: QtBot, told: Told) -> Packets:
    found = Packets(theme("light"), told.append, told.append)
    qtbot.addWidget(found.pane, before_close_func=lambda _: found.close())
    found.pane.resize(1000, 290)
    with qtbot.waitExposed(found.pane):
        found.pane.show()
    return found


@pytest.fixture
def pane(packets: Packets) -> PacketsPane:
    packets.show_source(PacketSource(store_of(captured("udp.pcap"))))
    packets.pane.finish()
    packets.pane.table.setFocus()
    return packets.pane


def store(pane: PacketsPane) -> PacketStore:
    assert pane.source is not None
    return pane.source.store


def typed(pane: PacketsPane, text: str) -> None:
    pane.title.filter.line.setText(text)
    pane.ask_filter()


def listed(pane: PacketsPane) -> list[int]:
    return [row + 1 for row in pane.listed()]


def chosen(pane: PacketsPane) -> int:
    assert pane.packet is not None
    return pane.packet.payload.number


# Numbers and choosing


def test_the_title_says_how_many_there_are_and_how_many_are_refused(pane: PacketsPane) -> None:
    errors = pane.counts.errors
    assert errors == 1
    assert pane.title.detail.text() == "24 packets, 1 with an error"


def test_the_first_packet_is_chosen_at_once_but_not_by_hand(pane: PacketsPane) -> None:
    assert (chosen(pane), pane.table.by_hand) == (1, False)


def test_a_click_chooses_a_packet(qtbot: QtBot, pane: PacketsPane) -> None:
    with qtbot.waitSignal(pane.packet_chosen) as told:
        place = pane.table.visualRect(pane.model.index(3, PacketColumn.VALUE)).center()
        QTest.mouseClick(pane.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    packet = told.args[0] if told.args else None
    assert isinstance(packet, Packet)
    assert packet.payload.number == 4


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        ([KEY.Key_Down], 2),
        ([KEY.Key_Down, KEY.Key_Down, KEY.Key_Up], 2),
        ([KEY.Key_End], 24),
        ([KEY.Key_End, KEY.Key_Home], 1),
    ],
)
def test_keys_step_through_the_packets(pane: PacketsPane, keys: list[Qt.Key], number: int) -> None:
    for key in keys:
        QTest.keyClick(pane.table, key)
    assert chosen(pane) == number


def test_page_down_goes_on_by_more_than_one_row(pane: PacketsPane) -> None:
    QTest.keyClick(pane.table, KEY.Key_PageDown)
    assert 4 < chosen(pane) < 24


@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Enter])
def test_enter_goes_to_the_tree(qtbot: QtBot, pane: PacketsPane, key: Qt.Key) -> None:
    with qtbot.waitSignal(pane.tree_requested):
        QTest.keyClick(pane.table, key)


def test_the_next_packet_with_an_error_is_chosen_and_after_the_last_the_first(packets: Packets) -> None:
    packets.show_source(PacketSource(store_of([record(INT), record(CUT, 2), record(INT, 3), record(CUT, 4)])))
    numbers = []
    for _ in range(3):
        packets.run("next_bad_packet")
        numbers.append(chosen(packets.pane))
    assert numbers == [2, 4, 2]


# Filtering


def test_the_filter_lists_what_passes_and_says_how_many(pane: PacketsPane) -> None:
    typed(pane, 'cmd == "move"')
    assert listed(pane) == [15]
    assert pane.title.detail.text() == "1 of 24 packets, 1 with an error"


def test_typing_filters_by_itself_after_a_moment(qtbot: QtBot, pane: PacketsPane) -> None:
    with qtbot.waitSignal(pane.model.modelReset):
        QTest.keyClicks(pane.title.filter.line, "size>100")
    assert listed(pane) == [21]


def test_a_filter_that_cannot_be_read_is_explained_and_stays(pane: PacketsPane) -> None:
    typed(pane, "size > big")
    assert pane.title.filter.error.startswith("“size” is compared with a number")
    assert pane.title.filter.text == "size > big"
    assert len(listed(pane)) == 24


def test_a_filter_that_can_be_read_takes_the_sentence_back(pane: PacketsPane) -> None:
    typed(pane, "size > big")
    typed(pane, "size > 1")
    assert pane.title.filter.error == ""


def test_the_chosen_packet_stays_chosen_when_a_filter_lets_it_pass(pane: PacketsPane) -> None:
    pane.table.choose(20)
    typed(pane, "Dictionary")
    assert pane.model.row_at(pane.table.currentIndex().row()) == 20


def test_a_chosen_packet_that_the_filter_hid_is_chosen_again_without_it(pane: PacketsPane) -> None:
    pane.table.choose(20)
    typed(pane, "size < 20")
    typed(pane, "")
    assert chosen(pane) == 21
    assert pane.model.row_at(pane.table.currentIndex().row()) == 20


def test_escape_empties_the_filter_and_then_leaves_it(pane: PacketsPane) -> None:
    pane.title.filter.focus()
    typed(pane, "move")
    QTest.keyClick(pane.title.filter.line, KEY.Key_Escape)
    assert pane.title.filter.text == ""
    QTest.keyClick(pane.title.filter.line, KEY.Key_Escape)
    assert pane.table.hasFocus()


def test_enter_in_the_filter_goes_to_the_rows(pane: PacketsPane) -> None:
    pane.title.filter.focus()
    QTest.keyClicks(pane.title.filter.line, "int")
    QTest.keyClick(pane.title.filter.line, KEY.Key_Return)
    assert pane.table.hasFocus()


def test_an_empty_list_says_what_would_be_in_it(packets: Packets) -> None:
    packets.show_source(None)
    assert "listen on a UDP port" in packets.pane.table.empty
    packets.show_source(PacketSource(store_of([record(INT)])))
    typed(packets.pane, "nothing like this")
    assert "No packet passes the filter" in packets.pane.table.empty


# What comes


def test_a_growing_list_keeps_what_was_chosen_by_hand_and_where_it_stands(pane: PacketsPane) -> None:
    pane.table.is_live = True
    pane.table.choose(20)
    before = pane.table.verticalScrollBar().value()
    put(store(pane), [record(INT, number) for number in range(25, 100)], Talk())
    pane.look()
    assert chosen(pane) == 21
    assert pane.table.verticalScrollBar().value() == before


def test_a_live_list_follows_what_comes_where_its_end_is_in_view(pane: PacketsPane) -> None:
    pane.table.is_live = True
    pane.table.scrollToBottom()
    put(store(pane), [record(INT, number) for number in range(25, 100)], Talk())
    pane.look()
    bar = pane.table.verticalScrollBar()
    assert bar.value() == bar.maximum() > 60


def test_a_live_list_stays_where_a_person_scrolled_to(pane: PacketsPane) -> None:
    pane.table.is_live = True
    pane.table.verticalScrollBar().setValue(3)
    put(store(pane), [record(INT, number) for number in range(25, 100)], Talk())
    pane.look()
    assert pane.table.verticalScrollBar().value() == 3


def test_rows_in_view_stay_in_view_when_old_ones_are_dropped(packets: Packets) -> None:
    held = store_of([record(INT, number) for number in range(1, 401)], StoreLimit(packets=400))
    packets.show_source(PacketSource(held))
    table = packets.pane.table
    table.verticalScrollBar().setValue(200)
    top = packets.pane.model.row_at(table.rowAt(1))
    put(held, [record(INT, number) for number in range(401, 451)], Talk())
    packets.pane.look()
    assert packets.pane.model.row_at(0) > 0
    assert packets.pane.model.row_at(table.rowAt(1)) == top


def test_a_chosen_packet_stays_in_view_when_the_pane_gets_lower(pane: PacketsPane) -> None:
    pane.table.choose(8)
    pane.resize(1000, 150)
    row = pane.table.visualRect(pane.table.currentIndex())
    assert pane.table.viewport().rect().contains(row.center())


def test_packets_are_looked_at_while_there_is_time(qtbot: QtBot, packets: Packets) -> None:
    held = PacketStore()
    put(held, [*(record(INT, number) for number in range(1, 500)), record(CUT, 500)], Talk())
    packets.show_source(PacketSource(held))
    qtbot.waitUntil(lambda: packets.pane.counts.errors == 1)
    qtbot.waitUntil(lambda: packets.pane.title.detail.text() == "500 packets, 1 with an error")


# Copying and the menu


def test_the_keys_for_copying_copy_the_row(pane: PacketsPane) -> None:
    pane.table.choose(16)
    QTest.keyClick(pane.table, KEY.Key_C, CTRL)
    text = QGuiApplication.clipboard().text()
    assert text.split("\t")[0] == "17"
    assert text.endswith("PoolIntArray\t[1, 2, 3]")


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("hex", "02 00 00 00 2A 00 00 00"),
        ("literal3", "42"),
        ("print", "[2, 0, 0, 0, 42, 0, 0, 0]"),
    ],
)
def test_a_payload_is_copied_in_the_wanted_form(packets: Packets, key: str, text: str) -> None:
    packets.show_source(PacketSource(store_of([record(INT)])))
    packets.commands.copy(form(key))
    assert QGuiApplication.clipboard().text() == text


def test_several_selected_packets_are_copied_one_a_line(packets: Packets) -> None:
    packets.show_source(PacketSource(store_of([record(INT), record(INT, 2)])))
    packets.pane.table.setFocus()
    packets.pane.table.selectAll()
    packets.commands.copy(form("literal3"))
    assert QGuiApplication.clipboard().text() == "42\n42"


def test_what_cannot_be_chosen_says_why(packets: Packets) -> None:
    packets.show_source(None)
    menu = QMenu(packets.pane)
    packets.fill(menu, ["export_payload", "stop_live"])
    assert [(a.isEnabled(), a.toolTip()) for a in menu.actions()] == [
        (False, "Choose a packet first"),
        (False, "Nothing is being recorded"),
    ]


def test_copying_in_the_list_goes_before_the_action_of_the_window(packets: Packets, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    taken: list[bool] = []
    action = QAction("Copy", window)
    action.setShortcut(QKeySequence("Ctrl+C"))
    action.triggered.connect(taken.append)
    window.addAction(action)
    packets.show_source(PacketSource(store_of([record(INT)])))
    window.setCentralWidget(packets.pane)
    with qtbot.waitActive(window):
        window.show()
    packets.pane.table.setFocus()
    QTest.keyClick(packets.pane.table, KEY.Key_C, CTRL)
    assert QGuiApplication.clipboard().text().startswith("1\t")
    assert not taken
    window.takeCentralWidget()


@pytest.mark.parametrize(("name", "lines"), [("list.csv", 25), ("list.json", 26)])
def test_the_list_is_written_as_its_name_says(packets: Packets, tmp_path: Path, name: str, lines: int) -> None:
    packets.show_source(PacketSource(store_of(captured("udp.pcap"))))
    packets.commands.write_list(tmp_path / name)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) == lines


def test_only_what_passes_the_filter_is_written(packets: Packets, tmp_path: Path, told: Told) -> None:
    packets.show_source(PacketSource(store_of([record(INT), record(MOVE, 2)])))
    typed(packets.pane, "size > 8")
    packets.commands.write_payloads(tmp_path / "all.bin")
    assert (tmp_path / "all.bin").read_bytes() == len(MOVE).to_bytes(4, "little") + MOVE
    assert told == ["1 payload written to “all.bin”."]


# Columns


def widths(header: PacketsHeader) -> list[PacketColumn]:
    return [column for column in PacketColumn if not header.isSectionHidden(column)]


def test_the_columns_fill_the_width_and_some_leave_where_there_is_little(pane: PacketsPane) -> None:
    header = pane.table.header
    for width in (1400, 1000, 760, 640):
        pane.resize(width, 290)
        assert sum(header.sectionSize(column) for column in widths(header)) == pane.table.viewport().width()
    assert PacketColumn.CARRIER not in widths(header)
    assert {
        PacketColumn.NUMBER,
        PacketColumn.SOURCE,
        PacketColumn.TARGET,
        PacketColumn.TYPE,
        PacketColumn.VALUE,
    } <= set(widths(header))


def test_painting_touches_only_rows_in_view(qtbot: QtBot, packets: Packets) -> None:
    held = PacketStore()
    put(held, [record(INT, number) for number in range(1, 20_001)], Talk())
    packets.show_source(PacketSource(held))
    packets.pane.table.scrollTo(packets.pane.model.index(19_999, 0))
    packets.pane.table.viewport().repaint()
    assert packets.pane.table.rowAt(1) > 19_900
    assert packets.pane.table.columnAt(QPoint(20, 0).x()) == PacketColumn.NUMBER
