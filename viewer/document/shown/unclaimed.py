"""What bytes that belong to no value are called: skipped ones, those of a closed file, the fields of a packet."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.packets.message import FieldRole, MessageField
from viewer.document.shown.counts import counted
from viewer.variant.items import Item


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """Its name and meaning in words; *is_field* where a protocol explains it."""

    name: str
    text: str
    is_field: bool = False


def unclaimed(document: Document, item: Item, span: Span) -> Unclaimed:
    """The words for a gap.

    Args:
        document: whose gap it is.
        item: the gap.
        span: its bytes.
    """
    count = counted(len(span), "byte")
    if document.wraps.blocked is not None:
        return Unclaimed("closed bytes", f"{count}, still wrapped")
    field = _field(document, item)
    if field is not None:
        return Unclaimed(field.name, field.text or count, field.role is not FieldRole.OPAQUE)
    return Unclaimed("skipped bytes", f"{count} that no value claims")


def _field(document: Document, item: Item) -> MessageField | None:
    number = -1 - item.frame
    return document.fields[number] if item.frame < 0 and number < len(document.fields) else None
