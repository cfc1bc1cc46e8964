"""Damaged bytes: in which way of reading them the least is wrong.

A trial ends at the first error, so the one whose error comes last seems to fit best: often that of a wrong engine line.
Here the values behind an error count too. The beginning of each trial is recovered, and costs what must be said of it
that no sound values explain. Costs are bytes: what a stretch costs that has to be told word by word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf

from viewer.base.buffer import u32
from viewer.base.diagnostic import Code, Severity
from viewer.container.frames import FramingKind
from viewer.container.stored import SLIP
from viewer.document.framing import Frame
from viewer.document.moment import Work
from viewer.document.plausible import plausibility
from viewer.document.reasons import Ranked
from viewer.document.trial import JUDGED, UNLIKELY, Trial, ends_early
from viewer.variant.recover import is_whole, recover
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

REACH = 1 << 14
"""So many bytes from the start on are looked at, in all ways the same. More tell little more and cost much."""
MOST_WAYS = 6
"""So many trials are recovered: those that would be the best if all of their values came out."""
PATIENCE = 1 << 22
"""So many bytes may all recoveries together scan. Damaged files need few; hundreds of broken frames need many."""
RECOVERY, QUESTION = 1 << 14, 1 << 12
"""What a recovery costs beside its scans, and each time that it asks whether to go on, in bytes scanned meanwhile."""
FRUITLESS = 64
"""One that finds nothing has looked at each byte about so often."""
NODES, FEW_NODES = 256, 16
UNREAD = 0.5
"""A byte of no value. Damage leaves some in the right way too; a byte that is read as nonsense says more against it."""
NONSENSE = 1 - UNLIKELY
"""A byte of a value as no game would store it."""
DAMAGE = 8.0
"""Each place where something is wrong: a word for where, a word for what. One damage is likelier than many."""
TRUE_PREFIX = 16.0
"""What a prefix is worth that tells a length of at least so much: a word does so by chance once in billions."""
NEAR_PREFIX, WORD = 16.0, 4
"""The same of one that lies by no more than an insertion or a loss, beside the damage that this is. It is less for a
short value, and must be nearer there: nearly every header's word is as small."""
FALSE_PREFIX = DAMAGE + 4.0
"""A damage, and a word that says nothing."""
HEADLESS = 16.0
"""A buffer, or a frame whose prefix lies, that begins with a broken header: that damage meets just this word is rare,
that it is no header is not."""
TOO_LONG = (Code.COUNT_TOO_LARGE, Code.LENGTH_TOO_LONG)
NULL = 4
"""Bytes of a null."""
SEVERAL = 4.0
"""Several values without prefixes, which are rare."""
LEAF = 8.0
"""Each value behind a collection that is none itself: rather a child of it, whose count is damaged. Some in front of
the first collection are no children of one; many are what anything looks like."""
FEW_LEAVES = 5
PRIOR = 4.0
"""How much more it says here than in a trial how common an engine line is: damage makes other lines seem to fit."""
BIG_ENDIAN = 1.0
"""Decides only where nothing else does."""


def least_wrong(trials: Sequence[Trial], work: Work | None = None) -> list[Ranked]:
    """Rank trials by how little would be wrong with the bytes, the best first.

    Args:
        trials: all of them.
        work: told what is done; what it raises ends the search.

    Returns:
        All of them; those that may be the best are recovered, and explain what that brings to light.
    """
    lowest, ranked, patience = inf, [], _Patience(work)
    hopes = sorted((_hope(trial), at) for at, trial in enumerate(trials))
    for count, (hope, at) in enumerate(hopes):
        trial = trials[at]
        may_be_best = hope < lowest
        helper = patience if may_be_best and count < MOST_WAYS else None
        begun = [_begun(frame, helper) for frame in trial.frames if frame.start < REACH]
        cost = _cost(trial, begun, NODES if may_be_best else FEW_NODES)
        lowest = min(lowest, cost)
        ranked.append(_ranked(trial, begun, cost))
    return sorted(ranked, key=lambda each: -each.score)


