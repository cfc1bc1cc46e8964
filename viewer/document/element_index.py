"""The elements of the packed arrays of a document: how many, and where. What was hopped over is remembered."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.span import Span
from viewer.document.pieces.framing import Frame
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.elements import TextIndex
from viewer.variant.items import Item

INDEXES = 1024
"""So many packed string arrays are remembered at most."""


class ElementIndex:
    """The elements of packed arrays in some frames as they are now."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self._texts: dict[tuple[int, int], TextIndex] = {}

    def count(self, frame: int, node: int) -> int:
        """How many elements a node has: 0 for what is no packed array."""
        table = self._frames[frame].table
        row = table.row(node)
        if row is not None and row.kind is Kind.PACKED:
            return items.element_count(table, node)
        return len(self._index(frame, node)) if row is not None and row.kind is Kind.PACKED_STRINGS else 0

    def start(self, item: Item) -> int:
        """Where an element begins, a string with its length word, counted in its frame."""
        table = self._frames[item.frame].table
        row = table.row(item.node)
        if row is not None and row.kind is Kind.PACKED:
            return items.element(table, item.node, element_number(item)).span.start
        return self.string_start(item)

    def string_start(self, item: Item) -> int:
        """Where the length word of an element of a packed string array stands, counted in its frame."""
        return self._index(item.frame, item.node).start(int(item.part[1:-1]))

    def span(self, frame: int, node: int, numbers: range) -> Span | None:
        """The bytes of some elements, counted in their frame; None where finding them would take long."""
        table = self._frames[frame].table
        row = table.row(node)
        if row is not None and row.kind is Kind.PACKED:
            first, last = (items.element(table, node, number).span for number in (numbers[0], numbers[-1]))
            return Span(first.start, last.end)
        texts = self._index(frame, node)
        return Span(texts.start(numbers.start), texts.start(numbers.stop)) if texts.is_near(numbers.stop) else None

    def _index(self, frame: int, node: int) -> TextIndex:
        key = frame, node
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) >= INDEXES:
                self._texts.clear()
            found = self._texts[key] = TextIndex(self._frames[frame].table, node)
        return found


def element_number(item: Item) -> int:
    """The number of an element part ``[3]``, -1 for every other item."""
    digits = item.part[1:-1]
    return int(digits) if item.part.startswith("[") and digits.isdigit() else -1
