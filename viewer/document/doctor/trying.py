"""Trying: each candidate is done and the bytes are read again; only what then reads to the last byte counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp

from viewer.container.frames import FramingKind
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Ground, Meter, Step, Way, is_readable, walk
from viewer.document.doctor.patch import Patch, Patches, growth, patched, word
from viewer.document.doctor.strangeness import strangeness

MOST_STEPS = 64
"""So many frames behind the damage must be right; those behind them are believed."""
JUDGED_STEPS = 3
RARE_FRAMING = 2.5
"""Values without lengths, one after another, are rare: nats."""
WASTEFUL = frozenset({Cause.PACKETS_MIXED, Cause.PACKET_HEADER})
COST_EACH, COST_MOST = 0.05, 40.0


@dataclass(frozen=True, slots=True)
class Success:
    """A candidate after which everything reads.

    Args:
        candidate: it, with all its patches.
        way: how the bytes are read then.
        values: how many nodes the frame at the damage holds then.
        frames: how many frames follow it.
        strange: how strange the values look, in nats.
        size: bytes afterwards.
    """

    candidate: Candidate
    way: Way
    values: int
    frames: int
    strange: float
    size: int

    @property
    def weight(self) -> float:
        """How likely it is; only comparable within one document."""
        return self.candidate.cause.prior * self.candidate.weight * self.way.weight * exp(-self.strange)


def try_on(ground: Ground, candidate: Candidate, meter: Meter) -> Success | None:
    """Do what a candidate says; None where the bytes do not all read then."""
    way = ground.way
    if candidate.framing is not None or candidate.dialect is not None:
        way = replace(way, framing=candidate.framing or way.framing, dialect=candidate.dialect or way.dialect)
    for patches in _whole(ground, candidate):
        found = _tried(ground, replace(candidate, patches=patches), way, meter)
        if found is not None:
            return found
    return None


def _whole(ground: Ground, candidate: Candidate) -> list[Patches]:
    """The patches with the length before the value put right, where it must be."""
    patches = candidate.patches
    grown = growth(patches)
    if candidate.framed or not ground.has_prefix or candidate.framing is not None:
        return [patches]
    length = len(ground.data) - ground.start if ground.stored < 0 else ground.stored
    fixed = [patches]
    if grown and 0 <= length + grown <= 0xFFFFFFFF:
        prefix = word(ground.at, length + grown, ground.way.framing.big_endian)
        fixed.append(tuple(sorted((prefix, *patches))))
    return fixed[::-1] if ground.prefix_agrees else fixed


def _tried(ground: Ground, candidate: Candidate, way: Way, meter: Meter) -> Success | None:
    base = ground.at
    first = candidate.patches[0].at if candidate.patches else base
    base = min(base, first)
    data = patched(ground.data, candidate.patches, base)
    meter.left -= len(data) >> 2
    steps: list[Step] = []
    for step in walk(data, way, meter):
        if not step.fills:
            return None
        steps.append(step)
        if len(steps) >= MOST_STEPS:
            break
    if not steps or meter.spent or (len(steps) < MOST_STEPS and steps[-1].payload.end != len(data)):
        return None
    if way.framing.kind is FramingKind.CONCATENATED and any(step.size <= 4 for step in steps):
        return None
    return _success(candidate, way, data, base, steps, meter)


def _success(candidate: Candidate, way: Way, data: bytes, base: int, steps: list[Step], meter: Meter) -> Success | None:
    strange, values = _loss(candidate), 0
    if len(steps) > 1 and way.framing.kind is FramingKind.CONCATENATED and candidate.cause is not Cause.SEVERAL_VALUES:
        strange += RARE_FRAMING
    near = candidate.patches[0].at - base if candidate.patches else 0
    for step in steps[:JUDGED_STEPS]:
        table = meter.scan(data, step.payload.start, step.payload.end, way.dialect)
        if not is_readable(table):
            return None
        strange += strangeness(table, near - step.payload.start)
        values = values or len(table)
    return Success(candidate, way, values, len(steps) - 1, strange, base + len(data))


def _loss(candidate: Candidate) -> float:
    """What it costs to throw bytes away that are not said to be a copy, in nats."""
    gone = sum(max(0, -patch.growth) for patch in candidate.patches)
    if len(candidate.patches) > 1 or candidate.cause not in WASTEFUL:
        return 0.0
    return min(COST_MOST, COST_EACH * gone)


def resulting(ground: Ground, patches: Patches) -> bytes:
    """All bytes after the patches."""
    return patched(ground.data, patches)


def insertion(at: int, new: bytes) -> Patch:
    """The patch that puts bytes in."""
    return Patch(at, 0, new)


def deletion(at: int, size: int) -> Patch:
    """The patch that takes bytes out."""
    return Patch(at, size, b"")
