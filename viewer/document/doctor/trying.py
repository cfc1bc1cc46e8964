"""Trying: each candidate is done and the bytes are read again; only what then reads to the last byte counts."""

from __future__ import annotations

from math import log2

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, FramingKind, is_header, prefix
from viewer.document.doctor.candidate import Candidate, Patch, Patches, growth, mended, patched, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import Memory, count_bits, description_length, raw_bits
from viewer.document.doctor.encoder_rule import EncoderRule
from viewer.document.doctor.repair_context import (
    FrameStep,
    ReadGuess,
    RepairContext,
    WorkBudget,
    extent,
    is_readable,
    walk,
)
from viewer.document.doctor.trial_trails import TrialTrails
from viewer.document.doctor.wire_format import SAY_NOTHING

MOST_STEPS = 512
"""So many frames behind the damage must be right; those behind them are believed."""
SHORT, SLIDE = 1 << 16, 1 << 12
"""Of more bytes only those that change are compared, after they were moved back by so many at most."""
RARE_FRAMING = 4.0
"""Bits: values without lengths, one after another, are rare."""
NULL, NULL_BITS = 4, 11.0
"""The size of a null, and what one takes that stands among such values by itself: any four zeros are one."""
MISTAKE, OTHERWISE = 8.0, 4.0
"""Bits: that a mistake was made at all, of an ordinary kind; and that none was, but the values are cut otherwise."""
WASTE, THROWN = 1.1, 6.0
"""What is thrown away is told in more bits than it needs: nothing explains that it is there."""
COPY, COPIED = 4, 6.0
"""So many bytes may be a copy of those beside them; what tells a copy, or a true length: nothing is new in it."""
ONLY_ONCE, WRONG_NUMBER_ONCE = 4.0, 12.0
"""Bits: that what shows in one place only is a rule, and no slip; most of all where one type is taken for another."""
PREFIX = 4
"""Bytes of a length before a value."""
LARGE = 1 << 16
"""Of more bytes only the frames around the damage are told: the others are the same in all explanations."""
MOST_GONE, MOST_TOLD = 0.5, 0.8
"""Where no more of the bytes would stay than this, they must look like values: so much shorter than as bytes."""
LEAST_WASTE, FEW_BYTES = 2, 4
"""A lone value is not believed where so many times its bytes would go, but for those that are all alike."""


@dataclass(frozen=True, slots=True)
class Success:
    """A candidate after which everything reads.

    Args:
        candidate: it, with all its patches.
        way: how the bytes are read then.
        values: how many nodes the frame at the damage holds then.
        frames: how many frames follow it.
        told: the bits that tell the values, and the bytes that are thrown away.
        region: the bytes as they were that these tell.
        near: the place around which long values are told.
        size: bytes afterwards.
    """

    candidate: Candidate
    way: ReadGuess
    values: int
    frames: int
    told: float
    region: Span
    near: int
    size: int

    @property
    def bits(self) -> float:
        """What it takes to tell the mistake and all that comes out of it."""
        return self.told + mistake_bits(self.candidate) - log2(max(self.way.weight, LEAST_WEIGHT))


LEAST_WEIGHT = 1e-9
TOLD = 1 << 12
"""The work of telling what one node takes, in bytes that a compiled scanner reads."""


def mistake_bits(candidate: Candidate) -> float:
    """What it takes to tell a mistake."""
    if candidate.rules:
        is_number = any(name == "ids" for rule in candidate.rules for name, _ in rule.changes)
        once = WRONG_NUMBER_ONCE if is_number else ONLY_ONCE
        return candidate.bits + (once if candidate.places == 1 else 0.0)
    mistake = MISTAKE if candidate.patches or candidate.cause is Cause.OTHER_ENGINE else OTHERWISE
    return mistake - log2(max(candidate.cause.prior * candidate.weight, LEAST_WEIGHT)) + candidate.bits


def try_on(
    ground: RepairContext, candidate: Candidate, meter: WorkBudget, trails: TrialTrails | None = None
) -> Success | None:
    """Do what a candidate says; None where the bytes do not all read then.

    Args:
        ground: where.
        candidate: what.
        meter: counts the work.
        trails: the heads at that place, for who tries much there.
    """
    way = ground.way
    if candidate.framing is not None or candidate.dialect is not None:
        way = replace(way, framing=candidate.framing or way.framing, dialect=candidate.dialect or way.dialect)
        trails = None
    for patches in _whole(ground, candidate):
        found = _tried(ground, candidate, patches, way, meter, trails)
        if found is not None:
            return found
    return None


