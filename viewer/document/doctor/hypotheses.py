"""Hypotheses about bytes of another packet: one inside this one, a header before it, remains behind it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from viewer.base.buffer import window
from viewer.base.diagnostic import count_bytes
from viewer.container.frames import CONCATENATED, FramingKind
from viewer.document.doctor.byte_hypotheses import byte_candidates, flip_candidates, number_candidates
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.count_hypotheses import count_candidates
from viewer.document.doctor.description import Memory, description_length, raw_bits
from viewer.document.doctor.machine_damage import BLOCKS
from viewer.document.doctor.prefixes import prefix_candidates
from viewer.document.doctor.repair_context import ReadGuess, RepairContext, WorkBudget, frame, is_readable, walk
from viewer.document.doctor.sifting import LONG
from viewer.document.doctor.stripped_returns import stripped_candidates
from viewer.document.doctor.text_hypotheses import text_candidates
from viewer.document.doctor.trying import TOLD, deletion, fill_bits
from viewer.document.doctor.whole import trimmed_candidates
from viewer.document.packets.node_paths import PeerKnowledge
from viewer.document.packets.packet_values import ValueReader
from viewer.document.packets.readings import PayloadSample, readings_of
from viewer.document.pieces.message import FieldRole, Message, Protocol, leaves
from viewer.variant.dialect import HOLDING, Dialect

MOST_HEADER = 48
MOST_INSIDE = 1024
LEAST = 16
MOST_JUDGED = 64
REMAINS = 0.003
"""How likely values behind a value are remains of another packet."""
WELL, LEAST_WELL = 1.0, 32
"""How likely bytes of no value behind a value of so many bytes are no part of it: damage seldom ends a value well."""
PIECE, STRIDE, LEAST_DOUBLED, MOST_DOUBLED, MOST_AGAIN = 24, 16, 32, 1 << 14, 64
"""Bytes that tell where a stretch stands again, how far apart these are looked at, how long it may be, and at how many
places each of them may stand again."""
MOST_BEFORE = 256
"""Words that stand twice lie so many bytes before the trouble at most."""
MOST_APART = 16
"""So many blocks apart two may have changed places."""
WRITTEN_TWICE = 0.05
"""How likely a whole value stands twice because bytes were sent again: it was rather written twice."""
LEAST_KEPT = 8
"""Bytes of a value that may be all there was: a lone null is what any zero byte reads as."""
CUT_OFF = 12.0
"""Bits: that a value which was begun ends nowhere."""
BEGINNING, LEAST_BEGUN = 0.15, 8
"""How likely values before a value are the beginning of another packet; fewer bytes are a number that stands there."""
ALIKE = (0.25, 0.5, 1.0, 2.0)
WORDS = 4 * (len(ALIKE) - 1)
"""How likely a beginning before a value is that of another one, by how many of their first words are the same."""
MOST_REMAINS = 64
"""Remains of so many times the value's own size become less likely: what is taken out must not be the save."""
PROTOCOLS = (Protocol.GODOT3, Protocol.GODOT3_WEBSOCKET, Protocol.GODOT4)
LONGEST_PACKET = 1 << 16

__all__ = ["Message", "header_candidates", "mixed_candidates"]


def header_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """A packet's header before the value, which alone should be there."""
    data, dialect = ground.data, ground.way.dialect
    if ground.way.framing.kind is not FramingKind.BARE:
        return
    known = _explained(data, dialect)
    for size in range(1, min(MOST_HEADER, len(data) - 8 + 1)):
        if size + meter.size(data, size, len(data), dialect) == len(data):
            word = known.get(size, "")
            fact = f"The value begins at byte {size}, after {word or 'bytes that are not a value'}."
            note = "Opened as a packet, its header is explained field by field."
            weight = 2.0 if word else 0.15 if size in (4, 8, 12) else 0.03 if size <= 16 else 0.005
            thrown = raw_bits(data[:size])
            yield Candidate(
                Cause.PACKET_HEADER, (deletion(0, size),), fact, weight, framed=True, note=note, thrown=thrown
            )
    for size in known:
        fact = f"Several values follow {known[size]}."
        yield Candidate(Cause.PACKET_HEADER, (deletion(0, size),), fact, 0.6, framed=True, framing=CONCATENATED)


