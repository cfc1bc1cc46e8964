"""Which rows of the tree are open, and where they are after the document's structure has changed."""

from __future__ import annotations

from viewer.document import outline
from viewer.document.document import Change, Document
from viewer.document.path import PathError, format_path, parse_path
from viewer.document.shown.rows import LEAF, Rows
from viewer.document.splice import moved
from viewer.variant.items import Item

REMEMBERED = 200


class Expansion:
    """The numbers of all holders whose rows are shown (see :class:`~viewer.document.shown.rows.Rows`)."""

    def __init__(self) -> None:
        self.open: set[int] = set()
        self._lost: dict[str, int] = {}

    def forget(self) -> None:
        """Another document is shown."""
        self.open.clear()
        self._lost.clear()

    def carry(self, old: Document, old_rows: Rows, new: Document, new_rows: Rows, change: Change) -> list[int]:
        """The holders that are open after a change of structure.

        What an edit took away is remembered by its path: an undo that brings it back opens it again.
        """
        found: list[int] = []
        wanted = dict(self._lost)
        for holder in self.open:
            item, page = old_rows.held(holder)
            there = _holder(new_rows, same_item(old, item, new, change), page)
            if there != LEAF:
                found.append(there)
            elif len(wanted) < REMEMBERED:
                wanted[format_path(old, item)] = page
        self._lost = {}
        for path, page in wanted.items():
            there = _holder(new_rows, _named(new, path), page)
            if there != LEAF:
                found.append(there)
            else:
                self._lost[path] = page
        self.open.clear()
        return found


def same_item(old: Document, item: Item, new: Document, change: Change) -> Item | None:
    """Where a node (or gap) is after a change: it starts at the same byte, wherever that was moved to."""
    at = moved(outline.span(old, item).start, change.splices)
    there = outline.item_at(new, at)
    if there is None:
        return None
    whole = Item(there.frame, there.node) if there.node >= 0 else there
    return whole if outline.span(new, whole).start == at else None


def _named(document: Document, path: str) -> Item | None:
    try:
        item = parse_path(document, path)
    except PathError:
        return None
    return item if item.node >= 0 and not item.part else None


def _holder(rows: Rows, item: Item | None, page: int) -> int:
    """The number under which an item's rows stand, or those of one of its pages; LEAF where it has none."""
    place = rows.place(item) if item is not None and item.node >= 0 else None
    holder = rows.holder(*place) if place is not None else LEAF
    if page >= 0 and holder != LEAF:
        holder = rows.holder(holder, page) if page < rows.count(holder) else LEAF
    return holder if rows.count(holder) else LEAF
