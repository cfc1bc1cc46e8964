"""Rows: which rows stand under which in the tree, by numbers alone."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.element_index import ElementIndex, element_number
from viewer.document.outline import GAP, PREFIX, gap_item
from viewer.document.pieces.framing import Frame, LateFrames, node_counts
from viewer.variant.dialect import PACKED
from viewer.variant.items import Item
from viewer.variant.table import NONE, NodeTable

# Blocks: what stands under one holder, and how a holder's number is made.


TOP = 0
LEAF = -1
LEVEL_BITS, PAGE_BITS = 3, 25
NODE_SHIFT = LEVEL_BITS + PAGE_BITS
PAGE_MASK = (1 << PAGE_BITS) - 1
LEVEL_MASK = (1 << LEVEL_BITS) - 1
LOW_MASK = (1 << NODE_SHIFT) - 1


@dataclass(frozen=True, slots=True)
class Children:
    """All that stands under a node, or at the top.

    Args:
        frame: the node's frame, -1 for the top and for a field; *node* its id there, of a field its number, or -1.
        total: how many values, elements, strings or fields they are.
        gap: 1 where a gap's row stands behind them, else 0.
        first: id of the first one, 0 where they are elements; *last* that of the last one.
        width: ids that one takes: 2 in a Dictionary or Object.
        skipped: the gaps among them, each by the number of the child that it stands in front of and its own number.
    """

    frame: int
    node: int
    total: int
    gap: int = 0
    first: int = 0
    last: int = 0
    width: int = 1
    skipped: tuple[tuple[int, int], ...] = ()

    def child(self, number: int) -> int:
        """The node that child *number* shows: a value, or a last key without its value."""
        return min(self.first + (number + 1) * self.width - 1, self.last)


@dataclass(frozen=True, slots=True)
class Block:
    """What stands under one holder: some children of a node (or of the top), or pages of them.

    Args:
        whole: whose children.
        level: 0 where the rows are the children themselves, else the level of the pages that they are.
        start: number of the first child here; *stop* is one behind the last.
        step: how many children a row stands for.
        count: how many rows these are; *rows* counts those of gaps too.
        skipped: the rows of gaps among them, in order, and the number of the first of these gaps in *whole*.
    """

    whole: Children
    level: int
    start: int
    stop: int
    step: int
    count: int
    rows: int
    skipped: tuple[int, ...] = ()
    first_skipped: int = 0

    def is_child(self, row: int) -> bool:
        """Whether a row is one of the children or pages, and no gap."""
        return row < self.count + len(self.skipped) and row not in self.skipped

    def gap(self, row: int) -> int:
        """The number of the gap among the children that a row shows; -1 for the one behind them."""
        if row not in self.skipped:
            return -1
        return self.whole.skipped[self.first_skipped + self.skipped.index(row)][1]

    def place(self, row: int) -> int:
        """The place among the children that a row of them has."""
        return row - bisect_left(self.skipped, row) if self.skipped else row

    def row(self, place: int) -> int:
        """The row of the child at a place among them."""
        for skipped in self.skipped:
            if skipped > place:
                break
            place += 1
        return place

    def children(self, row: int) -> range:
        """The numbers of the children that a row stands for."""
        start = self.start + row * self.step
        return range(start, min(self.stop, start + self.step))


def cut(holder: int, whole: Children, page_size: int) -> Block:
    """The block of *whole* that a holder stands for."""
    level, page, total = level_of(holder), holder & PAGE_MASK, whole.total
    inside = page_size**level
    start, stop = (page * inside, min(total, (page + 1) * inside)) if level else (0, total)
    below = level - 1 if level else levels(total, page_size)
    step = page_size**below
    count = -(-(stop - start) // step)
    skipped, first = ((), 0) if below else _skipped(whole, start, stop)
    return Block(
        whole, below, start, stop, step, count, count + len(skipped) + (0 if level else whole.gap), skipped, first
    )


def _skipped(whole: Children, start: int, stop: int) -> tuple[tuple[int, ...], int]:
    """The rows of the gaps among the children from *start* to *stop*, and the number of the first of them."""
    found = [
        (k, number)
        for k, (number, _) in enumerate(whole.skipped)
        if start < number <= stop or (number == start and not start)
    ]
    rows = tuple(number - start + before for before, (_, number) in enumerate(found))
    return rows, found[0][0] if found else 0


def levels(total: int, page_size: int) -> int:
    """How many pages lie one inside the other above so many children."""
    level = 0
    while total > page_size ** (level + 1):
        level += 1
    return level


def level_of(holder: int) -> int:
    """The level of the page that a holder is, 0 where it is a node or the top."""
    return holder >> PAGE_BITS & LEVEL_MASK


def bare(holder: int) -> int:
    """The holder of the node (or of the top) that a page belongs to."""
    return holder >> NODE_SHIFT << NODE_SHIFT


def page_of(key: int, level: int, number: int) -> int:
    """The holder of a page; *key* is that of its node."""
    return key | level << PAGE_BITS | number


# Rows of a document.


# The top: the frames of a document, and the gaps before, between and behind them, as one row of numbers.


class TopRows:
    """What stands at the top of a document as it is now, in the order of the bytes.

    A frame is known by its number, a gap by -1 - its number.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._total = len(document.frames) + len(document.gaps)
        self._frames_before = _frames_before(document.frames, document.gaps)
        self._gap_rows = [before + gap for gap, before in enumerate(self._frames_before)]

    def __len__(self) -> int:
        return self._total

    def frame(self, number: int) -> int:
        """The frame that stands as number *number*, or -1 - gap."""
        gap = bisect_left(self._gap_rows, number)
        return -1 - gap if gap < len(self._gap_rows) and self._gap_rows[gap] == number else number - gap

    def number(self, frame: int) -> int:
        """Where a frame stands, or the gap -1 - *frame*."""
        return self._gap_rows[-1 - frame] if frame < 0 else frame + bisect_right(self._frames_before, frame)

    def has_gap(self, frame: int) -> bool:
        """Whether -1 - *frame* is a gap."""
        return -len(self._gap_rows) <= frame < 0

    def item(self, number: int) -> Item:
        """What the row of number *number* shows."""
        return top_item(self._document, self.frame(number))

    def span(self, number: int) -> Span:
        """The bytes of number *number*, a frame's with its prefix, as offsets in the layer."""
        frame = self.frame(number)
        return self._document.frames[frame].span if frame >= 0 else self._document.gaps[-1 - frame]


