"""Replay: scan once more, with turns on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from viewer.base.buffer import Buffer, u32, window
from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.variant.columns import Pool
from viewer.variant.dialect import PAIRED, Dialect, Kind
from viewer.variant.header import Head, HeaderBroken, HeaderParser
from viewer.variant.scan import Scan
from viewer.variant.table import NONE, Gap, NodeTable
from viewer.variant.walks import run_end

# Resyncs: what a second scan does otherwise than the first, so that it reads on behind an error.


@dataclass(frozen=True, slots=True)
class SkipAhead:
    """The next value does not begin at *at*, or is broken; what follows goes on at *to*.

    Args:
        at: where a value would begin; with *broken*, where the broken one does.
        to: where the next one begins; before *at* never, unless *broken*.
        broken: whether a broken value stands at *at*.
        left: how many values the collections that are open still take; the innermost ones end here where they wait
            for more. None leaves them as they are.
    """

    at: int
    to: int
    broken: bool
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """The collection whose head stands at *at* has *children* children, keys included, whatever its count says."""

    at: int
    children: int


@dataclass(frozen=True, slots=True)
class Assume:
    """The broken value at *at* is taken for a collection with *header*, whose children begin at *to*."""

    at: int
    header: int
    children: int
    to: int


Resync = SkipAhead | Count | Assume


LEVELS = 1 << 12
"""So many open collections are asked how many children they still wait for; those around them are left alone."""


class ResyncFailed(Exception):
    """A turn does not fit the bytes: no value begins where it says."""


@dataclass(frozen=True, slots=True)
class Level:
    """A collection that was open where the scan ended: how many children were read and how many it waits for."""

    node: int
    read: int
    waits: int
    pairs: bool
    named: bool
    short: bool
    """It promises more than the bytes can hold."""


class RecoveryReplay:
    """One scan with turns.

    Args:
        buffer: a frame's bytes.
        dialect: how to read them.
        turns: in the order of their offsets.
        progress: as for :func:`viewer.variant.scan.scan`.
        pool: where the columns come from.

    Attributes:
        error: why the scan ended early, None where the root value is whole.
        stuck: where the value begins that could not be followed, or the root value ends.
        left: how many values were still expected behind it.
        levels: the collections that were open there, the innermost first.
    """

    def __init__(
        self,
        buffer: Buffer,
        dialect: Dialect,
        turns: Sequence[Resync],
        progress: Callable[[int], bool] | None = None,
        pool: Pool | None = None,
    ) -> None:
        self.buffer = buffer
        self.dialect = dialect
        self.table = NodeTable(buffer, dialect)
        columns = (pool or Pool()).take(min(len(buffer) // 4 + 3, 1 << 26))
        self.scan = Scan(buffer, dialect, columns, progress)
        self.room = 2 * (len(buffer) // 4 + 1)
        self.found: list[Diagnostic] = []
        self.gaps: list[Gap] = []
        self.error: Diagnostic | None = None
        self.stuck = self.pos = self.left = 0
        self.levels: list[Level] = []
        self.stopped = False
        self.guess: int | None = None
        self._guess_nodes: list[tuple[int, int, bool]] = []
        self.turns = tuple(turn.at for turn in turns)
        self.scan.reserve(1, NONE)
        for turn in turns:
            self._to(turn.at)
            if self.stopped:
                return
            self._take(turn)

    # Before the end

    def waiting(self) -> Iterator[int]:
        """How many values each open collection still waits for, the innermost first."""
        scan, node, owner = self.scan, self.scan.node, self.scan.owner
        parent = self.scan.columns.parent
        yield scan.waiting()
        for _ in range(LEVELS):
            if owner == NONE:
                return
            node, owner = owner + 1, parent[owner]
            yield run_end(parent, node, scan.used, owner) - node

    def _levels(self) -> Iterator[Level]:
        node, owner, first = self.scan.node, self.scan.owner, self.scan.columns.first
        parent, start = self.scan.columns.parent, self.scan.columns.start
        for waits in self.waiting():
            if owner == NONE:
                return
            row = self.dialect.row(self.table.assumed.get(owner) or u32(self.buffer, start[owner]))
            pairs = row is not None and row.kind in PAIRED
            named = row is not None and row.kind is Kind.OBJECT
            yield Level(owner, node - first[owner], waits, pairs, named, owner == self.scan.short)
            node, owner = owner + 1, parent[owner]

    # Turns

    def _to(self, at: int) -> None:
        scan = self.scan
        if scan.pos < at:
            scan.bound(window(self.buffer, 0, at), scan.pos)
            try:
                self.stopped = not scan.follow()
                reached = self.stopped
            except HeaderBroken:
                reached = scan.pos == at
            if not reached:
                raise ResyncFailed
        elif scan.pos > at:
            raise ResyncFailed
        scan.bound(self.buffer, at)

    def _take(self, turn: Resync) -> None:
        if isinstance(turn, SkipAhead):
            self._skip(turn)
        elif isinstance(turn, Count):
            self._count(turn)
        else:
            self._assume(turn)

    def _skip(self, turn: SkipAhead) -> None:
        scan, owner, end = self.scan, self.scan.owner, turn.at
        if turn.broken:
            end = min(self._broken(turn.at, turn.to), turn.to)
        if turn.to > end and owner != NONE:
            self.gaps.append(Gap(Span(end, turn.to), owner))
            facts = {"count": count_bytes(turn.to - end)}
            self.found.append(Diagnostic(Code.SKIPPED_BYTES, Span(end, turn.to), owner, "", facts))
        if turn.left is not None:
            self._leave(turn.left)
        scan.bound(self.buffer, turn.to)
        self._guess_from(turn.to)

    def _broken(self, at: int, to: int) -> int:
        """Have a node for the value at *at*, which is over before *to*; returns where its own bytes end."""
        scan = self.scan
        node = self._new_node(at)
        named = scan.owner == scan.named and not (node - scan.columns.first[scan.owner]) & 1
        end, found = self._read(self.buffer, node, at, named)
        if found is None or end > to:
            end = self._read(window(self.buffer, 0, to), node, at, named)[0]
            found = found or Diagnostic(Code.VALUE_DAMAGED, Span(at, max(end, at + 4)), node)
        self.found.append(found)
        return end

    def _read(self, buffer: Buffer, node: int, at: int, named: bool) -> tuple[int, Diagnostic | None]:
        heads = HeaderParser(buffer, self.dialect)
        try:
            head = heads.name(node, at) if named else heads.read(node, at)
        except HeaderBroken as broken:
            return broken.stop, broken.found(node)
        return head.end, next((found for found in heads.found if found.severity is Severity.ERROR), None)

    def _new_node(self, at: int) -> int:
        scan = self.scan
        while scan.waiting() == 0:
            if scan.owner == NONE:
                raise ResyncFailed
            if scan.owner == scan.short:
                scan.shorten(0)
            scan.leave()
        node: int = scan.node
        scan.columns.start[node] = at
        scan.columns.first[node] = 0
        scan.node = node + 1
        return node

    def _leave(self, left: int) -> None:
        """End the innermost collections early, so that all that are open wait for *left* values."""
        scan = self.scan
        lost = sum(self.waiting()) - left
        while lost > 0 and scan.owner != NONE:
            waiting = scan.waiting()
            scan.shorten(max(0, waiting - lost))
            if waiting > lost:
                break
            lost -= waiting
            scan.leave()
        if scan.most > self.room:
            raise ResyncFailed

    def _count(self, turn: Count) -> None:
        scan = self.scan
        node = self._new_node(turn.at)
        head = scan.heads.read(node, turn.at)
        self._enter(node, head.end, turn.children, head.named)
        self._guess_nodes.append((node, min(head.children, turn.children), head.children < turn.children))

    def _assume(self, turn: Assume) -> None:
        node = self._new_node(turn.at)
        _, found = self._read(window(self.buffer, 0, turn.to), node, turn.at, False)
        own = self.dialect.row(u32(self.buffer, turn.at))
        row = self.dialect.row(turn.header)
        if found is not None and (own is None or own is not row):
            self.found.append(found)
        else:
            self.found.append(Diagnostic(Code.VALUE_DAMAGED, Span(turn.at, turn.to), node))
        if own is not row:
            self.table.assumed[node] = turn.header
        self._enter(node, turn.to, turn.children, row is not None and row.kind is Kind.OBJECT)
        self._guess_from(turn.to)

    def _enter(self, node: int, end: int, children: int, named: bool) -> None:
        scan = self.scan
        scan.bound(self.buffer, end)
        if children:
            try:
                scan.enter(node, Head(end, children, named))
            except HeaderBroken as broken:
                raise ResyncFailed from broken

    def _guess_from(self, at: int) -> None:
        self.guess = at if self.guess is None else min(self.guess, at)

    # The end

    def run(self) -> NodeTable:
        """Read on to the end, or to the first place that cannot be followed; the columns are the table's then."""
        scan, table = self.scan, self.table
        try:
            self.stopped = self.stopped or not scan.follow()
            self.stuck = scan.pos
        except HeaderBroken as broken:
            self.stuck = scan.pos
            self.levels = list(self._levels())
            self.left = sum(level.waits for level in self.levels)
            scan.pos = broken.stop
            self.error = broken.found(scan.heads.node)
            self.found.append(self.error)
        self.pos = scan.pos
        scan.end(table)
        table.diagnostics = sorted([*scan.heads.found, *self.found], key=lambda found: found.span.start)
        table.skip(tuple(self.gaps))
        table.turns = self.turns
        for node, kept, grown in self._guess_nodes:
            first = table.first[node]
            if grown and first + kept < len(table) and table.parent[first + kept] == node:
                self._guess_from(table.start[first + kept])
            elif not grown:
                self._guess_from(table.end(node))
        table.guess = self.guess
        return table

    def share(self, table: NodeTable) -> None:
        """Let go of the columns, once all is read: another table of the same bytes has equal ones."""
        if len(table) == len(self.table):
            self.table.start, self.table.parent, self.table.first = table.start, table.parent, table.first
            del self.scan


