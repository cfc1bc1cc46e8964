"""Diagnose: every hypothesis tried, and what explains the bytes best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice

from viewer.container.frames import BARE, CONCATENATED, STORED, Framing, FramingKind
from viewer.diagnostic import Code
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.counts import count_candidates
from viewer.document.doctor.fallback import fallbacks, wrapped
from viewer.document.doctor.ground import Ground, Meter, Way, stand, survey, walk
from viewer.document.doctor.lens import lens
from viewer.document.doctor.limits import limit_notes
from viewer.document.doctor.mixed import header_candidates, mixed_candidates
from viewer.document.doctor.numbers import number_candidates
from viewer.document.doctor.patch import Patch
from viewer.document.doctor.places import node_at
from viewer.document.doctor.prefixes import likelihood, prefix_candidates
from viewer.document.doctor.ranking import Finding, ranked
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.single_bytes import byte_candidates
from viewer.document.doctor.strangeness import strangeness
from viewer.document.doctor.systematic import systematic_candidates
from viewer.document.doctor.texts import text_candidates
from viewer.document.doctor.trying import try_on
from viewer.document.doctor.whole import trimmed_candidates, whole_candidates
from viewer.document.document import Document
from viewer.variant.dialect import available

MOST_BYTES = 1 << 26
"""Longer documents are not looked into."""
BUDGET = 1 << 30
WAY_BUDGET = 1 << 28
"""Bytes that are scanned in all, and in one way; a look at a candidate counts as some more."""
MOST_WAYS = 10
UNLIKELY_WAY, OTHER_WAY = 0.02, 0.5
HEALTHY, DOUBTFUL, FOREIGN, MOST_PIECES = 3.0, 0.02, 5e-4, 512
"""How much likelier it is that nothing is wrong than one mistake, where everything reads."""
JUDGED_FRAMES = 64
QUIET = frozenset(
    {
        Cause.NUL_MISSING,
        Cause.LENGTH_COUNTS_NUL,
        Cause.LENGTH_COUNTS_CHARACTERS,
        Cause.LENGTH_OFF,
        Cause.TEXT_UTF16,
        Cause.TEXT_LATIN1,
    }
)
"""What engines may read without an error."""
ODD = frozenset(
    {
        Code.NUL_IN_TEXT,
        Code.NUL_MISSING,
        Code.PADDING_NOT_ZERO,
        Code.LOST_TEXT,
        Code.BOOL_NOT_0_OR_1,
        Code.IGNORED_FLAGS,
        Code.DUPLICATE_KEY,
        Code.WRONG_ELEMENT_TYPE,
    }
)
FRAMED = frozenset({Cause.SEVERAL_VALUES, Cause.PREFIX_EXTRA, Cause.PREFIX_MISSING, Cause.OTHER_ENGINE})
"""What says no more than how values follow each other."""
SURE, STRANGE, MOST_JUDGED = 0.3, 3.0, 8
MOST_ODD = 64
MOST_LINTED = 1 << 22

Progress = Callable[[int], bool]


def diagnose(document: Document, progress: Progress | None = None) -> list[Repair]:
    """What may be wrong with the bytes of a document, and what would mend it.

    Args:
        document: it is not changed.
        progress: told now and then how many candidates were tried; returning False ends the search.

    Returns:
        The repairs, the best first; those that only tell something last. Nothing where nothing is wrong.
    """
    return Diagnosis(document, progress).run()


class Diagnosis:
    """One search for what went wrong."""

    def __init__(self, document: Document, progress: Progress | None) -> None:
        self.document = document
        self.progress = progress
        self.meter = Meter(BUDGET)
        self.tried = 0
        self.findings: list[Finding] = []

    def run(self) -> list[Repair]:
        """All repairs."""
        document = self.document
        notes = [] if document.wraps.blocked is not None else list(limit_notes(document))
        if not len(document.buffer) or len(document.buffer) > MOST_BYTES or document.task is not None:
            return notes
        data = bytes(document.buffer[:])
        healthy = doubtful = foreign = 0.0
        if document.wraps.blocked is None:
            healthy = HEALTHY if self._is_healthy(data) else 0.0
            if healthy and self._is_doubtful(data):
                doubtful, healthy = DOUBTFUL, 0.0
            foreign = 0.0 if healthy or doubtful or not self._has_foreign() else FOREIGN
        named = [] if healthy else list(wrapped(document, data))
        if healthy:
            self._look_closer(data)
        elif not named:
            self._search(data)
        if doubtful:
            self.findings = [each for each in self.findings if each.success.candidate.cause not in FRAMED]
        found = ranked(document, data, self.findings, healthy or doubtful or foreign)
        if not (healthy or doubtful or foreign or named or any(repair.confidence > SURE for repair in found)):
            found += fallbacks(document, data, Meter(WAY_BUDGET))
            found.sort(key=lambda repair: -repair.confidence)
        return [*named, *found, *notes]

    def _is_healthy(self, data: bytes) -> bool:
        """Whether all bytes read as they are read now."""
        way = Way(self.document.dialect, self.document.framing)
        return bool(self.document.frames) and survey(data, way, self.meter) is None

    def _has_foreign(self) -> bool:
        """Whether sound values lie among other bytes, which the game may have stored in another way."""
        frames = self.document.frames
        return len(frames) > 1 and bool(self.document.gaps) and all(frame.sound for frame in frames)

    def _is_doubtful(self, data: bytes) -> bool:
        """Whether what was taken for values one after another may as well be one broken value."""
        if self.document.framing.kind is not FramingKind.CONCATENATED or self.document.choice.framing is not None:
            return False
        steps = islice(walk(data, Way(self.document.dialect, CONCATENATED), self.meter), MOST_PIECES)
        unlike = likelihood(data, self.document.dialect, [step.size for step in steps]) < 1
        return unlike or any(strangeness(frame.table, 0) >= STRANGE for frame in self.document.frames[:MOST_JUDGED])

    # Searching

    def _look_closer(self, data: bytes) -> None:
        """Where everything reads: what an engine would not write in texts."""
        way = Way(self.document.dialect, self.document.framing)
        if len(data) > MOST_LINTED:
            return
        for index, step in enumerate(islice(walk(data, way, self.meter), JUDGED_FRAMES)):
            odd = (
                {d.node for d in self.document.lints(index) if d.code in ODD}
                if index < len(self.document.frames)
                else {}
            )
            if not odd:
                continue
            ground = stand(data, way, self.meter, step)
            some = [node for node in (node_at(ground.table, each) for each in sorted(odd)) if node is not None]
            candidates = chain(
                systematic_candidates(ground),
                (each for each in text_candidates(ground, some[:MOST_ODD]) if each.cause in QUIET),
                number_candidates(ground),
                count_candidates(ground, self.meter),
            )
            self._try_all(ground, candidates)
        self.findings = [self._improvement(each) for each in self.findings]

    def _improvement(self, finding: Finding) -> Finding:
        """A finding whose strangeness is what it adds to that of the bytes as they are."""
        success, ground = finding.success, finding.ground
        nothing = (Patch(success.candidate.patches[0].at, 0, b""),)
        before = try_on(ground, replace(success.candidate, patches=nothing), self.meter)
        strange = success.strange - (before.strange if before is not None else 0.0)
        return replace(finding, success=replace(success, strange=strange))

    def _search(self, data: bytes) -> None:
        for candidate in whole_candidates(data):
            self._try_whole(data, candidate)
        for way in self._ways():
            self.meter.left = min(self.meter.left, BUDGET)
            ground = survey(data, way, self.meter)
            if ground is None:
                self._read_otherwise(data, way)
            elif not self._try_all(ground, self._candidates(ground)):
                return
        for dialect in available():
            if dialect is not self.document.dialect:
                self._read_otherwise(data, Way(dialect, self.document.framing, 0.3))

    def _ways(self) -> list[Way]:
        """How the bytes may be read: as they are now, then as what else was likely when they were opened."""
        document = self.document
        now = Way(document.dialect, document.framing)
        broken = document.framing.kind is FramingKind.CONCATENATED
        framings = [STORED, BARE] if document.choice.framing is None else []
        ways = [now, *(Way(document.dialect, framing, 0.9 if broken else 0.5) for framing in framings)]
        best = max(1.0, document.candidates[0].score if document.candidates else 1.0)
        for each in document.candidates:
            weight = max(UNLIKELY_WAY, min(1.0, each.score / best) * OTHER_WAY)
            framed = [each.framing] if each.framing.kind is not FramingKind.CONCATENATED else framings
            ways += [Way(each.dialect, framing, weight) for framing in framed]
        unique: dict[tuple[str, Framing], Way] = {}
        for way in ways:
            known = unique.get((way.dialect.key, way.framing))
            if known is None or known.weight < way.weight:
                unique[way.dialect.key, way.framing] = way
        return sorted(unique.values(), key=lambda way: -way.weight)[:MOST_WAYS]

    def _is_current(self, way: Way) -> bool:
        return way.dialect is self.document.dialect and way.framing == self.document.framing

    def _try_all(self, ground: Ground, candidates: Iterator[Candidate]) -> bool:
        """Try all candidates at one place; False where the search shall end."""
        view = lens(ground)
        spare = max(0, self.meter.left - WAY_BUDGET)
        self.meter.left -= spare
        try:
            for candidate in candidates:
                self.tried += 1
                if self.tried % 64 == 0 and self.progress is not None and not self.progress(self.tried):
                    return False
                if self.meter.spent:
                    break
                if view is not None and not view.passes(candidate, self.meter):
                    continue
                found = try_on(ground, candidate, self.meter)
                if found is not None:
                    self.findings.append(Finding(found, ground))
        finally:
            self.meter.left += spare
        return not self.meter.spent

    def _candidates(self, ground: Ground) -> Iterator[Candidate]:
        yield from prefix_candidates(ground, self.meter)
        yield from trimmed_candidates(ground)
        yield from systematic_candidates(ground)
        yield from number_candidates(ground)
        yield from text_candidates(ground)
        yield from count_candidates(ground, self.meter)
        yield from header_candidates(ground, self.meter)
        yield from mixed_candidates(ground, self.meter)
        yield from byte_candidates(ground)

    def _try_whole(self, data: bytes, candidate: Candidate) -> None:
        """A candidate that changes all bytes, read in every way that is likely then."""
        new = candidate.patches[0].new
        after = Document(new, choice=self.document.choice)
        if not after.frames or after.gaps or after.wraps.blocked is not None:
            return
        if not all(frame.sound and frame.gap is None for frame in after.frames):
            return
        way = Way(after.dialect, after.framing)
        ground = Ground(data, way, 0, 0, len(data), -1, True, after.frames[0].table, True, data)
        found = try_on(ground, replace(candidate, framed=True), self.meter)
        if found is not None:
            self.findings.append(Finding(found, ground))

    def _read_otherwise(self, data: bytes, way: Way) -> None:
        """The bytes as they are, read in another way."""
        if self._is_current(way) or survey(data, way, self.meter) is not None:
            return
        other = way.dialect is not self.document.dialect
        cause = Cause.OTHER_ENGINE if other else Cause.SEVERAL_VALUES
        if not other and way.framing.kind is FramingKind.STORED:
            cause = Cause.PREFIX_EXTRA
        if not other and way.framing.kind is FramingKind.BARE:
            cause = Cause.PREFIX_MISSING
        first = next(walk(data, way, self.meter), None)
        if first is None:
            return
        ground = stand(data, way, self.meter, first)
        fact = (
            f"{way.dialect.name} reads all of it." if other else f"Read as {way.framing.label} all of it makes sense."
        )
        found = try_on(ground, Candidate(cause, (), fact, framed=True), self.meter)
        if found is not None:
            self.findings.append(Finding(found, ground))
