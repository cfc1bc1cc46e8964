"""Packed arrays held against each other: which runs of their elements differ."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from viewer.document.compare.sequence_alignment import aligned
from viewer.document.compare.shared_bytes import SharedBytes
from viewer.document.compare.value_side import ValueSide
from viewer.variant.dialect import Kind
from viewer.variant.elements import element_count, element_size
from viewer.variant.read import read_shallow

HEAD = 8
MOST_RUNS = 64
"""Where more runs differ, they are one from the first to the last."""

Runs = list[tuple[range, range]]


def differing_runs(
    old: ValueSide,
    node: int,
    new: ValueSide,
    other: int,
    shared: SharedBytes | None,
    tolerance: float,
    goes_on: Callable[[], None],
) -> Runs:
    """The elements that differ, as the run of the old ones and the run of the new ones in their place.

    Args:
        old, node, new, other: two packed arrays of the same type.
        shared: the bytes of both frames where they may be compared as they are.
        tolerance: numbers that differ by no more are the same.
        goes_on: called now and then; what it raises ends the work.
    """
    ours, theirs = _Elements(old, node, shared is not None), _Elements(new, other, shared is not None)
    is_plain = shared is not None and ours.size == theirs.size and ours.size > 0

    def skip(first: int, second: int) -> int:
        if shared is None or not is_plain:
            return 0
        begin, beside = ours.start(first), theirs.start(second)
        most = min(ours.start(ours.count) - begin, theirs.start(theirs.count) - beside)
        return shared.common(begin, beside, most) // ours.size

    runs = aligned(ours.count, theirs.count, skip, ours.tokens, theirs.tokens, goes_on)
    out: Runs = []
    at = beside = 0
    for first, second, length in (*runs, (ours.count, theirs.count, 0)):
        if first > at or second > beside:
            out.append((range(at, first), range(beside, second)))
        at, beside = first + length, second + length
    if tolerance:
        out = [run for run in out if not _within(ours, theirs, run, tolerance)]
    if len(out) > MOST_RUNS:
        return [(range(out[0][0].start, out[-1][0].stop), range(out[0][1].start, out[-1][1].stop))]
    return out


class _Elements:
    """The elements of a packed array."""

    def __init__(self, side: ValueSide, node: int, by_bytes: bool) -> None:
        table, row = side.table, side.row(node)
        assert row is not None
        self._side, self._row = side, row
        self._buffer = table.buffer
        self._begin = table.start[node] + HEAD
        is_numbers = row.kind is Kind.PACKED
        self.size = element_size(row, table.header(node)) if is_numbers and by_bytes else 0
        self._node = node
        self._data: Sequence[Any] | None = None
        self.count = element_count(table, node) if is_numbers else len(self.data)

    @property
    def data(self) -> Sequence[Any]:
        """The elements as values, read once."""
        if self._data is None:
            found = read_shallow(self._side.table, self._node).data
            self._data = found if isinstance(found, tuple | bytes) else ()
        return self._data

    def start(self, number: int) -> int:
        """Where an element begins."""
        return self._begin + number * self.size

    def tokens(self, begin: int, end: int) -> Sequence[Hashable]:
        """What stands for elements."""
        if self.size:
            raw, size = bytes(self._buffer[self.start(begin) : self.start(end)]), self.size
            return [raw[at : at + size] for at in range(0, len(raw), size)]
        if self._row.kind is Kind.PACKED_STRINGS:
            return [str(each) for each in self.data[begin:end]]
        return [self._side.number(self._row, each) for each in self.data[begin:end]]


def _within(old: _Elements, new: _Elements, run: tuple[range, range], tolerance: float) -> bool:
    """Whether all numbers of a run differ by no more than is tolerated."""
    if len(run[0]) != len(run[1]):
        return False
    ours, theirs = old.data[run[0].start : run[0].stop], new.data[run[1].start : run[1].stop]
    return all(are_near(mine, yours, tolerance) for mine, yours in zip(ours, theirs, strict=True))


def are_near(old: object, new: object, tolerance: float) -> bool:
    """Whether two numbers, or tuples of them, differ by no more than *tolerance*."""
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(are_near, old, new, (tolerance,) * len(old)))
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    return isinstance(old, int | float) and isinstance(new, int | float) and (old == new or abs(old - new) <= tolerance)
