"""Read a node: bytes to an immutable value, when it is asked for.

Nothing recurses: a value may nest as deep as its file is long.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, assert_never

from viewer.base.buffer import u32
from viewer.base.diagnostic import Code, Severity
from viewer.variant import text
from viewer.variant.dialect import FLAG_64, SHARED, Field, Kind, TypeRow, by_kind
from viewer.variant.elements import number
from viewer.variant.items import Part, element_count, whole_parts
from viewer.variant.table import NodeTable
from viewer.variant.value import (
    Array,
    Data,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NodePath,
    ObjectFull,
    ObjectId,
    Reference,
    ReferenceKind,
    Signal,
    Value,
    float_from,
)

SUBNAMES, ABSOLUTE = 0x7FFF, 0x8000
"""The two pieces of the second count of a NodePath in a binary resource."""
ARRAY_CODES = {"i32": "i", "f32": "f", "f64": "d", "i64": "q"}
LONGEST_SCRIPT = 64
"""So many bytes of a property name are compared with ``script``; a NUL may end it early."""


def read(table: NodeTable, node: int = 0, surplus: bool = True) -> Value:
    """The value of a node with all that it holds.

    A broken value has None where its data should be; a collection that breaks off has the children that are there.

    Args:
        table: the nodes.
        node: which.
        surplus: whether what stands behind a sound value, where engines look no more, and is shown in it, counts too.
    """
    end = None if surplus else surplus_end(table)
    order, stack = [], [node]
    while stack:
        current = stack.pop()
        order.append(current)
        stack.extend(kept_children(table, current, end))
    built: dict[int, Value] = {}
    for current in reversed(order):
        children = [built.pop(child) for child in kept_children(table, current, end)]
        built[current] = _value(table, current, children)
    return built[node]


def read_beginning(table: NodeTable, node: int, most: int) -> Value:
    """The value of a node with the first *most* of the values that it holds, in the order of their bytes.

    Where it holds more, a broken value stands for those behind them.
    """
    order: list[int] = []
    stack = [node]
    while stack and len(order) <= most:
        current = stack.pop()
        order.append(current)
        stack.extend(reversed(table.children(current)[: most + 1]))
    built: dict[int, Value] = {}
    for current in reversed(order):
        inside = table.children(current)
        children = [built.pop(child) for child in takewhile(built.__contains__, inside)]
        rest = [Value("", None)] if len(children) < len(inside) else []
        built[current] = _value(table, current, children + rest)
    return built[node]


def surplus_end(table: NodeTable) -> int | None:
    """Where the first value ends for an engine that reads it without a fault, where more is shown in it; else None."""
    if table.guess is None or any(found.severity is Severity.ERROR for found in table.diagnostics):
        return None
    ends = (found.span.start for found in table.diagnostics if found.code is Code.TRAILING_BYTES)
    end = next(ends, None)
    return end if end == table.guess else None  # else something before it is read otherwise, too


def kept_children(table: NodeTable, node: int, end: int | None) -> range:
    """The children of a node that begin before *end*."""
    children = table.children(node)
    if end is None or not children or table.start[children[-1]] < end:
        return children
    return children[: bisect_left(children, end, key=table.start.__getitem__)]


def read_shallow(table: NodeTable, node: int) -> Value:
    """The value of a node without its children: a collection comes back empty, with its element types."""
    return _value(table, node, [])


def is_script(table: NodeTable, name: int) -> bool:
    """Whether the name of a property is ``script``."""
    start = table.start[name]
    if start + 4 > len(table.buffer):
        return False
    length = u32(table.buffer, start)
    raw = bytes(table.buffer[start + 4 : start + 4 + min(length, LONGEST_SCRIPT)])
    return text.logical(raw).removeprefix(text.BOM) == b"script"


def _value(table: NodeTable, node: int, children: Sequence[Value]) -> Value:
    row = table.row(node)
    if row is None:
        return Value("", None)
    if table.is_name(node):
        return Value("String", _text(table, node, row, children))
    if node in table.assumed and table.is_opaque(node) and not children:
        return Value(row.name, None)
    return Value(row.name, _READERS[row.kind](table, node, row, children))


def _named(table: NodeTable, node: int) -> dict[str, Any]:
    """Part values by name."""
    return {part.name: part.value for part in whole_parts(table, node)}


def _fixed(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    """Read from the bytes and not from parts, as :func:`_text`: nearly all values are numbers and texts."""
    header = table.header(node)
    fields, at = row.fields(header), table.start[node] + 4
    size = sum(field.size for field in fields)
    if not fields or table.head_end(node) - at < size:
        return None
    raw, found, at = table.buffer[at : at + size], [], 0
    for field in fields:
        found.append(number(raw, at, field.type))
        at += field.size
    if len(fields) > 1:
        return tuple(found)
    return bool(found[0]) if fields[0].type == "bool" else found[0]


def _null(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    return None


def _text(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    if table.names is not None and table.is_name(node):
        found = list(whole_parts(table, node))
        return found[-1].value if found and isinstance(found[-1].value, str) else None
    at = table.start[node] + (0 if table.is_name(node) else 4)
    room = table.head_end(node) - at - 4
    length = u32(table.buffer, at) if room >= 0 else 0
    if not 0 <= length <= room:
        return None
    at += 4
    raw = bytes(table.buffer[at : at + length])
    return text.read(raw.removesuffix(b"\0") if table.dialect.rules.closed_texts else raw, table.dialect.rules.utf8)


def _node_path(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    if "name_count" not in found:
        return _old_node_path(found)
    names, subnames = _strings(found, "name"), _strings(found, "subname")
    flags = found.get("flags")
    if not isinstance(flags, int):
        return None
    prop = None
    if flags & 2 and table.dialect.rules.property_flag and subnames:
        prop = subnames.pop()
    return NodePath(tuple(names), tuple(subnames), bool(flags & 1), prop)


def _strings(found: dict[str, Any], stem: str) -> list[str]:
    """The texts ``name0``, ``name1``, …; an empty one has a length but no text."""
    out: list[str] = []
    while f"{stem}{len(out)}_length" in found:
        out.append(found.get(f"{stem}{len(out)}", ""))
    return out


def _old_node_path(found: dict[str, Any]) -> Data:
    """Godot 2 reads the old form as the path's text: names, then sub-names behind colons."""
    if not found.get("length"):
        return NodePath() if "length" in found else None
    text = found.get("text")
    if not isinstance(text, str):
        return None
    path, *tail = text.split(":")
    names = tuple(name for name in path.split("/") if name)
    prop = tail.pop() if tail else None
    return NodePath(names, tuple(tail), path.startswith("/"), prop)


