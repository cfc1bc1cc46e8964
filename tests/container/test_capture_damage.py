"""Captures that are damaged, cut or made to harm; and datagrams that came in fragments."""

from __future__ import annotations

import os
import random
import time

import pytest
from corpus import capture_file
from wires import block, enhanced, ethernet, fragments, interface, ipv4, ipv6, pcap, section, udp

from viewer.container.capture import CaptureError, FrameSkip, open_capture, wire_layers
from viewer.container.tcp_stream import TcpStreams
from viewer.container.websocket import WebSocketStream
from viewer.container.wire import Captured

BODY = bytes(range(256)) * 10
WHOLE = udp(BODY)
PARTS = fragments(WHOLE, [800, 800, 968])
SECONDS = float(os.environ.get("FUZZ_SECONDS", "3"))


def read(capture: bytes) -> tuple[list[Captured], tuple[str, ...]]:
    opened = open_capture(capture)
    return list(opened), opened.tally.sentences


def joined(packets: list[bytes]) -> list[bytes]:
    return [one.data for one in open_capture(pcap(packets, link=101))]


# Files


def test_a_capture_cut_within_a_frame_gives_what_is_there() -> None:
    found, sentences = read(pcap([ethernet(ipv4(WHOLE))] * 2)[:-100])
    assert [(len(one.data), one.missing) for one in found] == [(2560, 0), (2460, 100)]
    assert sentences[0] == "The capture ends within a frame: 100 of its bytes are missing."


def test_a_frame_that_says_it_is_huge_ends_the_reading() -> None:
    good = pcap([ethernet(ipv4(WHOLE))])
    found, sentences = read(good + bytes(8) + b"\xff\xff\xff\x7f" * 2)
    assert len(found) == 1
    assert sentences == (f"The frame at byte {len(good)} says it is 2147483647 bytes long: the capture is damaged.",)


@pytest.mark.parametrize("size", [0, 8, 13, 0xFFFFFFFC])
def test_a_block_that_lies_about_its_size_ends_the_reading(size: int) -> None:
    start = section() + interface() + enhanced(ethernet(ipv4(WHOLE)))
    found, sentences = read(start + b"\x06\x00\x00\x00" + size.to_bytes(4, "little") + bytes(40))
    assert len(found) == 1
    assert sentences == (f"The block at byte {len(start)} says it is {size} bytes long: the capture is damaged.",)


def test_a_block_with_two_lengths_is_told_and_read() -> None:
    capture = bytearray(section() + interface() + enhanced(ethernet(ipv4(WHOLE))) * 2)
    capture[-1] = 1
    found, sentences = read(bytes(capture))
    assert len(found) == 2
    assert sentences[0].endswith("says two different lengths: the capture is damaged.")


def test_a_frame_of_an_interface_that_is_not_described_is_counted() -> None:
    opened = open_capture(section() + interface() + enhanced(ethernet(ipv4(WHOLE)), number=3))
    assert list(opened) == []
    assert opened.tally.of(FrameSkip.NO_INTERFACE) == 1


def test_a_packet_block_too_short_for_its_fields_is_told() -> None:
    found, sentences = read(section() + interface() + block(6, bytes(8)))
    assert found == []
    assert "shorter than what it should hold" in sentences[0]


def test_headers_that_contradict_themselves_are_damaged() -> None:
    short_udp = udp(b"abcd")[:4] + b"\x00\x04" + bytes(6)
    opened = open_capture(pcap([ethernet(ipv4(short_udp)), ethernet(b"\x41" + ipv4(WHOLE)[1:])]))
    assert list(opened) == []
    assert opened.tally.damaged == 2


def test_a_datagram_shorter_than_it_says_has_bytes_missing() -> None:
    cut = ethernet(ipv4(udp(b"abcdefgh")))[:-3]
    found, _ = read(pcap([cut]))
    assert [(one.data, one.missing) for one in found] == [(b"abcde", 3)]


# Fragments


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 0, 1, 1, 2)])
def test_fragments_come_together_in_any_order(order: tuple[int, ...]) -> None:
    assert joined([PARTS[at] for at in order]) == [BODY]


def test_the_number_is_that_of_the_frame_that_completed_it() -> None:
    one = next(open_capture(pcap([PARTS[0], ipv4(bytes(8), protocol=1), PARTS[1], PARTS[2]], link=101)))
    assert (one.number, one.time) == (4, 4_000_004_000)
    layers = wire_layers(one)
    assert [(layer.name, layer.inside is None) for layer in layers] == [("IPv4", True), ("UDP", False)]
    assert layers[1].data == WHOLE


