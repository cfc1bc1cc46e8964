"""Standing: how likely it is that nothing is wrong with bytes, as they are read now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from math import exp

from viewer.container.frames import CONCATENATED, FramingKind
from viewer.diagnostic import Severity
from viewer.document.doctor.ground import Meter, Way, extent, is_readable, walk, wrong_step
from viewer.document.doctor.prefixes import likelihood
from viewer.document.doctor.ranking import Finding
from viewer.document.doctor.strangeness import strangeness
from viewer.document.doctor.trying import loss, nearest
from viewer.document.document import Document

HEALTHY, DOUBTFUL, FOREIGN, MOST_PIECES = 3.0, 0.04, 5e-4, 512
"""How much likelier it is that nothing is wrong than one mistake, where everything reads."""
STRANGE, MOST_JUDGED, JUDGED_PIECES = 3.0, 8, 64
MOST_LINTED = 1 << 22
MOST_BETTER = 300.0
"""Nats: what a repair gains is never more, however many strange values it does away with."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The weight of nothing being wrong, beside those of the candidates.

    Args:
        healthy: where all bytes read well.
        doubtful: where they read one after another, which may be one broken value.
        guessed: where they read in a way that was only guessed, and hold what no engine writes.
        foreign: where sound values lie among other bytes.
    """

    healthy: float = 0.0
    doubtful: float = 0.0
    guessed: float = 0.0
    foreign: float = 0.0

    @property
    def weight(self) -> float:
        """The one that holds."""
        return self.healthy or self.doubtful or self.guessed or self.foreign


def standing(document: Document, data: bytes, meter: Meter) -> Standing:
    """How a document stands whose wraps are off."""
    if _is_healthy(document, data, meter):
        if _is_doubtful(document, data, meter):
            return Standing(doubtful=DOUBTFUL)
        if document.choice.dialect is None and _looks_strange(document) and _is_unlike_engines(document):
            return Standing(guessed=HEALTHY)
        return Standing(healthy=HEALTHY)
    if _has_foreign(document):
        return Standing(foreign=FOREIGN * exp(-loss(sum(len(gap) for gap in document.gaps))))
    return Standing()


def _is_healthy(document: Document, data: bytes, meter: Meter) -> bool:
    """Whether all bytes read as they are read now."""
    if not document.frames or not is_readable(document.frames[0].table):
        return False
    return wrong_step(data, Way(document.dialect, document.framing), meter) is None


def _has_foreign(document: Document) -> bool:
    """Whether sound values lie among other bytes, which the game may have stored in another way."""
    frames = document.frames
    return len(frames) > 1 and bool(document.gaps) and all(frame.sound for frame in frames)


def _is_doubtful(document: Document, data: bytes, meter: Meter) -> bool:
    """Whether what was taken for values one after another may as well be one broken value."""
    if document.framing.kind is not FramingKind.CONCATENATED or document.choice.framing is not None:
        return False
    steps = islice(walk(data, Way(document.dialect, CONCATENATED), meter), MOST_PIECES)
    unlike = likelihood(data, document.dialect, [step.size for step in steps]) < 1
    return unlike or (_looks_strange(document) and _is_unlike_engines(document))


def _looks_strange(document: Document) -> bool:
    return any(strangeness(frame.table, 0) >= STRANGE for frame in document.frames[:MOST_JUDGED])


def _is_unlike_engines(document: Document) -> bool:
    """Whether there is what no engine writes: rare values alone are no sign of damage."""
    if len(document.buffer) > MOST_LINTED:
        return False
    judged = range(min(len(document.frames), MOST_JUDGED))
    return any(found.severity is Severity.WARNING for index in judged for found in document.lints(index))


def improvement(document: Document, finding: Finding) -> Finding:
    """A finding whose strangeness is what it adds to that of the same bytes as they are read now."""
    ground, success = finding.ground, finding.success
    patches = success.candidate.patches
    near = nearest(patches, ground.start)
    stop = max(extent(ground), patches[-1].at + patches[-1].size) if patches else len(ground.data)
    same = (frame for frame in document.frames if frame.start < stop and frame.span.end > ground.at)
    now = sum(strangeness(frame.table, near - frame.start) for frame in islice(same, JUDGED_PIECES))
    return replace(finding, success=replace(success, strange=max(success.strange - now, -MOST_BETTER)))
