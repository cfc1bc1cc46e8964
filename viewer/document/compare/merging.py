"""Three-way merge: what two sides made of the same base, put together value by value.

What only one side changed goes by itself, what both changed alike is one change. What both changed otherwise is a
conflict: there our side stays as it is. Values that both put into the same place of a list stay both, ours first.
"""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.progress import Progress
from viewer.base.record import dataclass, replace
from viewer.document.compare.change_steps import ChangeStep, StepKind, key_item, planned_steps
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import (
    CompareOptions,
    DifferenceKind,
    DocumentComparison,
    Pairing,
    ValueDifference,
)
from viewer.document.compare.difference_words import shown
from viewer.document.compare.taking import StepTaker
from viewer.document.compare.value_side import ValueSide, type_names
from viewer.document.document import Document
from viewer.document.edits.slots import FILE, EditError, Slot
from viewer.document.path import format_path
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.items import Item, part
from viewer.variant.table import NONE

Place = tuple[int, int]
"""A frame and a node of the base."""
BOTH_CHANGED, CHANGED_IN_REMOVED = "both changed it", "one side changed what the other one removed"
BOTH_ADDED, BOTH_MOVED = "both put something there", "both moved it, or one moved it and the other removed it"
BOTH_RENAMED, NO_PLACE = "both renamed it", "it has no place on our side"
CANNOT_TAKE = "it cannot be taken over"

FIELDWISE = CompareOptions(by_fields=True)
"""How sides are compared for a merge: a conflict is no wider than what both set."""


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """A change of theirs that was not made, because ours is another one.

    Args:
        path: where, as the base has it, or their side where it is new.
        about: why, in a few words.
        base, ours, theirs: the value on each side, in a few letters; empty where it is not there.
        step: the step of theirs that was not done; its old side is the base. None where there is no such step.
        place: what stands there on our side; None where nothing does.
    """

    path: str
    about: str
    base: str = ""
    ours: str = ""
    theirs: str = ""
    step: ChangeStep | None = None
    place: Item | None = None

    def __str__(self) -> str:
        base, ours, theirs = (said or "nothing" for said in (self.base, self.ours, self.theirs))
        return f"{self.path}: {self.about}; base {base}, ours {ours}, theirs {theirs}"


@dataclass(frozen=True, slots=True)
class MergedSides:
    """What a merge comes to.

    Args:
        edit: the edit of our side that makes it the merged one.
        conflicts: what of their side is not in it.
        taken: how many changes of theirs are.
    """

    edit: Edit
    conflicts: tuple[MergeConflict, ...]
    taken: int


def merge(base: Document, ours: Document, theirs: Document, progress: Progress | None = None) -> MergedSides:
    """Put both sides together.

    Raises:
        EditError: our side cannot be edited so.
        Cancelled: *progress* gave up.
    """
    return _Merge(compare(base, ours, FIELDWISE, progress), compare(base, theirs, FIELDWISE, progress)).run()


class _OurTouches:
    """What our side did to the base, by place."""

    def __init__(self, mine: DocumentComparison) -> None:
        plan = planned_steps(mine)
        self.set: dict[Place, Item] = {}
        self.renamed: dict[Place, Item] = {}
        self.removed: set[Place] = set()
        self.elements: dict[Place, dict[str, Item | None]] = {}
        self.added: dict[Place, list[ChangeStep]] = {}
        self.bytes: set[Item] = set()
        self.moved = {_place(row.old) for row in mine.changes if row.kind is DifferenceKind.MOVED and row.old}
        self.around: set[Place] = set()
        self._base = mine.old
        for step in plan.changes:
            self._take(step)
        for step in plan.added:
            assert step.slot is not None
            home = step.slot.frame, step.slot.node
            if step.new is not None and step.new.part:
                self.elements.setdefault(home, {})[f"+{step.new.part}"] = None
            self.added.setdefault(home, []).append(step)
            if home[0] != FILE:
                self._around(home, True)

    def _take(self, step: ChangeStep) -> None:
        old = step.old
        assert old is not None
        if step.kind is StepKind.BYTES:
            self.bytes.add(old)
            return
        place = _place(old)
        if old.part:
            known = self.elements.setdefault(place, {})
            known[old.part if step.kind is StepKind.SET else f"-{old.part}"] = step.new
        elif step.kind is StepKind.SET and step.new is not None:
            self.set[place] = step.new
        elif step.kind is StepKind.RENAME and step.new is not None:
            self.renamed[place] = step.new
        else:
            self.removed.add(place)
        self._around(place, bool(old.part))

    def _around(self, place: Place, itself: bool) -> None:
        """Note what holds a place that was touched."""
        frame, node = place
        parent = self._base.frames[frame].table.parent
        if not itself:
            node = parent[node] if node else NONE
        while node != NONE and (frame, node) not in self.around:
            self.around.add((frame, node))
            node = parent[node] if node else NONE

    def whole(self, place: Place) -> bool:
        """Whether a value, or one that holds it, was set or taken away as a whole."""
        frame, node = place
        parent = self._base.frames[frame].table.parent
        while node != NONE:
            if (frame, node) in self.set or (frame, node) in self.removed:
                return True
            node = parent[node] if node else NONE
        return False


