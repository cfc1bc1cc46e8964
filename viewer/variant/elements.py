"""The elements of packed arrays: virtual parts, found and read one at a time."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from threading import Lock

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.variant.dialect import FLAG_64, NUMBERS, Field, Kind, TypeRow
from viewer.variant.header import INT_MAX
from viewer.variant.hops import COMPILED, text_starts
from viewer.variant.part import Part, Role
from viewer.variant.table import NodeTable
from viewer.variant.value import float_from

STRIDE = 4000 if COMPILED else 1000
HOP = 64 * STRIDE
"""So many strings are hopped over at once: a buffer on disk is read in stretches that hold about as many."""
BLOCKS = 8
NEAR = 100_000


def element_count(table: NodeTable, node: int) -> int:
    """How many elements of a packed array of numbers its bytes hold; 0 for every other node."""
    row = table.row(node)
    if row is None or row.kind is not Kind.PACKED or table.is_name(node):
        return 0
    start, end = table.start[node], table.end(node)
    if end - start < 8:
        return 0
    count = u32(table.buffer, start + 4)
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


def number(buffer: Buffer, at: int, kind: str) -> int | float:
    """One number at *at*; *kind* is one of :data:`~viewer.variant.dialect.NUMBERS`; a bool is its whole word."""
    raw = bytes(buffer[at : at + NUMBERS[kind]])
    if kind[0] == "f":
        return float_from(raw)
    return int.from_bytes(raw, "little", signed=kind[0] == "i")


def _numbers(buffer: Buffer, at: int, fields: tuple[Field, ...]) -> Iterator[int | float]:
    for field in fields:
        yield number(buffer, at, field.type)
        at += field.size


def element_size(row: TypeRow, header: int) -> int:
    return row.wide_size if header & FLAG_64 else row.narrow_size


# Strings


class TextIndex:
    """Where the strings of a packed string array stand.

    It hops over them as far as it was asked and remembers the start of every :data:`STRIDE`-th, so that opening a long
    array reads none of them and a jump costs one pass at most. Threads may share one.

    Args:
        table: the frame's nodes.
        node: a packed string array.
    """

    def __init__(self, table: NodeTable, node: int) -> None:
        self._buffer = table.buffer
        self._end = table.end(node)
        self._is_closed = table.dialect.rules.closed_texts
        start = table.start[node] + 8
        said = u32(table.buffer, start - 4) if start <= self._end else 0
        self._said = min(said, max(0, self._end - start) // 4) if said <= INT_MAX else 0
        self._marks = array("Q", (start,))
        self._whole: int | None = self._said if is_whole(table, node) else None
        self._blocks: dict[int, array[int]] = {}
        self._is_marked = False
        self._hopping = Lock()

    def __len__(self) -> int:
        """How many strings are whole: those that the count word says, unless an error cut them off."""
        while self._whole is None:
            self._hop()
        return self._whole

    def is_near(self, number: int) -> bool:
        """Whether the start of a string is known, or not far behind what is."""
        return number <= STRIDE * len(self._marks) + NEAR

    def start(self, number: int) -> int:
        """Where the length word of a string stands, or with ``number == len(self)`` the first byte behind them all.

        Raises:
            IndexError: there are not so many strings.
        """
        block, rest = divmod(number, STRIDE)
        while len(self._marks) <= block and self._hop():
            pass
        return self._block(block)[rest]

    def at(self, offset: int) -> int:
        """The number of the string whose length word, text or fill holds a byte, -1 where none does."""
        if not self._marks[0] <= offset < self._end:
            return -1
        while self._marks[-1] <= offset and self._hop():
            pass
        block = bisect_right(self._marks, offset) - 1
        starts = self._block(block)
        place = bisect_right(starts, offset) - 1
        return block * STRIDE + place if place + 1 < len(starts) else -1

    def _block(self, block: int) -> array[int]:
        """The starts of :data:`STRIDE` strings and of what follows them."""
        found = self._blocks.get(block)
        if found is None:
            if len(self._blocks) >= BLOCKS:
                self._blocks.clear()
            found = self._blocks[block] = self._starts(block)
        return found

    def _starts(self, block: int) -> array[int]:
        find = closed_text_starts if self._is_closed else text_starts
        return find(self._buffer, self._marks[block], self._end, min(STRIDE, self._said - block * STRIDE))

    def _hop(self) -> bool:
        """Step over some times :data:`STRIDE` strings; False where there are no more."""
        with self._hopping:
            if self._is_marked:
                return False
            known = (len(self._marks) - 1) * STRIDE
            starts = text_starts(self._buffer, self._marks[-1], self._end, min(HOP, self._said - known))
            self._marks.extend(starts[STRIDE::STRIDE])
            if len(starts) <= HOP:
                self._whole, self._is_marked = known + len(starts) - 1, True
                return False
            return True


def closed_text_starts(buffer: Buffer, start: int, end: int, count: int) -> array[int]:
    """What :func:`~viewer.variant.hops.text_starts` finds, of texts that no fill follows."""
    found, at = array("Q", (start,)), start
    for _ in range(count):
        behind = at + 4 + u32(buffer, at) if at + 4 <= end else end + 1
        if behind > end:
            break
        found.append(behind)
        at = behind
    return found


def text_index(table: NodeTable, node: int) -> TextIndex:
    """The index of a packed string array; the last one is kept, for many places in one array are asked for in a row."""
    kept, end = table.strings, table.end(node)
    if kept is not None and kept[0] is table.buffer and kept[1:3] == (node, end):
        return kept[3]
    found = TextIndex(table, node)
    table.strings = table.buffer, node, end, found
    return found


def is_whole(table: NodeTable, node: int) -> bool:
    """Whether the scanner got to the end of a node, so that its count word is true."""
    if table.guess is not None:
        return not any(found.node == node and found.severity > Severity.NOTE for found in table.diagnostics)
    if table.end(node) < table.end_of_data:
        return True
    errors = [found for found in table.diagnostics if found.severity is Severity.ERROR]
    return not errors if table.child_count(node) else all(found.node != node for found in errors)
