"""Evidence: which values a guess takes away that were read before the first error, and which it brings to light.

Whatever stands before an error may be whole, and a decoder that stops there shows it. A guess may read those bytes
otherwise only where at least as many values that look whole come of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, assert_never

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.record import dataclass
from viewer.variant.dialect import HOLDING, Field, Kind, TypeRow
from viewer.variant.elements import number
from viewer.variant.header import INT_MAX
from viewer.variant.recovery.hopping import text_end
from viewer.variant.recovery.replay import Assume, Count, Resync
from viewer.variant.table import NodeTable

# Numbers with a point that a game may have, told from those that any bytes make.

SMALLEST, LARGEST = 1e-30, 1e20
"""Other numbers with a point, but zero, are no game's."""
FEW = 4
"""So many elements of a packed array are looked at."""


def has_numbers(raw: Buffer, at: int, row: TypeRow | None, header: int) -> bool:
    """Whether the numbers with a point of the value at *at*, if it has any, are such as a game may have."""
    at += 4
    for field in row.fields(header) if row is not None and row.kind is Kind.FIXED else ():
        if not _is_likely(raw, at, field):
            return False
        at += field.size
    return True


def has_elements(raw: Buffer, at: int, end: int, row: TypeRow, header: int) -> bool:
    """The same of the first elements of the packed array from *at* to *end*."""
    at += 8
    for field in row.fields(header) * FEW:
        if at + field.size > end:
            break
        if not _is_likely(raw, at, field):
            return False
        at += field.size
    return True


def _is_likely(raw: Buffer, at: int, field: Field) -> bool:
    size = abs(number(raw, at, field.type)) if field.type[0] == "f" else 0
    return not size or SMALLEST <= size <= LARGEST


MOST_COMPARED = 1 << 13
"""Of more values that were read behind the place of a guess, nothing is said."""
MOST_LOOKED = 1 << 15
"""So many of the values that a guess makes of them are looked at: it may make a million that look like nothing."""
MOST_NODES = 20_000
"""Of the keys of larger tables neither."""
WEIGHT = 2
"""How much a value that becomes a key counts beside one that is new."""
MORE_KEYS = 3
"""So many more keys of unusual types may come of values that become keys."""
ENDED = (Code.CHILD_MISSING, Code.HEADER_MISSING, Code.PAYLOAD_TRUNCATED, Code.PADDING_MISSING)
"""With these errors it may be that nothing is wrong but that the data is cut off."""
TOO_LONG, LONGEST = (Code.LENGTH_TOO_LONG, Code.COUNT_TOO_LARGE), 1 << 24
"""With these too, if what is said to follow is not more than so much."""


