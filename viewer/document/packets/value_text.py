"""Texts of scanned values: the engine's literal as far as a line has room, without reading what is not shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.literal.names import printed
from viewer.variant.literal.numbers import component_text, float_text
from viewer.variant.literal.preview import ELLIPSIS, number_text, preview, shortened
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

LIMIT = 200
"""Characters of a value's text."""
DEPTH = 3
CHILDREN = 24


def value_text(table: NodeTable) -> str:
    """A whole value in at most :data:`LIMIT` characters."""
    return shortened(_node(table, 0, 0), LIMIT)


def _node(table: NodeTable, node: int, depth: int) -> str:
    """A node of at most :data:`DEPTH` levels; what lies deeper is three dots."""
    row = table.row(node)
    if row is None:
        return "?"
    match row.kind:
        case Kind.ARRAY | Kind.TYPED_ARRAY:
            return f"[{_listed(table, node, depth, 1)}]"
        case Kind.DICTIONARY:
            return f"{{{_listed(table, node, depth, 2)}}}"
        case Kind.STRING:
            prefix = "" if row.name == "String" else "&" if table.dialect.rules.literals == "godot4" else "@"
            return prefix + preview(table, node, LIMIT).text
        case Kind.PACKED | Kind.PACKED_STRINGS | Kind.IMAGE:
            return _called(table, node, row)
        case Kind.OBJECT | Kind.RESOURCE if table.child_count(node):
            return _called(table, node, row)
        case (
            Kind.FIXED
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.INPUT_EVENT
        ):
            return format_literal(read_shallow(table, node), table.dialect, limit=LIMIT)
        case _:
            assert_never(row.kind)


def _called(table: NodeTable, node: int, row: TypeRow) -> str:
    """A preview in brackets behind the type's name."""
    return f"{printed(row)}({preview(table, node, LIMIT).text})"


def _listed(table: NodeTable, node: int, depth: int, width: int) -> str:
    """The first children of a collection; *width* is 2 where they are keys and values."""
    children = table.children(node)
    if depth >= DEPTH and children:
        return ELLIPSIS
    out, length = [], 0
    shown = children[: CHILDREN * width]
    for child in shown[::width]:
        text = _node(table, child, depth + 1)
        if width == 2:
            text += f": {_node(table, child + 1, depth + 1) if child + 1 in children else ELLIPSIS}"
        out.append(text)
        length += len(text)
        if length > LIMIT:
            break
    if len(out) * width < len(children):
        out.append(ELLIPSIS)
    return ", ".join(out)


def numbers_text(row: TypeRow, kinds: tuple[str, ...]) -> Callable[[tuple[Any, ...]], str]:
    """What makes a text of the numbers of a value, which are of these kinds."""
    name = printed(row)
    if not kinds:
        empty = "null" if name == "Nil" else f"{name}()"
        return lambda numbers: empty
    if len(kinds) > 1:
        pairs = kinds
        return lambda numbers: f"{name}({', '.join(map(component_text, numbers, pairs))})"
    kind = kinds[0]
    if row.name == "float":
        return lambda numbers: float_text(numbers[0], kind)
    if row.name == "bool":
        return lambda numbers: number_text(numbers[0], kind)
    if row.name == "int":
        return lambda numbers: str(numbers[0])
    return lambda numbers: f"{name}({numbers[0] or ''})"
