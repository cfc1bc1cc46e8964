"""Finding collector: candidates after which all bytes read, and what each saves beside the same bytes as they are."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE
from viewer.document.doctor.as_is import AsIs, bits_as_is
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cut_too import LEAST_CUT, MOST_CUT, cut_too
from viewer.document.doctor.description import WHOLE, raw_bits
from viewer.document.doctor.own_fields import RUN
from viewer.document.doctor.ranking import Edits, RankedFinding
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.repair_context import ParsedValue, ReadGuess, RepairContext, ScratchArena, WorkBudget
from viewer.document.doctor.trying import Success, keeps_no_value, mistake_bits, try_on
from viewer.document.doctor.whole import way_to_read
from viewer.document.document import Document

EXPLAINED = 50.0
"""Bits: who explains so much more than that nobody knows what happened is believed, and only what is near is tried."""
GAINED = 20.0
"""Where something was found that takes so many bits less than nothing, unlikely ways are not gone."""
LEAST_GAINED, HARDLY_TRUE = 17.0, 0.5
"""A mistake in values that an engine would write so must save so many bits in each place, half a word, or is true as
often as that: what is a little less odd than before may still be no value."""
LEAST_READ = 64
"""So many bytes that are thrown away are looked at for values of their own."""


class FindingCollector:
    """What was found in one document.

    Args:
        document: it is not changed.
        data: its bytes.
        stands: how it reads as it is.
        meter: counts the work.
        room: the memory of the scans.
        tell: called when something is found for the first time.

    Attributes:
        some: in the order in which they were found.
        cut: notes that the end is missing after a change of all bytes, or of a value amid others, each with its bits.
        edits: what they change, where it was made already.
    """

    def __init__(
        self,
        document: Document,
        data: bytes,
        stands: AsIs,
        meter: WorkBudget,
        room: ScratchArena,
        tell: Callable[[], None],
    ) -> None:
        self.document, self.data, self.stands = document, data, stands
        self.meter, self.room = meter, room
        self.edits = Edits()
        self.some: list[RankedFinding] = []
        self.cut: list[tuple[Repair, float]] = []
        self._tell = tell
        self._shown: dict[tuple[Span, int], float] = {}

    def apart(self) -> FindingCollector:
        """Others of the same document, none so far; what the bytes take as they are is known to both."""
        other = FindingCollector(self.document, self.data, self.stands, self.meter, self.room, self._tell)
        other.edits, other._shown = self.edits, self._shown
        return other

    def add(self, other: FindingCollector) -> None:
        """Take over what was found apart."""
        self.some += other.some
        self.cut += other.cut

    @property
    def are_likely(self) -> bool:
        """Whether something explains the bytes better than nothing does."""
        return any(each.bits <= -GAINED for each in self.some)

    @property
    def explain(self) -> bool:
        """Whether something explains so much that nothing else will explain more."""
        return any(each.bits <= self.stands.bits - EXPLAINED for each in self.some)

    def take(self, ground: RepairContext, success: Success) -> None:
        """Keep what came of a candidate."""
        if keeps_no_value(self.data, success):
            return
        self.some.append(self.ranked(ground, success))
        if len(self.some) == 1:
            self._tell()

    def ranked(self, ground: RepairContext, success: Success) -> RankedFinding:
        """A success, with what it saves beside the same bytes as they are."""
        shown = self._bits_as_is(success.region, success.near)
        told = shown + self._known(success.candidate) - self._untold(ground, success)
        bits = success.bits - told
        gained = mistake_bits(success.candidate) - bits
        hardly = self.stands.canonical and gained < LEAST_GAINED * success.candidate.places
        return RankedFinding(success, ground, bits, HARDLY_TRUE if hardly else 1.0)

    def try_whole(self, candidate: Candidate) -> None:
        """A candidate that changes all bytes, read in every way that is likely then."""
        way = way_to_read(candidate.patches[0].new, self.document.choice, self.meter)
        if way is None:
            self.take_cut(candidate)
            return
        self.try_read(way, replace(candidate, framed=True))

    def try_read(self, way: ReadGuess, candidate: Candidate, is_rare: bool = False) -> None:
        """A candidate that may change any bytes, after which they are read in one way; a rare one must be trusted."""
        data = self.data
        sight = ParsedValue(data, way.dialect, self.room)
        ground = RepairContext(data, way, 0, 0, len(data), -1, True, sight, len(data), True, data)
        found = try_on(ground, candidate, self.meter)
        if found is not None and not (is_rare and self.ranked(ground, found).trust < 1.0):
            self.take(ground, found)

    def take_cut(self, candidate: Candidate) -> None:
        """A candidate that changes all bytes, after which all is sound but the end, which is missing."""
        if not LEAST_CUT <= len(candidate.patches[0].new) <= MOST_CUT:
            return
        least = min((*(each.bits for each in self.some), *(bits for _, bits in self.cut)), default=inf)
        now = self._bits_as_is(Span(0, len(self.data)), 0)
        found = cut_too(self.document, self.data, candidate, now, least, self.meter, self.edits)
        if found is not None:
            self.cut.append(found)

    def _bits_as_is(self, region: Span, near: int) -> float:
        """What it takes to tell the bytes of a region as they are shown; few are told alike around whatever place."""
        key = (region, near if len(self.data) > MIN_VALUE * WHOLE else 0)
        if key not in self._shown:
            self._shown[key] = bits_as_is(self.document, self.data, *key)
        return self._shown[key]

    def _untold(self, ground: RepairContext, success: Success) -> float:
        """The bits of what the document shows behind a place that was looked at alone, and that nobody tells."""
        if len(ground.data) == len(self.data):
            return 0.0
        end = success.region.end
        shown = max((f.span.end for f in self.document.frames if f.span.start < end < f.span.end), default=end)
        return RUN + raw_bits(self.data[end:shown]) if shown > end else 0.0

    def _known(self, candidate: Candidate) -> float:
        """The bits that are saved where what a candidate throws away is read as other values now."""
        saved = 0.0
        for patch in candidate.patches if candidate.thrown is None else ():
            start, end = patch.at + len(patch.new), patch.at + patch.size
            if end - start >= LEAST_READ and patch.size < len(self.data):
                now = bits_as_is(self.document, self.data, Span(start, end), start)
                saved += max(0.0, raw_bits(self.data[start:end]) - now)
        return saved
