"""Seams: where the bytes of one value stop and those of another begin or go on.

A value was cut off and the next one begins where it breaks; a shorter save was written over a longer one, whose rest is
still there. Either side makes sense by itself: no byte is wrong, and none is known to be lost but at the seam.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from viewer.base.buffer import u32
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, FramingKind, is_header, prefix
from viewer.document.doctor.as_is import bits_as_is
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.cut_off import may_lack_its_end
from viewer.document.doctor.description import Memory, description_length, raw_bits
from viewer.document.doctor.machine_damage import cuts_blank
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.repair_context import (
    FrameStep,
    ReadGuess,
    WorkBudget,
    frame,
    is_readable,
    walk,
    wrong_step,
)
from viewer.document.doctor.salvage import rescue
from viewer.document.doctor.trying import TOLD, deletion, mistake_bits
from viewer.document.doctor.whole import ways_to_read
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import HOLDING, Dialect, Kind

LEAST, MOST = 24, 1 << 20
"""Fewer bytes tell nothing; of more no seam is looked for."""
MOST_WAYS, MOST_FRAMES = 3, 512
LEAST_WHOLE = 16
"""Bytes of the value behind the seam, at least."""
TRUE = 0.9
"""How often it is so where nothing else explains the bytes."""
OPENED = 1 << 10
"""What it costs to open each byte of a document."""
LEAST_TEXT, LEAST_VALUES, LEAST_SHARE = 3, 2, 0.5
"""Letters of a text that tells which value the rest is of; values of the rest, and their share of it, at least."""
ALIKE, STRANGE, WHOLE_VALUE = 1.0, 0.1, 0.005
"""How likely a rest is that of an older save: where texts stand in both, where none does, and where it begins with a
whole value, as one of several does that were stored."""
BEGUN_ALIKE = 24
"""A value without a length that begins with so many bytes of the next one was sent again: the later one is meant."""
OLDER_COPY = (
    "What is missing of the first value cannot be known: look for another copy. A write was stopped, and the next one "
    "went on behind it: write to another file, flush it, and rename it."
)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a value was cut off.

    Args:
        way: how both are read.
        at: where its frame begins, and *start* its first byte.
        seam: where the next one begins, with its length.
        bits: what tells it and all that follows.
    """

    way: ReadGuess
    at: int
    start: int
    seam: int
    bits: float


