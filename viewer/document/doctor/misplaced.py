"""Misplaced parts: sound stretches that stand where they do not belong.

A value that another writer wrote into one, both versions of a stretch between the lines of a version control tool, two
segments that arrived in the wrong order, or one twice: all bytes are sound, only their order, or what is between them,
is wrong.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import islice

from viewer.base.buffer import u32
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.container.frames import MIN_VALUE, FramingKind, is_header, prefix
from viewer.document.doctor.candidate import Candidate, Patch, Patches, growth, patched, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import Memory, count_bits, description_length
from viewer.document.doctor.repair_context import ReadGuess, WorkBudget, is_readable, walk, wrong_step
from viewer.document.doctor.trying import COPIED, TOLD, deletion
from viewer.document.doctor.whole import ways_to_read
from viewer.document.document import Document
from viewer.variant.dialect import HOLDING

LEAST, MOST = 24, 1 << 18
"""Fewer bytes tell nothing; of more nothing is looked for."""
MOST_WAYS = 2
"""So many ways to read, the likeliest and those that come farthest, are asked whether all reads."""
MOST_COMPARED = 10
"""Of so many it is seen how far they come; the others are right only where the first bytes stand elsewhere."""
WORK, MOST_OF_REST = 1 << 25, 3
"""The most work for parts of one kind, in one way, and as a share of what is left."""
BEHIND = 8
"""So far behind the last byte that makes sense a part may begin."""
MOST_RECORDS = 6
"""Where one of several may be the value that does not belong there, so many are told, for all of them to be judged."""
CONFLICT = re.compile(
    rb"<{7}(?P<of_ours>(?: [^\r\n]{1,200})?)(?P<end>\r?\n)(?P<ours>(?s:.*?))(?:\|{7}(?: [^\r\n]{1,200})?\r?\n(?s:.*?))?"
    rb"={7}\r?\n(?P<theirs>(?s:.*?))>{7}(?P<of_theirs>(?: [^\r\n]{1,200})?)(?:\r?\n|\Z)"
)
"""Both versions of a stretch, and maybe what both were made of, between the lines of a version control tool."""
SIDES = (("ours", 1.0), ("theirs", 0.4))
"""Which version is kept, and how likely it is the one that is wanted: bytes do not tell that."""
MOST_FRAMES = 512
MOST_CONFLICTS, MOST_TOLD = 64, 4
OTHER_VERSION = "The other version is kept nowhere else; copy its bytes first if you need them."
SEGMENTS = (536, 1448, 1460, 1440, 1400, 1380, 1220, 1200, 1024, 512, 256, 128, 64, 508, 1432, 1472, 2048, 4096, 8192)
"""What networks and buffers carry at once."""
LEAST_SIZE, MOST_SIZE, OTHER_SIZE = 128, 1 << 12, 0.1
"""Other segments are so long at least and at most, and so likely beside those."""
PIECE, STRIDE, MOST_BEFORE, MOST_DISTANCES = 24, 8, 16, 64
"""So long is a stretch at least that stands again; where so many bytes apart, it is seen at how many places before, and
how far apart these are, of which so many distances count."""
MOST_COPIES, MOST_LONGEST, MOST_RUNS = 5, 2, 1 << 14
"""So many stretches that stand again are tried, and so many of them are the longest, of so many that are known."""
SAME = re.compile(b"\0{%d,}" % PIECE)
ALIKE = tuple((early, late) for early in range(4) for late in range(4 - early))
"""So many bytes before and behind a stretch that stands again may be alike by chance."""
KEPT_NOWHERE = "The value that is taken out is kept nowhere else; copy its bytes first if you need it."


@dataclass(frozen=True, slots=True)
class _Break:
    """The first frame that is not right: where it begins, where its value does, and how far that reads; or none is."""

    at: int
    start: int
    reached: int
    is_none: bool = False


def misplaced_candidates(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """What puts parts where they belong, or takes them out, so that all reads; with the way in which it does.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST <= len(data) <= MOST:
        return
    ways = [way for way in ways_to_read(document, data, meter) if way.framing.kind is not FramingKind.CONCATENATED]
    breaks = [_break(data, way, meter) for way in ways[:MOST_COMPARED] if not meter.spent]
    if len(breaks) < min(len(ways), MOST_COMPARED) or not ways:
        return
    farthest = sorted(range(len(breaks)), key=lambda index: -breaks[index].reached)[:MOST_WAYS]
    for index, way in enumerate(ways):
        broken = breaks[index] if index < len(breaks) else _Break(0, 0, 0)
        is_likely = index < MOST_WAYS or index in farthest
        families = (
            (*FAMILIES, *((_other_segments,) if index == farthest[0] else ())) if is_likely else (_first_segments,)
        )
        for family in families if not broken.is_none else ():
            if meter.spent:
                return
            with meter.at_most(min(WORK, meter.left // MOST_OF_REST)):
                for candidate in family(data, way, broken, meter):
                    yield way, candidate


def _break(data: bytes, way: ReadGuess, meter: WorkBudget) -> _Break:
    """The first frame that is not right."""
    start = at = 0
    if way.framing.kind is FramingKind.STORED:
        for step in walk(data, way, meter):
            at, start = step.at, step.payload.start
            if step.fills and step.payload.end == len(data):
                return _Break(at, start, len(data), True)
    table = meter.scan(data, start, len(data), way.dialect)
    end = start + table.end_of_data
    return _Break(at, start, end, not start and end == len(data) and is_readable(table))


def _reads(data: bytes, way: ReadGuess, meter: WorkBudget) -> bool:
    meter.count(0)
    return len(data) >= MIN_VALUE and wrong_step(data, way, meter) is None and not meter.spent


# Both versions of a stretch


def _conflicts(data: bytes, way: ReadGuess, broken: _Break, meter: WorkBudget) -> Iterator[Candidate]:
    """Either version of each stretch that a version control tool could not merge, without its lines."""
    found = list(islice(CONFLICT.finditer(data), MOST_CONFLICTS))
    meter.charge(len(data))
    read: list[tuple[str, float, Patches, float]] = []
    for side, weight in SIDES:
        for patches in _of_one_side(data, broken.at, found, side, way):
            told = _told(patched(data, patches), way, meter)
            if told is not None:
                read.append((side, weight, patches, told))
                break
    most = max((told for *_, told in read), default=0.0)
    places = ", ".join(f"0x{each.start():X}" for each in found[:MOST_TOLD])
    for side, weight, patches, told in read:
        label = found[0][f"of_{side}"].decode("utf-8", "replace").strip() or side
        fact = f"Two versions stand from {places} on, between lines of “<” and “>”; the one of “{label}” is kept."
        yield Candidate(Cause.MERGE_MARKERS, patches, fact, weight, framed=True, note=OTHER_VERSION, thrown=most - told)


def _told(data: bytes, way: ReadGuess, meter: WorkBudget) -> float | None:
    """What tells all values, None where not all read."""
    if not _reads(data, way, meter):
        return None
    bits, memory = 0.0, Memory()
    for step in islice(walk(data, way, meter), MOST_FRAMES):
        table = meter.scan(data, step.payload.start, step.payload.end, way.dialect)
        meter.charge(TOLD * len(table))
        bits += description_length(table, 0, memory)
    return bits


def _of_one_side(
    data: bytes, outer: int, found: Sequence[re.Match[bytes]], side: str, way: ReadGuess
) -> Iterator[Patches]:
    """One version in the place of both: the line feed behind it is the tool's, or its own; the length of the frame
    counts it, the other one, or all that stands there."""
    for is_tools in (True, False):
        taken = tuple(Patch(each.start(), each.end() - each.start(), _side(each, side, is_tools)) for each in found)
        yield taken
        if way.framing.kind is not FramingKind.STORED:
            continue
        stored = prefix(data, outer, way.framing.big_endian)
        others = sum(len(_side(each, name, is_tools)) for each in found for name in ("ours", "theirs"))
        kept = sum(len(patch.new) for patch in taken)
        for change in (2 * kept - others, growth(taken)):
            if MIN_VALUE <= stored + change <= len(data) and change and found[0].start() >= outer + 4:
                yield word(outer, stored + change, way.framing.big_endian), *taken


def _side(conflict: re.Match[bytes], name: str, is_tools: bool) -> bytes:
    """One version, without the line feed that the tool put behind it."""
    return conflict[name].removesuffix(conflict["end"]) if is_tools else conflict[name]


# A value inside another


def _records(data: bytes, way: ReadGuess, broken: _Break, meter: WorkBudget) -> Iterator[Candidate]:
    """A whole value inside another one, wherever it stands: behind its own length it can be put behind the other."""
    is_stored, found = way.framing.kind is FramingKind.STORED, 0
    low = broken.start + 4
    for at in range(min(broken.reached + BEHIND, len(data) - LEAST), low, -1):
        row = way.dialect.row(u32(data, at)) if is_header(data, at) else None
        if row is None or row.kind not in HOLDING:
            continue
        table = meter.scan(data, at, len(data), way.dialect)
        if meter.spent or found >= MOST_RECORDS:
            return
        size = table.end_of_data
        if not is_readable(table) or size < LEAST or at + size >= len(data):
            continue
        is_framed = at - 4 > low and prefix(data, at - 4, way.framing.big_endian) == size
        start = at - 4 if is_framed else at
        what = "a packet of their own" if is_framed else "a value that does not belong there"
        fact = f"The {count_bytes(at + size - start)} from 0x{start:X} on are {what}."
        for patches in _put_behind(data, broken.at, start, at + size, way) if is_stored and is_framed else ():
            if _reads(patched(data, patches), way, meter):
                yield Candidate(
                    Cause.PACKETS_MIXED, patches, f"{fact} They are put behind the other one.", framed=True, thrown=0.0
                )
                return
        for patches in _taken_out(data, broken.at, start, at + size, way):
            if _reads(patched(data, patches), way, meter):
                found += 1
                meter.charge(TOLD * size)
                thrown = description_length(meter.scan(data, at, at + size, way.dialect))
                yield Candidate(Cause.PACKETS_MIXED, patches, fact, 0.5, framed=True, note=KEPT_NOWHERE, thrown=thrown)
                break


def _put_behind(data: bytes, outer: int, start: int, end: int, way: ReadGuess) -> Iterator[Patches]:
    """A part of a frame, put behind it: the length of the frame counts the part, or it does not."""
    stored, size = prefix(data, outer, way.framing.big_endian), end - start
    taken = deletion(start, size)
    for length in (stored, stored - size):
        behind = outer + 4 + length + size
        if length >= MIN_VALUE and end <= behind <= len(data):
            put = Patch(behind, 0, data[start:end])
            yield (taken, put) if length == stored else (word(outer, length, way.framing.big_endian), taken, put)


def _taken_out(data: bytes, outer: int, start: int, end: int, way: ReadGuess) -> Iterator[Patches]:
    """A part of a frame, taken out: the length of the frame does not count the part, or it does."""
    taken = deletion(start, end - start)
    yield (taken,)
    if way.framing.kind is FramingKind.STORED:
        length = prefix(data, outer, way.framing.big_endian) - (end - start)
        if length >= MIN_VALUE:
            yield word(outer, length, way.framing.big_endian), taken


# Segments in the wrong order


def _segments(data: bytes, way: ReadGuess, broken: _Break, meter: WorkBudget) -> Iterator[Candidate]:
    """Two neighbours in each other's place: of equal length, or the shorter last one before the one that it follows."""
    for size in SEGMENTS:
        yield from _put_in_order(data, way, _swaps(len(data), size, broken.reached, 2), 1.0, broken, meter)


def _other_segments(data: bytes, way: ReadGuess, broken: _Break, meter: WorkBudget) -> Iterator[Candidate]:
    """The same of any number of words, the first of which holds the break."""
    for size in range(LEAST_SIZE, min(MOST_SIZE, len(data) // 2) + 1, 4):
        if size not in SEGMENTS:
            swaps = _swaps(len(data), size, broken.reached, 1)
            yield from _put_in_order(data, way, swaps, OTHER_SIZE, broken, meter)


def _swaps(whole: int, size: int, reached: int, before: int) -> list[tuple[int, int, int]]:
    """Where two neighbours may begin, meet and end; the first begins so many lengths before the break at most."""
    near = range(reached + BEHIND - (reached + BEHIND) % size, max(-1, reached - before * size), -size)
    last = [(at, whole - size, whole) for at in near if 0 < whole - size - at < size]
    return [(at, at + size, at + 2 * size) for at in near] + last


def _first_segments(data: bytes, way: ReadGuess, broken: _Break, meter: WorkBudget) -> Iterator[Candidate]:
    """The first two: then nothing tells how to read before they stand in order."""
    yield from _put_in_order(data, way, [(0, size, 2 * size) for size in SEGMENTS], 1.0, broken, meter)


def _put_in_order(
    data: bytes,
    way: ReadGuess,
    swaps: Sequence[tuple[int, int, int]],
    weight: float,
    broken: _Break,
    meter: WorkBudget,
) -> Iterator[Candidate]:
    """Stretches change places again; those that begin the bytes only where a value can begin then."""
    head = 4 if way.framing.kind is FramingKind.STORED else 0
    for start, middle, end in swaps:
        if end > len(data) or (not start and not is_header(data, middle + head)):
            continue
        one, two = data[start:middle], data[middle:end]
        stays = max(
            0, broken.reached + BEHIND - start
        )  # what breaks still does where the bytes up to there are the same
        if (two + one)[:stays] == (one + two)[:stays]:
            meter.count(0)
            continue
        if meter.spent or not _reads(data[:start] + two + one + data[end:], way, meter):
            continue
        sizes = f"{count_bytes(len(one))} from 0x{start:X} on and the {count_bytes(len(two))} behind them"
        fact = f"The {sizes} changed places, as segments do that arrive in the wrong order."
        yield Candidate(Cause.BLOCKS_SWAPPED, (Patch(start, end - start, two + one),), fact, weight, framed=True)


# A stretch that stands again further on


def _again(data: bytes, way: ReadGuess, broken: _Break, meter: WorkBudget) -> Iterator[Candidate]:
    """A stretch that stands a second time further on: a segment that was sent again, what a buffer held before."""
    for first, second, size in _copies(data, broken.reached + BEHIND, meter):
        found = 0
        for early, late in ALIKE:
            start, end = second + early, second + size - late
            if meter.spent or end - start < PIECE:
                break
            if found and end - start != found:
                continue  # how many bytes go is known, but not which of those that are alike
            if _reads(data[:start] + data[end:], way, meter):
                fact = f"The {count_bytes(end - start)} from 0x{start:X} on stand at 0x{first + early:X}, too."
                told = COPIED + count_bits(len(data))
                yield Candidate(Cause.SEGMENT_DOUBLED, (deletion(start, end - start),), fact, framed=True, thrown=told)
                found = end - start
        if found:
            return


def _copies(data: bytes, stop: int, meter: WorkBudget) -> list[tuple[int, int, int]]:
    """Where stretches stand first, where again before a place, and how long: the longest, the first, the last."""
    found: list[tuple[int, int, int]] = []
    for apart in _distances(data, stop, meter):
        if meter.spent:
            break
        meter.charge(len(data) << 2)
        unlike = int.from_bytes(data[apart:], "big") ^ int.from_bytes(data[:-apart], "big")
        for run in SAME.finditer(unlike.to_bytes(len(data) - apart, "big")):
            if run.start() + apart < stop and len(found) < MOST_RUNS:
                found.append((run.start(), run.start() + apart, min(apart, run.end() - run.start())))
    longest = sorted(found, key=lambda each: -each[2])[:MOST_LONGEST]
    rest = (*sorted(found)[:1], *sorted(found, key=lambda each: -each[1]))
    return list(dict.fromkeys((*longest, *rest)))[:MOST_COPIES]


def _distances(data: bytes, stop: int, meter: WorkBudget) -> list[int]:
    """How far apart pieces stand that occur twice before a place, the most frequent distances first."""
    stop = min(stop, len(data) - PIECE)
    meter.charge(stop << 5)
    first: dict[int, int] = {}
    again: dict[int, deque[int]] = {}
    found: Counter[int] = Counter()
    for at in range(stop):
        piece = hash(data[at : at + PIECE])
        if piece not in first:
            first[piece] = at
            continue
        before = again.get(piece)
        if before is None:
            before = again[piece] = deque((first[piece],), MOST_BEFORE)
        if not at % STRIDE:
            found.update(at - place for place in before if at - place >= PIECE)
        before.append(at)
    return [apart for apart, _ in found.most_common(MOST_DISTANCES)]


FAMILIES = (_conflicts, _records, _segments, _again)
