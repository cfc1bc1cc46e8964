"""Strangeness: how much the values of a table look unlike what a game would store, in nats.

It is a sum, not a mean: one text with a control character in a long list is what a wrong repair leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from struct import Struct

from viewer.buffer import u32
from viewer.variant.dialect import FLAG_64, Kind, TypeRow
from viewer.variant.items import number
from viewer.variant.table import NONE, NodeTable

SINGLE = Struct("<f")
MOST_NODES = 160
MOST_LEVELS = 1 << 10
MOST_ELEMENTS = 16
MOST_RAW, MOST_PACKED = 256, 48
SMALL = 1 << 10
AROUND = 1 << 9
RARE = {"RID": 1.0, "Callable": 1.0, "Signal": 1.0, "Object": 0.7, "Image": 0.7, "InputEvent": 0.7, "Projection": 0.5}
TYPED_BITS = 0xF << 16
KEY_GROUPS = frozenset({"text", "number", "path", "vector"})


def strangeness(table: NodeTable, near: int) -> float:
    """How strange the values are, those around byte *near* of the table above all; 0 is not at all."""
    return sum(_node(table, node) for node in _some(table, near))


def _some(table: NodeTable, near: int) -> Iterator[int]:
    if len(table) <= MOST_NODES:
        yield from table.nodes
        return
    node = table.at(min(max(0, near - AROUND), table.end_of_data - 1)) if table.end_of_data else NONE
    for _ in range(MOST_NODES):
        if node == NONE:
            return
        yield node
        node = _following(table, node)


def _following(table: NodeTable, node: int) -> int:
    """The node behind another in the order of their bytes, NONE behind the last."""
    if table.child_count(node):
        return table.first[node]
    for _ in range(MOST_LEVELS):
        parent = table.parent[node]
        if parent == NONE:
            return NONE
        if node + 1 < len(table) and table.parent[node + 1] == parent:
            return node + 1
        node = parent
    return NONE


def _node(table: NodeTable, node: int) -> float:
    start = table.start[node]
    if table.is_name(node):
        return _text(table, start, table.end(node))[0]
    header = u32(table.buffer, start)
    row = table.dialect.row(header)
    if row is None:
        return 6.0
    return _header(table, row, header) + RARE.get(row.name, 0.0) + _payload(table, node, row, header)


def _header(table: NodeTable, row: TypeRow, header: int) -> float:
    rules = table.dialect.rules
    allowed = rules.header_mask
    if row.has_wide or row.kind in (Kind.OBJECT, Kind.TYPED_ARRAY):
        allowed |= FLAG_64
    if row.kind is Kind.ARRAY and rules.typed_arrays:
        allowed |= 3 << 16
    if row.kind is Kind.DICTIONARY and rules.typed_dictionaries:
        allowed |= TYPED_BITS
    odd = header & ~allowed & 0xFFFFFFFF or (row.number != header & 0xFF)
    return 4.0 if odd else 0.0


def _payload(table: NodeTable, node: int, row: TypeRow, header: int) -> float:
    start = table.start[node]
    if row.kind is Kind.FIXED:
        return _fixed(table, row, header, start + 4, table.end(node))
    if row.kind is Kind.STRING:
        return _text(table, start + 4, table.end(node))[0]
    if row.kind is Kind.PACKED:
        return _packed(table, row, header, start, table.end(node))
    if row.kind is Kind.PACKED_STRINGS:
        return _texts(table, start + 8, table.end(node), True)
    if row.kind is Kind.NODE_PATH:
        return _texts(table, start + 16, table.end(node), False)
    if row.kind is Kind.DICTIONARY:
        return _keys(table, node)
    if row.kind is Kind.ARRAY:
        return _elements(table, node)
    if row.kind is Kind.OBJECT and not header & FLAG_64:
        return _text(table, start + 4, table.end(node))[0]
    return 0.0


def _fixed(table: NodeTable, row: TypeRow, header: int, at: int, end: int) -> float:
    if not row.narrow:
        return 0.4
    out = 0.0
    for field in row.fields(header):
        if at + field.size > end:
            break
        out += _number(number(table.buffer, at, field.type), field.type)
        at += field.size
    if header & FLAG_64 and row.has_wide and not row.real:
        out += _is_short(number(table.buffer, end - 8, row.wide[0].type))
    return min(out, 8.0)


def _is_short(value: object) -> float:
    """An engine writes what fits in 32 bits without the flag."""
    if isinstance(value, int):
        low, high = value & 0xFFFFFFFF, value >> 32
        two = 0 < low < SMALL and 0 < high < SMALL  # rather two words
        return 1.0 if -(1 << 31) <= value < 1 << 31 else 2.0 if two else 0.0
    return 1.0 if isinstance(value, float) and _is_single(value) else 0.0


def _is_single(value: float) -> bool:
    try:
        return bool(SINGLE.unpack(SINGLE.pack(value))[0] == value)
    except OverflowError:
        return False


def _number(value: object, kind: str) -> float:
    if isinstance(value, float):
        return _float(value)
    if not isinstance(value, int):
        return 0.0
    if kind == "bool":
        return 0.0 if value in (0, 1) else 4.0
    size = abs(value)
    return 0.0 if size < 1 << 16 else 0.4 if size < 1 << 24 else 0.8 if size < 1 << 53 else 1.5


def _float(value: float) -> float:
    if not isfinite(value):
        return 1.5
    size = abs(value)
    if size == 0 or 1e-4 <= size < 1e6:
        return 0.0
    return 0.7 if 1e-12 <= size < 1e13 else 2.0 if size >= 1e-37 else 3.5


def _text(table: NodeTable, at: int, end: int, closed: bool = False, fill: bool = True) -> tuple[float, int]:
    """How strange the text is whose length stands at *at*, and where the next begins."""
    if at + 4 > end:
        return 1.0, end
    length = u32(table.buffer, at)
    raw = bytes(table.buffer[at + 4 : min(end, at + 4 + length)])
    after = at + 4 + (length + 3 & ~3)
    out = 0.0
    if closed:
        out += 0.0 if raw.endswith(b"\0") else 2.0
        raw = raw.removesuffix(b"\0")
    try:
        shown = raw.decode()
    except UnicodeDecodeError:
        return out + 4.0, after
    if not shown:
        out += 0.2
    elif not shown.isascii() or not shown.isprintable():
        odd = sum(not (sign.isprintable() or sign in "\n\t\r") for sign in shown[:256])
        out += min(8.0, 2.5 * odd) + min(1.0, 0.1 * sum(sign > "\x7f" for sign in shown[:256]))
    padding = bytes(table.buffer[at + 4 + length : min(end, after)])
    if any(padding) and table.dialect.rules.unwritten_padding != "all":
        out += 4.0 if fill else 0.5
    return out, after


def _texts(table: NodeTable, at: int, end: int, closed: bool) -> float:
    out, count = 0.0, 0
    while at < end and count < MOST_ELEMENTS:
        more, at = _text(table, at, end, closed, fill=closed)
        out += more
        count += 1
    return min(out, 10.0)


def _packed(table: NodeTable, row: TypeRow, header: int, start: int, end: int) -> float:
    fields = row.fields(header)
    size = sum(field.size for field in fields)
    count = u32(table.buffer, start + 4)
    if fields[0].type == "u8":
        return _raw(table, start + 8, count, end)
    out, at = 0.0, start + 8
    step = max(1, count // MOST_PACKED)
    for k in range(0, count, step):
        place = at + k * size
        if place + size > end:
            break
        for field in fields:
            out += _number(number(table.buffer, place, field.type), field.type)
            place += field.size
    return min(out, 8.0)


def _raw(table: NodeTable, at: int, count: int, end: int) -> float:
    """Bytes may be anything, but a row of values looks like a row of values."""
    raw = bytes(table.buffer[at : at + min(count, MOST_RAW)])
    fill = bytes(table.buffer[at + count : end])
    out = 3.0 if any(fill) and table.dialect.rules.unwritten_padding != "all" else 0.0
    heads = sum(0 < raw[k] < 40 and not any(raw[k + 1 : k + 4]) for k in range(len(raw) - 3))
    return out + (min(20.0, 0.5 * heads) if heads > 2 else 0.0)


def _keys(table: NodeTable, node: int) -> float:
    keys = list(table.children(node)[: 2 * MOST_ELEMENTS : 2])
    kinds = []
    out = 0.0
    seen = set()
    for key in keys:
        if table.parent[key] == NONE:
            continue
        row = table.row(key)
        kinds.append(row.number if row is not None else -1)
        if row is None or row.group not in KEY_GROUPS or row.kind not in (Kind.STRING, Kind.FIXED, Kind.NODE_PATH):
            out += 1.2
        raw = bytes(table.buffer[table.start[key] : min(table.end(key), table.start[key] + 256)])
        out += 3.0 if raw in seen else 0.0
        seen.add(raw)
    return min(10.0, out + 0.8 * max(0, len(set(kinds)) - 1))


def _elements(table: NodeTable, node: int) -> float:
    """Elements of an array are mostly of one type; each change of type costs a little."""
    some = [table.row(child) for child in table.children(node)[:MOST_ELEMENTS] if table.parent[child] != NONE]
    numbers = {row.number for row in some if row is not None}
    return 0.15 * max(0, len(numbers) - 1)
