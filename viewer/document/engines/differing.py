"""Where two engines read different values out of the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest

from viewer.document.engines.lines import concept
from viewer.variant.dialect import FLAG_64, TypeRow
from viewer.variant.table import NONE, NodeTable

COMPARED = 1 << 18
"""So many values, the first ones, are compared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first value that is another one.

    Args:
        offset: where it begins, from the start of the frame.
        node: its id in the table of the engine that is asked, -1 where that has no value there.
        ours, theirs: the types as the two call them, empty for no value.
    """

    offset: int
    node: int
    ours: str
    theirs: str

    @property
    def words(self) -> str:
        """What is different, as a person would say it."""
        if not self.theirs:
            return f"no value here, where {self.ours} is shown"
        return f"{self.theirs} here, not {self.ours}" if self.ours else f"{self.theirs} here, where no value begins"


def difference(ours: NodeTable, theirs: NodeTable) -> Difference | None:
    """The first value that *theirs* reads otherwise than *ours*, None where there is none among the first ones."""
    if _same_columns(ours, theirs) and _same_rows(ours, theirs):
        return None
    pairs = zip_longest(_values(ours), _values(theirs))
    for mine, other in islice(pairs, COMPARED):
        if mine is None or other is None or mine[1:] != other[1:]:
            return _told(ours, theirs, mine, other)
    return None


_Value = tuple[int, int, str]
"""A node, where it begins, and what it is."""


def _told(ours: NodeTable, theirs: NodeTable, mine: _Value | None, other: _Value | None) -> Difference | None:
    if mine is not None and (other is None or mine[1] < other[1]):
        return Difference(mine[1], -1, _name(ours, mine[0]), "")
    if other is None:
        return None
    same = mine is not None and mine[1] == other[1]
    return Difference(other[1], other[0], _name(ours, mine[0]) if mine and same else "", _name(theirs, other[0]))


def _same_columns(ours: NodeTable, theirs: NodeTable) -> bool:
    return ours.start.cast("B") == theirs.start.cast("B") and ours.parent.cast("B") == theirs.parent.cast("B")


def _same_rows(ours: NodeTable, theirs: NodeTable) -> bool:
    """Whether both number the types alike."""
    mine, other = ours.dialect.rows, theirs.dialect.rows
    return len(mine) == len(other) and all(
        _kind(a, flags) == _kind(b, flags) for a, b in zip(mine, other, strict=True) for flags in (0, FLAG_64)
    )


def _values(table: NodeTable) -> Iterator[_Value]:
    """All values in the order of their bytes."""
    parent, first, start = table.parent, table.first, table.start
    node = 0 if len(table) else -1
    while node >= 0:
        yield node, start[node], _meaning(table, node)
        child = first[node]
        node = child if child and parent[child] == node else _following(table, node)


def _following(table: NodeTable, node: int) -> int:
    parent = table.parent
    while node:
        if node + 1 < len(parent) and parent[node + 1] == parent[node]:
            return node + 1
        node = parent[node]
        if node == NONE:
            return -1
    return -1


def _meaning(table: NodeTable, node: int) -> str:
    if table.start[node] + 4 > len(table.buffer):
        return ""
    row = table.row(node)
    return "" if row is None else "name" if table.is_name(node) else _kind(row, table.header(node))


def _kind(row: TypeRow, header: int) -> str:
    """A type without what it is called in an engine line, and what its first number is under this header."""
    fields = row.fields(header)
    return f"{concept(row.name)} {row.kind.value} {fields[0].type if fields else ''}"


def _name(table: NodeTable, node: int) -> str:
    row = table.row(node) if table.start[node] + 4 <= len(table.buffer) else None
    return (
        "an unknown type"
        if row is None
        else f"an {row.name}"
        if row.name[0] in "AEIOUaeiou" or row.name == "RID"
        else f"a {row.name}"
    )
