"""The nodes of a dump one at a time: what it says of each, children left out, and what a reader writes for it."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import assert_never

from viewer.document.export.leaf_json import TEXT_LIMIT
from viewer.variant.dialect import COLLECTIONS, NAMED, SHARED, Dialect, Kind, Precision, TypeRow
from viewer.variant.encode import EncodeError, encode
from viewer.variant.header import INT_MAX
from viewer.variant.items import Part, parts
from viewer.variant.literal import preview
from viewer.variant.literal.names import is_broken
from viewer.variant.literal.printing import format_literal, quoted
from viewer.variant.native import to_native
from viewer.variant.primitives import encode_text
from viewer.variant.read import read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import Gap, NodeTable
from viewer.variant.value import Array, Dictionary, ElementType, ObjectFull, Value

# The bytes that a dump's reader writes for one node, so that the dump says only what differs from them.
#
# A *leaf* is a node without children of its own kind; a *head* is what stands before the children of a collection or
# an object, with their count as its last word.


def is_inner(table: NodeTable, node: int, row: TypeRow | None) -> bool:
    """Whether a node is told by its head and its children: a collection, or an object with class and properties."""
    if row is None or table.is_name(node):
        return False
    if row.kind in NAMED:
        return any(part.name == "count" for part in parts(table, node)[-2:]) or table.child_count(node) > 0
    return row.kind in COLLECTIONS


def default_head(row: TypeRow) -> Value | None:
    """The head that needs no words; None for an object, whose class must be told."""
    match row.kind:
        case Kind.ARRAY:
            return Value(row.name, Array())
        case Kind.DICTIONARY:
            return Value(row.name, Dictionary())
        case Kind.TYPED_ARRAY:
            return Value(row.name, Array((), ElementType(builtin=0)))
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return None
        case _:
            assert_never(row.kind)


def leaf_bytes(value: Value, dialect: Dialect, precision: Precision, like: bytes = b"") -> bytes:
    """A leaf with its header.

    Raises:
        EncodeError: the dialect cannot hold it, or it is broken.
    """
    row = dialect.by_name.get(value.type)
    if row is None or is_broken(row, value.data):
        raise EncodeError("This value was broken where it was read: its content is missing.")
    return encode(value, dialect, precision, like)


def name_bytes(value: Value) -> bytes:
    """The name of a property: text without a header.

    Raises:
        EncodeError: it is no text, or broken.
    """
    if not isinstance(value.data, str):
        raise EncodeError("The name of a property must be a text.")
    return encode_text(value.data)


def head_bytes(head: Value, count: int, dialect: Dialect, precision: Precision, like: bytes = b"") -> bytes:
    """The head of a collection or object with *count* elements or pairs.

    Raises:
        EncodeError: the dialect cannot hold it.
    """
    plain = encode(head, dialect, precision, like)
    if isinstance(head.data, ObjectFull) and not head.data.class_name:
        if count:
            raise EncodeError("An object without a class cannot have properties.")
        return plain
    return with_count(plain, count)


def with_count(head: bytes, count: int) -> bytes:
    """The same head with another count; the shared bit stays."""
    if count > INT_MAX:
        raise EncodeError(f"A collection may hold at most {INT_MAX} elements.")
    word = int.from_bytes(head[-4:], "little") & SHARED | count
    return head[:-4] + word.to_bytes(4, "little")


def read_leaf(raw: bytes, dialect: Dialect, is_name: bool) -> Value:
    """What bytes from a dump decode to; those of a property's name lack the header."""
    header = dialect.type_number("String").to_bytes(4, "little") if is_name else b""
    return read_shallow(_scanned(header + raw, dialect), 0)


def read_head(raw: bytes, dialect: Dialect) -> tuple[Value, int | None]:
    """What a head from a dump decodes to, and its count: None where it breaks off before."""
    table = _scanned(raw, dialect)
    if table.end_of_data < len(raw):  # broken by what followed it: any value that is no class name will do
        table = _scanned(raw + bytes(8), dialect)
    return read_shallow(table, 0), stored_count(table, 0)


def stored_count(table: NodeTable, node: int) -> int | None:
    """The elements or pairs that a head promises; None where it breaks off before its count."""
    own = parts(table, node)
    last = own[-2] if own[-1].name == "rest" and len(own) > 1 else own[-1]
    if last.name != "count" or not isinstance(last.value, int):
        return None
    row = table.row(node)
    if row is not None and row.kind is Kind.OBJECT:
        return last.value if last.value <= INT_MAX else 0
    return last.value & INT_MAX


