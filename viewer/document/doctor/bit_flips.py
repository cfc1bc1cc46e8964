"""Hypotheses about one bit that is another: in a header, a count or a length near the trouble."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.buffer import u32
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.patch import word
from viewer.document.doctor.places import Node, nodes
from viewer.variant.dialect import Kind

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
