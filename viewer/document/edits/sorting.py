"""Sorting: the pairs of a dictionary in the order of their keys."""

from __future__ import annotations

from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.edits.rework import Rework
from viewer.document.edits.slots import Collection
from viewer.document.path import format_path
from viewer.document.splice import Edit
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

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
    rework, begin = Rework(document), held.offset(0)
    for number in order:
        rework.carry(held.span(number), item.frame, begin, item.frame)
    start = held.start + held.table.start[item.node]
    return rework.edit(f"Sort {format_path(document, Item(item.frame, item.node))}", (start,), (), (start,))


def _rank(table: NodeTable, node: int) -> Rank:
    data = read_shallow(table, node).data
    if isinstance(data, int | float) and data == data:
        return NUMBERS, data, "", ""
    if isinstance(data, str):
        return TEXTS, 0, data.casefold(), data
    return OTHERS, 0, "", ""
