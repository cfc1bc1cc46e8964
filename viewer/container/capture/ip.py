"""IP: the packet in a frame, version 4 or 6, down to what it carries."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from viewer.container.capture.tally import Skip

HOP_BY_HOP, TCP, UDP, ROUTING, FRAGMENT, AUTHENTICATION, OPTIONS = 0, 6, 17, 43, 44, 51, 60
MOBILITY, HOST_IDENTITY, SHIM = 135, 139, 140
EXTENSIONS = frozenset((HOP_BY_HOP, ROUTING, OPTIONS, AUTHENTICATION, MOBILITY, HOST_IDENTITY, SHIM))
LARGEST = 0xFFFF
FRAGMENT_SIZE = 8
_V4 = Struct(">BxHHHxB2x4s4s").unpack_from
_V6 = Struct(">4xHBx16s16s").unpack_from
_FRAGMENT = Struct(">BxHI").unpack_from


class Fragment(NamedTuple):
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
    fragment: Fragment | None


def packet_at(frame: bytes, at: int) -> IpPacket | Skip:
    """The packet at *at*, or why it cannot be read."""
    if at >= len(frame):
        return Skip.CUT_HEADER
    version = frame[at] >> 4
    if version == 4:
        return _version_4(frame, at)
    return _version_6(frame, at) if version == 6 else Skip.DAMAGED


def past_extensions(data: bytes, protocol: int, at: int) -> tuple[int, int] | Skip:
    """Step over the extension headers of version 6: the protocol behind them, and where it begins."""
    while protocol in EXTENSIONS:
        if at + 8 > len(data):
            return Skip.CUT_HEADER
        protocol, at = data[at], at + extension_size(data, protocol, at)
    return protocol, at


def extension_size(data: bytes, protocol: int, at: int) -> int:
    """The bytes of an extension or fragment header of version 6, as its second byte says."""
    if protocol == FRAGMENT:
        return FRAGMENT_SIZE
    units = data[at + 1]
    return (units + 2) * 4 if protocol == AUTHENTICATION else (units + 1) * 8


def _version_4(frame: bytes, at: int) -> IpPacket | Skip:
    if len(frame) < at + 20:
        return Skip.CUT_HEADER
    first, size, identity, place, protocol, source, target = _V4(frame, at)
    heading = (first & 0x0F) * 4
    size = size or len(frame) - at  # 0: the network card cut the packet up later
    if heading < 20 or size < heading:
        return Skip.DAMAGED
    fragment = None
    if place & 0x3FFF:  # more follow, or some went before
        fragment = Fragment(identity, (place & 0x1FFF) * 8, bool(place & 0x2000))
    return IpPacket(source, target, protocol, at + heading, at + size, fragment)


def _version_6(frame: bytes, at: int) -> IpPacket | Skip:
    if len(frame) < at + 40:
        return Skip.CUT_HEADER
    size, protocol, source, target = _V6(frame, at)
    start = at + 40
    end = start + size if size else len(frame)  # 0: a jumbogram, or the network card cut the packet up later
    if protocol != UDP and protocol != TCP:
        found = _past_extensions_until(frame, protocol, start, end)
        if isinstance(found, Skip):
            return found
        protocol, start = found
    if protocol == FRAGMENT:
        return _fragment_of_6(frame, source, target, start, end)
    return IpPacket(source, target, protocol, start, end, None)


def _fragment_of_6(frame: bytes, source: bytes, target: bytes, start: int, end: int) -> IpPacket | Skip:
    """A packet with a fragment header at *start*, which may say that it is whole."""
    if start + FRAGMENT_SIZE > len(frame):
        return Skip.CUT_HEADER
    if start + FRAGMENT_SIZE > end:
        return Skip.DAMAGED
    protocol, place, identity = _FRAGMENT(frame, start)
    start += FRAGMENT_SIZE
    if place & 0xFFF9:
        fragment = Fragment(identity, place & 0xFFF8, bool(place & 1))
        return IpPacket(source, target, protocol, start, end, fragment)
    found = _past_extensions_until(frame, protocol, start, end)
    return found if isinstance(found, Skip) else IpPacket(source, target, *found, end, None)


def _past_extensions_until(frame: bytes, protocol: int, at: int, end: int) -> tuple[int, int] | Skip:
    """Step over extension headers that must not reach beyond *end*."""
    found = past_extensions(frame, protocol, at)
    return Skip.DAMAGED if not isinstance(found, Skip) and found[1] > end else found
