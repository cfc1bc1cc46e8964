"""The store of packets: rows, what is dropped, what is explained when, and what passes a filter."""

from __future__ import annotations

import csv
import gc
import io
import json
import weakref

import pytest
from document.packets.traffic import captured, datagrams, packets_of, store_of

from viewer.base.diagnostic import Severity
from viewer.container.wire import Delivery
from viewer.document.export.packet_files import csv_lines, joined, json_lines
from viewer.document.packets import store as store_module
from viewer.document.packets.conversation import PortProtocol, TrafficSettings
from viewer.document.packets.dissector import Dissector
from viewer.document.packets.filter_language import parse_filter
from viewer.document.packets.packet import PayloadExplainer
from viewer.document.packets.store import PacketStore, StoreLimit
from viewer.document.pieces.message import Protocol

INT = bytes.fromhex("02000000")


def ints(count: int) -> list[bytes]:
    return [INT + number.to_bytes(4, "little") for number in range(count)]


def filled(payloads: list[bytes], bound: StoreLimit | None = None) -> PacketStore:
    dissector, store = Dissector(), PacketStore(bound)
    for record in datagrams(payloads):
        store.extend(dissector.feed(record))
    return store


# Rows


def test_rows_are_in_order_and_know_their_time_since_the_start() -> None:
    store = filled(ints(3))
    assert list(store.rows) == [0, 1, 2]
    assert [store.packet(row).payload.data for row in store.rows] == ints(3)
    assert [store.packet(row).since_start for row in store.rows] == [0, 1, 2]


def test_the_oldest_packets_go_where_there_are_too_many() -> None:
    store = filled(ints(1000), StoreLimit(packets=100))
    assert len(store) <= 100
    assert store.rows.stop == 1000
    assert store.packet(999).payload.data == ints(1000)[-1]
    assert store.packet(store.rows.start).payload.data == ints(1000)[store.rows.start]


def test_the_oldest_packets_go_where_their_bytes_are_too_many() -> None:
    store = filled([bytes(1000)] * 20_000, StoreLimit(size=5_000_000))
    assert store.size <= 5_000_000 < store.size + 1000 * 4096 + 1000
    assert store.size == 1000 * len(store)


def test_a_row_that_was_dropped_is_none() -> None:
    store = filled(ints(1000), StoreLimit(packets=100))
    with pytest.raises(IndexError, match="row 0"):
        store.packet(0)


def test_rows_go_on_counting_after_all_were_cleared() -> None:
    dissector, store = Dissector(), PacketStore()
    first, second = datagrams(ints(2))
    store.extend(dissector.feed(first))
    store.clear()
    assert (len(store), store.size) == (0, 0)
    store.extend(dissector.feed(second))
    assert list(store.rows) == [1]
    assert store.packet(1).since_start == 0


# Explaining


def test_nothing_is_explained_before_somebody_asks() -> None:
    store = filled(ints(10))
    assert store.pending == 10
    assert store.line(3).kind == ""
    store.explain_all()
    assert (store.pending, store.line(3).kind, store.line(3).summary) == (0, "int", "3")


def test_explaining_goes_on_where_it_stopped() -> None:
    store = filled(ints(500))
    slices = 0
    while store.explain_some(0.0):
        slices += 1
    assert slices == 499
    assert [store.line(row).summary for row in (0, 250, 499)] == ["0", "250", "499"]


def test_a_row_far_ahead_is_explained_at_once() -> None:
    store = filled(ints(5000))
    assert store.packet(4999).message.summary == "4999"
    assert store.pending == 5000


def test_a_path_is_known_in_a_row_that_is_asked_for_first() -> None:
    dissector, store = Dissector(), PacketStore()
    for record in captured("enet_rpc_none.pcap"):
        store.extend(dissector.feed(record))
    assert store.packet(11).message.summary == 'Main.hit(Vector2(1, 2), {"k": [1, 2, 3]})'


def test_rows_are_explained_again_when_more_is_known() -> None:
    records = captured("enet_putvar_none.pcap")
    live, whole = PacketStore(), store_of(records)
    dissector = Dissector()
    for record in records:
        live.extend(dissector.feed(record))
        live.explain_all()
    assert [live.line(row) for row in live.rows] == [whole.line(row) for row in whole.rows]


@pytest.mark.parametrize("name", ["g4_ws.pcap", "g4_enet_none.pcap", "g3_ws_mp.pcap", "g4_put_var.pcap", "udp.pcap"])
def test_packets_say_the_same_live_as_in_a_capture_and_when_they_are_asked_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "MOST_MESSAGES", 1)
    records = captured(name)
    whole, live, dissector = store_of(records), PacketStore(), Dissector()
    for record in records:
        live.extend(dissector.feed(record))
        live.explain_all()
    live.extend(dissector.finish())
    live.explain_all()
    kinds = [whole.line(row).kind for row in whole.rows]
    assert [live.line(row).kind for row in live.rows] == kinds
    assert [whole.packet(row).message.kind for row in reversed(whole.rows)] == kinds[::-1]


