"""Conversations over ENet: what applications sent, put together, and what is known of the two ends."""

from __future__ import annotations

import os
import random
import time
from collections import Counter

import pytest
from container.enet_wire import (
    CAPTURES,
    CLIENT,
    SERVER,
    acknowledge,
    connect,
    down,
    fragment,
    loose_fragment,
    ping,
    plain,
    reliable,
    timed,
    udp_datagrams,
    unreliable,
    unsequenced,
    up,
    verify,
)
from corpus import payloads

from viewer.container.enet.connection import EnetFlows, Engine
from viewer.container.enet.protocol import is_enet
from viewer.container.wire import Captured, Delivery, Payload
from viewer.document.export.packet_files import payload_layers

LONGEST_ROW = 5000
"""Longer payloads have no row."""
PIECES = [b"abc", b"def", b"gh"]
FUZZ_SECONDS = float(os.environ.get("FUZZ_SECONDS", "2"))


def fed(*captured: Captured) -> list[Payload]:
    """All payloads of a conversation."""
    flows = EnetFlows()
    found = [payload for one in captured for payload in flows.feed(one)]
    return found + flows.finish()


def of_application(found: list[Payload]) -> list[Payload]:
    return [payload for payload in found if payload.delivery is not Delivery.CONTROL]


def command_of(payload: Payload) -> str:
    """The ENet command that brought a payload."""
    names = [layer.name for layer in payload_layers(payload) if layer.name.startswith("ENet SEND_")]
    return names[0].removeprefix("ENet ")


@pytest.mark.parametrize("name", [name for name in CAPTURES if name != "raw_enet_sum.pcap"])
def test_every_payload_of_a_capture_is_found_and_no_other(name: str) -> None:
    rows = [row for row in payloads() if row.get("file") == name and "enet" in row["layers"]]
    flows = EnetFlows()
    found = [p for one in udp_datagrams(name) if is_enet(one.data) for p in flows.feed(one)] + flows.finish()
    got = Counter(
        (
            payload.data.hex(),
            "c2s" if payload.target == flows.facts(payload.source, payload.target).server else "s2c",
            payload.channel,
            command_of(payload),
        )
        for payload in of_application(found)
    )
    rows_found = Counter((r["payload_hex"], r["direction"], r["channel"], r["enet_command"]) for r in rows)
    assert rows
    assert not rows_found - got
    assert all(len(data) > 2 * LONGEST_ROW for data, *_ in got - rows_found)


@pytest.mark.parametrize("name", CAPTURES)
def test_every_byte_of_every_command_is_named(name: str) -> None:
    for payload in fed(*(one for one in udp_datagrams(name) if is_enet(one.data))):
        layer = payload_layers(payload)[-1]
        at = 0
        for part in layer.parts:
            assert part.span.start == at
            at = part.span.end
        assert at == len(layer.data)
        if layer.inside:
            assert layer.data[layer.inside.start : layer.inside.end] == payload.data


def test_the_layers_lead_from_the_frame_to_the_payload() -> None:
    one = udp_datagrams("g4_enet_fastlz.pcap")
    found = next(p for p in of_application(fed(*one)) if any("inflated" in layer.name for layer in payload_layers(p)))
    names = [layer.name for layer in payload_layers(found)]
    assert names[:3] == ["Ethernet", "IPv4", "UDP"]
    assert names[3:5] == ["ENet", "ENet, inflated (FastLZ)"]


def test_carriers_tell_how_data_travel() -> None:
    found = fed(up(1, timed(reliable(1, b"a"), unreliable(1, b"b"), unsequenced(1, b"c"))))
    assert [(payload.carrier, payload.data, payload.channel) for payload in found] == [
        ("ENet reliable", b"a", 1),
        ("ENet unreliable", b"b", 2),
        ("ENet unsequenced", b"c", 2),
    ]


def test_what_enet_says_to_itself_is_noted() -> None:
    found = fed(
        up(1, timed(connect(), peer=0xFFF, clock=5)),
        down(3, timed(acknowledge(1, 5, channel=255), verify())),
        up(4, timed(acknowledge(9, 9), ping(2))),
    )
    assert [payload.note for payload in found] == [
        "Connect, 3 channels",
        "Acknowledges 1 after 2.0 ms",
        "Verify connect, slot 0",
        "Acknowledges 9 on channel 1",
        "Ping",
    ]
    assert {payload.delivery for payload in found} == {Delivery.CONTROL}


# Copies


def test_what_is_sent_again_is_a_copy() -> None:
    found = fed(up(1, timed(reliable(1, b"a"))), up(2, timed(reliable(2, b"a"), reliable(1, b"a"), clock=9)))
    assert [payload.delivery for payload in found] == [Delivery.WHOLE, Delivery.WHOLE, Delivery.COPY]


