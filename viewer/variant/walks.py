"""Ways up and down a node table, as deep as bytes may nest.

This file runs as it stands, and Cython compiles the same file (types in ``walks.pxd``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython


def run_end(parent: Sequence[int], begin: int, end: int, owner: int) -> int:
    """Where the run of ids that begins at *begin* and belongs to *owner* ends, at *end* at the latest. O(log n)."""
    if begin >= end or parent[begin] != owner:
        return begin
    low, step = begin, 1
    while low + step < end and parent[low + step] == owner:
        low += step
        step *= 2
    high = min(low + step, end)
    while high - low > 1:
        middle = (low + high) // 2
        if parent[middle] == owner:
            low = middle
        else:
            high = middle
    return high


def node_end(start: Sequence[int], parent: Sequence[int], node: int, end_of_data: int) -> int:
    """The first byte behind a node: where the next child of the first ancestor that has one begins."""
    total = len(parent)
    while node:
        following = node + 1
        if following < total and parent[following] == parent[node]:
            return start[following]
        node = parent[node]
    return end_of_data


def deepest(start: Sequence[int], parent: Sequence[int], first: Sequence[int], offset: int) -> int:
    """The deepest node at the byte *offset*, which the root holds."""
    node, total = 0, len(parent)
    while True:
        begin = first[node]
        if begin == 0 or parent[begin] != node or offset < start[begin]:
            return node
        end = run_end(parent, begin, total, node)
        if cython.compiled:
            low = begin
            while end - low > 1:
                middle = (low + end) // 2
                if start[middle] <= offset:
                    low = middle
                else:
                    end = middle
            node = low
        else:
            node = bisect_right(start, offset, begin, end) - 1
