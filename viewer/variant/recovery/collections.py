"""Broken heads of collections: what follows are its children all the same."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.buffer import u32
from viewer.variant.dialect import Kind
from viewer.variant.recovery.counts import as_it_is, cost
from viewer.variant.recovery.element_types import keeps_types
from viewer.variant.recovery.hopping import text_end
from viewer.variant.recovery.replay import Replay
from viewer.variant.recovery.trail import HEADERS, Trails
from viewer.variant.recovery.trials import Trials
from viewer.variant.recovery.turn import Assume, Turn
from viewer.variant.table import NONE, NodeTable

HEAD_BYTES = 96
"""Bytes behind the beginning of a collection in which its first child is looked for."""
LONGEST_NAME = 128
FAR = 0.1
"""What a byte between a head and the first child weighs in comparison with an odd key."""
OTHER = 10
"""What another type weighs in comparison with such bytes."""
MOST_LEVELS = 8


class Collections:
    """Looks for a collection that is open where a scan ended, or for its root, with another head.

    Args:
        replay: the scan that ended.
        trials: scans with one turn more.
        trails: of the bytes.
    """

    def __init__(self, replay: Replay, trials: Trials, trails: Trails) -> None:
        self.replay = replay
        self.table: NodeTable = replay.table
        self.trials = trials
        self.trails = trails
        self.raw = trails.raw

    def turn(self) -> Turn | None:
        """The head that fits best, None where none does."""
        best: tuple[float, Turn | None] | None = None
        if self.replay.error is None or self.replay.error.span.start == len(self.raw):
            best = as_it_is(self.replay), None
        for found, far in self._candidates():
            done = self.trials.run(found)
            if done is None or done.error is not None or done.stuck != len(self.raw):
                continue
            if not keeps_types(done.table, done.table.at(found.at)):
                continue
            judged = cost(done.table) + FAR * far
            if best is None or judged < best[0]:
                best = judged, found
        return None if best is None else best[1]

    def _candidates(self) -> Iterator[tuple[Assume, int]]:
        for node, outer in self._open():
            at = self.table.start[node]
            usual = at + 8
            for to in range(at + 4, min(at + HEAD_BYTES, len(self.raw) - 3)):
                for header, children in self._children(node, to, outer):
                    other = 0 if header == u32(self.raw, at) else OTHER
                    yield Assume(at, header, children, to), abs(to - usual) + other

    def _open(self) -> Iterator[tuple[int, int]]:
        """The collections in question, and how many values are expected behind each."""
        levels = self.replay.levels[-MOST_LEVELS:] if self.replay.error is not None else []
        last = len(self.table) - 1
        if self.replay.error is not None and last > 0 and self.table.parent[last] != NONE:
            yield last, self.replay.left
        for number, level in enumerate(levels):
            yield level.node, sum(outer.waits for outer in levels[number + 1 :])
        if not levels and len(self.table):
            yield 0, 0

    def _children(self, node: int, to: int, outer: int) -> Iterator[tuple[int, int]]:
        """Headers and numbers of children with which everything from *to* on fits."""
        dialect, raw = self.table.dialect, self.raw
        own = u32(raw, self.table.start[node])
        row = dialect.row(own)
        if HEADERS.match(raw, to):
            trail = self.trails.children(to)
            children = trail.values - outer if trail is not None and trail.heads > 1 else 0
            if children > 0:
                for name in ("Dictionary", "Array"):
                    kept = row is not None and row.name == name
                    if name == "Array" or children % 2 == 0:
                        yield own if kept else dialect.type_number(name), children
        names, end = self._properties(to)
        if names and "Object" in dialect.by_name and dialect.row(dialect.type_number("Object")) is not None:
            header = dialect.type_number("Object")
            rest = self.trails.follow(end)
            if rest.end == len(raw) and rest.values == outer:
                yield header, 2 * names

    def _properties(self, at: int) -> tuple[int, int]:
        """How many properties stand one behind another, and where they end."""
        row = self.table.dialect.by_name.get("Object")
        if row is None or row.kind is not Kind.OBJECT:
            return 0, at
        count, raw = 0, self.raw
        while at + 8 <= len(raw) and 0 < u32(raw, at) <= LONGEST_NAME:
            value = text_end(raw, at, False, False)
            end = self._value_end(value) if value else 0
            if not end:
                break
            at, count = end, count + 1
        return count, at

    def _value_end(self, at: int) -> int:
        """Where the value at *at* ends with all that it holds; 0 where it cannot be read."""
        inside, size = 1, len(self.raw)
        while inside and at < size:
            end, values, _ = self.trails.hop(at, at + 1)
            if end == at:
                head = self.trails.head(at)
                if head is None:
                    return 0
                end, values = head[0], 1 - head[1]
            inside -= values
            at = end
        return 0 if inside else at
