"""Sifting: of many candidates at one place those after which all bytes read, with as few looks at all bytes as can be.

Of a long value each candidate is first looked at near the trouble. The best of each cause among those that pass are
then tried on all bytes; the rest of them only counts in how likely each is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Ground, Meter
from viewer.document.doctor.lens import Glance, Lens, lens
from viewer.document.doctor.trying import Success, mistake_bits, try_on, with_prefix

THOUGHT = 1 << 14
"""The work of thinking of one candidate."""
BEST, MOST_TRIED = 3, 6
"""So many successes are enough for one cause, and so many trials."""

Family = Iterable[Candidate]
Take = Callable[[Success], None]


@dataclass(frozen=True, slots=True)
class _Passed:
    candidate: Candidate
    glance: Glance

    @property
    def bits(self) -> float:
        return self.glance.told + mistake_bits(self.candidate)


def sift(ground: Ground, families: Iterable[Family], meter: Meter, take: Take) -> bool:
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
    for family in families:
        done = _each(ground, family, meter, take) if view is None else _best(ground, view, family, meter, take)
        if not done:
            return False
    return True


def _each(ground: Ground, family: Family, meter: Meter, take: Take) -> bool:
    """Try each candidate on all bytes."""
    for candidate in family:
        meter.count(THOUGHT)
        if meter.spent:
            return False
        found = try_on(ground, candidate, meter)
        if found is not None:
            take(found)
    return True


def _best(ground: Ground, view: Lens, family: Family, meter: Meter, take: Take) -> bool:
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


def _of_cause(ground: Ground, some: list[_Passed], meter: Meter) -> Iterator[Success]:
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
