"""Captures of engines as packets, and streams made of what engines wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import corpus

from viewer.container.capture import open_capture
from viewer.container.wire import Captured, Delivery, Endpoint, TcpMarks, Transport
from viewer.document.packets.conversation import TrafficSettings
from viewer.document.packets.dissector import Dissector
from viewer.document.packets.packet import Packet
from viewer.document.packets.store import PacketStore

CLIENT, SERVER = Endpoint("127.0.0.1", 50_000), Endpoint("127.0.0.1", 45_100)


def captured(name: str) -> list[Captured]:
    """What the frames of a capture carried."""
    return list(open_capture(corpus.capture_file(name).read_bytes()))


def store_of(records: Iterable[Captured], told: TrafficSettings | None = None) -> PacketStore:
    """The packets that were made of records, explained."""
    dissector, store = Dissector(told), PacketStore()
    for record in records:
        store.extend(dissector.feed(record))
    store.extend(dissector.finish())
    store.explain_all()
    return store


def packets_of(records: Iterable[Captured], told: TrafficSettings | None = None) -> list[Packet]:
    """The packets that were made of records, explained."""
    store = store_of(records, told)
    return [store.packet(row) for row in store.rows]


def sent(packets: Iterable[Packet]) -> list[Packet]:
    """What applications sent, each once."""
    return [each for each in packets if each.payload.delivery in (Delivery.WHOLE, Delivery.INCOMPLETE)]


def datagrams(payloads: Sequence[bytes], there: bool = True) -> list[Captured]:
    """Datagrams from the client to the server, or back."""
    ends = (CLIENT, SERVER) if there else (SERVER, CLIENT)
    return [Captured(number, number, *ends, Transport.UDP, data) for number, data in enumerate(payloads, 1)]


def segments(data: bytes, size: int = 1400, start: int = 1000) -> list[Captured]:
    """A connection, and the segments in which a client sends a stream."""
    found = [_segment(1, start, b"", syn=True)]
    for at in range(0, len(data), size):
        found.append(_segment(len(found) + 1, start + 1 + at, data[at : at + size]))
    return found


def _segment(number: int, sequence: int, data: bytes, syn: bool = False) -> Captured:
    return Captured(number, number, CLIENT, SERVER, Transport.TCP, data, tcp=TcpMarks(sequence & 0xFFFFFFFF, syn))


def captures() -> list[Path]:
    """Every capture that we have."""
    folders = (corpus.DATA / engine / "packets" for engine in ("godot3", "network"))
    return sorted(path for folder in folders for path in folder.glob("*.pcap*"))
