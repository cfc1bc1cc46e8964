"""Payloads that somebody made up: no exception, and every byte stays in sight."""

from __future__ import annotations

import random

import pytest
from document.packets.payloads import conversations, sample

from viewer.base.record import replace
from viewer.document.packets.conversation import Flow, PayloadSample
from viewer.document.packets.packet_values import LIMIT
from viewer.document.pieces.message import Message, Protocol, leaves

SAMPLES = [each for rows in conversations().values() for each in map(sample, rows) if len(each.data) < 2000]
WORDS = (b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\xff\xff\xff\x7f", b"\0\0\0\0")


def _mutated(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(out) + 1)
        what = chance.randrange(5)
        if what == 0:
            out[at : at + 1] = chance.randbytes(1)
        elif what == 1:
            del out[at:]
        elif what == 2:
            out[at:at] = chance.randbytes(chance.randrange(1, 9))
        elif what == 3:
            out[at : at + 4] = chance.choice(WORDS)
        else:
            del out[at : at + chance.randrange(1, 5)]
    return bytes(out)


def _check(message: Message, data: bytes) -> None:
    for pieces in (message.pieces, tuple(leaves(message.pieces))):
        at = 0
        for piece in pieces:
            assert piece.span.start == at < piece.span.end, (data, message)
            at = piece.span.end
        assert at == len(data), (data, message)
    assert (message.severity is None) == (message.sentence == ""), (data, message)
    assert len(message.summary) <= LIMIT


@pytest.mark.parametrize("protocol", [*Protocol, None])
def test_mutated_payloads_are_tiled_and_raise_nothing(protocol: Protocol | None) -> None:
    chance = random.Random(f"{protocol}")
    flow = Flow(protocol=protocol)
    for each in chance.choices(SAMPLES, k=600):
        channel, from_server = chance.choice((None, 0, 1)), chance.choice((None, True, False))
        made = replace(each, data=_mutated(each.data, chance), channel=channel, from_server=from_server)
        _check(flow.explain(made), made.data)


@pytest.mark.parametrize("protocol", list(Protocol))
def test_random_payloads_are_tiled_and_raise_nothing(protocol: Protocol) -> None:
    chance = random.Random(11)
    flow = Flow(protocol=protocol)
    for _ in range(600):
        made = PayloadSample(chance.randbytes(chance.randrange(40)), True, "WebSocket", 1)
        _check(flow.explain(made), made.data)


@pytest.mark.parametrize("protocol", list(Protocol))
def test_every_beginning_of_a_payload_is_tiled(protocol: Protocol) -> None:
    flow = Flow(protocol=protocol)
    for each in SAMPLES[:: len(SAMPLES) // 40]:
        for end in range(min(len(each.data), 120)):
            made = replace(each, data=each.data[:end])
            _check(flow.explain(made), made.data)


def test_deep_value_is_told_without_recursion() -> None:
    data = bytes.fromhex("13000000 01000000") * 100_000
    message = Flow(protocol=Protocol.VALUE).explain(PayloadSample(data))
    _check(message, data)
