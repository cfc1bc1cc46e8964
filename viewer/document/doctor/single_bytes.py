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
OUTSIDE = 0.1
"""How much less likely a character was lost where few stand around."""


def byte_candidates(ground: Ground) -> Iterator[Candidate]:
    """Bytes put in or taken out near the trouble, the nearest first."""
    data = ground.data
    if len(data) - ground.at < LEAST:
        return
    lost, extra = _sizes(ground)
    for at in _places(ground):
        for size in extra:
            if at + size <= len(data) and (at == 0 or size > 1 or data[at - 1] != data[at]):
                fact = f"Without {_hex(data[at : at + size])} at 0x{at:X} all is in its place."
                yield Candidate(Cause.BYTE_INSERTED, (deletion(at, size),), fact, _odds(size))
        for new, weight in (filling for size in lost for filling in _fillings(data, at, size)):
            fact = (
                f"With {count_bytes(len(new))} more at 0x{at:X} all is in its place; what stood there cannot be known."
            )
            yield Candidate(Cause.BYTE_LOST, (insertion(at, new),), fact, weight * _odds(len(new)))
    yield from _heads(ground, lost)


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


def _fillings(data: bytes, at: int, size: int) -> Iterator[tuple[bytes, float]]:
    """What may have been lost and how likely: zeros above all, and in a text a character."""
    if at == 0 or data[at - 1] or data[at - 1 : at + 1] == b"\0":
        yield bytes(size), 1.0
    plain = [0x20 <= byte < 0x7F for byte in data[max(0, at - 2) : at + 2]]
    if any(plain[1:3]):
        yield FILLER * size, 1.0 if all(plain[1:3]) or sum(plain) > 2 else OUTSIDE


def _heads(ground: Ground, sizes: tuple[int, ...]) -> Iterator[Candidate]:
    """The begin of a header, length or count lost, whose first byte is hardly ever zero."""
    data = ground.data
    places = [ground.start + ground.trouble + by for by in (0, -4, -8, 4)]
    for node in nodes(ground)[:MOST_HEADS]:
        places += [ground.start + node.start, ground.start + node.end, ground.start + node.start + 4]
    for at in list(dict.fromkeys(places))[:MOST_HEADS]:
        if not ground.at <= at <= len(data):
            continue
        for number in range(1, len(ground.way.dialect.rows)):
            for size in sizes:
                new = bytes((number,)) + bytes(size - 1)
                fact = f"With {count_bytes(size)} more at 0x{at:X}, such as {_hex(new)}, all is in its place."
                yield Candidate(Cause.BYTE_LOST, (Patch(at, 0, new),), fact, 0.5 * _odds(size))


def _hex(raw: bytes) -> str:
    return raw.hex(" ").upper()
