"""A payload as text: its bytes in a form of bytes, or its values in a form of values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.container.armor.byte_text import FormError
from viewer.document.export.forms.copying import write_bytes
from viewer.document.export.forms.form_table import BYTE_FORMS, FormContent, TextForm, forms_for
from viewer.document.export.forms.recognising import decode
from viewer.document.export.forms.value_forms import write_value
from viewer.document.packets import godot4
from viewer.document.packets.packet import Packet
from viewer.document.pieces.message import FieldRole, MessageField
from viewer.variant.dialect import Precision
from viewer.variant.value import Value

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
    if form.writes is FormContent.BYTES:
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
        short = godot4.decode(data, 0, len(data)) if piece.role is FieldRole.COMPRESSED else None
        if short is None:
            value = decode(data, dialect)
        else:
            value = Value("bool" if isinstance(short.value, bool) else "int", short.value)
        yield write_value(form, value, dialect, Precision.SINGLE)[0]
