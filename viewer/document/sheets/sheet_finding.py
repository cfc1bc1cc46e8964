"""Which collection is meant where somebody wants a table, and which collections of a file are tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.record import dataclass
from viewer.document import outline
from viewer.document.bulk.frame_values import FrameValues
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.sheets.sheet import MOST_COLUMNS, ParallelSheet, RecordSheet, Sheet, SheetColumn, is_run, run_count
from viewer.variant.dialect import HOLDING, PACKED, PAIRED
from viewer.variant.items import Item

SAMPLE = 48
"""So many values of a collection are looked at to tell whether it is a table."""
MOST_LOOKED = 20_000
"""So many nodes are looked at to find the tables below a value."""
FILLED = 0.5
"""So much of the cells of a table are there, at least."""
NO_TABLE = "There is no list or dictionary here that could be shown as a table; choose one in the tree."


@dataclass(frozen=True, slots=True)
class TableKind:
    """What kind of table a collection is.

    Args:
        rows: how many rows it has.
        is_parallel: whether its columns are arrays of the same length.
    """

    rows: int
    is_parallel: bool


def table_kind(ground: FrameValues, item: Item) -> TableKind | None:
    """Whether a collection holds records that are alike, or arrays of the same length; None where it does not."""
    row = None if item.part else ground.row(item.node)
    if row is None or row.kind not in HOLDING:
        return None
    children = ground.table.children(item.node)[: 2 * SAMPLE]
    nodes = children[1::2] if row.kind in PAIRED else children[:SAMPLE]
    kinds = [ground.row(node) for node in nodes]
    known = [(node, kind) for node, kind in zip(nodes, kinds, strict=True) if kind is not None]
    held = [node for node, kind in known if kind.kind in (*HOLDING, *PACKED)]
    if not held or 2 * len(held) <= len(nodes) or (row.kind in PAIRED and len(nodes) < 2):
        return None
    runs = [node for node, kind in known if is_run(kind)]
    if any(_holds_tables(ground, node) for node in runs):
        return None
    if row.kind in PAIRED and len(runs) > 1 and 2 * len(runs) > len(nodes):
        counts = [run_count(ground, Item(item.frame, node)) for node in runs]
        longest = max(counts)
        if longest > 1 and 2 * counts.count(longest) > len(counts):
            return TableKind(longest, True)
        return None
    return TableKind(run_count(ground, item), False) if _alike(ground, item, held) else None


def _holds_tables(ground: FrameValues, node: int) -> bool:
    """Whether the first value of an array holds others: then the array is a table rather than a row of one."""
    first = ground.table.first[node]
    row = ground.row(first) if first else None
    return row is not None and row.kind in HOLDING


def _alike(ground: FrameValues, item: Item, nodes: list[int]) -> bool:
    """Whether values have the same keys, or are about as long as each other."""
    names: list[frozenset[bytes]] = []
    table = ground.table
    for node in nodes:
        row = ground.row(node)
        if row is None or row.kind not in PAIRED:
            count = min(run_count(ground, Item(item.frame, node)), MOST_COLUMNS)
            names.append(frozenset(str(k).encode() for k in range(count)))
            continue
        keys = table.children(node)[: 2 * MOST_COLUMNS : 2]
        names.append(frozenset(bytes(table.buffer[table.start[key] : table.end(key)]) for key in keys))
    columns = len(frozenset[bytes]().union(*names))
    return bool(columns) and sum(map(len, names)) >= FILLED * columns * len(names)


def tables_below(document: Document, item: Item, most: int = MOST_LOOKED) -> Iterator[tuple[Item, TableKind]]:
    """The tables in a value, the upper ones first; what lies in a table is not looked at."""
    ground = FrameValues(document, item.frame)
    waiting, looked = [item], 0
    while waiting and looked < most:
        deeper: list[Item] = []
        for each in waiting:
            looked += 1
            if looked > most:
                return
            kind = table_kind(ground, each)
            if kind is not None:
                yield each, kind
                continue
            row = ground.row(each.node)
            if row is not None and row.kind in HOLDING and len(deeper) < most:
                deeper += islice(ground.children(each), most)
        waiting = deeper


def wanted(document: Document, item: Item) -> tuple[Item, bool]:
    """The collection to show for a selected item, and whether its columns are arrays.

    That is the one that the item lies in, if it is a table; else the largest one below it; else the item itself, or
    what holds it, with whatever it holds.

    Raises:
        EditError: there is none.
    """
    item = outline.row_item(document, item)
    frame = outline.node_frame(document, item)
    if frame is None:
        raise EditError(NO_TABLE)
    ground = FrameValues(document, item.frame)
    node: int | None = item.node
    here = Item(item.frame, item.node)
    while node is not None:
        kind = table_kind(ground, Item(item.frame, node))
        if kind is not None:
            return Item(item.frame, node), kind.is_parallel
        node = frame.table.parent[node] if node else None
    found = max(tables_below(document, here), key=lambda each: each[1].rows, default=None)
    if found is not None:
        return found[0], found[1].is_parallel
    for each in (here, Item(item.frame, frame.table.parent[here.node]) if here.node else here):
        row = ground.row(each.node)
        if row is not None and row.kind in (*HOLDING, *PACKED) and run_count(ground, each):
            return each, False
    raise EditError(NO_TABLE)


def open_sheet(document: Document, holder: Item, is_turned: bool, known: list[SheetColumn] | None = None) -> Sheet:
    """The sheet of a collection.

    Args:
        document, holder: the collection.
        is_turned: whether its columns are arrays and its rows the indexes in them.
        known: columns of an earlier sheet of it.
    """
    return ParallelSheet(document, holder) if is_turned else RecordSheet(document, holder, known or ())


def can_turn(document: Document, holder: Item) -> bool:
    """Whether rows and columns can be swapped: the values are arrays."""
    ground = FrameValues(document, holder.frame)
    rows = (ground.row(item.node) for item in ground.children(holder) if not item.part)
    return any(row is not None and is_run(row) for _, row in zip(range(SAMPLE), rows, strict=False))
