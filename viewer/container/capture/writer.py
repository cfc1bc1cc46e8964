"""Writer: recorded datagrams as a pcapng file that other programs open."""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct, pack
from typing import Protocol

from viewer.base.record import dataclass
from viewer.container.capture.ip import RAW, UDP, UDP_HEADER, address_of
from viewer.container.capture.records import (
    ENHANCED_PACKET,
    INTERFACE,
    OPTION_END,
    OPTION_RESOLUTION,
    CaptureError,
)
from viewer.container.capture_magic import SECTION
from viewer.container.wire import Endpoint

IPV4_HEADER = 20
MOST_IPV4 = 0xFFFF - IPV4_HEADER - UDP_HEADER
MOST_IPV6 = 0xFFFF - UDP_HEADER
NANOSECONDS = 9
HOPS = 64
MAPPED = bytes(10) + b"\xff\xff"
"""What stands before an address of version 4 that is written in version 6."""
MOST_TICKS = (1 << 64) - 1
_WORDS = Struct("<2I")
_PACKET = Struct("<5I")


class OutgoingDatagram(Protocol):
    """A datagram to write down: anything that says these four."""

    @property
    def time(self) -> int:
        """Nanoseconds since 1970."""

    @property
    def source(self) -> Endpoint:
        """Who sent it."""

    @property
    def target(self) -> Endpoint:
        """To whom."""

    @property
    def data(self) -> bytes:
        """Its bytes."""


@dataclass(frozen=True, slots=True)
class RecordedDatagram:
    """A recorded UDP datagram; *time* in nanoseconds since 1970."""

    time: int
    source: Endpoint
    target: Endpoint
    data: bytes


class CaptureOutput(Protocol):
    """A file open for writing bytes."""

    def write(self, data: bytes, /) -> object:
        """Append bytes."""


class PcapngWriter:
    """Writes a section with one interface at once, and a block for each datagram as it comes.

    Args:
        stream: where to; it is neither flushed nor closed.
    """

    def __init__(self, stream: CaptureOutput) -> None:
        self._stream = stream
        self._identity = 0
        section = pack("<4sHHq", b"\x4d\x3c\x2b\x1a", 1, 0, -1)
        self._block(int.from_bytes(SECTION, "little"), section)
        resolution = pack("<HHB3xHH", OPTION_RESOLUTION, 1, NANOSECONDS, OPTION_END, 0)
        self._block(INTERFACE, pack("<HHI", RAW, 0, 0) + resolution)

    def add(self, time: int, source: Endpoint, target: Endpoint, data: bytes) -> None:
        """Append a UDP datagram.

        Args:
            time: nanoseconds since 1970.
            source, target: the two ends; their hosts are IP addresses.
            data: the bytes it carried.

        Raises:
            CaptureError: a host is no address, a port or time does not fit, or the bytes are too many for UDP.
        """
        if not 0 <= time <= MOST_TICKS:
            raise CaptureError("A capture holds only times from 1970 on.")
        packet = self._packet(source, target, data)
        size = len(packet)
        heading = _PACKET.pack(0, time >> 32, time & 0xFFFFFFFF, size, size)
        self._block(ENHANCED_PACKET, heading + packet + bytes(-size % 4))

    def _block(self, number: int, body: bytes) -> None:
        size = len(body) + 12
        self._stream.write(_WORDS.pack(number, size) + body + size.to_bytes(4, "little"))

    def _packet(self, source: Endpoint, target: Endpoint, data: bytes) -> bytes:
        addresses = _addresses(source, target)
        is_old = len(addresses) == 8
        most = MOST_IPV4 if is_old else MOST_IPV6
        if len(data) > most:
            raise CaptureError(f"A UDP datagram carries at most {most} bytes, and this one has {len(data)}.")
        datagram = _udp(addresses, (source.port, target.port), data)
        if not is_old:
            return pack(">IHBB", 6 << 28, len(datagram), UDP, HOPS) + addresses + datagram
        self._identity = self._identity + 1 & 0xFFFF
        return _ipv4_header(addresses, len(datagram), self._identity) + datagram


def write_pcapng(stream: CaptureOutput, records: Iterable[OutgoingDatagram]) -> None:
    """Write recorded UDP datagrams as a whole pcapng file.

    Raises:
        CaptureError: one of them cannot be written; those before it are.
    """
    writer = PcapngWriter(stream)
    for record in records:
        writer.add(record.time, record.source, record.target, record.data)


def checksum(data: bytes) -> int:
    """The check sum of IP: the ones' complement of the ones' complement sum of all 16-bit words."""
    total = int.from_bytes(data + bytes(len(data) % 2), "big") % 0xFFFF
    # a sum that is no zero but a multiple folds to FFFF, never to 0
    return 0xFFFF - (total or (0xFFFF if any(data) else 0))


def _addresses(source: Endpoint, target: Endpoint) -> bytes:
    """Both hosts in one version of IP; where they differ, that of the older is written in the newer."""
    one, other = _address(source), _address(target)
    if len(one) == len(other):
        return one + other
    return b"".join(address if len(address) == 16 else MAPPED + address for address in (one, other))


def _address(end: Endpoint) -> bytes:
    if not 0 <= end.port <= 0xFFFF:
        raise CaptureError(f"There is no port {end.port}: a port is a number from 0 to 65535.")
    try:
        return address_of(end.host)
    except (OSError, ValueError):
        raise CaptureError(f"“{end.host}” is not an IP address.") from None


def _udp(addresses: bytes, ports: tuple[int, int], data: bytes) -> bytes:
    size = UDP_HEADER + len(data)
    heading = pack(">HHH", *ports, size)
    total = checksum(addresses + pack(">HH", UDP, size) + heading + b"\0\0" + data)
    return heading + pack(">H", total or 0xFFFF) + data  # 0 would mean that there is none


def _ipv4_header(addresses: bytes, size: int, identity: int) -> bytes:
    before = pack(">BBHHHBB", 0x45, 0, IPV4_HEADER + size, identity, 0, HOPS, UDP)
    return before + pack(">H", checksum(before + b"\0\0" + addresses)) + addresses
