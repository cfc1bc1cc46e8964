"""Walk a table in the order of its bytes, with the path of every node. Linear, and without recursion.

A path that would be longer than any person reads is None: in a value that nests a hundred thousand levels deep the
paths alone would be larger than every memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from viewer.variant import items
from viewer.variant.items import Role
from viewer.variant.paths.path_keys import counted_segment, key_segment, ranked_segment
from viewer.variant.table import NONE, NodeTable

MAX_PATH = 1 << 13
MAX_KEY = 1 << 12
"""Keys of more bytes get no path where all nodes are walked; a single one is counted."""
FEW = 8
"""So many keys of one dictionary are named by themselves; for more of them all are named in order."""


class WalkedNode(NamedTuple):
    """A node on the way.

    Args:
        node: its id.
        end: the first byte behind it, from the start of the frame.
        depth: 0 for the root.
        path: None where it would be too long.
        segment: the last piece of the path, None likewise.
        is_key: whether it is a pair's key or a property's name.
        place: its place among the parent's elements or pairs.
        alone: whether it is a key and the data ends before its value.
        in_pair: whether the parent's children come in pairs.
    """

    node: int
    end: int
    depth: int
    path: str | None
    segment: str | None
    is_key: bool
    place: int
    alone: bool
    in_pair: bool


def walk(table: NodeTable, name: str) -> Iterator[WalkedNode]:
    """Visit all nodes: a parent before its children, a key before its value.

    Args:
        table: what to walk.
        name: the path of the root, ``[0]``.
    """
    if not len(table):
        return
    root = WalkedNode(0, table.end_of_data, 0, name, name, False, 0, False, False)
    yield root
    levels = [_Level(table, root)]
    while levels:
        found = levels[-1].following()
        if found is None:
            levels.pop()
            continue
        yield found
        if table.first[found.node]:
            levels.append(_Level(table, found))


class _Level:
    """The children of one node that are still to be visited."""

    def __init__(self, table: NodeTable, parent: WalkedNode) -> None:
        children = table.children(parent.node)
        self.table = table
        self.parent = parent
        self.first, self.at, self.stop = children.start, children.start, children.stop
        self.pairs = bool(children) and table.has_pairs(parent.node)
        self.seen: dict[str, int] = {}
        self.segment: str | None = None

    def following(self) -> WalkedNode | None:
        """The next child, None behind the last one."""
        node, place = self.at, self.at - self.first
        if node == self.stop:
            return None
        self.at += 1
        alone = self.at == self.stop
        end = self.parent.end if alone else self.table.start[self.at]
        if self.table.gaps:
            end = self.table.end(node)
        is_key = self.pairs and place % 2 == 0
        if is_key:
            self.segment = ranked_key(self.table, node, self.seen) if self.parent.path is not None else None
        segment = self.segment if self.pairs else f"[{place}]"
        own = segment if not is_key or segment is None else f"{segment}@key"
        path = joined(self.parent.path, own)
        index = place // 2 if self.pairs else place
        return WalkedNode(node, end, self.parent.depth + 1, path, own, is_key, index, is_key and alone, self.pairs)


def ranked_key(table: NodeTable, key: int, seen: dict[str, int]) -> str | None:
    """The segment of a key: the second equal one of a dictionary is ``#2``; None for a long one.

    Args:
        table: the frame's nodes.
        key: the next key of the dictionary.
        seen: how often each segment came before it; it is added to.
    """
    following = key + 1
    has_next = following < len(table) and table.parent[following] == table.parent[key]
    end = table.before_gap(table.start[following]) if has_next else table.end_of_data
    if end - table.start[key] > MAX_KEY:
        return None
    text = key_segment(table, key)
    rank = seen[text] = seen.get(text, 0) + 1
    return text if rank == 1 else f"{text}#{rank}"


def joined(path: str | None, segment: str | None) -> str | None:
    """A longer path, None where it would be too long."""
    if path is None or segment is None or len(path) + len(segment) > MAX_PATH:
        return None
    return path + segment


class PathBook:
    """Paths of single nodes and parts of one table; where many are asked for, a dictionary's keys are named once."""

    def __init__(self, table: NodeTable, name: str) -> None:
        self.table = table
        self.name = name
        self._keys: dict[int, list[str]] = {}
        self._asked: Counter[int] = Counter()
        self._steps: dict[int, tuple[str, int]] = {}
        self._fields: tuple[int, frozenset[str]] = (-1, frozenset())

    def path(self, node: int, part: str = "") -> str | None:
        """The path of a node or of its part, None where it would be too long."""
        if self._length(node) > MAX_PATH:
            return None
        out: list[str] = [self._suffix(node, part)] if part else []
        parent = self.table.parent
        while node > 0 and parent[node] != NONE:
            out.append(self._steps[node][0])
            node = parent[node]
        return self.name + "".join(reversed(out))

    def _length(self, node: int) -> int:
        """How long a node's path is; every node on the way is measured once."""
        parent, chain = self.table.parent, []
        while node > 0 and parent[node] != NONE and node not in self._steps:
            chain.append(node)
            node = parent[node]
        length = self._steps[node][1] if node in self._steps else len(self.name)
        for child in reversed(chain):
            segment = self._segment(child)
            length += len(segment)
            self._steps[child] = (segment, length)
        return length

    def _segment(self, node: int) -> str:
        table = self.table
        parent = table.parent[node]
        place = node - table.first[parent]
        if not table.has_pairs(parent):
            return f"[{place}]"
        segment = self._key_segment(parent, place // 2)
        return segment if place % 2 else f"{segment}@key"

    def _key_segment(self, parent: int, pair: int) -> str:
        """What a pair's key is called among those of the same dictionary."""
        table = self.table
        self._asked[parent] += 1
        if self._asked[parent] <= FEW:
            return ranked_segment(table, table.first[parent] + 2 * pair)
        if parent not in self._keys:
            seen: dict[str, int] = {}
            keys = table.children(parent)[::2]
            self._keys[parent] = [ranked_key(table, key, seen) or counted_segment(table, key) for key in keys]
        return self._keys[parent][pair]

    def _suffix(self, node: int, part: str) -> str:
        """As :func:`viewer.document.path.part_suffix`, the node's parts read only once."""
        if part.startswith("["):
            return part
        if self._fields[0] != node:
            found = items.parts(self.table, node)
            fields = (each.name for each in found if each.role is Role.VALUE and each.name != "elements")
            self._fields = (node, frozenset(fields))
        return f".{part}" if part in self._fields[1] else f"@{part}"
