"""Recognise whose rules the payloads of a conversation follow, and which engine wrote their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from viewer.base.diagnostic import Severity
from viewer.document.detection.attempt import LIKELIHOOD
from viewer.document.detection.plausible import plausibility
from viewer.document.packets.draft import MessageDraft
from viewer.document.packets.godot3 import Body
from viewer.document.packets.node_paths import Known
from viewer.document.packets.packet_values import ValueReader
from viewer.document.packets.readings import PayloadReading, PayloadSample, readings, readings_of
from viewer.document.pieces.message import FieldRole, MessageField, Protocol
from viewer.variant.dialect import Dialect, load

MOST_SAMPLES = 64
"""So many payloads are judged."""
MISFIT = -3.0
ENOUGH = 1.0
"""A score that settles whose rules these are; less proves nothing."""
JUDGED_VALUES, JUDGED_NODES = 8, 32
UNLIKELY = 0.35
"""Values that look less likely than this were written by other rules."""
LIKELY, ENOUGH_NODES, NEARLY = 0.9, 4, 1.0
"""A broken value with so many likely nodes before its fault is one all the same."""
TIE = 0.1
"""How much a dialect's likelihood counts: only where the payloads say the same."""


def recognise(
    samples: Iterable[PayloadSample],
    engine: str | None = None,
    protocol: Protocol | None = None,
    dialect: Dialect | None = None,
) -> PayloadReading:
    """The rules that most payloads of one conversation follow.

    Args:
        samples: its payloads from the first one on; only the first :data:`MOST_SAMPLES` are looked at.
        engine: ``godot3`` or ``godot4`` where something else tells it, such as how ENet was set up.
        protocol, dialect: what a person fixed; it is not questioned.

    Returns:
        The reading; of protocol ``UNKNOWN`` where nothing fits.
    """
    some = [sample for sample in islice(samples, MOST_SAMPLES) if sample.data]
    if protocol is Protocol.UNKNOWN:
        return _unknown(dialect)
    if protocol is not None:
        return _best(readings_of(protocol, dialect), some)[0]
    carrier = some[0].carrier if some else ""
    best, score = _best(list(readings(carrier, engine, dialect)), some)
    if score >= ENOUGH or (carrier.startswith("ENet") and engine == "godot3"):
        return best
    if carrier.startswith("ENet") and engine == "godot4":
        return _godot4_or_unknown(some, dialect)
    return _unknown(dialect)


def _godot4_or_unknown(samples: list[PayloadSample], dialect: Dialect | None) -> PayloadReading:
    """Godot 4's rules where no payload breaks them, such as raw bytes and nothing else."""
    best, score = _best(readings_of(Protocol.GODOT4, dialect), samples)
    return best if score >= 0 else _unknown(dialect)


def _unknown(dialect: Dialect | None) -> PayloadReading:
    return PayloadReading(Protocol.UNKNOWN, dialect or load("godot4"))


def _best(candidates: Sequence[PayloadReading], samples: list[PayloadSample]) -> tuple[PayloadReading, float]:
    """The reading with the highest score, the first of equals."""
    values = {reading.dialect.key: ValueReader(reading.dialect, lints=False) for reading in candidates}
    scored = [(_score(reading, samples, values[reading.dialect.key]), reading) for reading in candidates]
    score, best = max(scored, key=lambda each: each[0] + TIE * LIKELIHOOD.get(each[1].dialect.key, 0.3))
    return best, score


def _score(reading: PayloadReading, samples: list[PayloadSample], values: ValueReader) -> float:
    known = Known(sends_numbers=reading.sends_numbers)
    return sum(_fits(reading, reading.read(sample, known, values), values) for sample in samples)


def _fits(reading: PayloadReading, draft: MessageDraft, values: ValueReader) -> float:
    """How much a payload speaks for a reading, negative against it."""
    if reading.body is Body.BYTES and draft.kind == "bytes":
        return 0.0 if not draft.doubtful else MISFIT
    if draft.severity is Severity.ERROR and reading.protocol is Protocol.VALUE:
        return _nearly_fits(draft, values)
    if draft.doubtful or draft.severity is Severity.ERROR:
        return MISFIT
    likely = _likelihood(draft, values)
    return MISFIT if likely < UNLIKELY else draft.evidence * (0.5 + 0.5 * likely)


def _nearly_fits(draft: MessageDraft, values: ValueReader) -> float:
    """How much a broken value speaks for values: a little where the nodes before the fault look like ones."""
    piece = next(iter(_value_pieces(draft.pieces)), None)
    if piece is None:
        return MISFIT
    table = values.table(draft.data, piece.span.start, piece.span.end)
    likely = len(table) >= ENOUGH_NODES and plausibility(table, JUDGED_NODES) >= LIKELY
    return NEARLY if likely else MISFIT


def _likelihood(draft: MessageDraft, values: ValueReader) -> float:
    """How likely the values in a payload look, 0 to 1."""
    if not draft.has_values:
        return 1.0
    total, count = 0.0, 0
    for piece in islice(_value_pieces(draft.pieces), JUDGED_VALUES):
        table = values.table(draft.data, piece.span.start, piece.span.end)
        total += plausibility(table, JUDGED_NODES)
        count += 1
    return total / count if count else 1.0


def _value_pieces(pieces: Sequence[MessageField]) -> Iterable[MessageField]:
    """The ordinary values among pieces and what they consist of, which is a few levels at most."""
    for piece in pieces:
        if piece.role is FieldRole.VALUE:
            yield piece
        yield from _value_pieces(piece.children)
