"""Frame values: one frame as a bulk edit sees it. Numbers and texts are read without building values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from struct import Struct, unpack_from
from typing import TypeAlias

from viewer.base.buffer import u32
from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.variant import items
from viewer.variant.dialect import FLAG_64, HOLDING, NAMED, PACKED, PAIRED, Content, Kind, TypeRow, content
from viewer.variant.elements import element_count
from viewer.variant.items import Item, Part, Role
from viewer.variant.paths.path_keys import alike, value_segment
from viewer.variant.primitives import encode_text
from viewer.variant.read import read, read_beginning, read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.text import BOM
from viewer.variant.value import Value

# Entries: what stands in what in one frame, as the steps of a pattern go through it.

WORD = Struct("<I").unpack_from
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
        self._names = self._pairs = -1, False

    # Structure

    def row(self, node: int) -> TypeRow | None:
        """The type of a node that is no property name."""
        table = self.table
        start, buffer = table.start[node], table.buffer
        if isinstance(buffer, memoryview) and start + 4 <= len(buffer):
            word = WORD(buffer, start)[0]
        else:
            word = u32(buffer, start)
        header = table.assumed.get(node) or word
        if header not in self._rows:
            if len(self._rows) > MANY:
                self._rows.clear()
            self._rows[header] = table.dialect.row(header)
        return self._rows[header]

    def has_pairs(self, node: int) -> bool:
        """Whether the children come in pairs."""
        if node != self._pairs[0]:
            row = self.row(node)
            self._pairs = node, row is not None and row.kind in PAIRED
        return self._pairs[1]

    def children(self, item: Item) -> Iterator[Item]:
        """The values in a collection, the elements of a packed array."""
        if item.part:
            return iter(())
        row = self.row(item.node)
        if row is None:
            return iter(())
        match content(row.kind):
            case Content.NUMBERS:
                count = element_count(self.table, item.node)
                return (Item(self.index, item.node, f"[{k}]") for k in range(count))
            case Content.TEXTS:
                return self._texts(item.node)
            case Content.VALUES:
                return self._items(self.table.children(item.node))
            case Content.PAIRS | Content.PROPERTIES:
                return self._items(self.table.children(item.node)[1::2])
            case Content.NOTHING:
                return iter(())

    def _items(self, nodes: range) -> Iterator[Item]:
        return map(Item, repeat(self.index), nodes)

    def _texts(self, node: int) -> Iterator[Item]:
        """The strings of a packed array; an empty one has no part of its own, and no item."""
        for part in items.parts(self.table, node):
            if part.type == "text":
                yield Item(self.index, node, part.name)

    def count(self, item: Item) -> int:
        """How many elements or pairs a collection holds."""
        row = None if item.part else self.row(item.node)
        if row is None:
            return -1
        match content(row.kind):
            case Content.NUMBERS:
                return element_count(self.table, item.node)
            case Content.TEXTS:
                value = read_shallow(self.table, item.node).data
                return len(value) if isinstance(value, tuple) else -1
            case Content.VALUES:
                return self.table.child_count(item.node)
            case Content.PAIRS | Content.PROPERTIES:
                return self.table.child_count(item.node) // 2
            case Content.NOTHING:
                return -1

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
        table = self.table
        parent = table.parent[node]
        return node - 1 if (node - table.first[parent]) % 2 and self.has_pairs(parent) else None

    # Entries

    def entry(self, item: Item, name: Name, rank: int = 1) -> Item | None:
        """The value under a name in a dictionary or object, the field of a value; None where there is none."""
        if item.part:
            return self._existing(Item(self.index, item.node, f"{item.part}.{name.text}"))
        row = self.row(item.node)
        if row is None or row.kind not in PAIRED:
            return self._existing(Item(self.index, item.node, name.text))
        node = self._named(item.node, row.kind in NAMED, name, rank)
        return None if node is None else Item(self.index, node)

    def _named(self, node: int, is_object: bool, name: Name, rank: int) -> int | None:
        """The value under a name: compared by bytes where there are few, by what is remembered where there are many."""
        table = self.table
        count = table.child_count(node)
        if count >= 2 * MANY or table.dialect.rules.closed_texts:
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
        if row is not None and row.kind in PAIRED:
            found = alike(self.table, item.node, value_segment(key, self.table.dialect), key)
            node = self._value_of(found[rank - 1]) if 0 < rank <= len(found) else None
            return None if node is None else Item(self.index, node)
        if row is None or not isinstance(key.data, int) or isinstance(key.data, bool) or rank != 1:
            return None
        if row.kind in PACKED:
            return self._existing(Item(self.index, item.node, f"[{key.data}]"))
        if row.kind not in HOLDING or not 0 <= key.data < self.table.child_count(item.node):
            return None
        return Item(self.index, self.table.first[item.node] + key.data)

    def _existing(self, item: Item) -> Item | None:
        part = items.part(self.table, item.node, item.part)
        return item if part is not None and part.role is Role.VALUE and part.name != "elements" else None


@dataclass(frozen=True, slots=True)
class DeferredValue:
    """A value that stays in the file until it is needed whole."""

    ground: FrameValues
    item: Item

    @property
    def value(self) -> Value:
        """The value, built."""
        return self.ground.value(self.item)

    def beginning(self, most: int) -> Value:
        """The value with the first *most* of those that it holds."""
        item = self.item
        return self.value if item.part else read_beginning(self.ground.table, item.node, most)

    @property
    def type(self) -> str:
        """Its type's name."""
        return self.ground.type(self.item)


