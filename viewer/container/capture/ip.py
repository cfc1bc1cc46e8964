"""IP: the packet in a frame, version 4 or 6, down to what it carries."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

from viewer.base.record import dataclass, field
from viewer.container.capture.capture_tally import CaptureTally, FrameSkip
from viewer.container.capture.records import Record
from viewer.container.wire import Endpoint, TcpMarks, Transport

HOP_BY_HOP, TCP, UDP, ROUTING, FRAGMENT, AUTHENTICATION, OPTIONS = 0, 6, 17, 43, 44, 51, 60
MOBILITY, HOST_IDENTITY, SHIM = 135, 139, 140
EXTENSIONS = frozenset((HOP_BY_HOP, ROUTING, OPTIONS, AUTHENTICATION, MOBILITY, HOST_IDENTITY, SHIM))
LARGEST = 0xFFFF
FRAGMENT_SIZE = 8
_V4 = Struct(">BxHHHxB2x4s4s").unpack_from
_V6 = Struct(">4xHBx16s16s").unpack_from
_FRAGMENT = Struct(">BxHI").unpack_from


class IpFragment(NamedTuple):
    """Which part of a datagram a packet carries.

    Args:
        identity: the number that all parts share.
        offset: bytes before this part.
        more: whether others follow.
    """

    identity: int
    offset: int
    more: bool


class IpPacket(NamedTuple):
    """An IP packet; offsets in its frame.

    Args:
        source, target: addresses, 4 or 16 bytes.
        protocol: what it carries.
        start, end: where that lies, as the header says; the frame may be cut before *end*.
        fragment: which part of a datagram it is, None for a whole one.
    """

    source: bytes
    target: bytes
    protocol: int
    start: int
    end: int
    fragment: IpFragment | None


def packet_at(frame: bytes, at: int) -> IpPacket | FrameSkip:
    """The packet at *at*, or why it cannot be read."""
    if at >= len(frame):
        return FrameSkip.CUT_HEADER
    version = frame[at] >> 4
    if version == 4:
        return _version_4(frame, at)
    return _version_6(frame, at) if version == 6 else FrameSkip.DAMAGED


def past_extensions(data: bytes, protocol: int, at: int) -> tuple[int, int] | FrameSkip:
    """Step over the extension headers of version 6: the protocol behind them, and where it begins."""
    while protocol in EXTENSIONS:
        if at + 8 > len(data):
            return FrameSkip.CUT_HEADER
        protocol, at = data[at], at + extension_size(data, protocol, at)
    return protocol, at


def extension_size(data: bytes, protocol: int, at: int) -> int:
    """The bytes of an extension or fragment header of version 6, as its second byte says."""
    if protocol == FRAGMENT:
        return FRAGMENT_SIZE
    units = data[at + 1]
    return (units + 2) * 4 if protocol == AUTHENTICATION else (units + 1) * 8


def _version_4(frame: bytes, at: int) -> IpPacket | FrameSkip:
    if len(frame) < at + 20:
        return FrameSkip.CUT_HEADER
    first, size, identity, place, protocol, source, target = _V4(frame, at)
    heading = (first & 0x0F) * 4
    size = size or len(frame) - at  # 0: the network card cut the packet up later
    if heading < 20 or size < heading:
        return FrameSkip.DAMAGED
    fragment = None
    if place & 0x3FFF:  # more follow, or some went before
        fragment = IpFragment(identity, (place & 0x1FFF) * 8, bool(place & 0x2000))
    return IpPacket(source, target, protocol, at + heading, at + size, fragment)


def _version_6(frame: bytes, at: int) -> IpPacket | FrameSkip:
    if len(frame) < at + 40:
        return FrameSkip.CUT_HEADER
    size, protocol, source, target = _V6(frame, at)
    start = at + 40
    end = start + size if size else len(frame)  # 0: a jumbogram, or the network card cut the packet up later
    if protocol != UDP and protocol != TCP:
        found = _past_extensions_until(frame, protocol, start, end)
        if isinstance(found, FrameSkip):
            return found
        protocol, start = found
    if protocol == FRAGMENT:
        return _fragment_of_6(frame, source, target, start, end)
    return IpPacket(source, target, protocol, start, end, None)


def _fragment_of_6(frame: bytes, source: bytes, target: bytes, start: int, end: int) -> IpPacket | FrameSkip:
    """A packet with a fragment header at *start*, which may say that it is whole."""
    if start + FRAGMENT_SIZE > len(frame):
        return FrameSkip.CUT_HEADER
    if start + FRAGMENT_SIZE > end:
        return FrameSkip.DAMAGED
    protocol, place, identity = _FRAGMENT(frame, start)
    start += FRAGMENT_SIZE
    if place & 0xFFF9:
        fragment = IpFragment(identity, place & 0xFFF8, bool(place & 1))
        return IpPacket(source, target, protocol, start, end, fragment)
    found = _past_extensions_until(frame, protocol, start, end)
    return found if isinstance(found, FrameSkip) else IpPacket(source, target, *found, end, None)


def _past_extensions_until(frame: bytes, protocol: int, at: int, end: int) -> tuple[int, int] | FrameSkip:
    """Step over extension headers that must not reach beyond *end*."""
    found = past_extensions(frame, protocol, at)
    return FrameSkip.DAMAGED if not isinstance(found, FrameSkip) and found[1] > end else found


# Links: where the IP packet of a frame begins, for each link type.

NULL, ETHERNET, RAW_BSD, RAW_OPENBSD, RAW = 0, 1, 12, 14, 101
LOOP, COOKED, IPV4, IPV6, COOKED_2 = 108, 113, 228, 229, 276
TYPE_IPV4, TYPE_IPV6 = 0x0800, 0x86DD
VLAN_TAGS = frozenset((0x8100, 0x88A8, 0x9100, 0x9200))
FIRST_ETHERTYPE = 1536
"""Smaller numbers in the type field of an Ethernet frame are lengths."""
SNAP = b"\xaa\xaa\x03\0\0\0"
MOST_TAGS = 8
LINK_NAMES = {
    NULL: "Loopback",
    LOOP: "Loopback",
    ETHERNET: "Ethernet",
    COOKED: "Linux cooked",
    COOKED_2: "Linux cooked 2",
}
_RAW = frozenset((RAW_BSD, RAW_OPENBSD, RAW, IPV4, IPV6))
_TYPE_AT = {ETHERNET: 12, COOKED: 14, COOKED_2: 0}
_NETWORK_AT = {ETHERNET: 14, COOKED: 16, COOKED_2: 20}
_IP = (b"\x08\x00", b"\x86\xdd")
_WORD = Struct(">H").unpack_from


def network_start(link: int, frame: bytes) -> int | FrameSkip:
    """The offset of the IP packet in a frame, or why there is none. Whether it is IPv4 or IPv6, its first byte says."""
    at = _NETWORK_AT.get(link)
    if at is not None:
        type_at = _TYPE_AT[link]
        return at if frame[type_at : type_at + 2] in _IP and len(frame) > at else _typed(frame, type_at, at)
    if link in _RAW:
        return 0
    if link in (NULL, LOOP):
        return _loopback(frame)
    return FrameSkip.LINK_TYPE


def _typed(frame: bytes, type_at: int, start: int) -> int | FrameSkip:
    """A frame with an EtherType; tags may stand between it and the packet."""
    if len(frame) < start:
        return FrameSkip.CUT_HEADER
    kind: int = _WORD(frame, type_at)[0]
    if kind in (TYPE_IPV4, TYPE_IPV6):
        return start
    for _ in range(MOST_TAGS):
        if kind not in VLAN_TAGS:
            break
        if len(frame) < start + 4:
            return FrameSkip.CUT_HEADER
        kind = _WORD(frame, start + 2)[0]
        start += 4
    if kind < FIRST_ETHERTYPE and frame[start : start + 6] == SNAP and len(frame) >= start + 8:
        kind = _WORD(frame, start + 6)[0]
        start += 8
    return start if kind in (TYPE_IPV4, TYPE_IPV6) else FrameSkip.NOT_IP


def _loopback(frame: bytes) -> int | FrameSkip:
    """The family in front is a small number in the byte order of the machine that captured."""
    if len(frame) < 5:
        return FrameSkip.CUT_HEADER
    family = frame[:4].strip(b"\0")
    version = frame[4] >> 4
    families = b"\x02" if version == 4 else b"\x0a\x17\x18\x1a\x1c\x1e"
    return 4 if version in (4, 6) and len(family) == 1 and family in families else FrameSkip.NOT_IP


# Transport: the UDP datagram or TCP segment in some bytes.

UDP_HEADER, TCP_HEADER = 8, 20
FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10
MOST_ENDPOINTS = 4096
_UDP = Struct(">HHH").unpack_from
_TCP = Struct(">HHI4xBB").unpack_from


class IpPayload(NamedTuple):
    """What a datagram or segment carries; offsets in the bytes it was read from.

    Args:
        transport: UDP or TCP.
        ports: of the source and the target.
        start, end: where its data lies, as far as captured.
        missing: how many bytes are not there.
        tcp: what only TCP has.
    """

    transport: Transport
    ports: tuple[int, int]
    start: int
    end: int
    missing: int
    tcp: TcpMarks | None


def carried(protocol: int, data: bytes, start: int, end: int) -> IpPayload | FrameSkip:
    """Read what begins at *start* and, as IP says, ends at *end*, which may lie behind the last byte."""
    if protocol == UDP:
        return _udp(data, start, end)
    return _tcp(data, start, end) if protocol == TCP else FrameSkip.OTHER_PROTOCOL


def _udp(data: bytes, start: int, end: int) -> IpPayload | FrameSkip:
    begin = start + UDP_HEADER
    have = len(data)
    last = end if end < have else have
    if begin > last:
        return FrameSkip.DAMAGED if begin > end else FrameSkip.CUT_HEADER
    source, target, size = _UDP(data, start)
    said = start + size if size else end  # 0: longer than the field can say
    if said < begin:
        return FrameSkip.DAMAGED
    stop = said if said < last else last
    return IpPayload(Transport.UDP, (source, target), begin, stop, said - stop, None)


def _tcp(data: bytes, start: int, end: int) -> IpPayload | FrameSkip:
    if start + TCP_HEADER > min(end, len(data)):
        return FrameSkip.DAMAGED if start + TCP_HEADER > end else FrameSkip.CUT_HEADER
    source, target, sequence, units, flags = _TCP(data, start)
    begin = start + (units >> 4) * 4
    if begin < start + TCP_HEADER or begin > end:
        return FrameSkip.DAMAGED
    if begin > len(data):
        return FrameSkip.CUT_HEADER
    stop = min(end, len(data))
    marks = TcpMarks(sequence, bool(flags & SYN), bool(flags & FIN), bool(flags & RST), bool(flags & ACK))
    return IpPayload(Transport.TCP, (source, target), begin, stop, end - stop, marks)


class Endpoints:
    """Makes endpoints of addresses, each once, as few of them send very many packets."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int], Endpoint] = {}

    def of(self, address: bytes, port: int) -> Endpoint:
        """The endpoint with a port at an address of 4 or 16 bytes."""
        found = self._known.get((address, port))
        if found is None:
            if len(self._known) >= MOST_ENDPOINTS:
                self._known.clear()
            found = self._known[address, port] = Endpoint(host(address), port)
        return found


