"""Ground: one frame as a bulk edit sees it. Numbers and texts are read without building values."""

from __future__ import annotations

from dataclasses import dataclass
from struct import unpack_from
from typing import TypeAlias

from viewer.document.bulk.entries import Entries
from viewer.variant import items
from viewer.variant.dialect import FLAG_64, Kind, TypeRow
from viewer.variant.items import Item, Part
from viewer.variant.read import read, read_beginning, read_shallow
from viewer.variant.text import BOM
from viewer.variant.value import Value


@dataclass(frozen=True, slots=True)
class Held:
    """A value that stays in the file until it is needed whole."""

    ground: Ground
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
Data: TypeAlias = "Whole | Held"


class Ground(Entries):
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
        if parent is not None and parent.kind is Kind.OBJECT:
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

    def data(self, item: Item) -> Data:
        """What a value holds: numbers and texts as they are, all else held back."""
        if item.part:
            value = self.part(item).value
            if isinstance(value, bool | int | float | str):
                return bool(value) if self.part(item).type == "bool" else value
            return Held(self, item)
        if self._may_be_name(item.node) and self.table.is_name(item.node):
            return str(read_shallow(self.table, item.node).data)
        row = self.row(item.node)
        if row is None:
            return Held(self, item)
        if row.kind is Kind.STRING:
            return self._text(item.node)
        if row.kind is Kind.FIXED and len(row.narrow) <= 1 and row.name in ("int", "float", "bool", "Nil"):
            return self._number(item.node, row)
        return Held(self, item)

    def _text(self, node: int) -> Data:
        at = self.table.start[node]
        length = int.from_bytes(self.table.buffer[at + 4 : at + 8], "little")
        raw = bytes(self.table.buffer[at + 8 : at + 8 + length]) if at + 8 + length <= self.table.end_of_data else b""
        if len(raw) == length and b"\0" not in raw and not raw.startswith(BOM):
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
        return data if isinstance(data, bool | int | float | str) else Held(self, Item(self.index, node))

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
