"""The judge: whether bytes that look like a key or a number are one.

It is asked at rising offsets and says how far nothing else can be one, so that a text which is frequent in values costs
a search for keys little more than one look a value.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import assert_never

from viewer.base.buffer import unpacker
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.variant import items
from viewer.variant.dialect import NAMED, NUMERIC, PAIRED, Kind, TypeRow
from viewer.variant.header import INT_MAX
from viewer.variant.items import Item, Role
from viewer.variant.table import NodeTable

# Sweep: the deepest nodes of a table at offsets that only rise.
#
# Looking a byte up from the root costs a step a level; one after another they are found from where the last one was,
# so that a search may ask about millions of places.


@dataclass(slots=True)
class ByteOwner:
    """What holds a byte. Very many are asked about, so the same object tells of the next one.

    Args:
        node: the deepest node there.
        until: the first byte that may belong to another node.
        is_key: whether the node is the key of a pair or the name of a property.
        is_name: whether it is the name of a property.
    """

    node: int
    until: int
    is_key: bool
    is_name: bool


@dataclass(slots=True)
class _Level:
    """The children of a node: ids ``first`` to ``stop``, from *begin* to *end*; the sweep is at id *at*."""

    first: int
    stop: int
    begin: int
    end: int
    pairs: bool
    named: bool
    at: int


class NodeSweep:
    """Looks nodes up at rising offsets; a lower one than before starts again from the root.

    Args:
        table: whose nodes.
    """

    __slots__ = ("_end", "_last", "_levels", "_place", "_table")

    def __init__(self, table: NodeTable) -> None:
        self._table = table
        self._end = table.end_of_data if len(table) else 0
        self._levels: list[_Level] = []
        self._place = ByteOwner(0, 0, False, False)
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
        if table.gaps:
            return self._slowly(offset)
        if not 0 <= offset < self._end:
            raise IndexError(f"No value holds byte {offset}.")
        while levels and offset >= levels[-1].end:
            levels.pop()
        if not levels and not self._enter(0, table.end_of_data):
            self._place = ByteOwner(0, table.end_of_data, False, False)
            return self._place
        return self._descend(offset)

    def _slowly(self, offset: int) -> ByteOwner:
        """Among gaps, whose bytes belong to the collection around them."""
        table = self._table
        node = table.at(offset)
        gap = table.gap_at(offset)
        until = gap.span.end if gap is not None else table.head_end(node)
        parent = table.parent[node]
        key = node > 0 and (node - table.first[parent]) % 2 == 0 and table.has_pairs(parent)
        self._place = ByteOwner(node, max(until, offset + 1), key, table.is_name(node))
        return self._place

    def _descend(self, offset: int) -> ByteOwner:
        """From the innermost known level that holds the byte down to the deepest node."""
        table, level = self._table, self._levels[-1]
        if offset < level.begin:
            self._place = ByteOwner(0, level.begin, False, False)
            return self._place  # only the root is entered without a look at its head
        start, firsts = table.start, table.first
        while True:
            near = level.at + NEAR
            stop = near if near < level.stop and start[near] > offset else level.stop
            level.at = node = bisect_right(start, offset, level.at, stop) - 1
            key = level.pairs and not (node - level.first) & 1
            end = start[node + 1] if node + 1 < level.stop else level.end
            first = firsts[node]
            if first and offset < start[first]:
                end = start[first]
                break
            if not (first and self._enter(node, end)):
                break
            level = self._levels[-1]
        place = self._place
        place.node, place.until, place.is_key, place.is_name = node, end, key, key and level.named
        return place

    def _enter(self, node: int, end: int) -> bool:
        """Take a node's children as the innermost level; False where it has none."""
        first = self._table.first[node]
        count = self._table.child_count(node) if first else 0
        if count:
            row = self._table.row(node)
            pairs, named = row is not None and row.kind in PAIRED, row is not None and row.kind in NAMED
            self._levels.append(_Level(first, first + count, self._table.start[first], end, pairs, named, first))
        return count > 0


LARGE = 4096
"""Bytes of a node that is not cut into parts to look at one of them."""
HEAD = 24
KEPT = 1024
NEAR = 4
"""So many nodes further on the next place lies most often."""


