"""Hypotheses about single bytes: some lost, or some too many, at an offset."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.document.doctor import fillings
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.fillings import Filling
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.places import Node, nodes, texts
from viewer.document.doctor.trying import deletion, insertion

BEHIND, BEFORE = 8, 480
MOST_PLACES = 1 << 11
MOST_HEADS = 24
LEAST = 8
SIZES = (1, 2, 3)


def byte_candidates(ground: Ground) -> Iterator[Candidate]:
    """Bytes put in or taken out near the trouble, the nearest first."""
    data = ground.data
    if len(data) - ground.at < LEAST:
        return
    lost, extra = _sizes(ground)
    for at in _places(ground):
        for size in extra:
            if at + size <= len(data) and (at == 0 or size > 1 or data[at - 1] != data[at]):
                fact = f"Without {data[at : at + size].hex(' ').upper()} at 0x{at:X} all is in its place."
                yield Candidate(Cause.BYTE_INSERTED, (deletion(at, size),), fact, _odds(size))
        for size in lost:
            yield from map(_lost, fillings.around(ground, at, size))
    if lost:
        yield from map(_lost, _of_nodes(ground, nodes(ground), lost))


def _lost(filling: Filling) -> Candidate:
    patch, weight = insertion(filling.at, filling.new), filling.weight * _odds(len(filling.new))
    return Candidate(Cause.BYTE_LOST, (patch,), filling.fact, weight)


def _sizes(ground: Ground) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many bytes may be lost, and too many: values take whole words."""
    size = len(ground.data) - ground.start
    if not ground.has_prefix:
        over = size % 4
        return ((4 - over,), (over,)) if over else ((), ())
    lacking = ground.stored - size
    if 0 < lacking <= SIZES[-1]:
        return (lacking,), ()
    if 0 < -lacking <= SIZES[-1]:
        return (), (-lacking,)
    return SIZES, SIZES


def _odds(size: int) -> float:
    return 0.3 ** (size - 1)


def _places(ground: Ground) -> Iterator[int]:
    """Offsets in the layer, from a little behind the trouble backwards."""
    end = min(len(ground.data), ground.start + ground.trouble + BEHIND)
    short = end - ground.at <= MOST_PLACES
    yield from range(end, ground.at - 1 if short else max(ground.at - 1, end - BEFORE), -1)


def _of_nodes(ground: Ground, near: list[Node], sizes: tuple[int, ...]) -> Iterator[Filling]:
    """What may have been lost of the heads and texts of some nodes."""
    places = [ground.start + ground.trouble + by for by in (0, -4, -8, 4)]
    for node in near[:MOST_HEADS]:
        places += [ground.start + node.start, ground.start + node.end, ground.start + node.start + 4]
    for at in list(dict.fromkeys(places))[:MOST_HEADS]:
        for size in sizes if ground.at <= at <= len(ground.data) else ():
            yield from fillings.heads(ground, at, size)
    for size in sizes:
        yield from fillings.known_texts(ground, texts(ground, near), size)
        for node in near[:MOST_HEADS]:
            yield from fillings.flags(ground, node, size)
