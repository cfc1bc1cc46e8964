"""Hypotheses about a collection: its count, and children that are missing or too many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from viewer.base.buffer import u32
from viewer.base.diagnostic import count_bytes
from viewer.document.doctor.candidate import Candidate, patched, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import Node, RepairContext, WorkBudget, is_readable, nodes
from viewer.document.doctor.trying import deletion, insertion
from viewer.variant.dialect import COLLECTIONS, PACKED, SHARED, Kind
from viewer.variant.header import INT_MAX
from viewer.variant.table import NONE, NodeTable

STEPS = (-1, 1, -2, 2, -3, 3)
FAR = tuple(by for k in range(4, 17) for by in (-k, k))
MOST_FAR = 12
MOST_CHILDREN, MOST_EQUAL = 96, 24
MOST_COMPARED = 1 << 13
MOST_LEFT = 64
MOST_LEVELS = 1 << 12
FAR_OFF = 0.02
"""How much less likely a count is that is off by many, less still by more than the last of those."""
BY_HAND, MOST_BY_HAND, MOST_BYTES_BY_HAND, LENGTH_TOO = (-1, 1, -2, 2), 12, 1 << 12, 0.3
"""So many children were cut out or put in by hand, in one of so many collections, and so many bytes at most; and how
likely it is that the length before the value was left as it was, too."""
EMPTY = 0.3
"""How much less likely it is that an empty collection has children."""


def count_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """Counts that may be wrong, and children that may be too many or too few."""
    found = nodes(ground)
    needed = _lacking(ground.table) or -_left_over(ground, meter)
    for index, node in enumerate(found):
        if node.header >= 0 and node.row.kind in (*COLLECTIONS, *PACKED):
            yield from list(_at(ground, node, needed, index < MOST_FAR))  # those who try them need the table's memory
            if index < MOST_BY_HAND:
                yield from list(_counted_and_measured(ground, node, meter))


def _at(ground: RepairContext, node: Node, needed: int, near: bool) -> Iterator[Candidate]:
    yield from _counts(ground, node, needed, near)
    if node.row.kind in COLLECTIONS:
        yield from _twice(ground, node)
    if node.row.kind is Kind.DICTIONARY:
        yield from _without_value(ground, node)


def _count_word(ground: RepairContext, node: Node) -> int:
    """Where the count stands, from the start of the payload: last in a collection's head."""
    if node.row.kind in COLLECTIONS:
        return node.end - 4
    return node.start + 4