class TextFinder:
    """The texts of Strings and property names, for places in one table one after another.

    Args:
        table: whose texts.
    """

    __slots__ = ("_head", "_is_plain", "_strings", "_table", "_word")

    def __init__(self, table: NodeTable) -> None:
        self._table = table
        self._word, self._head = unpacker("<I", table.buffer), unpacker("<II", table.buffer)
        self._strings: dict[int, bool] = {}
        special = table.assumed or table.gaps or table.names is not None or table.dialect.rules.closed_texts
        self._is_plain = not special

    def at(self, place: ByteOwner) -> tuple[int, int]:
        """Where the text of a node begins, and ends as its length says; the same offset twice where it has none."""
        if not self._is_plain:
            span = text_span(self._table, place.node)
            return span.start, span.end
        at = self._table.start[place.node]
        if place.until - at < (4 if place.is_name else 8):
            return at, at
        if place.is_name:
            return at + 4, at + 4 + self._word(at)[0]
        word, length = self._head(at)
        if word not in self._strings:
            self._learn(word)
        return (at + 8, at + 8 + length) if self._strings[word] else (at, at)

    def _learn(self, word: int) -> None:
        if len(self._strings) >= KEPT:
            self._strings.clear()
        row = self._table.dialect.row(word)
        self._strings[word] = row is not None and row.kind is Kind.STRING


class Judge:
    """Looks at the places that one needle found, in byte order.

    Args:
        document: what is searched; it must not change meanwhile.
        kinds: the number types one of which must stand there; empty for texts.
        keys: whether it must be a key or property name.
        values: whether it must be none.
        indexed: whether it must be the place of a property's name in a table of strings.

    Attributes:
        clear: nothing that begins before this offset of the layer can be found any more.
    """

    __slots__ = (
        "_any_place",
        "_document",
        "_holders",
        "_index",
        "_indexed",
        "_keys",
        "_kinds",
        "_start",
        "_stop",
        "_sweep",
        "_table",
        "_texts",
        "_values",
        "clear",
    )

    def __init__(
        self, document: Document, kinds: frozenset[str], keys: bool, values: bool = False, indexed: bool = False
    ) -> None:
        self._document = document
        self._indexed = indexed
        self._kinds = kinds
        self._keys, self._values = keys, values
        self._any_place = not kinds or kinds == {"u8"}
        self._holders: dict[int, TypeRow | None] = {}
        self._index = -1
        self._start = self._stop = 0
        self._table: NodeTable | None = None
        self._sweep: NodeSweep | None = None
        self._texts: TextFinder | None = None
        self.clear = 0

    def item(self, span: Span) -> Item | None:
        """The item that these bytes are, None where they are not what is wanted."""
        if not self._start <= span.start < self._stop:
            self._enter(span.start)
        table, sweep = self._table, self._sweep
        if table is None or sweep is None:
            return None
        local = span.start - self._start
        if local % 4 and not self._any_place and not table.dialect.rules.closed_texts:
            return None  # all of a value but text is cut in words
        place = sweep.at(local)
        if (self._keys and not place.is_key) or (self._values and place.is_key):
            self.clear = self._start + place.until
            return None
        part = self._part(table, place, span)
        return None if part is None else Item(self._index, place.node, part)

    def _enter(self, offset: int) -> None:
        """Go to the frame with a value at *offset*; there is none in prefixes and gaps."""
        self._start = self._stop = 0
        self._table = self._sweep = self._texts = None
        self._index = self._document.frame_at(offset)
        if self._index < 0:
            return
        frame = self._document.frames[self._index]
        start, stop = frame.start, frame.start + frame.table.end_of_data
        if start <= offset < stop:
            self._start, self._stop, self._table = start, stop, frame.table
            self._sweep, self._texts = NodeSweep(frame.table), TextFinder(frame.table)
        else:
            self.clear = start if offset < start else frame.span.end

    def _part(self, table: NodeTable, place: ByteOwner, span: Span) -> str | None:
        """The name of the part that the bytes are or lie in, None where it is none of the wanted ones."""
        if self._kinds:
            return self._number(table, place, span.shifted(-self._start))
        at = span.start - self._start
        if self._indexed:
            return "name" if at == table.start[place.node] and table.is_name(place.node) else None
        begin, end = self._texts.at(place) if self._texts is not None else (0, 0)
        if begin <= at < end:
            return "text"
        row = table.row(place.node)
        if (row is not None and row.kind is Kind.STRING) or at < table.start[place.node] + 4:
            return None
        if place.until - table.start[place.node] > LARGE:
            return ""
        found = items.part_at(table, place.node, at)
        return found.name if found is not None and found.role is Role.VALUE else None

    def _number(self, table: NodeTable, place: ByteOwner, local: Span) -> str | None:
        node = place.node
        start = table.start[node]
        row = self._holder(table, place, start)
        if row is None or _is_bulk(row, place, start, local):
            self.clear = self._start + place.until
            return None
        if local.start < start + 4:
            return None
        if row.kind in NUMERIC:
            return _field(table, place, row, local, self._kinds)
        found = items.part_at(table, node, local.start)
        fits = found is not None and found.role is Role.VALUE and found.type in self._kinds and found.span == local
        return found.name if found is not None and fits else None

    def _holder(self, table: NodeTable, place: ByteOwner, start: int) -> TypeRow | None:
        """The type of a node that may hold one of the numbers, else None."""
        if place.is_key and table.is_name(place.node):
            return None
        word = table.assumed.get(place.node) or int.from_bytes(table.buffer[start : start + 4], "little")
        if word not in self._holders:
            if len(self._holders) >= KEPT:
                self._holders.clear()
            row = table.dialect.row(word)
            self._holders[word] = row if row is not None and _may_hold(row, self._kinds) else None
        return self._holders[word]


