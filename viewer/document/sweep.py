"""Sweep: the deepest nodes of a table at offsets that only rise.

Looking a byte up from the root costs a step a level; one after another they are found from where the last one was, so
that a search may ask about millions of places.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from viewer.variant.table import NodeTable


@dataclass(frozen=True, slots=True)
class ByteOwner:
    """What holds a byte.

    Args:
        node: the deepest node there.
        until: the first byte that may belong to another node.
        is_key: whether the node is the key of a pair or the name of a property.
    """

    node: int
    until: int
    is_key: bool


@dataclass(slots=True)
class _Level:
    """The children of a node: ids ``first`` to ``stop``, the last of them ends at *end*; the sweep is at id *at*."""

    first: int
    stop: int
    end: int
    pairs: bool
    at: int


class Sweep:
    """Looks nodes up at rising offsets; a lower one than before starts again from the root.

    Args:
        table: whose nodes.
    """

    __slots__ = ("_last", "_levels", "_place", "_table")

    def __init__(self, table: NodeTable) -> None:
        self._table = table
        self._levels: list[_Level] = []
        self._place = ByteOwner(0, 0, False)
        self._last = 0

    def at(self, offset: int) -> ByteOwner:
        """The deepest node that holds the byte at *offset*.

        Raises:
            IndexError: no node holds that byte.
        """
        table, levels = self._table, self._levels
        if offset < self._last:
            levels.clear()
        elif self._place.until > offset:
            return self._place
        self._last = offset
        if self._table.gaps:
            return self._slowly(offset)
        if not (len(table) and 0 <= offset < table.end_of_data):
            raise IndexError(f"No value holds byte {offset}.")
        while levels and offset >= levels[-1].end:
            levels.pop()
        if not levels and not self._enter(0, table.end_of_data):
            self._place = ByteOwner(0, table.end_of_data, False)
            return self._place
        self._place = self._descend(offset)
        return self._place

    def _slowly(self, offset: int) -> ByteOwner:
        """Among gaps, whose bytes belong to the collection around them."""
        table = self._table
        node = table.at(offset)
        gap = table.gap_at(offset)
        until = gap.span.end if gap is not None else table.head_end(node)
        parent = table.parent[node]
        key = node > 0 and (node - table.first[parent]) % 2 == 0 and table.has_pairs(parent)
        self._place = ByteOwner(node, max(until, offset + 1), key)
        return self._place

    def _descend(self, offset: int) -> ByteOwner:
        """From the innermost known level that holds the byte down to the deepest node."""
        start, level = self._table.start, self._levels[-1]
        if offset < start[level.first]:
            return ByteOwner(0, start[level.first], False)  # only the root is entered without a look at its head
        while True:
            level.at = bisect_right(start, offset, level.at, level.stop) - 1
            node, key = level.at, level.pairs and (level.at - level.first) % 2 == 0
            end = start[node + 1] if node + 1 < level.stop else level.end
            first = self._table.first[node]
            if first and offset < start[first]:
                return ByteOwner(node, start[first], key)
            if not self._enter(node, end):
                return ByteOwner(node, end, key)
            level = self._levels[-1]

    def _enter(self, node: int, end: int) -> bool:
        """Take a node's children as the innermost level; False where it has none."""
        count = self._table.child_count(node)
        if count:
            first = self._table.first[node]
            self._levels.append(_Level(first, first + count, end, self._table.has_pairs(node), first))
        return count > 0
