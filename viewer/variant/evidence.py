"""Evidence: what the nodes of a table tell of whether the bytes are meant to be a value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import assert_never

from viewer.base.buffer import u32
from viewer.base.diagnostic import Code, Severity
from viewer.variant.dialect import Kind
from viewer.variant.elements import element_size
from viewer.variant.table import NodeTable

CUT_OFF = (
    Code.CHILD_MISSING,
    Code.HEADER_MISSING,
    Code.PAYLOAD_TRUNCATED,
    Code.PADDING_MISSING,
    Code.LENGTH_TOO_LONG,
    Code.COUNT_TOO_LARGE,
)
"""What is wrong with the last value where the bytes end too early."""
MOST_LOOKED_AT, WORDS = 24, 2
SHORTEST_WORD, LONGEST_WORD = 2, 64


def cut_off(table: NodeTable) -> int:
    """How many bytes lie before a last value that the bytes end too early for; 0 where anything else is wrong."""
    errors = [found for found in table.diagnostics if found.severity is Severity.ERROR]
    return min((found.span.start for found in errors), default=0) if all(e.code in CUT_OFF for e in errors) else 0


def promised_size(table: NodeTable) -> int:
    """How many bytes a value without children says that it takes, however many are there; 0 where it does not say."""
    row = table.row(0) if len(table) and table.end_of_data >= 4 else None
    if row is None or len(table) > 1:
        return 0
    match row.kind:
        case Kind.FIXED:
            return 4 + sum(field.size for field in row.fields(table.header(0)))
        case Kind.STRING:
            return _counted_size(table, 1)
        case Kind.PACKED:
            return _counted_size(table, element_size(row, table.header(0)))
        case (
            Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return 0
        case _:
            assert_never(row.kind)


def _counted_size(table: NodeTable, each: int) -> int:
    """The bytes of the first value, whose count is of what takes *each* so many bytes; 0 where the count is missing."""
    if table.end_of_data < 8:
        return 0
    size = 8 + each * u32(table.buffer, 4)
    return size + -size % 4


def has_words(table: NodeTable) -> bool:
    """Whether some of the first values are words: Strings of letters, as keys are."""
    return sum(_is_word(table, node) for node in islice(_in_order(table), MOST_LOOKED_AT)) >= WORDS


def _in_order(table: NodeTable) -> Iterator[int]:
    """The nodes in the order of their bytes; of many children only the first ones."""
    waiting = [0] if len(table) else []
    while waiting:
        node = waiting.pop()
        yield node
        waiting += table.children(node)[:MOST_LOOKED_AT][::-1]


def _is_word(table: NodeTable, node: int) -> bool:
    at = table.start[node] + (0 if table.is_name(node) else 4)
    if at + 4 > table.end_of_data or table.header(node) != table.dialect.type_number("String"):
        return False
    end = at + 4 + u32(table.buffer, at)
    if not SHORTEST_WORD <= end - at - 4 <= LONGEST_WORD or end > table.end_of_data:
        return False
    try:
        return bytes(table.buffer[at + 4 : end]).decode().isprintable()
    except UnicodeDecodeError:
        return False
