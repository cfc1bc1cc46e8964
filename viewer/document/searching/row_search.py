"""Filtering: which rows of the tree have what a person wrote in their name, their type or their value.

It is a search (see :mod:`viewer.document.searching.search`) of which only those places count that a row shows: keys,
texts, numbers and headers, not bytes that happen to look like them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from viewer.base.record import dataclass
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.searching.hits import SearchHit
from viewer.document.searching.judge import NodeSweep, text_span
from viewer.document.searching.query import Mode, Query
from viewer.document.searching.search import steps
from viewer.variant.dialect import Kind
from viewer.variant.items import Item
from viewer.variant.table import NONE, NodeTable

DEEPEST = 500
"""Rows that lie deeper are left out: nobody could see them, and each would bring all rows above it."""
MOST_LINES = 1 << 16
"""Of so many collections it is kept what lies above them."""
WORDS = {"true": ("bool", 1), "false": ("bool", 0), "null": ("Nil", None)}


@dataclass(frozen=True, slots=True)
class FilterStep:
    """What one step found.

    Args:
        items: rows that were not found before.
        progress: share of the work that is done, 0 to 1.
    """

    items: list[Item]
    progress: float


def filter_steps(document: Document, query: Query) -> Iterator[FilterStep]:
    """Look through the document stretch by stretch, about a millisecond each. Ends when the document changes."""
    seen: set[Item] = set()
    queries = _queries(document, query)
    size = max(1, len(document.buffer))
    for done, (part, value) in enumerate(queries):
        rows = _Rows(document, part.mode is Mode.HEX, value)
        for step in steps(document, part):
            fresh = []
            for hit in step.hits:
                item = rows.of(hit)
                if item is not None and item not in seen:
                    seen.add(item)
                    fresh.append(item)
            yield FilterStep(fresh, (done + step.reached / size) / len(queries))


def _queries(document: Document, query: Query) -> list[tuple[Query, int | None]]:
    """What to search for, and the value that a bool must have: a word alone may also name a type or a value."""
    out: list[tuple[Query, int | None]] = [(query, None)]
    word = query.text.strip().casefold()
    if query.mode is Mode.ANY:
        types = {name.casefold(): name for name in document.dialect.by_name}
        name, value = WORDS.get(word, (types.get(word, ""), None))
        name = types.get(name.casefold(), "")
        if name:
            out.append((Query(name, Mode.TYPE), value))
    return out


class _Rows:
    """Finds the rows that hits, in byte order, stand for.

    Args:
        document: where they lie.
        everywhere: whether any bytes count, not only such as a row shows.
        state: the state that a bool must have, None for any.
    """

    def __init__(self, document: Document, everywhere: bool, state: int | None) -> None:
        self._document = document
        self._everywhere, self._state = everywhere, state
        self._index = -1
        self._sweep: NodeSweep | None = None
        self._lines = _Lines()
        self._lines_of = -1

    def of(self, hit: SearchHit) -> Item | None:
        """The row of a hit, None where no row shows it."""
        item = hit.item if hit.item is not None else self._item(hit)
        if item is None or item.node < 0 or not self._is_state(item):
            return None
        table = self._document.frames[item.frame].table
        if item.frame != self._lines_of:
            self._lines_of, self._lines = item.frame, _Lines()
        line = self._lines.of(table, item.node)
        if line.depth >= DEEPEST:
            return None
        if line.key >= 0:
            return Item(item.frame, _value_of(table, line.key))
        return outline.row_item(self._document, item, {item.node: None})

    def _item(self, hit: SearchHit) -> Item | None:
        document, start = self._document, hit.span.start
        index = self._index
        if not (0 <= index < len(document.frames) and start in document.frames[index].span):
            self._index = index = document.frame_at(start)
            self._sweep = NodeSweep(document.frames[index].table) if index >= 0 else None
        if self._sweep is None:
            return None
        frame = document.frames[index]
        local = start - frame.start
        if not 0 <= local < frame.table.end_of_data:
            return None
        node = self._sweep.at(local).node
        shown = self._everywhere or _shows_text(frame.table, node, local)
        return Item(index, node) if shown else None

    def _is_state(self, item: Item) -> bool:
        if self._state is None:
            return True
        table = self._document.frames[item.frame].table
        start = table.start[item.node] + 4
        return bool(int.from_bytes(table.buffer[start : start + 4], "little")) == bool(self._state)


def _shows_text(table: NodeTable, node: int, offset: int) -> bool:
    """Whether the byte at *offset* is of a text that the row of *node*, or of its value, shows."""
    row = table.row(node)
    if row is None:
        return False
    match row.kind:
        case Kind.STRING:
            return offset in text_span(table, node)
        case (
            Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.SIGNAL
            | Kind.TYPED_ARRAY
            | Kind.PACKED_STRINGS
        ):
            return True
        case (
            Kind.FIXED
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.PACKED
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return False
        case _:
            assert_never(row.kind)


@dataclass(frozen=True, slots=True)
class _Line:
    """What lies above a node: how many levels, and the outermost key that it is or lies in, -1 for none."""

    depth: int
    key: int


_TOO_DEEP = _Line(DEEPEST, -1)


class _Lines:
    """What lies above the nodes of a frame, kept so that no level is looked at again for every hit below it."""

    def __init__(self) -> None:
        self._known: dict[int, _Line] = {}
        self._longest = 0

    def of(self, table: NodeTable, node: int) -> _Line:
        """What lies above *node* of the frame's table."""
        if len(self._known) > MOST_LINES + self._longest:
            self._known = {}
        way: list[int] = []
        here, line = node, None
        while line is None and here > 0 and table.parent[here] != NONE:
            way.append(here)
            here = table.parent[here]
            line = self._known.get(here)
        line = line or _Line(0, -1)
        self._longest = max(self._longest, len(way))
        for each in reversed(way):
            if line.depth + 1 < DEEPEST:
                key = each if line.key < 0 and outline.is_key(table, each) else line.key
                line = _Line(line.depth + 1, key)
            else:
                line = _TOO_DEEP
            if table.first[each]:
                self._known[each] = line
        return line


def _value_of(table: NodeTable, key: int) -> int:
    """The value of a key's pair, or the key itself where that is cut off."""
    has_value = key + 1 < len(table) and table.parent[key + 1] == table.parent[key]
    return key + 1 if has_value else key
