"""Places: the nodes and texts of a broken value at which something may have gone wrong, the nearest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from viewer.base.buffer import u32
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.part import Raw
from viewer.variant.dialect import SHARED, Kind, TypeRow
from viewer.variant.heads import INT_MAX
from viewer.variant.table import NONE, NodeTable

MOST_NODES = 320
MOST_TEXTS = 320
MOST_NAMES = 64
MOST_HOLDERS, MOST_LEVELS = 8, 1 << 12


@dataclass(frozen=True, slots=True)
class Node:
    """A node that was read.

    Args:
        id: in the table.
        start, end: its own bytes, from the start of the payload, without its children.
        row, header: its type.
    """

    id: int
    start: int
    end: int
    row: TypeRow
    header: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was read, or that broke.

    Args:
        at: where its length stands, from the start of the payload.
        length: what the length says.
        closed: whether the length should count a NUL.
    """

    at: int
    length: int
    closed: bool = False

    @property
    def start(self) -> int:
        """Its first byte."""
        return self.at + 4

    @property
    def end(self) -> int:
        """Behind its last byte."""
        return self.at + 4 + self.length


def nodes(ground: Ground) -> list[Node]:
    """The nodes that were read last before the trouble, the last one first, and all that they lie in."""
    table = ground.table
    if len(table) <= MOST_NODES:
        found = sorted((table.start[node], node) for node in table.nodes)
        ids = [node for _, node in reversed(found)]
    else:
        ids = list(dict.fromkeys([*_backwards(table, MOST_NODES), *_holders(table)]))
    return [node for node in (node_at(table, each) for each in ids) if node is not None]


def _holders(table: NodeTable) -> list[int]:
    """The nodes that the trouble lies in: the innermost and the outermost ones."""
    found: list[int] = []
    node = table.at(table.end_of_data - 1)
    while node != NONE and len(found) < MOST_LEVELS:
        found.append(node)
        node = table.parent[node]
    return found[:MOST_HOLDERS] + found[MOST_HOLDERS:][-MOST_HOLDERS:]


def _backwards(table: NodeTable, most: int) -> Iterator[int]:
    """Nodes from the last one backwards, in the order of their bytes."""
    node = table.at(table.end_of_data - 1)
    for _ in range(most):
        if table.parent[node] != NONE or node == 0:
            yield node
        if node == 0:
            return
        parent = table.parent[node]
        if parent == NONE or node == table.first[parent]:
            node = parent if parent != NONE else 0
            continue
        node -= 1
        while table.child_count(node):
            node = table.children(node)[-1]


def node_at(table: NodeTable, node: int) -> Node | None:
    """A node of a table, None where it has no type."""
    if table.is_name(node):
        return Node(node, table.start[node], table.end(node), table.dialect.by_name["String"], -1)
    if table.start[node] + 4 > len(table.buffer):
        return None
    header = table.header(node)
    row = table.dialect.row(header)
    return None if row is None else Node(node, table.start[node], table.head_end(node), row, header)


def texts(ground: Ground, found: list[Node]) -> Iterator[Text]:
    """All texts of the nodes, the last one first."""
    data = ground.payload
    left = MOST_TEXTS
    for node in found:
        for text in reversed(list(_texts(data, node))):
            yield text
            left -= 1
            if not left:
                return


def _texts(data: Raw, node: Node) -> Iterator[Text]:
    kind, start = node.row.kind, node.start
    if node.header < 0:
        yield from _run(data, start, 1)
    elif kind in (Kind.STRING, Kind.OBJECT, Kind.SIGNAL):
        if kind is not Kind.OBJECT or not node.header & 1 << 16:
            yield from _run(data, start + 4, 1)
    elif kind is Kind.PACKED_STRINGS and start + 8 <= len(data):
        count = u32(data, start + 4)
        yield from _run(data, start + 8, 0 if count > INT_MAX else count, closed=True)
    elif kind is Kind.NODE_PATH and start + 16 <= len(data):
        names = u32(data, start + 4)
        if names & SHARED:
            yield from _run(data, start + 16, (names & INT_MAX) + u32(data, start + 8))


def _run(data: Raw, at: int, count: int, closed: bool = False) -> Iterator[Text]:
    for _ in range(min(count, MOST_NAMES)):
        if at + 4 > len(data):
            return
        text = Text(at, u32(data, at), closed)
        yield text
        at = text.end + (-text.length % 4)
        if text.end > len(data):
            return
