"""Ranking: what was found, as repairs, the most likely cause first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp2

from viewer.base.record import dataclass, replace
from viewer.container.frames import Framing, FramingKind
from viewer.document.doctor.candidate import Candidate, Patch, Patches, growth, splices
from viewer.document.doctor.causes import ADVICE, Cause
from viewer.document.doctor.repair import ByteSample, Repair, Support
from viewer.document.doctor.repair_context import RepairContext
from viewer.document.doctor.trust import of_candidate
from viewer.document.doctor.trying import Success, resulting
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import Precision
from viewer.variant.table import NONE

MOST_REPAIRS = 12
MOST_OF_CAUSE = 3
FLOOR, LESS_THAN_UNKNOWN = 0.01, 0.05
"""What share of all explanations is told; and of those that explain less than that nobody knows what happened."""
HIGHEST = 0.98
SHARPNESS = 0.35
"""How much of a bit is believed: values are told by a model of them, and its mistakes add up."""
MOST_SPREAD = 1000.0
LEFT_OUT = "null-left-out"
"""The rule of which a repair puts in the only evidence, where it shows in one place."""
SHOWN, WORD = 12, 4


@dataclass(frozen=True, slots=True)
class RankedFinding:
    """A candidate after which everything reads, and where it was tried.

    Args:
        success: what came of it.
        ground: where it was tried.
        bits: how many bits less it takes than to leave the same bytes as they are; negative where it takes less.
        trust: how often it is true where nothing explains the bytes better.
    """

    success: Success
    ground: RepairContext
    bits: float
    trust: float = 1.0


class Edits:
    """What repairs change, made once for each: it may copy nearly all bytes, and repairs are told many times."""

    def __init__(self) -> None:
        self._made: dict[Patches, tuple[Splice, ...]] = {}

    def splices(self, data: bytes, patches: Patches) -> tuple[Splice, ...]:
        """The splices of some patches."""
        if patches not in self._made:
            self._made[patches] = splices(data, patches)
        return self._made[patches]


def ranked(
    document: Document,
    data: bytes,
    findings: Iterable[RankedFinding],
    as_is: float,
    edits: Edits,
    notes: Sequence[tuple[Repair, float]] = (),
    is_unknown: bool = False,
) -> list[Repair]:
    """The repairs, the likeliest cause first, each cause's best before any second one.

    Args:
        document: what was looked at.
        data: its bytes.
        findings: in any order; equal results are one.
        as_is: the bits of the explanation that changes nothing.
        edits: what was made already.
        notes: explanations that change nothing, with their bits; their confidence is how often they are true.
        is_unknown: whether it is that nobody knows what happened: then what explains less may be true all the same.
    """
    best = sorted(_distinct(document, findings), key=lambda each: each.bits)
    least = min([as_is, *(each.bits for each in best[:1]), *(bits for _, bits in notes)])
    weights = [_weight(each.bits - least) for each in best]
    told = [_weight(bits - least) for _, bits in notes]
    total = _weight(as_is - least) * (not notes) + sum(weights) + sum(told)
    causes: dict[str, list[tuple[RankedFinding, float]]] = {}
    for each, weight in zip(best, weights, strict=True):
        causes.setdefault(slug_of(each.success.candidate), []).append((each, weight / total))
    shares = {slug: sum(share for _, share in some) for slug, some in causes.items()}
    order = [(causes[slug][0][0], shares[slug]) for slug in sorted(causes, key=lambda slug: -shares[slug])]
    rest = [pair for some in causes.values() for pair in some[1:MOST_OF_CAUSE]]
    order += sorted(rest, key=lambda pair: -pair[1])
    out: list[Repair] = []
    shown: dict[str, Patches] = {}
    ceiling = HIGHEST
    for finding, share in order[:MOST_REPAIRS]:
        ceiling = min(ceiling, share)
        explains_more = finding.bits < as_is
        if share >= (FLOOR if explains_more else LESS_THAN_UNKNOWN) and (explains_more or is_unknown):
            success = finding.success
            believed = ceiling * finding.trust * of_candidate(success.candidate, success.way.dialect)
            candidate = success.candidate
            support = Support(len(candidate.rules), candidate.places, as_is - finding.bits, ceiling, len(best))
            known = shown.get(slug_of(candidate), ())
            repair = _repair(document, data, finding, max(FLOOR, believed), edits, known)
            shown.setdefault(slug_of(candidate), candidate.patches)
            out.append(replace(repair, support=support))
    for (note, _), weight in zip(notes, told, strict=True):
        if weight / total >= FLOOR:
            out.append(replace(note, confidence=round(note.confidence * weight / total, 3)))
    return sorted(out, key=lambda repair: -repair.confidence)


def _may_be(rule: Candidate) -> str:
    """What is said of a slip that may as well be a rule of the encoder, which shows in no other place."""
    sentence = sentence_of(rule)
    return f"It may be a rule instead: {sentence[:1].lower()}{sentence[1:]}" if rule.places == 1 else ""


def _weight(bits: float) -> float:
    return exp2(-SHARPNESS * min(bits, MOST_SPREAD))


def slug_of(candidate: Candidate) -> str:
    """What a mistake is called on the command line: the rules of an encoder by their own names."""
    return "+".join(each.slug for each in candidate.rules or candidate.causes) or candidate.cause.slug


def sentence_of(candidate: Candidate) -> str:
    """What happened, in a sentence; to who wrote the encoder, in one for each of its rules."""
    if candidate.rules:
        return " ".join(rule.sentence for rule in candidate.rules)
    if len(candidate.causes) > 1:
        return " ".join(cause.sentence for cause in candidate.causes)
    if candidate.causes:
        return f"{candidate.cause.sentence[:-1]}, in {candidate.places} places."
    size = abs(growth(candidate.patches))
    if size > 1 and candidate.cause is Cause.BYTE_LOST:
        return f"{size} bytes were lost."
    if size > 1 and candidate.cause is Cause.BYTE_INSERTED:
        return f"There are {size} bytes too many here."
    return candidate.cause.sentence


def _distinct(document: Document, findings: Iterable[RankedFinding]) -> list[RankedFinding]:
    """One finding for each result, the likeliest; bytes that read the same in two engine lines are one.

    A slip that may as well be a rule of the encoder says how that rule fits.
    """
    best: dict[tuple[object, ...], RankedFinding] = {}
    rules: dict[tuple[object, ...], RankedFinding] = {}
    for each in findings:
        patches = each.success.candidate.patches
        way = each.success.way
        key = (hash(resulting(each.ground, patches)) if patches else (way.dialect.key, way.framing),)
        kept = [best, rules] if each.success.candidate.rules else [best]
        for some in kept:
            known = some.get(key)
            if known is None or known.bits > each.bits:
                some[key] = each
    return [_as_rule(each, rules.get(key)) for key, each in best.items()]


def _as_rule(slip: RankedFinding, rule: RankedFinding | None) -> RankedFinding:
    """A slip with how it fits as a rule of the encoder that gives the same bytes."""
    candidate = slip.success.candidate
    other = rule.success.candidate if rule is not None else candidate
    if candidate.rules or not (other.rules and other.fact):
        return slip
    if other.otherwise >= other.places or (other.places == 1 and other.rules[0].noun == "length"):
        return slip  # what others speak against is none; any number is a constant that stands in one place
    is_put_in = other.places == 1 and any(rule.slug == LEFT_OUT for rule in other.rules)
    fits = "" if is_put_in else other.fact  # the only null is the one that the repair puts there
    fact = " ".join(part for part in (candidate.fact, fits, _may_be(other)) if part)
    return replace(slip, success=replace(slip.success, candidate=replace(candidate, fact=fact)))


def _repair(
    document: Document, data: bytes, finding: RankedFinding, confidence: float, edits: Edits, known: Patches
) -> Repair:
    """One finding as a repair; it is shown where it does what the *known* patches of the same mistake don't."""
    success = finding.success
    candidate = success.candidate
    changes = edits.splices(data, candidate.patches)
    sentence = sentence_of(candidate)
    edit = Edit(label(sentence), changes) if candidate.patches else None
    told = telling(finding)
    before, after = samples(data, _differing(told, known))
    reason = " ".join(part for part in (candidate.fact, _evidence(finding)) if part)
    choice = _choice(document, finding)
    note = candidate.note or _wide_int(data, told, finding) or ADVICE.get(candidate.cause, "")
    return Repair(
        candidate.cause, sentence, reason, round(confidence, 3), edit, choice, note, before, after, slug_of(candidate)
    )


