"""Lists of packets for tests of what shows them: real captures, read as the program reads them."""

from __future__ import annotations

from pathlib import Path

import corpus

from viewer.container.capture import open_capture
from viewer.container.wire import Captured, Endpoint, Payload, Transport
from viewer.document.packets.conversation import Flow, explain
from viewer.document.packets.packet import SeenPayload
from viewer.document.packets.store import PacketStore, StoreLimit
from viewer.document.pieces.message import Message, Protocol
from viewer.variant.dialect import load

SERVER = Endpoint("127.0.0.1", 45001)
CLIENT = Endpoint("127.0.0.1", 45002)
INT = bytes.fromhex("02000000 2A000000")
MOVE = bytes.fromhex("12000000 01000000 04000000 03000000 636D6400 04000000 04000000 6D6F7665")
CUT = bytes.fromhex("04000000 09000000 616263")


class Talk:
    """Two ends that send each other bare values."""

    version = 0

    def __init__(self) -> None:
        self._flow = Flow(protocol=Protocol.VALUE, dialect=load("godot3"))

    def explain(self, payload: Payload) -> Message:
        return explain(payload.data, self._flow, not self.to_server(payload), payload.carrier, payload.channel)

    def to_server(self, payload: Payload) -> bool:
        return payload.target.port == SERVER.port


def captured(name: str) -> list[Captured]:
    """The records of a capture of Godot 3."""
    return list(open_capture((corpus.DATA / "godot3" / "packets" / name).read_bytes()))


def capture_path(name: str) -> Path:
    """Where that capture lies."""
    return corpus.DATA / "godot3" / "packets" / name


def record(data: bytes, number: int = 1) -> Captured:
    """A datagram to the server."""
    return Captured(number, 1_000_000_000 + number * 1_000_000, CLIENT, SERVER, Transport.UDP, data)


def put(store: PacketStore, records: list[Captured], talk: Talk) -> None:
    """Add the payloads of UDP datagrams to a store."""
    payloads = (Payload(r.number, r.time, r.source, r.target, "UDP", r.data) for r in records)
    store.extend(SeenPayload(payload, talk) for payload in payloads)


def store_of(records: list[Captured], bound: StoreLimit | None = None) -> PacketStore:
    """A store with these, all of them explained."""
    store = PacketStore(bound)
    put(store, records, Talk())
    store.explain_all()
    return store
