"""ENet for tests: captures of real engines, and the writing of datagrams."""

from __future__ import annotations

import struct

from corpus import capture_file

from viewer.container.capture import open_capture
from viewer.container.wire import Captured, Endpoint, Transport

CLIENT = Endpoint("127.0.0.1", 40000)
SERVER = Endpoint("127.0.0.1", 45200)
CAPTURES = (
    "enet_putvar_none.pcap",
    "enet_putvar_rangecoder.pcap",
    "enet_rpc_none.pcap",
    "enet_rpc_rangecoder.pcap",
    "g3_enet_relay.pcap",
    "g42_enet_none.pcap",
    "g4_enet_fastlz.pcap",
    "g4_enet_none.pcap",
    "g4_put_var.pcap",
    "raw_enet_sum.pcap",
)


def udp_datagrams(name: str) -> list[Captured]:
    """The UDP datagrams of a capture."""
    packets = open_capture(capture_file(name).read_bytes())
    return [captured for captured in packets if captured.transport is Transport.UDP]


def up(number: int, data: bytes) -> Captured:
    """A datagram to the server; frames are a millisecond apart."""
    return Captured(number, number * 10**6, CLIENT, SERVER, Transport.UDP, data)


def down(number: int, data: bytes) -> Captured:
    """A datagram to the client."""
    return Captured(number, number * 10**6, SERVER, CLIENT, Transport.UDP, data)


def timed(*commands: bytes, peer: int = 0, clock: int = 1) -> bytes:
    """A datagram with its sent time."""
    return struct.pack(">HH", 0x8000 | peer, clock) + b"".join(commands)


def plain(*commands: bytes, peer: int = 0) -> bytes:
    """A datagram that wants no acknowledgement."""
    return struct.pack(">H", peer) + b"".join(commands)


def connect(connect_id: bytes = b"\1\2\3\4", channels: int = 3, mtu: int = 1400, data: int = 77) -> bytes:
    """The command CONNECT."""
    terms = struct.pack(">HBBIIIIIIII", 0, 255, 255, mtu, 65536, channels, 0, 0, 5000, 2, 2)
    return struct.pack(">BBH", 0x82, 255, 1) + terms + connect_id + struct.pack(">I", data)


def verify(connect_id: bytes = b"\1\2\3\4", slot: int = 0, mtu: int = 1400) -> bytes:
    """The command VERIFY_CONNECT."""
    terms = struct.pack(">HBBIIIIIIII", slot, 0, 0, mtu, 65536, 3, 0, 0, 5000, 2, 2)
    return struct.pack(">BBH", 0x83, 255, 1) + terms + connect_id


def ping(sequence: int) -> bytes:
    """The command PING."""
    return struct.pack(">BBH", 0x85, 255, sequence)


def acknowledge(sequence: int, clock: int, channel: int = 1) -> bytes:
    """The command ACKNOWLEDGE."""
    return struct.pack(">BBHHH", 0x01, channel, sequence, sequence, clock)


def reliable(sequence: int, data: bytes, channel: int = 1) -> bytes:
    """The command SEND_RELIABLE."""
    return struct.pack(">BBHH", 0x86, channel, sequence & 0xFFFF, len(data)) + data


def unreliable(sequence: int, data: bytes) -> bytes:
    """The command SEND_UNRELIABLE."""
    return struct.pack(">BBHHH", 0x07, 2, 0, sequence, len(data)) + data


def unsequenced(group: int, data: bytes) -> bytes:
    """The command SEND_UNSEQUENCED."""
    return struct.pack(">BBHHH", 0x49, 2, 0, group, len(data)) + data


def fragment(first: int, number: int, pieces: list[bytes], count: int = 0, total: int = 0) -> bytes:
    """The command SEND_FRAGMENT for one of some pieces; *count* and *total* are what it claims instead of the truth."""
    head = struct.pack(">BBH", 0x88, 1, first + number & 0xFFFF)
    return head + _piece(first, number, pieces, count, total)


def loose_fragment(sequence: int, first: int, number: int, pieces: list[bytes]) -> bytes:
    """The command SEND_UNRELIABLE_FRAGMENT."""
    return struct.pack(">BBH", 0x0C, 1, sequence) + _piece(first, number, pieces)


def _piece(first: int, number: int, pieces: list[bytes], count: int = 0, total: int = 0) -> bytes:
    sizes = count or len(pieces), number, total or sum(map(len, pieces)), sum(map(len, pieces[:number]))
    return struct.pack(">HHIIII", first, len(pieces[number]), *sizes) + pieces[number]
