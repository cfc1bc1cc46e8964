"""Nesting search: what lies in what, where that is not told: nulls were left out, or counts say nothing.

The heads of such bytes follow one another as those of an engine do. What is open is which of them belong together; the
likeliest way is found first: keys are texts, and none stands twice in a dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import heappop, heappush

from viewer.base.buffer import u32
from viewer.base.record import dataclass, replace
from viewer.document.doctor.candidate import Patch
from viewer.document.doctor.repair_context import Raw
from viewer.document.doctor.replay_cursor import U32, Replayed, RuleCounts
from viewer.document.doctor.wire_format import ENGINE, SAY_NOTHING, WireFormat
from viewer.variant.dialect import Dialect, Kind
from viewer.variant.header import INT_MAX
from viewer.variant.recovery.header_run import Exhausted, Trails

MOST_HEADS, MOST_STATES = 1 << 13, 1 << 13
MOST_NULLS = 64
MOST_VISITS = 2
"""So many ways to come to the same place in the same collections are gone on from."""
UNUSUAL_KEY, NUMBER_KEY, ODD_KEY, CLOSED_EARLY, NULL_ELEMENT, REPEATED = 0.5, 4.0, 12.0, 1.0, 3.0, 16.0
"""What makes a way less likely: a key that is no name, that is a number, or anything else but a text; a dictionary that
ends before a text that may be its next key; a null that is an element of an array; a key that its dictionary has."""
USUAL_KEY = re.compile(rb"[a-z][a-z0-9_]*\0*")
OWN = ("null", "array_count", "pair_count", "count_means", "array_means", "pair_means")
OPEN = -1
"""How many are to come in a collection of which nothing tells that."""


@dataclass(frozen=True, slots=True)
class _Head:
    """The head of a value: where it lies, and of what.

    Args:
        start, end: where.
        kind: what.
        children: how many values it says to hold, or :data:`OPEN`.
        is_number: whether it is an int.
    """

    start: int
    end: int
    kind: Kind
    children: int
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class _Level:
    """A collection that is being read.

    Args:
        outer: the one that it lies in.
        head: which head it has.
        left: how many values are to come, or :data:`OPEN`.
        done: how many were read.
        keys: the keys of an open one.
        shape: what tells it, and those around it, from others at the same place.
    """

    outer: _Level | None
    head: int
    left: int
    done: int
    keys: frozenset[bytes]
    shape: tuple[object, ...]

    def after(self, key: bytes = b"") -> _Level:
        """The same behind one more value."""
        is_open = self.left == OPEN
        keys = self.keys | {key} if is_open and key else self.keys
        return _level(self.outer, self.head, OPEN if is_open else self.left - 1, self.done + 1, keys)


def _level(outer: _Level | None, head: int, left: int, done: int = 0, keys: frozenset[bytes] = frozenset()) -> _Level:
    shape = outer.shape if outer is not None else (), head, left if left != OPEN else OPEN - done % 2
    return _Level(outer, head, left, done, keys, shape)


@dataclass(frozen=True, slots=True)
class _Change:
    """A patch, and those before it."""

    patch: Patch
    noun: str
    before: _Change | None


class NestingSearch:
    """Finds what lies in what.

    Args:
        data: the bytes of one value.
        dialect: the engine line that it was written for.
        wire: how it was written; see :meth:`suits`.

    Attributes:
        work: steps that were done.
        has_heads: whether the heads lead to the end, once solutions were asked for.
    """

    def __init__(self, data: Raw, dialect: Dialect, wire: WireFormat) -> None:
        self.data, self.size = data[:], len(data)
        self.dialect, self.wire = dialect, wire
        self.work = 0
        self.has_heads = False
        self._counts = {
            Kind.ARRAY: (wire.array_count, wire.array_means or wire.count_means),
            Kind.DICTIONARY: (wire.pair_count, wire.pair_means or wire.count_means),
        }
        self._heads: list[_Head] = []

    @staticmethod
    def suits(wire: WireFormat) -> bool:
        """Whether a format leaves nothing open but what lies in what."""
        if wire == ENGINE or replace(ENGINE, **{name: getattr(wire, name) for name in OWN}) != wire:
            return False
        means = {wire.count_means, wire.array_means, wire.pair_means}
        counts = {wire.array_count, wire.pair_count}
        return counts <= {"u32", "none"} and means <= {"elements", "", *SAY_NOTHING} and wire.null != "word"

    def solutions(self) -> Iterator[Replayed]:
        """The ways to read all of it, the likeliest first."""
        self.has_heads = self._read_heads()
        if not self.has_heads or not 0 <= self._lacking <= MOST_NULLS:
            return
        order = 0
        heap: list[tuple[float, int, int, _Level | None, _Change | None]] = [(0.0, 0, 0, _level(None, -1, 1), None)]
        visits: dict[tuple[object, ...], int] = {}
        while heap and self.work < MOST_STATES:
            cost, _, index, level, change = heappop(heap)
            self.work += 1
            if level is None:
                if index == len(self._heads):
                    yield self._replayed(change)
                continue
            place = index, level.shape
            visits[place] = visits.get(place, 0) + 1
            if visits[place] > MOST_VISITS:
                continue
            for more, then, inner, changed in self._steps(index, level, change):
                order -= 1  # of ways that are as likely the one that came furthest
                heappush(heap, (cost + more, order, then, *self._closed(inner, changed)))

    # Heads

    def _read_heads(self) -> bool:
        """Read all heads, one behind another; whether they lead to the end."""
        trails, at = Trails(self.data, self.dialect), 0
        while at < self.size and len(self._heads) < MOST_HEADS:
            self.work += 1
            head = self._head(trails, at)
            if head is None:
                return False
            self._heads.append(head)
            at = head.end
        return at == self.size and self._are_constant()

    def _head(self, trails: Trails, at: int) -> _Head | None:
        header = u32(self.data, at) if at + 4 <= self.size else -1
        row = self.dialect.row(header) if header >= 0 else None
        if row is None:
            return None
        if header != row.number or row.kind not in self._counts:
            try:
                found = trails.head(at)
            except Exhausted:
                return None
            return None if found is None else _Head(at, found[0], row.kind, found[1], row.name == "int")
        count, means = self._counts[row.kind]
        end = at + (4 if count == "none" else 8)
        if end > self.size:
            return None
        told = u32(self.data, at + 4) & INT_MAX if count != "none" else 0
        is_open = count == "none" or means in SAY_NOTHING
        return _Head(at, end, row.kind, OPEN if is_open else told * (2 if row.kind is Kind.DICTIONARY else 1))

    def _are_constant(self) -> bool:
        """Whether counts that say nothing are the same everywhere, if they should."""
        for kind, (_, means) in self._counts.items():
            some = {u32(self.data, head.start + 4) for head in self._heads if head.kind is kind}
            if means == "nothing" and len(some) > 1:
                return False
        return True

    @property
    def _lacking(self) -> int:
        """How many values there are less than the heads say; every null that was left out is one."""
        if any(head.children == OPEN for head in self._heads):
            return 0
        return 1 + sum(head.children for head in self._heads) - len(self._heads)

    # Ways

    def _steps(
        self, index: int, level: _Level, change: _Change | None
    ) -> Iterator[tuple[float, int, _Level, _Change | None]]:
        """What may stand next: what that costs, the next head, the collection that is read then, and what is changed.

        Args:
            index: the head that stands next.
            level: the collection that is being read.
            change: what was changed until there.
        """
        head = self._heads[index] if index < len(self._heads) else None
        is_pairs = level.head >= 0 and self._heads[level.head].kind is Kind.DICTIONARY
        is_key = is_pairs and not level.done % 2
        if level.left == OPEN and (is_key or not is_pairs):
            may_go_on = head is not None and (not is_pairs or head.kind is Kind.STRING)
            yield CLOSED_EARLY * may_go_on, index, replace(level, left=0), change
        if head is not None:
            raw = self.data[head.start : head.end] if is_key else b""
            cost = self._cost_of_key(head, raw in level.keys) if is_key else 0.0
            if cost < ODD_KEY or level.left != OPEN:
                after = level.after(raw)
                yield cost, index + 1, after if not head.children else _level(after, index, head.children), change
        if self.wire.null == "absent" and not is_key:
            at = head.start if head is not None else self.size
            absent = _Change(Patch(at, 0, bytes(4)), "null", change)
            yield 0.0 if is_pairs else NULL_ELEMENT, index, level.after(), absent

    def _cost_of_key(self, head: _Head, is_repeated: bool) -> float:
        own = NUMBER_KEY if head.is_number else ODD_KEY
        if head.kind is Kind.STRING:
            own = 0.0 if USUAL_KEY.fullmatch(self.data, head.start + 8, head.end) else UNUSUAL_KEY
        return own + REPEATED * is_repeated

    def _closed(self, level: _Level | None, change: _Change | None) -> tuple[_Level | None, _Change | None]:
        """The innermost collection that is not read to its end, and the counts of those that are."""
        while level is not None and level.left == 0:
            head = self._heads[level.head] if level.head >= 0 else None
            if head is not None and head.children == OPEN:
                pairs = head.kind is Kind.DICTIONARY
                noun = "count of a Dictionary" if pairs else "count of a Array"
                new = U32.pack(level.done // (2 if pairs else 1))
                change = _Change(Patch(head.start + 4, head.end - head.start - 4, new), noun, change)
            level = level.outer
        return level, change

    def _replayed(self, change: _Change | None) -> Replayed:
        patches: list[Patch] = []
        sites: dict[str, RuleCounts] = {
            "null": RuleCounts(sum(head.kind is Kind.FIXED and head.end - head.start == 4 for head in self._heads))
        }
        while change is not None:
            patch = change.patch
            site = sites.setdefault(change.noun, RuleCounts())
            site.seen += 1
            if self.data[patch.at : patch.at + patch.size] != patch.new:
                patches.append(patch)
                site.changed += 1
                site.first = patch.at
            change = change.before
        return Replayed(tuple(sorted(patches)), sites)
