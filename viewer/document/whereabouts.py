"""Whereabouts: where a person is in a document, and where they come to when they go elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from viewer.base.span import Span
from viewer.document import outline
from viewer.document.anchor import Anchor
from viewer.document.document import Document
from viewer.document.places import Places
from viewer.variant.items import Item


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a person is in a document.

    Args:
        item: the selected item, None for none; while the bytes are still to be read it may be one that is gone.
        caret: offset of the caret in the layer.
        marked: the selected bytes, None where no run is selected.
        anchor: the item, known well enough to be found in other bytes.
        places: where the person has been; the same for all whereabouts in one document.
    """

    item: Item | None = None
    caret: int = 0
    marked: Span | None = None
    anchor: Anchor = field(default_factory=Anchor)
    places: Places = field(default_factory=Places)

    def on(self, document: Document, item: Item) -> Whereabouts:
        """On an item, at its first byte; the caret stays where it is if it stands in this node already."""
        span = outline.span(document, item)
        stays = item == self.item and item.part == "" and self.caret in span
        return self.to(document, item, self.caret if stays else span.start)

    def at(self, document: Document, offset: int, marked: Span | None = None) -> Whereabouts:
        """At a byte, or behind the last one, on the deepest item there; while that is not known, the item stays."""
        offset = max(0, min(offset, len(document.buffer)))
        if document.task is None:
            return self.to(document, outline.item_at(document, min(offset, len(document.buffer) - 1)), offset, marked)
        return replace(self, caret=offset, marked=marked, anchor=self.anchor if offset == self.caret else Anchor())

    def focused(self, document: Document, start: int) -> Whereabouts | None:
        """On the value that begins at *start*; None where there is nothing."""
        item = outline.item_at(document, start)
        return None if item is None else self.to(document, outline.row_item(document, item), start)

    def again(self, document: Document, anchor: Anchor, caret: int) -> Whereabouts | None:
        """On what *anchor* leads to, without one at the very beginning on the first value; None where that is gone."""
        item = anchor.find(document)
        if item is None and not anchor.path and caret == 0 and outline.exists(document, Item(0, 0)):
            item = Item(0, 0)
        if item is None:
            return None
        span = outline.span(document, item)
        return self.to(document, item, caret if caret in span else span.start)

    def to(self, document: Document, item: Item | None, caret: int, marked: Span | None = None) -> Whereabouts:
        """On an item, at a byte of it."""
        return replace(self, item=item, caret=caret, marked=marked, anchor=Anchor.of(document, item))

    def value_span(self, document: Document) -> Span | None:
        """The bytes of the selected node (of the whole value when one of its parts is selected); None for none."""
        if self.item is None:
            return None
        whole = Item(self.item.frame, self.item.node, "" if self.item.node >= 0 else self.item.part)
        try:
            return outline.span(document, whole)
        except KeyError:
            return None

    def row_start(self, document: Document) -> int | None:
        """Where what the selected row of the tree shows begins: a node, an element or a gap; None for none."""
        if self.item is None or not outline.exists(document, self.item):
            return None
        return outline.span(document, outline.row_item(document, self.item)).start
