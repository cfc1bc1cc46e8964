"""Recover: show what is whole behind an error.

The first scan of a frame stops where an engine would. Recovery looks for the damage near that place, and for the offset
behind it from which the values make sense again; then it scans once more, with that turn on the way, and so on for each
further error. The table that comes of it says what is guessed (see :class:`~viewer.variant.table.NodeTable`).
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.base.buffer import Bytes, in_memory
from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.base.progress import Progress
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.variant.columns import Pool
from viewer.variant.recovery.break_point import BreakPoint
from viewer.variant.recovery.evidence_ledger import RecoveryEvidence
from viewer.variant.recovery.header_run import Trails
from viewer.variant.recovery.replay import Count, RecoveryReplay, Resync, ResyncFailed, SkipAhead, Trials, joined
from viewer.variant.recovery.strategies import Search
from viewer.variant.table import NodeTable

MOST_TURNS = 64
MOST_COUNTED = 1 << 16
"""Of more nodes the scan that reads on is believed without counting what it has."""
FILL = 32
MOST_BYTES = 1 << 28
"""Larger frames are shown up to their first error."""


def is_whole(table: NodeTable) -> bool:
    """Whether nothing needs to be recovered: no error, and nothing behind the value."""
    return table.end_of_data == len(table.buffer) and is_sound(table)


def is_sound(table: NodeTable) -> bool:
    """Whether an engine reads the value."""
    return all(found.severity is not Severity.ERROR for found in table.diagnostics)


def recover(
    first: NodeTable,
    progress: Progress | None = None,
    pool: Pool | None = None,
    work: Callable[[int], None] | None = None,
) -> NodeTable:
    """Read on behind the errors of a table.

    Args:
        first: what the scanner found; it stays as it is.
        progress: called now and then; returning False ends the recovery where it is.
        pool: where columns come from.
        work: told what is done, in bytes that could be hopped over meanwhile; what it raises ends the recovery.

    Returns:
        A table with all that makes sense, or *first* where nothing more does.
    """
    if is_whole(first) or not len(first) or len(first.buffer) > MOST_BYTES or _has_only_fill(first):
        return first
    return _Recovery(first, progress, pool, work).run()


def _has_only_fill(table: NodeTable) -> bool:
    """Whether the value is sound, and what follows it begins with zeros."""
    return is_sound(table) and not any(table.buffer[table.end_of_data : table.end_of_data + FILL])


class _Recovery:
    def __init__(
        self, first: NodeTable, progress: Progress | None, pool: Pool | None, work: Callable[[int], None] | None
    ) -> None:
        self.first = first
        self.progress = progress
        self.pool = pool
        self.raw: Bytes = first.buffer if in_memory(first.buffer) else bytes(first.buffer[:])
        self.trails = Trails(self.raw, first.dialect, progress=progress, work=work)
        self.turns: list[Resync] = []
        self.ledger = RecoveryEvidence(first)
        self.fitting: tuple[Resync, RecoveryReplay] | None = None

    def run(self) -> NodeTable:
        last = self._replayed([])
        if last is None:
            return self.first
        last.share(self.first)
        best = last
        while len(self.turns) < MOST_TURNS and not self._is_done(best):
            since = max((turn.to for turn in self.turns if isinstance(turn, SkipAhead)), default=0)
            self.trails.begin(best.stuck)
            trials = Trials(self._replayed, self.turns, len(self.raw), self.trails.charge)
            turn = Search(BreakPoint(self.raw, self.trails, best, since), trials, self._fits).turn()
            found = self._replay_of(turn)
            if turn is None or found is None or not self._is_better(found, best, turn):
                break
            self.turns, best = joined(self.turns, turn), found
            if self.progress is not None and not self.progress(best.stuck):
                break
        return self._told(best) if self.turns and not self._shows_less(best.table) else self.first

    def _fits(self, turn: Resync) -> bool:
        """Whether what was read before the first error is shown with this turn too, or as much instead."""
        turns = joined(self.turns, turn)
        found = self._replayed(turns)
        if found is None or not self.ledger.balances(found.table, turns):
            return False
        self.fitting = turn, found
        return True

    def _replay_of(self, turn: Resync | None) -> RecoveryReplay | None:
        """The scan with a turn that fits."""
        fitting, self.fitting = self.fitting, None
        return fitting[1] if fitting is not None and fitting[0] == turn else None

    def _shows_less(self, found: NodeTable) -> bool:
        """Whether fewer values come out than the first scan had."""
        if len(self.first) > MOST_COUNTED:
            return False
        return sum(1 for _ in found.nodes) < sum(1 for _ in self.first.nodes)

    def _replayed(self, turns: list[Resync]) -> RecoveryReplay | None:
        try:
            found = RecoveryReplay(self.raw, self.first.dialect, turns, self.progress, self.pool)
            found.run()
        except ResyncFailed:
            return None
        return None if found.stopped else found

    def _is_better(self, found: RecoveryReplay, best: RecoveryReplay, turn: Resync) -> bool:
        return found.stuck > best.stuck or self._is_done(found) or isinstance(turn, Count)

    def _is_done(self, replay: RecoveryReplay) -> bool:
        return replay.error is None and replay.stuck == len(self.raw)

    def _told(self, replay: RecoveryReplay) -> NodeTable:
        """The table, with what the engine says about the bytes among its findings."""
        table = replay.table
        if is_sound(self.first) and self.first.end_of_data < len(self.raw):
            rest = Span(self.first.end_of_data, len(self.raw))
            facts = {"count": count_bytes(len(rest))}
            table.diagnostics.append(Diagnostic(Code.TRAILING_BYTES, rest, 0, "", facts))
        known = {(found.code, found.span) for found in table.diagnostics}
        for found in self.first.diagnostics:
            if found.severity is Severity.ERROR and (found.code, found.span) not in known:
                table.diagnostics.append(self._moved(found, table))
        table.diagnostics.sort(key=lambda found: found.span.start)
        table.buffer = self.first.buffer
        return table

    def _moved(self, found: Diagnostic, table: NodeTable) -> Diagnostic:
        at = min(found.span.start, table.end_of_data - 1)
        return replace(found, node=table.at(at) if at >= 0 else 0, part="")