def _scanned(raw: bytes, dialect: Dialect) -> NodeTable:
    table = scan(raw, dialect)
    if not len(table):
        raise EncodeError("Bytes of a value are at least its 4-byte header.")
    return table


PLAIN_HEADS: tuple[object, ...] = ([], {"type": "Dictionary", "args": []})

Node = dict[str, object]


class NodeFields:
    """The fields of one table's nodes, children and paths left out.

    Args:
        table: the nodes.
        start: where they begin in the layer.
        precision: of the file.
    """

    def __init__(self, table: NodeTable, start: int, precision: Precision) -> None:
        self.table = table
        self.start = start
        self.dialect = table.dialect
        self.precision = precision
        self._gaps: dict[int, list[Gap]] = {}
        for gap in table.gaps:
            self._gaps.setdefault(gap.owner, []).append(gap)

    def node(self, node: int, end: int) -> tuple[Node, bool]:
        """The fields of a node, and whether children follow.

        Args:
            node: which.
            end: the first byte behind it, from the start of the frame.
        """
        table, start = self.table, self.start
        row = table.row(node)
        own = parts(table, node)
        inner = is_inner(table, node, row)
        value = read_shallow(table, node)
        fields: Node = {
            "type": row.name if row is not None else "",
            "span": [start + table.start[node], start + end],
            "text": self._text(node, value, inner),
            "parts": [_part(part, start) for part in own],
        }
        raw = bytes(table.buffer[table.start[node] : own[-1].span.end])
        self._recovery(fields, node)
        if inner:
            self._head(fields, node, value, raw)
        else:
            fields["value"] = None if table.is_opaque(node) else to_native(value, self.dialect)
            if table.is_opaque(node):
                fields["damaged"], fields["bytes"] = True, raw.hex()
            elif self._leaf(value, table.is_name(node)) != raw:
                fields["bytes"] = raw.hex()
        return fields, inner

    def _recovery(self, fields: Node, node: int) -> None:
        table, start = self.table, self.start
        if table.is_guessed(node):
            fields["recovered"] = True
        if node not in self._gaps:
            return
        first = table.children(node)
        fields_gaps = [
            {
                "before": bisect_left(table.start, gap.span.end, first.start, first.stop) - first.start,
                "span": [gap.span.start + start, gap.span.end + start],
                "hex": bytes(table.buffer[gap.span.start : gap.span.end]).hex(),
            }
            for gap in self._gaps[node]
        ]
        fields["gaps"] = fields_gaps
        own = fields["parts"]
        assert isinstance(own, list)
        own.extend({"name": "gap", "span": gap["span"], "value": gap["hex"]} for gap in fields_gaps)

    def _text(self, node: int, value: Value, inner: bool) -> str:
        row = self.table.row(node)
        if row is not None and row.kind is Kind.STRING and isinstance(value.data, str):
            return preview.shortened(quoted(value.data[: TEXT_LIMIT + 1]), TEXT_LIMIT)
        if inner or row is None:
            return preview.text(self.table, node, TEXT_LIMIT)
        return format_literal(value, self.dialect, limit=TEXT_LIMIT, precision=self.precision)

    def _leaf(self, value: Value, is_name: bool) -> bytes | None:
        """The bytes that the value alone would give, None for a broken one."""
        try:
            return name_bytes(value) if is_name else leaf_bytes(value, self.dialect, self.precision)
        except EncodeError:
            return None

    def _head(self, fields: Node, node: int, head: Value, raw: bytes) -> None:
        count = self.table.child_count(node)
        if self.table.has_pairs(node):
            count = (count + 1) // 2
        if node in self.table.assumed or parts(self.table, node)[-1].name != "count":
            fields["damaged"], fields["bytes"] = True, raw.hex()
            return
        told = to_native(head, self.dialect)
        if told not in PLAIN_HEADS:
            fields["head"] = told
        if self._written_head(head, count) != raw:
            fields["bytes"] = raw.hex()
        if stored_count(self.table, node) not in (None, count):
            fields["present"] = count

    def _written_head(self, head: Value, count: int) -> bytes | None:
        try:
            return head_bytes(head, count, self.dialect, self.precision)
        except EncodeError:
            return None


def _part(part: Part, start: int) -> Node:
    value = part.value
    if isinstance(value, bytes):
        value = value.hex()
    elif isinstance(value, float) and not math.isfinite(value):
        value = repr(float(value))
    elif part.type == "bool" and value in (0, 1):
        value = value == 1
    return {"name": part.name, "span": [part.span.start + start, part.span.end + start], "value": value}