def test_the_other_direction_is_no_copy() -> None:
    found = fed(up(1, timed(reliable(1, b"a"))), down(2, timed(reliable(1, b"a"))))
    assert [payload.delivery for payload in found] == [Delivery.WHOLE, Delivery.WHOLE]


def test_sequence_numbers_come_round() -> None:
    found = fed(*(up(number + 1, timed(reliable(number, b"a"))) for number in range(70_000)))
    assert {payload.delivery for payload in found} == {Delivery.WHOLE}


def test_a_new_connection_between_the_same_ends_begins_anew() -> None:
    found = []
    flows = EnetFlows()
    for turn, connect_id in enumerate((b"\1\1\1\1", b"\2\2\2\2")):
        for data in (
            up(turn * 9 + 1, timed(connect(connect_id), peer=0xFFF)),
            down(turn * 9 + 2, timed(verify(connect_id))),
            up(turn * 9 + 3, timed(reliable(1, b"a"))),
            down(turn * 9 + 4, timed(reliable(1, b"b"))),
        ):
            found += flows.feed(data)
    assert [payload.delivery for payload in of_application(found)] == [Delivery.WHOLE] * 4


def test_a_set_up_that_is_sent_again_changes_nothing() -> None:
    found = fed(
        up(1, timed(connect(), peer=0xFFF)),
        up(2, timed(connect(), peer=0xFFF, clock=2)),
        down(3, timed(verify(), reliable(1, b"a"))),
        down(4, timed(verify(), reliable(1, b"a"), clock=3)),
    )
    assert [payload.note for payload in found if payload.note.endswith("sent again")] == [
        "Connect, 3 channels, sent again",
        "Verify connect, slot 0, sent again",
    ]
    assert [payload.delivery for payload in of_application(found)] == [Delivery.WHOLE, Delivery.COPY]


# Fragments


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_fragments_are_put_together_in_any_order(order: tuple[int, ...]) -> None:
    found = fed(*(up(at + 1, timed(fragment(65_535, number, PIECES))) for at, number in enumerate(order)))
    assert [(payload.data, payload.number, payload.carrier) for payload in found] == [(b"abcdefgh", 3, "ENet reliable")]
    assert found[0].note == "Put together from 3 fragments."


def test_the_joined_layer_tells_which_frame_brought_what() -> None:
    found = fed(*(up(9 - number, timed(fragment(1, number, PIECES))) for number in (2, 1, 0)))
    layer = payload_layers(found[0])[-1]
    assert layer.data == b"abcdefgh"
    assert [(part.name, part.text) for part in layer.parts] == [
        ("fragment 1 of 3", "frame 9"),
        ("fragment 2 of 3", "frame 8"),
        ("fragment 3 of 3", "frame 7"),
    ]


def test_unreliable_fragments_are_told_apart_by_the_reliable_number_too() -> None:
    found = fed(
        up(1, plain(loose_fragment(7, 1, 0, PIECES[:2]))),
        up(2, plain(loose_fragment(8, 1, 1, [b"xx", b"yy"]))),
        up(3, plain(loose_fragment(7, 1, 1, PIECES[:2]))),
        up(4, plain(loose_fragment(8, 1, 0, [b"xx", b"yy"]))),
    )
    assert [(payload.data, payload.carrier) for payload in found] == [
        (b"abcdef", "ENet unreliable"),
        (b"xxyy", "ENet unreliable"),
    ]


def test_what_never_came_is_told_at_the_end() -> None:
    found = fed(*(up(number + 1, timed(fragment(1, number, PIECES))) for number in (0, 2)))
    assert [payload.delivery for payload in found] == [Delivery.INCOMPLETE]
    assert found[0].note == "Fragment 2 of 3 is missing."
    assert found[0].data == b"abc", "what follows the hole would be read at the wrong place"


def test_a_fragment_that_is_sent_again_is_a_copy() -> None:
    found = fed(*(up(at + 1, timed(fragment(1, number, PIECES))) for at, number in enumerate((0, 1, 1, 2, 2))))
    assert [(payload.delivery, payload.data) for payload in found] == [
        (Delivery.COPY, b"def"),
        (Delivery.WHOLE, b"abcdefgh"),
        (Delivery.COPY, b"gh"),
    ]


def test_a_number_that_comes_round_is_another_packet() -> None:
    found = fed(
        up(1, timed(fragment(1, 0, PIECES))),
        up(2, timed(fragment(1, 0, [b"new", b"one"]))),
        up(3, timed(fragment(1, 1, [b"new", b"one"]))),
    )
    assert [(payload.delivery, payload.data) for payload in found] == [
        (Delivery.INCOMPLETE, b"abc"),
        (Delivery.WHOLE, b"newone"),
    ]