class _Merge:
    def __init__(self, mine: DocumentComparison, yours: DocumentComparison) -> None:
        self._mine, self._yours = mine, yours
        self._base, self._ours, self._theirs = mine.old, mine.new, yours.new
        self._touches = _OurTouches(mine)
        self._names = type_names(
            self._ours.dialect, self._theirs.dialect, self._ours.precision != self._theirs.precision
        )
        self._sides: dict[tuple[bool, int], ValueSide] = {}
        self._conflicts: list[MergeConflict] = []
        self._taker, self._taken = StepTaker(self._ours, self._theirs), 0
        moved = [row for row in yours.changes if row.kind is DifferenceKind.MOVED and row.old and row.new]
        self._their_moves = {_place(row.old): _place(row.new) for row in moved if row.old and row.new}

    def run(self) -> MergedSides:
        plan = planned_steps(self._yours)
        for row in plan.left:
            self._conflict_row(row)
        for comparison in (self._mine, self._yours):
            if not comparison.is_complete:
                raise EditError("Too much differs to tell it apart; take one side as it is.")
        carried = {
            self._their_moves[_place(step.old)]: step
            for step in plan.changes
            if step.old is not None and self._is_carried(step)
        }
        for step in plan.changes:
            if not self._is_carried(step):
                self._go([step])
        for step in plan.added:
            assert step.new is not None
            gone = carried.get(_place(step.new)) if not step.new.part else None
            self._go([step] if gone is None else [step, gone])
        edit = self._taker.rework.edit(EditLabel("Merge {}", (CountLabel(self._taken, "change"),)))
        return MergedSides(edit, tuple(self._conflicts), self._taken)

    def _is_carried(self, step: ChangeStep) -> bool:
        """Whether a value goes that is put in elsewhere."""
        return step.kind is StepKind.REMOVE and step.old is not None and _place(step.old) in self._their_moves

    def _go(self, steps: Sequence[ChangeStep]) -> None:
        """Do steps of theirs, all of them or none; what moves is put in before it is taken away."""
        troubles = [self._trouble(step) for step in steps]
        about = next(filter(None, troubles), "")
        if not about and None in troubles:
            return
        placed = [] if about else [found for step in steps if (found := self._placed(step)) is not None]
        if about or len(placed) < len(steps):
            self._conflict(steps[-1], about or NO_PLACE)
            return
        try:
            for step in placed:
                self._taker.do(step)
            self._taken += 1
        except EditError as error:
            self._conflict(steps[-1], f"{CANNOT_TAKE}: {error}")

    def _conflict_row(self, row: ValueDifference) -> None:
        item, document = (row.old, self._base) if row.old is not None else (row.new, self._theirs)
        path = format_path(document, item) if item is not None else ""
        self._conflicts.append(MergeConflict(path, CANNOT_TAKE))

    def _conflict(self, step: ChangeStep, about: str) -> None:
        if step.old is not None:
            path = format_path(self._base, step.old)
        else:
            path = format_path(self._theirs, step.new) if step.new is not None else ""
        base = shown(self._base, step.old) if step.old is not None else ""
        theirs = shown(self._theirs, step.new) if step.new is not None else ""
        place = self._our_item(step)
        ours = shown(self._ours, place) if place is not None else ""
        self._conflicts.append(MergeConflict(path, about, base, ours, theirs, step, place))

    def _our_item(self, step: ChangeStep) -> Item | None:
        """What stands on our side where a step of theirs would be done."""
        if step.old is not None and step.old.node >= 0:
            place = self._node(_place(step.old))
            return Item(*place, step.old.part) if place is not None else None
        key = key_item(self._theirs, step.new) if step.new is not None and step.new.node > 0 else None
        mine = self._touches.added.get((step.slot.frame, step.slot.node), []) if step.slot is not None else []
        if step.slot is not None and step.slot.frame == FILE and step.new is not None:
            return next((each.new for each in mine if each.new and each.new.frame == step.new.frame), None)
        for each in mine if key is not None else ():
            other = key_item(self._ours, each.new) if each.new is not None else None
            if each.new is not None and other is not None and key is not None and self._same(other, key):
                return each.new
        return None

    # What hinders a step of theirs: None where ours did the same, nothing where nothing does

    def _trouble(self, step: ChangeStep) -> str | None:
        touches, old, new = self._touches, step.old, step.new
        if step.kind is StepKind.BYTES:
            return BOTH_CHANGED if old in touches.bytes else ""
        if step.kind is StepKind.ADD:
            return self._trouble_of_new(step)
        assert old is not None
        place = _place(old)
        if old.part:
            return self._trouble_of_element(step, place)
        is_moved = place in touches.moved
        if step.kind is StepKind.REMOVE:
            mine_moved, theirs_moved = is_moved and place in touches.removed, place in self._their_moves
            if place in touches.removed and not mine_moved and not theirs_moved:
                return None
            if mine_moved and theirs_moved:
                return None if self._same_move(place) else BOTH_MOVED
            if mine_moved or (theirs_moved and place in touches.removed):
                return BOTH_MOVED
            return CHANGED_IN_REMOVED if touches.whole(place) or place in touches.around or is_moved else ""
        if step.kind is StepKind.RENAME:
            if place in touches.renamed:
                return None if self._same_key(touches.renamed[place], new) else BOTH_RENAMED
            if self._is_new_key(place, new):
                return BOTH_ADDED
            return CHANGED_IN_REMOVED if touches.whole(place) and place not in touches.set else ""
        if place in touches.set and new is not None:
            return None if self._same(touches.set[place], new) else BOTH_CHANGED
        if touches.whole(place):
            return CHANGED_IN_REMOVED if place not in touches.set else BOTH_CHANGED
        return BOTH_CHANGED if place in touches.around or place in touches.elements else ""

    def _trouble_of_element(self, step: ChangeStep, place: Place) -> str | None:
        """Elements of a packed array that both changed: one by one where neither changed how many there are."""
        if self._touches.whole(place):
            return BOTH_CHANGED
        known = self._touches.elements.get(place)
        if known is None:
            return ""
        assert step.old is not None
        if step.kind is not StepKind.SET or any(name[:1] != "[" for name in known):
            return BOTH_CHANGED
        mine = known.get(step.old.part)
        if mine is None or step.new is None:
            return ""
        found, other = (
            part(document.frames[item.frame].table, item.node, item.part)
            for document, item in ((self._ours, mine), (self._theirs, step.new))
        )
        return None if found is not None and other is not None and found.value == other.value else BOTH_CHANGED

    def _trouble_of_new(self, step: ChangeStep) -> str | None:
        assert step.slot is not None
        assert step.new is not None
        home = step.slot.frame, step.slot.node
        mine = self._touches.added.get(home, [])
        if home[0] == FILE:
            if any(self._is_same_step(each, step) for each in mine):
                return None
            return BOTH_ADDED if mine and not self._base.frames else ""
        if step.new.part:
            return BOTH_CHANGED if home in self._touches.elements or self._touches.whole(home) else ""
        if self._touches.whole(home):
            return CHANGED_IN_REMOVED
        key = key_item(self._theirs, step.new)
        if key is None:
            return None if any(self._is_same_step(each, step) for each in mine) else ""
        for each in mine:
            other = key_item(self._ours, each.new) if each.new is not None else None
            if each.new is not None and other is not None and self._same(other, key):
                return None if self._same(each.new, step.new) else BOTH_ADDED
        table = self._base.frames[home[0]].table
        for place, item in self._touches.renamed.items():
            if place[0] == home[0] and table.parent[place[1]] == home[1] and self._same_key(item, step.new):
                return BOTH_ADDED
        return ""

    def _is_new_key(self, place: Place, new: Item | None) -> bool:
        """Whether ours put something under the key that a value of theirs got."""
        home = place[0], self._base.frames[place[0]].table.parent[place[1]]
        added = [each.new for each in self._touches.added.get(home, []) if each.new is not None]
        return any(self._same_key(each, new) for each in added)

    def _is_same_step(self, mine: ChangeStep, step: ChangeStep) -> bool:
        """Whether both put the same value into the same place."""
        if mine.slot is None or step.slot is None or mine.new is None or step.new is None:
            return False
        return mine.slot.number == step.slot.number and self._same(mine.new, step.new)

    def _same_move(self, place: Place) -> bool:
        """Whether both moved a value to the same place."""
        landed = []
        for comparison in (self._mine, self._yours):
            rows = (row for row in comparison.changes if row.kind is DifferenceKind.MOVED and row.old)
            landed.append(next((row.new for row in rows if row.old and _place(row.old) == place), None))
        first, second = landed
        if first is None or second is None or not self._same(first, second):
            return False
        return format_path(self._ours, first) == format_path(self._theirs, second)

    # Equal values

    def _side(self, is_theirs: bool, frame: int) -> ValueSide:
        found = self._sides.get((is_theirs, frame))
        if found is None:
            table = (self._theirs if is_theirs else self._ours).frames[frame].table
            found = self._sides[is_theirs, frame] = ValueSide(table, self._names[is_theirs], lambda: None)
        return found

    def _same(self, mine: Item, yours: Item) -> bool:
        return self._side(False, mine.frame).digest(mine.node) == self._side(True, yours.frame).digest(yours.node)

    def _same_key(self, mine: Item, yours: Item | None) -> bool:
        key = key_item(self._ours, mine)
        other = key_item(self._theirs, yours) if yours is not None else None
        return key is not None and other is not None and self._same(key, other)

    # Where things of the base are on our side

    def _placed(self, step: ChangeStep) -> ChangeStep | None:
        """The step on our side, None where its place is gone."""
        if step.kind is StepKind.ADD and step.slot is not None:
            slot = self._slot(step.slot)
            return None if slot is None else replace(step, slot=slot)
        assert step.old is not None
        if step.old.node < 0:
            return step
        place = self._node(_place(step.old))
        return None if place is None else replace(step, old=Item(*place, step.old.part))

    def _frame(self, frame: int) -> int | None:
        return self._mine.frames.of_old(frame)

    def _node(self, place: Place) -> Place | None:
        """Where a value of the base is on our side: down from the root, row by row."""
        frame, table = self._frame(place[0]), self._base.frames[place[0]].table
        if frame is None:
            return None
        way: list[int] = []
        node = place[1]
        while node:
            way.append(node)
            node = table.parent[node]
        ours, at, parent = self._ours.frames[frame].table, 0, 0
        for node in reversed(way):
            each = 2 if table.has_pairs(parent) else 1
            number, rest = divmod(node - table.first[parent], each)
            known = self._mine.pairings.get((place[0], parent))
            row = known[2].of_old(number) if known is not None else number
            if row is None or row * each + rest >= ours.child_count(at):
                return None
            at, parent = ours.first[at] + row * each + rest, node
        return frame, at

    def _slot(self, slot: Slot) -> Slot | None:
        """A place between rows of the base on our side: before the row that stands behind it there, too."""
        if slot.frame == FILE:
            stay = [pair for pair in self._mine.frames.pairs if (pair[0], 0) not in self._touches.moved]
            frames = len(self._base.frames), len(self._ours.frames)
            return Slot(FILE, 0, _before(self._mine.frames, stay, slot.number, *frames))
        place = self._node((slot.frame, slot.node))
        if place is None:
            return None
        known = self._mine.pairings.get((slot.frame, slot.node))
        if known is None:
            return Slot(*place, slot.number)
        table, ours = self._base.frames[slot.frame].table, self._ours.frames[place[0]].table
        each = 2 if table.has_pairs(slot.node) else 1
        counts = table.child_count(slot.node) // each, ours.child_count(place[1]) // each
        first = table.first[slot.node] + each - 1
        stay = [pair for pair in known[2].pairs if (slot.frame, first + pair[0] * each) not in self._touches.moved]
        return Slot(*place, _before(known[2], stay, slot.number, *counts))


def _before(pairing: Pairing, pairs: Sequence[tuple[int, int]], number: int, old_count: int, new_count: int) -> int:
    """The row on the other side before which a place lies: that of the next row that both have and that stayed."""
    best = old_count, new_count
    for old, new, length in pairing.equal:
        if old + length > number:
            step = max(0, number - old)
            best = min(best, (old + step, new + step))
            break
    for old, new in pairs:
        if old >= number:
            best = min(best, (old, new))
    return best[1]


def _place(item: Item) -> Place:
    return item.frame, item.node
