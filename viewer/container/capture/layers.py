"""Layers: the headers around captured bytes, named field by field when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from viewer.base.span import Span
from viewer.container.capture.capture_tally import FrameSkip
from viewer.container.capture.ip import (
    COOKED,
    COOKED_2,
    ETHERNET,
    EXTENSIONS,
    FRAGMENT,
    LINK_NAMES,
    LOOP,
    NULL,
    TCP,
    UDP,
    VLAN_TAGS,
    IpPacket,
    extension_size,
    host,
    network_start,
    packet_at,
)
from viewer.container.wire import Captured, FramePlace, LayerField, Transport, WireLayer


class _Field(NamedTuple):
    """A field of a header: its size in bytes, its name, and how it is written."""

    size: int
    name: str
    text: Callable[[bytes], str]


def _number(raw: bytes) -> str:
    return str(int.from_bytes(raw, "big"))


def _word(raw: bytes) -> str:
    return f"0x{raw.hex().upper()}"


def _bytes(raw: bytes) -> str:
    return raw.hex(" ").upper() if len(raw) <= 16 else f"{len(raw)} bytes"


def _mac(raw: bytes) -> str:
    return raw.hex(":")


def _ethertype(raw: bytes) -> str:
    names = {b"\x08\x00": "IPv4", b"\x86\xdd": "IPv6"}
    return f"{_word(raw)} ({names[raw]})" if raw in names else _word(raw)


def _protocol(raw: bytes) -> str:
    names = {UDP: "UDP", TCP: "TCP", FRAGMENT: "fragment"}
    return f"{raw[0]} ({names[raw[0]]})" if raw[0] in names else str(raw[0])


def _version(raw: bytes) -> str:
    return f"{raw[0] >> 4}, {(raw[0] & 15) * 4} bytes"


def _place_4(raw: bytes) -> str:
    value = int.from_bytes(raw, "big")
    flags = [name for bit, name in ((0x4000, "do not fragment"), (0x2000, "more follow")) if value & bit]
    return ", ".join([*flags, f"offset {(value & 0x1FFF) * 8}"])


def _tcp_flags(raw: bytes) -> str:
    names = ("FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR")
    return " ".join(name for bit, name in enumerate(names) if raw[0] >> bit & 1) or "none"


_ETHERNET = (_Field(6, "target address", _mac), _Field(6, "source address", _mac))
_TAG = (_Field(2, "tag type", _word), _Field(2, "VLAN", lambda raw: str(int.from_bytes(raw, "big") & 0xFFF)))
_TYPE = _Field(2, "type", _ethertype)
_LOOPBACK = (_Field(4, "family", _bytes),)
_LINKS: dict[int, tuple[_Field, ...]] = {
    NULL: _LOOPBACK,
    LOOP: _LOOPBACK,
    COOKED: (
        _Field(2, "packet kind", _number),
        _Field(2, "device kind", _number),
        _Field(2, "address length", _number),
        _Field(8, "source address", _bytes),
        _TYPE,
    ),
    COOKED_2: (
        _TYPE,
        _Field(2, "reserved", _bytes),
        _Field(4, "interface", _number),
        _Field(2, "device kind", _number),
        _Field(1, "packet kind", _number),
        _Field(1, "address length", _number),
        _Field(8, "source address", _bytes),
    ),
}
_IPV4 = (
    _Field(1, "version, header length", _version),
    _Field(1, "service", _word),
    _Field(2, "total length", _number),
    _Field(2, "identification", _word),
    _Field(2, "fragment", _place_4),
    _Field(1, "time to live", _number),
    _Field(1, "protocol", _protocol),
    _Field(2, "header checksum", _word),
    _Field(4, "source", host),
    _Field(4, "target", host),
)
_IPV6 = (
    _Field(4, "version, class, flow", _word),
    _Field(2, "payload length", _number),
    _Field(1, "next header", _protocol),
    _Field(1, "hop limit", _number),
    _Field(16, "source", host),
    _Field(16, "target", host),
)
_PORTS = (_Field(2, "source port", _number), _Field(2, "target port", _number))
_UDP = (
    *_PORTS,
    _Field(2, "length", _number),
    _Field(2, "checksum", _word),
)
_TCP = (
    *_PORTS,
    _Field(4, "sequence", _number),
    _Field(4, "acknowledgement", _number),
    _Field(1, "header length", lambda raw: f"{(raw[0] >> 4) * 4} bytes"),
    _Field(1, "flags", _tcp_flags),
    _Field(2, "window", _number),
    _Field(2, "checksum", _word),
    _Field(2, "urgent pointer", _number),
)


def wire_layers(captured: Captured) -> tuple[WireLayer, ...]:
    """The layers around captured bytes, outermost first: link, IP, transport.

    Where IP fragments were put together, link and IP are those of the frame that came last. What was not read from
    a frame has the layers that it brought.
    """
    place = captured.place
    if place is None:
        return captured.layers
    frame = place.before if place.joined else place.before + captured.data + place.after
    start = network_start(place.link, frame)
    packet = start if isinstance(start, FrameSkip) else packet_at(frame, start)
    if isinstance(start, FrameSkip) or isinstance(packet, FrameSkip):
        return captured.layers
    layers = [_ip(frame[start : packet.end], packet, start, bool(place.joined))]
    if start:
        layers.insert(0, _link(place.link, frame, start, packet.end))
    layers.append(_transport(captured, place, packet))
    return (*layers, *captured.layers)


def _link(link: int, frame: bytes, start: int, end: int) -> WireLayer:
    fields = list(_LINKS.get(link, ()))
    if link == ETHERNET:
        fields = [*_ETHERNET, *_tags(frame, start)]
    parts = _parts(frame, fields)
    return WireLayer(LINK_NAMES[link], frame, parts, Span(start, min(end, len(frame))))


def _tags(frame: bytes, start: int) -> list[_Field]:
    fields: list[_Field] = []
    at = 12
    while at + 2 < start and int.from_bytes(frame[at : at + 2], "big") in VLAN_TAGS:
        fields += _TAG
        at += 4
    if at + 2 == start:
        return [*fields, _TYPE]
    return [*fields, _Field(2, "length", _number), _Field(6, "LLC, SNAP", _bytes), _TYPE]


def _ip(data: bytes, packet: IpPacket, start: int, joined: bool) -> WireLayer:
    """The IP layer of a frame in which it begins at *start*."""
    heading = packet.start - start
    inside = None if joined else Span(heading, len(data))
    if len(packet.source) == 4:
        return WireLayer("IPv4", data, _parts(data, _with_options(_IPV4, heading)), inside)
    return WireLayer("IPv6", data, _parts(data, [*_IPV6, *_extensions(data, heading)]), inside)


def _extensions(data: bytes, end: int) -> list[_Field]:
    fields: list[_Field] = []
    protocol, at = data[6], 40
    while at + 8 <= end and (protocol in EXTENSIONS or protocol == FRAGMENT):
        size = extension_size(data, protocol, at)
        fields.append(_Field(size, "fragment header" if protocol == FRAGMENT else f"extension {protocol}", _bytes))
        protocol, at = data[at], at + size
    return fields


def _transport(captured: Captured, place: FramePlace, packet: IpPacket) -> WireLayer:
    heading = place.joined or place.before[packet.start :]
    fields = _UDP if captured.transport is Transport.UDP else _TCP
    data = heading + captured.data
    parts = _parts(data, _with_options(fields, len(heading)))
    return WireLayer(captured.transport.value, data, parts, Span(len(heading), len(data)))


def _with_options(fields: Sequence[_Field], heading: int) -> Sequence[_Field]:
    """The fields of a header of *heading* bytes; what the known ones leave are its options."""
    rest = heading - sum(field.size for field in fields)
    return [*fields, _Field(rest, "options", _bytes)] if rest > 0 else fields


def _parts(data: bytes, fields: Sequence[_Field]) -> tuple[LayerField, ...]:
    """The fields that follow each other from the start on, as far as they are there."""
    parts: list[LayerField] = []
    at = 0
    for size, name, text in fields:
        if at + size > len(data):
            break
        parts.append(LayerField(Span(at, at + size), name, text(data[at : at + size])))
        at += size
    return tuple(parts)
