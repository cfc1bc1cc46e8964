"""A value as :mod:`viewer.variant.native` writes it, as text in pieces: no more of it is held than is being written."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from math import isfinite, isnan

from viewer.document.document import Document
from viewer.document.export.child_blocks import ChildBlocks
from viewer.document.export.deep_json import INFINITY, dumps
from viewer.document.export.leaf_json import LeafJson, Memo
from viewer.variant.dialect import NAMED, SHARED, Dialect, Kind, Precision, TypeRow
from viewer.variant.elements import element_count
from viewer.variant.native import to_native
from viewer.variant.native.json_writer import WHOLE, text_node
from viewer.variant.read import ARRAY_CODES, kept_children, read_shallow, surplus_end
from viewer.variant.table import NodeTable

PIECES = 1 << 10
"""So many pieces are put together before they are handed on."""
STRETCH = 1 << 14
"""Elements of a packed array that are written at once."""
LONG = 1 << 12
"""Bytes of a packed array that is written in stretches."""
COMMA = ", "


class ValueJson:
    """Values of one dialect as JSON.

    Args:
        dialect: how they are read.
        precision: in which the file is written.
    """

    def __init__(self, dialect: Dialect, precision: Precision) -> None:
        self.dialect = dialect
        self.known: Memo[str] = Memo()
        self.names: Memo[str | None] = Memo()
        self.plain = {row.number: bounds for row in dialect.rows if (bounds := _plain_bounds(row)) is not None}
        self._leaves = LeafJson(dialect, precision)

    def pieces(self, table: NodeTable, node: int = 0) -> Iterator[str]:
        """The text of a node with all that it holds, as :func:`viewer.variant.read.read` reads it without surplus."""
        return _Walk(self, table).pieces(node)

    def leaf(self, table: NodeTable, node: int, raw: bytes) -> str:
        """A short leaf that is whole, by its bytes."""
        return self.known.learned(raw, lambda: self._leaves.value(raw) or self.shallow(table, node))

    def name(self, table: NodeTable, node: int, raw: bytes | None) -> str | None:
        """The name of a property, None where it is broken; *raw* are its bytes where it is short and whole."""

        def name() -> str | None:
            value = read_shallow(table, node).data
            return dumps(text_node(value)) if isinstance(value, str) else None

        return name() if raw is None else self.names.learned(raw, name)

    def shallow(self, table: NodeTable, node: int) -> str:
        """A node without what it holds."""
        return dumps(to_native(read_shallow(table, node), self.dialect))


def _plain_bounds(row: TypeRow) -> tuple[str, str] | None:
    """What stands around the values in a collection whose header is its number and nothing else."""
    if row.kind is Kind.ARRAY:
        return "[", "]"
    return (f'{{"type": {dumps(row.name)}, "args": [', "]}") if row.kind is Kind.DICTIONARY else None


class _Walk:
    """Writes a value of one table."""

    def __init__(self, writer: ValueJson, table: NodeTable) -> None:
        self._writer = writer
        self._table = table
        self._blocks = ChildBlocks(table)
        self._end = surplus_end(table)
        self._out: list[str] = []

    def pieces(self, node: int) -> Iterator[str]:
        """The text of a node, in pieces."""
        out, levels = self._out, [self._level(node, self._table.end(node))]
        while levels:
            inside = next(levels[-1], None)
            if inside is None:
                levels.pop()
            elif isinstance(inside, str):
                out.append(inside)
            else:
                levels.append(self._level(*inside))
            if len(out) >= PIECES:
                yield "".join(out)
                out.clear()
        yield "".join(out)

    def _level(self, node: int, end: int) -> Iterator[tuple[int, int] | str]:
        """Write a value that is long, odd or holds others; what it holds is handed out to be written like this."""
        table = self._table
        children = kept_children(table, node, self._end) if table.first[node] else range(0)
        if not children or table.is_name(node):
            yield from self._long_leaf(node, end)
            return
        before, behind = self._bounds(node)
        self._out.append(before)
        if not behind:
            return
        if table.has_pairs(node):
            children = children[: len(children) & ~1]
        row = table.row(node)
        if row is not None and row.kind in NAMED:
            yield from self._properties(node, end, children)
        else:
            yield from self._values(node, end, children)
        self._out.append(behind)

    def _values(self, node: int, end: int, children: range) -> Iterator[tuple[int, int] | str]:
        writer, table, out = self._writer, self._table, self._out
        get, comma = writer.known.get, ""
        for first, _, ends, raws in self._blocks.blocks(node, end, children):
            run: list[str] = []
            for k, raw in enumerate(raws):
                if raw is not None:
                    run.append(get(raw) or writer.leaf(table, first + k, raw))
                    continue
                if run:
                    out.append(comma + COMMA.join(run))
                    run, comma = [], COMMA
                out.append(comma)
                comma = COMMA
                yield first + k, ends[k]
            if run:
                yield comma + COMMA.join(run)
                comma = COMMA

    def _properties(self, node: int, end: int, children: range) -> Iterator[tuple[int, int] | str]:
        writer, table, out = self._writer, self._table, self._out
        comma = ""
        for first, _, ends, raws in self._blocks.blocks(node, end, children):
            for k in range(0, len(raws), 2):
                key, value = raws[k], raws[k + 1]
                known = key is not None and key in writer.names
                name = writer.names[key] if known and key is not None else writer.name(table, first + k, key)
                if name is None:
                    continue
                out.append(f"{comma}{name}{COMMA}")
                comma = COMMA
                if value is None:
                    yield first + k + 1, ends[k + 1]
                else:
                    yield writer.known.get(value) or writer.leaf(table, first + k + 1, value)

    def _bounds(self, node: int) -> tuple[str, str]:
        """What stands before and behind the values in a node; nothing behind where they are not told."""
        start = self._table.start[node]
        header = int.from_bytes(self._blocks.raw(start, start + 4), "little")
        plain = self._writer.plain.get(header)
        if plain is not None and self._blocks.is_plain(node):
            count = int.from_bytes(self._blocks.raw(start + 4, start + 8), "little")
            if not count & SHARED and self._blocks.is_sound:
                return plain
        told = self._writer.shallow(self._table, node)
        if told == "[]":
            return "[", "]"
        return (told[:-2], "]}") if told.endswith("[]}") else (told, "")

    def _long_leaf(self, node: int, end: int) -> Iterator[str]:
        table = self._table
        start = table.start[node]
        row = table.row(node)
        if row is None or row.kind is not Kind.PACKED or end - start < LONG or table.is_name(node):
            yield self._writer.shallow(table, node)
            return
        yield from packed_pieces(table, node, row)


def packed_pieces(table: NodeTable, node: int, row: TypeRow) -> Iterator[str]:
    """A packed array of numbers as :func:`viewer.variant.native.to_native` writes it."""
    fields = row.fields(table.header(node))
    kind, width = fields[0].type, len(fields)
    size = fields[0].size
    at = table.start[node] + 8
    end = at + element_count(table, node) * width * size
    yield f'{{"type": {dumps(row.name)}, "args": ['
    comma, odd = "", array("Q")
    for begin in range(at, end, STRETCH * size):
        raw = bytes(table.buffer[begin : min(begin + STRETCH * size, end)])
        yield comma + COMMA.join(_texts(raw, kind, (begin - at) // size, odd))
        comma = COMMA
    yield "]"
    if odd:
        yield ', "bits": {'
        for k, place in enumerate(odd):
            raw = bytes(table.buffer[at + place * size : at + place * size + size])
            yield f'{", " if k else ""}"{place}": "{raw[::-1].hex()}"'
        yield "}"
    yield "}"


def _texts(raw: bytes, kind: str, place: int, odd: array[int]) -> Iterator[str]:
    """Numbers of one type as JSON; *odd* gets the places of those that are none, the first number's being *place*."""
    if kind == "u8":
        return map(str, raw)
    numbers = array(ARRAY_CODES[kind], raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    if kind[0] == "i":
        if numbers.itemsize <= 4:
            return map(str, numbers)
        return (str(number) if -WHOLE <= number <= WHOLE else f'"{number}"' for number in numbers)
    if all(map(isfinite, numbers)):
        return map(repr, numbers)
    odd.extend(k for k, number in enumerate(numbers, place) if number != number)
    return map(_odd_number, numbers)


def _odd_number(number: float) -> str:
    if isfinite(number):
        return repr(number)
    return '"nan"' if isnan(number) else INFINITY if number > 0 else f"-{INFINITY}"


def values(document: Document) -> Iterator[str]:
    """All values of a document, one a line, in pieces: each as :class:`ValueJson` writes it, null where none is."""
    writer: ValueJson | None = None
    for frame in document.frames:
        if writer is None or writer.dialect is not frame.table.dialect or frame.table.names is not None:
            writer = ValueJson(frame.table.dialect, document.precision)
        if len(frame.table):
            yield from writer.pieces(frame.table)
        else:
            yield "null"
        yield "\n"
