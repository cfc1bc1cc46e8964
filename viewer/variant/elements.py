"""The elements of a packed array of numbers: virtual parts, read one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from viewer.span import Span
from viewer.variant.dialect import FLAG_64, NUMBERS, Field, Kind, TypeRow
from viewer.variant.part import Part, Role
from viewer.variant.scan import INT_MAX
from viewer.variant.table import NodeTable
from viewer.variant.value import float_from

U32 = Struct("<I").unpack_from


def element_count(table: NodeTable, node: int) -> int:
    """How many elements of a packed array of numbers its bytes hold; 0 for every other node."""
    row = table.row(node)
    if row is None or row.kind is not Kind.PACKED or table.is_name(node):
        return 0
    start, end = table.start[node], table.end(node)
    if end - start < 8:
        return 0
    count = int(U32(table.buffer, start + 4)[0])
    size = element_size(row, table.header(node))
    return min(count, (end - start - 8) // size) if count <= INT_MAX else 0


def element(table: NodeTable, node: int, index: int) -> Part:
    """One element of a packed array.

    Raises:
        IndexError: there is no element *index*.
    """
    if not 0 <= index < element_count(table, node):
        raise IndexError(f"There is no element {index}.")
    row = table.row(node)
    assert row is not None
    fields = row.fields(table.header(node))
    size = sum(field.size for field in fields)
    start = table.start[node] + 8 + index * size
    span = Span(start, start + size)
    if len(fields) == 1:
        return Part(f"[{index}]", span, Role.VALUE, fields[0].type, number(table.buffer, start, fields[0].type))
    return Part(f"[{index}]", span, Role.VALUE, "", tuple(_numbers(table.buffer, start, fields)))


def number(buffer: bytes | bytearray | memoryview, at: int, kind: str) -> int | float:
    """One number at *at*; *kind* is one of :data:`~viewer.variant.dialect.NUMBERS`; a bool is its whole word."""
    raw = bytes(buffer[at : at + NUMBERS[kind]])
    if kind[0] == "f":
        return float_from(raw)
    return int.from_bytes(raw, "little", signed=kind[0] == "i")


def _numbers(buffer: bytes | bytearray | memoryview, at: int, fields: tuple[Field, ...]) -> Iterator[int | float]:
    for field in fields:
        yield number(buffer, at, field.type)
        at += field.size


def element_size(row: TypeRow, header: int) -> int:
    return row.wide_size if header & FLAG_64 else row.narrow_size
