"""A dump for comparing by lines: one value a line, without offsets, numbers of elements or anything that moves.

One element taken from a list is one run of lines that is gone, so that tools that know lines only (``git diff`` with a
textconv) show just that.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.document.document import Document
from viewer.document.pieces.message import FieldRole
from viewer.variant.convert.number_forms import element_words
from viewer.variant.dialect import HOLDING, PACKED, Kind, TypeRow
from viewer.variant.literal.printing import format_literal
from viewer.variant.paths.path_keys import IDENTIFIER
from viewer.variant.read import read, read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ElementType, ObjectFull, Value

DEEPEST = 64
"""Deeper values are set in no further."""
INDENT = "  "
FRAME = "---"
IN_A_LINE = 8
"""Packed arrays of more elements have one a line."""
HEX_BYTES = 32
LONG_BYTES = 64


def plain_dump(document: Document) -> Iterator[str]:
    """The lines of a document."""
    yield f"# {document.dialect.name}, {document.precision.value} precision, {document.framing.kind.value}"
    wraps = [layer.codec for layer in document.layers[1:]]
    if wraps:
        yield f"# in {', '.join(wraps)}"
    for frame in document.frames:
        yield FRAME
        if len(frame.table):
            yield from _Lines(document, frame.table).lines()
        for gap in frame.gaps:
            yield from _bytes(document, gap, "bytes of no value")
    if not document.fields:
        for gap in document.gaps:
            yield FRAME
            yield from _bytes(document, gap, "bytes of no value")
    for field in document.fields:
        if field.role is not FieldRole.VALUE and not field.is_view:
            yield from _bytes(document, field.span, f"@{printable(field.name)}")


def _bytes(document: Document, span: Span, name: str) -> Iterator[str]:
    if len(span):
        yield f"{name}:"
    for start in range(span.start, span.end, HEX_BYTES):
        yield INDENT + bytes(document.buffer[start : min(span.end, start + HEX_BYTES)]).hex(" ")


class _Lines:
    """Writes one table."""

    def __init__(self, document: Document, table: NodeTable) -> None:
        self._table = table
        self._precision = document.precision

    def lines(self) -> Iterator[str]:
        """The root and all that lies in it, in the order of the bytes."""
        stack: list[tuple[Iterator[int], bool, int]] = [(iter((0,)), False, 0)]
        while stack:
            nodes, has_keys, depth = stack[-1]
            node = next(nodes, None)
            if node is None:
                stack.pop()
                continue
            name = ""
            if has_keys:
                name, value = f"{self._key(node)}:", next(nodes, None)
                if value is None:
                    yield f"{INDENT * min(depth, DEEPEST)}{name}"
                    continue
                node = value
            elif depth:
                name = "-"
            table, row = self._table, self._table.row(node)
            children = table.children(node) if row is not None and row.kind in HOLDING else range(0)
            told, *more = self._told(node, row, bool(children))
            yield f"{INDENT * min(depth, DEEPEST)}{name}{' ' if name and told else ''}{told}"
            for line in more:
                yield f"{INDENT * min(depth + 1, DEEPEST)}{line}"
            if children:
                stack.append((iter(children), table.has_pairs(node), depth + 1))

    def _key(self, node: int) -> str:
        value = read(self._table, node)
        if isinstance(value.data, str) and IDENTIFIER.fullmatch(value.data):
            return str(value.data) if value.type == "String" else f"&{value.data}"
        return self._literal(value)

    def _literal(self, value: Value) -> str:
        return printable(format_literal(value, self._table.dialect, precision=self._precision))

    def _told(self, node: int, row: TypeRow | None, has_children: bool) -> list[str]:
        """What stands on the line of a value, and the lines of its elements."""
        table = self._table
        if row is None:
            return ["?", table.buffer[table.start[node] : table.end(node)].hex(" ")]
        if row.kind in HOLDING:
            return [printable(self._head(row, node)) + ("" if has_children else " (empty)")]
        value = read(table, node)
        if row.kind in PACKED and isinstance(value.data, bytes) and len(value.data) > LONG_BYTES:
            runs = range(0, len(value.data), HEX_BYTES)
            return [row.name, *(value.data[at : at + HEX_BYTES].hex(" ") for at in runs)]
        if row.kind in PACKED and isinstance(value.data, tuple) and len(value.data) > IN_A_LINE:
            return [row.name, *map(self._element, value.data)]
        return [self._literal(value)]

    def _element(self, data: object) -> str:
        if isinstance(data, str):
            return self._literal(Value("String", data))
        if isinstance(data, tuple):
            return ", ".join(repr(each) for each in data)
        return repr(data)

    def _head(self, row: TypeRow, node: int) -> str:
        """The type of a collection, with what it is told to hold."""
        data = read_shallow(self._table, node).data
        if isinstance(data, ObjectFull):
            return f"{row.name} {data.class_name}"
        if row.kind is Kind.OBJECT or not isinstance(data, Array | Dictionary):
            return self._literal(Value(row.name, data))
        held = (data.element_type,) if isinstance(data, Array) else (data.key_type, data.value_type)
        words = [self._words(each) for each in held]
        return f"{row.name}[{', '.join(word or 'Variant' for word in words)}]" if any(words) else row.name

    def _words(self, held: ElementType | None) -> str:
        return element_words(held, self._table.dialect)
