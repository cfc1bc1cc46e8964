"""Captures: from a file to datagrams and segments, over every kind of file and link."""

from __future__ import annotations

import io
import json
from struct import pack

import pytest
from corpus import capture_file
from wires import block, enhanced, ethernet, interface, ipv4, ipv6, pcap, section, tcp, udp

from viewer.container.capture import CaptureError, FrameSkip, is_capture, open_capture, wire_layers
from viewer.container.wire import Captured, Endpoint, Transport

DATA = b"\x02\x00\x00\x00\x2a\x00\x00\x00"
SHORT, LONG = udp(DATA), udp(DATA * 100)
A, B = Endpoint("10.0.0.1", 1000), Endpoint("10.0.0.2", 2000)


def only(capture: bytes) -> Captured:
    """The one datagram of a capture in which nothing is wrong."""
    opened = open_capture(capture)
    found = list(opened)
    assert opened.tally.sentences == ()
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("name", ["udp.pcap", "udp.pcapng", "udp_ipv6.pcap", "udp_ipv6.pcapng", "udp_frag.pcap"])
def test_every_datagram_that_was_sent_comes_out_in_order(name: str) -> None:
    path = capture_file(name)
    sent = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["sent"]
    found = list(open_capture(path.read_bytes()))
    assert [(one.source.port, one.target.port) for one in found] == [(one["sport"], one["dport"]) for one in sent]
    for one, row in zip(found, sent, strict=True):
        assert len(one.data) == row.get("payload_bytes", len(one.data))
        assert one.data.hex() == row.get("payload_hex", one.data.hex())


def test_a_stream_gives_what_a_buffer_gives() -> None:
    path = capture_file("udp_frag.pcap")
    with path.open("rb") as stream:
        assert list(open_capture(stream)) == list(open_capture(path.read_bytes()))


def test_nothing_is_read_before_it_is_asked_for() -> None:
    stream = io.BytesIO(pcap([ethernet(ipv4(LONG))] * 10_000))
    capture = open_capture(stream)
    next(capture)
    assert stream.tell() < 1 << 20
    assert capture.tally.frames == 1


def test_frames_are_numbered_from_one_and_timed_in_nanoseconds() -> None:
    found = list(open_capture(pcap([ethernet(ipv4(SHORT))] * 2)))
    assert [(one.number, one.time) for one in found] == [(1, 1_000_001_000), (2, 2_000_002_000)]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(("magic", "tick"), [(0xA1B2C3D4, 1000), (0xA1B23C4D, 1)])
def test_pcap_comes_in_two_byte_orders_and_two_resolutions(order: str, magic: int, tick: int) -> None:
    found = only(pcap([ethernet(ipv4(SHORT))], order=order, magic=magic))
    assert (found.source, found.target, found.transport, found.data) == (A, B, Transport.UDP, DATA)
    assert found.time == 1_000_000_000 + tick


@pytest.mark.parametrize(
    ("link", "before"),
    [
        (1, bytes(12) + b"\x08\x00"),
        (1, bytes(12) + b"\x81\x00\x00\x05\x08\x00"),
        (1, bytes(12) + b"\x88\xa8\x00\x05\x81\x00\x00\x07\x08\x00"),
        (1, bytes(12) + b"\x00\x40\xaa\xaa\x03\x00\x00\x00\x08\x00"),
        (113, bytes(14) + b"\x08\x00"),
        (276, b"\x08\x00" + bytes(18)),
        (0, b"\x02\x00\x00\x00"),
        (0, b"\x00\x00\x00\x02"),
        (108, b"\x00\x00\x00\x02"),
        (101, b""),
        (12, b""),
        (14, b""),
        (228, b""),
    ],
)
def test_every_link_type_leads_to_the_same_datagram(link: int, before: bytes) -> None:
    found = only(pcap([before + ipv4(SHORT)], link=link))
    assert (found.source, found.target, found.data) == (A, B, DATA)
    layers = wire_layers(found)
    assert [layer.name for layer in layers][-2:] == ["IPv4", "UDP"]
    assert len(layers) == 2 + bool(before)


@pytest.mark.parametrize(
    ("link", "before"), [(229, b""), (101, b""), (0, b"\x1e\x00\x00\x00"), (108, b"\x00\x00\x00\x18")]
)
def test_version_6_comes_over_links_without_a_type(link: int, before: bytes) -> None:
    found = only(pcap([before + ipv6(SHORT)], link=link))
    assert (found.source, found.target, found.data) == (Endpoint("::1", 1000), Endpoint("::2", 2000), DATA)


def test_extension_headers_of_version_6_are_stepped_over() -> None:
    # hop by hop of 8 bytes, then authentication of 24, then options of 16
    extensions = b"\x33\x00" + bytes(6) + b"\x3c\x04" + bytes(22) + b"\x11\x01" + bytes(14)
    found = only(pcap([ethernet(ipv6(extensions + SHORT, protocol=0))]))
    assert found.data == DATA
    assert [part.name for part in wire_layers(found)[1].parts][-3:] == ["extension 0", "extension 51", "extension 60"]


def test_options_of_version_4_are_stepped_over() -> None:
    assert only(pcap([ethernet(ipv4(SHORT, options=b"\x94\x04\x00\x00"))])).data == DATA


