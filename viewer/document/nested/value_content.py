"""Content: the bytes that a byte array or a text holds, and the edit that puts others in their place."""

from __future__ import annotations

from viewer.base.buffer import Buffer, window
from viewer.document.document import Document
from viewer.document.edits.byte_edit import replaced
from viewer.document.edits.field_edit import FormedField, formed_field
from viewer.document.edits.setting import set_value
from viewer.document.edits.slots import EditError
from viewer.document.element_index import element_number
from viewer.document.nested.nested_texts import section_of
from viewer.document.outline import node_frame
from viewer.document.path import item_path
from viewer.document.splice import Edit, EditLabel
from viewer.variant import items
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.items import Item
from viewer.variant.read import read, read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import RawText, Value

ELEMENTS = "elements"
MOST_TEXT = 1 << 24
"""Bytes of the longest text that is looked into."""


def holds_bytes(row: TypeRow | None) -> bool:
    """Whether values of a type are arrays of bytes."""
    return row is not None and row.kind is Kind.PACKED and [field.type for field in row.narrow] == ["u8"]


def is_text(document: Document, item: Item) -> bool:
    """Whether an item is a text, or an element of an array of texts; a property's name is none."""
    frame = node_frame(document, item)
    row = frame.table.row(item.node) if frame is not None else None
    if frame is None or row is None or frame.table.is_name(item.node):
        return False
    return row.kind is Kind.STRING if not item.part else row.kind is Kind.PACKED_STRINGS and element_number(item) >= 0


def _field(document: Document, item: Item) -> FormedField | None:
    """A field of bytes that has a content of its own, such as a file in a package."""
    found = formed_field(document, item) if document.structure is not None else None
    return found if found is not None and found.form.type == "bytes" and not found.form.is_locked else None


def byte_window(document: Document, item: Item) -> Buffer | None:
    """The bytes of an array or a field of bytes where they lie, None for all else."""
    field = _field(document, item)
    if field is not None:
        place = field.content(document)
        return window(document.buffer, place.start, place.end)
    frame = node_frame(document, item)
    if frame is None or item.part or not holds_bytes(frame.table.row(item.node)):
        return None
    span = _elements(frame.table, item.node)
    return None if span is None else window(frame.table.buffer, *span)


def content_start(document: Document, item: Item) -> int | None:
    """Where the bytes of an array or a field of bytes begin in the layer, None for all else."""
    field = _field(document, item)
    if field is not None:
        return field.content(document).start
    frame = node_frame(document, item)
    if frame is None or item.part or not holds_bytes(frame.table.row(item.node)):
        return None
    span = _elements(frame.table, item.node)
    return None if span is None else frame.start + span[0]


def content(document: Document, item: Item) -> bytes | None:
    """The bytes that an item holds, of a text its UTF-8; None where it holds neither bytes nor a sound text."""
    found = byte_window(document, item)
    if found is not None:
        return bytes(found[:])
    text = section_of(document, item) or _text(document, item)
    return None if text is None else text.encode()


def _elements(table: NodeTable, node: int) -> tuple[int, int] | None:
    part = items.part(table, node, ELEMENTS)
    return (part.span.start, part.span.end) if part is not None else None


def _text(document: Document, item: Item) -> str | None:
    if not is_text(document, item):
        return None
    frame = document.frames[item.frame]
    if item.part:
        part = items.part(frame.table, item.node, item.part)
        data: object = part.value if part is not None and len(part.span) <= MOST_TEXT else None
    else:
        short = len(frame.table.span(item.node)) <= MOST_TEXT
        data = read_shallow(frame.table, item.node).data if short else None
    if not isinstance(data, str) or isinstance(data, RawText):
        return None
    try:
        data.encode()
    except UnicodeEncodeError:
        return None
    return data


def put(document: Document, item: Item, raw: bytes) -> Edit:
    """The edit that lets an item hold other bytes; those that stay are not written.

    Raises:
        EditError: it cannot hold them.
    """
    field = _field(document, item)
    if field is not None:
        label = EditLabel("Set {}", (item_path(document, item),))
        return replaced(document, -1, field.span, field.fitted(raw), label)
    frame = node_frame(document, item)
    row = frame.table.row(item.node) if frame is not None else None
    if frame is None or row is None:
        raise EditError("These bytes belong to no value; change them in the hex view.")
    whole = Item(item.frame, item.node)
    if section_of(document, item):
        return set_value(document, Item(item.frame, item.node - 1), Value("String", raw.decode()))
    if holds_bytes(row):
        return set_value(document, whole, Value(row.name, raw))
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise EditError("A text cannot hold these bytes.") from None
    if not item.part:
        return set_value(document, whole, Value(row.name, text))
    texts = read(frame.table, item.node).data
    if not isinstance(texts, tuple):
        raise EditError("This array of texts cannot be read; fix it in the bytes first.")
    at = element_number(item)
    return set_value(document, whole, Value(row.name, (*texts[:at], text, *texts[at + 1 :])))
