"""The layers of a payload, made when somebody asks for them."""

from __future__ import annotations

from viewer.container.capture import wire_layers
from viewer.container.wire import Payload, WireLayer


def payload_layers(payload: Payload) -> tuple[WireLayer, ...]:
    """All layers around a payload, outermost first."""
    if payload.layers or payload.place is None:
        return payload.layers
    return tuple(wire_layers(payload.place.captured)) + payload.place.layers()
