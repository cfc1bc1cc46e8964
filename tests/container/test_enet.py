"""ENet datagrams: reading them, naming their bytes, and telling them from anything else."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable

import pytest
import zstandard
from container.enet_wire import (
    CAPTURES,
    acknowledge,
    connect,
    fragment,
    ping,
    plain,
    reliable,
    timed,
    udp_datagrams,
    unreliable,
    unsequenced,
)
from corpus import vector_bytes, vectors

from viewer.container import fastlz
from viewer.container.enet.datagram_inflate import Algorithm, InflateError, inflate
from viewer.container.enet.enet_layers import datagram_layers, datagram_parts
from viewer.container.enet.protocol import (
    Check,
    DatagramStyle,
    EnetDatagram,
    checksum,
    connect_id,
    connect_id_of,
    is_enet,
    read_datagram,
)
from viewer.container.enet.range_coder import compress
from viewer.container.wire import LayerField

Packer = Callable[[bytes], bytes]
PACKERS = [
    (Algorithm.ZLIB, zlib.compress),
    (Algorithm.ZSTD, zstandard.ZstdCompressor().compress),
    (Algorithm.FASTLZ, fastlz.compress),
    (Algorithm.RANGE_CODER, compress),
]
TEXT = b"the same again, and the same again, and the same again, and the same again"


def named(parts: tuple[LayerField, ...], name: str) -> str:
    """The text of the first part of a name."""
    return next(part.text for part in parts if part.name == name)


def covers(parts: tuple[LayerField, ...], size: int) -> bool:
    """Whether parts name every byte, in order; only bits may share bytes."""
    at = 0
    for part in parts:
        if part.span.start > at or part.span.end > size:
            return False
        at = max(at, part.span.end)
    return at == size


# Reading


@pytest.mark.parametrize("name", CAPTURES)
def test_every_datagram_of_a_capture_is_known(name: str) -> None:
    payloads = [captured.data for captured in udp_datagrams(name) if is_enet(captured.data)]
    others = len(udp_datagrams(name)) - len(payloads)
    assert payloads
    assert others == (24 if name == "g4_put_var.pcap" else 0), "that one sends bare values beside"


@pytest.mark.parametrize("name", CAPTURES)
def test_every_byte_of_a_datagram_has_a_name(name: str) -> None:
    for captured in udp_datagrams(name):
        datagram = read_datagram(captured.data)
        assert covers(datagram_parts(datagram), len(datagram.body))
        assert all(covers(layer.parts, len(layer.data)) for layer in datagram_layers(datagram))


def test_the_header_is_told_bit_by_bit() -> None:
    parts = datagram_parts(read_datagram(timed(reliable(2, b"hi"), peer=0x3005, clock=0x432A)))
    assert [named(parts, name) for name in ("flags", "session", "peer id", "sent time")] == [
        "time follows",
        "3",
        "5",
        "17194 ms",
    ]


def test_fields_are_named_and_told() -> None:
    parts = datagram_parts(read_datagram(timed(connect(), peer=0xFFF)))
    assert named(parts, "MTU") == "1400 bytes"
    assert named(parts, "peer id") == named(parts, "in-session") == "none yet"
    assert named(parts, "connect id") == "0x01020304"
    assert parts[-1].name == "data"
    assert parts[-1].text == "77"


def test_commands_before_a_bad_one_are_kept() -> None:
    datagram = read_datagram(timed(reliable(1, b"abc"), b"\x8f\x01\x00\x02"))
    assert [command.kind.name for command in datagram.commands] == ["SEND_RELIABLE"]
    assert datagram.problem == "ENet has no command 15, and stops reading here."
    assert covers(datagram_parts(datagram), len(datagram.body))


@pytest.mark.parametrize("size", range(50))
def test_a_cut_datagram_says_so(size: int) -> None:
    whole = timed(ping(1), connect())
    datagram = read_datagram(whole[:size])
    assert datagram.problem or size == len(timed(ping(1)))
    assert not is_enet(whole[:size]) or size == len(timed(ping(1)))


# Compression


@pytest.mark.parametrize(("algorithm", "pack"), PACKERS)
def test_the_algorithm_is_found(algorithm: Algorithm, pack: Packer) -> None:
    plainly = timed(reliable(1, TEXT), unsequenced(2, TEXT))
    packed = bytes([plainly[0] | 0x40]) + plainly[1:4] + pack(plainly[4:])
    datagram = read_datagram(packed)
    assert is_enet(packed)
    assert datagram.algorithm is algorithm
    assert datagram.body == plainly[4:]
    assert [layer.name for layer in datagram_layers(datagram)] == ["ENet", f"ENet, inflated ({algorithm.value})"]


@pytest.mark.parametrize(("algorithm", "pack"), PACKERS)
def test_no_more_is_inflated_than_enet_does(algorithm: Algorithm, pack: Packer) -> None:
    assert inflate(algorithm, pack(bytes(4096))) == bytes(4096)
    with pytest.raises(InflateError):
        inflate(algorithm, pack(bytes(4097)))


@pytest.mark.parametrize(("algorithm", "pack"), PACKERS[:2])
def test_a_stream_ends_where_the_datagram_does(algorithm: Algorithm, pack: Packer) -> None:
    for damaged in (pack(TEXT)[:-3], pack(TEXT) + b"abc"):
        with pytest.raises(InflateError):
            inflate(algorithm, damaged)


def test_what_nothing_inflates_is_said() -> None:
    datagram = read_datagram(bytes.fromhex("4000 78da ffffffffffff"))
    assert not datagram.commands
    assert "compressed" in datagram.problem
    assert all(covers(layer.parts, len(layer.data)) for layer in datagram_layers(datagram))


# Checksums


def test_the_checksums_of_the_library_are_right() -> None:
    known = None
    for captured in udp_datagrams("raw_enet_sum.pcap"):
        datagram = read_datagram(captured.data)
        known = next((connect_id(datagram.body, c) for c in datagram.commands if c.kind.number == 3), known)
        assert datagram.check(known) is Check.RIGHT


def test_a_checksum_tells_the_connect_id_it_was_made_with() -> None:
    body = timed(ping(7))
    found = checksum(body[:4], b"\x9a\0\xff\x31", body[4:])
    assert connect_id_of(body[:4], found, body[4:]) == b"\x9a\0\xff\x31"


def test_a_changed_byte_makes_the_checksum_wrong() -> None:
    data = bytearray(udp_datagrams("raw_enet_sum.pcap")[0].data)
    data[-1] ^= 1
    assert read_datagram(bytes(data), DatagramStyle(summed=True)).check(None) is Check.WRONG
    assert not is_enet(bytes(data))


def test_without_the_connect_id_a_checksum_stays_open() -> None:
    summed = [read_datagram(captured.data) for captured in udp_datagrams("raw_enet_sum.pcap")]
    ordinary = next(datagram for datagram in summed if datagram.own_id() is None)
    assert ordinary.check(None) is Check.OPEN
    assert "cannot be checked" in named(datagram_parts(ordinary, ordinary.check(None)), "checksum")


# Telling it from others


@pytest.mark.parametrize(
    "data",
    [
        plain(reliable(1, b"a")),  # wants to be acknowledged, and brings no time
        timed(unreliable(1, b"a")),  # brings a time that nobody needs
        timed(reliable(1, b"a"), peer=0xFFF),  # speaks before it is connected
        timed(reliable(1, b"a", channel=255)),
        timed(connect(mtu=100), peer=0xFFF),
        timed(connect(channels=0), peer=0xFFF),
        timed(fragment(1, 1, [b"a", b"b"], total=1)),
        timed(fragment(1, 1, [b"a", b"b"], count=1)),
        plain(acknowledge(1, 2)[:-3] + b"\7\0\0"),  # acknowledges another than it says
        timed(reliable(1, b"a")) + b"\0",
        timed(*(reliable(number, b"") for number in range(33))),
        plain(),
        b"",
    ],
)
def test_what_enet_does_not_write_is_not_taken_for_it(data: bytes) -> None:
    assert not is_enet(data)


def test_random_bytes_are_not_taken_for_it() -> None:
    chance = random.Random(1)
    assert not any(is_enet(chance.randbytes(chance.randrange(2, 300))) for _ in range(5000))


@pytest.mark.parametrize("folder", ["godot3", "godot4"])
def test_bare_values_are_not_taken_for_it(folder: str) -> None:
    assert not any(is_enet(vector_bytes(row)) for row in vectors(folder))


def test_datagrams_of_put_packet_are_not_taken_for_it() -> None:
    assert not any(is_enet(captured.data) for captured in udp_datagrams("udp.pcap"))


def read(data: bytes) -> EnetDatagram:
    """Read and explain, as a person who looks at it would have it done."""
    datagram = read_datagram(data)
    datagram_layers(datagram)
    return datagram


def test_every_prefix_and_every_changed_byte_is_read() -> None:
    for captured in udp_datagrams("enet_rpc_rangecoder.pcap")[:20]:
        data = captured.data
        for at in range(0, len(data), 3):
            changed = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
            for damaged in (data[:at], changed):
                datagram = read(damaged)
                assert covers(datagram_parts(datagram), len(datagram.body)) or datagram.header is None