def _field(table: NodeTable, place: ByteOwner, row: TypeRow, local: Span, kinds: frozenset[str]) -> str | None:
    """The name of the field or element of these types that lies right there, without a look at the other ones."""
    start, header = table.start[place.node], table.header(place.node)
    fields, index, at = row.fields(header), -1, start + 4
    if row.kind is Kind.PACKED:
        size = sum(field.size for field in fields)
        count = int.from_bytes(table.buffer[start + 4 : start + 8], "little")
        index, at = (local.start - start - 8) // size, start + 8
        if not 0 <= index < min(count, (place.until - at) // size) or count > INT_MAX:
            return None
        at += index * size
    for field in fields if local.end <= place.until else ():
        if at == local.start:
            named = field.name if index < 0 else f"[{index}]" + f".{field.name}" * (len(fields) > 1)
            return named if field.type in kinds and field.size == len(local) else None
        at += field.size
    return None


def text_span(table: NodeTable, node: int) -> Span:
    """The text of a String or property name without length and fill, from the start of the frame; else empty."""
    start = table.start[node] + (0 if table.is_name(node) else 4)
    row = table.row(node)
    end = table.end(node)
    if row is None or row.kind is not Kind.STRING or start + 4 > end:
        return Span(start, start)
    if table.names is not None and table.is_name(node):
        return Span(start, start)
    length = int.from_bytes(table.buffer[start : start + 4], "little")
    text = Span(start + 4, min(start + 4 + length, end))
    is_closed = table.dialect.rules.closed_texts and len(text) and table.buffer[text.end - 1] == 0
    return Span(text.start, text.end - 1) if is_closed else text


def _may_hold(row: TypeRow, kinds: frozenset[str]) -> bool:
    """Whether a value of this type may hold a number of these types."""
    match row.kind:
        case Kind.FIXED | Kind.PACKED:
            return any(field.type in kinds for field in (*row.narrow, *row.wide))
        case Kind.STRING | Kind.PACKED_STRINGS | Kind.DICTIONARY | Kind.ARRAY | Kind.TYPED_ARRAY:
            return False
        case (
            Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return True
        case _:
            assert_never(row.kind)


def _is_bulk(row: TypeRow, place: ByteOwner, start: int, local: Span) -> bool:
    """Whether a place lies among the raw bytes of something large, such as an image's pixels."""
    large = row.kind not in NUMERIC and place.until - start > LARGE
    return large and local.start >= start + HEAD