def cut_values(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[Repair, float]]:
    """That a value was cut off and the next one follows, with what it takes to tell that beside the bytes as they are.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST <= len(data) <= MOST:
        return
    some = (_cut(data, way, meter) for way in ways_to_read(document, data, meter)[:MOST_WAYS])
    found = min((each for each in some if each is not None), key=lambda each: each.bits, default=None)
    if found is None:
        return
    meter.charge(OPENED * found.seam)
    kept = None if meter.spent else _kept(document, data, found, meter)
    is_read_so = (document.dialect, document.framing) == (found.way.dialect, found.way.framing)
    choice = None if is_read_so and kept is None else _choice(document, found, kept is not None)
    what = "record" if found.way.framing.kind is FramingKind.STORED else "value"
    there = found.seam - found.start
    lacks = prefix(data, found.at, found.way.framing.big_endian) - there if what == "record" else 0
    early = f", {count_bytes(lacks)} before its end by the length before it" if lacks > 0 else ""
    fact = (
        f"The {what} at 0x{found.at:X} breaks off after {count_bytes(there)}{early}; "
        f"at 0x{found.seam:X} the next one begins, and all from there on is sound."
    )
    reason = f"{fact} {kept.reason}" if kept is not None else fact
    before, after = (kept.before, kept.after) if kept is not None else (None, None)
    edit = kept.edit if kept is not None else None
    repair = Repair(Cause.FRAME_CUT, Cause.FRAME_CUT.sentence, reason, TRUE, edit, choice, OLDER_COPY, before, after)
    yield repair, found.bits - bits_as_is(document, data, Span(found.at, len(data)), found.at)


def _kept(document: Document, data: bytes, found: _Cut, meter: WorkBudget) -> Repair | None:
    """What makes the value that was cut off read again, without what it lacks."""
    front = data[: found.seam]
    return rescue(Document(front, choice=_choice(document, found, False)), front, meter)


def _choice(document: Document, found: _Cut, is_kept: bool) -> ReadOptions:
    """How the bytes are read: both values, where the first was made whole."""
    kind = found.way.framing.kind
    if is_kept and kind is FramingKind.BARE:
        kind = FramingKind.CONCATENATED
    precision = document.precision if found.way.dialect is document.dialect else None
    return ReadOptions(found.way.dialect, precision, kind, UnwrapOptions(()), found.way.framing.big_endian)


def _cut(data: bytes, way: ReadGuess, meter: WorkBudget) -> _Cut | None:
    """Where a value was cut off, read in one way."""
    if way.framing.kind is FramingKind.CONCATENATED or wrong_step(data, way, meter) is None:
        return None
    steps = list(islice(walk(data, way, meter), MOST_FRAMES))
    for step in reversed(steps[-2:]):  # the one that breaks, or took what follows for its own end
        found = _cut_in(data, step, way, meter)
        if found is not None:
            return found
    return None


def _cut_in(data: bytes, step: FrameStep, way: ReadGuess, meter: WorkBudget) -> _Cut | None:
    """Where a value was cut off in one frame."""
    start, promised = step.payload.start, len(data)
    is_stored = way.framing.kind is FramingKind.STORED
    if is_stored:
        promised = start + prefix(data, step.at, way.framing.big_endian)
    head = 4 if is_stored else 0
    inside = frozenset[int]() if is_stored else _begins(data, start, way, meter)
    for seam in range(start + MIN_VALUE + 1, min(len(data) - LEAST_WHOLE - head, promised)):
        if not is_header(data, seam + head) or (is_stored and not _may_be_length(data, seam, way)):
            continue
        row = way.dialect.row(u32(data, seam + head))
        if row is None or row.kind not in HOLDING:
            continue
        if not is_stored and data[start : start + BEGUN_ALIKE] == data[seam : seam + BEGUN_ALIKE]:
            continue
        if seam in inside:
            continue  # it is read as a part of the value: a count that is too large leaves just that
        if meter.spent:
            return None
        memory = Memory()
        bits = _told_behind(data, seam, way, meter, memory)
        front = meter.scan(data, start, seam, way.dialect) if bits is not None else None
        if bits is None or front is None or not may_lack_its_end(front):
            continue
        if data[start:seam] == data[seam + head : 2 * seam + head - start]:
            return None  # the same value was begun twice: nothing of it is missing
        meter.charge(TOLD * len(front))
        told = bits + description_length(front, 0, memory)
        weight = Candidate(Cause.FRAME_CUT, (deletion(seam, 0),), "", way.weight)
        return _Cut(way, step.at, start, seam, told + mistake_bits(weight))
    return None


def _begins(data: bytes, start: int, way: ReadGuess, meter: WorkBudget) -> frozenset[int]:
    """Where the values begin that one value holds as far as it reads."""
    table = meter.scan(data, start, len(data), way.dialect)
    meter.charge(len(table) << 7)
    return frozenset(start + table.start[node] for node in table.nodes)


def _may_be_length(data: bytes, at: int, way: ReadGuess) -> bool:
    return MIN_VALUE <= prefix(data, at, way.framing.big_endian) <= len(data) - at - 4


def _told_behind(data: bytes, seam: int, way: ReadGuess, meter: WorkBudget, memory: Memory) -> float | None:
    """What tells all values from a seam on, None where they are not sound up to the last byte."""
    bits, end = 0.0, seam
    for count, step in enumerate(walk(data, way, meter, seam)):
        if not step.fills or count >= MOST_FRAMES:
            return None
        table = meter.scan(data, step.payload.start, step.payload.end, way.dialect)
        if not count and len(step.payload) < LEAST_WHOLE:
            return None
        meter.charge(TOLD * len(table))
        bits += description_length(table, 0, memory)
        end = step.payload.end
    return bits if end == len(data) else None


# The rest of an older save


def older_rests(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """What takes off the rest of a longer save that another one was written over, with the way in which that reads.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST <= len(data) <= MOST:
        return
    seen: set[int] = set()
    for way in ways_to_read(document, data, meter)[:MOST_WAYS]:
        end = _whole_end(data, way, meter)
        if end is None or end in seen or meter.spent:
            continue
        seen.add(end)
        rest = _rest(data, end, way, meter)
        if rest is not None:
            yield way, rest


