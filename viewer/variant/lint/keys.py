"""When are two keys of a Dictionary the same? Tokens that are equal where an engine takes the keys for equal.

All engines compare numbers by value whatever their width, 0.0 like -0.0, texts up to their first NUL, arrays element by
element. An int never equals a float. They differ in NaN, in String beside StringName, and in dictionaries as keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from viewer.base.buffer import unpacker
from viewer.variant import text
from viewer.variant.dialect import FLAG_64, Kind, TypeRow
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import Data, NodePath, ObjectFull, ObjectId, Signal


@dataclass(frozen=True, slots=True)
class Equality:
    """What an engine family takes for equal.

    Args:
        nan: a NaN equals every NaN.
        names: a StringName equals the String with its text, as a key itself.
        dictionaries: dictionaries are compared by what they hold; elsewhere each equals only itself.
    """

    nan: bool
    names: bool
    dictionaries: bool


EQUALITY = {
    "godot2": Equality(nan=False, names=False, dictionaries=False),
    "godot3": Equality(nan=True, names=False, dictionaries=False),
    "godot4": Equality(nan=True, names=True, dictionaries=True),
}
"""By family: the ``literals`` rule of a dialect."""


class KeyTokens:
    """Makes the tokens of one table's keys.

    A nested key is digested bottom up, once for all nested keys that it holds, so that the whole walk stays linear.
    """

    def __init__(self, table: NodeTable) -> None:
        self.table = table
        self.u32, self.i32 = unpacker("<I", table.buffer), unpacker("<i", table.buffer)
        self.rows = table.dialect.rows
        self.mask = table.dialect.rules.header_mask
        self.equality = EQUALITY.get(table.dialect.rules.literals, EQUALITY["godot4"])
        self.digests: dict[int, bytes] = {}
        alike = ("String", "StringName") if self.equality.names else ("String",)
        self.plain = {row.number for row in self.rows if row.name in alike}
        self.integer = next((row.number for row in self.rows if row.name == "int"), -1)

    def token(self, key: int) -> object:
        """A token for the key node *key*: hashable, equal for equal keys of one dictionary."""
        table = self.table
        pos = table.start[key]
        header = self.u32(pos)[0]
        number = header & self.mask
        if number in self.plain and table.end_of_data >= pos + 8:
            end = pos + 8 + self.u32(pos + 4)[0]
            raw = bytes(table.buffer[pos + 8 : end])
            if raw.isascii() and b"\0" not in raw and end <= table.end_of_data:
                return raw
        if number >= len(self.rows):
            return key, "broken"
        if number == self.integer and pos + 8 <= table.end_of_data and not header & FLAG_64:
            return number, self.i32(pos + 4)[0]
        if self._descends(self.rows[number]):
            return "", self._digest(key)
        token = self._leaf(key, self.rows[number])
        return token[1] if number in self.plain else token

    def _descends(self, row: TypeRow) -> bool:
        by_value = self.equality.dictionaries and row.kind is Kind.DICTIONARY
        return by_value or row.kind in (Kind.ARRAY, Kind.TYPED_ARRAY)

    def _digest(self, key: int) -> bytes:
        if key not in self.digests:
            self._digest_below(key)
        return self.digests.pop(key)

    def _digest_below(self, root: int) -> None:
        """Digest *root* and all that it holds; keep the digests of those that are keys themselves."""
        done: dict[int, bytes] = {}
        for node in reversed(self._below(root)):
            row = self.table.row(node)
            if row is None or not self._descends(row):
                token = (node,) if row is None else self._leaf(node, row)
                done[node] = blake2b(repr(token).encode(), digest_size=16).digest()
                continue
            inner = b"".join(done.pop(child) for child in self.table.children(node))
            done[node] = blake2b(b"%d:" % row.number + inner, digest_size=16).digest()
            if node == root or self._is_key(node):
                self.digests[node] = done[node]

    def _below(self, root: int) -> list[int]:
        """*root* and all that is compared with it, parents before children."""
        order, stack = [], [root]
        while stack:
            node = stack.pop()
            order.append(node)
            row = self.table.row(node)
            if row is not None and self._descends(row):
                stack.extend(self.table.children(node))
        return order

    def _is_key(self, node: int) -> bool:
        row = self.table.row(self.table.parent[node])
        return row is not None and row.kind is Kind.DICTIONARY and self.table.index(node) % 2 == 0

    def _leaf(self, node: int, row: TypeRow) -> tuple[object, object]:
        """Type and content; for what equals only itself, the node."""
        unique = row.kind in (Kind.DICTIONARY, Kind.IMAGE, Kind.INPUT_EVENT)
        data = node if unique else self._plain(read_shallow(self.table, node).data, node)
        return row.number, data

    def _plain(self, data: Data, node: int) -> object:
        """The data as Python compares it the way the engine does."""
        if isinstance(data, str):
            return text.write(str(data))
        if isinstance(data, float):
            return self._number(data, node)
        if isinstance(data, tuple):
            return tuple(self._plain(entry, node) for entry in data)
        if isinstance(data, NodePath):
            absolute = data.absolute and bool(data.names or data.subnames)
            return self._plain(data.names, node), self._plain(data.subnames, node), data.prop, absolute
        if isinstance(data, Signal):
            return self._plain(data.name, node), data.object_id
        return _object(data, node)

    def _number(self, number: float, node: int) -> object:
        if number != number:
            return "nan" if self.equality.nan else ("nan", node)
        return number + 0.0  # -0.0 becomes 0.0


def _object(data: Data, node: int) -> object:
    """An object equals only itself, but null is null; everything else here compares as it is."""
    if isinstance(data, ObjectId):
        return node if data.id else None
    if isinstance(data, ObjectFull):
        return node if data.class_name else None
    return data
