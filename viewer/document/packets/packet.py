"""Packet: a row of the list of packets."""

from __future__ import annotations

from typing import Protocol

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.websocket import WebSocketMessage
from viewer.container.wire import Captured, Delivery, Endpoint, LayerField, Payload, WireLayer
from viewer.document.pieces.message import Message


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


class Talk(Protocol):
    """The conversation of two ends, as far as its payloads are to be explained."""

    @property
    def version(self) -> int:
        """Goes up when payloads that were explained before would now be explained differently."""

    def explain(self, payload: Payload) -> Message:
        """What a payload says; payloads are explained in order, and may be explained again."""

    def to_server(self, payload: Payload) -> bool:
        """Whether it went to the end that was called."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A payload that was seen.

    Args:
        payload: the bytes, and how they travelled.
        talk: the conversation it belongs to.
    """

    payload: Payload
    talk: Talk


# Places: where payloads of UDP and TCP stood, kept small; their layers are made when somebody looks.


@dataclass(frozen=True, slots=True)
class Direct:
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
