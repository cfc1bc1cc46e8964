"""Hypotheses about single bytes: some lost, or some too many, at an offset."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.buffer import u32
from viewer.document.doctor import fillings
from viewer.document.doctor.candidate import Candidate, word
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.fillings import Filling
from viewer.document.doctor.ground import Ground, Node, nodes, texts
from viewer.document.doctor.trying import deletion, insertion
from viewer.variant.dialect import FLAG_64, Kind

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


# Hypotheses about one bit that is another: in a header, a count or a length near the trouble.

MOST_NODES = 24
BITS = 32
COUNTED = frozenset({Kind.STRING, Kind.ARRAY, Kind.DICTIONARY, Kind.PACKED, Kind.PACKED_STRINGS})


def flip_candidates(ground: Ground, some: list[Node] | None = None) -> Iterator[Candidate]:
    """Each bit of the words that say how to read on, near the trouble or in *some* nodes."""
    data = ground.payload
    for node in islice(nodes(ground) if some is None else some, MOST_NODES):
        places = [node.start] if node.header >= 0 else []
        if node.row.kind in COUNTED:
            places.append(node.start + 4 if node.header >= 0 else node.start)
        for at in places:
            if at + 4 <= len(data):
                yield from _flips(ground, at, u32(data, at))
    for at in (ground.trouble, ground.trouble - 4):
        if 0 <= at <= len(data) - 4:
            yield from _flips(ground, at, u32(data, at))


def _flips(ground: Ground, at: int, number: int) -> Iterator[Candidate]:
    for bit in range(BITS):
        new = number ^ 1 << bit
        fact = f"Bit {bit} of the word at 0x{ground.start + at:X} is another: {number:08X} should be {new:08X}."
        yield Candidate(Cause.BIT_FLIPPED, (word(ground.start + at, new),), fact, 1 / BITS)


# Hypotheses about one number: the 64-bit flag in its header.


def number_candidates(ground: Ground) -> Iterator[Candidate]:
    """The 64-bit flag set or cleared at one value near the trouble."""
    for node in nodes(ground):
        row, header = node.row, node.header
        if header < 0 or not row.has_wide or row.kind not in (Kind.FIXED, Kind.PACKED):
            continue
        at = ground.start + node.start
        patches = (word(at, header ^ FLAG_64),)
        if row.real:
            bits = "32" if header & FLAG_64 else "64"
            yield Candidate(Cause.OTHER_PRECISION, patches, f"The components of this {row.name} have {bits} bits.", 0.3)
        elif header & FLAG_64:
            yield Candidate(Cause.FLAG_EXTRA, patches, f"This {row.name} takes four bytes.")
        else:
            yield Candidate(Cause.FLAG_MISSING, patches, f"This {row.name} takes eight bytes.")
