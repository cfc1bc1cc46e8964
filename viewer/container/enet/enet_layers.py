"""What the bytes of an ENet datagram are, field by field, in words for a person."""

from __future__ import annotations

from viewer.base.span import Span
from viewer.container.enet.protocol import (
    ACKNOWLEDGED,
    CONNECTION,
    FRAGMENTS,
    HEAD,
    NOBODY,
    SIZE,
    UNSEQUENCED,
    WORD,
    Check,
    EnetCommand,
    EnetDatagram,
    EnetField,
    fragment_at,
)
from viewer.container.wire import LayerField, WireLayer


def datagram_layers(datagram: EnetDatagram, check: Check | None = None) -> list[WireLayer]:
    """The datagram as a layer, and what came out of it as another where it was compressed."""
    outer = header_parts(datagram, check)
    if not datagram.inflated:
        return [WireLayer("ENet", datagram.data, tuple(outer + _overview(datagram)))]
    at = datagram.header.size + (SIZE if datagram.summed else 0) if datagram.header else 0
    block = Span(at, len(datagram.data))
    name = datagram.algorithm.value if datagram.algorithm else ""
    outer.append(LayerField(block, "compressed commands", f"{name}, {len(block)} bytes for {len(datagram.body)}"))
    inner = WireLayer(f"ENet, inflated ({name})", datagram.body, tuple(_overview(datagram)))
    return [WireLayer("ENet", datagram.data, tuple(outer)), inner]


def datagram_parts(datagram: EnetDatagram, check: Check | None = None) -> tuple[LayerField, ...]:
    """Every field of the bytes that hold the commands, which are the inflated ones where it was compressed."""
    parts = [] if datagram.inflated else header_parts(datagram, check)
    for command in datagram.commands:
        parts += command_parts(datagram.body, command)
    return tuple(parts + _rest(datagram))


def command_layer(datagram: EnetDatagram, command: EnetCommand) -> WireLayer:
    """A command as a layer of its own; its data lie inside, unless they are only a fragment."""
    data = datagram.body[command.start : command.end]
    moved = command._replace(start=0, data=command.data - command.start, end=len(data))
    joins = not command.kind.carrier or command.kind.number in FRAGMENTS
    inside = None if joins else Span(moved.data, moved.end)
    return WireLayer(f"ENet {command.kind.name}", data, tuple(command_parts(data, moved)), inside)


def header_parts(datagram: EnetDatagram, check: Check | None = None) -> list[LayerField]:
    """The header; flags, session and peer id share its first two bytes, bit by bit."""
    header = datagram.header
    if header is None:
        return []
    said = [word for word, on in (("time follows", header.timed), ("compressed", header.compressed)) if on]
    peer = "none yet" if header.peer == NOBODY else str(header.peer)
    parts = [
        LayerField(Span(0, 1), "flags", ", ".join(said) or "none"),
        LayerField(Span(0, 1), "session", str(header.session)),
        LayerField(Span(0, WORD), "peer id", peer),
    ]
    if header.sent is not None:
        parts.append(LayerField(Span(WORD, 2 * WORD), "sent time", f"{header.sent} ms"))
    if datagram.checksum is not None:
        verdict = f", {check.value}" if check else ""
        parts.append(
            LayerField(Span(header.size, header.size + SIZE), "checksum", f"0x{datagram.checksum:08x}{verdict}")
        )
    return parts


def command_parts(body: bytes, command: EnetCommand) -> list[LayerField]:
    """The fields of a command, and its data; offsets in *body*."""
    at = command.start
    parts = [
        LayerField(Span(at, at + 1), "command", _command_text(command)),
        LayerField(Span(at + 1, at + 2), "channel", _channel_text(command.channel)),
        LayerField(Span(at + 2, at + HEAD), "sequence", str(command.sequence)),
    ]
    for field in command.kind.fields:
        start = at + field.at
        if start + field.size <= command.data:
            span = Span(start, start + field.size)
            parts.append(LayerField(span, field.name, _field_text(field, body[span.start : span.end], command)))
    if command.kind.length_at and command.data < command.end:
        parts.append(LayerField(Span(command.data, command.end), "data", _data_text(body, command)))
    return parts


def place_text(command: EnetCommand) -> str:
    """Where a command stands in its connection: ``channel 1, sequence 2``."""
    where = f"sequence {command.sequence}"
    return where if command.channel == CONNECTION else f"channel {command.channel}, {where}"


def _overview(datagram: EnetDatagram) -> list[LayerField]:
    """One part a command, and the rest."""
    parts = []
    for command in datagram.commands:
        size = f", {command.end - command.data} bytes" if command.kind.length_at else ""
        parts.append(LayerField(Span(command.start, command.end), command.kind.name, place_text(command) + size))
    return parts + _rest(datagram)


def _rest(datagram: EnetDatagram) -> list[LayerField]:
    start, end = datagram.cutting.end, len(datagram.body)
    return [LayerField(Span(start, end), "rest", datagram.problem)] if start < end else []


def _command_text(command: EnetCommand) -> str:
    text = f"{command.kind.number} {command.kind.name}"
    if command.flags & ACKNOWLEDGED:
        text += ", asks to be acknowledged"
    return text + (", unsequenced" if command.flags & UNSEQUENCED else "")


def _channel_text(channel: int) -> str:
    return "255 (connection)" if channel == CONNECTION else str(channel)


def _field_text(field: EnetField, data: bytes, command: EnetCommand) -> str:
    number = int.from_bytes(data, "big")
    if field.unit == "hex":
        return f"0x{data.hex()}"
    if field.name == "own slot" and number == NOBODY:
        return "none yet"
    if field.name.endswith("-session") and number == 0xFF:
        return "none yet"
    if field.name.endswith("-bandwidth") and not number:
        return "0 (unlimited)"
    return f"{number} {field.unit}" if field.unit else str(number)


def _data_text(body: bytes, command: EnetCommand) -> str:
    size = f"{command.end - command.data} bytes"
    if command.kind.number not in FRAGMENTS:
        return size
    fragment = fragment_at(body, command)
    return f"fragment {fragment.number + 1} of {fragment.pieces}, {size}"
