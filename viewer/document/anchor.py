"""Anchor: what a person has selected, kept through changes of the bytes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.document.path_reading import PathError, parse_path
from viewer.document.splice import Splice, kept
from viewer.variant.items import Item
from viewer.variant.table import NodeTable

MOST_LEVELS = 1 << 10
"""No engine reads values that nest deeper; the path of one would be longer than anybody reads."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A selected item, known well enough to be found in other bytes.

    Args:
        path: its path; empty where it lies deeper than :data:`MOST_LEVELS`.
        start: the first byte of its node in the layer, None where that byte is gone or there is no node.
        part: the name of the part of the node.
    """

    path: str = ""
    start: int | None = None
    part: str = ""

    @classmethod
    def of(cls, document: Document, item: Item | None) -> Anchor:
        """The anchor of an item as it is now."""
        if item is None:
            return cls()
        frame = outline.frame_of(document, item)
        start = frame.start + frame.table.start[item.node] if frame is not None and item.node >= 0 else None
        is_deep = frame is not None and _is_deep(frame.table, item.node)
        return cls("" if is_deep else format_path(document, item), start, item.part)

    def after(self, splices: tuple[Splice, ...]) -> Anchor:
        """The anchor in the bytes that the splices leave."""
        return self if self.start is None else replace(self, start=kept(self.start, splices))

    def find(self, document: Document) -> Item | None:
        """The value that begins at the same byte, else what has the path now; None where there is neither."""
        return self._by_byte(document) or self._by_path(document)

    def _by_byte(self, document: Document) -> Item | None:
        found = outline.item_at(document, self.start) if self.start is not None else None
        if found is None or found.node < 0:
            return None
        frame = document.frames[found.frame]
        item = Item(found.frame, found.node, self.part)
        begins = frame.start + frame.table.start[found.node] == self.start
        return item if begins and outline.exists(document, item) else None

    def _by_path(self, document: Document) -> Item | None:
        try:
            return parse_path(document, self.path) if self.path else None
        except PathError:
            return None


def _is_deep(table: NodeTable, node: int) -> bool:
    """Whether a node lies so deep that it has no path."""
    levels = 0
    while node > 0 and levels <= MOST_LEVELS:
        node, levels = table.parent[node], levels + 1
    return levels > MOST_LEVELS
