"""Rows of a plan: very many values as columns; a row is made of them when it is looked at."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import overload

from viewer.base.record import dataclass
from viewer.document.bulk.frame_values import DeferredValue, FrameValues, Whole
from viewer.variant.items import Item
from viewer.variant.value import Value


@dataclass(frozen=True, slots=True)
class BulkRow:
    """One value that the pattern and the condition lead to.

    Args:
        item: the value.
        start: where its bytes begin, in the layer.
        before: what it is.
        after: what it becomes, None where it stays.
        problem: why it stays, empty where it changes.
    """

    item: Item
    start: int
    before: Value | DeferredValue
    after: Value | None
    problem: str = ""


def held(ground: FrameValues, item: Item) -> Value | DeferredValue:
    """A value as it is before a change: numbers and texts read, all else left in the file until it is shown."""
    data = ground.data(item)
    if isinstance(data, DeferredValue):
        return data
    if item.part:
        return ground.value(item)
    return Value(ground.type(item), data if not isinstance(data, Value) else data.data)


def start_of(ground: FrameValues, item: Item) -> int:
    """Where the bytes of a value begin, from the start of the frame."""
    return ground.part(item).span.start if item.part else ground.table.start[item.node]


class BulkRows(Sequence[BulkRow]):
    """The rows of a plan, frame after frame.

    Args:
        fitted: the result of an expression as the value that an item becomes.

    Attributes:
        problems: why rows stay, by their numbers.
    """

    def __init__(self, fitted: Callable[[FrameValues, Item, Whole], Value]) -> None:
        self._fitted = fitted
        self._grounds: list[FrameValues] = []
        self._firsts: list[int] = []
        self._nodes = array("I")
        self._parts: dict[int, str] = {}
        self._results: list[Whole] = []
        self.problems: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, at: int) -> BulkRow: ...
    @overload
    def __getitem__(self, at: slice) -> list[BulkRow]: ...
    def __getitem__(self, at: int | slice) -> BulkRow | list[BulkRow]:
        if isinstance(at, slice):
            return [self._row(number) for number in range(*at.indices(len(self)))]
        return self._row(range(len(self))[at])

    def __iter__(self) -> Iterator[BulkRow]:
        return map(self._row, range(len(self)))

    def begin(self, ground: FrameValues) -> None:
        """Rows of this frame follow."""
        self._grounds.append(ground)
        self._firsts.append(len(self))

    def add(self, item: Item, result: Whole, problem: str = "") -> None:
        """A value that becomes *result*, or stays because of a problem."""
        if item.part:
            self._parts[len(self._nodes)] = item.part
        if problem:
            self.problems[len(self._nodes)] = problem
        self._nodes.append(item.node)
        self._results.append(result)

    def sort(self, first: int) -> None:
        """Bring the rows from number *first* on, which are of one frame, into the order of their bytes."""
        ground = self._grounds[-1]
        rows = [(self._item(k), self._results[k], self.problems.pop(k, "")) for k in range(first, len(self))]
        rows.sort(key=lambda row: start_of(ground, row[0]))
        for number in range(first, len(self)):
            self._parts.pop(number, None)
        del self._nodes[first:], self._results[first:]
        for row in rows:
            self.add(*row)

    def _item(self, number: int) -> Item:
        return Item(self._ground(number).index, self._nodes[number], self._parts.get(number, ""))

    def _ground(self, number: int) -> FrameValues:
        return self._grounds[bisect_right(self._firsts, number) - 1]

    def _row(self, number: int) -> BulkRow:
        ground, item, problem = self._ground(number), self._item(number), self.problems.get(number, "")
        start = ground.document.frames[ground.index].start + start_of(ground, item)
        after = None if problem else self._fitted(ground, item, self._results[number])
        return BulkRow(item, start, held(ground, item), after, problem)
