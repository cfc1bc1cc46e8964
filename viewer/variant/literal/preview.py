"""Values in a few characters, for tree rows, hover cards and the terminal. Never reads more than it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.base.words import grouped
from viewer.variant import items
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.items import Part
from viewer.variant.literal.numbers import component_text
from viewer.variant.literal.printing import format_literal, quoted
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

LIMIT = 120
PREVIEW_CHILDREN = 8
MANY = 64
ELLIPSIS, BETWEEN = "…", ", "
SCRIPT = "script"
"""The property that says what a resource is, and nothing of what it holds."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a row shows: *count* in brackets for what has children, empty else; then *text*."""

    count: str
    text: str

    def __str__(self) -> str:
        return f"{self.count} {self.text}".strip()


def preview(table: NodeTable, node: int, limit: int = LIMIT) -> Preview:
    """A node in about *limit* characters."""
    row = table.row(node)
    if row is None:
        return Preview("", f"type {table.header(node) & 0xFF}")
    if table.is_name(node):
        return Preview("", _string(table, node, limit))
    match row.kind:
        case Kind.STRING:
            return Preview("", _told(row, _string(table, node, limit)))
        case Kind.ARRAY | Kind.TYPED_ARRAY:
            count = table.child_count(node)
            shown = _until_full((short(table, child) for child in table.children(node)[:PREVIEW_CHILDREN]), limit)
            return Preview(f"[{grouped(count)}]", joined(shown, count, limit))
        case Kind.DICTIONARY:
            count = table.child_count(node) // 2
            return Preview(f"{{{grouped(count)}}}", joined(_until_full(_pairs(table, node), limit), count, limit))
        case Kind.PACKED:
            count = items.element_count(table, node)
            shown = [element_text(items.element(table, node, k)) for k in range(min(count, PREVIEW_CHILDREN * 2))]
            return Preview(f"[{grouped(count)}]", joined(shown, count, limit))
        case Kind.PACKED_STRINGS:
            return _strings(table, node, limit)
        case (
            Kind.FIXED
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return Preview("", _leaf(table, node, row, limit))
        case _:
            assert_never(row.kind)


def text(table: NodeTable, node: int, limit: int = LIMIT) -> str:
    """A leaf as the engine's literal, anything with children as its preview."""
    row = table.row(node)
    if row is None or table.is_name(node):
        return str(preview(table, node, limit))
    match row.kind:
        case (
            Kind.STRING
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
        ):
            return str(preview(table, node, limit))
        case (
            Kind.FIXED
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.INPUT_EVENT
        ):
            return format_literal(read_shallow(table, node), table.dialect, limit=limit)
        case _:
            assert_never(row.kind)


def element_text(part: Part) -> str:
    """An element or field of a packed array: ``5``, ``(1, 2)``."""
    value = part.value
    if isinstance(value, tuple):
        return f"({', '.join(number_text(number, 'f32') for number in value)})"
    return number_text(value, part.type)


def number_text(value: object, kind: str) -> str:
    """A number of a field in the shortest form that reads back."""
    if kind == "bool":
        return "true" if value == 1 else "false" if value == 0 else f"true ({value})"
    if isinstance(value, float):
        return component_text(value, kind if kind in ("f32", "f64") else "f64")
    return str(value)


def part_text(part: Part, limit: int = LIMIT) -> str:
    """A part's value as text: numbers plain, text quoted, bytes in hex."""
    value = part.value
    if part.type == "text" and isinstance(value, str):
        return shortened(quoted(value[: limit + 1]), limit)
    if isinstance(value, bytes):
        return shortened(value[: limit // 2].hex(" ").upper(), limit)
    if part.name == "header" or part.name == "class_header":
        return f"0x{value:08X}"
    return element_text(part) if value is not None else ""


def _string(table: NodeTable, node: int, limit: int) -> str:
    named = table.is_name(node)
    start = table.start[node] + (4 if named else 8)
    if table.end(node) - start > 8 * limit + MANY:
        raw = bytes(table.buffer[start : start + 4 * limit])
        return shortened(quoted(raw.decode(errors="replace")), limit)
    value = read_shallow(table, node).data
    return shortened(quoted(value), limit) if isinstance(value, str) else "?"


def _strings(table: NodeTable, node: int, limit: int) -> Preview:
    """The first strings, without reading the others: their count is in the count word."""
    at = table.start[node] + 4
    end = table.end(node)
    count = int.from_bytes(table.buffer[at : at + 4], "little")
    count = 0 if count > 0x7FFFFFFF or end - at < 4 else min(count, (end - at - 4) // 4)
    shown: list[str] = []
    is_closed = table.dialect.rules.closed_texts
    at += 4
    while at + 4 <= end and len(shown) < min(count, PREVIEW_CHILDREN):
        length = int.from_bytes(table.buffer[at : at + 4], "little")
        raw = bytes(table.buffer[at + 4 : at + 4 + min(length, 2 * limit)]).partition(b"\0")[0]
        shown.append(quoted(raw.decode(errors="replace")))
        at += 4 + length + (0 if is_closed else -length % 4)
    return Preview(f"[{grouped(count)}]", joined(shown, count, limit))


def _leaf(table: NodeTable, node: int, row: TypeRow, limit: int) -> str:
    """The literal without the type's name, which stands beside it anyway: ``(1, 2)``."""
    if row.kind is Kind.RESOURCE and table.child_count(node):
        return _properties(table, node, limit)
    if row.kind is Kind.OBJECT and table.child_count(node):
        found = items.part(table, node, "class")
        shown = [quoted(str(_name(table, child))) for child in list(table.children(node))[:PREVIEW_CHILDREN:2]]
        return joined([escaped(f"{found.value if found else '?'}"), *shown], 1 + table.child_count(node) // 2, limit)
    value = read_shallow(table, node)
    if value.data is None and row.kind is not Kind.FIXED:
        return "null"
    whole = format_literal(value, table.dialect, limit=limit)
    bare = whole.removeprefix(row.name)
    return bare if bare.startswith("(") and bare != "()" else whole


def _name(table: NodeTable, node: int) -> object:
    return read_shallow(table, node).data


def _properties(table: NodeTable, node: int, limit: int) -> str:
    """The first properties of a resource; its script, which most have, only where there is nothing else."""
    count, first = table.child_count(node) // 2, list(_pairs(table, node))
    shown = [each for each in first if not each.startswith(f"{SCRIPT}: ")] if count > 1 else first
    return joined(shown, count - (len(first) - len(shown)), limit)


def short(table: NodeTable, node: int) -> str:
    """A value in the preview of what it lies in."""
    row = table.row(node)
    if row is None:
        return "?"
    match row.kind:
        case Kind.ARRAY | Kind.TYPED_ARRAY:
            return f"[{ELLIPSIS}]" if table.has_children(node) else "[]"
        case Kind.PACKED | Kind.PACKED_STRINGS:
            return "[]" if table.end(node) - table.start[node] <= 8 else f"[{ELLIPSIS}]"
        case Kind.DICTIONARY:
            return f"{{{ELLIPSIS}}}" if table.has_children(node) else "{}"
        case Kind.STRING:
            shown = _string(table, node, MANY)
            return shown if table.is_name(node) else _told(row, shown)
        case (
            Kind.FIXED
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return format_literal(read_shallow(table, node), table.dialect, limit=MANY)
        case _:
            assert_never(row.kind)


def _told(row: TypeRow, text: str) -> str:
    """A text, with the word before it where it names a resource."""
    return f"{row.name}({text})" if row.name.endswith("Resource") else text


def _pairs(table: NodeTable, node: int) -> Iterator[str]:
    """The first pairs of a node."""
    children = table.children(node)[: 2 * PREVIEW_CHILDREN]
    for key, value in zip(children[::2], children[1::2], strict=False):
        yield f"{pair_name(table, key)}: {short(table, value)}"


def _until_full(texts: Iterator[str], limit: int) -> list[str]:
    """The first of some texts, with the one that has no room any more in so many characters; none behind it is made."""
    out, room = list[str](), limit + len(BETWEEN)
    for text in texts:
        out.append(text)
        room -= len(text) + len(BETWEEN)
        if room < 0:
            break
    return out


def pair_name(table: NodeTable, key: int) -> str:
    """A key in the preview of its dictionary."""
    name = read_shallow(table, key)
    shown = name.data if isinstance(name.data, str) and name.type == "String" else short(table, key)
    return escaped(str(shown)[:MANY])


def joined(shown: list[str], count: int, limit: int) -> str:
    """The first of *count* values in a preview."""
    text = BETWEEN.join(shown)
    if len(text) > limit:
        return shortened(text, limit)
    return f"{text}, {ELLIPSIS}" if len(shown) < count else text


def shortened(text: str, limit: int) -> str:
    """A text in at most *limit* characters."""
    return text if len(text) <= limit else text[: limit - 1] + ELLIPSIS
