"""Frames and capture files written by hand, for what no captured file holds."""

from __future__ import annotations

from struct import pack

ETHERNET, RAW = 1, 101
NO_ADDRESSES = bytes(12)


def pcap(
    frames: list[bytes], link: int = ETHERNET, order: str = "<", magic: int = 0xA1B2C3D4, kept: int = 1 << 18
) -> bytes:
    """A pcap file; frame number n has the time n seconds and n ticks. Of longer frames, *kept* bytes are kept."""
    out = [pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, kept, link)]
    for number, frame in enumerate(frames, 1):
        cut = frame[:kept]
        out.append(pack(f"{order}4I", number, number, len(cut), len(frame)) + cut)
    return b"".join(out)


def block(number: int, body: bytes, order: str = "<") -> bytes:
    """A block of pcapng, filled up to whole words."""
    size = 12 + len(body) + -len(body) % 4
    return pack(f"{order}2I", number, size) + body + bytes(-len(body) % 4) + pack(f"{order}I", size)


def section(order: str = "<") -> bytes:
    """The block that a section of pcapng begins with."""
    return block(0x0A0D0D0A, pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(link: int = ETHERNET, options: bytes = b"", order: str = "<", snap: int = 0) -> bytes:
    """The block that describes an interface."""
    return block(1, pack(f"{order}HHI", link, 0, snap) + options, order)


def enhanced(frame: bytes, ticks: int = 0, number: int = 0, order: str = "<") -> bytes:
    """The block of a frame."""
    size = len(frame)
    return block(6, pack(f"{order}5I", number, ticks >> 32, ticks & 0xFFFFFFFF, size, size) + frame, order)


def udp(data: bytes, ports: tuple[int, int] = (1000, 2000)) -> bytes:
    """A UDP datagram without a check sum."""
    return pack(">4H", *ports, 8 + len(data), 0) + data


def tcp(data: bytes, sequence: int, flags: int = 0x10, ports: tuple[int, int] = (1000, 2000)) -> bytes:
    """A TCP segment; the flags are FIN 1, SYN 2, RST 4, ACK 16."""
    return pack(">HHIIBBHHH", *ports, sequence & 0xFFFFFFFF, 0, 0x50, flags, 0xFFFF, 0, 0) + data


def ipv4(inside: bytes, protocol: int = 17, options: bytes = b"", identity: int = 1, place: int = 0) -> bytes:
    """A packet from 10.0.0.1 to 10.0.0.2; *place* is the word with the flags and the offset of a fragment."""
    heading = 20 + len(options)
    fields = (0x40 | heading // 4, 0, heading + len(inside), identity, place, 64, protocol, 0)
    return pack(">BBHHHBBH", *fields) + bytes([10, 0, 0, 1, 10, 0, 0, 2]) + options + inside


def ipv6(inside: bytes, protocol: int = 17) -> bytes:
    """A packet from ::1 to ::2."""
    return pack(">IHBB", 6 << 28, len(inside), protocol, 64) + bytes(15) + b"\1" + bytes(15) + b"\2" + inside


def ethernet(packet: bytes, before: bytes = b"") -> bytes:
    """A frame; tags and the like stand *before* the type."""
    kind = b"\x08\x00" if packet[0] >> 4 == 4 else b"\x86\xdd"
    return NO_ADDRESSES + before + kind + packet


def fragments(inside: bytes, sizes: list[int], identity: int = 1) -> list[bytes]:
    """IPv4 packets with the parts of a datagram, each of a multiple of 8 bytes but the last."""
    packets, at = [], 0
    for size in sizes:
        more = 0x2000 if at + size < len(inside) else 0
        packets.append(ipv4(inside[at : at + size], identity=identity, place=more | at // 8))
        at += size
    return packets
