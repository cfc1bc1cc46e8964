"""Items: every byte of a node by name.

A node's own bytes are cut into parts: header, counts and lengths, fields, texts, padding. Parts tile the node up to its
first child. They are read from the bytes when asked for, never kept. The elements of a packed array are one part,
``elements``, and each element is a part of its own on demand, named ``[3]``; a component of an element ``[3].x``.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.span import Span
from viewer.variant.cutting import Cutter
from viewer.variant.dialect import Kind
from viewer.variant.elements import element, element_count, element_size, number
from viewer.variant.part import Item, Part, Role
from viewer.variant.table import NodeTable

__all__ = ["Item", "Part", "Role", "element", "element_count", "number", "part", "part_at", "parts"]


def parts(table: NodeTable, node: int) -> list[Part]:
    """The parts of a node in byte order; they tile it up to its first child."""
    return list(Cutter(table, node).parts())


def part_at(table: NodeTable, node: int, offset: int) -> Part | None:
    """The smallest part of this node that holds the byte at *offset* (from the start of the frame)."""
    for part in parts(table, node):
        if offset in part.span:
            return _element_at(table, node, part, offset) if part.name == "elements" else part
    return None


def part(table: NodeTable, node: int, name: str) -> Part | None:
    """The part with this name, or None where the node has none."""
    if name.startswith("["):
        return _element(table, node, name)
    return next((found for found in parts(table, node) if found.name == name), None)


def _element(table: NodeTable, node: int, name: str) -> Part | None:
    """Element ``[3]`` or component ``[3].x`` of a packed array; any named part of a packed string array."""
    row = table.row(node)
    if row is None or row.kind is not Kind.PACKED:
        return next((found for found in parts(table, node) if found.name == name), None)
    digits, _, component = name[1:].partition("]")
    if not digits.isdigit() or int(digits) >= element_count(table, node):
        return None
    whole = element(table, node, int(digits))
    if not component:
        return whole
    return next((found for found in _components(table, node, whole) if found.name == name), None)


def _element_at(table: NodeTable, node: int, elements: Part, offset: int) -> Part:
    row = table.row(node)
    assert row is not None
    size = element_size(row, table.header(node))
    whole = element(table, node, (offset - elements.span.start) // size)
    return next((found for found in _components(table, node, whole) if offset in found.span), whole)


def _components(table: NodeTable, node: int, whole: Part) -> Iterator[Part]:
    row = table.row(node)
    assert row is not None
    fields = row.fields(table.header(node))
    at = whole.span.start
    for field in fields if len(fields) > 1 else ():
        span = Span(at, at + field.size)
        yield Part(f"{whole.name}.{field.name}", span, Role.VALUE, field.type, number(table.buffer, at, field.type))
        at += field.size
