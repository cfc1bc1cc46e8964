"""What a comparison says: which values differ and how, and which stand for which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from viewer.base.record import dataclass, field
from viewer.document.compare.sequence_alignment import Run
from viewer.document.document import Document
from viewer.variant.items import Item

MOST = 200_000
"""So many differences are told apart; behind them a comparison is not complete."""


class DifferenceKind(Enum):
    """In which way a value differs."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    WRITTEN = "written otherwise"
    """The same value in other bytes."""


TURNED = {DifferenceKind.ADDED: DifferenceKind.REMOVED, DifferenceKind.REMOVED: DifferenceKind.ADDED}


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """One row of a comparison.

    Args:
        kind: in which way.
        old, new: the value on either side, None where it is not there; both where the files as a whole are meant.
        about: what differs, in a few words, where the values do not show it: ``order of keys``, ``64 bits``, ``key``.
        old_run, new_run: of a packed array, which of its elements.
        at: where it stands among the others: frame and offset on the new side.
    """

    kind: DifferenceKind
    old: Item | None
    new: Item | None
    about: str = ""
    old_run: range | None = None
    new_run: range | None = None
    at: tuple[int, int] = (0, 0)

    def turned(self) -> ValueDifference:
        """The same with the sides exchanged."""
        kind = TURNED.get(self.kind, self.kind)
        return ValueDifference(kind, self.new, self.old, self.about, self.new_run, self.old_run, self.at)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which rows of two collections stand for each other.

    Args:
        by: how they were paired, in words: ``keys``, ``id``, ``order``, ``place``.
        equal: runs of rows that are equal, in the order of both sides.
        pairs: rows that belong together and differ, those that moved among them.
    """

    by: str
    equal: tuple[Run, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()

    def turned(self) -> Pairing:
        """The same with the sides exchanged."""
        equal = sorted((new, old, length) for old, new, length in self.equal)
        return Pairing(self.by, tuple(equal), tuple(sorted((new, old) for old, new in self.pairs)))

    def of_old(self, number: int) -> int | None:
        """The row on the new side that a row on the old side stands for; None where it is gone."""
        for old, new, length in self.equal:
            if old <= number < old + length:
                return new + number - old
        return next((new for old, new in self.pairs if old == number), None)


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """What a person asks of a comparison.

    Args:
        ignore: patterns of paths that are not looked at: ``**.play_time``.
        tolerance: numbers that differ by no more are the same.
        pair_by: how the rows of arrays are paired, by the patterns of their paths: ``place``, ``order`` or the name of
            a key; for all others that is found out.
        by_fields: whether elements with a key in common are told apart field by field even where nothing in them is the
            same, as a merge wants it; else such a pair is one change.
    """

    ignore: tuple[str, ...] = ()
    tolerance: float = 0.0
    pair_by: Mapping[str, str] = field(default_factory=dict)
    by_fields: bool = False


@dataclass(frozen=True, slots=True)
class DocumentComparison:
    """Two documents held against each other.

    Args:
        old, new: the documents, as they were then.
        rows: what differs, in the order of the new side.
        frames: how the frames were paired.
        pairings: how the rows of collections were paired that hold something that differs, by frame and node of the
            old side; with frame and node of the new one.
        ignored: how many differences were ignored.
        is_complete: whether all differences were told apart.
    """

    old: Document
    new: Document
    rows: tuple[ValueDifference, ...]
    frames: Pairing
    pairings: Mapping[tuple[int, int], tuple[int, int, Pairing]]
    ignored: int = 0
    is_complete: bool = True

    def turned(self) -> DocumentComparison:
        """The same with the sides exchanged: what was added is removed, and what is old is new."""
        pairings = {place[:2]: (*old, place[2].turned()) for old, place in self.pairings.items()}
        rows = tuple(row.turned() for row in self.rows)
        return DocumentComparison(
            self.new, self.old, rows, self.frames.turned(), pairings, self.ignored, self.is_complete
        )

    @property
    def changes(self) -> tuple[ValueDifference, ...]:
        """The rows whose values differ; those that are only written otherwise left out."""
        return tuple(row for row in self.rows if row.kind is not DifferenceKind.WRITTEN)

    @property
    def is_equal(self) -> bool:
        """Whether all values are the same."""
        return self.is_complete and all(row.kind is DifferenceKind.WRITTEN for row in self.rows)

    def count(self, kind: DifferenceKind) -> int:
        """How many rows are of a kind."""
        return counted_kinds(self.rows).get(kind, 0)


def counted_kinds(rows: Iterable[ValueDifference]) -> dict[DifferenceKind, int]:
    """How many rows there are of each kind."""
    out: dict[DifferenceKind, int] = {}
    for row in rows:
        out[row.kind] = out.get(row.kind, 0) + 1
    return out
