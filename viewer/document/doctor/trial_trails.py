"""Trial trails: whether heads lead on to the end behind a change, which is known without a look at all bytes again.

The bytes behind a change are what they were. The heads that follow each other from an offset in them on are looked for
once for all that is tried at one place; what is left of a trial are the heads from the value before the change up to
where they meet those. Where heads do not lead to the end, no value ends there.
"""

from __future__ import annotations

from bisect import bisect_right

from viewer.container.frames import FramingKind
from viewer.document.doctor.candidate import Patches, growth
from viewer.document.doctor.repair_context import HEAD, NODE, PACE, SCAN, RepairContext
from viewer.variant.dialect import NAMED
from viewer.variant.recovery.header_run import MOST_ODD, Exhausted, Trails

LONGEST = 1 << 17
"""Through longer values heads are not followed for what is tried on all bytes."""
MOST_ENDS = 8
"""So many ends of the value are looked at: what changes its length leads to others."""
UNBOUND = 1 << 60
"""What is looked at after each change is counted by who tries it."""
MOST_PIECES = 1 << 11
"""In more bytes of values one after another not all of these are read, so that they need not lead to the end."""


class TrialTrails:
    """The heads of the value at one place.

    Args:
        ground: the place.

    Attributes:
        work: what it would cost to read the value once more, in bytes that a compiled scanner reads.
    """

    def __init__(self, ground: RepairContext) -> None:
        self._ground = ground
        self._trails: dict[int, Trails] = {}
        self._after = Trails(b"", ground.way.dialect, UNBOUND)
        self._begins: list[int] | None = None
        self._has_names: bool | None = None
        table, size = ground.table, len(ground.payload)
        self.work = PACE * (table.end_of_data + NODE * table.promised) + HEAD * table.checked + (size >> 6) + SCAN

    def is_barred(self, data: bytes, patches: Patches, base: int, size: int) -> bool:
        """Whether reading cannot come to the end of the value after a change; it may not either where this is False.

        Args:
            data: the bytes from *base* on after the change.
            patches: the change.
            base: where in the bytes as they are those begin.
            size: how many bytes the value has then.
        """
        ground = self._ground
        own = patches if patches[0].at >= ground.start else patches[1:]
        if patches[0].at < ground.at or not own or own[0].at < ground.start:
            return False
        grown = growth(own)
        end = ground.start + size - grown
        if own[-1].at + own[-1].size > end:
            return False
        trails = self._behind(end)
        if trails is None:
            return False
        start, after = ground.start - base, self._after
        after.raw, after.size = data[start : start + size], size
        at = _met(after, self._begin(own[0].at - ground.start), size - (end - own[-1].at - own[-1].size))
        if at < 0:
            return True
        try:
            trail = trails.follow(at - grown)
            return trail.end != trails.size and trails.follow(trail.end).run < MOST_ODD
        except Exhausted:
            return False

    def _begin(self, at: int) -> int:
        """Where the last value begins of those that begin no later than *at*, in the payload."""
        begins = self._begins
        if begins is None:
            table = self._ground.table
            begins = self._begins = sorted(table.start[node] for node in table.nodes)
        found = bisect_right(begins, at)
        return begins[found - 1] if found else 0

    def _behind(self, end: int) -> Trails | None:
        """The heads in the bytes as they are up to *end*; None where they are not followed."""
        found = self._trails.get(end)
        if found is None:
            if len(self._trails) >= MOST_ENDS or not self._may_follow(end):
                return None
            ground = self._ground
            found = self._trails[end] = Trails(ground.data[ground.start : end], ground.way.dialect)
        return found

    def _may_follow(self, end: int) -> bool:
        """Whether all that is read up to *end* are values with heads, and all of them are read."""
        ground, table = self._ground, self._ground.table
        most = MOST_PIECES if ground.way.framing.kind is FramingKind.CONCATENATED else LONGEST
        if not 0 < end - ground.start < most or end > len(ground.data) or ground.way.dialect.rules.closed_texts:
            return False
        if self._has_names is None:
            rows = (table.row(node) for node in table.nodes)
            self._has_names = any(row is not None and row.kind in NAMED for row in rows)
        return not self._has_names


def _met(trails: Trails, at: int, goal: int) -> int:
    """Where the first head begins at *goal* or behind it, of those from *at* on; -1 where one cannot be read."""
    while at < goal:
        at, _, _ = trails.hop(at, goal)
        if at < goal:
            found = trails.head(at)
            if found is None:
                return -1
            at = found[0]
    return at
