"""The children of collections in the order of their bytes, some at a time, with the bytes of those that are short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from viewer.base.diagnostic import Severity
from viewer.document.export.leaf_json import LONGEST
from viewer.variant.table import NodeTable

BLOCK = 1 << 8
"""So many children are looked at together; even, so that it holds whole pairs."""
WINDOW = 1 << 18
"""Bytes that are held at once."""
NEAR = WINDOW >> 2

Block: TypeAlias = "tuple[int, list[int], list[int], list[bytes | None]]"
"""The first child's id, where each begins and ends, and the bytes of each that is short, whole and has no children."""


class ChildBlocks:
    """Reads the children of one table's nodes; collections must be asked for in the order of their bytes.

    Args:
        table: whose nodes.

    Attributes:
        is_sound: whether nothing is wrong with the table.
    """

    def __init__(self, table: NodeTable) -> None:
        self._table = table
        self._low, self._window = 0, b""
        worse = [found for found in table.diagnostics if found.severity is not Severity.NOTE]
        self._doubtful = {found.node for found in worse} | {gap.owner for gap in table.gaps} | set(table.assumed)
        self._whole_end = table.end_of_data + 1
        if table.guess is not None or any(found.severity is Severity.ERROR for found in worse):
            self._whole_end = table.end_of_data
        self.is_sound = not (self._doubtful or table.gaps) and self._whole_end > table.end_of_data

    def is_plain(self, node: int) -> bool:
        """Whether nothing was found about a node itself."""
        return node not in self._doubtful

    def block(self, node: int, end: int, first: int, stop: int) -> Block:
        """The first children of a node from *first* on, up to *stop* at most; the node ends at *end*."""
        table = self._table
        stop = min(first + BLOCK, stop)
        starts = table.start[first : stop + 1].tolist()
        if len(starts) > stop - first and table.parent[stop] == node:
            ends = starts[1:]
            starts.pop()
        else:
            del starts[stop - first :]
            ends = [*starts[1:], end]
        if table.gaps:
            ends = [table.clipped(child, at) for child, at in enumerate(ends, first)]
        return first, starts, ends, self._raws(first, starts, ends)

    def blocks(self, node: int, end: int, children: range) -> Iterator[Block]:
        """Children of a node, which ends at *end*."""
        for first in range(children.start, children.stop, BLOCK):
            yield self.block(node, end, first, children.stop)

    def raw(self, start: int, end: int) -> bytes:
        """Some bytes of the table."""
        low = self._low
        if low <= start and end <= low + len(self._window):
            return self._window[start - low : end - low]
        return bytes(self._table.buffer[start:end])

    def _raws(self, first: int, starts: list[int], ends: list[int]) -> list[bytes | None]:
        inner = self._table.first[first : first + len(starts)].tolist()
        begin, end = starts[0], ends[-1]
        if end - begin > NEAR:
            raw = self.raw
            found = [
                raw(at, stop) if not has and stop - at <= LONGEST else None
                for at, stop, has in zip(starts, ends, inner, strict=True)
            ]
        else:
            if begin < self._low or end > self._low + len(self._window):
                self._low, self._window = begin, bytes(self._table.buffer[begin : begin + WINDOW])
            low, window = self._low, self._window
            found = [
                window[at - low : stop - low] if not has and stop - at <= LONGEST else None
                for at, stop, has in zip(starts, ends, inner, strict=True)
            ]
        if not self.is_sound:
            for k, node in enumerate(range(first, first + len(starts))):
                if node in self._doubtful or ends[k] >= self._whole_end:
                    found[k] = None
        return found