def test_fragments_of_version_6_come_together() -> None:
    def part(at: int, end: int, more: int) -> bytes:
        return ipv6(b"\x11\x00" + (at | more).to_bytes(2, "big") + b"\x00\x00\x00\x09" + WHOLE[at:end], protocol=44)

    assert joined([part(800, len(WHOLE), 0), part(0, 800, 1)]) == [BODY]


def test_a_lone_fragment_of_version_6_is_a_whole_datagram() -> None:
    assert joined([ipv6(b"\x11\x00\x00\x00\x00\x00\x00\x09" + WHOLE, protocol=44)]) == [BODY]


def test_equal_bytes_may_overlap_and_others_spoil_the_datagram() -> None:
    again = ipv4(WHOLE[400:1200], place=0x2000 | 50)
    assert joined([PARTS[0], again, PARTS[1], PARTS[2]]) == [BODY]
    forged = ipv4(b"\xff" * 800, place=0x2000 | 50)
    opened = open_capture(pcap([PARTS[0], forged, PARTS[1], PARTS[2]], link=101))
    assert list(opened) == []
    assert opened.tally.of(FrameSkip.OVERLAP) == 4


def test_a_fragment_beyond_the_largest_datagram_spoils_it() -> None:
    assert joined([PARTS[0], ipv4(bytes(800), place=0x1FFF)]) == []


def test_a_datagram_that_never_gets_whole_gives_its_beginning_at_the_end() -> None:
    opened = open_capture(pcap([PARTS[0], PARTS[2]], link=101))
    assert [(one.data, one.missing) for one in opened] == [(BODY[:792], 1768)]
    assert opened.tally.sentences == ("Datagrams with fragments missing: 1.",)


def test_fragments_that_the_capture_cut_give_what_is_before_the_cut() -> None:
    found = list(open_capture(pcap(PARTS, link=101, kept=500)))
    assert [(one.data, one.missing) for one in found] == [(BODY[:472], 2088)]


def test_fragments_are_given_up_after_half_a_minute() -> None:
    other = fragments(WHOLE, [800, 800, 968], identity=2)
    found = list(open_capture(pcap([PARTS[0], *[ipv4(udp(b""))] * 40, *other], link=101)))
    assert [len(one.data) for one in found if one.data] == [792, 2560]


def test_very_many_unfinished_datagrams_hold_little() -> None:
    lone = [ipv4(bytes(8), identity=at & 0xFFFF, place=0x2000 | 0x1FF0) for at in range(20_000)]
    opened = open_capture(
        pcap([frame[:15] + bytes([at >> 16 & 255]) + frame[16:] for at, frame in enumerate(lone)], link=101)
    )
    assert list(opened) == []
    assert opened.tally.of(FrameSkip.FRAGMENT) == 20_000


# Whatever comes


def drain(capture: bytes) -> None:
    """Read a capture as far down as this room goes."""
    try:
        opened = open_capture(capture)
    except CaptureError:
        return
    streams, sockets = TcpStreams(), WebSocketStream(midway=True)
    for captured in opened:
        assert captured.missing >= 0
        for layer in wire_layers(captured):
            assert all(0 <= part.span.start <= part.span.end <= len(layer.data) for part in layer.parts)
        for chunk in streams.feed(captured):
            assert chunk.lost >= 0
            for message in sockets.feed(chunk.data, chunk.lost):
                assert message.layers
    streams.finish(), sockets.finish()
    assert all(opened.tally.sentences)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """A capture with some of its bytes changed, lost, doubled or made to lie."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(out))
        kind = rng.randrange(5)
        if kind == 0:
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            out[at : at + 4] = rng.choice([b"\xff" * 4, bytes(4), b"\xff\xff\xff\x7f", rng.randbytes(4)])
        elif kind == 2:
            del out[at : at + rng.randint(1, 64)]
        elif kind == 3:
            out[at:at] = out[max(0, at - rng.randint(1, 200)) : at]
        else:
            del out[max(at, 24) :]
        out = out or bytearray(b"\0")
    return bytes(out)


def test_no_damage_raises_or_hangs() -> None:
    names = ["udp.pcap", "udp.pcapng", "udp_ipv6.pcapng", "udp_frag.pcap", "websocket.pcap", "g4_put_var.pcap"]
    whole = [capture_file(name).read_bytes() for name in names]
    rng = random.Random(3)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        drain(mutated(rng.choice(whole), rng))
