"""Exporting: payloads as files, the list as CSV or JSON, and what was recorded as a capture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from viewer.container.capture import wire_layers
from viewer.container.wire import Payload, WireLayer
from viewer.document.document import Document
from viewer.document.export.deep_json import dumps
from viewer.document.export.forms import BYTE_FORMS, FormError, Holds, TextForm, decode, forms_for, write_bytes
from viewer.document.export.forms.value_forms import write_value
from viewer.document.message import FieldRole, MessageField
from viewer.document.packets import compressed_variants
from viewer.document.packets.listing import COLUMNS, as_json, row
from viewer.document.packets.packet import Packet
from viewer.document.reading import Explain, ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import Precision
from viewer.variant.value import Value


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


# A payload as text: its bytes in a form of bytes, or its values in a form of values.

NO_VALUE = "These packets hold no value; copy them as bytes instead, for example as hex."


def packet_forms(packets: Iterable[Packet]) -> tuple[TextForm, ...]:
    """The forms that the first of some packets can be copied in: values come first where it holds any."""
    first = next(iter(packets), None)
    if first is None or first.message.dialect is None or next(value_pieces(first), None) is None:
        return BYTE_FORMS
    return forms_for(first.message.dialect)


def packets_text(packets: Iterable[Packet], form: TextForm) -> str:
    """Packets in a form: the bytes of each on lines of its own, or each of their values.

    Raises:
        FormError: there is no value in them, or the form cannot hold one.
    """
    if form.writes is Holds.BYTES:
        return "\n".join(write_bytes(form, packet.payload.data) for packet in packets)
    texts = [text for packet in packets for text in _values(packet, form)]
    if not texts:
        raise FormError(NO_VALUE)
    return "\n".join(texts)


def value_pieces(packet: Packet) -> Iterator[MessageField]:
    """The outermost values in a payload, in order; pieces nest as deep as protocols do, a few levels."""
    waiting = list(reversed(packet.message.pieces))
    while waiting:
        piece = waiting.pop()
        if piece.role in (FieldRole.VALUE, FieldRole.COMPRESSED):
            yield piece
        else:
            waiting.extend(reversed(piece.children))


def _values(packet: Packet, form: TextForm) -> Iterator[str]:
    dialect = packet.message.dialect
    if dialect is None:
        return
    for piece in value_pieces(packet):
        data = packet.payload.data[piece.span.start : piece.span.end]
        short = compressed_variants.decode(data, 0, len(data)) if piece.role is FieldRole.COMPRESSED else None
        if short is None:
            value = decode(data, dialect)
        else:
            value = Value("bool" if isinstance(short.value, bool) else "int", short.value)
        yield write_value(form, value, dialect, Precision.SINGLE)[0]


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