def _explained(data: bytes, dialect: Dialect) -> dict[int, str]:
    """Where the values of a packet begin, by the rules that explain it without doubt."""
    found: dict[int, str] = {}
    if len(data) > LONGEST_PACKET:
        return found
    for protocol in PROTOCOLS:
        for reading in readings_of(protocol, dialect):
            values = ValueReader(reading.dialect, lints=False)
            draft = reading.read(PayloadSample(data), PeerKnowledge(sends_numbers=reading.sends_numbers), values)
            if draft.doubtful or draft.severity is not None or not draft.has_values:
                continue
            first = next((p for p in leaves(draft.pieces) if p.role is FieldRole.VALUE), None)
            if first is not None and first.span.start:
                found.setdefault(first.span.start, f"a header of {protocol.value} ({draft.kind})")
    return found


def behind_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """What follows a whole value in its frame."""
    data = ground.data
    trouble = ground.start + ground.trouble
    kept = trouble - ground.start
    if ground.sound and kept >= LEAST_KEPT and trouble < ground.end:
        size = ground.end - trouble
        is_fill = size >= LEAST and data.count(data[trouble], trouble, ground.end) == size
        told = None if is_fill else _told(ground, trouble, meter)
        what = "may be left from another packet" if told is not None else "is not a value"
        if is_fill:
            what = f"is {data[trouble]:02X} to the end, as the unused end of a buffer: write only what was filled"
        whole = "its frame does" if ground.has_prefix else "the data does"
        fact = f"The value ends {count_bytes(size)} before {whole}; what follows {what}."
        weight = min(1.0, MOST_REMAINS * kept / size) * (
            (WELL if kept >= LEAST_WELL else 0.3) if told is None else REMAINS
        )
        cause = Cause.BYTES_BEHIND if told is None else Cause.PACKETS_MIXED
        rest = data[trouble : ground.end]
        thrown = told if told is not None else fill_bits(size) if is_fill else raw_bits(rest)
        yield Candidate(cause, (deletion(trouble, size),), fact, weight, thrown=thrown)


def mixed_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """A whole packet inside another, or the begin of one before another."""
    data, dialect = ground.data, ground.way.dialect
    trouble = ground.start + ground.trouble
    low = max(ground.start + 1, trouble - MOST_INSIDE)
    for at in range(min(trouble + 4, ground.end - LEAST), low - 1, -1):
        if data[at + 3] or data[at] >= len(dialect.rows):
            continue
        table = meter.scan(data, at, ground.end, dialect)
        row = table.row(0)
        if not is_readable(table) or table.end_of_data < LEAST or row is None or row.kind not in HOLDING:
            continue
        end = at + table.end_of_data
        if end == ground.end and not ground.has_prefix and at - ground.at >= LEAST_BEGUN:
            yield _behind_another(ground, at, meter)
        if end == ground.end:
            continue
        fact = f"The {count_bytes(end - at)} from 0x{at:X} on are a value that does not belong there."
        yield Candidate(Cause.PACKETS_MIXED, (deletion(at, end - at),), fact, 0.4)
    if ground.has_prefix:
        yield from inside_candidates(ground, meter)


def doubled_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """A stretch of bytes that stands twice, one behind the other, such as a segment that was sent again."""
    yield from _words_twice(ground)
    data, trouble = ground.data, ground.start + ground.trouble
    seen: set[int] = set()
    alike: dict[int, int] = {}  # where what is the same so many bytes further on ends; too short to stand twice
    low, stop = max(0, trouble - MOST_DOUBLED), min(trouble + PIECE, len(data) - 2 * PIECE)
    places = _places(data, low, min(len(data), stop + MOST_DOUBLED), meter)
    for at in range(low, stop, STRIDE):
        meter.count(MOST_AGAIN)
        some = places.get(data[at : at + PIECE], [])
        first = bisect_left(some, at + LEAST_DOUBLED)
        for again in some[first : first + MOST_AGAIN]:
            yield from _doubled(ground, at, again - at, seen, alike, meter)