def host(address: bytes) -> str:
    """An address of 4 or 16 bytes as text."""
    if len(address) == 4:
        return ".".join(map(str, address))
    from socket import AF_INET6, inet_ntop  # here, as it takes its time

    return inet_ntop(AF_INET6, address)


def address_of(host: str) -> bytes:
    """An address written as text, in 4 or 16 bytes; a zone behind a ``%`` is left out.

    Raises:
        OSError: it is no address.
    """
    from socket import AF_INET, AF_INET6, inet_pton

    return inet_pton(AF_INET6 if ":" in host else AF_INET, host.partition("%")[0])


# Fragments: datagrams put together from the IP packets that carry their parts, in bounded memory.

MOST_BYTES = 1 << 24
MOST_DATAGRAMS = 4096
LONGEST_WAIT = 30 * 1_000_000_000
"""Nanoseconds after its first fragment when a datagram is given up, as hosts do."""


class ReassembledDatagram(NamedTuple):
    """A datagram put together.

    Args:
        number: the frame that completed it, the last one seen where it is incomplete.
        record: that frame.
        packet: the IP packet of that frame; its addresses and protocol are the datagram's.
        data: the bytes from the start on, up to the first that is missing.
        size: how many there are when it is whole, as far as known.
    """

    number: int
    record: Record
    packet: IpPacket
    data: bytes
    size: int


