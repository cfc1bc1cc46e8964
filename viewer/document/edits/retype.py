"""Retyping: a value, or the key of a pair, becomes one of another type."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.edits.rework import Rework
from viewer.document.edits.setting import LISTS, allowed, set_value
from viewer.document.outline import is_key, node_frame
from viewer.document.path import format_path
from viewer.document.splice import Edit
from viewer.variant import items
from viewer.variant.convert import Converted, ConvertError, convert
from viewer.variant.convert.targets import SAMPLE, Offer, offers
from viewer.variant.convert.types import all_lost
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow
from viewer.variant.elements import element_size
from viewer.variant.encode import EncodeError, encode
from viewer.variant.heads import INT_MAX
from viewer.variant.items import Item
from viewer.variant.primitives import FORMATS
from viewer.variant.read import read, read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, Value

PACKED = frozenset({Kind.PACKED, Kind.PACKED_STRINGS})
QUICK = frozenset({"int", "float"})
HEADER = struct.Struct("<I").unpack_from
NUMBERS = {name: struct.Struct(code).unpack_from for name, code in FORMATS.items() if name != "bool"}
LONGEST = 12
"""Bytes of the longest number with its header."""
GROUPS = 12
"""A multiple of every group in which packed arrays take their numbers."""


@dataclass(frozen=True, slots=True)
class Retyped:
    """What retyping would do: the edit, and what would be lost, each a sentence without its full stop."""

    edit: Edit
    losses: tuple[str, ...]


def retype(document: Document, item: Item, target: str) -> Retyped:
    """The edit that makes a value, or a key, one of type *target*.

    Raises:
        EditError: it cannot become one, or what holds it takes no such type.
    """
    table, row = _value(document, item)
    limit = allowed(table, item.node)
    if target in table.dialect.by_name and limit and table.dialect.type_number(target) not in limit.kept:
        raise EditError(f"What holds this value takes only {limit.name}; change that first.")
    try:
        found = _converted(table, item.node, row, target, document.precision)
        if _is_list(row) and _is_list(table.dialect.by_name[target]):
            edit = _other_head(document, item, found.value)
        else:
            edit = set_value(document, item, found.value)
        losses = (*found.losses, *_twice(table, item.node, found.value, document.precision))
    except (ConvertError, EncodeError) as error:
        raise EditError(str(error)) from error
    return Retyped(replace(edit, label=f"Change {format_path(document, item)} to {target}"), losses)


def retype_offers(document: Document, item: Item) -> list[Offer]:
    """The types that :func:`retype` may make of an item, most natural first, each with whether it loses anything.

    It is empty where the item has no type to change. Of a large value only the beginning is looked at, so that
    :func:`retype` may still refuse it.
    """
    try:
        table, row = _value(document, item)
    except EditError:
        return []
    found = offers(_sample(table, item.node, row), table.dialect, document.precision)
    limit = allowed(table, item.node)
    return [offer for offer in found if limit is None or table.dialect.type_number(offer.name) in limit.kept]


def head_written(data: Array | Dictionary, name: str, old: bytes, dialect: Dialect, precision: Precision) -> bytes:
    """The bytes of a collection up to its first child, its count word as it is in *old*, the bytes that it has now.

    Raises:
        EncodeError: the dialect has no such collection.
    """
    empty = replace(data, elements=()) if isinstance(data, Array) else replace(data, pairs=())
    return encode(Value(name, empty), dialect, precision, old[:8])[:-4] + old[-4:]


def _value(document: Document, item: Item) -> tuple[NodeTable, TypeRow]:
    """The table and type of an item that can be retyped."""
    frame = node_frame(document, item)
    if frame is None:
        raise EditError("These bytes belong to no value; change them in the hex view.")
    table = frame.table
    row = table.row(item.node)
    if item.part:
        raise EditError("A part of a value has no type of its own; change the type of the whole value.")
    if row is None:
        raise EditError("This value's type is unknown; change its header in the bytes.")
    if table.is_name(item.node):
        raise EditError("The name of a property is always a text.")
    return table, row


def _is_list(row: TypeRow) -> bool:
    return row.kind in LISTS


def _converted(table: NodeTable, node: int, row: TypeRow, target: str, precision: Precision) -> Converted:
    number = table.child_count(node) if row.kind not in PACKED else _count(table, node)
    if target == "Nil" and number:
        unit = "pair" if table.has_pairs(node) else "element"
        return Converted(Value(target), (all_lost(number // 2 if table.has_pairs(node) else number, unit),))
    return convert(_read(table, node, row, table.children(node)), target, table.dialect, precision)


def _read(table: NodeTable, node: int, row: TypeRow, children: range) -> Value:
    """A value with its direct children only: nothing converts what lies deeper."""
    value = read_shallow(table, node)
    if isinstance(value.data, Array):
        return Value(value.type, replace(value.data, elements=tuple(_elements(table, children))))
    return value


def _elements(table: NodeTable, children: range) -> Iterator[Value]:
    """Values without their own children. Numbers, of which there may be millions, are read at once."""
    begin = table.start[children[0]] if children else 0
    raw = bytes(table.buffer[begin : table.end(children[-1])]) if children else b""
    quick: dict[int, tuple[str, Callable[[bytes, int], tuple[Any, ...]]] | None] = {}
    for child, start in zip(children, table.start[children.start : children.stop], strict=True):
        at = start - begin
        header: int = HEADER(raw, at)[0] if at + LONGEST <= len(raw) else 0
        if header not in quick:
            quick[header] = _reader(table.dialect.row(header), header)
        known = quick[header]
        number = known[1](raw, at + 4)[0] if known is not None else None
        if known is None or number != number:
            yield read_shallow(table, child)
        else:
            yield Value(known[0], number)


def _reader(row: TypeRow | None, header: int) -> tuple[str, Callable[[bytes, int], tuple[Any, ...]]] | None:
    """The name of a type of one number, and what reads it; None for others."""
    if row is None or row.name not in QUICK:
        return None
    fields = row.fields(header)
    return (row.name, NUMBERS[fields[0].type]) if len(fields) == 1 and fields[0].type in NUMBERS else None


def _sample(table: NodeTable, node: int, row: TypeRow) -> Value:
    """A value to try conversions with: the first elements of a large one."""
    if _is_list(row):
        return _read(table, node, row, table.children(node)[:SAMPLE])
    number = _count(table, node) if row.kind in PACKED else 0
    if number <= SAMPLE:
        return read_shallow(table, node)
    if row.kind is Kind.PACKED_STRINGS:
        return Value(row.name, ())
    return _first_numbers(table, node, row, SAMPLE + number % GROUPS)


def _count(table: NodeTable, node: int) -> int:
    """How many elements a packed array tells of; 0 where the word is cut off or negative."""
    count = items.part(table, node, "count")
    told = count.value if count is not None and isinstance(count.value, int) else 0
    return min(told, table.end(node) - table.start[node]) if told <= INT_MAX else 0


def _first_numbers(table: NodeTable, node: int, row: TypeRow, number: int) -> Value:
    start, header = table.start[node], table.header(node)
    size = number * element_size(row, header)
    raw = bytes(table.buffer[start : start + 4]) + number.to_bytes(4, "little")
    return read(scan(raw + bytes(table.buffer[start + 8 : start + 8 + size]) + bytes(-size % 4), table.dialect))


def _other_head(document: Document, item: Item, value: Value) -> Edit:
    """Only the bytes before the first child change."""
    frame = document.frames[item.frame]
    table = frame.table
    count = items.part(table, item.node, "count")
    if count is None or not isinstance(value.data, Array):
        raise EditError("This value is broken; mend its bytes first.")
    span = Span(table.start[item.node], count.span.end)
    old = bytes(table.buffer[span.start : span.end])
    rework = Rework(document)
    new = head_written(value.data, value.type, old, table.dialect, document.precision)
    rework.write(item.frame, span.shifted(frame.start), new)
    return rework.edit("")


def _twice(table: NodeTable, node: int, value: Value, precision: Precision) -> tuple[str, ...]:
    """Whether a key is one that another pair has, in words."""
    if not is_key(table, node):
        return ()
    raw = encode(value, table.dialect, precision)
    for key in table.children(table.parent[node])[::2]:
        span = table.span(key)
        if key != node and len(span) == len(raw) and bytes(table.buffer[span.start : span.end]) == raw:
            return ("Another pair has this key too, and the engine keeps only the last one",)
    return ()
