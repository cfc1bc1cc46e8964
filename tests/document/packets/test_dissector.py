"""From captures to packets: everything that engines sent comes out, from its sender, in order, with its values."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import corpus
import pytest
from document.packets.payloads import expected_values, same, values
from document.packets.traffic import captured, captures, datagrams, packets_of, segments, sent

from viewer.base.record import replace
from viewer.container.wire import Captured, Delivery
from viewer.document.packets.conversation import PortProtocol, TrafficSettings
from viewer.document.packets.packet import Packet
from viewer.document.pieces.message import FieldRole, Protocol, leaves
from viewer.variant.dialect import load
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Value

CAPTURES = captures()
ROWS: dict[str, list[dict[str, Any]]] = {}
for each in corpus.payloads():
    ROWS.setdefault(each.get("file", ""), []).append(each)
DECODED = [path for path in CAPTURES if ROWS.get(f"{path.stem}.pcap")]
PUT_VAR = [path for path in CAPTURES if path.stem.startswith(("udp", "tcp", "websocket", "enet_putvar", "g4_put_var"))]
CALLS = [path for path in CAPTURES if path.stem.startswith(("g3_", "g4_enet", "g4_ws", "g42_"))]
CARRIERS = {"udp": "UDP", "tcp": "TCP", "enet": "ENet"}
LARGE = 3000
"""Values above so many bytes are left out of the decoded payloads."""
EMPTY = ["1d00000000000000"]
OF_THE_GAME = ("raw", "auth", "bytes")
"""Kinds of packets whose bytes only the game understands."""

POINT = bytes.fromhex("05000000 0000803f 00000040")
INT_42 = bytes.fromhex("02000000 2a000000")
HELLO = bytes.fromhex("04000000 05000000 68656c6c6f000000")
MOVE = bytes.fromhex("12000000 01000000 04000000 03000000 636d6400 04000000 04000000 6d6f7665")


def name(path: Path) -> str:
    return path.name


def sidecar(path: Path) -> dict[str, Any]:
    stem = "udp" if path.stem == "udp_nano" else path.stem
    found: dict[str, Any] = json.loads(path.with_name(f"{stem}.json").read_text(encoding="utf-8"))
    return found


def prefixed(data: bytes, order: Any = "little") -> bytes:
    return len(data).to_bytes(4, order) + data


# Everything that was sent


def way(row: dict[str, Any]) -> tuple[int | None, bool | str]:
    """Which connection and direction a decoded payload belongs to."""
    direction = row["direction"]
    return row.get("port"), direction if "->" in direction else direction == "c2s"


def went(packet: Packet, ways: set[tuple[int | None, bool | str]]) -> tuple[int | None, bool | str]:
    """The same of a packet."""
    named = f"{packet.source.port}->{packet.target.port}"
    client = packet.source if packet.to_server else packet.target
    options = ((None, named), (client.port, packet.to_server), (None, packet.to_server))
    return next((option for option in options if option in ways), options[0])


@pytest.mark.parametrize("path", DECODED, ids=name)
def test_every_payload_comes_out_in_order_with_its_values(path: Path) -> None:
    rows = ROWS[f"{path.stem}.pcap"]
    ways = {way(row) for row in rows}
    waiting = {each: [row for row in rows if way(row) == each] for each in ways}
    for packet in sent(packets_of(captured(path.name))):
        left = waiting.get(went(packet, ways), [])
        if not left or without_length(left[0], packet).hex() != left[0]["payload_hex"]:
            assert packet.size > LARGE, packet
            continue
        row = left.pop(0)
        assert row.get("channel") == packet.payload.channel
        found = values(packet.message, packet.payload.data)
        assert len(found) == len(expected_values(row)), row
        assert all(map(same, found, expected_values(row))), row
    assert not any(waiting.values())


def without_length(row: dict[str, Any], packet: Packet) -> bytes:
    whole = row["layers"][2:3] == ["length32"] and row["payload_hex"].startswith(packet.payload.data[:4].hex())
    return packet.payload.data if whole or "length32" not in row["layers"] else packet.payload.data[4:]


@pytest.mark.parametrize("path", CAPTURES, ids=name)
def test_every_byte_is_explained_and_nothing_is_wrong(path: Path) -> None:
    for packet in sent(packets_of(captured(path.name))):
        spans = [piece.span for piece in leaves(packet.message.pieces)]
        assert [span.start for span in spans] + [packet.size] == [0, *(span.end for span in spans)]
        kind, named = packet.message.kind, {piece.name for piece in packet.message.pieces}
        if packet.message.protocol is not Protocol.UNKNOWN and not kind.endswith(OF_THE_GAME):
            opaque = [piece for piece in leaves(packet.message.pieces) if piece.role is FieldRole.OPAQUE]
            assert all(piece.name == "argument 1" for piece in opaque), (kind, named)
            assert not packet.refused


@pytest.mark.parametrize("path", PUT_VAR, ids=name)
def test_what_put_var_sent_is_there_by_sender_and_in_order(path: Path) -> None:
    packets = sent(packets_of(captured(path.name)))
    for (carrier, to_server), rows in put_vars(sidecar(path)).items():
        ours = [p for p in packets if p.payload.carrier.startswith(carrier) and p.to_server is to_server]
        assert len(ours) == len(rows)
        for packet, row in zip(ours, rows, strict=True):
            assert says(packet, row), row


def put_vars(found: dict[str, Any]) -> dict[tuple[str, bool], list[dict[str, Any]]]:
    """By carrier and direction, what a side says that it sent."""
    expected: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for side in ("sent", "client", "server"):
        for row in found.get(side, ()):
            if row.get("event", "sent").startswith("sent"):
                proto = row.get("proto") or row.get("kind") or ("WebSocket" if "dir" in row else "ENet")
                to_server = row["dir"] == "c2s" if "dir" in row else side != "server" and row.get("dport") != 45_002
                expected.setdefault((CARRIERS.get(proto, proto), to_server), []).append(row)
    return expected


def says(packet: Packet, row: dict[str, Any]) -> bool:
    """Whether a packet is what a side says that it sent: the bytes that it names, or the same value."""
    found, raw = values(packet.message, packet.payload.data), row.get("hex") or row.get("payload_hex")
    if "payload_sha256" in row:
        return sha256(packet.payload.data).hexdigest() == row["payload_sha256"]
    if raw is None:
        return [each.type for each in found] == [row["type"]] and ("value" not in row or same(found[0], row["value"]))
    if row.get("type") == "raw":
        return packet.payload.data.hex() == str(raw)
    # padding of a path is whatever was in the engine's memory
    return found == [read(scan(bytes.fromhex(raw), packet.message.dialect or load("godot3")))]


@pytest.mark.parametrize("path", CALLS, ids=name)
def test_every_remote_call_is_there_by_sender_and_in_order(path: Path) -> None:
    packets = sent(packets_of(captured(path.name)))
    found = sidecar(path)
    dialect = load("godot3" if path.stem.startswith("g3_") else "godot4")
    for side in ("server", "c1", "c2"):
        own = next(row["own"] for row in found[side] if "own" in row)
        ours = iter([(p.message.kind, values(p.message, p.payload.data)) for p in packets if p.message.sender == own])
        for row in found[side]:
            if row["event"] == "sent" and row["how"] != "send_bytes":
                # the engine loses a single argument that is an empty array of bytes
                wanted = [read(scan(bytes.fromhex(each), dialect)) for each in row["args"] if row["args"] != EMPTY]
                assert any("call" in kind or "set" in kind for kind in until(ours, wanted)), row


def until(calls: Iterator[tuple[str, list[Value]]], wanted: Sequence[Value]) -> Iterator[str]:
    """The kind of the next packet that has these values; those before it are passed over."""
    return (kind for kind, had in calls if had == list(wanted))


# Datagrams


def test_a_datagram_that_was_cut_says_so_and_is_no_error() -> None:
    whole = captured("udp.pcap")
    cut = [replace(each, data=each.data[:20], missing=max(0, len(each.data) - 20)) for each in whole]
    packets = [packet for packet in packets_of(cut) if packet.payload.delivery is Delivery.INCOMPLETE]
    assert packets
    assert not any(packet.refused for packet in packets)
    assert all("The capture holds all but its last" in packet.message.sentence for packet in packets)


def test_enet_is_recognised_where_the_capture_begins_in_the_middle() -> None:
    packets = sent(packets_of(captured("enet_rpc_none.pcap")[12:]))
    assert {packet.message.protocol for packet in packets} == {Protocol.GODOT3}
    assert any(packet.message.kind == "call" for packet in packets)


def test_enet_begins_behind_other_datagrams_of_the_same_ends() -> None:
    records = captured("enet_rpc_none.pcap")
    first = replace(records[0], data=b"who is there?")
    packets = packets_of([first] * 40 + records)
    assert [packet.payload.carrier for packet in packets[:41]] == ["UDP"] * 40 + ["ENet"]


def test_a_port_carries_what_a_person_says() -> None:
    records = captured("enet_rpc_none.pcap")
    told = TrafficSettings({records[0].target.port: PortProtocol.BYTES})
    packets = packets_of(records, told)
    assert {packet.payload.carrier for packet in packets} == {"UDP"}
    assert {packet.message.protocol for packet in packets} == {Protocol.UNKNOWN}


def test_values_that_the_engine_refuses_are_errors_where_a_port_carries_values() -> None:
    told = TrafficSettings({45_100: PortProtocol.VALUES})
    good, broken = packets_of(datagrams([INT_42, b"\x63\0\0\0"]), told)
    assert (good.refused, broken.refused) == (False, True)


def test_dtls_is_named() -> None:
    hello = bytes.fromhex("16fefd 0000 000000000000 0004 01000000")
    (packet,) = packets_of(datagrams([hello]))
    assert packet.payload.note == "This is DTLS: it is encrypted."


def test_an_empty_datagram_is_a_packet() -> None:
    (packet,) = packets_of(datagrams([b""]))
    assert (packet.size, packet.message.pieces) == (0, ())


def test_the_first_to_speak_is_the_caller() -> None:
    there = datagrams([INT_42])[0]
    back = datagrams([HELLO], there=False)[0]
    assert [packet.to_server for packet in packets_of([there, back])] == [True, False]


def test_a_client_that_says_little_follows_the_rules_of_the_other_clients_of_its_server() -> None:
    records = [record for record in captured("g4_put_var.pcap") if record.target.port == 45_421]
    other = replace(records[0], source=replace(records[0].source, port=50_000), data=POINT)
    packets = packets_of([*records, other])
    assert packets[-1].message.dialect == load("godot4")
    assert packets_of([other])[0].message.dialect != load("godot4")


def test_control_packets_are_named_and_all_their_bytes_too() -> None:
    for packet in packets_of(captured("enet_rpc_rangecoder.pcap")):
        if packet.is_control:
            assert not any(piece.role is FieldRole.OPAQUE for piece in packet.message.pieces), packet.message
    kinds = {packet.message.kind for packet in packets_of(captured("enet_rpc_rangecoder.pcap")) if packet.is_control}
    assert {"connect", "verify connect", "acknowledges", "ping"} <= kinds


# Streams


def cuts(data: bytes, size: int = 1400) -> list[tuple[str, bytes]]:
    return [(packet.message.kind, packet.payload.data) for packet in packets_of(segments(data, size))]


@pytest.mark.parametrize("size", [1, 3, 7, 1400])
def test_values_with_their_lengths_are_cut_wherever_segments_end(size: int) -> None:
    stream = b"".join(map(prefixed, (INT_42, HELLO, MOVE)))
    assert cuts(stream, size) == [
        ("int", prefixed(INT_42)),
        ("String", prefixed(HELLO)),
        ("Dictionary", prefixed(MOVE)),
    ]


def test_lengths_may_be_big_endian() -> None:
    stream = b"".join(prefixed(each, "big") for each in (INT_42, HELLO, MOVE))
    assert [kind for kind, _ in cuts(stream)] == ["int", "String", "Dictionary"]


@pytest.mark.parametrize("size", [1, 5, 1400])
def test_other_data_between_values_are_bytes(size: int) -> None:
    number, text, byte = bytes.fromhex("04030201"), bytes.fromhex("0a000000") + b"plain text", b"\x07"
    parts = (prefixed(INT_42), prefixed(HELLO), number, prefixed(MOVE), text, prefixed(INT_42), byte, prefixed(HELLO))
    stream = b"".join(parts) + prefixed(MOVE, "big")
    assert [data for _, data in cuts(stream, size)] == [*parts, prefixed(MOVE, "big")]


def test_a_value_that_the_engine_refuses_stays_a_packet_of_its_own() -> None:
    broken = bytes.fromhex("04000000 ff000000 68656c6c")
    packets = packets_of(segments(b"".join(map(prefixed, (INT_42, HELLO, broken, MOVE)))))
    assert [packet.refused for packet in packets] == [False, False, True, False]


def test_a_value_that_was_cut_off_is_incomplete() -> None:
    packets = packets_of(segments(prefixed(INT_42) + prefixed(HELLO) + prefixed(MOVE)[:20]))
    assert [packet.payload.delivery for packet in packets] == [Delivery.WHOLE, Delivery.WHOLE, Delivery.INCOMPLETE]
    assert packets[2].payload.note == "The capture lacks the last 16 bytes of this value."


def test_values_behind_a_loss_are_found_again() -> None:
    records = segments(b"".join(map(prefixed, (INT_42, HELLO, MOVE, HELLO, INT_42, MOVE))), 10)
    packets = packets_of(records[:4] + records[5:])
    assert [packet.message.kind for packet in packets][-2:] == ["int", "Dictionary"]


def test_a_stream_of_something_else_stays_bytes() -> None:
    packets = packets_of(segments(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"))
    assert [packet.message.protocol for packet in packets] == [Protocol.UNKNOWN]
    assert packets[0].payload.data.startswith(b"GET / HTTP/1.1")


def test_websocket_is_recognised_without_its_handshake() -> None:
    records = captured("websocket.pcap")
    first = next(at for at, record in enumerate(records) if record.data.startswith(b"HTTP"))
    packets = sent(packets_of(records[first + 1 :]))
    assert {packet.payload.carrier for packet in packets} == {"WebSocket"}
    assert {packet.message.protocol for packet in packets} == {Protocol.VALUE}


# Whatever the bytes are


@pytest.mark.parametrize("seed", range(6))
def test_no_bytes_raise_and_all_of_them_are_shown(seed: int) -> None:
    chance = random.Random(seed)
    records = [record for path in CAPTURES[seed::6] for record in captured(path.name)]
    for packet in packets_of(damaged(record, chance) for record in records):
        spans = [piece.span for piece in leaves(packet.message.pieces)]
        assert [span.start for span in spans] + [packet.size] == [0, *(span.end for span in spans)]


def damaged(record: Captured, chance: random.Random) -> Captured:
    """A record with some of its bytes changed, or its end cut off, most of the time as it was."""
    data = bytearray(record.data)
    if data and chance.random() < 0.3:
        for _ in range(chance.choice((1, 1, 4))):
            data[chance.randrange(len(data))] = chance.choice((0, 255, chance.randrange(256)))
    if data and chance.random() < 0.05:
        del data[chance.randrange(len(data)) :]
    return replace(record, data=bytes(data))
