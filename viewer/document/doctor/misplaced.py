"""Misplaced parts: sound stretches that stand where they do not belong.

A value that another writer wrote into one, both versions of a stretch between the lines of a version control tool: all
bytes are sound, and only their order, or what stands between them, is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from viewer.base.buffer import u32
from viewer.base.diagnostic import count_bytes
from viewer.container.frames import MIN_VALUE, FramingKind, is_header, prefix
from viewer.document.doctor.candidate import Candidate, Patch, Patches, growth, patched, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import Memory, description_length
from viewer.document.doctor.repair_context import ReadGuess, WorkBudget, is_readable, reach, walk, wrong_step
from viewer.document.doctor.trying import TOLD, deletion
from viewer.document.doctor.whole import ways_to_read
from viewer.document.document import Document
from viewer.variant.dialect import HOLDING

LEAST, MOST = 24, 1 << 18
"""Fewer bytes tell nothing; of more nothing is looked for."""
MOST_WAYS = 2
"""So many ways to read, the likeliest, are asked whether all reads."""
WORK = 1 << 25
"""The most work for parts of one kind, in one way."""
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
KEPT_NOWHERE = "The value that is taken out is kept nowhere else; copy its bytes first if you need it."


def misplaced_candidates(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """What puts parts where they belong, or takes them out, so that all reads; with the way in which it does.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST <= len(data) <= MOST:
        return
    ways = [way for way in ways_to_read(document, data, meter) if way.framing.kind is not FramingKind.CONCATENATED]
    for way in ways[:MOST_WAYS]:
        if wrong_step(data, way, meter) is None:
            continue
        reached = reach(data, way, meter)
        for family in (_conflicts, _records):
            spare = max(0, meter.left - WORK)
            meter.left -= spare
            for candidate in family(data, way, reached, meter):
                yield way, candidate
            meter.left += spare


def _reads(data: bytes, way: ReadGuess, meter: WorkBudget) -> bool:
    meter.count(0)
    return len(data) >= MIN_VALUE and wrong_step(data, way, meter) is None and not meter.spent


# Both versions of a stretch


def _conflicts(data: bytes, way: ReadGuess, reached: int, meter: WorkBudget) -> Iterator[Candidate]:
    """Either version of each stretch that a version control tool could not merge, without its lines."""
    found = list(islice(CONFLICT.finditer(data), MOST_CONFLICTS))
    wrong = wrong_step(data, way, meter) if found else None
    meter.charge(len(data))
    if wrong is None:
        return
    read: list[tuple[str, float, Patches, float]] = []
    for side, weight in SIDES:
        for patches in _of_one_side(data, wrong.at, found, side, way):
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


def _records(data: bytes, way: ReadGuess, reached: int, meter: WorkBudget) -> Iterator[Candidate]:
    """A whole value inside another one, wherever it stands: behind its own length it can be put behind the other."""
    wrong = wrong_step(data, way, meter)
    if wrong is None:
        return
    is_stored, found = way.framing.kind is FramingKind.STORED, 0
    low = wrong.payload.start + 4
    for at in range(min(reached + BEHIND, len(data) - LEAST), low, -1):
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
        for patches in _put_behind(data, wrong.at, start, at + size, way) if is_stored and is_framed else ():
            if _reads(patched(data, patches), way, meter):
                yield Candidate(
                    Cause.PACKETS_MIXED, patches, f"{fact} They are put behind the other one.", framed=True, thrown=0.0
                )
                return
        for patches in _taken_out(data, wrong.at, start, at + size, way):
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
