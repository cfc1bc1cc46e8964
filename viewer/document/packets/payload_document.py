"""A packet as a document: its payload's bytes, cut as its protocol says, in the layers that carried it."""

from __future__ import annotations

from viewer.container.payload_layers import payload_layers
from viewer.document.document import Document
from viewer.document.packets.packet import Packet
from viewer.document.reading import Choice, Explain
from viewer.document.wraps import Opening


def payload_document(packet: Packet, explain: Explain, name: str = "") -> Document:
    """The document of a packet.

    Args:
        packet: the packet.
        explain: what other bytes in its place would say.
        name: what to call it.
    """
    choice = Choice(dialect=packet.message.dialect, opening=Opening(()))
    layers = payload_layers(packet.payload)
    return Document(
        packet.payload.data,
        name=name or f"packet {packet.payload.number}",
        choice=choice,
        carried=layers,
        explain=explain,
    )