Whole: TypeAlias = "bool | int | float | str | Value | None"
Data: TypeAlias = "Whole | DeferredValue"


class FrameValues(Entries):
    """Tells what the values of one frame are.

    Args:
        document: the document.
        index: the number of the frame.
    """

    def key(self, item: Item) -> Data:
        """The key that a value stands under, None where it has none."""
        key = None if item.part else self.key_node(item.node)
        return None if key is None else self.key_data(key)

    def key_data(self, key: int) -> Data:
        """What a key holds."""
        parent = self.row(self.table.parent[key])
        if parent is not None and parent.kind in NAMED:
            return str(read_shallow(self.table, key).data)
        return self.data(Item(self.index, key))

    def part(self, item: Item) -> Part:
        """The part that an item is."""
        part = items.part(self.table, item.node, item.part)
        assert part is not None
        return part

    def type(self, item: Item) -> str:
        """The name of a value's type; of a field or element, of the type that would hold it."""
        if not item.part:
            row = self.table.row(item.node) if self._may_be_name(item.node) else self.row(item.node)
            return row.name if row is not None else ""
        return self.value(item).type

    def _may_be_name(self, node: int) -> bool:
        return node > 0 and (node - self.table.first[self.table.parent[node]]) % 2 == 0

    def is_name(self, node: int) -> bool:
        """Whether a node is the name of a property."""
        table = self.table
        parent = table.parent[node]
        if not node or (node - table.first[parent]) % 2:
            return False
        if parent != self._names[0]:
            self._names = parent, table.is_name(node)
        return self._names[1]

    def data(self, item: Item) -> Data:
        """What a value holds: numbers and texts as they are, all else held back."""
        if item.part:
            value = self.part(item).value
            if isinstance(value, bool | int | float | str):
                return bool(value) if self.part(item).type == "bool" else value
            return DeferredValue(self, item)
        if self.is_name(item.node):
            return str(read_shallow(self.table, item.node).data)
        row = self.row(item.node)
        if row is None:
            return DeferredValue(self, item)
        if row.kind is Kind.STRING:
            return self._text(item.node)
        if row.kind is Kind.FIXED and len(row.narrow) <= 1 and row.name in ("int", "float", "bool", "Nil"):
            return self._number(item.node, row)
        return DeferredValue(self, item)

    def _text(self, node: int) -> Data:
        table = self.table
        at, buffer = table.start[node] + 8, table.buffer
        if isinstance(buffer, memoryview) and at <= len(buffer):
            end = at + WORD(buffer, at - 4)[0]
        else:
            end = at + u32(buffer, at - 4)
        raw = bytes(buffer[at:end]) if end <= table.end_of_data else b""
        if len(raw) == end - at and b"\0" not in raw and not raw.startswith(BOM):
            try:
                return raw.decode()
            except UnicodeDecodeError:
                pass
        return self._slow(node)

    def _number(self, node: int, row: TypeRow) -> Data:
        at = self.table.start[node]
        raw = self.table.buffer[at : at + 12]
        is_wide = row.has_wide and raw[2] & FLAG_64 >> 16
        fields = row.wide if is_wide else row.narrow
        if not fields:
            return None
        size = fields[0].size
        if len(raw) < 4 + size:
            return self._slow(node)
        if row.name == "float":
            number: float = unpack_from("<d" if size == 8 else "<f", raw, 4)[0]
            return number if number == number else self._slow(node)
        whole = int.from_bytes(raw[4 : 4 + size], "little", signed=True)
        return bool(whole) if row.name == "bool" else whole

    def _slow(self, node: int) -> Data:
        data = read_shallow(self.table, node).data
        return data if isinstance(data, bool | int | float | str) else DeferredValue(self, Item(self.index, node))

    def value(self, item: Item) -> Value:
        """The whole value, built; a field or element as the type that would hold it."""
        if not item.part:
            return read(self.table, item.node)
        part = self.part(item)
        data = part.value
        if isinstance(data, str):
            return Value("String", data)
        if isinstance(data, tuple):
            row = self.table.row(item.node)
            name = row.name.removeprefix("Pool").removeprefix("Packed").removesuffix("Array") if row else ""
            return Value(name, data)
        if part.type == "bool":
            return Value("bool", bool(data))
        if isinstance(data, float):
            return Value("float", data)
        return Value("int", data) if isinstance(data, int) else Value("", None)


def plain(value: Value) -> Data:
    """A value as expressions have it: a number or text alone, all else whole."""
    data = value.data
    if value.type == "Nil":
        return None
    is_plain = isinstance(data, bool | int | float | str) and value.type not in ("RID", "Callable")
    return data if is_plain else value  # type: ignore[return-value]  # what is plain is one of the four


# What can be wrong with a bulk edit: with its text, and with one value that it meets.


class BulkError(ValueError):
    """A bulk edit that cannot be made; the text is one sentence that says what to do.

    Attributes:
        position: where in the expression, in characters; -1 where it is about all of it.
    """

    def __init__(self, message: str, position: int = -1) -> None:
        super().__init__(message)
        self.position = position


class ValueProblem(ValueError):
    """What keeps one value from being asked or changed, in one sentence.

    Args:
        message: what a person is told who typed a value, in a form or in a cell.
        is_told: whether a condition tells it too, instead of being false.
        in_line: what a person is told who wrote a line by hand, and may write functions; the same by default.
    """

    def __init__(self, message: str, is_told: bool = False, in_line: str = "") -> None:
        super().__init__(message)
        self.is_told = is_told
        self.in_line = in_line or message
