"""Paths: ``[0].player.items[3].position.x`` to an item and back; this is how they are written.

The first segment is the frame. A key that is a String and an identifier stands behind a dot, every other key in
brackets as an engine literal; ``#2`` names the second pair with an equal key; ``@header`` and other parts stand behind
an at sign, ``@key`` for a pair's key. Fields of a value stand behind a dot: ``.x``, ``.position.x``.
"""

from __future__ import annotations

from viewer.document.document import Document
from viewer.document.keys import ranked_segment
from viewer.document.outline import GAP, frame_of, is_key, key_of
from viewer.variant import items
from viewer.variant.items import Item, Role
from viewer.variant.table import NodeTable


def format_path(document: Document, item: Item) -> str:
    """The path of an item."""
    frame = frame_of(document, item)
    if frame is None:
        return f"@{GAP}{-1 - item.frame}"
    if item.node < 0:
        return f"[{item.frame}]@{item.part}"
    return f"[{item.frame}]" + "".join(segments(frame.table, item.node)) + part_suffix(frame.table, item)


def segments(table: NodeTable, node: int) -> list[str]:
    """The segments from the root's child down to *node*."""
    out: list[str] = []
    while node > 0:
        out.append(segment(table, node))
        node = table.parent[node]
    return out[::-1]


def segment(table: NodeTable, node: int) -> str:
    """What a node adds to its parent's path: ``.gold``, ``[3]``, ``["any key"]#2``."""
    if is_key(table, node):
        return f"{ranked_segment(table, node)}@key"
    key = key_of(table, node)
    return f"[{table.index(node)}]" if key is None else ranked_segment(table, key)


def part_suffix(table: NodeTable, item: Item) -> str:
    """What a part adds to its node's path: ``.x``, ``[3]``, ``@count``."""
    if not item.part:
        return ""
    if item.part.startswith("["):
        return item.part
    found = items.part(table, item.node, item.part)
    is_field = found is not None and found.role is Role.VALUE and found.name != "elements"
    return f".{item.part}" if is_field else f"@{item.part}"
