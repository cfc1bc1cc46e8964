"""Entries: fields that a number elsewhere counts, doubled and taken away; the number follows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.byte_edit import Rework, Write
from viewer.document.edits.slots import EditError
from viewer.document.path import item_path
from viewer.document.readers.file_structure import EntryRun
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.items import Item


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

    def take(rework: Rework, span: Span) -> None:
        rework.write(-1, span, b"")

    return _edit(document, items, label, -1, take)


def duplicate_entries(document: Document, items: Sequence[Item]) -> Edit:
    """The edit that puts a copy of each entry behind it.

    Raises:
        EditError: other bytes depend on one of them, or there would be too many.
    """

    def double(rework: Rework, span: Span) -> None:
        rework.add(Write(Span(span.end, span.end), rework.old(span), -1, span))

    return _edit(document, items, "Duplicate", 1, double)


def _edit(document: Document, items: Sequence[Item], label: str, by: int, do: Callable[[Rework, Span], None]) -> Edit:
    found = {(id(entry[0]), entry[1]): entry for item in items if (entry := entry_of(document, item)) is not None}
    rework, counts = Rework(document), dict[int, tuple[EntryRun, int]]()
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
        raise EditError("This entry says where other bytes lie; it cannot be copied or taken away without them.")