def _wide_int(data: bytes, told: Patches, finding: RankedFinding) -> str:
    """That the word which changes is as the upper half of the int before it would be; empty where it is not."""
    first = told[0] if len(told) == 1 and not finding.success.candidate.rules else None
    if first is None or not first.size == len(first.new) == WORD or first.at < 2 * WORD:
        return ""
    number, word = (data[first.at + by : first.at + by + WORD] for by in (-WORD, 0))
    sign = b"\xff" if number[-1] & 0x80 else b"\0"
    if word != sign * WORD or not _is_int(finding.ground, first.at - 2 * WORD):
        return ""
    return (
        f"Or eight bytes were written over the four of the int at 0x{first.at - WORD:X}: the word is what its upper "
        "half would be. Look for what writes 64-bit numbers there."
    )


def _is_int(ground: RepairContext, at: int) -> bool:
    """Whether an int of four bytes begins at a place."""
    table, place = ground.table, at - ground.start
    node = table.at(place) if 0 <= place < table.end_of_data else NONE
    row = table.row(node) if node != NONE and table.start[node] == place and not table.is_name(node) else None
    return row is not None and row.name == "int" and table.end(node) == place + 2 * WORD


def _differing(told: Patches, known: Patches) -> Patches:
    """The patches from the first one on that does something else than the known ones; all where none does."""
    if len(told) == len(known) == 1 and told[0] != known[0]:
        new, old = told[0], known[0]
        if (new.at, new.size, len(new.new), len(old.new)) == (old.at, old.size, new.size, new.size):
            first = next(k for k in range(new.size) if new.new[k] != old.new[k])
            first -= first % 4
            return (Patch(new.at + first, new.size - first, new.new[first:]),)
    return tuple(each for each in told if each not in known) or told


