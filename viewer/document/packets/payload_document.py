"""A packet as a document: its payload's bytes, cut as its protocol says, in the layers that carried it."""

from __future__ import annotations

from viewer.container.capture import wire_layers
from viewer.container.wire import Payload, WireLayer
from viewer.document.document import Document
from viewer.document.packets.packet import Packet
from viewer.document.reading import Explain, ReadOptions
from viewer.document.wraps import UnwrapOptions

# The layers of a payload, made when somebody asks for them.


def payload_layers(payload: Payload) -> tuple[WireLayer, ...]:
    """All layers around a payload, outermost first."""
    if payload.layers or payload.place is None:
        return payload.layers
    return tuple(wire_layers(payload.place.captured)) + payload.place.layers()


def payload_document(packet: Packet, explain: Explain, name: str = "") -> Document:
    """The document of a packet.

    Args:
        packet: the packet.
        explain: what other bytes in its place would say.
        name: what to call it.
    """
    choice = ReadOptions(dialect=packet.message.dialect, opening=UnwrapOptions(()))
    layers = payload_layers(packet.payload)
    return Document(
        packet.payload.data,
        name=name or f"packet {packet.payload.number}",
        choice=choice,
        carried=layers,
        explain=explain,
    )
