"""Packet: a row of the list of packets; also as a line of text, as a row of a table, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Protocol

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.container.websocket import WebSocketMessage
from viewer.container.wire import Captured, Delivery, Endpoint, LayerField, Payload, WireLayer
from viewer.document.pieces.message import Message, MessageField


@dataclass(frozen=True, slots=True)
class Packet:
    """A payload and what it says.

    Args:
        row: its place in the list, from 0 on.
        payload: the bytes, and how they travelled.
        message: what they say.
        to_server: whether it went to the end that was called (the server), for the arrow.
        since_start: nanoseconds since the first captured frame.
    """

    row: int
    payload: Payload
    message: Message
    to_server: bool
    since_start: int

    @property
    def source(self) -> Endpoint:
        """Who sent it."""
        return self.payload.source

    @property
    def target(self) -> Endpoint:
        """To whom."""
        return self.payload.target

    @property
    def size(self) -> int:
        """Bytes of the payload."""
        return len(self.payload.data)

    @property
    def is_control(self) -> bool:
        """Whether it is nothing of the application's."""
        return self.payload.delivery is Delivery.CONTROL

    @property
    def refused(self) -> bool:
        """Whether the engine would refuse it."""
        return self.message.severity is Severity.ERROR


# Sighting: a payload that was seen, with the conversation it belongs to; what it says is worked out later.


class PayloadExplainer(Protocol):
    """The conversation of two ends, as far as its payloads are to be explained."""

    @property
    def version(self) -> int:
        """Goes up when payloads that were explained before would now be explained differently."""

    def explain(self, payload: Payload) -> Message:
        """What a payload says; payloads are explained in order, and may be explained again."""

    def to_server(self, payload: Payload) -> bool:
        """Whether it went to the end that was called."""


@dataclass(frozen=True, slots=True)
class SeenPayload:
    """A payload that was seen.

    Args:
        payload: the bytes, and how they travelled.
        talk: the conversation it belongs to.
    """

    payload: Payload
    talk: PayloadExplainer


# Places: where payloads of UDP and TCP stood, kept small; their layers are made when somebody looks.


@dataclass(frozen=True, slots=True)
class WholePayload:
    """The payload is what was captured."""

    captured: Captured

    def layers(self) -> tuple[WireLayer, ...]:
        """None: those around *captured* are all."""
        return ()


@dataclass(frozen=True, slots=True)
class InStream:
    """The payload is a run of a TCP stream, of which *captured* brought the end.

    Args:
        captured: the segment that completed it.
        span: where in its direction of the stream.
        data: the payload.
    """

    captured: Captured
    span: Span
    data: bytes

    def layers(self) -> tuple[WireLayer, ...]:
        """The stretch of the stream."""
        whole = Span(0, len(self.data))
        part = LayerField(whole, "stream", f"bytes {self.span.start} to {self.span.end - 1} of this direction")
        return (WireLayer("TCP stream", self.data, (part,), whole),)


@dataclass(frozen=True, slots=True)
class InWebSocket:
    """The payload is a message of a WebSocket, of which *captured* brought the end."""

    captured: Captured
    message: WebSocketMessage

    def layers(self) -> tuple[WireLayer, ...]:
        """Its frames, or its handshake."""
        return self.message.layers


# A packet in words and for other programs.


COLUMNS = (
    *("number", "time", "from", "to", "carrier", "channel", "bytes", "delivery"),
    *("kind", "value", "severity", "message"),
)
"""The headings of the table."""

Cell = str | int | float | None


def seconds(nanoseconds: int) -> str:
    """A time since the start: ``0.013245`` seconds."""
    sign, rest = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    return f"{sign}{rest // 1_000_000_000}.{rest % 1_000_000_000 // 1000:06}"


def line(packet: Packet) -> str:
    """One line for a person: number, time, from, to, carrier, bytes, kind, what it says, and what is wrong."""
    payload, message = packet.payload, packet.message
    carrier = payload.carrier if payload.channel is None else f"{payload.carrier} {payload.channel}"
    said = [f"[{payload.delivery.value}]"] if payload.delivery is not Delivery.WHOLE else []
    said.append(text_of(message, payload))
    text = (
        f"{payload.number:>6}  {seconds(packet.since_start):>11}  {packet.source.label} -> {packet.target.label}"
        f"  {carrier}  {packet.size:>5}  {message.kind}  {' '.join(said)}"
    )
    return printable(text.rstrip())


def text_of(message: Message, payload: Payload) -> str:
    """What a packet says, what is to be said of its way, and what is wrong with it, each once."""
    found: list[str] = []
    wrong = message.sentence
    if wrong and message.severity is not None and wrong != payload.note:
        wrong = f"{message.severity.word}: {wrong}"
    for part in (message.summary if message.summary != message.sentence else "", payload.note, wrong):
        if part and part not in found:
            found.append(part)
    return " ".join(found)


def finding(packet: Packet) -> str | None:
    """What is wrong with a packet as ``check`` prints it, None for nothing."""
    message = packet.message
    if message.severity is None:
        return None
    ends = f"{packet.source.label} -> {packet.target.label}"
    sentence = message.sentence or message.summary
    return printable(f"{message.severity.word} packet: {sentence} ({ends}, {message.kind}, {packet.size} bytes)")


def row(packet: Packet) -> dict[str, Cell]:
    """The cells of a packet by heading; the time in seconds since the first packet."""
    payload, message = packet.payload, packet.message
    return {
        "number": payload.number,
        "time": seconds(packet.since_start),
        "from": packet.source.label,
        "to": packet.target.label,
        "carrier": payload.carrier,
        "channel": payload.channel,
        "bytes": packet.size,
        "delivery": payload.delivery.value,
        "kind": message.kind,
        "value": message.summary,
        "severity": None if message.severity is None else message.severity.word,
        "message": message.sentence,
    }


def as_json(packet: Packet) -> dict[str, object]:
    """All of a packet: its cells, the bytes in hex, and what they are; spans count in the payload."""
    payload, message = packet.payload, packet.message
    return {
        **row(packet),
        "row": packet.row,
        "time": packet.since_start / 1e9,
        "clock": _clock(payload.time),
        "to_server": packet.to_server,
        "protocol": message.protocol.value,
        "dialect": None if message.dialect is None else message.dialect.key,
        "sender": message.sender,
        "receiver": message.receiver,
        "note": payload.note,
        "hex": payload.data.hex(),
        "pieces": list(pieces(message.pieces)),
    }


def pieces(found: Iterable[MessageField]) -> Iterator[dict[str, object]]:
    """Pieces as JSON; they nest as deep as our own protocols do, never as deep as bytes say."""
    for each in found:
        span = [each.span.start, each.span.end]
        made: dict[str, object] = {"name": each.name, "span": span, "role": each.role.value, "text": each.text}
        if each.children:
            made["children"] = list(pieces(each.children))
        yield made


def _clock(nanoseconds: int) -> str | None:
    """The time of day, None for times that no calendar has."""
    try:
        found = datetime.fromtimestamp(nanoseconds // 1_000_000_000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return f"{found:%Y-%m-%dT%H:%M:%S}.{nanoseconds % 1_000_000_000:09}Z"