class _Patience:
    """Ends recoveries after so much work, counted in bytes, so that the same bytes always come out the same."""

    def __init__(self, work: Work | None) -> None:
        self._left = PATIENCE
        self._work = work

    @property
    def is_left(self) -> bool:
        """Whether there is any."""
        return self._left > 0

    def recover(self, table: NodeTable) -> NodeTable:
        """What is recovered of a table with what is left."""
        size = len(table.buffer)
        self._left -= size + RECOVERY
        found = recover(table, lambda _: self._goes_on(size), work=self._work)
        self._left -= FRUITLESS * size if found is table else 0
        return found

    def _goes_on(self, size: int) -> bool:
        self._left -= size + QUESTION
        return self.is_left


@dataclass(frozen=True, slots=True)
class _Begun:
    """A frame as far as it is looked at.

    Args:
        frame: the whole one.
        table: what is read or recovered of it.
        size: bytes of the payload that are looked at.
    """

    frame: Frame
    table: NodeTable
    size: int

    @property
    def is_cut(self) -> bool:
        """Whether more of the payload follows."""
        return self.size < len(self.frame.cut.payload)

    @property
    def claimed(self) -> int:
        """How many of its bytes belong to values; a guessed null is none, for it may be any zero word."""
        held = sum(len(gap.span) for gap in self.table.gaps) + NULL * _guessed_nulls(self.table)
        held += _swallowed(self.table, len(self.frame.cut.payload))
        return max(0, min(self.table.end_of_data, self.size) - held)

    @property
    def damages(self) -> int:
        """At how many places something is wrong; that no more is looked at is no such place."""
        table = self.table
        wrong = sum(found.severity is Severity.ERROR for found in table.diagnostics)
        here = max(wrong, len(table.gaps), len(table.assumed), int(table.guess is not None))
        rest = table.end_of_data < self.size
        return max(0, max(here, rest) - self.is_cut)

    @property
    def breaks_at_once(self) -> bool:
        """Whether the very first header is broken."""
        return 0 in self.table.assumed or any(
            found.severity is Severity.ERROR and found.span.start == 0 for found in self.table.diagnostics
        )


def _guessed_nulls(table: NodeTable) -> int:
    if table.guess is None:
        return 0
    raw, zero = bytes(table.buffer[: table.end_of_data]), bytes(NULL)
    return sum(raw[at : at + NULL] == zero for at in table.start if at >= table.guess)


def _swallowed(table: NodeTable, size: int) -> int:
    """Bytes of values that promise more than the *size* bytes of the payload: the more is missing, the more of them."""
    total = 0
    for found in table.diagnostics:
        if found.code not in TOO_LONG:
            continue
        at, promised = found.span.end, u32(table.buffer, found.span.start)
        row = table.row(found.node) if found.code is Code.COUNT_TOO_LARGE else None
        promised *= sum(field.size for field in row.fields(table.header(found.node))) if row is not None else 1
        there = size - at
        if promised > there:
            read = max(0, table.end(found.node) - at)
            total += read - read * there // promised
    return total


def _begun(frame: Frame, patience: _Patience | None) -> _Begun:
    """What is read of a frame within reach; with *patience*, behind its errors too."""
    table, size = frame.table, min(len(frame.cut.payload), REACH - frame.start)
    if size < len(frame.cut.payload):
        table = scan(bytes(table.buffer[:size]), table.dialect)
    if patience is not None and patience.is_left and not is_whole(table):
        table = patience.recover(table)
    return _Begun(frame, table, size)


def _ranked(trial: Trial, begun: Sequence[_Begun], cost: float) -> Ranked:
    """The trial with its score, the values that were brought to light among what it explains."""
    frames = tuple(replace(each.frame, table=each.table) for each in begun) + trial.frames[len(begun) :]
    claimed = [max(each.claimed, each.frame.table.end_of_data) for each in begun]
    claimed += [frame.table.end_of_data for frame in trial.frames[len(begun) :]]
    total = sum(claimed) + 4 * sum(trial.is_told(frame) for frame in frames if frame.cut.prefix)
    explained = min(1.0, max(trial.explained, total / max(1, trial.looked_at)))
    score = 100 * (1 - cost / max(1, min(REACH, trial.looked_at)))
    return Ranked(replace(trial, frames=frames, explained=explained), score)


