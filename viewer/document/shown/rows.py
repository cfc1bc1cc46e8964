"""Rows: which rows stand under which in the tree, by numbers alone.

A row is known by its holder and its number under it. A holder is one integer, so that a million rows cost nothing: 0
for the top, else the number of a node in the whole document (plus one) above 28 bits that number a page (plus one; 0
for none). More than a thousand rows under one node stand in pages of a thousand.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.framing import Frame
from viewer.document.outline import GAP, PREFIX
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.items import Item
from viewer.variant.table import NONE, NodeTable

TOP = 0
LEAF = -1
PAGE = 1000
PAGE_BITS = 28
PAGE_MASK = (1 << PAGE_BITS) - 1
REMEMBERED = 65536
Place = tuple[int, int]


class Rows:
    """The rows of a document as it is now; after a change of structure make another one.

    Args:
        document: whose rows.
    """

    def __init__(self, document: Document) -> None:
        self._frames = document.frames
        self._document = document
        self._bases = array("Q")
        base = 0
        for frame in document.frames:
            self._bases.append(base)
            base += len(frame.table)
        spans = [(frame.span.start, 1, index) for index, frame in enumerate(document.frames)]
        spans += [(gap.start, 0, index) for index, gap in enumerate(document.gaps)]
        self._tops = [index if is_frame else -1 - index for _, is_frame, index in sorted(spans)]
        self._top_rows = {number: row for row, number in enumerate(self._tops)}
        self._totals: dict[int, int] = {}
        self._strings: dict[int, array[int]] = {}

    # Down

    def count(self, holder: int) -> int:
        """How many rows stand under a holder."""
        if holder == TOP:
            return len(self._tops)
        if holder == LEAF:
            return 0
        frame, node, page = self._decoded(holder)
        total = self._total(frame, node)
        if page >= 0:
            return min(PAGE, total - page * PAGE)
        return pages(total) + self._has_gap_row(frame, node)

    def holder(self, above: int, row: int) -> int:
        """What holds the rows under row number *row* of *above*; LEAF where there can be none."""
        if above == TOP:
            frame = self._tops[row]
            return self._key(frame, 0) if frame >= 0 and len(self._frames[frame].table) else LEAF
        frame, node, page = self._decoded(above)
        total = self._total(frame, node)
        if page < 0 and total > PAGE:
            return above | row + 1 if row < pages(total) else LEAF
        number = row if page < 0 else page * PAGE + row
        table = self._frames[frame].table
        if number >= total or not table.child_count(node):
            return LEAF
        return self._key(frame, row_node(table, node, number))

    def item(self, holder: int, row: int) -> Item:
        """The item that a row shows; for a page, what is cut into pages."""
        if holder == TOP:
            return top_item(self._document, self._tops[row])
        frame, node, page = self._decoded(holder)
        total = self._total(frame, node)
        if page < 0 and total > PAGE:
            return Item(frame, node) if row < pages(total) else Item(frame, -1, GAP)
        number = row if page < 0 else page * PAGE + row
        if number >= total:
            return Item(frame, -1, GAP)
        table = self._frames[frame].table
        if table.child_count(node):
            return Item(frame, row_node(table, node, number))
        return Item(frame, node, f"[{number}]")

    def page(self, holder: int, row: int) -> range | None:
        """The children that a page row stands for, None for rows that are no page."""
        if holder == TOP:
            return None
        frame, node, page = self._decoded(holder)
        total = self._total(frame, node)
        if page >= 0 or total <= PAGE or row >= pages(total):
            return None
        return range(row * PAGE, min(total, (row + 1) * PAGE))

    def string_start(self, item: Item) -> int:
        """Where the length word of an element of a packed string array stands, counted in its frame."""
        return self._string_starts(item.frame, item.node)[int(item.part[1:-1])]

    def held(self, holder: int) -> tuple[Item, int]:
        """The node whose rows a holder holds, and the page of them, -1 for none."""
        frame, node, page = self._decoded(holder)
        return Item(frame, node), page

    # Up

    def above(self, holder: int) -> Place | None:
        """Where the row of a holder itself stands; None for the top."""
        if holder == TOP:
            return None
        frame, node, page = self._decoded(holder)
        return (self._key(frame, node), page) if page >= 0 else self._node_place(frame, node)

    def place(self, item: Item) -> Place | None:
        """Where the row stands that shows an item or, of a key or part, its value; None where there is none."""
        item = outline.row_item(self._document, item)
        if item.frame < 0 or item.frame >= len(self._frames):
            row = self._top_rows.get(item.frame)
            return None if row is None else (TOP, row)
        table = self._frames[item.frame].table
        if not len(table):
            return TOP, self._top_rows[item.frame]
        if item.node < 0:
            holder = self._key(item.frame, 0)
            return (holder, self.count(holder) - 1) if self._has_gap_row(item.frame, 0) else None
        if item.node >= len(table) or (item.node and table.parent[item.node] == NONE):
            return None
        number = element_number(item)
        if 0 <= number < self._total(item.frame, item.node) and not table.child_count(item.node):
            return self._child_place(item.frame, item.node, number)
        return self._node_place(item.frame, item.node)

    # Inside

    def _node_place(self, frame: int, node: int) -> Place:
        if not node:
            return TOP, self._top_rows[frame]
        table = self._frames[frame].table
        parent = table.parent[node]
        number = table.index(node)
        return self._child_place(frame, parent, number // 2 if table.has_pairs(parent) else number)

    def _child_place(self, frame: int, parent: int, number: int) -> Place:
        key = self._key(frame, parent)
        if self._total(frame, parent) <= PAGE:
            return key, number
        return key | number // PAGE + 1, number % PAGE

    def _key(self, frame: int, node: int) -> int:
        return self._bases[frame] + node + 1 << PAGE_BITS

    def _decoded(self, holder: int) -> tuple[int, int, int]:
        """Frame, node and page (-1 for none) of a holder."""
        number = (holder >> PAGE_BITS) - 1
        frame = bisect_right(self._bases, number) - 1
        return frame, number - self._bases[frame], (holder & PAGE_MASK) - 1

    def _has_gap_row(self, frame: int, node: int) -> bool:
        return node == 0 and self._frames[frame].gap is not None

    def _total(self, frame: int, node: int) -> int:
        """How many values, elements or strings a node holds."""
        number = self._bases[frame] + node
        total = self._totals.get(number)
        if total is None:
            if len(self._totals) > REMEMBERED:
                self._totals.clear()
            total = self._totals[number] = self._counted(frame, node)
        return total

    def _counted(self, frame: int, node: int) -> int:
        table = self._frames[frame].table
        count = table.child_count(node)
        if count:
            return (count + 1) // 2 if table.has_pairs(node) else count
        row = table.row(node)
        if row is not None and row.kind is Kind.PACKED:
            return items.element_count(table, node)
        if row is not None and row.kind is Kind.PACKED_STRINGS:
            return len(self._string_starts(frame, node))
        return 0

    def _string_starts(self, frame: int, node: int) -> array[int]:
        number = self._bases[frame] + node
        if number not in self._strings:
            self._strings[number] = string_starts(self._frames[frame], node)
        return self._strings[number]


def top_item(document: Document, frame: int) -> Item:
    """What the top row of a frame shows, or of the gap -1 - *frame*."""
    if frame < 0:
        return Item(frame, -1, GAP)
    found = document.frames[frame]
    if len(found.table):
        return Item(frame, 0)
    return Item(frame, -1, GAP if found.gap is not None else PREFIX)


def pages(total: int) -> int:
    """How many rows stand for so many children: themselves, or their pages."""
    return total if total <= PAGE else -(-total // PAGE)


def row_node(table: NodeTable, node: int, number: int) -> int:
    """The node that row *number* under *node* shows: a value, or a last key without its value."""
    children = table.children(node)
    return children[min(2 * number + 1, len(children) - 1) if table.has_pairs(node) else number]


def element_number(item: Item) -> int:
    """The number of an element part ``[3]``, -1 for every other item."""
    digits = item.part[1:-1]
    return int(digits) if item.part.startswith("[") and digits.isdigit() else -1


def string_starts(frame: Frame, node: int) -> array[int]:
    """Where the length words of a packed string array stand whose texts are whole, in one hop over them."""
    table, buffer = frame.table, frame.table.buffer
    starts, at, end = array("Q"), table.start[node] + 8, table.end(node)
    count = int.from_bytes(buffer[at - 4 : at], "little") if at <= end else 0
    while at + 4 <= end and len(starts) < count <= 0x7FFFFFFF:
        length = int.from_bytes(buffer[at : at + 4], "little")
        if at + 4 + length > end:
            break
        starts.append(at)
        at += 4 + length + -length % 4
    return starts
