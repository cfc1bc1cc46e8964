"""Break points: where a scan ended, and what can be said of the bytes around without guessing yet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.buffer import Bytes, u32
from viewer.base.diagnostic import Code
from viewer.variant.recovery.header_run import HEADERS, Trails
from viewer.variant.recovery.hopping import text_end
from viewer.variant.recovery.replay import RecoveryReplay
from viewer.variant.table import NodeTable

BACK = 12
"""So many heads in front of the end are looked at as the place of the damage."""
NEAR = 1 << 12
"""Bytes behind a place in which every offset is tried."""
MOST_LOOKS = 1 << 14
"""Offsets that are tried at most behind one place."""
FEW_BYTES = 24
"""Bytes that are too few to be believed."""


class BreakPoint:
    """Where a scan ended.

    Args:
        raw: the frame's bytes.
        trails: of these bytes.
        replay: the scan that ended, with its table.
        since: where the last turn before went on.
    """

    def __init__(self, raw: Bytes, trails: Trails, replay: RecoveryReplay, since: int) -> None:
        self.raw = raw
        self.trails = trails
        self.replay = replay
        self.table: NodeTable = replay.table
        self.since = since
        self.at = replay.stuck
        error = replay.error
        self.missing = error is not None and error.code is Code.CHILD_MISSING
        """Whether values are missing where all that are there are whole."""
        self.broken = error is not None and not self.missing
        """Whether a broken value stands at :attr:`at`."""
        self.left = replay.left + (1 if self.broken else 0)
        """Values that are expected from :attr:`at` on."""

    def heads_before(self) -> Iterator[tuple[int, int]]:
        """The heads in front of the end, the last one first, and how many values are expected from each on."""
        at, left = self.at, self.left
        for _ in range(BACK):
            if at <= max(self.since, 4) or not len(self.table):
                return
            node = self.table.at(min(at, self.table.end_of_data) - 1)
            begin = self.table.start[node]
            if begin >= at or self.table.gap_at(begin) is not None:
                return
            children = self.table.child_count(node) if self.table.head_end(node) == at else 0
            at, left = begin, left + 1 - children
            yield at, left

    def head_before(self, at: int) -> int:
        """Where the head in front of *at* begins, 0 where it is the root's."""
        if at <= 0 or not len(self.table):
            return 0
        return self.table.start[self.table.at(min(at, self.table.end_of_data) - 1)]

    def offsets(self, begin: int, end: int, most: int = MOST_LOOKS) -> Iterator[int]:
        """Offsets at which a header may stand, *most* of them."""
        found = HEADERS.finditer(self.raw, begin, min(end + 4, len(self.raw)))
        return islice((match.start() for match in found), most)

    def is_text(self, at: int, to: int) -> bool:
        """Whether the bytes behind a header at *at* are a text that ends at *to*."""
        return text_end(self.raw, at + 4, False, False) == to

    def types(self, at: int, most: int) -> tuple[list[str], list[int]]:
        """The types and starts of the values from *at* on, those inside others left out."""
        types: list[str] = []
        starts: list[int] = []
        inside = 0
        while len(types) < most and at + 4 <= len(self.raw):
            row = self.table.dialect.row(u32(self.raw, at))
            end, values, _ = self.trails.hop(at, at + 1)
            if end == at:
                head = self.trails.head(at)
                if head is None:
                    break
                end, values = head[0], 1 - head[1]
            if inside:
                inside -= 1
            else:
                types.append(row.name if row is not None else "")
                starts.append(at)
            inside += 1 - values
            at = end
        return types, starts
