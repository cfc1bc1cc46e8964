"""What a person decides about a merge: for each place that both sides changed, whose value stands there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from viewer.base.progress import Progress
from viewer.base.record import dataclass, replace
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, ValueDifference
from viewer.document.compare.merging import FIELDWISE, MergeConflict, MergedSides
from viewer.document.compare.taking import take
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal, set_value
from viewer.document.edits.slots import EditError
from viewer.document.outline import exists, span
from viewer.document.splice import CountLabel, Edit, EditLabel, Splice, kept
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal


class MergeChoice(Enum):
    """Whose value stands in a place that both changed."""

    OURS = "ours"
    THEIRS = "theirs"
    BASE = "base"
    WRITTEN = "written"
    """One that a person writes."""


@dataclass(frozen=True, slots=True)
class MergeDecision:
    """What is decided about one conflict; *text* is the literal that a person wrote."""

    choice: MergeChoice
    text: str = ""


@dataclass(frozen=True, slots=True)
class DecidedMerge:
    """What a merge comes to with the decisions.

    Args:
        edit: the one edit of our side.
        merged: our side after it, read anew.
        failed: the conflicts whose decision could not be done, by their numbers, and why; ours stays there.
    """

    edit: Edit
    merged: Document
    failed: Mapping[int, str]


def decided(
    merge: MergedSides,
    base: Document,
    ours: Document,
    theirs: Document,
    decisions: Mapping[int, MergeDecision],
    progress: Progress | None = None,
) -> DecidedMerge:
    """A merge with what a person decided about its conflicts; where nothing is decided, ours stays.

    Args:
        merge: what came of the sides.
        base, ours, theirs: the sides, none of which is changed.
        decisions: by the number of the conflict.
        progress: as for a comparison.

    Raises:
        EditError: our side cannot be edited so.
        Cancelled: *progress* gave up.
    """
    merged = ours.twin()
    merged.read_now(progress)
    if merge.edit.does_something:
        merged.apply(merge.edit)
    work = _Decisions(merge, ours, merged)
    for choice, document in ((MergeChoice.THEIRS, theirs), (MergeChoice.BASE, base)):
        work.take(choice, document, decisions, progress)
    work.write(decisions)
    count = merge.taken + len([each for each in decisions.values() if each.choice is not MergeChoice.OURS])
    edit = Edit(EditLabel("Merge {}", (CountLabel(count, "change"),)), tuple(work.splices))
    return DecidedMerge(edit, merged, work.failed)


class _Decisions:
    """Does the decisions to our side, in which the merge is done already.

    Args:
        merge, ours: the merge, and our side as it was.
        merged: our side with it.
    """

    def __init__(self, merge: MergedSides, ours: Document, merged: Document) -> None:
        self._conflicts: Sequence[MergeConflict] = merge.conflicts
        self._ours, self._merged = ours, merged
        self.splices: list[Splice] = list(merge.edit.splices)
        self.failed: dict[int, str] = {}

    def take(
        self,
        choice: MergeChoice,
        side: Document,
        decisions: Mapping[int, MergeDecision],
        progress: Progress | None,
    ) -> None:
        """Let the places that another side was chosen for say what it says."""
        numbers = [number for number, each in decisions.items() if each.choice is choice]
        if not numbers:
            return
        comparison = compare(self._merged, side, FIELDWISE, progress)
        rows: list[ValueDifference] = []
        for number in numbers:
            conflict = self._conflicts[number]
            step = conflict.step
            theirs = None if step is None else step.new if choice is MergeChoice.THEIRS else step.old
            found = _rows_at(comparison, self._place(conflict), theirs)
            if not found and step is None:
                self.failed[number] = "it has no place on our side"
            rows += [row for row in found if row not in rows]
        if rows:
            self._do(lambda: take(comparison, rows).edit, numbers)

    def write(self, decisions: Mapping[int, MergeDecision]) -> None:
        """Set what a person wrote."""
        for number, decision in decisions.items():
            if decision.choice is not MergeChoice.WRITTEN:
                continue
            item = self._place(self._conflicts[number])
            if item is None:
                self.failed[number] = "nothing of ours is there"
                continue
            self._set(number, item, decision.text)

    def _set(self, number: int, item: Item, text: str) -> None:
        self._do(lambda: _set_to(self._merged, item, text), [number])

    def _do(self, made: Callable[[], Edit], numbers: Sequence[int]) -> None:
        try:
            edit = made()
        except EditError as error:
            self.failed.update(dict.fromkeys(numbers, str(error)))
            return
        if edit.does_something:
            self._merged.apply(edit)
            self.splices += edit.splices

    def _place(self, conflict: MergeConflict) -> Item | None:
        """Where what stood on our side is now."""
        item = conflict.place
        if item is None or not exists(self._ours, item):
            return None
        start = kept(span(self._ours, Item(item.frame, item.node)).start, self.splices)
        found = self._merged.node_at(start) if start is not None else None
        if start is None or found is None:
            return None
        return Item(self._merged.frame_at(start), found[1], item.part)


def _set_to(document: Document, item: Item, text: str) -> Edit:
    """The edit that sets a value to a literal, of whatever type that is.

    Raises:
        EditError: it is none, or cannot stand there.
    """
    try:
        return set_literal(document, item, text)
    except EditError:
        if item.part:
            raise
        try:
            value = parse_literal(text, document.dialect, precision=document.precision)
        except LiteralError as error:
            raise EditError(str(error)) from error
        return set_value(document, item, value)


def _rows_at(comparison: DocumentComparison, old: Item | None, new: Item | None) -> list[ValueDifference]:
    """The differences at a place that is known on one side or on both, as narrow as they can be had."""
    inside, around = [], []
    for row in comparison.changes:
        if _holds(comparison.old, old, row.old) or _holds(comparison.new, new, row.new):
            inside.append(_narrowed(row, old, new))
        elif _holds(comparison.new, row.new, new) and row.kind is not DifferenceKind.MOVED:
            around.append(row)
    found = [row for row in inside if row is not None]
    return found or around[-1:]


def _narrowed(row: ValueDifference, old: Item | None, new: Item | None) -> ValueDifference | None:
    """A run of elements cut to the one that is meant; None for a run that it is not in."""
    named = new if new is not None and new.part else old
    if row.old_run is None or row.new_run is None or named is None or not named.part.startswith("["):
        return row
    number, run = int(named.part[1:-1]), row.new_run if named is new else row.old_run
    if number not in run:
        return None
    if len(row.old_run) != len(row.new_run):
        return row
    step = number - run.start
    first, second = row.old_run.start + step, row.new_run.start + step
    return replace(row, old_run=range(first, first + 1), new_run=range(second, second + 1))


def _holds(document: Document, outer: Item | None, inner: Item | None) -> bool:
    """Whether a value is another one or lies in it."""
    if outer is None or inner is None or outer.frame != inner.frame:
        return False
    if min(outer.node, inner.node) < 0:
        return outer == inner
    parent, node = document.frames[inner.frame].table.parent, inner.node
    while node != outer.node:
        if not node:
            return False
        node = parent[node]
    return True