def _has_length(kind: Kind) -> bool:
    """Whether a word or words in front say how much of a value follows."""
    match kind:
        case Kind.STRING | Kind.NODE_PATH | Kind.INDEXED_PATH | Kind.PACKED | Kind.PACKED_STRINGS:
            return True
        case (
            Kind.FIXED
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return False
        case _:
            assert_never(kind)


class EvidenceValue(NamedTuple):
    """A value that holds no others, the same in two tables where it stands at the same place."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class SeenValue:
    """How a value is seen in one table.

    Args:
        is_key: whether it is a key or a name, which is shown beside its value only.
        counts: whether it looks whole, and is more than zeros.
        is_name: whether it is a property's name that looks like one.
        is_exact: whether its own length leads to the end of the data.
    """

    is_key: bool
    counts: bool
    is_name: bool
    is_exact: bool


@dataclass(frozen=True, slots=True)
class GuessTotals:
    """What a guess changes.

    Args:
        lost: values that are shown no more.
        hidden: values that become keys.
        new: values that were not there.
        uncovered: keys that become values.
        is_exact: whether the length of one of those leads to the end of the data: so it is hardly cut off.
    """

    lost: int
    hidden: int
    new: int
    uncovered: int
    is_exact: bool


class RecoveryEvidence:
    """Compares guesses with what the first scan read.

    Args:
        first: its table.
    """

    def __init__(self, first: NodeTable) -> None:
        self.first = first
        self._broken = _broken(first)
        self._begin = -1
        self._known: dict[EvidenceValue, SeenValue] = {}
        self._is_sound = all(found.severity is not Severity.ERROR for found in first.diagnostics)  # to an engine
        self._is_cut = any(_is_cut(found, first.buffer) for found in first.diagnostics)

    def balances(self, found: NodeTable, turns: Sequence[Resync]) -> bool:
        """Whether *found*, the scan with these turns, shows at least as much as the first one."""
        begin = min(turn.at for turn in turns)
        before = self._before(begin)
        if len(before) > MOST_COMPARED:
            return True
        sums = self._sums(before, found, begin)
        if sums.new < sums.lost + WEIGHT * sums.hidden and not _only_counts(turns):
            return False  # what shifts between keys and values is seldom shown right
        overrules = any(self._overrules(turn) for turn in turns)
        doubt = overrules + self._is_sound + (self._is_cut and not sums.is_exact)
        need = sums.lost + (doubt if sums.lost else 0)
        if not sums.hidden or sums.new >= need + sums.hidden:
            return sums.new >= need
        if sums.new + sums.uncovered >= need + sums.hidden:
            return overrules or self._keeps_keys(found, sums.new >= need, turns)
        return not overrules and sums.new + sums.uncovered >= need and self._mends_keys(found, sums, turns)

    def _before(self, begin: int) -> dict[EvidenceValue, SeenValue]:
        """What the first scan read from *begin* on."""
        if begin != self._begin:
            found = islice(_values(self.first, begin, self._broken), MOST_COMPARED + 1)
            self._begin, self._known = begin, dict(found)
        return self._known

    def _sums(self, before: dict[EvidenceValue, SeenValue], found: NodeTable, begin: int) -> GuessTotals:
        """What becomes of the values from *begin* on, as far as it matters."""
        lost = {value for value, seen in before.items() if seen.is_name or (seen.counts and not seen.is_key)}
        names = {value.start for value, seen in before.items() if seen.is_name}
        hidden = new = uncovered = 0
        is_exact = False
        for count, (value, seen) in enumerate(_values(found, begin, _broken(found))):
            if count == MOST_LOOKED:
                lost = {each for each in lost if each.start < value.start}
                break
            old = before.get(value)
            if value in lost:
                lost.discard(value)
                hidden += seen.is_key and not before[value].is_key
            elif seen.counts and not seen.is_key:
                new += old is None and value.start not in names
                uncovered += old is not None and old.is_key
                is_exact |= seen.is_exact
            if value.start >= self.first.end_of_data and new > len(lost) + hidden + 1:
                break
        return GuessTotals(len(lost), hidden, new, uncovered, is_exact)

    def _keeps_keys(self, found: NodeTable, is_gain: bool, turns: Sequence[Resync]) -> bool:
        """Whether as many keys as before have a usual type; a few less may where bytes are read otherwise."""
        odder = self._odder(found)
        return odder < 0 or (is_gain and odder <= (0 if _only_counts(turns) else MORE_KEYS))

    def _mends_keys(self, found: NodeTable, sums: GuessTotals, turns: Sequence[Resync]) -> bool:
        """Whether values become keys because there were too few that look like keys, and no fewer values are left."""
        odder = self._odder(found)
        if odder < 0:
            return sums.hidden <= sums.new + sums.uncovered
        return not odder and not sums.lost and _only_counts(turns)

    def _odder(self, found: NodeTable) -> int:
        """How many keys more have an unusual type."""
        if max(len(found), len(self.first)) > MOST_NODES:
            return 0
        return odd_keys(found) - odd_keys(self.first)

    def _overrules(self, turn: Resync) -> bool:
        """Whether a collection's head that is whole is taken for another, or its first values are left out."""
        if not isinstance(turn, Assume) or turn.at >= self.first.end_of_data:
            return False
        node = self.first.at(turn.at)
        row = self.first.row(node)
        if node in self._broken or self.first.start[node] != turn.at or row is None or row.kind not in HOLDING:
            return False
        return row is not self.first.dialect.row(turn.header) or turn.to != self.first.head_end(node)


def _only_counts(turns: Sequence[Resync]) -> bool:
    """Whether no byte is read otherwise."""
    return all(isinstance(turn, Count) for turn in turns)


def odd_keys(table: NodeTable) -> int:
    """How many keys have another type than most of the same dictionary."""
    odd = 0
    for node in table.nodes:
        keys = table.children(node)[::2]
        if keys and table.has_pairs(node):
            types = Counter(table.header(key) & 0xFF for key in keys)
            odd += len(keys) - max(types.values())
    return odd


def _is_cut(found: Diagnostic, buffer: Buffer) -> bool:
    """Whether data that is cut off would have this error."""
    return found.code in ENDED or (found.code in TOO_LONG and u32(buffer, found.span.start) & INT_MAX <= LONGEST)


def _broken(table: NodeTable) -> frozenset[int]:
    """The nodes with which something is wrong."""
    return frozenset(found.node for found in table.diagnostics if found.severity is not Severity.NOTE)


def _values(table: NodeTable, begin: int, broken: frozenset[int]) -> Iterator[tuple[EvidenceValue, SeenValue]]:
    """The values from *begin* on that hold no others, in the order of their bytes."""
    at = begin
    while at < table.end_of_data:
        gap = table.gap_at(at)
        if gap is not None:
            at = gap.span.end
            continue
        node = table.at(at)
        end = table.head_end(node)
        if table.start[node] == at and not table.child_count(node):
            row = table.row(node)
            value = EvidenceValue(at, end, "" if row is None else row.name)
            is_whole = node not in broken and _is_whole(table, node, row)
            is_exact = end == len(table.buffer) and row is not None and _has_length(row.kind)
            is_key = _is_key(table, node)
            yield value, SeenValue(is_key, is_whole, is_key and _is_name(table, node), is_exact)
        at = max(end, at + 1)


def _is_key(table: NodeTable, node: int) -> bool:
    return bool(node) and table.index(node) % 2 == 0 and table.has_pairs(table.parent[node])


def _is_whole(table: NodeTable, node: int, row: TypeRow | None) -> bool:
    """Whether a value looks like one of a game's, and not like any zeros."""
    if row is None:
        return False
    at = table.start[node]
    if row.kind is Kind.FIXED and row.narrow and row.narrow[0].type == "bool":
        return u32(table.buffer, at + 4) <= 1
    if table.end(node) == at + 4:
        return _has_name(table, node)
    if row.kind is Kind.PACKED:
        return has_elements(table.buffer, at, table.end(node), row, table.header(node))
    return has_numbers(table.buffer, at, row, table.header(node))


def _has_name(table: NodeTable, node: int) -> bool:
    """Whether an object gives it a name."""
    return node > 1 and _is_name(table, node - 1)


def _is_name(table: NodeTable, node: int) -> bool:
    """Whether it is a property's name that looks like one."""
    if not table.is_name(node):
        return False
    name = bytes(table.buffer[table.start[node] : table.end(node)])
    return any(name[:4]) and text_end(name, 0, False, False) == len(name)