def _object(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    if table.header(node) & FLAG_64:
        return ObjectId(found["id"]) if "id" in found else None
    name = found.get("class")
    if not isinstance(name, str):
        return None
    pairs = zip(children[::2], children[1::2], strict=False)
    return ObjectFull(name, tuple((key.data, value) for key, value in pairs if isinstance(key.data, str)))


def _reference(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    target = found.get("target")
    if target == ReferenceKind.PATH and "path_length" in found:
        return Reference(ReferenceKind.PATH, 0, found.get("class", ""), found.get("path", ""))
    if target in (ReferenceKind.INTERNAL, ReferenceKind.EXTERNAL) and "index" in found:
        return Reference(ReferenceKind(target), found["index"])
    return None


def _indexed_path(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    if "name_count" not in found or "subname_count" not in found:
        return None
    names = [found[name] for name in (f"name{k}" for k in range(found["name_count"])) if name in found]
    count = found["subname_count"] & SUBNAMES
    subnames = [found[name] for name in (f"subname{k}" for k in range(count)) if name in found]
    return NodePath(tuple(map(str, names)), tuple(map(str, subnames)), bool(found["subname_count"] & ABSOLUTE))


def _signal(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    return Signal(found.get("name", ""), found["id"]) if "id" in found else None


def _array(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    return Array(tuple(children), _element_type(found, "element"), _shared(found))


def _dictionary(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    pairs = tuple(zip(children[::2], children[1::2], strict=False))
    return Dictionary(pairs, _element_type(found, "key"), _element_type(found, "value"), _shared(found))


def _typed_array(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    ids = bool(table.header(node) & FLAG_64)
    class_name = found.get("class", "" if found.get("class_length") == 0 else None)
    kind = ElementType(found.get("element_type", 0) & ~SHARED, class_name, None, ids)
    return Array(tuple(children), kind, _shared(found))


def _element_type(found: dict[str, Any], what: str) -> ElementType | None:
    if f"{what}_type" in found:
        return ElementType(builtin=found[f"{what}_type"])
    if f"{what}_class_length" in found:
        return ElementType(class_name=found.get(f"{what}_class", ""))
    if f"{what}_script_length" in found:
        return ElementType(script=found.get(f"{what}_script", ""))
    return None


def _shared(found: dict[str, Any]) -> bool:
    return bool(found.get("count", 0) & SHARED)


def _packed(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    return packed_elements(table, node, row, 0, element_count(table, node))


def packed_elements(table: NodeTable, node: int, row: TypeRow, first: int, stop: int) -> Data:
    """Some elements of a packed array of numbers that has them, as its value would hold them."""
    start = table.start[node] + 8
    fields = row.fields(table.header(node))
    size = sum(field.size for field in fields)
    raw = bytes(table.buffer[start + first * size : start + stop * size])
    if fields[0].type == "u8":
        return raw
    flat = _flat(raw, fields[0])
    width = len(fields)
    return tuple(flat) if width == 1 else tuple(zip(*(flat[k::width] for k in range(width)), strict=True))


def _flat(raw: bytes, field: Field) -> Sequence[int | float]:
    """Numbers of one type; NaN by NaN, so that their bits stay."""
    numbers = array(ARRAY_CODES[field.type], raw)
    if array("H", [1]).tobytes() == b"\0\1":
        numbers.byteswap()
    if field.type[0] == "f" and any(number != number for number in numbers):
        return [float_from(raw[at : at + field.size]) for at in range(0, len(raw), field.size)]
    return numbers


def _packed_strings(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    return tuple(part.value for part in whole_parts(table, node) if _is_string_element(part))  # type: ignore[return-value]


def _is_string_element(part: Part) -> bool:
    return part.name.endswith("]")


def _image(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    if "length" not in found or (found["length"] and "data" not in found):
        return None
    return Image(found["format"], found["mipmaps"], found["width"], found["height"], found.get("data", b""))


def _input_event(table: NodeTable, node: int, row: TypeRow, children: Sequence[Value]) -> Data:
    found = _named(table, node)
    if "length" not in found:
        return None
    fields = tuple((name, value) for name, value in found.items() if name not in ("header", "type", "device", "length"))
    return InputEvent(found["type"], found["device"], fields)


def _reader(kind: Kind) -> Callable[[NodeTable, int, TypeRow, Sequence[Value]], Data]:
    match kind:
        case Kind.FIXED:
            return _fixed
        case Kind.NULL_OBJECT:
            return _null
        case Kind.REFERENCE:
            return _reference
        case Kind.INDEXED_PATH:
            return _indexed_path
        case Kind.STRING:
            return _text
        case Kind.NODE_PATH:
            return _node_path
        case Kind.OBJECT | Kind.RESOURCE:
            return _object
        case Kind.SIGNAL:
            return _signal
        case Kind.ARRAY:
            return _array
        case Kind.DICTIONARY:
            return _dictionary
        case Kind.TYPED_ARRAY:
            return _typed_array
        case Kind.PACKED:
            return _packed
        case Kind.PACKED_STRINGS:
            return _packed_strings
        case Kind.IMAGE:
            return _image
        case Kind.INPUT_EVENT:
            return _input_event
        case _:
            assert_never(kind)


_READERS = by_kind(_reader)