def test_fill_behind_a_short_packet_is_no_data() -> None:
    assert only(pcap([ethernet(ipv4(SHORT)) + b"\xff" * 30])).data == DATA


def test_a_tcp_segment_brings_its_marks() -> None:
    found = only(pcap([ethernet(ipv4(tcp(DATA, 7, flags=0x12), protocol=6))]))
    assert (found.transport, found.data) == (Transport.TCP, DATA)
    assert found.tcp is not None
    assert (found.tcp.sequence, found.tcp.syn, found.tcp.ack, found.tcp.fin, found.tcp.rst) == (
        7,
        True,
        True,
        False,
        False,
    )


def test_a_cut_frame_says_how_much_is_missing() -> None:
    capture = open_capture(pcap([ethernet(ipv4(LONG))], kept=96))
    found = list(capture)
    assert [(len(one.data), one.missing) for one in found] == [(54, 746)]
    assert capture.tally.sentences == ("1 frame kept less than was sent.",)


def test_what_is_no_udp_or_tcp_is_counted_with_its_reason() -> None:
    arp = bytes(12) + b"\x08\x06" + bytes(28)
    capture = open_capture(pcap([arp, arp, ethernet(ipv4(bytes(8), protocol=1)), ethernet(ipv4(SHORT))[:30]]))
    assert list(capture) == []
    tally = capture.tally
    assert (
        tally.frames,
        tally.of(FrameSkip.NOT_IP),
        tally.of(FrameSkip.OTHER_PROTOCOL),
        tally.of(FrameSkip.CUT_HEADER),
    ) == (
        4,
        2,
        1,
        1,
    )
    assert tally.sentences == (
        "2 frames carried no IP (ARP, for example).",
        "1 frame carried IP protocol 1, neither UDP nor TCP.",
        "1 frame ended within the headers.",
    )


def test_an_unknown_link_type_is_named() -> None:
    capture = open_capture(pcap([bytes(60)], link=105))
    assert list(capture) == []
    assert capture.tally.sentences == ("1 frame came over link type 105, which is not read.",)


def test_pcapng_reads_each_interface_with_its_own_clock_and_link() -> None:
    nano = pack("<HHB3x", 9, 1, 9) + bytes(4)
    binary = pack("<HHB3x", 9, 1, 0x80 | 10) + pack("<HHq", 14, 8, 100) + bytes(4)
    capture = (
        section()
        + interface()
        + interface(101, nano)
        + interface(101, binary)
        + enhanced(ethernet(ipv4(SHORT)), 5, 0)
        + block(0x0BAD, b"something else")
        + enhanced(ipv4(SHORT), 5 << 32, 1)
        + enhanced(ipv4(SHORT), 512, 2)
    )
    found = list(open_capture(capture))
    assert [one.time for one in found] == [5_000, 5 << 32, 100_500_000_000]
    assert [one.data for one in found] == [DATA] * 3


def test_pcapng_reads_simple_and_old_packet_blocks() -> None:
    frame = ethernet(ipv4(SHORT))
    simple = block(3, pack("<I", len(frame)) + frame)
    old = block(2, pack("<HHIIII", 0, 0xFFFF, 0, 7, len(frame), len(frame)) + frame)
    found = list(open_capture(section() + interface() + old + simple))
    assert [(one.time, one.data) for one in found] == [(7_000, DATA), (7_000, DATA)]


def test_a_simple_packet_block_is_cut_where_its_interface_cuts() -> None:
    frame = ethernet(ipv4(SHORT))
    found = list(open_capture(section() + interface(snap=44) + block(3, pack("<I", len(frame)) + frame[:44])))
    assert [(one.data, one.missing) for one in found] == [(DATA[:2], 6)]


def test_a_second_section_may_have_another_byte_order_and_forgets_the_interfaces() -> None:
    first = section() + interface(101) + enhanced(ipv4(SHORT))
    second = section(">") + interface(1, order=">") + enhanced(ethernet(ipv4(SHORT)), order=">")
    assert [one.data for one in open_capture(first + second)] == [DATA, DATA]


def test_the_layers_of_a_captured_datagram_tile_its_headers() -> None:
    for one in open_capture(capture_file("udp_ipv6.pcapng").read_bytes()):
        layers = wire_layers(one)
        assert [layer.name for layer in layers] == ["Ethernet", "IPv6", "UDP"]
        for outer, inner in zip(layers, (*(layer.data for layer in layers[1:]), one.data), strict=True):
            assert outer.inside is not None
            assert outer.data[outer.inside.start : outer.inside.end] == (inner if isinstance(inner, bytes) else b"")
            ends = [0, *(part.span.end for part in outer.parts)]
            assert [part.span.start for part in outer.parts] == ends[:-1]
            assert ends[-1] == outer.inside.start


@pytest.mark.parametrize("name", ["udp.pcap", "udp.pcapng", "udp_nano.pcap"])
def test_captures_are_recognised_by_their_first_bytes(name: str) -> None:
    assert is_capture(capture_file(name).read_bytes()[:12])


@pytest.mark.parametrize("start", [b"", b"\x04\x00\x00\x00", b"GDEC", b"\x0a\x0d\x0d\x0a" + bytes(8)])
def test_other_files_are_no_captures(start: bytes) -> None:
    assert not is_capture(start)
    with pytest.raises(CaptureError, match="neither pcap nor pcapng"):
        open_capture(start)