def label(sentence: str) -> str:
    """What the edit of a repair is called."""
    return f"Repair: {sentence[:1].lower()}{sentence[1:].removesuffix('.')}"


def _evidence(finding: RankedFinding) -> str:
    success = finding.success
    noun = "value decodes and ends" if success.values == 1 else f"{success.values} values decode and end"
    lead, owner = ("the", "its") if success.values == 1 else ("all", "their")
    sentence = f"Then {lead} {noun} at the last byte{f' of {owner} frame' if success.frames else ''}"
    if success.frames == 1:
        sentence += ", and so does the next frame"
    elif success.frames:
        sentence += f", and so do the next {success.frames} frames"
    return f"{sentence}."


def _choice(document: Document, finding: RankedFinding) -> ReadOptions | None:
    """How the bytes are to be read, None where that is as now."""
    way = finding.success.way
    if way.dialect is document.dialect and _same(way.framing, document.framing):
        return None
    precision = document.precision if way.dialect is document.dialect else Precision.SINGLE
    return ReadOptions(way.dialect, precision, way.framing.kind, UnwrapOptions(()), way.framing.big_endian)


def _same(one: Framing, other: Framing) -> bool:
    return one == other


def telling(finding: RankedFinding) -> Patches:
    """The patches that show what was wrong: not the length before the value that follows from it."""
    candidate, ground = finding.success.candidate, finding.ground
    patches = candidate.patches
    is_length = len(patches) > 1 and patches[0].size == 4 == len(patches[0].new)
    is_before = bool(ground.has_prefix and patches) and patches[0].at in (ground.at, ground.start - 4)
    if candidate.rules or candidate.cause.slug.startswith("prefix-"):
        stored = candidate.framing is not None and candidate.framing.kind is FramingKind.STORED
        follows = bool(growth(patches)) and (is_before or (bool(candidate.rules) and stored))
    else:
        follows = is_before
    return patches[1:] if is_length and follows else patches


def samples(data: bytes, patches: Patches) -> tuple[ByteSample | None, ByteSample | None]:
    """The bytes at the first change, and what they become."""
    first = next((each for each in patches if data[each.at : each.at + each.size] != each.new), None)
    if first is None:
        return None, None
    same = next(
        (k for k in range(first.size) if data[first.at + k : first.at + k + 1] != first.new[k : k + 1]), first.size
    )
    if same >= SHOWN:
        skipped = same - same % 4
        first = Patch(first.at + skipped, first.size - skipped, first.new[skipped:])
    if first.size > SHOWN and first.size == len(data):
        return ByteSample(0, _hex(data[:SHOWN])), ByteSample(0, _hex(first.new[:SHOWN]))
    low = max(0, first.at - first.at % 4)
    high = max(low + 4, min(first.at + first.size, low + SHOWN))
    high += -high % 4
    new = data[low : first.at] + first.new + data[first.at + first.size : max(high, first.at + first.size)]
    come = len(first.new) - first.size
    most = max(SHOWN, high - low) + (come if 0 < come <= SHOWN else 0)
    return ByteSample(low, _hex(data[low:high])), ByteSample(low, _hex(new[:most]))


def _hex(raw: bytes) -> str:
    return raw.hex(" ").upper()