def _places(data: bytes, start: int, end: int, meter: WorkBudget) -> dict[bytes, list[int]]:
    """Where each piece begins in a part of the bytes that begins there more than once, in order."""
    meter.charge((end - start) << 3)
    found: dict[bytes, list[int]] = {}
    for at in range(start, end - PIECE + 1):
        found.setdefault(data[at : at + PIECE], []).append(at)
    return found


def _doubled(
    ground: RepairContext, at: int, size: int, seen: set[int], alike: dict[int, int], meter: WorkBudget
) -> Iterator[Candidate]:
    """That so many bytes around a place are the same again right behind them.

    Args:
        ground: the place that breaks.
        at, size: a piece that stands again so many bytes further on.
        seen: the sizes that are known.
        alike: by size, where what is the same ends; it is added to.
        meter: counts the work.
    """
    data = ground.data
    if size in seen or at < alike.get(size, 0):
        return
    start, end = at, at + PIECE
    while start and end - start < size and data[start - 1] == data[start - 1 + size]:
        start -= 1
    while end - start < size and data[end : end + 1] == data[end + size : end + size + 1]:
        end += 1
    meter.charge(end - start)
    if end - start < size:
        alike[size] = end
        return
    seen.add(size)
    fact = f"The {size:,} bytes from 0x{start:X} on occur twice, one after the other."
    is_value = (ground.sound and ground.trouble == size) or _is_value(ground, ground.end, size, meter)
    weight = WRITTEN_TWICE if is_value else 1.0
    yield Candidate(Cause.SEGMENT_DOUBLED, (deletion(start + size, size),), fact, weight, framed=True)


def _words_twice(ground: RepairContext) -> Iterator[Candidate]:
    """A word near the trouble, or a few of them, that stand twice."""
    data, trouble = ground.data, ground.start + ground.trouble
    low = max(ground.start, trouble - MOST_BEFORE - (trouble - MOST_BEFORE - ground.start) % 4)
    for size in range(4, LEAST_DOUBLED, 4):
        for at in range(low + size, min(trouble + 8, len(data) - size) + 1, 4):
            run = data[at : at + size]
            if run != data[at - size : at] or not any(run):
                continue
            cause = Cause.WORD_DOUBLED if size == 4 else Cause.SEGMENT_DOUBLED
            fact = f"The {size} bytes before 0x{at:X} occur twice, one after the other."
            yield Candidate(cause, (deletion(at, size),), fact)


def _is_value(ground: RepairContext, at: int, size: int, meter: WorkBudget) -> bool:
    """Whether one value takes just so many bytes from a place on."""
    if at + size > len(ground.data):
        return False
    return meter.size(ground.data, at, at + size, ground.way.dialect) == size


def swapped_candidates(ground: RepairContext) -> Iterator[Candidate]:
    """Two blocks in each other's place, the first of them where reading stops or just before."""
    data, here = ground.data, ground.start + ground.trouble
    for size, name in BLOCKS.items():
        for first in range(here - here % size, max(ground.at - 1, here - 2 * size), -size):
            for other in range(first + size, min(len(data) - size, first + MOST_APART * size) + 1, size):
                one, two = data[first : first + size], data[other : other + size]
                patches = (Patch(first, size, two), Patch(other, size, one))
                fact = f"The {size} bytes at 0x{first:X} and those at 0x{other:X} change places: each is {name}."
                yield Candidate(Cause.BLOCKS_SWAPPED, patches, fact, 1 / MOST_APART, framed=True)


