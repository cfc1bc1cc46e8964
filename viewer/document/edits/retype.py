"""Retyping: a value, or the key of a pair, becomes one of another type."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.setting import allowed, set_value
from viewer.document.edits.slots import EditError
from viewer.document.outline import is_key, node_frame
from viewer.document.path import format_path, item_path
from viewer.document.splice import Edit, EditLabel
from viewer.variant import items
from viewer.variant.convert.conversion_tally import Converted, ConvertError, article, opening
from viewer.variant.convert.number_forms import element_words
from viewer.variant.convert.retype import SAMPLE, RetypeOffer, all_lost, convert, offers
from viewer.variant.dialect import LISTS, PACKED, Dialect, Kind, Precision, TypeRow
from viewer.variant.elements import element_size
from viewer.variant.encode import EncodeError, encode
from viewer.variant.expected import ExpectedTypes, expected
from viewer.variant.header import INT_MAX
from viewer.variant.items import Item
from viewer.variant.primitives import FORMATS
from viewer.variant.read import read, read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ElementType, Value

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
    return Retyped(replace(edit, words=EditLabel("Change {} to {}", (item_path(document, item), target))), losses)


def retype_offers(document: Document, item: Item) -> list[RetypeOffer]:
    """The types that :func:`retype` may make of an item, most natural first, each with whether it loses anything.

    It is empty where the item has no type to change. Of a large value only the beginning is looked at, so that
    :func:`retype` may still refuse it.
    """
    try:
        table, row = _value(document, item)
    except EditError:
        return []
    if document.wraps.text is not None:
        from viewer.document.edits.text_limits import only_type_of

        if only_type_of(document, item):
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
        raise EditError("This value is broken; fix its bytes first.")
    span = Span(table.start[item.node], count.span.end)
    old = bytes(table.buffer[span.start : span.end])
    rework = EditBuilder(document)
    new = head_written(value.data, value.type, old, table.dialect, document.precision)
    rework.write(item.frame, span.shifted(frame.start), new)
    return rework.edit("")


def _twice(table: NodeTable, node: int, value: Value, precision: Precision) -> tuple[str, ...]:
    """Whether a key is one that another pair has, in words."""
    if not is_key(table, node):
        return ()
    raw = encode(value, table.dialect, precision, b"", table.names)
    for key in table.children(table.parent[node])[::2]:
        span = table.span(key)
        if key != node and len(span) == len(raw) and bytes(table.buffer[span.start : span.end]) == raw:
            return ("Another pair has this key too, and the engine keeps only the last one",)
    return ()


# Element types: what a typed array or dictionary says that it holds, read and changed.

BROKEN = "This value is broken; fix its bytes first."
NO_SCRIPT = "This engine line knows no arrays of one script; name its class instead."
SCRIPT_PATH = "A script is named by its path, which begins with res://."

MOST_ASKED = 1000
UNNAMED = frozenset({"Nil", "Object"})
"""Types that no collection is said to hold by their number: nothing, and objects, which have a class."""


class ContentPart(Enum):
    """Which of the things in a collection a type is for."""

    ELEMENT = "element"
    KEY = "key"
    VALUE = "value"


def held_of(document: Document, item: Item) -> tuple[ContentPart, ...]:
    """What of this item can be typed: the elements of an array, keys and values of a dictionary; empty for others."""
    frame = node_frame(document, item)
    if frame is None or item.part:
        return ()
    row, rules = frame.table.row(item.node), document.dialect.rules
    if row is None:
        return ()
    if row.kind is Kind.TYPED_ARRAY or (row.kind is Kind.ARRAY and rules.typed_arrays):
        return (ContentPart.ELEMENT,)
    return (ContentPart.KEY, ContentPart.VALUE) if row.kind is Kind.DICTIONARY and rules.typed_dictionaries else ()


def element_type_of(document: Document, item: Item, which: ContentPart = ContentPart.ELEMENT) -> ElementType | None:
    """What a collection says that it holds; None where it says nothing.

    Raises:
        EditError: the engine line writes no types for this, or the item holds nothing.
    """
    _, data = _collection(document, item, which)
    return _told(data, which)


def set_element_type(document: Document, item: Item, which: ContentPart, held: ElementType | None) -> Edit:
    """The edit that lets a collection say that it holds *held*, None for anything.

    Raises:
        EditError: something in it is of another type, or there can be no such type here.
    """
    table, data = _collection(document, item, which)
    row = table.row(item.node)
    assert row is not None
    held = _checked(table.dialect, row, held)
    only = expected(table.dialect, row.kind, held)
    if only is not None:
        _check_children(document, item, table, which, only)
    try:
        return _edit(document, item, table, _retold(data, which, held), _label(document, item, which, held))
    except EncodeError as error:
        raise EditError(str(error)) from error


def fitting_types(document: Document, item: Item, which: ContentPart) -> list[ElementType]:
    """The types, by number, that hold everything that a collection has; of a large one its beginning is looked at.

    Raises:
        EditError: there can be no such type here.
    """
    table, _ = _collection(document, item, which)
    row = table.row(item.node)
    assert row is not None
    mask = table.dialect.rules.header_mask
    numbers = {table.header(child) & mask for child in _children(table, item.node, which)[:MOST_ASKED]}
    found = (ElementType(builtin=k) for k, one in enumerate(table.dialect.rows) if one.name not in UNNAMED)
    limits = ((held, expected(table.dialect, row.kind, held)) for held in found)
    return [held for held, only in limits if only is not None and numbers <= only.kept]


def _children(table: NodeTable, node: int, which: ContentPart) -> range:
    children = table.children(node)
    return children if which is ContentPart.ELEMENT else children[which is ContentPart.VALUE :: 2]


def _collection(document: Document, item: Item, which: ContentPart) -> tuple[NodeTable, Array | Dictionary]:
    if which not in held_of(document, item):
        raise EditError(f"{document.dialect.name} writes no type for the {which.value}s of this value.")
    table = document.frames[item.frame].table
    data = read_shallow(table, item.node).data
    count = items.part(table, item.node, "count")
    if not isinstance(data, Array | Dictionary) or count is None or not isinstance(count.value, int):
        raise EditError(BROKEN)
    return table, data


def _told(data: Array | Dictionary, which: ContentPart) -> ElementType | None:
    if isinstance(data, Array):
        return data.element_type
    return data.key_type if which is ContentPart.KEY else data.value_type


def _retold(data: Array | Dictionary, which: ContentPart, held: ElementType | None) -> Array | Dictionary:
    if isinstance(data, Array):
        return replace(data, element_type=held)
    return replace(data, key_type=held) if which is ContentPart.KEY else replace(data, value_type=held)


def _checked(dialect: Dialect, row: TypeRow, held: ElementType | None) -> ElementType | None:
    """The type in the way in which this engine line writes it."""
    is_pandemonium = row.kind is Kind.TYPED_ARRAY
    if held is None or (held.builtin == 0 and not is_pandemonium):
        if is_pandemonium:
            raise EditError(f"{opening(row.name)} always says what it holds; change its type to Array.")
        return None
    if held.builtin is not None and dialect.row(held.builtin) is None:
        raise EditError(f"{dialect.name} has no type number {held.builtin}; the highest is {len(dialect.rows) - 1}.")
    if held.class_name == "" and not held.as_ids:
        raise EditError("A class needs a name, such as Node.")
    if held.script is not None and (is_pandemonium or not held.script.startswith("res://")):
        raise EditError(NO_SCRIPT if is_pandemonium else SCRIPT_PATH)
    if is_pandemonium and held.builtin is None:
        return replace(held, builtin=dialect.type_number("Object"))
    return held


def _check_children(document: Document, item: Item, table: NodeTable, which: ContentPart, only: ExpectedTypes) -> None:
    """Every child must be of the type: the engine drops or changes the others."""
    mask = table.dialect.rules.header_mask
    for child in _children(table, item.node, which):
        if table.header(child) & mask not in only.kept:
            row = table.row(child)
            is_type = article(row.name) if row is not None else "of an unknown type"
            path = format_path(document, Item(item.frame, child))
            raise EditError(f"{path} is {is_type}, not {article(only.name)}; change its type first.")


def _label(document: Document, item: Item, which: ContentPart, held: ElementType | None) -> EditLabel:
    words = element_words(held, document.dialect) or "anything"
    return EditLabel("Let {} hold {}s of type {}", (item_path(document, item), which.value, words))


def _edit(document: Document, item: Item, table: NodeTable, data: Array | Dictionary, label: EditLabel) -> Edit:
    """Only the bytes before the first child change, and of these not the count."""
    row, count = table.row(item.node), items.part(table, item.node, "count")
    assert row is not None
    assert count is not None
    span = Span(table.start[item.node], count.span.end)
    old = bytes(table.buffer[span.start : span.end])
    rework = EditBuilder(document)
    new = head_written(data, row.name, old, table.dialect, document.precision)
    rework.write(item.frame, span.shifted(document.frames[item.frame].start), new)
    return rework.edit(label)
