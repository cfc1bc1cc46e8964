"""Sifting: of many candidates at one place those after which all bytes read, with as few looks at all bytes as can be.

Of a long value each candidate is first looked at near the trouble. The best of each cause among those that pass are
then tried on all bytes; the rest of them only counts in how likely each is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from viewer.base.buffer import u32
from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass, replace
from viewer.container.frames import FramingKind
from viewer.document.doctor.candidate import Candidate, growth, patched
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import description_length
from viewer.document.doctor.repair_context import PACE, RepairContext, WorkBudget
from viewer.document.doctor.trial_trails import TrialTrails
from viewer.document.doctor.trying import Success, mistake_bits, try_on, with_prefix
from viewer.variant.dialect import FLAG_64, Kind
from viewer.variant.header import INT_MAX
from viewer.variant.recovery.header_run import Exhausted, Trails
from viewer.variant.table import NONE, NodeTable

# Quick check: a quick look at what a candidate does near the trouble, so that long values are read whole for few of
# them.
#
# At any node the rest of a value is so many values more, one after another, however deep they lie: put behind the head
# of an array with that count they read the same. Thus a look can begin shortly before the trouble, and end shortly
# behind it: from there on the bytes are what they were, and the trail of heads through them is known after the first
# look.

LONG = 1 << 17
BEFORE, BEHIND, FURTHER = 1 << 13, 1 << 15, 1 << 13
LONGEST = 1 << 18
"""Through longer stretches a look is no quicker than reading all."""
MOST_LEVELS = 1 << 10
HEAD = 8


@dataclass(frozen=True, slots=True)
class CandidateScore:
    """What a look told of a candidate that may be right.

    Args:
        told: the bits that tell the values near the trouble then.
        sure: whether all bytes behind them read as well, to the last one.
    """

    told: float = 0.0
    sure: bool = False


UNSURE = CandidateScore()


class QuickCheck:
    """Looks at a stretch of a long value.

    Args:
        ground: what it belongs to.
        low, high: the stretch, in the layer; a node begins at *low*.
        count: how many values are still to come there.
    """

    def __init__(self, ground: RepairContext, low: int, high: int, count: int) -> None:
        self.ground = ground
        self.low, self.high, self.count = low, high, count
        dialect = ground.way.dialect
        self._head = dialect.type_number("Array").to_bytes(4, "little") + count.to_bytes(4, "little")
        self._trails: Trails | None = None

    def glance(self, candidate: Candidate, meter: WorkBudget) -> CandidateScore | None:
        """Look at what a candidate does; None where the trouble stays.

        Raises:
            GivenUp: nobody wants more.
        """
        patches = candidate.patches
        if patches and patches[0].at > self.high:
            return None  # the trouble stays
        if not patches or patches[0].at < self.low or patches[-1].at + patches[-1].size > self.high:
            return UNSURE
        moved = tuple(patch.shifted(-self.low) for patch in patches)
        data = self._head + patched(self.ground.data[self.low : self.high], moved)
        table = meter.scan(data, 0, len(data), self.ground.way.dialect)
        errors = [d.span.start for d in table.diagnostics if d.severity is Severity.ERROR]
        reached = min(errors, default=table.end_of_data)
        wanted = self.ground.start + self.ground.trouble - self.low + HEAD + FURTHER
        if reached < min(wanted, len(data) - 4):
            return None
        grown = growth(patches)
        behind = patches[-1].at + patches[-1].size - self.low + HEAD + grown
        fits = self._fits(table, reached, behind, grown, meter) if self._tells_all(candidate) else None
        if fits is False:
            return None
        return CandidateScore(description_length(table, moved[0].at + HEAD), fits is True)

    def _tells_all(self, candidate: Candidate) -> bool:
        """Whether the candidate is right if and only if the value ends where the payload does."""
        ground = self.ground
        if candidate.framed or candidate.framing is not None or candidate.dialect is not None:
            return False
        bare = ground.way.framing.kind is FramingKind.BARE and ground.end == len(ground.data)
        return bare or (ground.has_prefix and ground.prefix_agrees)

    def _fits(self, table: NodeTable, reached: int, behind: int, grown: int, meter: WorkBudget) -> bool | None:
        """Whether the rest of the payload is as many values as are waited for behind the stretch; None if unknown.

        Args:
            table: of the stretch.
            reached: how far it was read.
            behind: from where on its bytes are those of the payload, *grown* bytes later.
        """
        if reached <= behind:
            return None
        node = table.at(min(reached, table.end_of_data) - 1)
        begin, waiting = table.start[node], ValuesToCome(table).at(node)
        if begin < behind or waiting is None:
            return None
        at = begin - HEAD + self.low - grown - self.ground.start
        trails = self._trails = self._trails or self._new_trails()
        before = trails.budget
        try:
            trail = trails.follow(at)
        except Exhausted:
            return None
        finally:
            meter.charge(PACE * max(0, before - trails.budget))
        return trail.end == len(self.ground.payload) and trail.values == waiting

    def _new_trails(self) -> Trails:
        ground = self.ground
        return Trails(memoryview(ground.data)[ground.start : ground.end], ground.way.dialect)


def lens(ground: RepairContext) -> QuickCheck | None:
    """The lens on a ground, None where its value is short, or lies in an object, whose properties have names."""
    if len(ground.payload) < LONG:
        return None
    table, trouble = ground.table, ground.start + ground.trouble
    high = min(len(ground.data), trouble + BEHIND)
    if not table.end_of_data:
        return QuickCheck(ground, ground.start, high, 1)
    node = table.at(max(0, min(table.end_of_data - 1, ground.trouble - BEFORE)))
    low, count = ground.start + table.start[node], ValuesToCome(table).at(node)
    return None if count is None or high - low > LONGEST else QuickCheck(ground, low, high, count)


def _behind(table: NodeTable, parent: int, node: int) -> int | None:
    """How many values a collection promises behind one of its children; None for an object, and typed ones."""
    row, first = table.row(parent), table.first[parent]
    if row is None or row.kind is Kind.OBJECT or table.header(parent) & FLAG_64:
        return None
    promised = u32(table.buffer, table.start[first] - 4) & INT_MAX
    return promised * (2 if row.kind is Kind.DICTIONARY else 1) - (node - first) - 1


class ValuesToCome:
    """How many values are still to come where nodes of one table begin; what holds several of them is asked once.

    It is not known in objects, very deep down, and where counts are absurd.

    Args:
        table: it must not change.
    """

    def __init__(self, table: NodeTable) -> None:
        self._table = table
        self._known: dict[int, tuple[int, int] | None] = {}

    def at(self, node: int) -> int | None:
        """How many values are still to come where a node begins, itself included; None where that is not known."""
        table, known, inner = self._table, self._known, list[int]()
        while node not in known:
            parent = table.parent[node]
            if parent == NONE:
                known[node] = (1, 1)
                break
            inner.append(node)
            node = parent
        found = known[node]
        for child in reversed(inner):
            behind = None if found is None else _behind(table, node, child)
            found = known[child] = None if found is None or behind is None else (found[0] + behind, found[1] + 1)
            node = child
        return None if found is None or found[1] > MOST_LEVELS or found[0] > INT_MAX else found[0]


THOUGHT = 1 << 13
"""The work of thinking of one candidate."""
BEST, MOST_TRIED = 3, 6
"""So many successes are enough for one cause, and so many trials."""

Family = Iterable[Candidate]
Take = Callable[[Success], None]


@dataclass(frozen=True, slots=True)
class _Passed:
    candidate: Candidate
    glance: CandidateScore

    @property
    def bits(self) -> float:
        return self.glance.told + mistake_bits(self.candidate)


def sift(ground: RepairContext, families: Iterable[Family], meter: WorkBudget, take: Take) -> bool:
    """Try candidates at one place.

    Args:
        ground: the place.
        families: candidates that belong together, the likelier families first.
        meter: counts the work.
        take: given each success.

    Returns:
        Whether there was work enough for all.

    Raises:
        GivenUp: nobody wants more.
    """
    view = lens(ground)
    trails = TrialTrails(ground) if view is None else None
    for family in families:
        done = _each(ground, family, meter, take, trails) if view is None else _best(ground, view, family, meter, take)
        if not done:
            return False
    return True


def _each(ground: RepairContext, family: Family, meter: WorkBudget, take: Take, trails: TrialTrails | None) -> bool:
    """Try each candidate on all bytes."""
    for candidate in family:
        meter.count(THOUGHT)
        if meter.spent:
            return False
        found = try_on(ground, candidate, meter, trails)
        if found is not None:
            take(found)
    return True


def _best(ground: RepairContext, view: QuickCheck, family: Family, meter: WorkBudget, take: Take) -> bool:
    """Look at each candidate, and try the best of each cause on all bytes."""
    passed: dict[Cause, list[_Passed]] = {}
    whole = True
    for candidate in family:
        meter.count(THOUGHT)
        if meter.spent:
            whole = False
            break
        glance = view.glance(candidate, meter)
        if glance is not None:
            passed.setdefault(candidate.cause, []).append(_Passed(candidate, glance))
    for some in passed.values():
        for found in _of_cause(ground, sorted(some, key=lambda each: each.bits), meter):
            take(found)
    return whole and not meter.spent


def _of_cause(ground: RepairContext, some: list[_Passed], meter: WorkBudget) -> Iterator[Success]:
    """The successes among candidates of one cause, the likeliest first; of many only the first ones are tried."""
    found, tried = 0, 0
    model: Success | None = None
    first = some[0]
    for each in some:
        if found < BEST and tried < MOST_TRIED and not meter.spent:
            tried += 1
            success = try_on(ground, each.candidate, meter)
            if success is not None:
                found, model, first = found + 1, success, each
                yield success
        elif each.glance.sure and found >= BEST and model is not None:
            candidate = replace(each.candidate, patches=with_prefix(ground, each.candidate))
            yield replace(model, candidate=candidate, told=model.told + each.glance.told - first.glance.told)
