"""Which rows of the tree are open, and where they are after the document's structure has changed."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.base.record import dataclass, field
from viewer.document.splice import Splice
from viewer.document.viewmodel.follower import Follower
from viewer.document.viewmodel.rows import LEAF, LOW_MASK, TOP, Place, RowIndex

REMEMBERED = 100
MOST_ASLEEP = 5000


@dataclass(slots=True)
class ExpansionChange:
    """One change, so that what it closed can be opened again where it is taken back.

    Args:
        splices: what it wrote.
        reading: dialect, precision and framing before it.
        lost: the holders before it that had no place after it.
        before: of each holder after it the one before it; None where all stayed the same.
        top: the row at the top of the view before it, and its y coordinate.
        current: the current row before it.
        selected: the selected rows before it, where there were several.
        hid: whether one of these was not so any more after it.
    """

    splices: tuple[Splice, ...]
    reading: object
    lost: set[int] = field(default_factory=set)
    before: dict[int, int] | None = None
    top: tuple[Place, int] | None = None
    current: Place | None = None
    selected: tuple[Place, ...] = ()
    hid: bool = False

    def back(self, holder: int) -> int:
        """The holder before the change that is *holder* after it, LEAF where there was none."""
        return holder if self.before is None else self.before.get(holder, LEAF)


class Expansion:
    """The numbers of all holders whose rows are shown (see :class:`~viewer.document.viewmodel.rows.RowIndex`).

    Each change leaves a step. A later change that leads back to the bytes before it (an undo, or a redo) opens again
    what the step could not carry, although the numbers mean nothing in between.

    Of the open holders :attr:`lent` are those that nobody opened: they are open as long as the table is in them.

    Values that are not read any more since bytes before them are broken sleep, known by their first byte: they are open
    again as soon as they are read again.
    """

    def __init__(self) -> None:
        self.open: set[int] = set()
        self.lent: set[int] = set()
        self._asleep: set[tuple[int, int]] = set()
        self._done: list[ExpansionChange] = []
        self._undone: list[ExpansionChange] = []

    def forget(self) -> None:
        """Another document is shown."""
        self.open.clear()
        self.lent.clear()
        self._asleep.clear()
        self._done.clear()
        self._undone.clear()

    def note(self, rows: RowIndex, splices: tuple[Splice, ...]) -> tuple[ExpansionChange, ExpansionChange | None]:
        """A change left all rows where they are; returns the same as :meth:`carry`."""
        steps, stack = self._taken_back(splices, rows)
        own = ExpansionChange(splices, _reading(rows))
        _push(stack, own)
        return own, _earliest(steps)

    def carry(self, follower: Follower, splices: tuple[Splice, ...]) -> tuple[ExpansionChange, ExpansionChange | None]:
        """Make :attr:`open` the holders that are open after a change of structure.

        Returns:
            The step of this change; and the earliest one that it took back, None where it took none back. That says
            that it hid something where any of them did.
        """
        steps, stack = self._taken_back(splices, follower.new)
        exact = {holder: holder for holder in self.open} if steps else {}
        restored: set[int] = set()
        for step in steps:
            exact = {holder: back for holder, there in exact.items() if (back := step.back(there)) != LEAF}
            restored = {back for holder in restored if (back := step.back(holder)) != LEAF} | step.lost
        new = follower.new
        moved = {holder: exact[holder] if holder in exact else follower.holder(holder) for holder in sorted(self.open)}
        lost = {holder for holder, there in moved.items() if there == LEAF}
        before = {there: holder for holder, there in moved.items() if there != LEAF}
        self.lent = {there for there, holder in before.items() if holder in self.lent}
        self.open = set(before) | {holder for holder in restored if new.has(holder)} | self._awake(follower, lost)
        own = ExpansionChange(splices, _reading(follower.old), lost, before)
        _push(stack, own)
        return own, _earliest(steps)

    def _awake(self, follower: Follower, lost: set[int]) -> set[int]:
        """The holders that slept and are read again; those that are lost now sleep, if their first byte is there."""
        asleep = {(follower.follow(offset), low) for offset, low in self._asleep}
        for holder in lost:
            if follower.old.is_node(holder):
                asleep.add((follower.landed(*follower.old.node(holder)), holder & LOW_MASK))
        self._asleep, awake = set(), set()
        for offset, low in asleep:
            if offset is None:
                continue
            there = follower.starting(offset)
            holder = follower.new.key(*there) | low if there is not None else LEAF
            if holder != LEAF and follower.new.has(holder):
                awake.add(holder)
            elif len(self._asleep) < MOST_ASLEEP:
                self._asleep.add((offset, low))
        return awake

    def _taken_back(
        self, splices: tuple[Splice, ...], rows: RowIndex
    ) -> tuple[list[ExpansionChange], list[ExpansionChange]]:
        """The steps that a change takes back, the latest first, and the list for the step of the change itself."""
        for stack, other in ((self._done, self._undone), (self._undone, self._done)):
            count = _matching(stack, splices, _reading(rows))
            if count:
                steps = stack[-count:][::-1]
                del stack[-count:]
                return steps, other
        self._undone.clear()
        return [], self._done


def _earliest(steps: list[ExpansionChange]) -> ExpansionChange | None:
    """The earliest of steps that are taken back together, the latest first."""
    if not steps:
        return None
    steps[-1].hid = any(step.hid for step in steps)
    return steps[-1]


def _reading(rows: RowIndex) -> object:
    document = rows.document
    return document.dialect.key, document.precision, document.framing


def _push(stack: list[ExpansionChange], step: ExpansionChange) -> None:
    stack.append(step)
    del stack[:-REMEMBERED]


def _matching(stack: list[ExpansionChange], splices: tuple[Splice, ...], reading: object) -> int:
    """How many of the last steps a change takes back, 0 for none: several where they were merged into one edit."""
    inverse = tuple(splice.inverse for splice in reversed(splices))
    at = len(inverse)
    for count, step in enumerate(reversed(stack), 1):
        first = at - len(step.splices)
        if first < 0 or step.splices != inverse[first:at]:
            return 0
        at = first
        if at == 0 and step.reading == reading:
            return count
    return 0


def deepest_shown(rows: RowIndex | None, open_holders: Iterable[int], top: int = TOP) -> int:
    """The level of the deepest rows that are shown: those of an open holder whose row is shown itself below *top*."""
    if rows is None:
        return 0
    held = sorted(((rows.depth(holder), holder) for holder in open_holders if rows.has(holder)), reverse=True)
    known = {top, *(holder for _, holder in held)}
    hidden = set[int]()
    for depth, holder in held:
        line = [holder]
        while line[-1] not in (top, TOP) and line[-1] in known and line[-1] not in hidden:
            place = rows.above(line[-1])
            assert place is not None
            line.append(place[0])
        if line[-1] == top:
            return depth
        hidden.update(line)
    return 0
