"""Conversion record: what becomes of each value of a conversion, by its path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum

from viewer.base.record import dataclass, field
from viewer.variant.dialect import Dialect
from viewer.variant.paths.path_keys import value_segment
from viewer.variant.value import Array, Dictionary, ObjectFull, Value

MOST_CHANGES = 100_000
"""So many changes are kept by their paths; the rest is counted."""
KEY = " (key)"
"""Behind the path of a pair: its key, not its value."""


class ValueOutcome(Enum):
    """What becomes of a value, the best first; the value is the word for it."""

    EXACT = "exact"
    RENAMED = "renamed"
    ROUNDED = "changed"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class PathChange:
    """A value that is another one afterwards, or has a type of another name.

    Args:
        path: where it stands.
        outcome: what becomes of it, never :attr:`ValueOutcome.EXACT`.
        before, after: the names of the types.
        words: what is lost, sentences without full stops; empty where only the type's name changes.
    """

    path: str
    outcome: ValueOutcome
    before: str
    after: str
    words: str = ""

    def __str__(self) -> str:
        """``[0].at: Vector2i -> Vector2``, and what is lost."""
        types = f"{self.before} -> {self.after}" if self.before != self.after else self.before
        return f"{self.path}: {types}{f'; {self.words}' if self.words else ''}"


@dataclass(slots=True)
class ConversionRecord:
    """What became of every value of a conversion.

    Attributes:
        counts: how many values, by what became of them.
        changes: those that are not exact, in the order of the file, at most :data:`MOST_CHANGES`.
    """

    counts: Counter[ValueOutcome] = field(default_factory=Counter)
    changes: list[PathChange] = field(default_factory=list)

    def add(self, exact: int, changes: Sequence[PathChange]) -> None:
        """Take over what became of one whole value: so many inside it that are exact, and those that are not."""
        self.counts[ValueOutcome.EXACT] += exact
        for change in changes:
            self.counts[change.outcome] += 1
        self.changes += changes[: MOST_CHANGES - len(self.changes)]

    @property
    def untold(self) -> int:
        """Changes that are counted only."""
        return self.counts.total() - self.counts[ValueOutcome.EXACT] - len(self.changes)

    @property
    def is_exact(self) -> bool:
        """Whether nothing but names of types changes."""
        return not self.counts[ValueOutcome.ROUNDED] and not self.counts[ValueOutcome.REPLACED]

    def words(self) -> str:
        """``120 values: 96 exact, 20 renamed, 4 replaced``."""
        total = self.counts.total()
        parts = ", ".join(f"{self.counts[outcome]} {outcome.value}" for outcome in ValueOutcome if self.counts[outcome])
        return f"{total} {'value' if total == 1 else 'values'}: {parts or 'none'}"


@dataclass(slots=True)
class ValueOrder:
    """A value and all that lies in it, in the order of the file: each before its children.

    Attributes:
        values: them.
        parents: for each the place in *values* of what holds it, -1 for the outermost.
        places: for each its place among the children of that.
    """

    values: list[Value]
    parents: list[int]
    places: list[int]

    @classmethod
    def of(cls, value: Value) -> ValueOrder:
        """The order of a value; nothing recurses."""
        values, parents, places = list[Value](), list[int](), list[int]()
        stack = [(value, -1, 0)]
        while stack:
            one, parent, place = stack.pop()
            at = len(values)
            values.append(one)
            parents.append(parent)
            places.append(place)
            held = children(one)
            stack.extend((held[k], at, k) for k in range(len(held) - 1, -1, -1))
        return cls(values, parents, places)

    def path(self, at: int, dialect: Dialect) -> str:
        """Where a value stands below the outermost one, as a path is written."""
        return "".join(reversed([*self._steps(at, dialect)]))

    def _steps(self, at: int, dialect: Dialect) -> Iterator[str]:
        while self.parents[at] >= 0:
            held = self.values[self.parents[at]].data
            place = self.places[at]
            if isinstance(held, Dictionary):
                if not place % 2:
                    yield KEY
                yield value_segment(held.pairs[place // 2][0], dialect)
            elif isinstance(held, ObjectFull):
                yield value_segment(Value("String", held.properties[place][0]), dialect)
            else:
                yield f"[{place}]"
            at = self.parents[at]


def children(value: Value) -> list[Value]:
    """What a value holds: elements, keys and values by turns, or the values of properties."""
    data = value.data
    if isinstance(data, Array):
        return list(data.elements)
    if isinstance(data, Dictionary):
        return [side for pair in data.pairs for side in pair]
    return [inner for _, inner in data.properties] if isinstance(data, ObjectFull) else []
