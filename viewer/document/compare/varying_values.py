"""Several documents of the same shape, such as packets: which values they have in common, and which vary."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.outline import is_key
from viewer.document.path import format_path
from viewer.document.pieces.message import FieldRole, Protocol, leaves
from viewer.variant.dialect import HOLDING, PAIRED, Kind
from viewer.variant.items import Item
from viewer.variant.literal.preview import text
from viewer.variant.read import read_shallow
from viewer.variant.table import NONE, NodeTable

MOST_VALUES, MOST_COLUMNS = 4000, 200
"""So many values of a document are looked at, and so many of them become columns."""
MOST_SHAPE = 400
"""So many values make a shape."""
LETTERS = 60
OF_A_VALUE = (Protocol.VALUE, Protocol.STREAM_VALUE)


def shape_of(document: Document) -> Hashable:
    """What kind of packet, or file, this is: its message, its fields, the types of its values and their keys.

    How many elements an array has is no part of it.
    """
    message = document.message
    said: tuple[Hashable, ...] = ()
    if message is not None:
        named = message.summary.partition("(")[0] if message.kind == "call" else ""
        said = message.protocol.value, message.kind, named, tuple(field.name for field in leaves(message.pieces))
    return said, tuple(_shape(frame.table) for frame in document.frames)


def _shape(table: NodeTable) -> tuple[Hashable, ...]:
    out: list[Hashable] = []
    waiting = [(0, 0)] if len(table) else []
    while waiting and len(out) < MOST_SHAPE:
        node, depth = waiting.pop()
        row = table.row(node)
        out.append((depth, row.name if row is not None else "?", _key(table, node)))
        if row is None or row.kind not in HOLDING:
            continue
        children = table.children(node)
        children = children[1::2] if row.kind in PAIRED else children[:1]  # elements are alike more often than not
        waiting += [(child, depth + 1) for child in reversed(children) if table.parent[child] != NONE]
    return tuple(out)


def _key(table: NodeTable, node: int) -> str:
    if not node or not table.has_pairs(table.parent[node]):
        return ""
    key = table.row(node - 1)
    if key is None or key.kind is not Kind.STRING:
        return ""
    return str(read_shallow(table, node - 1).data)


@dataclass(frozen=True, slots=True)
class VaryingColumn:
    """A value that is not the same in all documents: its path, and what it is in each; empty where it is not there."""

    path: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VaryingValues:
    """What several documents differ in.

    Args:
        columns: what varies, in the order of the first document that has it.
        same: how many values are the same in all.
        left: how many more vary than there are columns.
    """

    columns: tuple[VaryingColumn, ...]
    same: int
    left: int = 0


def varying_values(documents: Sequence[Document]) -> VaryingValues:
    """Which values vary over documents, and what they are in each."""
    found = [dict(_values(document)) for document in documents]
    paths = dict.fromkeys(path for each in found for path in each)
    columns, same = [], 0
    for path in paths:
        values = tuple(each.get(path, "") for each in found)
        if len(set(values)) == 1:
            same += 1
        else:
            columns.append(VaryingColumn(path, values))
    return VaryingValues(tuple(columns[:MOST_COLUMNS]), same, max(0, len(columns) - MOST_COLUMNS))


def _values(document: Document) -> Iterator[tuple[str, str]]:
    """The fields and the values of a document that hold no others, each with its path."""
    room = MOST_VALUES
    if document.message is not None:
        for field in leaves(document.message.pieces):
            is_told = field.role is FieldRole.VALUE and document.message.protocol in OF_A_VALUE  # by its frame
            if field.text and room > 0 and not is_told:
                room -= 1
                yield field.name, field.text[:LETTERS]
    for number, frame in enumerate(document.frames):
        table = frame.table
        for node in range(len(table)):
            row = table.row(node)
            if room <= 0:
                return
            is_whole = row is not None and (row.kind not in HOLDING or not table.child_count(node))
            if not is_whole or (node and (table.parent[node] == NONE or is_key(table, node))):
                continue
            room -= 1
            yield format_path(document, Item(number, node)), text(table, node, LETTERS)