@dataclass(slots=True)
class _Datagram:
    """The parts of a datagram so far.

    Args:
        began: time of its first fragment.
        data: the bytes, zero where none came yet.
        starts, ends: the runs that came, in order, without touching each other.
        total: its size, -1 until the last fragment came.
        hole: the first byte that a cut fragment lacks.
        frames: how many fragments came.
        last: the frame that came last.
        broken: whether fragments contradict each other.
    """

    began: int
    data: bytearray = field(default_factory=bytearray)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    total: int = -1
    hole: int = LARGEST
    frames: int = 0
    last: tuple[int, Record, IpPacket] | None = None
    broken: bool = False

    @property
    def complete(self) -> bool:
        """Whether every fragment came."""
        return self.total >= 0 and self.starts == [0] and self.ends[0] >= self.total

    def add(self, offset: int, size: int, part: bytes, more: bool) -> None:
        """Put in a fragment that says it has *size* bytes, of which *part* were captured."""
        end = offset + size
        if not more:
            self.broken = self.broken or self.total not in (-1, end)
            self.total = end
        if end > LARGEST or (self.total >= 0 and max(end, self.ends[-1] if self.ends else 0) > self.total):
            self.broken = True
        if self.broken or not size:
            return
        if len(part) < size:
            self.hole = min(self.hole, offset + len(part))
        self._put(offset, part, end)
        self._mark(offset, end)

    def joined(self) -> ReassembledDatagram | None:
        """The bytes from the start on; None where the start is missing or fragments contradict each other."""
        if self.broken or self.last is None or not self.starts or self.starts[0]:
            return None
        size = self.total if self.total >= 0 else self.ends[-1]
        return ReassembledDatagram(*self.last, bytes(self.data[: min(self.ends[0], self.hole)]), size)

    def _put(self, offset: int, part: bytes, end: int) -> None:
        if len(self.data) < end:
            self.data.extend(bytes(end - len(self.data)))
        for at in range(bisect_right(self.ends, offset), bisect_left(self.starts, end)):
            low, high = max(offset, self.starts[at]), min(offset + len(part), self.ends[at], self.hole)
            if low < high and self.data[low:high] != part[low - offset : high - offset]:
                self.broken = True
                return
        self.data[offset : offset + len(part)] = part

    def _mark(self, start: int, end: int) -> None:
        first, past = bisect_left(self.ends, start), bisect_right(self.starts, end)
        if first < past:
            start, end = min(start, self.starts[first]), max(end, self.ends[past - 1])
        self.starts[first:past] = [start]
        self.ends[first:past] = [end]


