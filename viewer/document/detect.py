"""Which engine line wrote these bytes, and how they are framed: every candidate tried, ranked, with its reason.

A candidate is tried for real: a sample is cut and scanned. What counts, in this order: how many bytes it explains, how
likely the values look, how common the engine line is.

There are two rounds. The first follows prefixes from the start, which tells nearly every file. Only where it leaves a
doubt does the second look for frames behind foreign bytes, which is dear.
"""

from __future__ import annotations

from dataclasses import dataclass

from viewer.buffer import Buffer
from viewer.container.frames import BARE, CONCATENATED, STORED, STORED_BIG, Framing, FramingKind
from viewer.document.framing import Scratch, is_sound
from viewer.document.reasons import Ranked, reason
from viewer.document.trial import Trial, attempt, take_sample
from viewer.variant.dialect import Dialect, Precision, available

FRAMINGS = (STORED, STORED_BIG, BARE, CONCATENATED)
BUDGET = 1 << 18
SETTLED = 85.0
"""A score that no frames behind foreign bytes are worth looking for: nearly all is explained, and looks likely."""
ENOUGH = 0.5
"""The share of bytes that belong to values where these bytes were meant to be values."""
BEGUN = 2
"""A broken value of more nodes than these began well."""
NODES = 256
FEW_NODES = 16
"""How many nodes are judged of what may be the best, and of what cannot be."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to read a buffer.

    Args:
        dialect, precision, framing: how.
        score: the higher the better; only comparable within one buffer.
        explained: share of the bytes that values and prefixes claim, 0 to 1.
        reason: why this rank, in words.
    """

    dialect: Dialect
    precision: Precision
    framing: Framing
    score: float
    explained: float
    reason: str = ""


def detect(
    buffer: Buffer,
    dialect: Dialect | None = None,
    precision: Precision | None = None,
    framing: FramingKind | None = None,
) -> list[Candidate]:
    """Rank all ways to read *buffer*, the best first. What is given is not questioned.

    Returns:
        At least one candidate, even for bytes that hold no value.
    """
    lines = [dialect] if dialect else list(available())
    ways = [way for way in FRAMINGS if framing in (None, way.kind)]
    samples = {way: take_sample(buffer, way) for way in ways}
    scratch = Scratch()
    first = [attempt(samples[way], len(buffer), line, way, 0, scratch) for line in lines for way in ways]
    ranked = _ranked(first, framing)
    if ranked[0].score < SETTLED:
        second = [_searched(trial, samples[trial.framing], len(buffer), scratch) for trial in first]
        ranked = _ranked(second, framing)
    best = ranked[0]
    rival = next((other for other in ranked if other.trial.dialect is not best.trial.dialect), None)
    return [_candidate(each, rival if each is best else best, precision) for each in ranked]


def looks_like_values(buffer: Buffer) -> bool:
    """Whether at least half of these bytes belong to values, and one of these is whole or at least begins well."""
    if not len(buffer):
        return False
    best = detect(buffer)[0]
    trial = attempt(take_sample(buffer, best.framing), len(buffer), best.dialect, best.framing, 0, Scratch())
    begun = any(is_sound(table) or len(table) > BEGUN for table in trial.tables)
    return best.explained >= ENOUGH and begun


def _searched(trial: Trial, sample: Buffer, size: int, scratch: Scratch) -> Trial:
    """The trial with a search for frames behind foreign bytes, where that can change anything."""
    if trial.framing.kind is not FramingKind.STORED or trial.is_whole:
        return trial
    return attempt(sample, size, trial.dialect, trial.framing, BUDGET, scratch)


def _ranked(trials: list[Trial], asked: FramingKind | None) -> list[Ranked]:
    """The trials with their scores, the best first; without those that are what another framing also finds."""
    best = 0.0
    ranked = []
    for trial in sorted(trials, key=lambda trial: -trial.bound):
        if trial.framing.kind is FramingKind.CONCATENATED and len(trial.tables) < 2 and asked is None:
            continue
        score = trial.score(NODES if trial.bound >= best else FEW_NODES)
        best = max(best, score)
        ranked.append(Ranked(trial, score))
    return sorted(ranked, key=lambda each: -each.score)


def _candidate(ranked: Ranked, rival: Ranked | None, precision: Precision | None) -> Candidate:
    trial = ranked.trial
    width = precision or trial.precision
    return Candidate(trial.dialect, width, trial.framing, ranked.score, trial.explained, reason(ranked, rival))
