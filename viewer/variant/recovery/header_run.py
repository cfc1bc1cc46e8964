"""Trails: the heads from an offset on, one behind another, and how far they lead."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from functools import cache
from typing import TypeVar, assert_never

from viewer.base.buffer import Bytes, u32
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.header import HeaderBroken, HeaderParser
from viewer.variant.recovery import hopping
from viewer.variant.scan import scan

STRIDE = 1 << 9
"""Bytes between two places of a trail that are remembered: trails that meet go on together from there."""
LOOK = 64
"""What one look at a head costs beside its bytes, in bytes that could be hopped over meanwhile."""
MOST_ODD = 128
"""A trail ends before so many odd heads in a row: zeros at odd places pass for them, and nobody would believe it."""
CHECKED = 8
"""So many bytes of an odd head, mostly one long text, are checked while one is hopped over."""
SEARCHES = 5
"""So many whole budgets all searches in the same bytes have together: only bytes made to be slow reach that."""
SHARE = 3
"""One search has one part in so many of what all have left, so that what follows the next error is found too."""
LEAST = 1 << 22
"""The budget of bytes that are few."""
EVERY = 1 << 21
"""So much of the budget is spent between two questions whether to go on."""
HEADERS = late_pattern(rb"(?=[\0-\x3f]\0[\0-\x0f]\0)", re.DOTALL)
"""Where a header may stand: a type number below 64, few flags."""

UNUSUAL = 0

Answer = TypeVar("Answer")


class Exhausted(Exception):
    """So much was looked at that more would take too long."""


@dataclass(frozen=True, slots=True)
class HeaderRun:
    """What follows from an offset on.

    Args:
        end: where it ends: the end of the data, or the first head that cannot be followed.
        values: how many values are on the way, less those that its heads still promise.
        heads: how many heads.
        odd: how many of them an engine would not write.
        run: how many odd ones come first.
    """

    end: int
    values: int = 0
    heads: int = 0
    odd: int = 0
    run: int = 0


class Trails:
    """Finds trails in the bytes of one frame.

    Args:
        raw: all of them.
        dialect: how to read them.
        budget: so many bytes one search looks at; by default some times as many as there are.
        progress: told now and then where the search began; returning False ends it as if the budget were spent.
        work: told what each look costs; what it raises ends all.
    """

    def __init__(
        self,
        raw: Bytes,
        dialect: Dialect,
        budget: int | None = None,
        progress: Callable[[int], bool] | None = None,
        work: Callable[[int], None] | None = None,
    ) -> None:
        self.raw = raw
        self.size = len(raw)
        self.dialect = dialect
        self.budget = 2 * len(raw) + LEAST if budget is None else budget
        self._left = SEARCHES * self.budget
        self._share = self.budget
        self._ask = max(0, self.budget - EVERY)
        self._progress = progress
        self._work = work
        self._begun = 0
        self._steps, self._sizes = plan(dialect)
        self._filled = dialect.rules.unwritten_padding != "all"
        self._known: dict[int, HeaderRun] = {len(raw): HeaderRun(len(raw))}
        self._tally = array("q", (0, 0))

    def follow(self, at: int) -> HeaderRun:
        """The trail from *at* on.

        Raises:
            Exhausted: more was looked at than the budget allows.
        """
        if self._work is not None:
            self._work(LOOK)
        known = self._known.get(at)
        if known is not None:
            return known
        way: list[tuple[int, int, int, int]] = []
        in_a_row = 0
        while at not in self._known:
            begin = at
            at, values, heads = self.hop(at, (at // STRIDE + 1) * STRIDE)
            if at > begin:
                way.append((begin, values, heads, 0))
                in_a_row = 0
            if at in self._known or at // STRIDE > begin // STRIDE:
                continue
            if in_a_row >= 2 * MOST_ODD:  # of the last ones it is not known yet what follows them
                at = way[-MOST_ODD][0]
                del way[-MOST_ODD:]
                self._known[at] = HeaderRun(at, run=MOST_ODD)
                break
            found = self.head(at)
            if found is None:
                self._known[at] = HeaderRun(at)
                break
            end, children, proper = found
            in_a_row = 0 if proper else in_a_row + 1
            way.append((at, 1 - children, 1, int(not proper)))
            at = end
        trail = self._known[at]
        for begin, values, heads, odd in reversed(way):
            run = trail.run + 1 if odd else 0
            whole = HeaderRun(trail.end, trail.values + values, trail.heads + heads, trail.odd + odd, run)
            trail = self._known[begin] = whole if run < MOST_ODD else HeaderRun(begin, run=MOST_ODD)
        return trail

    def whole(self, at: int) -> HeaderRun | None:
        """The trail from *at* on, if it leads to the end, and over heads of which an engine would write nearly all.

        Raises:
            Exhausted: more was looked at than the budget allows.
        """
        trail = self.follow(at)
        return trail if trail.end == self.size and 8 * trail.odd <= trail.heads else None

    def children(self, at: int) -> HeaderRun | None:
        """The same, if a collection that nothing else tells of can be made of it: of Nils alone, it cannot.

        Any zeros would pass for Nils.

        Raises:
            Exhausted: more was looked at than the budget allows.
        """
        trail = self.whole(at)
        return trail if trail is not None and 4 * trail.heads < self.size - at else None

    def hop(self, at: int, goal: int) -> tuple[int, int, int]:
        """Hop over heads that an engine would write, as far as *goal*: the offset behind them, values, and heads.

        Raises:
            Exhausted: more was looked at than the budget allows.
        """
        self._tally[0] = self._tally[1] = 0
        end = hopping.hop(self.raw, at, min(goal, self.size), self._steps, self._sizes, self._filled, self._tally)
        self._spend(end - at + LOOK)
        return end, self._tally[0], self._tally[1]

    def head(self, at: int) -> tuple[int, int, bool] | None:
        """Read a head that is unusual or odd: its end, the children that it promises, and whether it is no odd one.

        An object comes with all its properties. None where it cannot be read.
        """
        self._spend(8 * LOOK)
        if at + 4 > self.size:
            return None
        header = u32(self.raw, at)
        row = self.dialect.row(header)
        if row is None:
            return None
        size = self.dialect.fixed_size(header)
        if size is not None:
            if at + size > self.size:
                return None
            self._spend(size // CHECKED)
            return at + size, 0, False
        if row.kind is Kind.OBJECT:
            return self._object(at)
        heads = HeaderParser(self.raw, self.dialect)
        try:
            head = heads.read(0, at)
        except HeaderBroken:
            return None
        if head.children > (self.size - head.end) // 4:
            return None
        self._spend((head.end - at) // CHECKED)
        return head.end, head.children, not heads.found and self._is_proper(row, header)

    def _object(self, at: int) -> tuple[int, int, bool] | None:
        for size in (8 * STRIDE, 128 * STRIDE, self.size - at):
            table = scan(memoryview(self.raw)[at : at + size], self.dialect)
            self._spend(table.end_of_data + 4 * LOOK * table.checked)
            if not any(found.severity == 2 for found in table.diagnostics):
                return at + table.end_of_data, 0, True
        return None

    def _is_proper(self, row: TypeRow, header: int) -> bool:
        """Whether a head that was read is one of the kinds that are never hopped over, with no flags but known ones."""
        rules, flags = self.dialect.rules, header >> 16
        if header & 0xFFFF != row.number:
            return False
        match row.kind:
            case Kind.ARRAY:
                return rules.typed_arrays and 0 < flags <= 3
            case Kind.DICTIONARY:
                return rules.typed_dictionaries and 0 < flags <= 15
            case Kind.TYPED_ARRAY | Kind.SIGNAL | Kind.IMAGE | Kind.INPUT_EVENT:
                return flags <= 1
            case (
                Kind.FIXED
                | Kind.STRING
                | Kind.NODE_PATH
                | Kind.INDEXED_PATH
                | Kind.OBJECT
                | Kind.RESOURCE
                | Kind.NULL_OBJECT
                | Kind.REFERENCE
                | Kind.PACKED
                | Kind.PACKED_STRINGS
            ):
                return False
            case _:
                assert_never(row.kind)

    def begin(self, at: int) -> None:
        """Begin the search behind what was read up to *at*: it has a share of what all searches have left."""
        self._begun, self._share = at, self._left // SHARE

    def ask(self, question: Callable[[], Answer]) -> Answer | None:
        """The answer to one question of a search, None where more than half of the search's share would go into it."""
        before = self._left
        self.budget = self._share // 2
        self._ask = max(0, self.budget - EVERY)
        try:
            return question()
        except Exhausted:
            return None
        finally:
            self._share -= before - self._left

    def charge(self, cost: int) -> None:
        """Count work that is done elsewhere for a search, in bytes that could be hopped over meanwhile.

        Raises:
            Exhausted: it was too much, or the search shall end.
        """
        self._spend(cost)

    def _spend(self, cost: int) -> None:
        self.budget -= cost
        self._left -= cost
        if self._work is not None:
            self._work(cost)
        if self.budget < self._ask:
            self._pause()

    def _pause(self) -> None:
        """Ask whether to go on, and see what is left."""
        self._ask = max(0, self.budget - EVERY)
        if self._left >= 0 and self._progress is not None and not self._progress(self._begun):
            self._left = -1
        if self.budget < 0 or self._left < 0:
            raise Exhausted


# Plans


@cache
def plan(dialect: Dialect) -> tuple[array[int], array[int]]:
    """For each header word below 256, then for each under the 64-bit flag: its step, and the size of an element.

    A step is the number of words of the value where that never varies, else one of the layouts. Headers that no engine
    writes have none.
    """
    steps, sizes = array("i", bytes(4 * 512)), array("i", bytes(4 * 512))
    for row in dialect.rows:
        steps[row.number], sizes[row.number] = _step(row, row.narrow_size), row.narrow_size
        if row.has_wide:
            steps[row.number + 256], sizes[row.number + 256] = _step(row, row.wide_size), row.wide_size
        elif row.kind is Kind.OBJECT and dialect.rules.flag64:
            steps[row.number + 256] = 3
    return steps, sizes


def _step(row: TypeRow, size: int) -> int:
    if row.kind in (Kind.FIXED, Kind.NULL_OBJECT):
        if row.narrow and row.narrow[0].type == "bool" and len(row.narrow) == 1:
            return hopping.OF_BOOL
        return UNUSUAL if size % 4 else 1 + size // 4 if size else hopping.OF_NOTHING
    return hopping.CODES.get(row.kind, UNUSUAL)
