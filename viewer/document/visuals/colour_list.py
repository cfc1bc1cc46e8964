"""The colours that a value holds: one, or those of an array of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from viewer.base.record import dataclass
from viewer.base.words import counted
from viewer.document import outline
from viewer.document.document import Document
from viewer.variant.dialect import LISTS, Kind
from viewer.variant.elements import element, element_count
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

Colour: TypeAlias = tuple[float, float, float, float]
COLOUR = "Color"
MOST_LOOKED_AT = 64
"""So many values of an Array are looked at before it counts as one of colours; the others may be anything."""


@dataclass(frozen=True, slots=True)
class ColourList:
    """Colours, read when they are asked for.

    Args:
        item: the value that holds them.
        words: what it is, in a few words.
        count: how many.
        at: one of them; None where there is another value.
        item_at: its item.
    """

    item: Item
    words: str
    count: int
    at: Callable[[int], Colour | None]
    item_at: Callable[[int], Item]


def colours_of(document: Document, item: Item) -> ColourList | None:
    """The colours of a value or, of one in an array of them, those of the array; None where there are none."""
    frame = outline.node_frame(document, item)
    if frame is None:
        return None
    for at in (Item(item.frame, item.node), outline.parent_item(document, Item(item.frame, item.node))):
        found = _of_node(frame.table, at) if at is not None else None
        if found is not None and (found.count > 1 or at != item):
            return found
    return _lone(frame.table, Item(item.frame, item.node))


def _of_node(table: NodeTable, item: Item) -> ColourList | None:
    row = table.row(item.node)
    if row is None or table.is_name(item.node):
        return None
    if row.kind is Kind.PACKED and row.chip == "[c":
        return ColourList(
            item,
            f"{row.name}, {counted(element_count(table, item.node), 'colour')}",
            element_count(table, item.node),
            lambda index: _colour(element(table, item.node, index).value),
            lambda index: Item(item.frame, item.node, f"[{index}]"),
        )
    children = table.children(item.node) if row.kind in LISTS else ()
    if children and all(_is_colour(table, child) for child in children[:MOST_LOOKED_AT]):
        return _listed(table, item, children, f"{row.name}, {counted(len(children), 'colour')}")
    return None


def _lone(table: NodeTable, item: Item) -> ColourList | None:
    return _listed(table, item, [item.node], COLOUR) if _is_colour(table, item.node) else None


def _listed(table: NodeTable, item: Item, nodes: Sequence[int], words: str) -> ColourList:
    def at(index: int) -> Colour | None:
        return _colour(read_shallow(table, nodes[index]).data) if _is_colour(table, nodes[index]) else None

    return ColourList(item, words, len(nodes), at, lambda index: Item(item.frame, nodes[index]))


def _is_colour(table: NodeTable, node: int) -> bool:
    row = table.row(node)
    return row is not None and row.name == COLOUR


def _colour(data: object) -> Colour | None:
    return data if isinstance(data, tuple) and len(data) == 4 else None
