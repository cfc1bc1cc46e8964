"""Writing recorded datagrams: what other programs read, and what we read back."""

from __future__ import annotations

import io
from struct import unpack_from

import pytest

from viewer.container.capture import CaptureError, PcapngWriter, RecordedDatagram, open_capture, write_pcapng
from viewer.container.capture.writer import checksum
from viewer.container.wire import Endpoint

A4, B4 = Endpoint("127.0.0.1", 45001), Endpoint("10.1.2.3", 45002)
A6, B6 = Endpoint("::1", 45001), Endpoint("fe80::1", 45002)
NOW = 1_795_250_804_365_593_123
SENT = [
    RecordedDatagram(NOW, A4, B4, b"\x02\x00\x00\x00\x2a\x00\x00\x00"),
    RecordedDatagram(NOW + 1, B4, A4, b""),
    RecordedDatagram(NOW + 2, A6, B6, b"odd"),
    RecordedDatagram(NOW + 3, B6, A6, bytes(65_527)),
    RecordedDatagram(NOW + 4, A4, B4, bytes(65_507)),
]


def written(sent: list[RecordedDatagram]) -> bytes:
    out = io.BytesIO()
    write_pcapng(out, sent)
    return out.getvalue()


def test_what_is_written_is_read_back() -> None:
    found = [RecordedDatagram(one.time, one.source, one.target, one.data) for one in open_capture(written(SENT))]
    assert found == SENT


def test_what_was_captured_can_be_written_again() -> None:
    out = io.BytesIO()
    write_pcapng(out, open_capture(written(SENT)))
    assert out.getvalue() == written(SENT)


def test_every_block_says_its_length_twice_and_fills_whole_words() -> None:
    data, at, kinds = written(SENT), 0, []
    while at < len(data):
        kind, size = unpack_from("<2I", data, at)
        assert size % 4 == 0
        assert unpack_from("<I", data, at + size - 4) == (size,)
        kinds.append(kind)
        at += size
    assert at == len(data)
    assert kinds == [0x0A0D0D0A, 1, 6, 6, 6, 6, 6]


def test_another_reader_finds_the_same_and_its_check_sums_agree() -> None:
    import dpkt

    found = list(dpkt.pcapng.Reader(io.BytesIO(written(SENT))))
    assert len(found) == len(SENT)
    for (_, raw), sent in zip(found, SENT, strict=True):
        packet = dpkt.ip.IP(raw) if raw[0] >> 4 == 4 else dpkt.ip6.IP6(raw)
        assert packet.data.data == sent.data
        assert (packet.data.sport, packet.data.dport) == (sent.source.port, sent.target.port)
        addresses = raw[12:20] if raw[0] >> 4 == 4 else raw[8:40]
        datagram = bytes(packet.data)
        assert checksum(addresses + b"\0\x11" + len(datagram).to_bytes(2, "big") + datagram) == 0
        if raw[0] >> 4 == 4:
            assert checksum(raw[:20]) == 0


def test_a_check_sum_of_zero_is_written_as_ones() -> None:
    # the bytes that make the sum of everything before them a multiple of FFFF
    plain = next(open_capture(written([RecordedDatagram(0, A4, B4, b"\0\0")])))
    assert plain.place is not None
    missing = int.from_bytes(plain.place.before[-2:], "big")
    zero = next(open_capture(written([RecordedDatagram(0, A4, B4, missing.to_bytes(2, "big"))])))
    assert zero.place is not None
    assert zero.place.before[-2:] == b"\xff\xff"


def test_ends_of_two_versions_are_both_written_in_the_newer() -> None:
    found = next(open_capture(written([RecordedDatagram(NOW, A4, A6, b"x")])))
    assert (found.source.host, found.target.host) == ("::ffff:127.0.0.1", "::1")


def test_each_datagram_is_written_as_it_comes() -> None:
    out = io.BytesIO()
    writer = PcapngWriter(out)
    for count, one in enumerate(SENT, 1):
        writer.add(one.time, one.source, one.target, one.data)
        assert len(list(open_capture(out.getvalue()))) == count


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (RecordedDatagram(NOW, Endpoint("example", 1), B4, b""), "“example” is not an IP address"),
        (RecordedDatagram(NOW, Endpoint("127.0.0.1", 70_000), B4, b""), "There is no port 70000"),
        (RecordedDatagram(-1, A4, B4, b""), "from 1970 on"),
        (RecordedDatagram(NOW, A4, B4, bytes(65_508)), "at most 65507 bytes"),
        (RecordedDatagram(NOW, A6, B6, bytes(65_528)), "at most 65527 bytes"),
    ],
)
def test_what_cannot_be_written_says_why(one: RecordedDatagram, sentence: str) -> None:
    with pytest.raises(CaptureError, match=sentence):
        written([one])
