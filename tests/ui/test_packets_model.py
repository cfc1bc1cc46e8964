"""The rows of the list of packets: what they say, what passes the filter, what comes and goes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from packet_lists import CUT, INT, MOVE, Talk, captured, put, record, store_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from viewer.document.packets.filter_language import FilterError
from viewer.document.packets.packet_source import PacketSource
from viewer.document.packets.store import StoreLimit
from viewer.ui.packets.entries import BY_NAME
from viewer.ui.packets.packets_model import PacketColumn, PacketRole, PacketsModel
from viewer.ui.window.actions import all_entries

PROBE = """
import sys
import viewer.ui.packets.entries
sys.exit(any("document.packets" in name for name in sys.modules))
"""


@pytest.fixture
def model(qapp: object) -> PacketsModel:
    found = PacketsModel()
    found.setParent(None)
    tester = QAbstractItemModelTester(found, QAbstractItemModelTester.FailureReportingMode.Fatal)
    tester.setParent(found)
    return found


def cell(model: PacketsModel, place: int, column: PacketColumn) -> object:
    return model.data(model.index(place, column))


def test_a_row_says_number_time_ends_carrier_size_type_and_value(model: PacketsModel) -> None:
    model.set_source(PacketSource(store_of(captured("udp.pcap"))))
    words = [cell(model, 14, column) for column in PacketColumn]
    assert words[:8] == ["15", "0.000971", "←", "127.0.0.1:45001", "127.0.0.1:45002", "UDP", "76", "Dictionary"]
    assert str(words[8]).startswith('{"cmd": "move"')


def test_a_packed_array_leaves_its_name_to_the_type_column(model: PacketsModel) -> None:
    model.set_source(PacketSource(store_of(captured("udp.pcap"))))
    assert cell(model, 16, PacketColumn.TYPE) == "PoolIntArray"
    assert cell(model, 16, PacketColumn.VALUE) == "[1, 2, 3]"


def test_a_refused_packet_has_the_sentence_in_place_of_the_value(model: PacketsModel) -> None:
    model.set_source(PacketSource(store_of([record(INT), record(INT, 2), record(CUT, 3)])))
    packet = model.data(model.index(2, 0), PacketRole)
    assert packet.message.sentence
    assert cell(model, 2, PacketColumn.VALUE) == packet.message.sentence


def test_the_spoken_text_of_an_error_says_that_it_is_one(model: PacketsModel) -> None:
    model.set_source(PacketSource(store_of([record(INT), record(CUT, 2)])))
    spoken = model.data(model.index(1, PacketColumn.VALUE), Qt.ItemDataRole.AccessibleTextRole)
    assert str(spoken).startswith("error: ")


def test_a_filter_keeps_the_rows_that_pass(model: PacketsModel) -> None:
    model.set_source(PacketSource(store_of([record(INT), record(MOVE, 2), record(INT, 3)])))
    model.set_filter('cmd == "move"', False)
    assert [model.row_at(place) for place in range(model.rowCount())] == [1]


def test_a_filter_that_cannot_be_read_leaves_the_rows(model: PacketsModel) -> None:
    model.set_source(PacketSource(store_of([record(INT), record(MOVE, 2)])))
    with pytest.raises(FilterError):
        model.set_filter("size >", False)
    assert model.rowCount() == 2


def test_what_comes_is_added_where_it_passes(model: PacketsModel) -> None:
    store = store_of([record(INT)])
    model.set_source(PacketSource(store))
    model.set_filter("size > 8", False)
    put(store, [record(MOVE, 2), record(INT, 3)], Talk())
    model.update()
    assert [model.row_at(place) for place in range(model.rowCount())] == [1]


def test_what_the_store_dropped_goes_at_the_top(model: PacketsModel) -> None:
    store = store_of([record(INT, number) for number in range(1, 9)], StoreLimit(packets=8))
    model.set_source(PacketSource(store))
    put(store, [record(MOVE, number) for number in range(9, 14)], Talk())
    gone = model.update()
    assert gone == 5
    assert (model.row_at(0), model.row_at(model.rowCount() - 1)) == (5, 12)


def test_a_cleared_store_has_no_rows(model: PacketsModel) -> None:
    store = store_of([record(INT), record(MOVE, 2)])
    model.set_source(PacketSource(store))
    store.clear()
    model.update()
    assert model.rowCount() == 0


def test_a_packet_is_found_by_its_row_whatever_the_filter_hides(model: PacketsModel) -> None:
    model.set_source(PacketSource(store_of([record(INT), record(MOVE, 2), record(INT, 3)])))
    model.set_filter("size == 8", False)
    assert [model.place_of(row) for row in range(3)] == [0, -1, 1]


def test_the_entries_for_the_menus_load_no_packets() -> None:
    probe = (
        "import sys, viewer.ui.packets.entries as e; sys.exit(any('document.packets' in name for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_key_of_the_packets_is_one_of_the_window() -> None:
    window = {keys for _, entry in all_entries() for keys in entry.keys if entry.name not in BY_NAME}
    assert not window & {keys for entry in BY_NAME.values() for keys in entry.keys}
