"""Ranking: what was found, as repairs, the most likely cause first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from viewer.container.frames import Framing
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.patch import Patches, splices
from viewer.document.doctor.repair import Repair, Sample
from viewer.document.doctor.trying import Success, resulting
from viewer.document.document import Document
from viewer.document.reading import Choice
from viewer.document.splice import Edit, Splice
from viewer.document.wraps import Opening
from viewer.variant.dialect import Precision

MOST_REPAIRS = 12
MOST_OF_CAUSE = 3
FLOOR = 0.01
HIGHEST = 0.98
UNKNOWN = 1e-18
"""The weight of a damage that no hypothesis explains."""
SHOWN = 12


@dataclass(frozen=True, slots=True)
class Finding:
    """A candidate after which everything reads, and where it was tried."""

    success: Success
    ground: Ground


class Edits:
    """What repairs change, made once for each: it may copy nearly all bytes, and repairs are told many times."""

    def __init__(self) -> None:
        self._made: dict[Patches, tuple[Splice, ...]] = {}

    def splices(self, data: bytes, patches: Patches) -> tuple[Splice, ...]:
        """The splices of some patches."""
        if patches not in self._made:
            self._made[patches] = splices(data, patches)
        return self._made[patches]


def ranked(document: Document, data: bytes, findings: Iterable[Finding], healthy: float, edits: Edits) -> list[Repair]:
    """The repairs, the likeliest cause first, each cause's best before any second one.

    Args:
        document: what was looked at.
        data: its bytes.
        findings: in any order; equal results are one.
        healthy: the weight of nothing being wrong.
        edits: what was made already.
    """
    best = _distinct(document, findings)
    total = healthy + sum(each.success.weight for each in best)
    if not best or total <= 0:
        return []
    causes: dict[Cause, list[Finding]] = {}
    for each in sorted(best, key=lambda each: -each.success.weight):
        causes.setdefault(each.success.candidate.cause, []).append(each)
    shares = {cause: sum(each.success.weight for each in some) / total for cause, some in causes.items()}
    first = sorted(causes, key=lambda cause: -shares[cause])
    order = [(causes[cause][0], shares[cause]) for cause in first]
    rest = [(each, each.success.weight / total) for some in causes.values() for each in some[1:MOST_OF_CAUSE]]
    order += sorted(rest, key=lambda pair: -pair[1])
    out: list[Repair] = []
    ceiling, trust = HIGHEST, total / (total + UNKNOWN)
    for finding, share in order[:MOST_REPAIRS]:
        ceiling = min(ceiling, share)
        if share >= FLOOR and finding.success.weight > healthy:
            out.append(_repair(document, data, finding, max(FLOOR, trust * ceiling), edits))
    return out


def _distinct(document: Document, findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each result, the likeliest; bytes that read the same in two engine lines are one."""
    best: dict[tuple[object, ...], Finding] = {}
    for each in findings:
        patches = each.success.candidate.patches
        way = each.success.way
        key = (hash(resulting(each.ground, patches)) if patches else (way.dialect.key, way.framing),)
        known = best.get(key)
        if known is None or known.success.weight < each.success.weight:
            best[key] = each
    return list(best.values())


def _repair(document: Document, data: bytes, finding: Finding, confidence: float, edits: Edits) -> Repair:
    success = finding.success
    candidate = success.candidate
    changes = edits.splices(data, candidate.patches)
    edit = Edit(_label(candidate.cause), changes) if candidate.patches else None
    before, after = samples(data, candidate.patches)
    reason = " ".join(part for part in (candidate.fact, _evidence(finding)) if part)
    choice = _choice(document, finding)
    note = candidate.note
    return Repair(
        candidate.cause, candidate.cause.sentence, reason, round(confidence, 3), edit, choice, note, before, after
    )


def _label(cause: Cause) -> str:
    return f"Mend: {cause.sentence[:1].lower()}{cause.sentence[1:].removesuffix('.')}"


def _evidence(finding: Finding) -> str:
    success = finding.success
    noun = "value decodes and ends" if success.values == 1 else f"{success.values} values decode and end"
    lead, owner = ("The", "its") if success.values == 1 else ("All", "their")
    sentence = f"{lead} {noun} at the last byte{f' of {owner} frame' if success.frames else ''}"
    if success.frames == 1:
        sentence += ", and so does the frame behind"
    elif success.frames:
        sentence += f", and so do the {success.frames} frames behind"
    return f"{sentence}."


def _choice(document: Document, finding: Finding) -> Choice | None:
    """How the bytes are to be read, None where that is as now."""
    way = finding.success.way
    if way.dialect is document.dialect and _same(way.framing, document.framing):
        return None
    precision = document.precision if way.dialect is document.dialect else Precision.SINGLE
    return Choice(way.dialect, precision, way.framing.kind, Opening(()), way.framing.big_endian)


def _same(one: Framing, other: Framing) -> bool:
    return one == other


def samples(data: bytes, patches: Patches) -> tuple[Sample | None, Sample | None]:
    """The bytes at the first patch, and what they become."""
    if not patches:
        return None, None
    first = patches[0]
    if first.size > SHOWN and first.size == len(data):
        return Sample(0, _hex(data[:SHOWN])), Sample(0, _hex(first.new[:SHOWN]))
    low = max(0, first.at - first.at % 4)
    high = max(low + 4, min(first.at + first.size, low + SHOWN))
    high += -high % 4
    new = data[low : first.at] + first.new + data[first.at + first.size : max(high, first.at + first.size)]
    return Sample(low, _hex(data[low:high])), Sample(low, _hex(new[: max(SHOWN, high - low)]))


def _hex(raw: bytes) -> str:
    return raw.hex(" ").upper()
