"""Taking a side: the edit that makes the old side of a comparison say what the new one says."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.base.record import dataclass
from viewer.document.compare.change_steps import ChangeStep, StepKind, key_item, planned_steps
from viewer.document.compare.difference import DocumentComparison, ValueDifference
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.fragment import FragmentFitter, taken
from viewer.document.edits.setting import node_bytes
from viewer.document.edits.slots import Collection, EditError, Slot, collection, slot_of
from viewer.document.edits.structure import put_rows, remove_row
from viewer.document.outline import span
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.translate import translate
from viewer.variant.encode import EncodeError, property_name
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Value


@dataclass(frozen=True, slots=True)
class TakenSide:
    """What taking a side comes to.

    Args:
        edit: the edit of the old side.
        left: the rows that could not be taken.
        losses: what of the values has no place in the engine line of the old side, a sentence each.
    """

    edit: Edit
    left: tuple[ValueDifference, ...]
    losses: tuple[str, ...]


def take(comparison: DocumentComparison, rows: Iterable[ValueDifference] | None = None) -> TakenSide:
    """The edit of the old side that makes these rows say what the new side says, by default all of them.

    Raises:
        EditError: a value cannot stand where it would have to.
    """
    plan = planned_steps(comparison, rows)
    taker = StepTaker(comparison.old, comparison.new)
    for step in (*plan.changes, *plan.added):
        taker.do(step)
    count = len(plan.changes) + len(plan.added)
    edit = taker.rework.edit(EditLabel("Take {}", (CountLabel(count, "difference"),)))
    return TakenSide(edit, plan.left, tuple(taker.losses))


class StepTaker:
    """Gathers the writes of steps that make one document say what another one says.

    Args:
        old: the document that is edited.
        new: where values come from.
    """

    def __init__(self, old: Document, new: Document) -> None:
        self._old, self._new = old, new
        self.rework = EditBuilder(old)
        self.losses: list[str] = []
        self._held: dict[tuple[int, int], Collection] = {}
        self._fitters: dict[tuple[int, int], FragmentFitter] = {}

    def do(self, step: ChangeStep) -> None:
        """Gather what a step writes."""
        old, new, rework = step.old, step.new, self.rework
        if step.kind is StepKind.ADD and new is not None and step.slot is not None:
            held, fitter = self._collection(step.slot)
            put_rows(rework, held, step.slot, [taken(self._new, new)], fitter)
        elif step.kind is StepKind.REMOVE and old is not None:
            slot = slot_of(self._old, old)
            remove_row(rework, self._collection(slot)[0], slot.number)
        elif old is not None and new is not None:
            if step.kind is StepKind.BYTES:
                found = span(self._new, new)
                rework.write(max(old.frame, -1), span(self._old, old), bytes(self._new.buffer[found.start : found.end]))
            elif step.kind is StepKind.RENAME:
                key, other = key_item(self._old, old), key_item(self._new, new)
                if key is not None and other is not None:
                    self._set(key, other)
            elif old.part:
                self._set_element(old, new)
            else:
                self._set(old, new)

    def _collection(self, slot: Slot) -> tuple[Collection, FragmentFitter]:
        place = slot.frame, slot.node
        if place not in self._held:
            self._held[place] = collection(self._old, slot)
            self._fitters[place] = FragmentFitter(self._held[place], renames=False, lost=self.losses)
        return self._held[place], self._fitters[place]

    def _set_element(self, old: Item, new: Item) -> None:
        slot = slot_of(self._old, old)
        held, fitter = self._collection(slot)
        place, raw = held.span(slot.number), fitter.fit(taken(self._new, new)).raw
        self.rework.write(old.frame, place, raw)
        if held.has_padding:
            self.rework.grow(old.frame, old.node, len(raw) - len(place))

    def _set(self, old: Item, new: Item) -> None:
        """Put a value, or a key, in the place of another; as it is written where both sides are of one engine line."""
        frame, table = self._old.frames[old.frame], self._old.frames[old.frame].table
        other = self._new.frames[new.frame].table
        is_alike = table.dialect is other.dialect and table.names is None and other.names is None
        if is_alike and self._old.precision is self._new.precision and not other.gaps:
            raw = bytes(other.buffer[other.start[new.node] : other.end(new.node)])
        else:
            raw = self._written(old, self._value(new))
        self.rework.write(old.frame, table.span(old.node).shifted(frame.start), raw)

    def _written(self, old: Item, value: Value) -> bytes:
        table = self._old.frames[old.frame].table
        try:
            if table.is_name(old.node):
                return self.rework.named(property_name(table, str(value.data)))
            return node_bytes(self._old, table, old.node, value)
        except EncodeError as error:
            raise EditError(str(error)) from error

    def _value(self, new: Item) -> Value:
        """A value of the new side in the engine line of the old one."""
        value, losses = translated(self._new, new, self._old)
        self.losses += [each for each in losses if each not in self.losses]
        return value


def translated(source: Document, item: Item, target: Document) -> tuple[Value, tuple[str, ...]]:
    """A value of one document in the engine line of another, and what it loses by that.

    Raises:
        EditError: it has no place there.
    """
    table = source.frames[item.frame].table
    try:
        found = translate(read(table, item.node), table.dialect, target.dialect, target.precision)
    except ConvertError as error:
        raise EditError(str(error)) from error
    return found.value, found.losses
