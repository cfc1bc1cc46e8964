"""Entries: what stands in what in one frame, as the steps of a pattern go through it."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.document.document import Document
from viewer.document.keys import alike, value_segment
from viewer.variant import items
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.elements import element_count
from viewer.variant.items import Item, Role
from viewer.variant.primitives import encode_text
from viewer.variant.read import read_shallow
from viewer.variant.table import COLLECTIONS, NodeTable
from viewer.variant.value import Value

MANY = 64
"""Keys of a dictionary from which on what is found among them is remembered."""


class Name:
    """The name of an entry, with its bytes at hand: *raw* with the fill, *bare* without."""

    __slots__ = ("bare", "raw", "text", "value")

    def __init__(self, text: str) -> None:
        self.text = text
        self.value = Value("String", text)
        self.raw = encode_text(text)
        self.bare = self.raw[: 4 + int.from_bytes(self.raw[:4], "little")]


class Entries:
    """Finds the values of one frame from each other.

    Args:
        document: the document.
        index: the number of the frame.
    """

    def __init__(self, document: Document, index: int) -> None:
        self.document = document
        self.index = index
        self.table: NodeTable = document.frames[index].table
        self._rows: dict[int, TypeRow | None] = {}

    # Structure

    def row(self, node: int) -> TypeRow | None:
        """The type of a node that is no property name."""
        start = self.table.start[node]
        header = int.from_bytes(self.table.buffer[start : start + 4], "little")
        if header not in self._rows:
            if len(self._rows) > MANY:
                self._rows.clear()
            self._rows[header] = self.table.dialect.row(header)
        return self._rows[header]

    def has_pairs(self, node: int) -> bool:
        """Whether the children come in pairs."""
        row = self.row(node)
        return row is not None and row.kind in (Kind.DICTIONARY, Kind.OBJECT)

    def children(self, item: Item) -> Iterator[Item]:
        """The values in a collection, the elements of a packed array."""
        if item.part:
            return iter(())
        row = self.row(item.node)
        if row is None:
            return iter(())
        if row.kind is Kind.PACKED:
            count = element_count(self.table, item.node)
            return (Item(self.index, item.node, f"[{k}]") for k in range(count))
        if row.kind is Kind.PACKED_STRINGS:
            return self._texts(item.node)
        found = self.table.children(item.node) if row.kind in COLLECTIONS else range(0)
        if row.kind in (Kind.DICTIONARY, Kind.OBJECT):
            found = found[1::2]
        return (Item(self.index, node) for node in found)

    def _texts(self, node: int) -> Iterator[Item]:
        """The strings of a packed array; an empty one has no part of its own, and no item."""
        for part in items.parts(self.table, node):
            if part.type == "text":
                yield Item(self.index, node, part.name)

    def count(self, item: Item) -> int:
        """How many elements or pairs a collection holds."""
        row = None if item.part else self.row(item.node)
        if row is None or row.kind not in (*COLLECTIONS, Kind.PACKED, Kind.PACKED_STRINGS):
            return -1
        if row.kind is Kind.PACKED:
            return element_count(self.table, item.node)
        if row.kind is Kind.PACKED_STRINGS:
            value = read_shallow(self.table, item.node).data
            return len(value) if isinstance(value, tuple) else -1
        count = self.table.child_count(item.node)
        return count // 2 if row.kind in (Kind.DICTIONARY, Kind.OBJECT) else count

    def parent(self, item: Item) -> Item | None:
        """What holds a value, None for the value of a frame."""
        if item.part:
            return Item(self.index, item.node)
        return Item(self.index, self.table.parent[item.node]) if item.node else None

    def index_of(self, item: Item) -> int | None:
        """The place among the values beside it, from 0; None for what stands in no collection."""
        if item.part.startswith("["):
            return int(item.part[1:].partition("]")[0])
        if item.part or not item.node:
            return None
        place = item.node - self.table.first[self.table.parent[item.node]]
        return place // 2 if self.has_pairs(self.table.parent[item.node]) else place

    def key_node(self, node: int) -> int | None:
        """The node of a value's key."""
        if not node:
            return None
        parent = self.table.parent[node]
        return node - 1 if (node - self.table.first[parent]) % 2 and self.has_pairs(parent) else None

    # Entries

    def entry(self, item: Item, name: Name, rank: int = 1) -> Item | None:
        """The value under a name in a dictionary or object, the field of a value; None where there is none."""
        if item.part:
            return self._existing(Item(self.index, item.node, f"{item.part}.{name.text}"))
        row = self.row(item.node)
        if row is None or row.kind not in (Kind.DICTIONARY, Kind.OBJECT):
            return self._existing(Item(self.index, item.node, name.text))
        node = self._named(item.node, row.kind is Kind.OBJECT, name, rank)
        return None if node is None else Item(self.index, node)

    def _named(self, node: int, is_object: bool, name: Name, rank: int) -> int | None:
        """The value under a name: compared by bytes where there are few, by what is remembered where there are many."""
        table = self.table
        count = table.child_count(node)
        if count >= 2 * MANY:
            found = alike(table, node, value_segment(name.value, table.dialect), name.value)
            return self._value_of(found[rank - 1]) if 0 < rank <= len(found) else None
        start, buffer, bare = table.start, table.buffer, name.bare
        head = 0 if is_object else 4
        size, length = head + len(name.raw), len(bare)
        first = table.first[node]
        for key in range(first, first + count - 1, 2):
            at = start[key]
            if start[key + 1] - at == size and buffer[at + head : at + head + length] == bare:
                rank -= is_object or self._is_text(key)
                if not rank:
                    return key + 1
        return None

    def _is_text(self, key: int) -> bool:
        row = self.row(key)
        return row is not None and row.kind is Kind.STRING

    def _value_of(self, key: int) -> int | None:
        table = self.table
        return key + 1 if key + 1 < len(table) and table.parent[key + 1] == table.parent[key] else None

    def keyed(self, item: Item, key: Value, rank: int = 1) -> Item | None:
        """The value under any key, the element at a place; None where there is none."""
        if item.part:
            return None
        row = self.row(item.node)
        if row is not None and row.kind in (Kind.DICTIONARY, Kind.OBJECT):
            found = alike(self.table, item.node, value_segment(key, self.table.dialect), key)
            node = self._value_of(found[rank - 1]) if 0 < rank <= len(found) else None
            return None if node is None else Item(self.index, node)
        if row is None or not isinstance(key.data, int) or isinstance(key.data, bool) or rank != 1:
            return None
        if row.kind in (Kind.PACKED, Kind.PACKED_STRINGS):
            return self._existing(Item(self.index, item.node, f"[{key.data}]"))
        if row.kind not in COLLECTIONS or not 0 <= key.data < self.table.child_count(item.node):
            return None
        return Item(self.index, self.table.first[item.node] + key.data)

    def _existing(self, item: Item) -> Item | None:
        part = items.part(self.table, item.node, item.part)
        return item if part is not None and part.role is Role.VALUE and part.name != "elements" else None
