"""A comparison as steps: what must be done with the old side so that it says what the new one says."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum

from viewer.base.record import dataclass
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, Pairing, ValueDifference
from viewer.document.document import Document
from viewer.document.edits.slots import FILE, Slot
from viewer.document.outline import key_of, span
from viewer.variant.items import Item
from viewer.variant.table import NONE

MANY_ELEMENTS = 1 << 9
"""A packed array of which more elements differ is taken as a whole."""


class StepKind(Enum):
    """What a step does."""

    SET = "set"
    RENAME = "rename"
    REMOVE = "remove"
    ADD = "add"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class ChangeStep:
    """One step.

    Args:
        kind: what it does.
        old: the value, element or field on the old side; None for what is added.
        new: what it becomes; None for what is removed.
        slot: where on the old side it goes that is added.
    """

    kind: StepKind
    old: Item | None
    new: Item | None
    slot: Slot | None = None


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """All steps of a comparison.

    Args:
        changes: those that are about what is there: in any order, each in the old side as it was.
        added: what comes into being, in the order of the new side.
        left: the rows that no step does.
    """

    changes: tuple[ChangeStep, ...]
    added: tuple[ChangeStep, ...]
    left: tuple[ValueDifference, ...] = ()


def planned_steps(comparison: DocumentComparison, rows: Iterable[ValueDifference] | None = None) -> ChangePlan:
    """The steps that rows ask for, all that change a value by default.

    What lies in a value that is moved goes with it: it is taken from the new side as it is there.
    """
    return _Planner(comparison, comparison.changes if rows is None else tuple(rows)).plan()


class _Planner:
    def __init__(self, comparison: DocumentComparison, rows: Sequence[ValueDifference]) -> None:
        self._comparison = comparison
        self._rows = [row for row in rows if row.kind is not DifferenceKind.WRITTEN]
        self._old, self._new = comparison.old, comparison.new
        self._homes = {place[:2]: (old, place[2]) for old, place in comparison.pairings.items()}
        self._anchors: dict[tuple[int, int], tuple[list[int], list[tuple[int, int, int]]]] = {}
        moved = [row for row in comparison.rows if row.kind is DifferenceKind.MOVED and not self._is_rename(row)]
        self._gone = {(row.old.frame, row.old.node) for row in moved if row.old is not None}
        chosen = [row for row in self._rows if row.kind is DifferenceKind.MOVED and not self._is_rename(row)]
        self._carried = {(row.old.frame, row.old.node) for row in chosen if row.old is not None}
        self._landed = {(row.new.frame, row.new.node) for row in chosen if row.new is not None}
        self._elements_of: Counter[Item | None] = Counter()
        for row in self._rows:
            if row.old_run is not None and row.new_run is not None:
                self._elements_of[row.old] += len(row.old_run) + len(row.new_run)
        self._whole: set[Item] = set()
        self._changes: list[ChangeStep] = []
        self._added: list[tuple[tuple[int, int], ChangeStep]] = []
        self._left: list[ValueDifference] = []

    def plan(self) -> ChangePlan:
        for row in self._rows:
            if not self._is_carried(row):
                self._do(row)
        self._added.sort(key=lambda each: each[0])
        return ChangePlan(tuple(self._changes), tuple(step for _, step in self._added), tuple(self._left))

    def _do(self, row: ValueDifference) -> None:
        old, new = row.old, row.new
        if row.old_run is not None and row.new_run is not None and old is not None and new is not None:
            if self._elements_of[old] > MANY_ELEMENTS:
                self._changes += [] if old in self._whole else [ChangeStep(StepKind.SET, old, new)]
                self._whole.add(old)
            else:
                self._elements(old, row.old_run, new, row.new_run)
        elif (old is not None and old.node < 0) or (new is not None and new.node < 0):
            if old is not None and new is not None and row.kind is DifferenceKind.CHANGED:
                self._changes.append(ChangeStep(StepKind.BYTES, old, new))
            else:
                self._left.append(row)
        elif row.kind is DifferenceKind.MOVED and self._is_rename(row):
            self._changes.append(ChangeStep(StepKind.RENAME, old, new))
        elif old is not None and new is not None and row.kind is DifferenceKind.CHANGED:
            self._changes.append(ChangeStep(StepKind.SET, old, new))
        else:
            if old is not None:
                self._changes.append(ChangeStep(StepKind.REMOVE, old, None))
            if new is not None:
                self._add(row, new)

    def _elements(self, old: Item, gone: range, new: Item, come: range) -> None:
        """Elements of a packed array, one by one."""
        both = min(len(gone), len(come))
        for before, after in zip(gone[:both], come[:both], strict=True):
            self._changes.append(ChangeStep(StepKind.SET, _element(old, before), _element(new, after)))
        for before in gone[both:]:
            self._changes.append(ChangeStep(StepKind.REMOVE, _element(old, before), None))
        start = span(self._new, Item(new.frame, new.node)).start
        for after in come[both:]:
            slot = Slot(old.frame, old.node, gone.stop)
            step = ChangeStep(StepKind.ADD, None, _element(new, after), slot)
            self._added.append(((start, after), step))

    def _add(self, row: ValueDifference, new: Item) -> None:
        slot = self._slot(new)
        if slot is None:
            self._left.append(row)
            return
        start = self._new.frames[new.frame].start + self._new.frames[new.frame].table.start[new.node]
        self._added.append(((start, 0), ChangeStep(StepKind.ADD, None, new, slot)))

    # Where things are

    def _is_rename(self, row: ValueDifference) -> bool:
        """Whether a value only got another key in the dictionary that it was in."""
        if not row.about or row.old is None or row.new is None:
            return False
        tables = self._old.frames[row.old.frame].table, self._new.frames[row.new.frame].table
        home = self._homes.get((row.new.frame, tables[1].parent[row.new.node]))
        return home is not None and home[0] == (row.old.frame, tables[0].parent[row.old.node])

    def _is_carried(self, row: ValueDifference) -> bool:
        """Whether a row lies in a value that is taken as a whole."""
        return _lies_in(self._old, row.old, self._carried) or _lies_in(self._new, row.new, self._landed)

    def _slot(self, new: Item) -> Slot | None:
        """Where a value of the new side goes on the old one: behind what stands before it there, too."""
        table = self._new.frames[new.frame].table
        parent = table.parent[new.node] if new.node else NONE
        if parent == NONE:
            return Slot(FILE, 0, self._behind((FILE, 0), self._comparison.frames, new.frame))
        home = self._homes.get((new.frame, parent))
        if home is None:
            return None
        (frame, node), pairing = home
        number = table.index(new.node) // (2 if table.has_pairs(parent) else 1)
        return Slot(frame, node, self._behind((frame, node), pairing, number))

    def _behind(self, place: tuple[int, int], pairing: Pairing, number: int) -> int:
        """The row of the old side behind the one that stands for the last row before *number* that stays."""
        known = self._anchors.get(place)
        if known is None:
            stay = [pair for pair in pairing.pairs if self._node(place, pair[0]) not in self._gone]
            runs = sorted((new, old, length) for old, new, length in (*pairing.equal, *((*pair, 1) for pair in stay)))
            known = self._anchors[place] = [run[0] for run in runs], runs
        starts, runs = known
        found = bisect_right(starts, number) - 1
        if found < 0:
            return 0
        new, old, length = runs[found]
        return old + min(length, number - new)

    def _node(self, place: tuple[int, int], number: int) -> tuple[int, int]:
        if place[0] == FILE:
            return number, 0
        table = self._old.frames[place[0]].table
        each = 2 if table.has_pairs(place[1]) else 1
        return place[0], table.first[place[1]] + number * each + each - 1


def _element(item: Item, number: int) -> Item:
    return Item(item.frame, item.node, f"[{number}]")


def _lies_in(document: Document, item: Item | None, held: set[tuple[int, int]]) -> bool:
    """Whether a value lies in one of these, and is none of them."""
    if item is None or not held or item.frame < 0 or item.node < 0:
        return False
    table, node = document.frames[item.frame].table, item.node
    if item.part and (item.frame, node) in held:
        return True
    while node:
        node = table.parent[node]
        if (item.frame, node) in held:
            return True
    return False


def key_item(document: Document, item: Item) -> Item | None:
    """The key of a value, None where it has none."""
    key = key_of(document.frames[item.frame].table, item.node)
    return None if key is None else Item(item.frame, key)