def _counts(ground: RepairContext, node: Node, needed: int, near: bool) -> Iterator[Candidate]:
    at = _count_word(ground, node)
    if at < node.start + 4 or at + 4 > len(ground.payload):
        return
    stored = u32(ground.payload, at)
    told = stored & INT_MAX if node.row.kind in COLLECTIONS else stored
    unit = 2 if node.row.kind is Kind.DICTIONARY else 1
    steps = [*STEPS, *(FAR if near else ())]
    if needed and needed % unit == 0:
        steps.append(-needed // unit)
    if node.row.kind is Kind.PACKED:
        steps += [by for by in FAR if by not in steps]
        size = node.row.fields(node.header)[0].size
        steps.append((len(ground.payload) - at - 4) // max(1, size) - told)
    present = _present(ground.table, node)
    if present is not None:
        steps.append(present // unit - told)
    for by in dict.fromkeys(steps):
        if 0 <= told + by <= INT_MAX and by:
            yield _counted(ground, node, at, stored, told, by)


def _counted_and_measured(ground: RepairContext, node: Node, meter: WorkBudget) -> Iterator[Candidate]:
    """A count that is wrong together with the length before the value: a child was cut out, or put in, by hand."""
    at = node.end - 4
    if not ground.has_prefix or node.row.kind not in COLLECTIONS or not node.start < at <= len(ground.payload) - 4:
        return
    stored = u32(ground.payload, at)
    big, rest = ground.way.framing.big_endian, ground.data[ground.start :]
    for by in BY_HAND:
        if stored & INT_MAX < -by:
            continue
        counted = _counted(ground, node, at, stored, stored & INT_MAX, by)
        patch = counted.patches[0]
        new = patched(rest, (patch.shifted(-ground.start),))
        meter.count(len(new))
        table = meter.scan(new, 0, len(new), ground.way.dialect)
        size = table.end_of_data
        if not is_readable(table) or not 0 < abs(size - ground.stored) <= MOST_BYTES_BY_HAND:
            continue
        said = "more" if ground.stored > size else "fewer"
        length = f"The length before it says {count_bytes(abs(ground.stored - size))} {said}, too"
        fact = f"{counted.fact} {length}, as it does if both were counted first."
        patches = (word(ground.at, size, big), patch)
        yield Candidate(counted.cause, patches, fact, counted.weight * LENGTH_TOO, framed=True)


def _present(table: NodeTable, node: Node) -> int | None:
    """How many children were read of a collection that has too few."""
    return table.child_count(node.id) if node.row.kind in COLLECTIONS else None


def _counted(ground: RepairContext, node: Node, at: int, stored: int, told: int, by: int) -> Candidate:
    cause = Cause.COUNT_TOO_SMALL if by > 0 else Cause.COUNT_TOO_LARGE
    shared = stored & SHARED if node.row.kind in COLLECTIONS else 0
    unit = "pair" if node.row.kind is Kind.DICTIONARY else "element"
    unit = unit if told + by == 1 else f"{unit}s"
    fact = f"This {node.row.name} holds {told + by} {unit}, not {told}."
    weight = 0.5 ** (abs(by) - 1) if abs(by) <= 4 else FAR_OFF * min(1.0, FAR[-1] / abs(by))
    weight *= EMPTY if not told else 1.0
    return Candidate(cause, (word(ground.start + at, told + by | shared),), fact, weight)


def _lacking(table: NodeTable) -> int:
    """How many values are missing in all at the end of the bytes, 0 where it is not that."""
    if not len(table) or table.end_of_data < len(table.buffer) or not table.end_of_data:
        return 0
    node, lacking, levels = table.at(table.end_of_data - 1), 0, 0
    while node != NONE and levels < MOST_LEVELS:
        levels += 1
        row = table.row(node)
        if row is not None and row.kind in COLLECTIONS and table.child_count(node):
            first = table.first[node]
            promised = u32(table.buffer, table.start[first] - 4) & INT_MAX
            lacking += promised * (2 if row.kind is Kind.DICTIONARY else 1) - table.child_count(node)
        node = table.parent[node]
    return max(0, lacking)


def _left_over(ground: RepairContext, meter: WorkBudget) -> int:
    """How many values lie behind the value, 0 where it is not that."""
    if not ground.sound:
        return 0
    payload, at, count = ground.view, ground.trouble, 0
    while at < len(payload) and count < MOST_LEFT:
        size = meter.size(payload, at, len(payload), ground.way.dialect)
        if size < 0:
            return 0
        at += size
        count += 1
    return count if at == len(payload) else 0


def _children(ground: RepairContext, node: Node) -> list[tuple[int, int]]:
    """Start and end of each child, or of each whole pair, in the payload."""
    table = ground.table
    unit = 2 if node.row.kind is Kind.DICTIONARY else 1
    some = table.children(node.id)
    some = some[max(0, len(some) - MOST_COMPARED) & ~1 :]
    ids = [child for child in some if table.parent[child] != NONE]
    groups = [ids[k : k + unit] for k in range(0, len(ids) - unit + 1, unit)]
    return [(table.start[group[0]], table.end(group[-1])) for group in groups]


def _twice(ground: RepairContext, node: Node) -> Iterator[Candidate]:
    """A child that equals the one before it."""
    payload = ground.payload
    spans = _children(ground, node)
    pairs = [pair for pair in pairwise(spans) if payload[slice(*pair[0])] == payload[slice(*pair[1])]]
    for _, (again, stop) in pairs[-MOST_EQUAL:]:
        fact = f"The {stop - again} bytes from 0x{ground.start + again:X} on repeat those before them."
        yield Candidate(Cause.CHILD_DUPLICATED, (deletion(ground.start + again, stop - again),), fact)
    if spans:
        start, end = spans[-1]
        if payload[start:end] == payload[end : 2 * end - start]:
            fact = f"The {end - start} bytes before 0x{ground.start + end:X} occur twice."
            yield Candidate(Cause.CHILD_DUPLICATED, (deletion(ground.start + end, end - start),), fact)


def _without_value(ground: RepairContext, node: Node) -> Iterator[Candidate]:
    """A key whose value is missing: a Nil is put there."""
    table = ground.table
    read = (child for child in reversed(table.children(node.id)) if table.parent[child] != NONE)
    children = list(islice(read, MOST_CHILDREN))[::-1]
    for end, child in [(table.end(child), child) for child in children]:
        if end <= len(ground.payload) and (child - table.first[node.id]) % 2 == 0:
            fact = "What it was cannot be known: a Nil stands in for it, so that the other pairs are kept."
            yield Candidate(Cause.KEY_WITHOUT_VALUE, (insertion(ground.start + end, bytes(4)),), fact)
