"""One item for other programs: as the engine's literal, or as JSON, whole and exact."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.outline import PREFIX
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.elements import element_count, is_whole
from viewer.variant.items import Item, Part, part
from viewer.variant.literal.printing import format_literal, literal_pieces
from viewer.variant.read import packed_elements, read
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

AT_ONCE = 1 << 14
"""Elements of a packed array."""


def item_literal(document: Document, item: Item) -> str:
    """The item as text: a value as its literal of any depth, a part as its number or quoted text, bytes in hex.

    Raises:
        EditError: the item has no value of its own.
    """
    return "".join(item_pieces(document, item))


def item_pieces(document: Document, item: Item) -> Iterator[str]:
    """The same in pieces, of which none is long; a large packed array is not held as a whole.

    Raises:
        EditError: as above.
    """
    item = outline.shown_value(document, item)
    frame = outline.node_frame(document, item) if not item.part else None
    row = frame.table.row(item.node) if frame is not None else None
    if frame is not None and row is not None and row.kind is Kind.PACKED and is_whole(frame.table, item.node):
        return _packed_pieces(document, frame.table, item.node, row)
    value = item_value(document, item)
    if isinstance(value, bytes):
        return iter((value.hex(" "),))
    if isinstance(value, Value) and (item.node >= 0 or item.part == PREFIX):
        return literal_pieces(value, document.dialect, document.precision)
    from viewer.document.edits.setting import literal

    return iter((literal(document, item),))


def _packed_pieces(document: Document, table: NodeTable, node: int, row: TypeRow) -> Iterator[str]:
    """The text of a packed array of numbers, some elements at a time."""
    count = element_count(table, node)
    for first in range(0, max(1, count), AT_ONCE):
        some = Value(row.name, packed_elements(table, node, row, first, min(first + AT_ONCE, count)))
        before, _, inside = format_literal(some, document.dialect, precision=document.precision).partition("(")
        yield f"{before}({inside[:-1]}" if not first else f", {inside[:-1]}"
    yield ")"


def item_json(document: Document, item: Item) -> Iterator[str]:
    """The item as :mod:`viewer.variant.native` writes values, as text in pieces; bytes as a text of hex digits."""
    from viewer.document.export.deep_json import chunks
    from viewer.document.export.value_json import ValueJson
    from viewer.variant.native import to_native

    item = outline.shown_value(document, item)
    frame = outline.frame_of(document, item)
    if frame is not None and item.node >= 0 and not item.part:
        return ValueJson(document.dialect, document.precision).pieces(frame.table, item.node)
    value = item_value(document, item)
    if isinstance(value, bytes):
        return iter((f'"{value.hex()}"',))
    return chunks(to_native(value, document.dialect) if isinstance(value, Value) else list(value))


def item_value(document: Document, item: Item) -> Value | bytes | tuple[float, ...]:
    """What an item holds: a value, raw bytes, or an element whose group of numbers has no type of its own."""
    item = outline.shown_value(document, item)
    frame = outline.frame_of(document, item)
    if frame is not None and item.node >= 0 and not item.part:
        return read(frame.table, item.node, surplus=False)
    span = outline.span(document, item)
    raw = bytes(document.buffer[span.start : span.end])
    if frame is None or item.node < 0:
        if item.part != PREFIX:
            return _field_value(document, item, raw)
        return Value("int", int.from_bytes(raw, "big" if document.framing.big_endian else "little"))
    found = part(frame.table, item.node, item.part)
    row = frame.table.row(item.node)
    if found is None or found.value is None:
        return raw
    if isinstance(found.value, tuple) and row is not None and row.kind is Kind.PACKED:
        return _element(document, row.name, found.value)
    return _part(found, raw)


def _field_value(document: Document, item: Item, raw: bytes) -> Value | bytes:
    """What a field holds, its bytes where its form is not known."""
    from viewer.document.edits.field_edit import formed_field

    field = formed_field(document, item)
    return raw if field is None else field.value(document)


def _element(document: Document, array: str, numbers: tuple[float, ...]) -> Value | tuple[float, ...]:
    name = array.removeprefix("Pool").removeprefix("Packed").removesuffix("Array")
    return Value(name, numbers) if name in document.dialect.by_name else numbers


def _part(found: Part, raw: bytes) -> Value | bytes:
    value = found.value
    if isinstance(value, str):
        return Value("String", value)
    if found.type == "bool":
        return Value("bool", bool(value))
    if isinstance(value, float):
        return Value("float", value)
    return Value("int", value) if isinstance(value, int) else raw