# Trials: scans with one turn more, to see whether it makes sense.

MOST_TRIALS = 400
MOST_BYTES = 1 << 24
"""So many bytes are scanned for trials of one turn."""
NODE, MOST_NODES = 64, 20_000
"""What a node of a trial may cost while the trial is judged, in bytes; of larger tables not every node is looked at."""


def joined(turns: Sequence[Resync], turn: Resync) -> list[Resync]:
    """All turns in the order of their offsets."""
    return sorted([*turns, turn], key=lambda each: each.at)


class Trials:
    """Scans with the turns so far and one more.

    Args:
        replay: scans with all turns; None where one does not fit.
        turns: the turns so far.
        size: bytes that a scan reads.
        charge: told the work that a trial is; raises when it was too much.
    """

    def __init__(
        self,
        replay: Callable[[list[Resync]], RecoveryReplay | None],
        turns: Sequence[Resync],
        size: int,
        charge: Callable[[int], None],
    ) -> None:
        self._charge = charge
        self._size = size
        self._replay = replay
        self._turns = turns
        self._most = min(MOST_TRIALS, 8 + MOST_BYTES // (size + 1))
        self.left = self._most

    def refill(self) -> None:
        """Let another question have as many trials again."""
        self.left = self._most

    @property
    def spent(self) -> bool:
        """Whether no trial is left."""
        return self.left <= 0

    def run(self, turn: Resync) -> RecoveryReplay | None:
        """The scan with *turn*; None where it does not fit, or too many were done.

        Raises:
            Exhausted: all trials together were too much work.
        """
        if self.spent:
            return None
        self.left -= 1
        self._charge(self._size)
        found = self._replay(joined(self._turns, turn))
        if found is not None:
            self._charge(NODE * min(len(found.table), MOST_NODES))
        return found
