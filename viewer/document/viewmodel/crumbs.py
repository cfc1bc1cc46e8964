"""Crumbs: the steps from the file down to an item, each with what stands beside it."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import segment
from viewer.document.viewmodel.meaning import label, unclaimed
from viewer.variant.items import Item, parts
from viewer.variant.paths.path_keys import key_segment
from viewer.variant.table import NodeTable

SIBLINGS = 200
MOST_STEPS = 64
"""So many steps to an item are shown, the last ones; before them stands one that leads to where they begin."""
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Crumb:
    """One step: its words, and the item it leads to; None for the file itself."""

    text: str
    item: Item | None


@dataclass(frozen=True, slots=True)
class Siblings:
    """What stands beside a crumb; *before* and *after* say how many are left out."""

    crumbs: tuple[Crumb, ...]
    before: int = 0
    after: int = 0


def crumbs(document: Document, item: Item | None) -> list[Crumb]:
    """The steps from the file to *item*."""
    out = [Crumb(escaped(document.name) or "untitled", None)]
    if item is None:
        return out
    if item.frame < 0:
        return [*out, *_field_crumbs(document, item)]
    out.append(Crumb(_frame_text(document, item.frame), Item(item.frame, 0)))
    if item.node < 0:
        return [*out, Crumb(item.part, item)]
    table = document.frames[item.frame].table
    line = _line(table, item.node)
    if len(line) > MOST_STEPS:
        out.append(Crumb(ELLIPSIS, Item(item.frame, line.pop(0))))
    out.extend(Crumb(_called(document, table, node), Item(item.frame, node)) for node in line)
    return [*out, Crumb(_part_text(document, item), item)] if item.part else out


def _field_crumbs(document: Document, item: Item) -> list[Crumb]:
    """The steps to a field, or to bytes between values."""
    number, steps = -1 - item.frame, outline.field_steps(item) or ()
    line = [outline.gap_item(number, steps[:count]) for count in range(len(steps) + 1)]
    names = (unclaimed(document, each, outline.span(document, each)).name if document.fields else "" for each in line)
    return [Crumb(name or f"gap {number}", each) for name, each in zip(names, line, strict=True)]


def _frame_text(document: Document, frame: int) -> str:
    """What a value at the top is called: its name in a file with a structure, else its number."""
    return escaped(document.value_names[frame]) if document.structure is not None else f"[{frame}]"


def _line(table: NodeTable, node: int) -> list[int]:
    """The nodes from the root's child down to *node*; of very many the last ones, and one more."""
    out: list[int] = []
    while node > 0 and len(out) <= MOST_STEPS:
        out.append(node)
        node = table.parent[node]
    return out[::-1]


def _called(document: Document, table: NodeTable, node: int) -> str:
    """What a node is called; sections of a resource as text in short."""
    key = outline.key_of(table, node) if document.has_sections and not table.parent[node] else None
    if key is None:
        return _bare(segment(table, node))
    from viewer.text.tags import shortened

    return escaped(shortened(outline.key_text(table, key))[0])


def _bare(words: str) -> str:
    """A path segment without the sign that only paths need."""
    return words.removeprefix(".")


def _part_text(document: Document, item: Item) -> str:
    part = outline.part(document, item)
    return label(part) if part is not None else item.part


def siblings(document: Document, item: Item, limit: int = SIBLINGS) -> Siblings:
    """The items beside *item*, at most *limit* around it."""
    if item.frame < 0 and outline.field_steps(item):
        return _fields(document, item, limit)
    if item.frame < 0 or (item.node == 0 and not item.part):
        return _frames(document, item, limit)
    if item.node < 0:
        return Siblings((Crumb(item.part, item),))
    table = document.frames[item.frame].table
    if item.part:
        names = [] if item.part.startswith("[") else [part.name for part in parts(table, item.node)[:limit]]
        found = [Item(item.frame, item.node, name) for name in names] or [item]
        return Siblings(tuple(Crumb(_part_text(document, one), one) for one in found))
    row = outline.row_item(document, item)
    rows = outline.row_children(table, table.parent[item.node])
    place = rows.index(row.node) if row.node in rows else 0
    first, last = _around(place, len(rows), limit)
    shown = tuple(Crumb(_row_text(document, table, node), Item(item.frame, node)) for node in rows[first:last])
    return Siblings(shown, first, len(rows) - last)


def _fields(document: Document, item: Item, limit: int) -> Siblings:
    """The fields beside one that lies in another one."""
    steps = outline.field_steps(item) or ()
    above = outline.field_of(document, outline.gap_item(-1 - item.frame, steps[:-1]))
    total = len(above.children) if above is not None else 0
    first, last = _around(steps[-1], total, limit)
    line = (outline.gap_item(-1 - item.frame, (*steps[:-1], number)) for number in range(first, last))
    shown = (Crumb(unclaimed(document, each, outline.span(document, each)).name, each) for each in line)
    return Siblings(tuple(shown), first, total - last)


def _frames(document: Document, item: Item, limit: int) -> Siblings:
    total = len(document.frames)
    first, last = _around(max(0, item.frame), total, limit)
    return Siblings(tuple(Crumb(_frame_text(document, k), Item(k, 0)) for k in range(first, last)), first, total - last)


def _around(place: int, total: int, limit: int) -> tuple[int, int]:
    first = max(0, min(place - limit // 2, total - limit))
    return first, min(total, first + limit)


def _row_text(document: Document, table: NodeTable, node: int) -> str:
    """A row's name without a rank, which would cost a look at all rows before it."""
    key = outline.key_of(table, node)
    if document.has_sections and not table.parent[node]:
        return _called(document, table, node)
    return f"[{table.index(node)}]" if key is None else _bare(key_segment(table, key))
