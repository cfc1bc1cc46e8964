"""Comparing two readings of a file: which values are others now, and what they were.

Values are found again by their place: keys in dictionaries, indexes in arrays, the frame's number. What has the same
bytes in both is not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.document.change import NEW, ExternalChange
from viewer.document.document import Document
from viewer.document.outline import row_children
from viewer.variant.items import Item
from viewer.variant.literal.preview import text
from viewer.variant.table import NodeTable

MOST = 10_000
"""So many changed values are told apart at most."""
TEXT_LIMIT = 60


def news(old: Document, new: Document) -> list[ExternalChange]:
    """The deepest values of *new* that differ from those at the same place in *old*, in the order of their bytes."""
    found: list[ExternalChange] = []
    for index, frame in enumerate(new.frames):
        if len(found) >= MOST:
            break
        if index >= len(old.frames):
            found.append(ExternalChange(Item(index, 0), frame.table.span(0).shifted(frame.start), NEW))
            continue
        for node, before in _changed(old.frames[index].table, frame.table, MOST - len(found)):
            found.append(ExternalChange(Item(index, node), frame.table.span(node).shifted(frame.start), before))
    return sorted(found, key=lambda each: each.span.start)


def _changed(old: NodeTable, new: NodeTable, most: int) -> Iterator[tuple[int, str]]:
    """The changed nodes of a frame, each with what it was."""
    waiting = [(0, 0)] if len(old) and len(new) else []
    count = 0
    while waiting and count < most:
        before, now = waiting.pop()
        if _bytes(old, before) == _bytes(new, now):
            continue
        pairs = list(_children(old, before, new, now)) if _alike(old, before, new, now) else []
        known = [(was, child) for was, child in pairs if was is not None]
        fresh = [child for was, child in pairs if was is None]
        if not pairs or (len(old.children(before)) > 0 and not known):
            count += 1
            yield now, text(old, before, TEXT_LIMIT)
            continue
        waiting += known
        for child in fresh[: most - count]:
            count += 1
            yield child, NEW


def _bytes(table: NodeTable, node: int) -> bytes:
    span = table.span(node)
    return bytes(table.buffer[span.start : span.end])


def _alike(old: NodeTable, before: int, new: NodeTable, now: int) -> bool:
    """Whether both are collections of the same type, so that their values can be compared one by one."""
    one, other = old.row(before), new.row(now)
    return one is not None and other is not None and one.name == other.name and new.child_count(now) > 0


def _children(old: NodeTable, before: int, new: NodeTable, now: int) -> Iterator[tuple[int | None, int]]:
    """The values of a collection, each with the one that stood at its place before, None where there was none."""
    children = row_children(new, now)
    earlier = row_children(old, before)
    if not new.has_pairs(now):
        for index, child in enumerate(children):
            yield (earlier[index] if index < len(earlier) else None), child
        return
    places = {_bytes(old, child - 1): child for child in reversed(earlier)}
    for child in children:
        yield places.get(_bytes(new, child - 1)), child
