"""Nearby: what is wrong with the bytes of one item, without a look at all values of a large document."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.diagnostic import Diagnostic
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.framing import Frame
from viewer.variant.items import Item
from viewer.variant.lint.lint import lint_nodes
from viewer.variant.table import NONE, NodeTable

MOST_NODES = 1 << 13
"""Of frames with more nodes only the node, what it lies in and what it begins with are looked at."""
MOST_LEVELS, MOST_INSIDE = 64, 256
MOST_CHILDREN, MOST_BYTES = 1 << 12, 1 << 18
"""Nodes with more children, or with more bytes of their own, are not looked at either."""


def findings_at(document: Document, item: Item, span: Span) -> list[Diagnostic]:
    """The findings that touch the bytes of an item, in byte order.

    Args:
        document: what the item is in.
        item: as for :func:`viewer.document.explain.explain`.
        span: its bytes, in the layer.
    """
    frame = document.frames[item.frame] if 0 <= item.frame < len(document.frames) else None
    found = list(_lints(document, item, frame)) if frame is not None and item.node >= 0 else []
    unique = {(each.code, each.span, each.node, each.part): each for each in (*document.known_diagnostics(), *found)}
    here = [each for each in unique.values() if _touches(each, span)]
    return sorted(here, key=lambda each: (each.span.start, -each.severity))


def _touches(found: Diagnostic, span: Span) -> bool:
    if not len(found.span):
        return span.start <= found.span.start <= span.end
    return found.span.start < span.end and span.start < found.span.end


def _lints(document: Document, item: Item, frame: Frame) -> Iterator[Diagnostic]:
    table = frame.table
    if len(table) <= MOST_NODES and len(table.buffer) <= MOST_BYTES:
        yield from document.lints(item.frame)
        return
    nodes = sorted({*_around(table, item.node), *_inside(table, item.node)}, key=table.start.__getitem__)
    for found in lint_nodes(table, [node for node in nodes if _is_quick(table, node)]):
        yield found.located(item.frame, frame.start)


def _is_quick(table: NodeTable, node: int) -> bool:
    own = table.head_end(node) - table.start[node]
    return table.child_count(node) <= MOST_CHILDREN and own <= MOST_BYTES


def _around(table: NodeTable, node: int) -> Iterator[int]:
    """A node and what it lies in, the outermost ones of very many left out."""
    for _ in range(MOST_LEVELS):
        if node == NONE:
            return
        yield node
        node = table.parent[node]


def _inside(table: NodeTable, node: int) -> list[int]:
    """The first nodes in a node."""
    found: list[int] = []
    waiting = [node]
    while waiting and len(found) < MOST_INSIDE:
        some = table.children(waiting.pop())[: MOST_INSIDE - len(found)]
        inside = [child for child in some if table.parent[child] != NONE]
        found += inside
        waiting += reversed(inside)
    return found
