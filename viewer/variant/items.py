"""Items: every byte of a node by name.

A node's own bytes are cut into parts: header, counts and lengths, fields, texts, padding. Parts tile the node up to its
first child. They are read from the bytes when asked for, and kept only where they are very many. The elements of a
packed array are one part, ``elements``, and each element is a part of its own on demand, named ``[3]``; a component of
an element ``[3].x``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice

from viewer.base.span import Span
from viewer.variant.dialect import Kind
from viewer.variant.elements import TextIndex, element, element_count, element_size, is_whole, number, text_index
from viewer.variant.part import Item, Part, Role
from viewer.variant.parts import Cutter
from viewer.variant.table import NodeTable

LONGEST_NUMBER = 10
GAP = "gap"
MANY = 256
"""The parts of a node that has so many are kept until another such one is cut: a NodePath may have thousands."""

__all__ = [
    "Item",
    "Part",
    "Role",
    "element",
    "element_count",
    "gap_part",
    "head",
    "holds_whole_strings",
    "number",
    "part",
    "part_at",
    "parts",
    "string_parts",
    "whole_parts",
]


def parts(table: NodeTable, node: int) -> list[Part]:
    """The parts of a node in byte order; they tile it up to its first child.

    A long text or long data is not read as a whole: :func:`whole_parts` does that.
    """
    kept = table.cut
    if kept is not None and kept[0] is table.buffer and kept[1] == node:
        return list(kept[2])
    found = tuple(Cutter(table, node).parts())
    if len(found) >= MANY:
        table.cut = table.buffer, node, found
    return list(found)


def whole_parts(table: NodeTable, node: int) -> Iterator[Part]:
    """The same parts, all values with all of their bytes."""
    return Cutter(table, node, None).parts()


def part_at(table: NodeTable, node: int, offset: int) -> Part | None:
    """The smallest part, or the gap, of this node that holds the byte at *offset* (from the start of the frame)."""
    gap = table.gap_at(offset) if table.gaps else None
    if gap is not None:
        return gap_part(table, table.gaps.index(gap))
    if holds_whole_strings(table, node):
        return _string_part_at(table, node, offset)
    found = parts(table, node)
    place = bisect_right(found, offset, key=lambda part: part.span.start) - 1
    if place < 0 or offset not in found[place].span:
        return None
    return _element_at(table, node, found[place], offset) if found[place].name == "elements" else found[place]


def part(table: NodeTable, node: int, name: str) -> Part | None:
    """The part or gap with this name, or None where the node has none."""
    if name.startswith(GAP):
        return _gap(table, node, name)
    if name.startswith("["):
        return _element(table, node, name)
    found = head(table, node) if holds_whole_strings(table, node) else parts(table, node)
    return _named(found, name)


def gap_part(table: NodeTable, number: int) -> Part:
    """Gap *number* of a table, as a part of the collection that it lies in."""
    gap = table.gaps[number]
    return Part(f"{GAP}{number}", gap.span, Role.GAP, "bytes", None)


def _gap(table: NodeTable, node: int, name: str) -> Part | None:
    digits = name.removeprefix(GAP)
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < LONGEST_NUMBER else -1
    return gap_part(table, number) if 0 <= number < len(table.gaps) and table.gaps[number].owner == node else None


def _element(table: NodeTable, node: int, name: str) -> Part | None:
    """Element ``[3]`` of a packed array, its component ``[3].x``, or ``[3]@length`` of a string."""
    digits, _, component = name[1:].partition("]")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_NUMBER:
        return None
    if holds_whole_strings(table, node):
        return _named(string_parts(table, node, text_index(table, node), int(digits)), name)
    if int(digits) < element_count(table, node):
        whole = element(table, node, int(digits))
        return _named(_components(table, node, whole), name) if component else whole
    return _named(parts(table, node), name)


def _named(found: Iterable[Part], name: str) -> Part | None:
    return next((part for part in found if part.name == name), None)


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


# Strings, one at a time: an array of a million is never cut as a whole to find one


def holds_whole_strings(table: NodeTable, node: int) -> bool:
    """Whether this is a packed string array that no error cut off."""
    row = table.row(node)
    return row is not None and row.kind is Kind.PACKED_STRINGS and not table.is_name(node) and is_whole(table, node)


def head(table: NodeTable, node: int) -> Iterator[Part]:
    """Header and count."""
    return islice(Cutter(table, node).parts(), 2)


def string_parts(table: NodeTable, node: int, index: TextIndex, number: int) -> Iterator[Part]:
    """Length, text and fill of a string; nothing where there is no such string."""
    if number >= len(index):
        return iter(())
    return Cutter(table, node).string(number, index.start(number))


def _string_part_at(table: NodeTable, node: int, offset: int) -> Part | None:
    index = text_index(table, node)
    number = index.at(offset)
    found = string_parts(table, node, index, number) if number >= 0 else head(table, node)
    return next((part for part in found if offset in part.span), None)
