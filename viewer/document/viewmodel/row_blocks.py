"""Blocks: what stands under one holder, and how a holder's number is made.

A holder is one integer of 63 bits, so that a million rows cost nothing: the number of a node in the whole document
(plus one; 0 for the top) above 3 bits for a level and 25 bits for a page of it. Level 0 is the node itself, level 1 its
pages of a thousand children, level 2 pages of a thousand such pages, and so on.
"""

from __future__ import annotations

from bisect import bisect_left

from viewer.base.record import dataclass

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