def _behind_another(ground: RepairContext, at: int, meter: WorkBudget) -> Candidate:
    """The value at *at* is whole, and before it stands the beginning of another, whose values are judged too.

    Packets of one game are alike: what is the same in both is told once.
    """
    data, memory = ground.data, Memory()
    whole = meter.scan(data, at, ground.end, ground.way.dialect)
    meter.charge(TOLD * len(whole))
    description_length(whole, 0, memory)
    front = meter.scan(data, ground.at, at, ground.way.dialect)
    meter.charge(TOLD * len(front))
    thrown = description_length(front, 0, memory) + CUT_OFF
    weight = BEGINNING * ALIKE[_words_alike(data, ground.at, at)]
    fact = f"A whole value begins at 0x{at:X} and ends with the bytes; the beginning of another precedes it."
    patches = (deletion(ground.at, at - ground.at),)
    return Candidate(Cause.PACKETS_MIXED, patches, fact, weight, framed=True, thrown=thrown)


def _words_alike(data: bytes, one: int, other: int) -> int:
    """How many words are equal from both places on."""
    pairs = zip(data[one : one + WORDS], data[other : other + WORDS], strict=False)
    return next((k for k, (mine, yours) in enumerate(pairs) if mine != yours), WORDS) // 4


def _told(ground: RepairContext, at: int, meter: WorkBudget) -> float | None:
    """The bits that tell the values which follow in the frame, None where something else does.

    Of many the first are told, and the others count as much by their size.
    """
    rest, out, judged, end = window(ground.data, at, ground.end), 0.0, 0, 0
    memory = Memory()
    for count, step in enumerate(walk(rest, ReadGuess(ground.way.dialect, CONCATENATED), meter)):
        if not step.fills:
            return None
        end = step.payload.end
        if count < MOST_JUDGED:
            table = meter.scan(rest, step.payload.start, end, ground.way.dialect)
            meter.charge(TOLD * len(table))
            out += description_length(table, 0, memory)
            judged = end
    return out * end / judged if judged else out


def inside_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """A frame with its length inside this one, where the prefix of this one does not count it."""
    data, order = ground.data, "big" if ground.way.framing.big_endian else "little"
    stop = min(len(data) - 8, ground.start + min(ground.trouble + 4, MOST_INSIDE))
    for at in range(ground.start, stop):
        length = int.from_bytes(data[at : at + 4], order)  # type: ignore[arg-type]
        if 8 <= length <= len(data) - at - 4:
            fact = f"The {count_bytes(length + 4)} from 0x{at:X} on are a packet of their own."
            step = frame(data, at, ground.way, meter)
            thrown = None
            if step.fills:
                inner = meter.scan(data, step.payload.start, step.payload.end, ground.way.dialect)
                thrown = description_length(inner)
            yield Candidate(Cause.PACKETS_MIXED, (deletion(at, length + 4),), fact, 0.6, framed=True, thrown=thrown)


# Hypotheses: all candidates at one place, family by family, in the order in which they are tried.


def families(ground: RepairContext, meter: WorkBudget) -> Iterator[Iterable[Candidate]]:
    """Candidates by what they are about; of a long value the cheap families first."""
    yield prefix_candidates(ground, meter)
    yield trimmed_candidates(ground)
    yield behind_candidates(ground, meter)
    if len(ground.payload) < LONG:
        yield number_candidates(ground)
        yield text_candidates(ground)
        yield count_candidates(ground, meter)
        yield header_candidates(ground, meter)
        yield mixed_candidates(ground, meter)
        yield doubled_candidates(ground, meter)
        yield swapped_candidates(ground)
        yield stripped_candidates(ground, meter)
        yield byte_candidates(ground)
        yield flip_candidates(ground)
        return
    yield count_candidates(ground, meter)
    yield number_candidates(ground)
    yield text_candidates(ground)
    yield byte_candidates(ground)
    yield flip_candidates(ground)
    yield mixed_candidates(ground, meter)
    yield header_candidates(ground, meter)


def families_before(ground: RepairContext, meter: WorkBudget) -> Iterator[Iterable[Candidate]]:
    """What moves the frames behind a frame that reads."""
    yield byte_candidates(ground)
    yield inside_candidates(ground, meter)
    yield doubled_candidates(ground, meter)
