"""Which engine line wrote these bytes, and how they are framed: every candidate tried, ranked, with its reason.

A candidate is tried for real: the buffer is cut and scanned. What counts, in this order: how many bytes it explains,
how likely the values look, how common the engine line is. Of a large buffer only the beginning is scanned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from viewer.container.frames import (
    BARE,
    CONCATENATED,
    MIN_VALUE,
    STORED,
    STORED_BIG,
    Framing,
    FramingKind,
    chain,
    prefix,
)
from viewer.diagnostic import Diagnostic, Severity
from viewer.document.framing import Frame, Reader, frames
from viewer.document.plausible import plausibility
from viewer.variant.dialect import FLAG_64, Dialect, Precision, available
from viewer.variant.table import NodeTable

SAMPLE = 1 << 17
LIKELIHOOD = {
    "godot3": 0.5,
    "godot4": 0.48,
    "godot4.0": 0.4,
    "pandemonium4": 0.2,
    "pandemonium5": 0.15,
    "godot2": 0.1,
    "pandemonium3.5": 0.05,
}
"""Decides only where the bytes read the same: too little to outweigh a value. The order is a choice, not a fact."""
FRAMINGS = (STORED, STORED_BIG, BARE, CONCATENATED)
BUDGET = 1 << 17
CONCATENATED_WEIGHT = 0.85
"""Engines write values without prefixes one by one; several in one buffer are rare."""
BROKEN_WEIGHT = 0.6
"""A broken value read in a wrong engine line often seems to be several, the last of them broken."""


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


@dataclass(frozen=True, slots=True)
class _Trial:
    candidate: Candidate
    sound: int
    filled: int
    total: int
    error: Diagnostic | None
    tables: tuple[NodeTable, ...]


def detect(
    buffer: bytes,
    dialect: Dialect | None = None,
    precision: Precision | None = None,
    framing: FramingKind | None = None,
) -> list[Candidate]:
    """Rank all ways to read *buffer*, the best first. What is given is not questioned.

    Returns:
        At least one candidate, even for bytes that hold no value.
    """
    dialects = [dialect] if dialect else list(available())
    trials = [
        trial
        for line in dialects
        for way in _framings(buffer, framing)
        if (trial := _try(buffer, line, way, framing is not None)) is not None
    ]
    trials.sort(key=lambda trial: -trial.candidate.score)
    best = trials[0]
    ranked = []
    for trial in trials:
        rival = best if trial is not best else _rival(best, trials)
        width = precision or trial.candidate.precision
        ranked.append(replace(trial.candidate, precision=width, reason=_reason(trial, rival)))
    return ranked


def _framings(buffer: bytes, kind: FramingKind | None) -> list[Framing]:
    """The framings worth a trial. A chain of prefixes that ends exactly at the end leaves no doubt about its order."""
    if kind is not None:
        return [way for way in FRAMINGS if way.kind is kind]
    return list(FRAMINGS)


def _try(buffer: bytes, dialect: Dialect, framing: Framing, asked: bool) -> _Trial | None:
    """Read the buffer this way; None where another framing that nobody *asked* for is the same."""
    limit = SAMPLE if len(buffer) > SAMPLE else 0
    reader = Reader(buffer, dialect, progress=(lambda pos: pos < limit) if limit else None)
    sample = _sample(buffer, framing, limit) if limit else buffer
    found = frames(sample, framing, reader, BUDGET)
    if framing.kind is FramingKind.CONCATENATED and len(found) < 2 and not asked:
        return None
    tables = tuple(frame.table for frame in found)
    explained = _explained(found, sample, framing, reader.stopped)
    likely = sum(plausibility(table) for table in tables[:8]) / min(8, len(tables)) if tables else 0.0
    sound = [frame for frame in found if frame.sound]
    weight = LIKELIHOOD.get(dialect.key, 0.3)
    usual = CONCATENATED_WEIGHT if framing.kind is FramingKind.CONCATENATED else 1.0
    if usual < 1.0 and len(sound) < len(found):
        usual *= BROKEN_WEIGHT
    score = 100 * explained * usual * (0.4 + 0.6 * likely) + weight
    precision = Precision.DOUBLE if any(_has_wide_real(table) for table in tables[:8]) else Precision.SINGLE
    error = next((d for frame in found for d in frame.table.diagnostics if d.severity is Severity.ERROR), None)
    filled = len(sound) if reader.stopped else sum(frame.gap is None for frame in sound)
    candidate = Candidate(dialect, precision, framing, score, explained)
    return _Trial(candidate, len(sound), filled, len(found), error, tables)


def _sample(buffer: bytes, framing: Framing, limit: int) -> bytes:
    """The first whole frames of a large buffer where prefixes chain to its end; else its first bytes."""
    if framing.kind is FramingKind.BARE:
        return buffer
    if framing.kind is FramingKind.CONCATENATED:
        return buffer[:limit]
    exact = chain(buffer, framing.big_endian)[1]
    at = 0
    while exact and at < limit:
        at += 4 + prefix(buffer, at, framing.big_endian)
    return buffer[:at] if exact else buffer[:limit]


def _explained(found: list[Frame], sample: bytes, framing: Framing, stopped: bool) -> float:
    """Share of the bytes that the frames explain. A broken value, or one whose prefix lies, counts half."""
    total = 0.0
    for frame in found:
        claimed = len(frame.cut.payload) if stopped and frame.sound else frame.table.end_of_data
        if framing.kind is FramingKind.CONCATENATED and claimed == MIN_VALUE:
            continue  # zero words behind a value are fill more often than null values
        if frame.sound and frame.prefix_is_true(sample, framing):
            total += claimed + (4 if frame.cut.prefix else 0)
        else:
            total += claimed / 2
    return min(1.0, total / len(sample)) if sample else 0.0


def _has_wide_real(table: NodeTable) -> bool:
    """Whether a ``real`` is written in 64 bits, which only a double-precision engine does."""
    if not table.dialect.rules.wide_reals:
        return False
    for count, node in enumerate(table.nodes):
        if count > SAMPLE:
            return False
        row = table.row(node)
        if row is not None and row.real and table.header(node) & FLAG_64:
            return True
    return False


def _rival(best: _Trial, trials: list[_Trial]) -> _Trial | None:
    """The best candidate of another engine line that reads the bytes otherwise."""
    return next((trial for trial in trials if trial.candidate.dialect is not best.candidate.dialect), None)


def _reason(trial: _Trial, rival: _Trial | None) -> str:
    words = [_frames_in_words(trial)]
    if rival is not None and rival.candidate.dialect is not trial.candidate.dialect:
        words.append(_difference(trial, rival))
    return "; ".join(word for word in words if word)


def _frames_in_words(trial: _Trial) -> str:
    framing = trial.candidate.framing.kind
    if trial.sound == 0:
        return trial.error.message.rstrip(".") if trial.error else "no value found"
    if framing is FramingKind.STORED:
        unit = "frame ends" if trial.total == 1 else "frames end"
        text = f"{trial.filled} of {trial.total} {unit} exactly at the stated length"
    elif framing is FramingKind.CONCATENATED:
        text = f"{trial.sound} values follow each other"
    else:
        text = (
            "one value ends exactly where the data ends"
            if trial.filled
            else "one value, then bytes that belong to none"
        )
    if trial.candidate.explained < 0.9995:
        text += f", {trial.candidate.explained:.0%} of the bytes explained"
    return text


def _difference(trial: _Trial, rival: _Trial) -> str:
    """Where another engine line reads the same bytes otherwise."""
    name = rival.candidate.dialect.name
    if rival.candidate.score > trial.candidate.score:
        return (
            f"{name} explains more" if rival.candidate.explained > trial.candidate.explained else f"{name} is likelier"
        )
    clash = _first_clash(trial, rival)
    if rival.error is not None and clash:
        return f"{name} would read {clash} and fail: {rival.error.message.rstrip('.')}"
    if clash:
        return f"{name} would read {clash}, which looks less likely"
    return f"{name} would read the same values"


def _first_clash(trial: _Trial, rival: _Trial) -> str:
    """The first type number that both lines name differently: ``type 18 as Transform3D``."""
    for table in trial.tables:
        for count, node in enumerate(table.nodes):
            if count > SAMPLE:
                return ""
            row = table.row(node)
            other = rival.candidate.dialect.row(table.header(node))
            if row is not None and not table.is_name(node) and (other is None or other.name != row.name):
                return f"type {row.number} as {other.name}" if other else f"type {row.number}, which it does not know,"
    return ""
