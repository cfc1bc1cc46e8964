"""Shrink bytes that are refused to the smallest ones that are refused in the same way.

First whole values go, with the counts above them mended; then texts and arrays get shorter and values become null;
what is left loses words and bytes. Every step is tried: it stays where the result still fails alike. The steps are
bounded, so that the result is small, not always the smallest there is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from time import thread_time

from viewer.base.buffer import u32
from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.variant.dialect import PACKED, SHARED, Dialect, Kind
from viewer.variant.header import INT_MAX
from viewer.variant.items import part
from viewer.variant.lint.lint import lint
from viewer.variant.scan import scan
from viewer.variant.table import NONE, NodeTable

MOST_TRIALS = 6000
MOST_WORK = 1 << 29
"""Bytes that all trials together may look at."""
SECONDS, LEAST_SECONDS = 8e-6, 0.8
"""How long trials may go on, of the processor's time: for each byte of what is shrunk, and of little."""
WORD = 4
ORDERING = 64
"""Bringing nodes into the order of their bytes is as much work as looking at so many bytes for each."""
SMALL = 1 << 12
"""Larger results are not taken apart word by word."""
LARGE = 1 << 20
"""Larger results are not looked through value by value."""
LINTED = frozenset({Code.ENGINE_REFUSES, Code.SCRIPT_PATH})

Fails = Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class Failure:
    """How bytes fail: the finding's code, and the type of the value that it is about, empty for none."""

    code: Code
    type: str


def failure(data: bytes, dialect: Dialect) -> Failure | None:
    """The first error in a value, None where there is none."""
    found = _first_error(scan(data, dialect), linted=True)
    return None if found is None else _failure(*found)


def first_error(data: bytes, dialect: Dialect) -> Diagnostic | None:
    """What is wrong first with a value, None where nothing is."""
    found = _first_error(scan(data, dialect), linted=True)
    return None if found is None else found[1]


@dataclass(frozen=True, slots=True)
class Shrunk:
    """What is left.

    Args:
        data: the bytes.
        cut_short: whether smaller ones may fail too, as not all was tried that could be.
    """

    data: bytes
    cut_short: bool


CUT_SHORT = "Not all was tried, as that would take very long: something smaller may be refused in the same way too."


def shrink(data: bytes, dialect: Dialect, fails: Fails | None = None, progress: Progress | None = None) -> bytes:
    """The smallest bytes found that fail as *data* does; see :func:`shrunk`."""
    return shrunk(data, dialect, fails, progress).data


def shrunk(
    data: bytes,
    dialect: Dialect,
    fails: Fails | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = thread_time,
) -> Shrunk:
    """The smallest bytes found that fail as *data* does.

    Args:
        data: one value, without a length in front.
        dialect: how to read it.
        fails: whether bytes fail in the way that matters; None for the same first error in a value of the same type.
        progress: told the size reached now and then; returning False ends it with what there is.
        clock: seconds; what a trial takes depends on the bytes and on *fails*, so no count of trials bounds it.

    Raises:
        ValueError: *data* does not fail.
    """
    if fails is None:
        wanted = failure(data, dialect)
        if wanted is None:
            raise ValueError("Nothing is wrong with these bytes: there is no failure to keep.")
        fails = _alike(wanted, dialect)
    elif not fails(data):
        raise ValueError("These bytes do not fail, so there is nothing to keep.")
    shrinker = _Shrinker(data, dialect, fails, progress, clock)
    return Shrunk(shrinker.run(), shrinker.cut_short)


def _alike(wanted: Failure, dialect: Dialect) -> Fails:
    linted = wanted.code in LINTED

    def fails(data: bytes) -> bool:
        found = _first_error(scan(data, dialect), linted)
        return found is not None and _failure(*found) == wanted

    return fails


def _first_error(table: NodeTable, linted: bool) -> tuple[NodeTable, Diagnostic] | None:
    found = [each for each in table.diagnostics if each.severity is Severity.ERROR]
    if linted:
        found += [each for each in lint(table) if each.severity is Severity.ERROR]
    return (table, min(found, key=lambda each: each.span.start)) if found else None


def _failure(table: NodeTable, found: Diagnostic) -> Failure:
    if not 0 <= found.node < len(table):
        return Failure(found.code, "")
    row = table.row(found.node)
    return Failure(found.code, "" if row is None else "name" if table.is_name(found.node) else row.name)


class _Done(Exception):
    """Enough was tried, or somebody stopped it."""


