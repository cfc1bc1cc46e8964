"""Element types: what a typed array or dictionary says that it holds, read and changed."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.edits.retype import head_written
from viewer.document.edits.rework import Rework
from viewer.document.outline import node_frame
from viewer.document.path import format_path
from viewer.document.splice import Edit
from viewer.variant import items
from viewer.variant.convert.families import element_words
from viewer.variant.convert.tally import article, opening
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.encode import EncodeError
from viewer.variant.expected import Expected, expected
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ElementType

BROKEN = "This value is broken; mend its bytes first."
NO_SCRIPT = "This engine line knows no arrays of one script; name its class instead."
SCRIPT_PATH = "A script is named by its path, which begins with res://."

SAMPLE = 1000
UNNAMED = frozenset({"Nil", "Object"})
"""Types that no collection is said to hold by their number: nothing, and objects, which have a class."""


class Held(Enum):
    """Which of the things in a collection a type is for."""

    ELEMENT = "element"
    KEY = "key"
    VALUE = "value"


def held_of(document: Document, item: Item) -> tuple[Held, ...]:
    """What of this item can be typed: the elements of an array, keys and values of a dictionary; empty for others."""
    frame = node_frame(document, item)
    if frame is None or item.part:
        return ()
    row, rules = frame.table.row(item.node), document.dialect.rules
    if row is None:
        return ()
    if row.kind is Kind.TYPED_ARRAY or (row.kind is Kind.ARRAY and rules.typed_arrays):
        return (Held.ELEMENT,)
    return (Held.KEY, Held.VALUE) if row.kind is Kind.DICTIONARY and rules.typed_dictionaries else ()


def element_type_of(document: Document, item: Item, which: Held = Held.ELEMENT) -> ElementType | None:
    """What a collection says that it holds; None where it says nothing.

    Raises:
        EditError: the engine line writes no types for this, or the item holds nothing.
    """
    _, data = _collection(document, item, which)
    return _told(data, which)


def set_element_type(document: Document, item: Item, which: Held, held: ElementType | None) -> Edit:
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


def fitting_types(document: Document, item: Item, which: Held) -> list[ElementType]:
    """The types, by number, that hold everything that a collection has; of a large one its beginning is looked at.

    Raises:
        EditError: there can be no such type here.
    """
    table, _ = _collection(document, item, which)
    row = table.row(item.node)
    assert row is not None
    mask = table.dialect.rules.header_mask
    numbers = {table.header(child) & mask for child in _children(table, item.node, which)[:SAMPLE]}
    found = (ElementType(builtin=k) for k, one in enumerate(table.dialect.rows) if one.name not in UNNAMED)
    limits = ((held, expected(table.dialect, row.kind, held)) for held in found)
    return [held for held, only in limits if only is not None and numbers <= only.kept]


def _children(table: NodeTable, node: int, which: Held) -> range:
    children = table.children(node)
    return children if which is Held.ELEMENT else children[which is Held.VALUE :: 2]


def _collection(document: Document, item: Item, which: Held) -> tuple[NodeTable, Array | Dictionary]:
    if which not in held_of(document, item):
        raise EditError(f"{document.dialect.name} writes no type for the {which.value}s of this value.")
    table = document.frames[item.frame].table
    data = read_shallow(table, item.node).data
    count = items.part(table, item.node, "count")
    if not isinstance(data, Array | Dictionary) or count is None or not isinstance(count.value, int):
        raise EditError(BROKEN)
    return table, data


def _told(data: Array | Dictionary, which: Held) -> ElementType | None:
    if isinstance(data, Array):
        return data.element_type
    return data.key_type if which is Held.KEY else data.value_type


def _retold(data: Array | Dictionary, which: Held, held: ElementType | None) -> Array | Dictionary:
    if isinstance(data, Array):
        return replace(data, element_type=held)
    return replace(data, key_type=held) if which is Held.KEY else replace(data, value_type=held)


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


def _check_children(document: Document, item: Item, table: NodeTable, which: Held, only: Expected) -> None:
    """Every child must be of the type: the engine drops or changes the others."""
    mask = table.dialect.rules.header_mask
    for child in _children(table, item.node, which):
        if table.header(child) & mask not in only.kept:
            row = table.row(child)
            is_type = article(row.name) if row is not None else "of an unknown type"
            path = format_path(document, Item(item.frame, child))
            raise EditError(f"{path} is {is_type}, not {article(only.name)}; change its type first.")


def _label(document: Document, item: Item, which: Held, held: ElementType | None) -> str:
    words = element_words(held, document.dialect) or "anything"
    return f"Let {format_path(document, item)} hold {which.value}s of type {words}"


def _edit(document: Document, item: Item, table: NodeTable, data: Array | Dictionary, label: str) -> Edit:
    """Only the bytes before the first child change, and of these not the count."""
    row, count = table.row(item.node), items.part(table, item.node, "count")
    assert row is not None
    assert count is not None
    span = Span(table.start[item.node], count.span.end)
    old = bytes(table.buffer[span.start : span.end])
    rework = Rework(document)
    new = head_written(data, row.name, old, table.dialect, document.precision)
    rework.write(item.frame, span.shifted(document.frames[item.frame].start), new)
    return rework.edit(label)
