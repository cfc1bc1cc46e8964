"""Places: where payloads of UDP and TCP stood, kept small; their layers are made when somebody looks."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.base.span import Span
from viewer.container.websocket import WebSocketMessage
from viewer.container.wire import Captured, LayerField, WireLayer


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
