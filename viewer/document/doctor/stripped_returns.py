"""Stripped returns: carriage returns that were taken out anywhere, as by a program that takes bytes for lines of text.

They are put in again one after another where reading stops, in the few ways that lead furthest: several places in one
number or text lead as far, and only what follows tells which was the right one.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from itertools import chain, islice

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, prefix
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import RepairContext, WorkBudget, is_readable

RETURN, FEED, LETTER = 0x0D, 0x0A, 0x20
MOST_BYTES, MOST_RETURNS, REACH, BEHIND = 1 << 14, 48, 96, 8
"""Returns are put in into so few bytes, at most so many, so far before where reading stops and behind it."""
LONGEST_TEXT, MOST_LINES = 1 << 11, 16
"""All lines of a text lost theirs: so far before where reading stops it is looked for so many."""
WORD, MOST_NUMBERS, MOST_ZEROS = 4, 6, 64
"""Several numbers of an array lost theirs: so many at most; so many zeros are counted at once."""
WAYS, OF_ONE, MOST_FOUND = 6, 4, 4
"""So many ways are followed at once, so many that go on from one of them, and so many that lead to the end are told."""
WORK = 1 << 24
"""The most that is done, in bytes that a compiled scanner reads."""
PLACE_BITS, ALONE_BITS = 3.0, 4.0
"""What it takes to tell where one of them was that did not end a line: nearly all that leads on is near. And that it
was the only one: any other byte may have been lost as well."""
WEIGHT = 0.5
END_OF_LINE = 16
"""A return at the end of a line counts as much, beside others that lead as far, as so many words that look odd."""


@dataclass(frozen=True, slots=True, order=True)
class _Way:
    """Some returns put in.

    Args:
        reached: how far the bytes read then, of the bytes as they are; all of them count as one more.
        likely: how likely the places are, summed.
        places: before which of the bytes as they are.
    """

    reached: int
    likely: int
    places: tuple[int, ...]


def stripped_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """All returns that are missing, put in again."""
    data = ground.data
    if RETURN in data or len(data) > MOST_BYTES or (not ground.has_prefix and ground.at):
        return
    if ground.way.weight < 1.0 or meter.left < WORK:
        return  # each look takes long
    with meter.at_most(WORK):
        found = _found(ground, meter)
    for way in found:
        yield _candidate(data, way.places)


def _found(ground: RepairContext, meter: WorkBudget) -> list[_Way]:
    """The ways with the fewest returns that lead to the end."""
    ways = [_Way(ground.start + ground.trouble, 0, ())]
    for _ in range(MOST_RETURNS):
        ways = nlargest(WAYS, {each for way in ways for each in _further(ground, way, meter)})
        found = [way for way in ways if way.reached > len(ground.data)]
        if found or not ways or meter.spent:
            return found[:MOST_FOUND]
    return []


def _candidate(data: bytes, places: tuple[int, ...]) -> Candidate:
    patches = []
    for place in dict.fromkeys(places):
        patches.append(Patch(place, 0, bytes([RETURN]) * places.count(place)))
    fact = "1 byte 0D is missing." if len(places) == 1 else f"{len(places)} bytes 0D are missing."
    anywhere = sum(data[place : place + 1] != b"\n" for place in places)
    bits = PLACE_BITS * anywhere + (ALONE_BITS if len(places) == anywhere == 1 else 0.0)
    return Candidate(Cause.CR_STRIPPED, tuple(patches), fact, WEIGHT, framed=True, bits=bits, thrown=0.0)


def _further(ground: RepairContext, way: _Way, meter: WorkBudget) -> Iterator[_Way]:
    """The best ways in which one more return leads further."""
    data = ground.data
    least = way.places[-1] if way.places else ground.start
    low, stop = max(least, way.reached - REACH), min(len(data), way.reached + BEHIND)
    tried = []
    several = (
        _lines(data, max(least, stop - LONGEST_TEXT), stop),
        _numbers(data, low, stop, ground.start - len(way.places)),
    )
    for more in (*((place,) for place in range(low, stop + 1)), *chain(*several)):
        if meter.spent:
            break
        new = _with(data, (*way.places, *more))
        reached = _reached(new, ground, meter) - len(way.places) - len(more)
        if reached > way.reached:
            likely = _likely(new, more[-1] + len(way.places) + len(more) - 1, Span(low, stop), ground.start)
            tried.append(_Way(reached, way.likely + likely, (*way.places, *more)))
    tried.sort(reverse=True)
    yield from islice(tried, OF_ONE)
    first = {each.reached: each for each in reversed(tried)}  # of those that lead less far one each
    yield from islice(sorted(first.values(), reverse=True), 1, OF_ONE)


def _lines(data: bytes, low: int, stop: int) -> Iterator[tuple[int, ...]]:
    """Where several lines end one after another, such as those of one text, which all lost theirs."""
    ends = [at for at in range(max(1, low), stop) if data[at] == FEED and data[at - 1] >= LETTER][-MOST_LINES:]
    for first in range(len(ends)):
        for last in range(first + 2, len(ends) + 1):
            yield tuple(ends[first:last])


def _numbers(data: bytes, low: int, stop: int, start: int) -> Iterator[tuple[int, ...]]:
    """Where several words lack their first byte, such as the numbers of one array which all were 13.

    A word begins at *start*, and at each fourth byte from there.
    """
    for first in range(low + (start - low) % WORD, stop, WORD):
        places, at = list[int](), first
        while at < stop and len(places) < MOST_NUMBERS and (places or at == first):
            zeros = len(data[at : at + MOST_ZEROS]) - len(data[at : at + MOST_ZEROS].lstrip(b"\0"))
            lacking = -zeros % WORD
            if not lacking or (WORD - 1) * lacking > zeros:
                at += WORD
                continue
            at += zeros
            places += [at - (WORD - 1) * number for number in range(lacking, 0, -1)]
            if len(places) > 1:
                yield tuple(places)


def _with(data: bytes, places: tuple[int, ...]) -> bytes:
    """The bytes with returns before some places, which are in order."""
    out, at = [], 0
    for place in places:
        out += [data[at:place], b"\r"]
        at = place
    return b"".join((*out, data[at:]))


def _likely(data: bytes, at: int, near: Span, start: int) -> int:
    """How likely the return at a place stood there: headers, lengths and small numbers have zeros behind one byte."""
    is_end = data[at + 1 : at + 2] == b"\n" and data[at - 1] >= LETTER
    first = near.start - (near.start - start) % 4
    odd = sum(any(data[word + 1 : word + 4]) for word in range(first, near.end, 4))
    return END_OF_LINE * is_end - odd


def _reached(data: bytes, ground: RepairContext, meter: WorkBudget) -> int:
    """How far bytes with returns in them read; one more than they are if all of them do."""
    at, size = ground.at, len(data)
    while ground.has_prefix and at + 4 <= size:
        length = prefix(data, at, ground.way.framing.big_endian)
        table = meter.scan(data, at + 4, min(size, at + 4 + length), ground.way.dialect)
        reached = at + 4 + table.end_of_data
        if length < MIN_VALUE or not is_readable(table) or table.end_of_data < length:
            return min(reached, size)
        at = reached
    if ground.has_prefix:
        return size + 1 if at == size else at
    table = meter.scan(data, ground.start, size, ground.way.dialect)
    reached = ground.start + table.end_of_data
    return size + 1 if reached == size and is_readable(table) else reached
