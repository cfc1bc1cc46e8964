"""Structure: values and entries inserted, taken away, doubled and carried elsewhere, as one edit with every fix-up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.frames import BARE, STORED, FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder, Write
from viewer.document.edits.fragment import Fragment, FragmentFitter, element_type, taken
from viewer.document.edits.slots import FILE, Collection, EditError, Slot, collection, slot_of
from viewer.document.path import ItemPath, item_path
from viewer.document.readers.file_structure import EntryRun
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.dialect import NAMED, Kind
from viewer.variant.expected import expected
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

# Entries: fields that a number elsewhere counts; the number follows.


def entry_of(document: Document, item: Item) -> tuple[EntryRun, int] | None:
    """The entry that an item is, with the run of entries that it belongs to; None where it is none.

    A field is an entry where it is all of it; a value stands for the entry that it lies in.
    """
    structure = document.structure
    if structure is None or not structure.counted:
        return None
    frame = outline.frame_of(document, item)
    if frame is not None and (item.node or item.part):
        return None
    if frame is None and outline.field_of(document, item) is None:
        return None
    span = outline.span(document, item) if frame is None else frame.span
    found: tuple[EntryRun, int] | None = None
    for run in structure.counted:
        place = bisect_right(run.entries, span.start, key=lambda each: each.start) - 1
        if place < 0 or span.end > run.entries[place].end:
            continue
        entry = run.entries[place]
        is_less = found is None or len(entry) < len(found[0].entries[found[1]])
        if is_less and (entry == span or frame is not None):
            found = run, place
    return found


def are_entries(document: Document, items: Iterable[Item]) -> bool:
    """Whether all of some items are entries, and there is one."""
    found = [entry_of(document, item) is not None for item in items]
    return bool(found) and all(found)


def delete_entries(document: Document, items: Sequence[Item], label: str = "Delete") -> Edit:
    """The edit that takes entries away.

    Raises:
        EditError: other bytes depend on one of them.
    """

    def take(rework: EditBuilder, span: Span) -> None:
        rework.write(-1, span, b"")

    return _edit(document, items, label, -1, take)


def duplicate_entries(document: Document, items: Sequence[Item]) -> Edit:
    """The edit that puts a copy of each entry behind it.

    Raises:
        EditError: other bytes depend on one of them, or there would be too many.
    """

    def double(rework: EditBuilder, span: Span) -> None:
        rework.add(Write(Span(span.end, span.end), rework.old(span), -1, span))

    return _edit(document, items, "Duplicate", 1, double)


def _edit(
    document: Document, items: Sequence[Item], label: str, by: int, do: Callable[[EditBuilder, Span], None]
) -> Edit:
    found = {(id(entry[0]), entry[1]): entry for item in items if (entry := entry_of(document, item)) is not None}
    rework, counts = EditBuilder(document), dict[int, tuple[EntryRun, int]]()
    for run, place in found.values():
        span = run.entries[place]
        _check(document, run, span)
        do(rework, span)
        counts[id(run)] = run, counts.get(id(run), (run, 0))[1] + by
    for run, change in counts.values():
        try:
            new = run.word.written(run.word.says(rework.old(run.word.span)) + change)
        except OverflowError:
            raise EditError("The number of these entries cannot be written in its place.") from None
        rework.write(-1, run.word.span, new)
    name = item_path(document, items[0]) if len(found) == 1 else CountLabel(len(found), "entry")
    return rework.edit(EditLabel("{} {}", (label, name)))


def _check(document: Document, run: EntryRun, span: Span) -> None:
    """No entry is copied or taken away that says where other bytes lie: they would belong to nobody, or to two."""
    structure = document.structure
    if structure is not None and sum(each.word == run.word for each in structure.counted) > 1:
        raise EditError("The number of these entries counts others too; they belong together.")
    if structure is not None and any(span.start <= word.span.start < span.end for word in structure.offsets):
        raise EditError("This entry says where other bytes are; it cannot be copied or deleted without them.")


# Values.


NOTHING = "Nothing is selected that could be changed; choose a value in the tree."


def insert(
    document: Document,
    slot: Slot,
    fragments: Sequence[Fragment],
    label: str = "Insert",
    renames: bool = True,
    lost: list[str] | None = None,
) -> Edit:
    """The edit that puts values into a slot, in their order.

    Args:
        document: what is changed.
        slot: where they go.
        fragments: the values; those for a dictionary or object without a key get a new one.
        label: what undo calls it.
        renames: whether a key that is there already gets a number; else both stand there, and are marked.
        lost: takes sentences about what changes where a value has another type or dialect; None refuses instead.

    Raises:
        EditError: the collection cannot hold them.
    """
    if not fragments:
        raise EditError(NOTHING)
    held, rework = collection(document, slot), EditBuilder(document)
    numbers = put_rows(rework, held, slot, fragments, FragmentFitter(held, renames, lost=lost))
    words = _label(label, len(fragments))
    if slot.frame != FILE:
        words = EditLabel("{} in {}", (words, item_path(document, Item(slot.frame, slot.node))))
    return rework.edit(words, (), tuple(numbers))


def delete(document: Document, items: Iterable[Item], label: str = "Delete") -> Edit:
    """The edit that takes values away; the next one, else the one before or the collection, is selected then.

    Raises:
        EditError: an item is no value with a row of its own.
    """
    items = list(items)
    if document.structure is not None and document.structure.counted and are_entries(document, items):
        return delete_entries(document, items, label)
    slots = _slots(document, items)
    rework = EditBuilder(document)
    for slot in slots:
        remove_row(rework, collection(document, slot), slot.number)
    before = tuple(collection(document, slot).value_start(slot.number) for slot in slots)
    name = _name(document, slots)
    return rework.edit(EditLabel("{} {}", (label, name)), before, (), _left(document, slots))


def duplicate(document: Document, items: Iterable[Item]) -> Edit:
    """The edit that puts a copy of each value behind it.

    Raises:
        EditError: an item is no value with a row of its own, or its collection holds one value only.
    """
    items = list(items)
    if document.structure is not None and document.structure.counted and are_entries(document, items):
        return duplicate_entries(document, items)
    slots, rework = _slots(document, items), EditBuilder(document)
    numbers: list[int] = []
    fitters: dict[tuple[int, int], FragmentFitter] = {}
    for slot in slots:
        held = collection(document, slot)
        fitter = fitters.setdefault((slot.frame, slot.node), FragmentFitter(held))
        behind = Slot(slot.frame, slot.node, slot.number + 1)
        numbers += put_rows(rework, held, behind, [taken(document, held.item(slot.number))], fitter)
    before = tuple(collection(document, slot).value_start(slot.number) for slot in slots)
    return rework.edit(EditLabel("Duplicate {}", (_name(document, slots),)), before, tuple(numbers))


def move(document: Document, items: Iterable[Item], target: Slot) -> Edit:
    """The edit that carries values to a slot; an edit without splices where they are there already.

    Raises:
        EditError: the slot lies inside one of them, or its collection cannot hold them.
    """
    slots, rework = _slots(document, items), EditBuilder(document)
    goal = collection(document, target)
    home = (target.frame, target.node)
    leaving = frozenset(slot.number for slot in slots if (slot.frame, slot.node) == home)
    if leaving and len(leaving) == len(slots) and _is_there(leaving, target.number):
        return Edit("Move", ())
    fitter = FragmentFitter(goal, leaving=leaving)
    place, numbers = goal.offset(target.number), []
    for slot in slots:
        held = collection(document, slot)
        span = held.span(slot.number)
        if span.start < place < span.end or _holds(held, slot, target):
            raise EditError("A value cannot be moved into itself; choose another place.")
        if (slot.frame, slot.node) == home:
            numbers.append(_carry(rework, held, span, place, target))
        else:
            numbers += put_rows(rework, goal, target, [taken(document, held.item(slot.number))], fitter)
            rework.carried(numbers[-1], Span(held.value_start(slot.number), span.end))
            remove_row(rework, held, slot.number)
    before = tuple(collection(document, slot).value_start(slot.number) for slot in slots)
    return rework.edit(EditLabel("Move {}", (_name(document, slots),)), before, tuple(numbers))


def shift(document: Document, items: Iterable[Item], by: int) -> Edit:
    """The edit that moves values one row up (-1) or down (1) among their neighbours.

    Raises:
        EditError: they are at the end of their collection already.
    """
    slots, rework = _slots(document, items), EditBuilder(document)
    homes = {(slot.frame, slot.node) for slot in slots}
    if len(homes) > 1:
        raise EditError("Only values of one collection can be moved together; select them in one place.")
    held = collection(document, slots[0])
    starts, moved = [held.value_start(slot.number) for slot in slots], False
    for first, last in _runs([slot.number for slot in slots]):
        neighbour = first - 1 if by < 0 else last + 1
        if 0 <= neighbour < len(held):
            to = held.offset(last + 1) if by < 0 else held.offset(first)
            _carry(rework, held, held.span(neighbour), to, slots[0])
            moved = True
    if not moved:
        raise EditError("There is no row beyond this one in its collection.")
    word = "up" if by < 0 else "down"
    return rework.edit(EditLabel("Move {} {}", (_name(document, slots), word)), tuple(starts), (), tuple(starts))


# Parts of an edit


def put_rows(
    rework: EditBuilder, held: Collection, slot: Slot, fragments: Sequence[Fragment], fitter: FragmentFitter
) -> list[int]:
    """Gather rows that come into being; returns the numbers of the writes that hold the values."""
    place, values = held.offset(slot.number), []
    if slot.frame != FILE and slot.number == len(held) and held.missing_fill:
        rework.write(_frame_of(slot), Span(place, place), held.missing_fill)
    for fragment in fragments:
        fitted = fitter.fit(fragment)
        if fitted.before:
            key = fitted.raw[: fitted.before]
            is_name = held.row is not None and held.row.kind in NAMED
            rework.write(_frame_of(slot), Span(place, place), rework.named(key) if is_name else key)
        values.append(rework.write(_frame_of(slot), Span(place, place), fitted.raw[fitted.before :]))
        if held.has_padding:
            rework.grow(slot.frame, slot.node, len(fitted.raw))
    if slot.frame != FILE:
        rework.count(slot.frame, slot.node, len(fragments))
    return values


def remove_row(rework: EditBuilder, held: Collection, number: int) -> None:
    """Gather a row that goes."""
    span = held.span(number)
    rework.write(held.frame if held.frame != FILE else -1, span, b"")
    if held.has_padding:
        rework.grow(held.frame, held.node, -len(span))
    if held.frame != FILE:
        rework.count(held.frame, held.node, -1)


def _carry(rework: EditBuilder, held: Collection, span: Span, to: int, slot: Slot) -> int:
    """Carry a row within its collection, or a frame within the file; returns the number of the write with its value."""
    return rework.carry(span, _frame_of(slot), to, _frame_of(slot))


def _frame_of(slot: Slot) -> int:
    return slot.frame if slot.frame != FILE else -1


# What is selected


def _slots(document: Document, items: Iterable[Item]) -> list[Slot]:
    """The slots of the items in the order of their bytes, without those that lie inside others."""
    found = {slot_of(document, item) for item in items}
    if not found:
        raise EditError(NOTHING)
    spans = sorted(((collection(document, slot).span(slot.number), slot) for slot in found), key=lambda each: each[0])
    out: list[Slot] = []
    end = -1
    for span, slot in spans:
        if span.start >= end:
            out.append(slot)
            end = span.end
    return out


def _left(document: Document, slots: Sequence[Slot]) -> tuple[int, ...]:
    """Where, before the edit, the value begins that is selected once these are gone."""
    last = slots[-1]
    held = collection(document, last)
    gone = {slot.number for slot in slots if (slot.frame, slot.node) == (last.frame, last.node)}
    for number in (*range(last.number + 1, min(len(held), last.number + 2)), *range(last.number - 1, -1, -1)):
        if number not in gone:
            return (held.value_start(number),)
    return (held.start + held.table.start[held.node],) if last.frame != FILE else ()


def _holds(held: Collection, slot: Slot, target: Slot) -> bool:
    """Whether a slot lies in the value that stands in another one."""
    if target.frame == FILE or held.is_packed:
        return False
    if slot.frame == FILE:
        return slot.number == target.frame
    node, above = held.item(slot.number).node, target.node
    while slot.frame == target.frame and above > node:
        above = held.table.parent[above]
    return slot.frame == target.frame and above == node


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of consecutive numbers."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _is_there(numbers: frozenset[int], target: int) -> bool:
    """Whether rows stand where they should go: a run of which the slot is the first place, the last or in between."""
    first, last = min(numbers), max(numbers)
    return last - first + 1 == len(numbers) and first <= target <= last + 1


def _name(document: Document, slots: Sequence[Slot]) -> ItemPath | CountLabel:
    if len(slots) > 1:
        return CountLabel(len(slots), "value")
    held = collection(document, slots[0])
    return item_path(document, held.item(slots[0].number))


def _label(word: str, count: int) -> str | EditLabel:
    return word if count == 1 else EditLabel("{} {}", (word, CountLabel(count, "value")))


# Offers: which types a new value may have in some place.

NEVER = frozenset({"Max", ""})


def addable(document: Document, slot: Slot) -> list[str]:
    """The types of the document's dialect that may stand in a slot, in the order of their numbers.

    Raises:
        EditError: the slot is in no collection.
    """
    held, dialect = collection(document, slot), document.dialect
    if held.is_packed and held.row is not None:
        return [element_type(held.row, dialect)]
    only = None
    if slot.frame != FILE and held.row is not None:
        only = expected(dialect, held.row.kind, held.held()[1])
    names = [row.name for row in dialect.rows if row.name in dialect.by_name and row.kind is not Kind.NULL_OBJECT]
    if document.wraps.text is not None and slot.frame != FILE:
        from viewer.document.edits.text_limits import only_type

        one = only_type(document, slot.frame, slot.node)
        names = [name for name in names if not one or name == one]
    if only is None:
        return names
    fits = [row.name for row in dialect.rows if row.number in only.kept and row.name in names]
    return fits or names


# Reframing: a bare file becomes a stored one, each value behind its length, and back.


def to_stored(document: Document) -> Edit:
    """The edit that puts the length of each value before it, as ``store_var`` does.

    Raises:
        EditError: they have lengths already, or there is no value.
    """
    if document.framing.kind is FramingKind.STORED:
        raise EditError("The values of this file have length prefixes already.")
    _need_values(document)
    rework = EditBuilder(document)
    for frame in document.frames:
        start = frame.cut.payload.start
        rework.write(-1, Span(start, start), len(frame.cut.payload).to_bytes(4, "little"))
    return replace(rework.edit("Add length prefixes"), framing=(document.framing, STORED))


def to_bare(document: Document) -> Edit:
    """The edit that takes the length of the only value away, as ``var_to_bytes`` gives it.

    Raises:
        EditError: there is no length, or there are several values.
    """
    if document.framing.kind is not FramingKind.STORED:
        raise EditError("The values of this file have no length prefixes.")
    _need_values(document)
    if len(document.frames) > 1 or document.gaps:
        raise EditError("A bare file holds one value and nothing else; delete the others first.")
    prefix = document.frames[0].cut.prefix
    assert prefix is not None
    rework = EditBuilder(document)
    rework.write(-1, prefix, b"")
    return replace(rework.edit("Remove the length prefix"), framing=(document.framing, BARE))


def _need_values(document: Document) -> None:
    if not document.frames:
        raise EditError("There is no value in this file.")


# Sorting: the pairs of a dictionary in the order of their keys.

NUMBERS, TEXTS, OTHERS = 0, 1, 2
Rank = tuple[int, float, str, str]


def sort_keys(document: Document, item: Item) -> Edit:
    """The edit that puts the pairs of a dictionary, or the properties of an object, in the order of their keys.

    Numbers come first, by size; then texts, by letters in either case; other keys stay in their order behind them.

    Raises:
        EditError: the item has no keys, or they are in order already.
    """
    held = Collection(document, item.frame, item.node)
    if not held.has_keys:
        raise EditError("This value has no keys; choose a dictionary or an object.")
    ranks = [_rank(held.table, held.key(number)) for number in range(len(held))]
    order = sorted(range(len(held)), key=ranks.__getitem__)
    if order == sorted(order):
        raise EditError("These keys are in order already.")
    rework, begin = EditBuilder(document), held.offset(0)
    for number in order:
        rework.carry(held.span(number), item.frame, begin, item.frame)
    start = held.start + held.table.start[item.node]
    return rework.edit(
        EditLabel("Sort {}", (item_path(document, Item(item.frame, item.node)),)), (start,), (), (start,)
    )


def _rank(table: NodeTable, node: int) -> Rank:
    data = read_shallow(table, node).data
    if isinstance(data, int | float) and data == data:
        return NUMBERS, data, "", ""
    if isinstance(data, str):
        return TEXTS, 0, data.casefold(), data
    return OTHERS, 0, "", ""
