"""The outline: what each item of a document is called, where it lies, what it holds.

An item is a node of a frame or a part of one. The tree shows the nodes (keys stand in their value's row), the elements
of packed arrays, and gaps; the inspector shows the parts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from viewer.base.buffer import u32
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame
from viewer.variant import items
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.elements import text_index
from viewer.variant.items import Item, Part, Role
from viewer.variant.read import read_shallow
from viewer.variant.table import NONE, NodeTable

if TYPE_CHECKING:
    from viewer.document.pieces.message import MessageField

GAP = "gap"
FIELD_SIGN = "."
"""Before each number in the part of an item that names a field inside a field: ``gap.3.1``."""
LONGEST_STEP = 10
MOST_TEXTS = 1000
"""Up to so many texts of a packed array are cut into their parts to be coloured."""
PREFIX = "prefix"
OutermostKeys: TypeAlias = dict[int, int | None]
"""The outermost key that each of some nodes of a frame is or lies in, None for none."""


def frame_of(document: Document, item: Item) -> Frame | None:
    """The frame of an item, None for a gap between frames."""
    return document.frames[item.frame] if 0 <= item.frame < len(document.frames) else None


def node_frame(document: Document, item: Item) -> Frame | None:
    """The frame of an item that is a value or lies in one; None for other bytes, and for a value that is gone."""
    frame = frame_of(document, item)
    return frame if frame is not None and 0 <= item.node < len(frame.table) else None


def gap_item(index: int, steps: Iterable[int] = ()) -> Item:
    """The item for gap number *index* between the frames, or for the field inside it that the numbers lead to."""
    return Item(-1 - index, -1, GAP + "".join(f"{FIELD_SIGN}{step}" for step in steps))


def field_steps(item: Item) -> tuple[int, ...] | None:
    """The numbers that lead from a gap to the field inside it that an item names; None for what names none."""
    if item.frame >= 0 or not item.part.startswith(GAP):
        return None
    digits = item.part[len(GAP) :].split(FIELD_SIGN)[1:]
    known = all(each.isascii() and each.isdigit() and len(each) < LONGEST_STEP for each in digits)
    return tuple(map(int, digits)) if known else None


def field_of(document: Document, item: Item) -> MessageField | None:
    """The field of a packet or of a file with a structure that an item names; None where it names none."""
    steps, number = field_steps(item), -1 - item.frame
    if steps is None or number >= len(document.fields):
        return None
    found = document.fields[number]
    for step in steps:
        if step >= len(found.children):
            return None
        found = found.children[step]
    return found


def shown_value(document: Document, item: Item) -> Item:
    """The value that a field is only a view of; the item itself where it is none."""
    field = field_of(document, item) if item.frame < 0 and document.fields else None
    if field is None or not field.is_view or not len(field.span):
        return item
    found = item_at(document, field.span.start)
    if found is None or found.frame < 0:
        return item
    value = Item(found.frame, found.node)
    return value if span(document, value) == field.span else item


def _field_at(document: Document, index: int, offset: int) -> Item:
    """The deepest field in gap number *index* that holds a byte."""
    steps: list[int] = []
    field = document.fields[index] if index < len(document.fields) else None
    while field is not None and field.children:
        place = bisect_right(field.children, offset, key=lambda child: child.span.start) - 1
        if place < 0 or offset not in field.children[place].span:
            break
        steps.append(place)
        field = field.children[place]
    return gap_item(index, steps)


def span(document: Document, item: Item) -> Span:
    """The bytes of an item, as offsets in the layer.

    Raises:
        KeyError: the document has no such item.
    """
    frame = frame_of(document, item)
    if frame is None:
        if not 0 <= -1 - item.frame < len(document.gaps):
            raise KeyError(item)
        if FIELD_SIGN not in item.part:
            return document.gaps[-1 - item.frame]
        field = field_of(document, item)
        if field is None:
            raise KeyError(item)
        return field.span
    if item.node < 0:
        found = frame.cut.prefix if item.part == PREFIX else frame.gap
        if found is None:
            raise KeyError(item)
        return found
    if item.node >= len(frame.table):
        raise KeyError(item)
    if not item.part:
        return frame.table.span(item.node).shifted(frame.start)
    return _part(frame.table, item).span.shifted(frame.start)


def _part(table: NodeTable, item: Item) -> Part:
    found = items.part(table, item.node, item.part)
    if found is None:
        raise KeyError(item)
    return found


def exists(document: Document, item: Item) -> bool:
    """Whether the document has this item."""
    frame = frame_of(document, item)
    if frame is not None and item.node >= 0:
        table = frame.table
        if item.node >= len(table) or (item.node and table.parent[item.node] == NONE):
            return False
    try:
        span(document, item)
    except KeyError:
        return False
    return True


def part(document: Document, item: Item) -> Part | None:
    """The part that an item names, None for whole nodes, prefixes and gaps."""
    frame = frame_of(document, item)
    return items.part(frame.table, item.node, item.part) if frame and item.node >= 0 and item.part else None


def item_at(document: Document, offset: int) -> Item | None:
    """The deepest item that holds the byte at *offset* in the layer; None outside the bytes."""
    if not 0 <= offset < len(document.buffer):
        return None
    index = document.frame_at(offset)
    if index < 0:
        gap = next((g for g, found in enumerate(document.gaps) if offset in found), None)
        return None if gap is None else _field_at(document, gap, offset)
    frame = document.frames[index]
    local = offset - frame.start
    if local < 0:
        return Item(index, -1, PREFIX)
    if local >= frame.table.end_of_data:
        return Item(index, -1, GAP)
    node = frame.table.at(local)
    found = items.part_at(frame.table, node, local)
    return Item(index, node, found.name if found else "")


def is_gap(item: Item) -> bool:
    """Whether an item is bytes that no value claims: between frames, at the end of one, or inside a collection."""
    return item.part.startswith(GAP)


def row_item(document: Document, item: Item, known: OutermostKeys | None = None) -> Item:
    """The item whose tree row stands for *item*: a key shows in its value's row, a part in its node's.

    Args:
        document, item: as above.
        known: what was found for other items of the same frame, where many are asked for; it is added to.
    """
    frame = frame_of(document, item)
    if is_gap(item):
        return item
    if frame is None or item.node < 0:
        return Item(item.frame, 0)
    table = frame.table
    key = _outermost_key(table, item.node, known)
    if key is not None:
        has_value = key + 1 < len(table) and table.parent[key + 1] == table.parent[key]
        return Item(item.frame, key + 1 if has_value else key)
    if item.part.startswith("["):
        element = item.part.partition("]")[0] + "]"
        if items.part(table, item.node, element) is not None:
            return Item(item.frame, item.node, element)
    return Item(item.frame, item.node)


def _outermost_key(table: NodeTable, node: int, known: OutermostKeys | None = None) -> int | None:
    """The key that a node is or lies in, the outermost one; None where there is none."""
    line = []
    while node > 0 and table.parent[node] != NONE and (known is None or node not in known):
        line.append(node)
        node = table.parent[node]
    found = known.get(node) if known is not None else None
    for each in reversed(line):
        if found is None and is_key(table, each):
            found = each
        if known is not None:
            known[each] = found
    return found


def is_key(table: NodeTable, node: int) -> bool:
    """Whether a node is the key of a pair or the name of a property."""
    if node <= 0 or table.parent[node] == NONE:
        return False
    parent = table.parent[node]
    return (node - table.first[parent]) % 2 == 0 and table.has_pairs(parent)


def key_of(table: NodeTable, node: int) -> int | None:
    """The node of a value's key, None where it has none."""
    return node - 1 if node > 0 and is_key(table, node - 1) and table.parent[node - 1] == table.parent[node] else None


