"""NodeTable: the scanned values of one frame, as columns.

One row a node; the children of a collection have consecutive ids. A child of a Dictionary or Object has its key (or
property name) right before it: ids ``first``, ``first + 1``, … are key, value, key, value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import Diagnostic
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.variant.columns import ROW, Columns
from viewer.variant.dialect import HOLDING, NAMED, PAIRED, Dialect, TypeRow
from viewer.variant.part import Part
from viewer.variant.walks import deepest, node_end, run_end

if TYPE_CHECKING:  # one knows tables, and few files have the other
    from viewer.variant.elements import TextIndex
    from viewer.variant.string_table import StringTable

HEADER = 4
NONE = 0xFFFFFFFF
"""In the parent column: the root, and ids that were promised but never reached."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes inside a frame that no value claims, with values behind them.

    Args:
        span: the bytes, from the start of the frame.
        owner: the collection that they lie in.
    """

    span: Span
    owner: int


_NO_GAPS: dict[int, Gap] = {}
"""What nearly all tables have: nothing is put into it."""


class NodeTable:
    """Where every value of one frame lies.

    Args:
        buffer: the frame's bytes, without a length prefix.
        dialect: the dialect that the scanner read them in.

    Attributes:
        start: column, first byte of each node, in bytes from the start of the frame.
        parent: column, id of the parent, :data:`NONE` for the root.
        first: column, id of the first child, 0 where there is none.
        end_of_data: where the root value ends; with an error, how far the bytes could be read.
        diagnostics: the scanner's findings, in byte order.
        promised: for how many nodes the scanner made room, those included that never came: each is work like a byte.
        checked: how many heads and texts it read one by one, which is far more work.
        gaps: what recovery skipped, in byte order; a node does not end before the gaps of those that it holds.
        guess: from this byte on the values are guessed, because an engine stops before or reads them otherwise; None
            where nothing is.
        assumed: the headers that broken nodes are taken to have, and those of nodes that begin without one.
        names: the file's table of strings, where names of properties are places in it; None where they are texts.
        turns: the bytes at which recovery goes on otherwise than an engine would, in order.
        memo: what was worked out of the bytes and may be asked for again; it goes with the table. Numbers may change
            in the bytes meanwhile: then *buffer* is another object.
        cut: the node that was last cut into very many parts, and these, as long as *buffer* is the same object.
        strings: the packed string array that was last looked into and its end, with what is known of it, as long as
            *buffer* is the same object.
    """

    __slots__ = (
        "__weakref__",
        "_gap_ends",
        "assumed",
        "buffer",
        "checked",
        "cut",
        "diagnostics",
        "dialect",
        "end_of_data",
        "first",
        "gaps",
        "guess",
        "memo",
        "names",
        "parent",
        "promised",
        "start",
        "strings",
        "turns",
    )

    def __init__(self, buffer: Buffer, dialect: Dialect) -> None:
        self.buffer = buffer
        self.dialect = dialect
        self.start = self.parent = self.first = memoryview(b"").cast("I")
        self.end_of_data = self.promised = self.checked = 0
        self.diagnostics: list[Diagnostic] = []
        self.memo: object = None
        self.cut: tuple[Buffer, int, tuple[Part, ...]] | None = None
        self.strings: tuple[Buffer, int, int, TextIndex] | None = None
        self.gaps: tuple[Gap, ...] = ()
        self.guess: int | None = None
        self.assumed: dict[int, int] = {}
        self.names: StringTable | None = None
        self.turns: tuple[int, ...] = ()
        self._gap_ends = _NO_GAPS

    def take(self, columns: Columns, used: int) -> None:
        """Have the first *used* rows of *columns* as the columns."""
        self.start, self.parent, self.first = columns.start[:used], columns.parent[:used], columns.first[:used]

    def skip(self, gaps: tuple[Gap, ...]) -> None:
        """Have these gaps, no two of which touch."""
        self.gaps = gaps
        self._gap_ends = {gap.span.end: gap for gap in gaps}

    def __len__(self) -> int:
        return len(self.start)

    @property
    def room(self) -> int:
        """For how many rows there is memory where the columns are."""
        return memoryview(self.start.obj).nbytes // ROW if len(self) else 0

    @property
    def nodes(self) -> Iterator[int]:
        """All nodes that hold bytes, in order of their ids."""
        parent = self.parent
        return (node for node in range(len(parent)) if node == 0 or parent[node] != NONE)

    def header(self, node: int) -> int:
        """The header word; for a property name, which has none, the header of a String."""
        if node in self.assumed:
            return self.assumed[node]
        return self.dialect.type_number("String") if self.is_name(node) else self._first_word(node)

    def _first_word(self, node: int) -> int:
        return u32(self.buffer, self.start[node])

    def row(self, node: int) -> TypeRow | None:
        """The type of a node, or None where the dialect has no such type."""
        return self.dialect.row(self.header(node))

    def is_name(self, node: int) -> bool:
        """Whether this is an object's property name: text without a header."""
        parent = self.parent[node] if node else NONE
        if parent == NONE or (node - self.first[parent]) % 2:
            return False
        row = self.holder_row(parent)
        return row is not None and row.kind in NAMED

    def holder_row(self, node: int) -> TypeRow | None:
        """The type of a node that is no name, as one with children; None where the dialect has no such type."""
        return self.dialect.row(self.assumed.get(node) or self._first_word(node))

    def is_opaque(self, node: int) -> bool:
        """Whether nothing but the type of a broken node is known: its own bytes do not tell what it holds."""
        if node not in self.assumed:
            return False
        row = self.dialect.row(self.assumed[node])
        return row is None or row.kind not in HOLDING or self.head_end(node) - self.start[node] < HEADER

    def has_pairs(self, node: int) -> bool:
        """Whether the children come in pairs: key, value, key, value."""
        row = self.row(node)
        return row is not None and row.kind in PAIRED

    def child_count(self, node: int) -> int:
        """How many children a node has, keys included. O(log n): the ids of a block share their parent."""
        first = self.first[node]
        if first == 0:
            return 0
        return run_end(self.parent, first, len(self.parent), node) - first

    def has_children(self, node: int) -> bool:
        """Whether a node has children."""
        first = self.first[node]
        return first != 0 and first < len(self.parent) and self.parent[first] == node

    def children(self, node: int) -> range:
        """The ids of the children, keys included."""
        first = self.first[node]
        return range(first, first + self.child_count(node))

    def index(self, node: int) -> int:
        """The position among the parent's children, keys included; 0 for the root."""
        return node - self.first[self.parent[node]] if node else 0

    def end(self, node: int) -> int:
        """The first byte behind a node. O(1) but for last children, which end where their parent does."""
        parent, following = self.parent, node + 1
        if node and following < len(parent) and parent[following] == parent[node]:
            end = self.start[following]
        else:
            end = node_end(self.start, parent, node, self.end_of_data)
        return self.clipped(node, end) if self.gaps else end

    def clipped(self, node: int, end: int) -> int:
        """Where a node ends, if what follows it begins at *end*: in front of a gap that it does not hold.

        Whatever ends there lies one in the other, and who holds another has the lower id.
        """
        gap = self._gap_ends.get(end)
        return end if gap is None or node <= gap.owner else gap.span.start

    def span(self, node: int) -> Span:
        """All bytes of a node."""
        return Span(self.start[node], self.end(node))

    def head_end(self, node: int) -> int:
        """Where a node's own bytes end and its children begin."""
        end = self.start[self.first[node]] if self.child_count(node) else self.end(node)
        gap = self._gap_ends.get(end) if self.gaps else None
        return end if gap is None or gap.owner != node else gap.span.start

    def at(self, offset: int) -> int:
        """Return the deepest node whose span holds the byte at *offset*.

        Args:
            offset: bytes from the start of the frame.

        Raises:
            IndexError: no node holds that byte.
        """
        if not (len(self.start) and 0 <= offset < self.end_of_data):
            raise IndexError(f"No value holds byte {offset}.")
        gap = self.gap_at(offset) if self.gaps else None
        if gap is not None:
            return gap.owner
        return deepest(self.start, self.parent, self.first, offset)

    def before_gap(self, end: int) -> int:
        """Where a node's own bytes end, if those of the next node begin at *end*."""
        gap = self._gap_ends.get(end) if self.gaps else None
        return end if gap is None else gap.span.start

    def gap_at(self, offset: int) -> Gap | None:
        """The gap that holds a byte."""
        found = bisect_right(self.gaps, offset, key=lambda gap: gap.span.start) - 1
        return self.gaps[found] if found >= 0 and offset in self.gaps[found].span else None

    def gaps_of(self, node: int) -> list[Gap]:
        """The gaps among the children of a node."""
        return [gap for gap in self.gaps if gap.owner == node]

    def is_guessed(self, node: int) -> bool:
        """Whether a value is shown although an engine stops before it, or reads it otherwise."""
        return self.guess is not None and self.start[node] >= self.guess
