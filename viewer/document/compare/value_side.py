"""One side of a comparison: the values of a frame, in a form that is the same however they are written.

Two leaves are equal where their texts here are; two collections where their digests are. Widths of numbers, fill, the
order of keys, and names that another engine line has for the same type are not in them.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable
from typing import Any

from viewer.base.record import dataclass
from viewer.variant.convert.number_forms import element_words
from viewer.variant.dialect import FLAG_64, HOLDING, PAIRED, Dialect, Kind, TypeRow
from viewer.variant.elements import element_count, element_size
from viewer.variant.literal.names import nearest, resolve
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ElementType, ObjectFull

SHORT, REMEMBERED = 64, 1 << 16
"""What values of so few bytes are is remembered for so many of them."""
MOST_ENDS = 1 << 10
"""So many ends of last children are remembered."""
LOOK_AROUND = 1 << 12
"""So many values are read between two questions whether to go on."""
SINGLE = struct.Struct("<f")
LARGEST_SINGLE = 3.4028235677973366e38
BROKEN = "?"
NUMBERLESS = ("RID",)
"""What has a number in one engine line and none in another: none is 0."""


@dataclass(frozen=True, slots=True)
class TypeNames:
    """What the types of one side are called, so that those of the same meaning are called alike on both.

    Args:
        names: by the name in the side's own dialect; those left out keep theirs.
        is_rounded: whether one side has ``real`` in 32 bits and the other in 64: then it counts as 32 bits say it.
        as_float: whether one side has no whole numbers: then 5 and 5.0 are the same.
    """

    names: dict[str, str]
    is_rounded: bool = False
    as_float: bool = False

    def of(self, row: TypeRow) -> str:
        """What a type is called."""
        return self.names.get(row.name, row.name)


def type_names(old: Dialect, new: Dialect, is_rounded: bool) -> tuple[TypeNames, TypeNames]:
    """What the types of two sides are called. Types that only one of them has are called like their nearest there."""
    if old is new:
        return TypeNames({}, is_rounded), TypeNames({}, is_rounded)
    as_float = "int" not in old.by_name or "int" not in new.by_name
    return (
        TypeNames(_names(old, new, new), is_rounded, as_float),
        TypeNames(_names(new, old, new), is_rounded, as_float),
    )


def _names(own: Dialect, other: Dialect, words: Dialect) -> dict[str, str]:
    """The types of *own* by what they are in *other*, in the words of one of both."""
    out = {}
    for name in own.by_name:
        row = resolve(name, other)
        near = row.name if row is not None else nearest(name, other)
        if name == "int" and row is None:
            near = "float"
        if near is None:
            continue
        said = resolve(near, words)
        out[name] = said.name if said is not None else near
    return out


class ValueSide:
    """The values of one frame.

    Args:
        table: its nodes.
        types: what its types are called.
        goes_on: called now and then; what it raises ends the work.
    """

    def __init__(self, table: NodeTable, types: TypeNames, goes_on: Callable[[], None]) -> None:
        self.table = table
        self.types = types
        self._goes_on = goes_on
        self._digests: array[int] = array("q")
        self._known: dict[bytes, int] = {}
        self._names: dict[bytes, int] = {}
        self._ends: dict[int, int] = {}

    def end(self, node: int) -> int:
        """The first byte behind a node, as the table has it; in chains of last children without a walk for each."""
        table, parent, following = self.table, self.table.parent, node + 1
        if not node or table.gaps or (following < len(parent) and parent[following] == parent[node]):
            return table.end(node)
        known = self._ends
        end = known.get(node) or known.get(parent[node]) or table.end(node)
        if len(known) > MOST_ENDS:
            known.clear()
        known[node] = known[parent[node]] = end
        return end

    def size(self, node: int) -> int:
        """Of how many bytes a node is."""
        return self.end(node) - self.table.start[node]

    def row(self, node: int) -> TypeRow | None:
        """The type of a node."""
        return self.table.row(node)

    def type(self, node: int) -> str:
        """What the type of a node is called, empty where it has none."""
        row = self.table.row(node)
        return "" if row is None else "name" if self.table.is_name(node) else self.types.of(row)

    def raw(self, node: int) -> bytes:
        """All bytes of a node."""
        table = self.table
        return bytes(table.buffer[table.start[node] : self.end(node)])

    def holds(self, node: int) -> bool:
        """Whether a node has values of its own, or could have."""
        row = self.table.row(node)
        return row is not None and row.kind in HOLDING and not self.table.is_name(node)

    def leaf(self, node: int) -> str:
        """A value without its children as a text that says its type and all that it holds."""
        table, row = self.table, self.table.row(node)
        if row is None or table.is_opaque(node):
            return BROKEN + self.raw(node).hex()
        if table.is_name(node):
            data = read_shallow(table, node).data
            return BROKEN + self.raw(node).hex() if data is None else f"name {str(data)!r}"
        if row.kind is Kind.PACKED and not (self.types.is_rounded and row.real):
            begin = table.start[node] + 8
            elements = element_count(table, node) * element_size(row, table.header(node))
            return f"{self.types.of(row)} {bytes(table.buffer[begin : begin + elements]).hex()}"
        data = read_shallow(table, node).data
        if data is None and row.kind is Kind.FIXED and row.narrow:
            return BROKEN + self.raw(node).hex()
        return f"{self.types.of(row)} {self._said(row, data)}"

    def _said(self, row: TypeRow, data: Any) -> str:
        if isinstance(data, ObjectFull):
            return f"class {data.class_name!r}"
        if isinstance(data, Array):
            return self._words(data.element_type)
        if isinstance(data, Dictionary):
            return f"{self._words(data.key_type)}: {self._words(data.value_type)}"
        if isinstance(data, str):
            return repr(str(data))
        if data is None and row.kind is Kind.FIXED and row.name in NUMBERLESS:
            return self.number(row, 0)
        return self.number(row, data) if isinstance(data, bool | int | float | tuple) else repr(data)

    def number(self, row: TypeRow, data: Any) -> str:
        """Numbers as a text in which equal ones are equal; 0.0 equals -0.0, and all that are none each other."""
        if isinstance(data, tuple):
            return "(" + ", ".join(self.number(row, each) for each in data) + ")"
        if isinstance(data, float):
            if self.types.is_rounded and row.real and abs(data) <= LARGEST_SINGLE:
                data = SINGLE.unpack(SINGLE.pack(data))[0]
            data += 0.0
        if isinstance(data, int) and not isinstance(data, bool) and (self.types.as_float or len(row.narrow) > 1):
            try:
                return repr(float(data)) if float(data) == data else repr(data)
            except OverflowError:
                return repr(data)
        return repr(data)

    def _words(self, held: ElementType | None) -> str:
        words = element_words(held, self.table.dialect)
        return self.types.names.get(words, words)

    # Digests: 64 bits of all that a value holds, by a key that no file knows

    def digest(self, top: int) -> int:
        """64 bits that two values have in common where they are equal; never 0."""
        found = self._digests
        if not found:
            found = self._digests = array("q", bytes(8 * len(self.table)))
        if found[top]:
            return found[top]
        table, first = self.table, self.table.first
        order = array("I", (top,))
        at = 0
        while at < len(order):
            node = order[at]
            if first[node] and not found[node]:
                order.extend(table.children(node))
            at += 1
            if not at % LOOK_AROUND:
                self._goes_on()
        for place in range(len(order) - 1, -1, -1):
            node = order[place]
            if not found[node]:
                found[node] = self._collected(node) if first[node] else self._leaf_digest(node)
            if not place % LOOK_AROUND:
                self._goes_on()
        return found[top]

    def _leaf_digest(self, node: int) -> int:
        table = self.table
        raw = bytes(table.buffer[table.start[node] : self.end(node)])
        if len(raw) > SHORT or node in table.assumed:
            return hash(self.leaf(node)) or 1
        known = self._names if table.is_name(node) else self._known
        found = known.get(raw)
        if found is None:
            if len(known) >= REMEMBERED:
                known.clear()
            found = known[raw] = hash(self.leaf(node)) or 1
        return found

    def _collected(self, node: int) -> int:
        table, found = self.table, self._digests
        head, children = hash(self.leaf(node)), table.children(node)
        row = table.holder_row(node)
        digests = found[children.start : children.stop]
        if row is None or row.kind not in PAIRED:
            return hash((head, len(children), *digests)) or 1
        turns: dict[int, int] = {}
        total = 0
        for key, value in zip(digests[::2], digests[1::2], strict=False):
            turn = turns[key] = turns.get(key, 0) + 1
            total += hash((key, value, turn))
        lone = digests[-1] if len(digests) % 2 else 0
        return hash((head, len(children), total & 0x7FFFFFFFFFFFFFFF, lone)) or 1

    # Parts of values

    def text(self, node: int) -> str:
        """What a text, or a property's name, says."""
        data = read_shallow(self.table, node).data
        return str(data) if isinstance(data, str) else ""

    def is_wide(self, node: int) -> bool:
        """Whether a value is written with the flag that says 64 bits."""
        return bool(self.table.header(node) & FLAG_64) and not self.table.is_name(node)
