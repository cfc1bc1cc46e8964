"""Hypotheses about an encoder that makes the same mistake everywhere: the value is read as such an encoder writes."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.habits import HABITS, Habit
from viewer.document.doctor.part import Raw
from viewer.document.doctor.patch import Patch, growth, word
from viewer.document.doctor.retelling import Unlike
from viewer.document.doctor.walking import Walk
from viewer.variant.dialect import Dialect

MOST_PATCHES = 20_000
EVERYWHERE, MOSTLY, ONCE = 2.0, 0.8, 0.3
"""How likely it is that a mistake is made everywhere, in some places, in one: of one is better told one by one."""


def systematic_candidates(ground: Ground) -> Iterator[Candidate]:
    """Mistakes that are made in the whole value."""
    for habit in HABITS:
        patches, weight = _read(ground.payload, ground.way.dialect, habit)
        if patches:
            moved = tuple(patch.shifted(ground.start) for patch in patches)
            yield from _framed(ground, habit, Candidate(habit.cause, moved, habit.fact, weight))


def _read(payload: Raw, dialect: Dialect, habit: Habit) -> tuple[tuple[Patch, ...], float]:
    """What would make a value right that was written with a habit; nothing where it was not."""
    walk = Walk(payload, dialect, habit)
    try:
        patches = walk.run()
    except Unlike:
        return (), 0.0
    return patches, ONCE if len(patches) < 2 else MOSTLY if walk.spared else EVERYWHERE


def _framed(ground: Ground, habit: Habit, candidate: Candidate) -> Iterator[Candidate]:
    """The candidate; where the whole file has the mistake, the frames behind this one have it too."""
    yield candidate
    more = list(candidate.patches)
    if not ground.has_prefix or ground.end >= len(ground.data) or not ground.stored >= 0:
        return
    big = ground.way.framing.big_endian
    order = "big" if big else "little"
    grown = growth(candidate.patches)
    more.insert(0, word(ground.at, ground.stored + grown, big)) if grown else None
    at = ground.end
    while at < len(ground.data) and len(more) < MOST_PATCHES:
        length = int.from_bytes(ground.data[at : at + 4], order)  # type: ignore[arg-type]
        payload = ground.data[at + 4 : at + 4 + length]
        if len(payload) != length or length < 4:
            return
        try:
            patches = Walk(payload, ground.way.dialect, habit).run()
        except Unlike:
            return
        grown = growth(patches)
        more += [word(at, length + grown, big)] if grown else []
        more += [patch.shifted(at + 4) for patch in patches]
        at += 4 + length
    yield Candidate(candidate.cause, tuple(more), candidate.fact, candidate.weight, framed=True)