def test_errors_are_counted() -> None:
    told = TrafficSettings({45_100: PortProtocol.VALUES})
    store = store_of(datagrams([*ints(5), b"\x63\0\0\0"]), told)
    assert store.errors == 1
    assert store.line(5).severity is Severity.ERROR


def test_a_short_list_does_not_hold_on_to_the_conversations_of_dropped_packets() -> None:
    store = PacketStore(StoreLimit(packets=80))
    talks: list[weakref.ref[PayloadExplainer]] = []
    for record in datagrams(ints(200)):
        (seen,) = Dissector().feed(record)
        talks.append(weakref.ref(seen.talk))
        store.extend([seen])
        store.explain_all()
    del seen
    gc.collect()
    assert sum(talk() is not None for talk in talks) <= 80


# Filters


def passing(name: str, text: str) -> list[str]:
    store = store_of(captured(name))
    return [f"{store.packet(row).message.kind} {store.packet(row).message.summary}" for row in store.filter(text)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 60),
        ("hit", 5),
        ("HIT", 5),
        ('"main.hit"', 5),
        ("not control", 22),
        ("control", 38),
        ("kind call", 14),
        ("kind == call and not hit", 9),
        ("carrier enet", 60),
        ('carrier == "enet reliable"', 19),
        ("channel 2", 3),
        ("size > 1000", 1),
        ("size 18 or size = 14", 4),
        ("number <= 3", 4),
        ("port 45200", 60),
        ("port 1", 0),
        ("from 127.0.0.1:45200 and kind call", 4),
        ("to 45200 kind call", 10),
        ("error", 0),
        ("protocol godot", 22),
    ],
)
def test_filters_of_remote_calls(text: str, count: int) -> None:
    assert len(store_of(captured("enet_rpc_none.pcap")).filter(text)) == count


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('cmd == "move"', ["move"]),
        ("cmd = move", ["move"]),
        ("cmd != other", ["move"]),
        ('cmd == "mov"', []),
        ("seq == 1", ["move"]),
        ("seq > 0 and seq < 2", ["move"]),
        ("seq > 1", []),
        ("seq == true", []),
        ("tick >= 123456", ["players"]),
        ("name == Ann", []),
        ("type == Dictionary and not players", ["move"]),
    ],
)
def test_filters_by_key_look_at_the_topmost_dictionary(text: str, found: list[str]) -> None:
    said = [line for line in passing("udp.pcap", text) if line.startswith("Dictionary")]
    assert ["move" if '"move"' in line else "players" for line in said] == found


def test_an_error_is_found() -> None:
    store = store_of(captured("udp.pcap"))
    assert [store.packet(row).payload.number for row in store.filter("error")] == [24]
    assert [store.packet(row).payload.number for row in store.filter("warning")] == [23]


def test_copies_are_found() -> None:
    store = store_of([*captured("enet_rpc_none.pcap")[:6], *captured("enet_rpc_none.pcap")[5:6]])
    assert {store.packet(row).payload.delivery for row in store.filter("copy")} == {Delivery.COPY}
    assert len(store.filter("copy")) == 1


def test_only_rows_from_a_start_on_are_asked_for_when_the_list_grows() -> None:
    store = store_of(datagrams(ints(6000)))
    assert store.matching(parse_filter("599"), 5000) == [5599, *range(5990, 6000)]


def test_a_filter_knows_what_dropped_rows_do_not_change() -> None:
    store = filled(ints(1000), StoreLimit(packets=100))
    store.explain_all()
    assert store.filter("99") == [row for row in store.rows if "99" in str(row)]


# Files


def test_all_payloads_in_one_file_have_their_lengths_in_front() -> None:
    packets = packets_of(captured("udp.pcap"))
    stream = b"".join(joined(packet.payload for packet in packets[:3]))
    assert stream[:8] == bytes.fromhex("04000000 00000000")
    assert len(stream) == sum(4 + packet.size for packet in packets[:3])


def test_the_list_goes_to_csv_and_json() -> None:
    packets = packets_of(captured("udp.pcap"))
    rows = list(csv.DictReader(io.StringIO("".join(csv_lines(packets)))))
    assert rows[14]["value"] == '{"cmd": "move", "to": Vector2(10, 20), "seq": 1}'
    assert (rows[14]["from"], rows[14]["bytes"]) == ("127.0.0.1:45001", "76")
    objects = json.loads("".join(json_lines(packets)))
    assert [each["hex"] for each in objects] == [packet.payload.data.hex() for packet in packets]
    assert objects[14]["protocol"] == Protocol.VALUE.value
    assert json.loads("".join(json_lines([]))) == []
