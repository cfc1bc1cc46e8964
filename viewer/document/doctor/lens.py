"""Lens: a quick look at what a candidate does near the trouble, so that long values are read whole for few of them.

At any node the rest of a value is so many values more, one after another, however deep they lie: put behind the head
of an array with that count they read the same. Thus a look can begin shortly before the trouble.
"""

from __future__ import annotations

from dataclasses import dataclass

from viewer.buffer import u32
from viewer.diagnostic import Severity
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.ground import Ground, Meter
from viewer.document.doctor.patch import patched
from viewer.variant.dialect import FLAG_64, Kind
from viewer.variant.heads import INT_MAX
from viewer.variant.table import NONE

LONG = 1 << 17
BEFORE, BEHIND, FURTHER = 1 << 13, 1 << 15, 1 << 13
MOST_LEVELS = 1 << 10
HEAD = 8


@dataclass(frozen=True, slots=True)
class Lens:
    """The stretch that is looked at.

    Args:
        ground: what it belongs to.
        low, high: the stretch, in the layer; a node begins at *low*.
        count: how many values are still to come there.
    """

    ground: Ground
    low: int
    high: int
    count: int

    def passes(self, candidate: Candidate, meter: Meter) -> bool:
        """Whether the values read on well behind the trouble, or it cannot be told so."""
        patches = candidate.patches
        if patches and patches[0].at > self.high:
            return False  # the trouble stays
        if not patches or patches[0].at < self.low or patches[-1].at + patches[-1].size > self.high:
            return True
        dialect = self.ground.way.dialect
        moved = tuple(patch.shifted(-self.low) for patch in patches)
        head = dialect.type_number("Array").to_bytes(4, "little") + self.count.to_bytes(4, "little")
        data = head + patched(self.ground.data[self.low : self.high], moved)
        table = meter.scan(data, 0, len(data), dialect)
        errors = [d.span.start for d in table.diagnostics if d.severity is Severity.ERROR]
        reached = min(errors, default=table.end_of_data)
        wanted = self.ground.start + self.ground.trouble - self.low + HEAD + FURTHER
        return reached >= min(wanted, len(data) - 4)


def lens(ground: Ground) -> Lens | None:
    """The lens on a ground, None where its value is short, or lies in an object, whose properties have names."""
    table = ground.table
    if len(ground.payload) < LONG or not table.end_of_data:
        return None
    node = table.at(max(0, min(table.end_of_data - 1, ground.trouble - BEFORE)))
    low, count, at = table.start[node], 1, node
    for _ in range(MOST_LEVELS):
        parent = table.parent[at]
        if parent == NONE:
            high = min(len(ground.data), ground.start + ground.trouble + BEHIND)
            return Lens(ground, ground.start + low, high, count) if count <= INT_MAX else None
        row, first = table.row(parent), table.first[parent]
        if row is None or row.kind is Kind.OBJECT or table.header(parent) & FLAG_64:
            return None
        promised = u32(table.buffer, table.start[first] - 4) & INT_MAX
        count += promised * (2 if row.kind is Kind.DICTIONARY else 1) - (at - first) - 1
        at = parent
    return None
