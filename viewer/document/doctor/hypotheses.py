"""Hypotheses: all candidates at one place, family by family, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.document.doctor.bit_flips import flip_candidates
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.counts import count_candidates
from viewer.document.doctor.ground import Ground, Meter
from viewer.document.doctor.lens import LONG
from viewer.document.doctor.mixed import doubled_candidates, header_candidates, inside_candidates, mixed_candidates
from viewer.document.doctor.numbers import number_candidates
from viewer.document.doctor.prefixes import prefix_candidates
from viewer.document.doctor.single_bytes import byte_candidates
from viewer.document.doctor.texts import text_candidates
from viewer.document.doctor.whole import stripped_candidates, trimmed_candidates


def families(ground: Ground, meter: Meter) -> Iterator[Iterable[Candidate]]:
    """Candidates by what they are about; of a long value the cheap families first."""
    yield prefix_candidates(ground, meter)
    yield trimmed_candidates(ground)
    if len(ground.payload) < LONG:
        yield number_candidates(ground)
        yield text_candidates(ground)
        yield count_candidates(ground, meter)
        yield header_candidates(ground, meter)
        yield mixed_candidates(ground, meter)
        yield doubled_candidates(ground, meter)
        yield byte_candidates(ground)
        yield flip_candidates(ground)
        yield stripped_candidates(ground, meter)
        return
    yield count_candidates(ground, meter)
    yield number_candidates(ground)
    yield text_candidates(ground)
    yield byte_candidates(ground)
    yield flip_candidates(ground)
    yield mixed_candidates(ground, meter)
    yield header_candidates(ground, meter)


def families_before(ground: Ground, meter: Meter) -> Iterator[Iterable[Candidate]]:
    """What moves the frames behind a frame that reads."""
    yield byte_candidates(ground)
    yield inside_candidates(ground, meter)
