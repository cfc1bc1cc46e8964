"""Counts that lie: which collection holds more or fewer values than its count says?

Nothing in the bytes marks the end of a collection. So a count that lies shows only at the end of the data, where values
are missing or left over; which one it was must be guessed by how well keys look like keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from viewer.base.diagnostic import Code, Severity
from viewer.variant.dialect import HOLDING, PAIRED, Kind
from viewer.variant.expected import ExpectedTypes, expected
from viewer.variant.read import read_shallow
from viewer.variant.recovery.header_run import HEADERS, Trails
from viewer.variant.recovery.replay import Assume, Count, RecoveryReplay, Resync, SkipAhead, Trials
from viewer.variant.table import NONE, NodeTable
from viewer.variant.value import Array, Dictionary, ElementType

# Element types: whether what is made of broken bytes keeps to what the heads of typed collections say.

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


def _limits(table: NodeTable, node: int) -> tuple[ExpectedTypes | None, ExpectedTypes | None]:
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


MOST_TRIED = 48
MOST_LEVELS = 1 << 10
MOST_JUDGED = 20_000
"""Larger tables are not looked through for keys that look like none."""
SMALL_CHANGE = 0.05
LARGEST = 128
"""Bytes of the largest value of numbers."""
ERROR_COST = 3.0
LIKELIER = 1.0
"""How much likelier it is that data is cut off than that a count lies."""


def turn(replay: RecoveryReplay, trials: Trials, trails: Trails) -> Resync | None:
    """The turn that mends a count, None where no count alone does."""
    error = replay.error
    if error is not None and error.code is not Code.CHILD_MISSING:
        return None
    best: tuple[float, Resync | None] | None = None
    if error is not None and replay.stuck == len(trails.raw) and not _is_absurd(replay):
        best = as_it_is(replay), None
    for found, rank in _candidates(replay, trails):
        done = trials.run(found)
        if done is None or done.error is not None or done.stuck != len(trails.raw):
            continue
        if isinstance(found, Assume) and not keeps_types(done.table, done.table.at(found.at)):
            continue
        judged = cost(done.table) + rank * SMALL_CHANGE
        if best is None or judged < best[0]:
            best = judged, found
    return None if best is None else best[1]


def as_it_is(replay: RecoveryReplay) -> float:
    """How odd the table looks if the data is cut off, or foreign bytes follow."""
    return cost(replay.table) - ERROR_COST * (replay.error is not None) - LIKELIER


def _is_absurd(replay: RecoveryReplay) -> bool:
    """Whether a collection promises more than all bytes could hold."""
    return any(level.short for level in replay.levels)


def _candidates(replay: RecoveryReplay, trails: Trails) -> Iterator[tuple[Resync, int]]:
    """Counts that would make everything fit, with how far from the end their collections lie."""
    table = replay.table
    missing = _missing(replay, trails)
    if not missing:
        return
    yield from ((found, 0) for found in _among_zeros(table, trails, missing))
    for rank, node in enumerate(_collections(table)):
        stated = _stated(table, node)
        children = stated - missing
        if children >= 0 and not (table.has_pairs(node) and children % 2):
            yield Count(table.start[node], children), rank


def _missing(replay: RecoveryReplay, trails: Trails) -> int:
    """How many values are promised but are not there; negative where so many are left over."""
    table = replay.table
    if replay.error is None:
        trail = trails.whole(replay.stuck)
        return -trail.values if trail is not None and trail.values > 0 and _is_rest(trails, replay.stuck) else 0
    levels = replay.levels
    if len(levels) > MOST_LEVELS:
        return 0
    promised = sum(_stated(table, level.node) - level.read for level in levels)
    if replay.stuck < len(trails.raw):
        trail = trails.follow(replay.stuck)
        return promised - trail.values if trail.end == len(trails.raw) else 0
    return promised


def _among_zeros(table: NodeTable, trails: Trails, missing: int) -> Iterator[Resync]:
    """Values that two words of zeros in a row stand for: a value of eight bytes, or the head of a collection."""
    if len(table) > MOST_JUDGED:
        return
    dialect = table.dialect
    nodes = sorted(table.nodes, key=lambda node: table.start[node])
    left = 1
    for node, following in pairwise(nodes):
        at = table.start[node]
        if not any(table.buffer[at : at + 8]) and table.start[following] == at + 4 and not table.is_name(node):
            trail = trails.follow(at + 8)
            children = trail.values - (left - 1)
            if trail.end == len(trails.raw) and children == 0:
                yield SkipAhead(at, at + 8, True, left - 1)
            else:
                yield from (SkipAhead(at, to, True, left - 1) for to in _ends(trails, at + 8, left - 1))
            if trails.children(at + 8) is not None and children > 0:
                yield Assume(at, dialect.type_number("Array"), children, at + 8)
                if children % 2 == 0:
                    yield Assume(at, dialect.type_number("Dictionary"), children, at + 8)
        left += _stated(table, node) - 1


def _ends(trails: Trails, at: int, left: int) -> Iterator[int]:
    """Where a large value ends that began with zeros: the first offset from which just *left* values follow."""
    for found in HEADERS.finditer(trails.raw, at, min(at + LARGEST, len(trails.raw))):
        trail = trails.whole(found.start())
        if trail is not None and trail.values == left:
            yield found.start()
            return


def _is_rest(trails: Trails, at: int) -> bool:
    """Whether more than zeros follow."""
    return any(trails.raw[at : at + 64])


def _stated(table: NodeTable, node: int) -> int:
    """How many children a head promises."""
    row = table.row(node)
    if row is None or row.kind not in HOLDING:
        return 0
    if table.is_name(node):
        return 0
    end = table.head_end(node)
    if row.kind is Kind.OBJECT and (table.header(node) >> 16 & 1 or end - table.start[node] < 12):
        return 0
    count = int.from_bytes(table.buffer[end - 4 : end], "little") & 0x7FFFFFFF
    return 2 * count if row.kind in PAIRED else count


def _collections(table: NodeTable) -> list[int]:
    """The last collections of a table, the last one first, and the root."""
    found: list[int] = []
    for node in range(len(table) - 1, max(-1, len(table) - MOST_JUDGED), -1):
        if (node == 0 or table.parent[node] != 0xFFFFFFFF) and _is_collection(table, node):
            found.append(node)
            if len(found) >= MOST_TRIED:
                break
    return found if 0 in found or not len(table) or not _is_collection(table, 0) else [*found, 0]


def _is_collection(table: NodeTable, node: int) -> bool:
    row = table.row(node)
    return row is not None and row.kind in HOLDING


def cost(table: NodeTable) -> float:
    """How odd the nesting of a table looks: keys of unusual types, equal keys, arrays of mixed types."""
    if len(table) > MOST_JUDGED:
        return 0.0
    total = ERROR_COST * sum(found.severity is Severity.ERROR for found in table.diagnostics)
    for node in table.nodes:
        children = table.children(node)
        if not children:
            continue
        has_pairs = table.has_pairs(node)
        if len(children) <= 1 + has_pairs:  # one value cannot differ from others, and deep nesting is made of such
            total += 0.5 * (has_pairs and table.header(children[0]) & 0xFF == 0)
        elif has_pairs:
            keys = children[::2]
            types = Counter(table.header(key) for key in keys)
            total += len(keys) - max(types.values())
            texts = Counter(bytes(table.buffer[table.start[key] : table.end(key)]) for key in keys)
            total += 2 * (len(keys) - len(texts))
            total += sum(0.5 for key in keys if table.header(key) & 0xFF == 0)
        else:
            kinds = Counter(table.header(child) for child in children)
            total += 0.3 * (len(children) - max(kinds.values()))
    return total
