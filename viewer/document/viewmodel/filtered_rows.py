"""Filtered rows: some rows of a document with those above them. What stands under a row that was found is all there."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence

from viewer.base.span import Span
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.element_index import element_number
from viewer.document.viewmodel.follower import Follower
from viewer.document.viewmodel.rows import LEAF, PAGE, TOP, Place, RowIndex, bare, level_of
from viewer.variant.items import Item
from viewer.variant.table import NONE

MOST_HELD = 200_000
"""So many rows, those above the found ones counted, are held at most."""


class FilteredRows(RowIndex):
    """Rows of which only some are there. Holders have the same numbers as without the filter.

    Args:
        document: whose rows.
        items: what was found; nodes and elements.
        page: as for all rows.
    """

    is_filtered = True

    def __init__(self, document: Document, items: Iterable[Item], page: int = PAGE) -> None:
        super().__init__(document, page)
        self._shown: dict[int, list[int]] = {TOP: []}
        self._held = 0
        self.items: list[Item] = []
        self._found: set[Item] = set()
        self.add(items)

    def add(self, items: Iterable[Item]) -> None:
        """Have the rows of more items, before anybody was told of any row."""
        for item in items:
            if self._held < MOST_HELD and self._is_row(item):
                self.items.append(item)
                self._found.add(item)
                self._add(item)

    @property
    def holders(self) -> list[int]:
        """The holders of which only some rows are there: those that must be open for all that was found to be seen."""
        return [holder for holder in self._shown if holder != TOP]

    def is_above(self, holder: int, row: int) -> bool:
        """Whether a row is there only for what was found below it."""
        below = self.holder(holder, row)
        return below in self._shown and self.item(holder, row) not in self._found

    # Building

    def _is_row(self, item: Item) -> bool:
        if not 0 <= item.frame < len(self.document.frames) or item.node < 0:
            return False
        table = self.document.frames[item.frame].table
        return item.node < len(table) and (item.node == 0 or table.parent[item.node] != NONE)

    def _add(self, item: Item) -> None:
        """Have the row of an item, and all above it that are not there yet."""
        number = element_number(item)
        if number >= 0 and not self._have(self.key(item.frame, item.node), number):
            return
        node = item.node
        while self._have(*self._child(item.frame, node)) and node:
            node = self.document.frames[item.frame].table.parent[node]

    def _have(self, key: int, number: int) -> bool:
        """Put a row under a holder; False where it is there already."""
        shown = self._shown.setdefault(key, [])
        if shown and number <= shown[-1] and _has(shown, number):
            return False
        insort(shown, number)
        self._held += 1
        return True

    def _child(self, frame: int, node: int) -> tuple[int, int]:
        """The holder of a node's row, without pages, and its number there."""
        if not node:
            return TOP, self.top.number(frame)
        table = self.document.frames[frame].table
        parent = table.parent[node]
        return self.key(frame, parent), (node - table.first[parent]) // (2 if table.has_pairs(parent) else 1)

    def _is_there(self, frame: int, node: int) -> bool:
        """Whether a node's row is there: it was found, or stands above or under one that was."""
        while True:
            key, number = self._child(frame, node)
            shown = self._shown.get(key)
            if shown is not None:
                return _has(shown, number)
            node = self.document.frames[frame].table.parent[node]

    # Rows

    def count(self, holder: int) -> int:
        shown = self._shown.get(holder)
        return super().count(holder) if shown is None else len(shown)

    def holder(self, above: int, row: int) -> int:
        shown = self._shown.get(above)
        if shown is None:
            return super().holder(above, row)
        whole = self.block(above).whole
        if row >= len(shown) or (whole.frame >= 0 and not whole.first):
            return LEAF
        if whole.frame < 0:
            return self.key(self.top.frame(shown[row]), 0)
        return self.key(whole.frame, whole.child(shown[row]))

    def has_rows(self, above: int, row: int) -> bool:
        if above not in self._shown:
            return super().has_rows(above, row)
        holder = self.holder(above, row)
        return holder != LEAF and (holder in self._shown or self._has_children(*self.node(holder)))

    def has(self, holder: int) -> bool:
        if holder in self._shown:
            return bool(self._shown[holder])
        if level_of(holder) and bare(holder) in self._shown:
            return False
        return super().has(holder)

    def item(self, holder: int, row: int) -> Item:
        shown = self._shown.get(holder)
        if shown is None:
            return super().item(holder, row)
        whole, number = self.block(holder).whole, shown[row]
        if whole.frame < 0:
            return self.top.item(number)
        if whole.first:
            return Item(whole.frame, whole.child(number))
        return Item(whole.frame, whole.node, f"[{number}]")

    def page(self, holder: int, row: int) -> range | None:
        return None if holder in self._shown else super().page(holder, row)

    def page_span(self, holder: int, row: int) -> Span | None:
        return None if holder in self._shown else super().page_span(holder, row)

    def place(self, item: Item) -> Place | None:
        row = outline.row_item(self.document, item)
        if outline.is_gap(row) and row.frame >= 0:  # a gap's row is there with all others under its collection
            holder = max(row.node, 0)
            is_cut = self.key(row.frame, holder) in self._shown
            return None if is_cut or not self._is_there(row.frame, holder) else super().place(row)
        if not self._is_row(row) or not self._is_there(row.frame, row.node):
            return None
        number, shown = element_number(row), self._shown.get(self.key(row.frame, row.node))
        if number >= 0 and shown is not None and not _has(shown, number):
            row = Item(row.frame, row.node)
        return super().place(row)

    def child_place(self, key: int, number: int) -> Place:
        shown = self._shown.get(key)
        return super().child_place(key, number) if shown is None else (key, bisect_left(shown, number))


def followed(before: FilteredRows, new: RowIndex, change: Change) -> FilteredRows:
    """The same rows after a change, and those that it made; *new* are all rows then."""
    document = new.document
    follower = Follower(before, new, change.splices, change.moves)
    places = (before.place(item) for item in before.items)
    there = (follower.row(place) for place in places if place is not None)
    items = [new.item(*place) for place in there if place is not None]
    made = (outline.item_at(document, offset) for offset in change.focus)
    items += [outline.row_item(document, item) for item in made if item is not None]
    return FilteredRows(document, items, new.page_size)


def _has(shown: Sequence[int], number: int) -> bool:
    place = bisect_left(shown, number)
    return place < len(shown) and shown[place] == number
