"""Transport: the UDP datagram or TCP segment in some bytes."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from viewer.container.capture.ip import TCP, UDP
from viewer.container.capture.tally import Skip
from viewer.container.wire import Endpoint, TcpMarks, Transport

UDP_HEADER, TCP_HEADER = 8, 20
FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10
MOST_ENDPOINTS = 4096
_UDP = Struct(">HHH").unpack_from
_TCP = Struct(">HHI4xBB").unpack_from


class Carried(NamedTuple):
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


def carried(protocol: int, data: bytes, start: int, end: int) -> Carried | Skip:
    """Read what begins at *start* and, as IP says, ends at *end*, which may lie behind the last byte."""
    if protocol == UDP:
        return _udp(data, start, end)
    return _tcp(data, start, end) if protocol == TCP else Skip.OTHER_PROTOCOL


def _udp(data: bytes, start: int, end: int) -> Carried | Skip:
    begin = start + UDP_HEADER
    have = len(data)
    last = end if end < have else have
    if begin > last:
        return Skip.DAMAGED if begin > end else Skip.CUT_HEADER
    source, target, size = _UDP(data, start)
    said = start + size if size else end  # 0: longer than the field can say
    if said < begin:
        return Skip.DAMAGED
    stop = said if said < last else last
    return Carried(Transport.UDP, (source, target), begin, stop, said - stop, None)


def _tcp(data: bytes, start: int, end: int) -> Carried | Skip:
    if start + TCP_HEADER > min(end, len(data)):
        return Skip.DAMAGED if start + TCP_HEADER > end else Skip.CUT_HEADER
    source, target, sequence, units, flags = _TCP(data, start)
    begin = start + (units >> 4) * 4
    if begin < start + TCP_HEADER or begin > end:
        return Skip.DAMAGED
    if begin > len(data):
        return Skip.CUT_HEADER
    stop = min(end, len(data))
    marks = TcpMarks(sequence, bool(flags & SYN), bool(flags & FIN), bool(flags & RST), bool(flags & ACK))
    return Carried(Transport.TCP, (source, target), begin, stop, end - stop, marks)


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