def top_item(document: Document, frame: int) -> Item:
    """What the top row of a frame shows, or of the gap -1 - *frame*."""
    if frame < 0:
        return Item(frame, -1, GAP)
    found = document.frames[frame]
    if len(found.table):
        return Item(frame, 0)
    return Item(frame, -1, GAP if found.gap is not None else PREFIX)


class FieldHolders:
    """The fields of a document that have finer ones under them, numbered as they are first asked for."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.items: list[Item] = []
        self.totals: list[int] = []
        self._numbers: dict[Item, int] = {}

    def __len__(self) -> int:
        return len(self.items)

    def number(self, item: Item) -> int:
        """Which of them an item is, -1 for none."""
        if item not in self._numbers:
            field = outline.field_of(self._document, item)
            if field is None or not field.children:
                return -1
            self._numbers[item] = len(self.items)
            self.items.append(item)
            self.totals.append(len(field.children))
        return self._numbers[item]


PAGE = 1000
REMEMBERED = 65536
REMEMBERED_OPEN = 1024


def _frames_before(frames: Sequence[Frame], gaps: Sequence[Span]) -> list[int]:
    """How many frames lie before each gap; of many frames most are not looked at where gaps are few."""
    if len(gaps) * len(frames).bit_length() < len(frames):
        return [bisect_left(frames, gap.start, key=_start) for gap in gaps]
    starts = [_start(frame) for frame in frames] if gaps else []
    return [bisect_left(starts, gap.start) for gap in gaps]


def _start(frame: Frame) -> int:
    return frame.span.start


Place = tuple[int, int]


class RowIndex:
    """The rows of a document as it is now; after a change of structure make another one.

    Args:
        document: whose rows.
        page: how many rows stand under one at most, at least 4.

    Attributes:
        is_filtered: whether only some of them are there.
    """

    is_filtered = False

    def __init__(self, document: Document, page: int = PAGE) -> None:
        self.document = document
        self.page_size = page
        self._frames = document.frames
        self._bases = array("Q", accumulate(node_counts(self._frames), initial=0))
        self.top = TopRows(document)
        self._fields = FieldHolders(document)
        self.elements = ElementIndex(self._frames)
        types = document.dialect.rows if document.frames else ()
        self._packed = frozenset(n & 0xFF for n, row in enumerate(types) if row is not None and row.kind in PACKED)
        self._blocks: dict[int, Block] = {}
        self._openable: dict[int, bytes] = {}
        self._depths: dict[int, int] = {TOP: 0}

    @property
    def nodes(self) -> int:
        """How many nodes all frames have."""
        return self._bases[-1]

    # Down

    def count(self, holder: int) -> int:
        """How many rows stand under a holder."""
        return 0 if holder == LEAF else self.block(holder).rows

    def holder(self, above: int, row: int) -> int:
        """What holds the rows under row number *row* of *above*; LEAF where there can be none."""
        block = self.block(above)
        whole = block.whole
        if not block.is_child(row):
            return LEAF
        if block.level:
            return page_of(bare(above), block.level, block.start // block.step + row)
        if whole.frame < 0 and whole.node < 0:
            frame = self.top.frame(block.start + row)
            if frame < 0:
                return self._field_key(gap_item(-1 - frame))
            return self.key(frame, 0) if len(self._frames[frame].table) else LEAF
        if whole.frame < 0:
            return self._field_key(self._field_child(whole.node, block.start + row))
        return self.key(whole.frame, whole.child(block.start + block.place(row))) if whole.first else LEAF

    def has_rows(self, above: int, row: int) -> bool:
        """Whether rows stand under a row. A view asks it of all under one holder: these are found together."""
        found = self._openable.get(above)
        if found is None:
            if len(self._openable) > REMEMBERED_OPEN:
                self._openable.clear()
            found = self._openable[above] = bytes(self._are_open(above))
        return found[row] == 1

    def _are_open(self, above: int) -> Iterator[bool]:
        """For each row under a holder, whether rows stand under it; of very many alike, each asks for little."""
        if above == LEAF:
            return
        block = self.block(above)
        whole, frames, count = block.whole, self._frames, 0
        if not block.level and not block.skipped:
            if whole.first:
                count, child, opens = block.count, whole.child, self._has_children
                yield from (opens(whole.frame, child(number)) for number in range(block.start, block.start + count))
            elif whole.frame < 0 and whole.node < 0 and isinstance(frames, LateFrames):
                count, frame = block.count, self.top.frame
                for row, number in enumerate(map(frame, range(block.start, block.start + count))):
                    yield (number >= 0 and frames.has_values(number)) or self._is_open(above, row)
        yield from (self._is_open(above, row) for row in range(count, block.rows))

    def _is_open(self, above: int, row: int) -> bool:
        """Whether rows stand under a row; for a leaf without a look at more than one byte."""
        block = self.block(above)
        whole, frames = block.whole, self._frames
        is_top = whole.frame < 0 and whole.node < 0 and not block.level
        if is_top and block.is_child(row) and isinstance(frames, LateFrames):
            frame = self.top.frame(block.start + row)
            if frame >= 0 and frames.has_values(frame):
                return True
        if not block.is_child(row) or block.level or not whole.first:
            return self.count(self.holder(above, row)) > 0
        return self._has_children(whole.frame, whole.child(block.start + block.place(row)))

    def has(self, holder: int) -> bool:
        """Whether rows stand under a number that may be no holder at all, or one of other rows than these."""
        return self._may_hold(holder) and self._stands(holder)

    def _may_hold(self, holder: int) -> bool:
        """Whether something lies under a number, be it in view or not."""
        if not 0 <= holder >> NODE_SHIFT <= self._bases[-1] + len(self._fields):
            return False
        level = level_of(holder)
        if not level and holder & PAGE_MASK:
            return False
        if level:
            block = self.block(bare(holder))
            return level <= block.level and (holder & PAGE_MASK) * self.page_size**level < block.stop
        if self.field_item(holder) is not None:
            return True
        return self._has_children(*self.node(holder)) if self.is_node(holder) else self.count(TOP) > 0

    def _stands(self, holder: int) -> bool:
        """Whether the rows above a holder lead down to it.

        A node that broken bytes promised and never gave has no row, and nothing inside a key has: a key stands in the
        row of its value.
        """
        line = [holder]
        while line[-1] not in self._depths:
            below = line[-1]
            if self.is_node(below) and not self._is_given(*self.node(below)):
                return False
            place = self.above(below)
            if place is None or self.holder(*place) != below:
                return False
            line.append(place[0])
        self._note_depths(line)
        return True

    def _is_given(self, frame: int, node: int) -> bool:
        """Whether a node was read, and not only promised by the count of its collection."""
        table = self._frames[frame].table
        return node < len(table) and (node == 0 or table.parent[node] != NONE)

    def has_place(self, place: Place) -> bool:
        """Whether there is such a row."""
        return self.has(place[0]) and 0 <= place[1] < self.count(place[0])

    def item(self, holder: int, row: int) -> Item:
        """The item that a row shows; for a page, what is cut into pages (at the top the first one in it)."""
        block = self.block(holder)
        whole, number = block.whole, block.start + block.place(row) * block.step
        if whole.frame < 0:
            return self.top.item(number) if whole.node < 0 else self._field_child(whole.node, number)
        if not block.is_child(row):
            gap = block.gap(row)
            return Item(whole.frame, -1, GAP) if gap < 0 else Item(whole.frame, whole.node, f"{GAP}{gap}")
        if block.level:
            return Item(whole.frame, whole.node)
        if whole.first:
            return Item(whole.frame, whole.child(number))
        return Item(whole.frame, whole.node, f"[{number}]")

    def page(self, holder: int, row: int) -> range | None:
        """The children that a page row stands for, None for rows that are no page."""
        block = self.block(holder)
        return block.children(row) if block.level and block.is_child(row) else None

    def page_span(self, holder: int, row: int) -> Span | None:
        """The bytes of a page's children, as offsets in the layer; None where finding them would take long."""
        block = self.block(holder)
        whole, numbers = block.whole, block.children(row)
        if whole.frame < 0 and whole.node >= 0:
            first, last = (self._field_child(whole.node, numbers[at]) for at in (0, -1))
            return Span(outline.span(self.document, first).start, outline.span(self.document, last).end)
        if whole.frame < 0:
            return Span(self.top.span(numbers[0]).start, self.top.span(numbers[-1]).end)
        frame = self._frames[whole.frame]
        if whole.first:
            start = frame.table.start[whole.first + numbers[0] * whole.width]
            return Span(start, frame.table.end(whole.child(numbers[-1]))).shifted(frame.start)
        span = self.elements.span(whole.frame, whole.node, numbers)
        return None if span is None else span.shifted(frame.start)

    def is_cut_off(self, holder: int, span: Span) -> bool:
        """Whether a page's bytes end where its frame could not be read further."""
        frame = self._frames[self.block(holder).whole.frame] if self.is_node(holder) else None
        return frame is not None and span.end == frame.start + frame.table.end_of_data

    def block(self, holder: int) -> Block:
        """What stands under a holder."""
        block = self._blocks.get(holder)
        if block is None:
            if len(self._blocks) > REMEMBERED:
                self._blocks.clear()
            block = self._blocks[holder] = cut(holder, self._whole(holder), self.page_size)
        return block

    # Up

    def above(self, holder: int) -> Place | None:
        """Where the row of a holder itself stands; None for the top."""
        if holder == TOP:
            return None
        level, page, key = level_of(holder), holder & PAGE_MASK, bare(holder)
        if not level:
            field = self.field_item(holder)
            return self._node_place(*self.node(holder)) if field is None else self._field_place(field)
        if level == self.block(key).level:
            return key, page
        return page_of(key, level + 1, page // self.page_size), page % self.page_size

    def depth(self, holder: int) -> int:
        """How many rows stand above the rows of a holder."""
        line = [holder]
        while line[-1] not in self._depths:
            place = self.above(line[-1])
            assert place is not None
            line.append(place[0])
        return self._note_depths(line)

    def _note_depths(self, line: list[int]) -> int:
        """Remember the depths of a holder and of those above it, up to one that is known; returns that of the first."""
        depth = self._depths[line.pop()]
        if len(self._depths) > REMEMBERED:
            self._depths = {TOP: 0}
        for step, below in enumerate(reversed(line), 1):
            self._depths[below] = depth + step
        return depth + len(line)

    def place(self, item: Item) -> Place | None:
        """Where the row stands that shows an item or, of a key or part, its value; None where there is none."""
        item = outline.row_item(self.document, item)
        if item.frame < 0 or item.frame >= len(self._frames):
            return self._field_place(item) if self.top.has_gap(item.frame) else None
        table = self._frames[item.frame].table
        if not len(table):
            return self._top_place(item.frame)
        if item.node < 0:
            root = self.block(self.key(item.frame, 0))
            return (self.key(item.frame, 0), root.rows - 1) if root.whole.gap else None
        if not self._is_given(item.frame, item.node):
            return None
        if outline.is_gap(item):
            return self._gap_place(item)
        number, key = element_number(item), self.key(item.frame, item.node)
        if number >= 0 and not self.block(key).whole.first and number < self.block(key).stop:
            return self.child_place(key, number)
        return self._node_place(item.frame, item.node)

    def child_place(self, key: int, number: int) -> Place:
        """Where child *number* of a node (or of the top) stands; *key* is its holder without a page."""
        holder, place = key, number
        if self.block(key).level:
            holder, place = page_of(key, 1, number // self.page_size), number % self.page_size
        block = self.block(holder)
        return holder, block.row(place) if block.skipped else place

    def key(self, frame: int, node: int) -> int:
        """The holder of a node's rows, pages or children."""
        return self._bases[frame] + node + 1 << NODE_SHIFT

    def is_node(self, holder: int) -> bool:
        """Whether a holder belongs to a node, not to the top or to a field."""
        return holder > LOW_MASK and holder >> NODE_SHIFT <= self._bases[-1]

    def field_item(self, holder: int) -> Item | None:
        """The field that a holder belongs to, None where it is another one."""
        number = (holder >> NODE_SHIFT) - 1 - self._bases[-1]
        return self._fields.items[number] if 0 <= number < len(self._fields) else None

    def field_holder(self, item: Item, low: int = 0) -> int:
        """The holder of a field's rows, LEAF where there are none; *low* names a page of it."""
        key = self._field_key(item)
        return key if key == LEAF else key | low

    def node(self, holder: int) -> tuple[int, int]:
        """Frame and node of a holder."""
        number = (holder >> NODE_SHIFT) - 1
        frame = bisect_right(self._bases, number) - 1
        return frame, number - self._bases[frame]

    # Inside

    def _field_key(self, item: Item) -> int:
        number = self._fields.number(item)
        return LEAF if number < 0 else self._bases[-1] + number + 1 << NODE_SHIFT

    def _field_child(self, field: int, number: int) -> Item:
        above = self._fields.items[field]
        return gap_item(-1 - above.frame, (*(outline.field_steps(above) or ()), number))

    def _field_place(self, item: Item) -> Place | None:
        """Where a field stands, or a gap between values; None where there is no such field."""
        steps = outline.field_steps(item)
        if not steps:
            return self._top_place(item.frame)
        key = self._field_key(gap_item(-1 - item.frame, steps[:-1]))
        return None if key == LEAF or steps[-1] >= self.block(key).whole.total else self.child_place(key, steps[-1])

    def _node_place(self, frame: int, node: int) -> Place:
        if not node:
            return self._top_place(frame)
        parent = self._frames[frame].table.parent[node]
        key = self.key(frame, parent)
        whole = self.block(key).whole
        return self.child_place(key, (node - whole.first) // whole.width)

    def _gap_place(self, item: Item) -> Place | None:
        """Where the row of a gap among the children of a node stands."""
        key, digits = self.key(item.frame, item.node), item.part.removeprefix(GAP)
        wanted = int(digits) if digits.isdigit() else -1
        before = next((child for child, number in self.block(key).whole.skipped if number == wanted), -1)
        if before < 0:
            return None
        holder = key
        if self.block(key).level:
            holder = page_of(key, 1, max(0, before - 1) // self.page_size)
        block = self.block(holder)
        return next(((holder, row) for row in block.skipped if block.gap(row) == wanted), None)

    def _top_place(self, frame: int) -> Place:
        """Where a frame stands, or the gap -1 - *frame*."""
        return self.child_place(TOP, self.top.number(frame))

    def _whole(self, holder: int) -> Children:
        """All children of a holder's node, or of the top."""
        if not self.is_node(holder):
            field = self.field_item(holder)
            number = -1 if field is None else self._fields.number(field)
            return Children(-1, number, len(self.top) if number < 0 else self._fields.totals[number])
        frame, node = self.node(holder)
        table = self._frames[frame].table
        gap = int(node == 0 and self._frames[frame].gap is not None)
        count = table.child_count(node)
        if not count:
            skipped = self._skipped(table, node, 1) if table.gaps else ()
            return Children(frame, node, self.elements.count(frame, node), gap, skipped=skipped)
        first, width = table.first[node], 2 if table.has_pairs(node) else 1
        skipped = self._skipped(table, node, width) if table.gaps else ()
        return Children(frame, node, -(-count // width), gap, first, first + count - 1, width, skipped)

    def _skipped(self, table: NodeTable, node: int, width: int) -> tuple[tuple[int, int], ...]:
        """The gaps among the children of a node: the number of the child behind each, and its own."""
        children = table.children(node)
        return tuple(
            ((bisect_left(table.start, gap.span.end, children.start, children.stop) - children.start) // width, number)
            for number, gap in enumerate(table.gaps)
            if gap.owner == node
        )

    def _has_children(self, frame: int, node: int) -> bool:
        table = self._frames[frame].table
        first = table.first[node]
        if (first and table.parent[first] == node) or (table.gaps and table.gaps_of(node)):
            return True
        start = table.start[node]
        may_have = node == 0 or (start < len(table.buffer) and table.buffer[start] in self._packed)
        return may_have and self.count(self.key(frame, node)) > 0
