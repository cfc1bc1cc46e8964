"""Hypotheses about the length before a value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import count_bytes
from viewer.container.frames import CONCATENATED, MIN_VALUE, FramingKind, prefix
from viewer.document.doctor.candidate import Candidate, Patch, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import Raw, ReadGuess, RepairContext, WorkBudget, frame, is_readable, walk
from viewer.document.doctor.trying import COPIED, deletion, insertion
from viewer.variant.dialect import HOLDING, Dialect

NEAR, FAR_OFF = 8, 1 << 16
MOST_JOINED = 8
MOST_VALUES = 512
MOST_PREFIXES = 4096
WHOLE = 0.02
"""How likely a piece of a value is to be a value itself."""
UNLIKE, LEAST_LIKELY = 0.1, 1e-4
"""How likely values one after another are, where the later ones are no collections."""


def prefix_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """What may be wrong with the length before the value, or with there being one."""
    if ground.has_prefix:
        yield from _stored(ground, meter)
        yield from _every(ground)
        yield from _cut(ground, meter)
    else:
        yield from _bare(ground)
    yield from _several(ground, meter)


def _stored(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    data, at, big = ground.data, ground.at, ground.way.framing.big_endian
    if data[at : at + 4].isalnum():
        return  # four letters are a mark that somebody wrote, and no length
    size = _size(ground, ground.start, meter)
    is_null = size == MIN_VALUE and abs(ground.stored - size) > NEAR  # any four zeros are one
    if size >= MIN_VALUE and size != ground.stored and not is_null:
        yield _rewritten(ground, size)
    size = _size(ground, at, meter)
    if size >= MIN_VALUE:
        lead = (size).to_bytes(4, "big" if big else "little")
        fact = f"A sound value of {count_bytes(size)} begins where its length should be."
        yield Candidate(Cause.PREFIX_MISSING, (insertion(at, lead),), fact, framed=True)
    size = _size(ground, at + 8, meter)
    if size >= MIN_VALUE:
        inner, outer = prefix(data, at + 4, big), ground.stored
        if inner == size:
            twice = outer in (inner, inner + 4)
            cause = Cause.PREFIX_DOUBLED if twice else Cause.PREFIX_EXTRA
            fact = f"The second length is right: {count_bytes(inner)}."
            yield Candidate(cause, (deletion(at, 4),), fact, framed=True, thrown=COPIED if twice else None)
        elif outer == size:
            twice = inner == outer + 4
            cause = Cause.PREFIX_DOUBLED if twice else Cause.PREFIX_EXTRA
            fact = f"The first length is right: {count_bytes(outer)}."
            thrown = COPIED if twice else None
            yield Candidate(cause, (deletion(at + 4, 4),), fact, 0.5, framed=True, thrown=thrown)


def _rewritten(ground: RepairContext, size: int) -> Candidate:
    stored, big = ground.stored, ground.way.framing.big_endian
    patches = (word(ground.at, size, big),)
    if stored == int.from_bytes(size.to_bytes(4, "little"), "big"):
        return Candidate(Cause.PREFIX_SWAPPED, patches, f"Swapped back it says {count_bytes(size)}.", framed=True)
    if stored == size + 4:
        fact = f"The value takes {size} bytes, not {stored}."
        return Candidate(Cause.PREFIX_COUNTS_ITSELF, patches, fact, framed=True)
    fact = f"It says {count_bytes(stored)}, but the value takes {count_bytes(size)}."
    return Candidate(Cause.PREFIX_OFF, patches, fact, _nearness(stored - size), framed=True)


def _nearness(off: int) -> float:
    """Small errors are likelier than large ones."""
    return 1.0 if abs(off) <= NEAR else 0.6 if abs(off) <= 256 else 0.3 if abs(off) <= FAR_OFF else 0.01


def _size(ground: RepairContext, start: int, meter: WorkBudget) -> int:
    """The size of the sound value at *start*, -1 for none."""
    if start + MIN_VALUE > len(ground.data):
        return -1
    table = meter.scan(ground.data, start, len(ground.data), ground.way.dialect)
    return table.end_of_data if is_readable(table) else -1


def _every(ground: RepairContext) -> Iterator[Candidate]:
    """The same mistake in every length."""
    for cause, by in ((Cause.PREFIX_COUNTS_ITSELF, -4), (Cause.PREFIX_OFF, 4)):
        yield from _all_off(ground, cause, by)
    data, big = ground.data, ground.way.framing.big_endian
    found: list[Patch] = []
    at = ground.at
    while at + 8 <= len(data) and len(found) < MOST_PREFIXES:
        length = prefix(data, at, not big)
        if length < MIN_VALUE or length > len(data) - at - 4:
            break
        found.append(word(at, length, big))
        at += 4 + length
    if len(found) > 1 and at == len(data):
        yield Candidate(Cause.PREFIX_SWAPPED, tuple(found), f"Swapped back, all {len(found)} agree.", framed=True)


def _all_off(ground: RepairContext, cause: Cause, by: int) -> Iterator[Candidate]:
    data, big = ground.data, ground.way.framing.big_endian
    found: list[Patch] = []
    at = ground.at
    while at + 8 <= len(data) and len(found) < MOST_PREFIXES:
        length = prefix(data, at, big) + by
        if length < MIN_VALUE or length > len(data) - at - 4:
            break
        found.append(word(at, length, big))
        at += 4 + length
    if len(found) > 1 and at == len(data):
        yield Candidate(cause, tuple(found), f"This is so in all {len(found)} lengths.", framed=True)


def _cut(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """One value in several frames: this frame and those behind it joined."""
    data, big = ground.data, ground.way.framing.big_endian
    total, at, gone = ground.stored, ground.start + ground.stored, []
    for count in range(2, MOST_JOINED):
        length = prefix(data, at, big)
        if at + 4 > len(data) or not 0 < length <= len(data) - at - 4:
            return
        gone.append(deletion(at, 4))
        total, at = total + length, at + 4 + length
        if total > 0xFFFFFFFF:
            return
        patches = (word(ground.at, total, big), *gone)
        whole = frame(data, gone[0].at, ground.way, meter).fills
        yield Candidate(
            Cause.VALUE_CUT, patches, f"{count} pieces joined make one value.", WHOLE if whole else 1.0, True
        )


def _bare(ground: RepairContext) -> Iterator[Candidate]:
    """No length is expected here."""
    data = ground.data
    if ground.way.framing.kind is not FramingKind.BARE or len(data) < 8:
        return
    for big in (False, True):
        if prefix(data, 0, big) in (len(data) - 4, len(data)):
            said, there = count_bytes(prefix(data, 0, big)), count_bytes(len(data) - 4)
            fact = f"The first four bytes say {said}, and {there} follow."
            yield Candidate(Cause.PREFIX_EXTRA, (deletion(0, 4),), fact, framed=True, thrown=COPIED)
    if prefix(data, 0, False) in (prefix(data, 4, False) + 4, prefix(data, 4, False)) and len(data) >= 12:
        yield Candidate(Cause.PREFIX_DOUBLED, (deletion(0, 8),), "", 0.2, framed=True, thrown=COPIED)


def _several(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """Bytes behind a value that are values again."""
    if not ground.sound or not ground.trouble:
        return
    if not ground.has_prefix:
        weight = likelihood(ground.data, ground.way.dialect, _run(ground.data, ground, meter))
        yield Candidate(Cause.SEVERAL_VALUES, (), "", weight, True, CONCATENATED)
        return
    payload = ground.payload
    if ground.stored != len(payload):
        return
    sizes = _run(ground.view, ground, meter)
    nulls = sizes.count(MIN_VALUE)  # a fill of zeros reads as many of them
    if len(sizes) < 2 or sum(sizes) != len(payload) or min(sizes) < MIN_VALUE or 2 * nulls > len(sizes):
        return
    big = ground.way.framing.big_endian
    order = "big" if big else "little"
    patches: list[Patch] = [word(ground.at, sizes[0], big)]
    at = ground.start
    for before, size in pairwise(sizes):
        at += before
        patches.append(insertion(at, size.to_bytes(4, order)))  # type: ignore[arg-type]
    fact = f"{len(sizes)} values follow one length."
    weight = likelihood(payload, ground.way.dialect, sizes)
    yield Candidate(Cause.SEVERAL_VALUES, tuple(patches), fact, weight, True)


def _run(data: Buffer, ground: RepairContext, meter: WorkBudget) -> list[int]:
    """The sizes of the values that follow each other; -1 for one that is none."""
    return [step.size for step in islice(walk(data, ReadGuess(ground.way.dialect, CONCATENATED), meter), MOST_VALUES)]


def likelihood(data: Raw, dialect: Dialect, sizes: list[int]) -> float:
    """How likely values are meant one by one: collections are, what may be a child that was not counted is not."""
    at, out = 0, 1.0
    for size in sizes[:-1]:
        at += max(0, size)
        row = dialect.row(data[at]) if at < len(data) else None
        if row is None or row.kind not in HOLDING:
            out *= UNLIKE
    return max(LEAST_LIKELY, out)