def _whole(ground: RepairContext, candidate: Candidate) -> list[Patches]:
    """The patches with the length before the value put right, where it must be."""
    patches = candidate.patches
    grown = growth(patches)
    if candidate.framed or not ground.has_prefix or candidate.framing is not None:
        return [patches]
    length = len(ground.data) - ground.start if ground.stored < 0 else ground.stored
    fixed = [patches]
    if grown and 0 <= length + grown <= 0xFFFFFFFF:
        prefix = word(ground.at, length + grown, ground.way.framing.big_endian)
        whole = (prefix, *patches)
        fixed.append(whole if patches[0].at > ground.at else tuple(sorted(whole)))
    return fixed[::-1] if ground.prefix_agrees else fixed


def _tried(
    ground: RepairContext,
    candidate: Candidate,
    patches: Patches,
    way: ReadGuess,
    meter: WorkBudget,
    trails: TrialTrails | None,
) -> Success | None:
    base = min(ground.at, patches[0].at) if patches else ground.at
    if way.framing.kind is FramingKind.STORED and not _may_follow(ground.data, patches, base, way.framing.big_endian):
        meter.charge(len(ground.data) - base + growth(patches))
        return None
    data = mended(ground.data, patches, base)
    meter.charge(len(data))
    if trails is not None and patches and isinstance(data, bytes):
        at = ground.start - base
        size = prefix(data, at - 4, way.framing.big_endian) if ground.has_prefix else len(data) - at
        if 0 < size <= len(data) - at and trails.is_barred(data, patches, base, size):
            meter.charge(trails.work)
            return None
    steps: list[FrameStep] = []
    for step in walk(data, way, meter):
        if not (step.fills and is_header(data, step.payload.start)):
            return None
        steps.append(step)
        if len(steps) >= MOST_STEPS:
            break
    if not steps or meter.spent or (len(steps) < MOST_STEPS and steps[-1].payload.end != len(data)):
        return None
    nulls = sum(step.size <= NULL for step in steps) if way.framing.kind is FramingKind.CONCATENATED else 0
    if 2 * nulls > len(steps):
        return None
    candidate = replace(candidate, patches=patches)
    stop = max(extent(ground), _last(candidate)) + growth(candidate.patches) - base
    all_of_them = len(ground.data) <= LARGE or not candidate.patches
    judged = [step for step in steps if step.payload.start <= stop or all_of_them] or steps[:1]
    found = _success(ground, candidate, way, data, base, judged, meter)
    return None if found is None else replace(found, frames=len(steps) - 1, told=found.told + NULL_BITS * nulls)


def _may_follow(data: bytes, patches: Patches, base: int, big_endian: bool) -> bool:
    """Whether the length at *base* is possible after patches, and the bytes end behind that value, or so is the next.

    It is looked at before any bytes are made: most of what is tried moves the next length away.
    """
    at, grown = base, growth(patches)
    end, behind = len(data) + grown, patches[-1].at + patches[-1].size if patches else base
    for _ in range(2):
        if at - grown >= behind:  # behind the changes, in the bytes as they are
            length = prefix(data, at - grown, big_endian)
        elif at + PREFIX <= patches[0].at:  # before them
            length = prefix(data, at, big_endian)
        elif patches[0].at == at and patches[0].size == len(patches[0].new) == PREFIX:
            length = prefix(patches[0].new, 0, big_endian)
        else:
            length = prefix(mended(data, patches, base), at - base, big_endian)
        left = end - at - PREFIX
        if length < MIN_VALUE or length > left:
            return False
        if length == left:
            return True
        at += PREFIX + length
    return True


def _last(candidate: Candidate) -> int:
    """Where the last change ends."""
    return candidate.patches[-1].at + candidate.patches[-1].size if candidate.patches else 0


def nearest(patches: Patches, start: int) -> int:
    """Where values begin to change that lie from *start* on; the length before them may change as well."""
    return next((patch.at for patch in patches if patch.at >= start), start)


def _success(
    ground: RepairContext,
    candidate: Candidate,
    way: ReadGuess,
    data: Buffer,
    base: int,
    steps: list[FrameStep],
    meter: WorkBudget,
) -> Success | None:
    """What it takes to tell what a candidate made of the bytes from *base* on; None where it cannot be read."""
    told, values = thrown_bits(ground.data, candidate), 0
    if len(steps) > 1 and way.framing.kind is FramingKind.CONCATENATED and candidate.cause is not Cause.SEVERAL_VALUES:
        told += RARE_FRAMING
    near = nearest(candidate.patches, ground.start) - base
    memory = Memory()
    for step in steps:
        table = meter.scan(data, step.payload.start, step.payload.end, way.dialect)
        if not is_readable(table):
            return None
        meter.charge(TOLD * len(table))
        told += description_length(table, near - step.payload.start, memory)
        values = values or len(table)
    end = base + steps[-1].payload.end - growth(candidate.patches)
    return Success(
        candidate, way, values, len(steps) - 1, told, Span(base, max(base, end)), near + base, base + len(data)
    )


