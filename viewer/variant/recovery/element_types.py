"""Element types: whether what is made of broken bytes keeps to what the heads of typed collections say."""

from __future__ import annotations

from viewer.variant.dialect import Kind
from viewer.variant.expected import Expected, expected
from viewer.variant.read import read_shallow
from viewer.variant.table import NONE, NodeTable
from viewer.variant.value import Array, Dictionary, ElementType

MOST_COMPARED = 1 << 10
"""So many children tell what the others are."""
RARE = 8
"""One child of so many may have another type: it is what is broken."""
TYPED = 15
"""Flags beyond these are broken themselves and say nothing of types."""


def keeps_types(table: NodeTable, node: int) -> bool:
    """Whether nearly all children of a collection have the type that its head says, and itself that of its owner's."""
    owner = table.parent[node]
    if _lacks_types(table, node) or (owner != NONE and _count_wrong(table, owner, range(node, node + 1))):
        return False
    children = table.children(node)[:MOST_COMPARED]
    return RARE * _count_wrong(table, node, children) <= len(children)


def _lacks_types(table: NodeTable, node: int) -> bool:
    """Whether the header announces a type where the children begin already."""
    rules, flags, row = table.dialect.rules, table.header(node) >> 16, table.row(node)
    typed = rules.typed_dictionaries if row is not None and row.kind is Kind.DICTIONARY else rules.typed_arrays
    first, second = _held(table, node)
    announced = (flags & 3 > 0 and first is None) or (flags >> 2 > 0 and second is None and table.has_pairs(node))
    return typed and flags <= TYPED and announced


def _count_wrong(table: NodeTable, owner: int, children: range) -> int:
    """How many of these children have a type that the head of *owner* does not allow."""
    limits = _limits(table, owner)
    if limits == (None, None):
        return 0
    mask, pairs, wrong = table.dialect.rules.header_mask, table.has_pairs(owner), 0
    for child in children:
        only = limits[pairs and (child - table.first[owner]) % 2]
        wrong += only is not None and table.header(child) & mask not in only.kept | only.changed
    return wrong


def _limits(table: NodeTable, node: int) -> tuple[Expected | None, Expected | None]:
    """What may stand in a collection, and for pairs as their values; None for everything."""
    row, held = table.row(node), _held(table, node)
    if row is None or table.header(node) >> 16 > TYPED or not all(_is_known(table, each) for each in held):
        return None, None  # what would tell is broken itself
    return expected(table.dialect, row.kind, held[0]), expected(table.dialect, row.kind, held[1])


def _is_known(table: NodeTable, held: ElementType | None) -> bool:
    return held is None or (held.builtin or 0) < len(table.dialect.rows)


def _held(table: NodeTable, node: int) -> tuple[ElementType | None, ElementType | None]:
    """What the head of a collection says that it holds, and for pairs as their values."""
    data = read_shallow(table, node).data
    if isinstance(data, Array):
        return data.element_type, None
    return (data.key_type, data.value_type) if isinstance(data, Dictionary) else (None, None)
