"""Hypotheses about single bytes: some lost, or some too many, at an offset."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.diagnostic import count_bytes
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.patch import Patch
from viewer.document.doctor.places import nodes
from viewer.document.doctor.trying import deletion, insertion

BEHIND, BEFORE = 8, 160
MOST_PLACES = 480
MOST_HEADS = 24
LEAST = 8
SIZES = (1, 2, 3)
FILLER = b"?"


def byte_candidates(ground: Ground) -> Iterator[Candidate]:
    """Bytes put in or taken out near the trouble, the nearest first."""
    data = ground.data
    if len(data) - ground.at < LEAST:
        return
    for at in _places(ground):
        seen = set()
        for size in SIZES:
            if at + size <= len(data) and (at == 0 or size > 1 or data[at - 1] != data[at]):
                fact = f"Without {_hex(data[at : at + size])} at 0x{at:X} all is in its place."
                yield Candidate(Cause.BYTE_INSERTED, (deletion(at, size),), fact, _odds(size))
            for new in _fillings(data, at, size):
                if new not in seen:
                    seen.add(new)
                    fact = f"With {count_bytes(size)} more at 0x{at:X} all is in its place; which, nobody can tell."
                    yield Candidate(Cause.BYTE_LOST, (insertion(at, new),), fact, _odds(size))
    yield from _heads(ground)


def _odds(size: int) -> float:
    return 0.3 ** (size - 1)


def _places(ground: Ground) -> Iterator[int]:
    """Offsets in the layer, from a little behind the trouble backwards."""
    end = min(len(ground.data), ground.start + ground.trouble + BEHIND)
    short = end - ground.at <= MOST_PLACES
    yield from range(end, ground.at - 1 if short else max(ground.at - 1, end - BEFORE), -1)


def _fillings(data: bytes, at: int, size: int) -> Iterator[bytes]:
    """What may have been lost: zeros above all, and in a text a character."""
    if at == 0 or data[at - 1] or data[at - 1 : at + 1] == b"\0":
        yield bytes(size)
    around = data[max(0, at - 2) : at + 2]
    if all(0x20 <= byte < 0x7F for byte in around[1:3]) or sum(0x20 <= byte < 0x7F for byte in around) >= 3:
        yield FILLER * size


def _heads(ground: Ground) -> Iterator[Candidate]:
    """The first byte of a header, length or count lost, which is hardly ever zero."""
    data, done = ground.data, 0
    places = {ground.start + ground.trouble + by for by in (-8, -4, 0, 4)}
    for node in nodes(ground)[:MOST_HEADS]:
        places |= {ground.start + node.start, ground.start + node.start + 4, ground.start + node.end}
    for at in sorted(places, reverse=True):
        if not ground.at <= at <= len(data) or done > 4 * MOST_HEADS:
            continue
        done += 1
        for number in range(1, len(ground.way.dialect.rows)):
            fact = f"With a byte more at 0x{at:X} all is in its place; it may have been {number:02X}."
            yield Candidate(Cause.BYTE_LOST, (Patch(at, 0, bytes((number,))),), fact, 0.5)


def _hex(raw: bytes) -> str:
    return raw.hex(" ").upper()
