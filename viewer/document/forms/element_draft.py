"""The elements of a packed array with changes that are not written yet.

Elements that stay are read from the bytes when asked for; only what a person changed is kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import attrgetter

from viewer.base.record import dataclass
from viewer.document.edits.packed import Changes, Element, NumberArray, TextArray
from viewer.variant import text
from viewer.variant.elements import element


@dataclass(frozen=True, slots=True)
class ElementRun:
    """Neighbouring elements: *size* of those in the bytes from *start* on, or *new* ones."""

    start: int
    size: int
    new: tuple[Element, ...] | None = None

    def part(self, first: int, last: int) -> ElementRun:
        """The elements from *first* up to *last* of this run."""
        new = self.new[first:last] if self.new is not None else None
        return ElementRun(self.start + first, last - first, new)


def _within(index: int, ranges: list[range]) -> bool:
    """Whether one of these ranges, which are in order, holds an index."""
    place = bisect_right(ranges, index, key=attrgetter("start")) - 1
    return place >= 0 and index in ranges[place]


class ElementDraft:
    """A packed array as it would be.

    Args:
        array: the elements in the bytes.
    """

    def __init__(self, array: NumberArray | TextArray) -> None:
        self._array = array
        self._runs = [ElementRun(0, len(array))] if len(array) else []
        self._sets: dict[int, Element] = {}
        self._past: list[tuple[list[ElementRun], dict[int, Element]]] = []
        self._index_runs()

    def __len__(self) -> int:
        return self._starts[-1]

    def value(self, row: int) -> Element:
        """The element that would be at *row*.

        Raises:
            IndexError: there is none.
        """
        run, place = self._find(row)
        if run.new is not None:
            return run.new[place]
        index = run.start + place
        return self._sets[index] if index in self._sets else self._read(index)

    def is_changed(self, row: int) -> bool:
        """Whether the element at *row* is new or has another value."""
        run, place = self._find(row)
        return run.new is not None or run.start + place in self._sets

    @property
    def changes(self) -> Changes:
        """All that was changed, in the indexes of the bytes."""
        inserts: list[tuple[int, Sequence[Element]]] = []
        deletes: list[range] = []
        at = 0
        for run in self._runs:
            if run.new is not None:
                inserts.append((at, run.new))
                continue
            if run.start > at:
                deletes.append(range(at, run.start))
            at = run.start + run.size
        if at < len(self._array):
            deletes.append(range(at, len(self._array)))
        sets = {index: value for index, value in self._sets.items() if not _within(index, deletes)}
        return Changes(sets, tuple(inserts), tuple(deletes))

    # Changing

    def keep(self) -> None:
        """Remember how it is, for :meth:`undo`."""
        self._past.append((list(self._runs), dict(self._sets)))

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._past)

    def undo(self) -> None:
        """Go back to what :meth:`keep` remembered last."""
        if self._past:
            self._runs, self._sets = self._past.pop()
            self._index_runs()

    def set(self, values: dict[int, Element]) -> None:
        """Give rows other values."""
        fresh: dict[int, list[tuple[int, Element]]] = {}
        for row, value in values.items():
            number = self._run_at(row)
            run, place = self._runs[number], row - self._starts[number]
            if run.new is not None:
                fresh.setdefault(number, []).append((place, value))
            elif self._array.encoded(self._read(run.start + place)) == self._array.encoded(value):
                self._sets.pop(run.start + place, None)
            else:
                self._sets[run.start + place] = value
        for number, pairs in fresh.items():
            new = list(self._runs[number].new or ())
            for place, value in pairs:
                new[place] = value
            self._runs[number] = ElementRun(0, len(new), tuple(new))

    def insert(self, row: int, values: Sequence[Element]) -> None:
        """Put new elements before *row*."""
        head, tail = self._cut(row)
        self._runs = [*head, ElementRun(0, len(values), tuple(values)), *tail]
        self._index_runs()

    def delete(self, first: int, last: int) -> None:
        """Take the rows from *first* up to *last* out."""
        head, _ = self._cut(first)
        _, tail = self._cut(last)
        self._runs = [*head, *tail]
        self._index_runs()

    def _cut(self, row: int) -> tuple[list[ElementRun], list[ElementRun]]:
        """The runs before and from *row* on."""
        if row >= len(self):
            return list(self._runs), []
        number = self._run_at(row)
        run, place = self._runs[number], row - self._starts[number]
        head, tail = self._runs[:number], self._runs[number + 1 :]
        if not place:
            return head, [run, *tail]
        return [*head, run.part(0, place)], [run.part(place, run.size), *tail]

    # Reading

    def _index_runs(self) -> None:
        self._starts = list(accumulate((run.size for run in self._runs), initial=0))

    def _run_at(self, row: int) -> int:
        if not 0 <= row < len(self):
            raise IndexError(row)
        return bisect_right(self._starts, row) - 1

    def _find(self, row: int) -> tuple[ElementRun, int]:
        number = self._run_at(row)
        return self._runs[number], row - self._starts[number]

    def _read(self, index: int) -> Element:
        array = self._array
        if isinstance(array, NumberArray):
            return element(array.table, array.node, index).value  # type: ignore[return-value]
        start, end = array.start(index), array.start(index + 1)
        length = int.from_bytes(array.table.buffer[start : start + 4], "little")
        raw = bytes(array.table.buffer[start + 4 : min(end, start + 4 + length)])
        return text.read(raw.removesuffix(b"\0"), array.table.dialect.rules.utf8)