def row_children(table: NodeTable, node: int) -> Sequence[int]:
    """The nodes that have a row under this one: values only, and a last key without its value."""
    children = table.children(node)
    if not table.has_pairs(node):
        return children
    return [*children[1::2], children[-1]] if len(children) % 2 else children[1::2]


def parent_item(document: Document, item: Item) -> Item | None:
    """The item that holds this one in the tree, None for frames and gaps between them."""
    frame = frame_of(document, item)
    if frame is None:
        steps = field_steps(item)
        return gap_item(-1 - item.frame, steps[:-1]) if steps else None
    if item.node < 0:
        return Item(item.frame, 0) if item.part == GAP and len(frame.table) else None
    if item.part:
        return Item(item.frame, item.node)
    parent = frame.table.parent[item.node]
    return None if parent == NONE else Item(item.frame, parent)


def type_row(document: Document, item: Item) -> TypeRow | None:
    """The type of an item's node."""
    frame = frame_of(document, item)
    return frame.table.row(item.node) if frame is not None and item.node >= 0 else None


def role(document: Document, item: Item) -> Role:
    """What an item's bytes are for."""
    if item.node < 0 or item.frame < 0:
        return Role.PREFIX if item.part == PREFIX else Role.GAP
    found = part(document, item)
    return found.role if found else Role.VALUE


def roles(document: Document, item: Item) -> Iterator[tuple[Part, TypeRow | None]]:
    """The parts of an item's node with their type, spans as offsets in the layer; nothing for prefixes and gaps.

    Of a packed array with many texts only the selected one is cut; what lies before and behind it is one part each.
    """
    frame = frame_of(document, item)
    if frame is None or item.node < 0:
        return
    row = frame.table.row(item.node)
    for found in _cut(frame.table, item):
        moved = found.span.shifted(frame.start)
        yield Part(found.name, moved, found.role, found.type, found.value), row


def _cut(table: NodeTable, item: Item) -> Iterable[Part]:
    """The parts of an item's node, of very many texts only those around the item."""
    node = item.node
    if not items.holds_whole_strings(table, node) or u32(table.buffer, table.start[node] + 4) <= MOST_TEXTS:
        return items.parts(table, node)
    texts, head, end = text_index(table, node), list(items.head(table, node)), table.end(node)
    digits = item.part[1:].partition("]")[0] if item.part.startswith("[") else ""
    own = list(items.string_parts(table, node, texts, int(digits))) if digits.isdigit() else []
    begin, behind = (own[0].span.start, own[-1].span.end) if own else (end, end)
    around = (Span(head[-1].span.end, begin), Span(behind, end))
    before, after = (Part("texts", span, Role.VALUE, "") for span in around)
    return [*head, before, *own, after]


def key_text(table: NodeTable, node: int) -> str:
    """The text of a String key or property name, empty for keys of other types."""
    value = read_shallow(table, node)
    row = table.row(node)
    return str(value.data) if row is not None and row.kind is Kind.STRING and isinstance(value.data, str) else ""
