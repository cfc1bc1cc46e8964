"""The course of a recovery: turn after turn, each found behind the error that is left, until the values read on."""

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
from viewer.variant.recovery.strategies import TurnSearch
from viewer.variant.table import NodeTable

MOST_TURNS = 64
MOST_COUNTED = 1 << 16
"""Of more nodes the scan that reads on is believed without counting what it has."""


class Recovery:
    """One recovery of one table.

    Args:
        first: what the scanner found; it stays as it is.
        is_sound: whether an engine reads its value.
        progress: called now and then; returning False ends the recovery where it is.
        pool: where columns come from.
        work: told what is done; what it raises ends the recovery.
    """

    def __init__(
        self,
        first: NodeTable,
        is_sound: bool,
        progress: Progress | None,
        pool: Pool | None,
        work: Callable[[int], None] | None,
    ) -> None:
        self.first = first
        self.is_sound = is_sound
        self.progress = progress
        self.pool = pool
        self.raw: Bytes = first.buffer if in_memory(first.buffer) else bytes(first.buffer[:])
        self.trails = Trails(self.raw, first.dialect, progress=progress, work=work)
        self.turns: list[Resync] = []
        self.ledger = RecoveryEvidence(first)
        self.fitting: tuple[Resync, RecoveryReplay] | None = None

    def run(self) -> NodeTable:
        """The table with all that makes sense, or the first one where nothing more does."""
        last = self._replayed([])
        if last is None:
            return self.first
        last.share(self.first)
        best = last
        while len(self.turns) < MOST_TURNS and not self._is_done(best):
            since = max((turn.to for turn in self.turns if isinstance(turn, SkipAhead)), default=0)
            self.trails.begin(best.stuck)
            trials = Trials(self._replayed, self.turns, len(self.raw), self.trails.charge)
            turn = TurnSearch(BreakPoint(self.raw, self.trails, best, since), trials, self._fits).turn()
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
        if self.is_sound and self.first.end_of_data < len(self.raw):
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