# What a way costs


def _hope(trial: Trial) -> float:
    """The least that a trial may cost: if all its values came out, with one damage where there is any."""
    begun = [_Begun(frame, frame.table, 0) for frame in trial.frames if frame.start < REACH]
    broken = sum(not is_whole(each.table) and len(each.frame.cut.payload) <= REACH for each in begun)
    return _unread_around(trial) + _of_framing(trial, begun) + DAMAGE * broken


def _cost(trial: Trial, begun: Sequence[_Begun], nodes: int) -> float:
    """What a way of reading costs; about *nodes* nodes are looked at."""
    inside = sum(UNREAD * (each.size - each.claimed) + DAMAGE * each.damages for each in begun)
    inside += _of_fill(trial, begun)
    claimed = sum(each.claimed for each in begun)
    nonsense = NONSENSE * claimed * (1 - _likely(begun, nodes))
    return _unread_around(trial) + _of_framing(trial, begun) + inside + nonsense


def _likely(begun: Sequence[_Begun], nodes: int) -> float:
    """How likely the values look, 0 to 1, in proportion to their bytes."""
    judged = [each for each in begun if each.claimed][:JUDGED]
    weight = sum(each.claimed for each in judged)
    share = -(-nodes // max(1, len(judged)))
    return sum(plausibility(each.table, share) * each.claimed for each in judged) / weight if weight else 1.0


def _unread_around(trial: Trial) -> float:
    """The bytes before, between and behind the frames."""
    size = min(REACH, trial.looked_at)
    framed = sum(min(frame.span.end, size) - frame.span.start for frame in trial.frames if frame.span.start < size)
    return UNREAD * (size - framed)


def _of_framing(trial: Trial, begun: Sequence[_Begun]) -> float:
    """What says that the values are framed so, and what speaks against it."""
    kind = trial.framing.kind
    cost = -PRIOR * trial.weight + BIG_ENDIAN * trial.framing.big_endian
    if kind is FramingKind.STORED:
        return cost + sum(_of_prefix(trial, each) for each in begun)
    if begun and begun[0].breaks_at_once:
        cost += HEADLESS
    if kind is FramingKind.CONCATENATED:
        leaves = [_is_leaf(each.table) for each in begun]
        leading = next((k for k, is_leaf in enumerate(leaves) if not is_leaf), len(leaves))
        cost += SEVERAL + LEAF * (sum(leaves) - min(leading, FEW_LEAVES))
    return cost


def _of_fill(trial: Trial, begun: Sequence[_Begun]) -> float:
    """What it costs that null values end a row of values without prefixes: zero words there are more often fill."""
    if trial.framing.kind is not FramingKind.CONCATENATED:
        return 0.0
    nulls = sum(1 for _ in takewhile(_is_null, reversed(begun[1:])))
    return DAMAGE * (nulls > 0) + UNREAD * NULL * nulls


def _is_null(begun: _Begun) -> bool:
    return begun.table.end_of_data == NULL and bytes(begun.table.buffer[:NULL]) == bytes(NULL)


def _of_prefix(trial: Trial, begun: _Begun) -> float:
    length = len(begun.frame.cut.payload)
    if trial.is_told(begun.frame):
        return -min(TRUE_PREFIX, length)
    near = abs(trial.told(begun.frame) - length) <= min(SLIP, length / WORD)
    if not near and begun.frame is trial.frames[-1] and ends_early(trial.frames, trial.sample):
        return 0.0
    cost = DAMAGE - min(NEAR_PREFIX, length / WORD) if near else FALSE_PREFIX
    return cost + HEADLESS * (begun.breaks_at_once or not length)


def _is_leaf(table: NodeTable) -> bool:
    return not len(table) or not table.child_count(0)