def test_of_unreliable_fragments_only_the_newest_are_waited_for() -> None:
    flows = EnetFlows()
    early = [p for at in range(200) for p in flows.feed(up(at + 1, plain(loose_fragment(0, at, 0, PIECES))))]
    assert len(early) == 136
    assert len(flows.finish()) == 64


def test_a_total_that_lies_costs_nothing() -> None:
    found = fed(up(1, timed(fragment(1, 0, PIECES, count=1 << 20, total=0xFFFFFFFF))))
    assert found[0].data == b"abc"
    assert found[0].note == "1048575 of 1048576 fragments are missing, fragment 2 is the first."


# Damage


def test_data_that_the_capture_cut_are_incomplete() -> None:
    whole = up(1, timed(reliable(1, b"abcdef")))
    cut = Captured(1, 0, CLIENT, SERVER, whole.transport, whole.data[:-2], missing=2)
    found = fed(cut)
    assert [(payload.data, payload.delivery) for payload in found] == [(b"abcd", Delivery.INCOMPLETE)]
    assert found[0].note == "The data of SEND_RELIABLE are cut: 4 of 6 bytes are there. The capture left out 2 bytes."


def test_a_bad_command_ends_the_datagram() -> None:
    found = fed(up(1, timed(reliable(1, b"a"), b"\x00\x00\x00\x00")))
    assert [(payload.delivery, payload.data) for payload in found] == [
        (Delivery.WHOLE, b"a"),
        (Delivery.CONTROL, bytes(4)),
    ]
    assert "no command 0" in found[1].note


# The connection


@pytest.mark.parametrize(
    ("channels", "mtu", "data", "engine"),
    [
        (3, 1400, 77, Engine.GODOT3),
        (9, 1400, 77, Engine.GODOT3),
        (255, 1392, 77, Engine.GODOT4),
        (4, 1392, 77, Engine.GODOT4),
        (3, 1200, 77, None),
        (2, 1392, 9, None),
        (3, 1400, 0, None),
    ],
)
def test_the_call_tells_the_engine(channels: int, mtu: int, data: int, engine: Engine | None) -> None:
    flows = EnetFlows()
    flows.feed(up(4, timed(connect(channels=channels, mtu=mtu, data=data), peer=0xFFF)))
    facts = flows.facts(SERVER, CLIENT)
    assert (facts.server, facts.client_id, facts.engine) == (SERVER, data or None, engine)


def test_who_is_another_slot_than_the_first_was_called() -> None:
    flows = EnetFlows()
    flows.feed(down(1, timed(ping(1))))
    assert flows.facts(CLIENT, SERVER).server is None
    flows.feed(up(2, timed(ping(1), peer=3)))
    assert flows.facts(CLIENT, SERVER).server == SERVER
    assert not flows.facts(CLIENT, SERVER).called


def test_without_the_call_long_fragments_tell_the_engine() -> None:
    flows = EnetFlows()
    flows.feed(up(1, timed(fragment(1, 0, [bytes(1364), bytes(9)]))))
    assert flows.facts(CLIENT, SERVER).engine is Engine.GODOT4


def test_each_frame_belongs_to_the_connection_of_its_time() -> None:
    flows = EnetFlows()
    for number, data in ((1, 50), (20, 60)):
        flows.feed(up(number, timed(connect(data.to_bytes(4, "big"), data=data), peer=0xFFF)))
    assert [flows.facts(CLIENT, SERVER, at).client_id for at in (1, 19, 20, None)] == [50, 50, 60, 60]


def test_a_summed_connection_from_the_middle_proves_itself() -> None:
    captured = udp_datagrams("raw_enet_sum.pcap")[5:7]
    found = fed(*captured, *captured)
    checks = [part.text for part in payload_layers(found[-1])[3].parts if part.name == "checksum"]
    assert checks
    assert checks[0].endswith(", right")


def test_changed_bytes_never_stop_it() -> None:
    end = time.monotonic() + FUZZ_SECONDS
    chance = random.Random(8)
    originals = [one for name in CAPTURES for one in udp_datagrams(name)]
    flows = EnetFlows()
    while time.monotonic() < end:
        one = chance.choice(originals)
        data = bytearray(one.data)
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        changed = bytes(data[: chance.randrange(len(data) + 1)]) if chance.random() < 0.2 else bytes(data)
        for payload in flows.feed(Captured(1, 0, one.source, one.target, one.transport, changed)):
            assert payload_layers(payload)
    flows.finish()
