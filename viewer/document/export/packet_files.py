"""Exporting: payloads as files, the list as CSV or JSON, and what was recorded as a capture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from viewer.container.capture import wire_layers
from viewer.container.wire import Payload, WireLayer
from viewer.document.document import Document
from viewer.document.export.deep_json import dumps
from viewer.document.packets.packet import COLUMNS, Packet, as_json, row
from viewer.document.reading import Explain, ReadOptions
from viewer.document.wraps import UnwrapOptions


def payload_name(payload: Payload, digits: int = 6) -> str:
    """The name of the file that a payload goes to: ``packet-000012.bin``."""
    return f"packet-{payload.number:0{digits}}.bin"


def joined(payloads: Iterable[Payload]) -> Iterator[bytes]:
    """All payloads one behind another, each with its length in front as a little-endian word of four bytes."""
    for payload in payloads:
        yield len(payload.data).to_bytes(4, "little") + payload.data


def csv_lines(packets: Iterable[Packet]) -> Iterator[str]:
    """The list as comma-separated values, with headings."""
    room = io.StringIO(newline="")
    writer = csv.DictWriter(room, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for packet in packets:
        writer.writerow(row(packet))
        yield room.getvalue()
        room.seek(0)
        room.truncate()
    yield room.getvalue()


def json_lines(packets: Iterable[Packet]) -> Iterator[str]:
    """The list as one JSON array, a packet a line."""
    between = "["
    for packet in packets:
        yield f"{between}\n{dumps(as_json(packet))}"
        between = ","
    yield "[]\n" if between == "[" else "\n]\n"


# A packet as a document: its payload's bytes, cut as its protocol says, in the layers that carried it.

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
