"""Whose rules a conversation follows, from its payloads alone."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import corpus
import pytest
from corpus import ENGINES, Engine
from document.packets.payloads import conversations, sample
from variant.exercise import is_refused

from viewer.base.diagnostic import Severity
from viewer.document.packets.conversation import Flow, PayloadSample, explain
from viewer.document.packets.readings import recognise
from viewer.document.pieces.message import FieldRole, Protocol
from viewer.variant.dialect import load
from viewer.variant.scan import scan

CONVERSATIONS = conversations()
CARRIERS = ("UDP", "ENet reliable", "WebSocket", "TCP")


def _struct(chance: random.Random) -> bytes:
    return struct.pack("<BHff", chance.randrange(8), chance.randrange(1000), chance.random(), chance.random())


OTHERS: dict[str, Callable[[random.Random], bytes]] = {
    "random": lambda chance: chance.randbytes(chance.randrange(2, 300)),
    "DNS": lambda chance: chance.randbytes(2) + bytes.fromhex("01000001000000000000 03777777 00 0001 0001"),
    "RTP": lambda chance: b"\x80\x60" + chance.randbytes(170),
    "text": lambda chance: f'{{"cmd": "move", "x": {chance.random()}}}'.encode(),
    "struct": _struct,
}


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("kind", OTHERS)
def test_payloads_of_other_programs_are_not_recognised(kind: str, carrier: str) -> None:
    chance = random.Random(7)
    samples = [PayloadSample(OTHERS[kind](chance), bool(k % 2), carrier, 1) for k in range(10)]
    assert recognise(samples).protocol is Protocol.UNKNOWN


@pytest.mark.parametrize(
    ("conversation", "dialect"),
    [
        ("g42_enet_none 44880 ENet reliable", "godot4.0"),
        ("g4_enet_none 51667 ENet reliable", "godot4"),
        ("g4_put_var None UDP", "godot4"),
        ("udp None UDP", "godot3"),
        ("enet_rpc_none None ENet reliable", "godot3"),
    ],
)
def test_dialect_is_recognised(conversation: str, dialect: str) -> None:
    assert recognise(map(sample, CONVERSATIONS[conversation])).dialect.key == dialect


def test_unknown_payload_stays_visible() -> None:
    message = explain(b"\xfe\xdc\xba", Flow())
    assert (message.protocol, message.kind, message.severity) == (Protocol.UNKNOWN, "bytes", None)
    assert [piece.role for piece in message.pieces] == [FieldRole.OPAQUE]


def test_broken_value_among_good_ones_is_an_error() -> None:
    flow = Flow()
    good, bad = "04000000 03000000 61626300", "04000000 ff000000 61626300"
    for payload in (good, good, good):
        assert explain(bytes.fromhex(payload), flow).severity is None
    message = explain(bytes.fromhex(bad), flow)
    assert (message.protocol, message.severity) == (Protocol.VALUE, Severity.ERROR)
    assert message.sentence == "At byte 4: This text says it is 255 bytes long, but only 4 bytes are left."


@pytest.mark.parametrize("engine", [each for each in ENGINES if each.precision == "single"], ids=str)
def test_bare_value_is_an_error_where_a_file_of_it_would_have_one(engine: Engine) -> None:
    flow = Flow(protocol=Protocol.VALUE, dialect=load(engine.dialect))
    for row in corpus.malformed(engine.folder):
        data = bytes.fromhex(row["hex"])
        if data:
            expected = is_refused(scan(data, load(engine.dialect)))
            assert (explain(data, flow).severity is Severity.ERROR) == expected, row


def test_bytes_behind_a_bare_value_are_ignored() -> None:
    flow = Flow(protocol=Protocol.VALUE, dialect=load("godot3"))
    message = explain(bytes.fromhex("02000000 05000000 ff"), flow)
    assert (message.summary, message.severity) == ("5", Severity.WARNING)


def test_lengths_may_be_big_endian() -> None:
    flow = Flow()
    samples = [PayloadSample(bytes.fromhex(f"00000008 02000000 0{k}000000"), carrier="TCP") for k in range(4)]
    flow.learn(samples)
    assert (flow.reading.protocol, flow.reading.big_endian) == (Protocol.STREAM_VALUE, True)
    assert flow.explain(samples[3]).summary == "3"


def test_explained_without_learning_a_flow_finds_its_rules() -> None:
    flow = Flow()
    rows = CONVERSATIONS["g4_ws 46778 WebSocket"]
    for row in rows:
        flow.explain(sample(row))
    assert (flow.reading.protocol, flow.version > 0) == (Protocol.GODOT4, True)
    assert flow.explain(sample(rows[0])).kind == "your id"


def test_hint_of_the_transport_is_believed() -> None:
    raw = [PayloadSample(bytes.fromhex("03 0102"), True, "ENet reliable", 0)]
    assert recognise(raw).protocol is Protocol.UNKNOWN
    assert recognise(raw, engine="godot4").protocol is Protocol.GODOT4


def test_person_may_say_that_nothing_is_to_be_read() -> None:
    flow = Flow(protocol=Protocol.UNKNOWN)
    assert explain(bytes.fromhex("02000000 05000000"), flow).kind == "bytes"


def test_empty_payload_has_no_pieces() -> None:
    assert explain(b"", Flow()).pieces == ()