class IpReassembly:
    """Holds the datagrams that are not whole yet.

    Args:
        tally: is told what never became whole.
    """

    def __init__(self, tally: CaptureTally) -> None:
        self._tally = tally
        self._waiting: dict[tuple[bytes, bytes, int, int], _Datagram] = {}
        self._bytes = 0

    def add(self, number: int, record: Record, packet: IpPacket) -> Iterator[ReassembledDatagram]:
        """Take a fragment; gives the datagrams that it completes or that have waited too long."""
        assert packet.fragment is not None
        identity, offset, more = packet.fragment
        yield from self._expired(record.time)
        protocol = packet.protocol if len(packet.source) == 4 else -1  # only the first one of version 6 tells it
        key = (packet.source, packet.target, protocol, identity)
        datagram = self._waiting.setdefault(key, _Datagram(record.time))
        before = len(datagram.data)
        datagram.frames += 1
        if protocol == -1 and offset and datagram.last:
            packet = packet._replace(protocol=datagram.last[2].protocol)
        datagram.last = (number, record, packet)
        size = packet.end - packet.start
        datagram.add(offset, size, record.data[packet.start : packet.end], more)
        self._bytes += len(datagram.data) - before
        if datagram.complete and not datagram.broken:
            yield from self._give(key)
        while self._bytes > MOST_BYTES or len(self._waiting) > MOST_DATAGRAMS:
            yield from self._give(next(iter(self._waiting)))

    def finish(self) -> Iterator[ReassembledDatagram]:
        """What can be shown of the datagrams that are still not whole."""
        while self._waiting:
            yield from self._give(next(iter(self._waiting)))

    def _expired(self, now: int) -> Iterator[ReassembledDatagram]:
        while self._waiting:
            key, datagram = next(iter(self._waiting.items()))
            if abs(now - datagram.began) <= LONGEST_WAIT:
                return
            yield from self._give(key)

    def _give(self, key: tuple[bytes, bytes, int, int]) -> Iterator[ReassembledDatagram]:
        datagram = self._waiting.pop(key)
        self._bytes -= len(datagram.data)
        joined = datagram.joined()
        if joined is None:
            self._tally.skip(FrameSkip.OVERLAP if datagram.broken else FrameSkip.FRAGMENT, frames=datagram.frames)
            return
        self._tally.incomplete += len(joined.data) < joined.size or not datagram.complete
        yield joined
