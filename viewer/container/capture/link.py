"""Links: where the IP packet of a frame begins, for each link type."""

from __future__ import annotations

from struct import Struct

from viewer.container.capture.tally import Skip

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


def network_start(link: int, frame: bytes) -> int | Skip:
    """The offset of the IP packet in a frame, or why there is none. Whether it is IPv4 or IPv6, its first byte says."""
    at = _NETWORK_AT.get(link)
    if at is not None:
        type_at = _TYPE_AT[link]
        return at if frame[type_at : type_at + 2] in _IP and len(frame) > at else _typed(frame, type_at, at)
    if link in _RAW:
        return 0
    if link in (NULL, LOOP):
        return _loopback(frame)
    return Skip.LINK_TYPE


def _typed(frame: bytes, type_at: int, start: int) -> int | Skip:
    """A frame with an EtherType; tags may stand between it and the packet."""
    if len(frame) < start:
        return Skip.CUT_HEADER
    kind: int = _WORD(frame, type_at)[0]
    if kind in (TYPE_IPV4, TYPE_IPV6):
        return start
    for _ in range(MOST_TAGS):
        if kind not in VLAN_TAGS:
            break
        if len(frame) < start + 4:
            return Skip.CUT_HEADER
        kind = _WORD(frame, start + 2)[0]
        start += 4
    if kind < FIRST_ETHERTYPE and frame[start : start + 6] == SNAP and len(frame) >= start + 8:
        kind = _WORD(frame, start + 6)[0]
        start += 8
    return start if kind in (TYPE_IPV4, TYPE_IPV6) else Skip.NOT_IP


def _loopback(frame: bytes) -> int | Skip:
    """The family in front is a small number in the byte order of the machine that captured."""
    if len(frame) < 5:
        return Skip.CUT_HEADER
    family = frame[:4].strip(b"\0")
    version = frame[4] >> 4
    families = b"\x02" if version == 4 else b"\x0a\x17\x18\x1a\x1c\x1e"
    return 4 if version in (4, 6) and len(family) == 1 and family in families else Skip.NOT_IP