def thrown_bits(data: bytes, candidate: Candidate) -> float:
    """What it takes to tell the bytes that a candidate throws away, which somebody wrote all the same."""
    if any(_leaves_open(rule) for rule in candidate.rules):
        gone = (patch for patch in candidate.patches if len(patch.new) in (0, patch.size))
        words = dict.fromkeys(data[patch.at : patch.at + patch.size] for patch in gone)
        return raw_bits(b"".join(words))  # what stands in several places is told once
    if candidate.rules:
        return 0.0
    if candidate.thrown is not None:
        return candidate.thrown
    if len(candidate.patches) == 1 and candidate.patches[0].size == len(data):
        return 0.0  # all bytes become others
    thrown = (patch for patch in candidate.patches if patch.growth < 0)
    return sum(_bits_of(data, patch.at + len(patch.new), patch.at + patch.size) for patch in thrown)


def _leaves_open(rule: EncoderRule) -> bool:
    """Whether a rule has bytes, or counts, of which it does not say what they are; those that align are zeros."""
    return any(value in SAY_NOTHING or (name == "extra" and "align" not in value) for name, value in rule.changes)


def overwritten_bits(data: bytes, candidate: Candidate) -> float:
    """What it takes to tell the bytes that a candidate replaces by as many others: nobody knows why they are there."""
    changed = (patch for patch in candidate.patches if not patch.growth and not candidate.rules)
    return sum(raw_bits(data[patch.at : patch.at + patch.size]) for patch in changed)


def _bits_of(data: bytes, start: int, end: int) -> float:
    """The bits that tell some bytes; few for a copy of those beside them."""
    size = end - start
    if size <= COPY and not any(data[start:end]):
        return COPIED
    if size > COPY and data.count(data[start], start, end) == size:
        return fill_bits(size)
    if size >= COPY and data[start:end] in (data[start - size : start], data[end : end + size]):
        return COPIED
    return WASTE * raw_bits(data[start:end]) + THROWN


def fill_bits(size: int) -> float:
    """The bits that tell a run of one byte."""
    return COPIED + count_bits(size)


def with_prefix(ground: RepairContext, candidate: Candidate) -> Patches:
    """The patches of a candidate, with that of the length before the value where it needs one."""
    return _whole(ground, candidate)[0]


def resulting(ground: RepairContext, patches: Patches) -> bytes:
    """What tells the bytes after the patches from those after others: where they are equal, so is this."""
    data = ground.data
    if len(data) <= SHORT or len(patches[0].new) > SHORT:
        return patched(data, patches)
    low, end = patches[0].at, patches[-1].at + patches[-1].size
    if end - low > SHORT:
        return b"".join(b"%d %d " % (patch.at, patch.size) + patch.new for patch in patches)
    before = data[low : end + SLIDE]
    after = patched(before, (patch.shifted(-low) for patch in patches))
    same = _alike(before, after)
    kept = max(0, min(len(before) - (end - low), min(len(before), len(after)) - same))  # equal at the end in any case
    old, new = before[same : len(before) - kept], after[same : len(after) - kept]
    alike = _alike(old[::-1], new[::-1])
    return b"%d %d " % (low + same, len(old) - alike) + new[: len(new) - alike]


def _alike(one: bytes, other: bytes) -> int:
    """How many bytes are equal at the begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))


def insertion(at: int, new: bytes) -> Patch:
    """The patch that puts bytes in."""
    return Patch(at, 0, new)


def deletion(at: int, size: int) -> Patch:
    """The patch that takes bytes out."""
    return Patch(at, size, b"")


def keeps_no_value(data: bytes, success: Success) -> bool:
    """Whether most of the bytes are taken out, and the rest is hardly shorter to tell as values than as bytes."""
    candidate = success.candidate
    if not candidate.patches or success.size > MOST_GONE * len(data) or len(candidate.patches) > 1:
        return False
    patch = candidate.patches[0]
    kept = data[: patch.at] + patch.new + data[patch.at + patch.size :]
    if success.values == 1 and patch.size >= LEAST_WASTE * len(kept) and len(set(data[patch.at :])) > FEW_BYTES:
        return True  # any four zeros are a value, and an empty array is one
    return success.told - thrown_bits(data, candidate) >= MOST_TOLD * raw_bits(kept)