class _Shrinker:
    """Holds the smallest bytes so far and tries smaller ones."""

    def __init__(
        self, data: bytes, dialect: Dialect, fails: Fails, progress: Progress | None, clock: Callable[[], float]
    ) -> None:
        self.data = data
        self.dialect = dialect
        self.fails = fails
        self.progress = progress
        self.trials = self.work = 0
        self._scanned: NodeTable | None = None
        self._ordered: tuple[NodeTable, list[int]] | None = None
        self.cut_short = False
        self._clock = clock
        self._until = clock() + max(LEAST_SECONDS, SECONDS * len(data))

    def run(self) -> bytes:
        try:
            size = len(self.data) + 1
            while len(self.data) < size:
                size = len(self.data)
                self.cut_ends()
                self.prune()
                self.shorten()
                if len(self.data) <= SMALL:
                    self.chip(4)
                    self.chip(1)
            self.calm()
        except _Done:
            self.cut_short = True
        return self.data

    def tries(self, data: bytes) -> bool:
        """Whether these bytes fail too; then they are the ones to go on with."""
        if data == self.data or len(data) > len(self.data):
            return False
        self.trials += 1
        self.work += len(data) + 64
        if self.trials > MOST_TRIALS or self.work > MOST_WORK or self._clock() > self._until:
            raise _Done
        if self.trials % 64 == 0 and self.progress is not None and not self.progress(len(self.data)):
            raise _Done
        if not self.fails(data):
            return False
        self.data = data
        return True

    # Whole values

    def cut_ends(self) -> None:
        """Cut what follows the error, and what lies around the broken value."""
        table = self._table()
        found = _first_error(table, linted=len(self.data) <= SMALL)
        if found is None:
            return
        spot = found[1]
        begin, end = spot.span.start, spot.span.end
        for stop in sorted({begin, begin + 4, end, table.end_of_data}):
            if self.tries(self.data[:stop]):
                break
        if len(self.data) > SMALL:
            self._cut_behind()
            table = self._table()
        node, steps = spot.node, 0
        while 0 < node < len(table) and node != NONE and steps < 64:
            if self.tries(self.data[table.start[node] :]):
                return
            node, steps = table.parent[node], steps + 1

    def _cut_behind(self) -> None:
        """Find where the bytes that matter end, if what follows them is of no account."""
        low, high = 0, len(self.data)
        while high - low > WORD:
            middle = (low + high) // 2 & ~(WORD - 1)
            if middle > low and self.tries(self.data[:middle]):
                high = middle
            else:
                low = max(middle, low + WORD)

    def prune(self) -> None:
        """Take children away, from the outside in, in large pieces first."""
        at = 0
        while (node := self._next(at)) >= 0:
            table = self._table()
            at = table.start[node] + 4
            if table.first[node] and not table.is_name(node):
                self._prune(table.start[node])

    def _prune(self, start: int) -> None:
        """Take children of the collection at *start* away."""
        size = 1 << 30
        while size:
            units = self._units(start)
            size = min(size, len(units))
            k = 0
            while k < len(units):
                taken = units[k : k + size]
                if taken and self.tries(self._without(start, taken[0][0], taken[-1][1], len(taken))):
                    units = self._units(start)
                else:
                    k += size
            size //= 2

    def _units(self, start: int) -> list[tuple[int, int]]:
        """The elements or pairs of the collection at *start*: where each begins and ends."""
        table = self._table()
        node = _node_at(table, start)
        if node < 0:
            return []
        step = 2 if table.has_pairs(node) else 1
        children = table.children(node)
        return [(table.start[n], table.end(min(n + step, children.stop) - 1)) for n in children[::step]]

    def _without(self, start: int, begin: int, end: int, count: int) -> bytes:
        """The bytes without some children of the collection at *start*, which are counted no more."""
        table = self._table()
        word = part(table, _node_at(table, start), "count")
        if word is None:
            return self.data
        stated = u32(self.data, word.span.start)
        if stated & INT_MAX < count:
            return self.data
        fewer = (stated & SHARED) | ((stated & INT_MAX) - count)
        return _joined(self.data[: word.span.start], fewer, self.data[word.span.end : begin], self.data[end:])

    # Single values

    def shorten(self) -> None:
        """Make values null, and texts and arrays short, from the first to the last."""
        at = 0
        while len(self.data) <= LARGE and (node := self._next(at)) >= 0:
            table = self._table()
            at = table.start[node] + 1
            for other in self._shorter(table, node):
                if self.tries(other):
                    break

    def _shorter(self, table: NodeTable, node: int) -> Iterator[bytes]:
        """The bytes with a shorter value at a node, the shortest first."""
        start, end = table.start[node], table.end(node)
        before, behind = self.data[:start], self.data[end:]
        row = table.row(node) if end - start >= 4 else None
        if table.is_name(node):
            yield before + bytes(4) + behind
            return
        if end - start > 4:
            yield before + bytes(4) + behind
        if row is None or end - start < 8:
            return
        header = self.data[start : start + 4]
        if row.kind in (Kind.STRING, *PACKED):
            yield before + header + bytes(4) + behind
        if row.kind is Kind.STRING and end - start > 12:
            yield before + header + b"\4\0\0\0" + self.data[start + 8 : start + 12] + behind

    # Bytes

    def chip(self, width: int) -> None:
        """Take runs of words or bytes away, long ones first."""
        size = max(width, len(self.data) // 2 // width * width)
        while size >= width:
            at = 0
            while at < len(self.data):
                if not self.tries(self.data[:at] + self.data[at + size :]):
                    at += size
            size = size // 2 // width * width

    def calm(self) -> None:
        """Make bytes zero where that changes nothing."""
        if len(self.data) > SMALL:
            return
        for at in range(len(self.data)):
            if self.data[at]:
                self.tries(self.data[:at] + b"\0" + self.data[at + 1 :])

    def _table(self) -> NodeTable:
        if self._scanned is None or self._scanned.buffer is not self.data:
            self._scanned = scan(self.data, self.dialect)
        return self._scanned

    def _next(self, at: int) -> int:
        """The first node that begins at *at* or later, -1 for none."""
        table = self._table()
        if self._ordered is None or self._ordered[0] is not table:
            self.work += ORDERING * len(table)
            nodes = sorted(table.nodes, key=table.start.__getitem__)
            self._ordered = table, nodes
        nodes = self._ordered[1]
        place = bisect_left(nodes, at, key=table.start.__getitem__)
        return nodes[place] if place < len(nodes) else -1


def _node_at(table: NodeTable, start: int) -> int:
    """The collection that begins at *start*, -1 for none."""
    if not 0 <= start < table.end_of_data:
        return -1
    node = table.at(start)
    return node if table.start[node] == start and table.first[node] else -1


def _joined(head: bytes, count: int, between: bytes, rest: bytes) -> bytes:
    return head + count.to_bytes(4, "little") + between + rest
