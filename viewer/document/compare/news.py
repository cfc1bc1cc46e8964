"""What another program changed in a file that was read again, for its rows."""

from __future__ import annotations

from viewer.document.change import NEW, ExternalChange
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, ValueDifference
from viewer.document.document import Document
from viewer.document.outline import span
from viewer.document.path import format_path
from viewer.variant.items import Item
from viewer.variant.literal.preview import part_text, text

MOST_NEWS = 10_000
"""So many changed values are told apart at most."""
TEXT_LIMIT = 60


def news(comparison: DocumentComparison) -> list[ExternalChange]:
    """The values of the new side that differ, in the order of their bytes; what is gone has no row."""
    found = []
    old, new = comparison.old, comparison.new
    for row in comparison.changes:
        if row.new is None or row.new.frame < 0 or row.new.node < 0:
            continue
        item = _item(row.new, row.new_run)
        found.append(ExternalChange(item, span(new, item), _before(old, row)))
    return sorted(found, key=lambda each: each.span.start)


def _item(item: Item, run: range | None) -> Item:
    """The value, or the only element of it that is meant."""
    return Item(item.frame, item.node, f"[{run.start}]") if run is not None and len(run) == 1 else item


def _before(old: Document, row: ValueDifference) -> str:
    """What a value was, in a few characters."""
    if row.old is None or row.kind is DifferenceKind.ADDED:
        return NEW
    if row.kind is DifferenceKind.MOVED:
        return f"at {format_path(old, row.old)}"[:TEXT_LIMIT]
    table = old.frames[row.old.frame].table
    if row.old_run is not None and len(row.old_run) == 1:
        from viewer.variant.items import part

        element = part(table, row.old.node, f"[{row.old_run.start}]")
        if element is not None:
            return part_text(element, TEXT_LIMIT)
    return text(table, row.old.node, TEXT_LIMIT)