def _whole_end(data: bytes, way: ReadGuess, meter: WorkBudget) -> int | None:
    """Where the values end that are sound, None where none is or all of the bytes are."""
    if way.framing.kind is FramingKind.CONCATENATED:
        return None
    wrong = wrong_step(data, way, meter)
    if wrong is None:
        return None
    if way.framing.kind is FramingKind.BARE:
        row = meter.scan(data, 0, len(data), way.dialect).row(0)
        is_save = wrong.size >= LEAST_WHOLE and row is not None and row.kind in (Kind.DICTIONARY, Kind.ARRAY)
        return wrong.size if is_save else None
    return wrong.at if wrong.at >= LEAST_WHOLE else None


def _rest(data: bytes, end: int, way: ReadGuess, meter: WorkBudget) -> Candidate | None:
    """That what follows the values is the rest of others, None where most of it makes no sense."""
    memory = Memory()
    for step in islice(walk(data[:end], way, meter), MOST_FRAMES):
        _told(data[step.payload.start : step.payload.end], way.dialect, meter, memory)
    known = {text for text in memory.texts if len(text) >= LEAST_TEXT}
    values, lost = _loose(data, end, way, meter)
    size, told = len(data) - end, sum(len(span) for span, _ in values)
    if (
        meter.spent
        or len(values) < LEAST_VALUES
        or told < LEAST_SHARE * size
        or cuts_blank(lost + b"\1", 0, len(lost) + 1)
    ):
        return None
    if (
        not lost
        and sum(data[span.start + 8 : span.end].rstrip(b"\0") in known for span, is_text in values if is_text) < 2
    ):
        return None  # whole values stand there, none of which was a key of the others
    thrown = raw_bits(lost) + sum(
        _told(raw, way.dialect, meter, memory) for raw in _in_pairs(data, values, way.dialect)
    )
    is_alike = any(text in data[end:] for text in known)
    weight = (ALIKE if is_alike else STRANGE) * (1.0 if lost else WHOLE_VALUE)
    fact = (
        f"The values end at 0x{end:X}; the {count_bytes(size)} behind them begin in the midst of others"
        f"{', in which the same texts stand' if is_alike else ''}."
    )
    return Candidate(Cause.STALE_TAIL, (deletion(end, size),), fact, weight, framed=True, thrown=thrown)


def _told(raw: bytes, dialect: Dialect, meter: WorkBudget, memory: Memory) -> float:
    """The bits that tell one value after those in memory."""
    table = meter.scan(raw, 0, len(raw), dialect)
    meter.charge(TOLD * len(table))
    return description_length(table, 0, memory)


def _loose(data: bytes, at: int, way: ReadGuess, meter: WorkBudget) -> tuple[list[tuple[Span, bool]], bytes]:
    """The values from a place on, whether each is a text, and the bytes that are none: those before the first, lengths.

    No value where others stand between them.
    """
    values: list[tuple[Span, bool]] = []
    lost = bytearray()
    while at < len(data) and not meter.spent:
        table = meter.scan(data, at, len(data), way.dialect) if is_header(data, at) else None
        if table is not None and is_readable(table) and (table.end_of_data > MIN_VALUE or values):
            row = table.row(0)
            values.append((Span(at, at + table.end_of_data), row is not None and row.kind is Kind.STRING))
            at += table.end_of_data
        elif not values:
            lost.append(data[at])
            at += 1
        elif way.framing.kind is FramingKind.STORED and frame(data, at, way, meter).fills:
            lost += data[at : at + 4]
            at += 4
        else:
            return [], b""
    return values, bytes(lost)


def _in_pairs(data: bytes, values: Sequence[tuple[Span, bool]], dialect: Dialect) -> Iterator[bytes]:
    """The same values, texts with what follows them as the pairs of dictionaries."""
    at = 0
    head = dialect.type_number("Dictionary").to_bytes(4, "little")
    while at < len(values):
        start = at
        while at + 1 < len(values) and values[at][1]:
            at += 2
        span = Span(values[start][0].start, values[max(start, at - 1)][0].end)
        count = (at - start) // 2
        yield (head + count.to_bytes(4, "little") if count else b"") + data[span.start : span.end]
        at += not count
