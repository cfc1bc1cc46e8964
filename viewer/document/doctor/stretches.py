"""Stretches: a part of the bytes that is of another nature than what stands around it.

A line of a log in the midst, the unused part of a buffer, values that were compressed, all bytes from some offset on
changed by one rule: the bytes before it read, and all of them do once the stretch is taken out or turned back.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import islice, product, takewhile

from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.container.frames import MIN_VALUE, FramingKind, prefix
from viewer.document.doctor.candidate import Candidate, Patch, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import count_bits, text_bits
from viewer.document.doctor.fallback import codec_of
from viewer.document.doctor.misplaced import misplaced_candidates
from viewer.document.doctor.piece_losses import piece_loss_candidates
from viewer.document.doctor.renamed_texts import renamed_candidates
from viewer.document.doctor.repair_context import ReadGuess, WorkBudget, is_readable, wrong_step
from viewer.document.doctor.seams import older_rests
from viewer.document.doctor.trying import deletion, fill_bits
from viewer.document.doctor.whole import MOST_LIKELY, REVERSED, farthest_ways, ways_to_read
from viewer.document.document import Document
from viewer.variant.dialect import available

LEAST, MOST = 24, 1 << 18
"""Fewer bytes tell nothing; of more no stretch is looked for."""
LINES = re.compile(rb"(?:[\t\r\n\x20-\x7e]|[\xc2-\xf4][\x80-\xbf]{1,3}){8,}")
ENDS = re.compile(rb"\n|[>}\])][^\w\n]?|.\Z", re.DOTALL)
"""Where lines may end: at a line feed, at a bracket, and where no letters follow."""
MOST_ENDS = 8
SHORTEST_LINE, LONGEST_LINES, NEAREST_LINES = 8, 1 << 11, 6
"""Signs of a line that somebody wrote to be read, those of several at most, and how many such places are tried."""
BEHIND = 8
"""So far behind the last byte that makes sense a stretch may begin."""
FILL = re.compile(rb"(.)\1{15,}", re.DOTALL)
MOST_FILLS, MOST_KEPT = 32, 17
"""So many runs before the trouble, the last ones, are tried; so many of their bytes may belong to the values beside."""
STREAM = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")
MOST_STREAMS, MOST_PACKED = 64, 1 << 24
"""So many places where a stream may begin are tried; so many bytes are held by all that was unwrapped, at most."""
MOST_FRAMES = 512
PERIODS = (1, 2, 3, 4, 8, 16)
"""After so many bytes a key repeats."""
ZERO_SHARE, LEAST_ZEROS = 0.25, 8
"""So many of the bytes of values are zeros at least; fewer bytes tell no key, and so many more are zeros without it."""
BEFORE = 16
"""So far before the last byte that makes sense the change may begin: what it made of a text or number reads on."""
BLOCK, MOST_BLOCKS = 512, 4
BESIDE, MOST_KEYS, HEADS = 16, 9, (0, 4, 2)
"""So near to where zeros say it a key begins; so many keys of one length are tried; the bytes that are frequent where
zeros are not the most."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """What may have changed all bytes from some offset on.

    Args:
        undo: the bytes as they were, from the bytes as they are and the offset of the first.
        shown: what it is, in words.
        weight: how likely it is beside the others.
        is_key: whether each byte is changed by itself, so that zeros tell where it begins.
    """

    undo: Callable[[bytes, int], bytes]
    shown: str
    weight: float
    is_key: bool = False


def part_candidates(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """What mends bytes of which only a part is wrong, and that part by one rule; with the way in which all reads then.

    Raises:
        GivenUp: nobody wants more.
    """
    families = (older_rests, renamed_candidates, piece_loss_candidates, stretch_candidates, misplaced_candidates)
    for index, family in enumerate(families):  # what one leaves of its share the others have
        with meter.at_most(meter.left // (len(families) - index)):
            yield from family(document, data, meter)


def stretch_candidates(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """What takes out or turns back one stretch so that all reads, with the way in which it does.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST <= len(data) <= MOST:
        return
    yield from _packed_frames(document, data, meter)
    ways = farthest_ways(document, data, meter)
    cheap = [(family, *way) for way in ways for family in (_fills, _streams)]
    dear = [(family, *way) for way in ways[:MOST_LIKELY] for family in (_texts, _changed)]
    for index, (family, way, reached) in enumerate((*cheap, *dear)):
        with meter.at_most(meter.left // max(1, len(cheap) + len(dear) - index)):
            for candidate in family(data, way, reached, meter):
                if meter.spent:
                    break
                if candidate is not None:
                    yield way, candidate
                    break


def _reads(data: bytes, way: ReadGuess, meter: WorkBudget) -> bool:
    meter.count(0)
    return len(data) >= MIN_VALUE and wrong_step(data, way, meter) is None and not meter.spent


# Lines of text


def _texts(data: bytes, way: ReadGuess, reached: int, meter: WorkBudget) -> Iterator[Candidate | None]:
    """Lines that something wrote into the bytes, most likely to another end."""
    before = [found.span() for found in LINES.finditer(data) if found.start() <= reached + BEHIND]
    meter.charge(len(data))
    for start, stop in reversed(before[-NEAREST_LINES:]):
        ends = [start + found.end() for found in ENDS.finditer(data[start:stop])]
        for end in sorted(dict.fromkeys(ends), key=lambda at: (data[at - 1] != 0x0A, -at))[:MOST_ENDS]:
            for begin in range(max(start, end - LONGEST_LINES), end - SHORTEST_LINE):
                yield _text(data, begin, end) if _reads(data[:begin] + data[end:], way, meter) else None


def _text(data: bytes, start: int, end: int) -> Candidate:
    shown = data[start:end].decode("utf-8", "replace").strip().split("\n")[0].strip()
    fact = f"The {count_bytes(end - start)} from 0x{start:X} to 0x{end:X} say “{shown}”."
    thrown = text_bits(data[start:end])
    return Candidate(Cause.TEXT_INSIDE, (deletion(start, end - start),), fact, framed=True, thrown=thrown)


# The unused part of a buffer


def _fills(data: bytes, way: ReadGuess, reached: int, meter: WorkBudget) -> Iterator[Candidate | None]:
    """A run of one byte that is too much, all of it or all but a few, which are a part of the values beside it."""
    meter.charge(len(data))
    before = takewhile(lambda found: found.start() <= reached + BEHIND, FILL.finditer(data))
    for found in reversed(deque(before, maxlen=MOST_FILLS)):
        start, end = found.span()
        for kept in range(MOST_KEPT):
            size = end - start - kept
            is_right = _reads(data[:start] + data[start + size :], way, meter)
            yield _fill(data, start, size, kept) if is_right else None


def _fill(data: bytes, start: int, size: int, kept: int) -> Candidate:
    beside = f"; {kept} more belong to the values" if kept else ""
    fact = f"{count_bytes(size)} of {data[start]:02X} from 0x{start:X} on are too many{beside}."
    patches = (deletion(start, size),)
    return Candidate(Cause.FILL_INSIDE, patches, fact, framed=True, thrown=fill_bits(size) + count_bits(kept))


# Compressed values


def _streams(data: bytes, way: ReadGuess, reached: int, meter: WorkBudget) -> Iterator[Candidate | None]:
    """A compressed stretch anywhere, in the place of what it holds."""
    for found in islice(STREAM.finditer(data), MOST_STREAMS):
        at, reader = found.start(), zlib.decompressobj(47)
        meter.charge(len(data) - at)
        try:
            inside = reader.decompress(data[at:], MOST_PACKED)
        except zlib.error:
            continue
        end = len(data) - len(reader.unused_data)
        meter.charge(len(inside))
        if not reader.eof or not inside or at > reached + BEHIND:
            continue
        if _reads(data[:at] + inside + data[end:], way, meter):
            kind = "gzip" if found[0][:1] == b"\x1f" else "zlib"
            fact = f"The {count_bytes(end - at)} from 0x{at:X} on are {kind}; they hold {count_bytes(len(inside))}."
            yield Candidate(Cause.PART_WRAPPED, (Patch(at, end - at, inside),), fact, framed=True, thrown=0.0)


def _packed_frames(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """Values behind true lengths, of which some were compressed or written as text first."""
    dialects = [document.dialect] if document.choice.dialect is not None else [document.dialect, *available()]
    for way in ways_to_read(document, data, meter):
        if way.framing.kind is not FramingKind.STORED:
            continue
        spans = _frames(data, way.framing.big_endian)
        for dialect in dict.fromkeys(dialects) if spans else ():
            patches: list[Patch] = []
            names: list[str] = []
            room = MOST_PACKED
            for start, end in spans:
                table = meter.scan(data, start, end, dialect)
                if is_readable(table) and table.end_of_data == end - start:
                    continue
                meter.charge((end - start) << 4)
                found = codec_of(data[start:end], document.wraps.secret, room)
                if found is None:
                    break
                meter.charge(len(found[1]))
                room -= len(found[1])
                table = meter.scan(found[1], 0, len(found[1]), dialect)
                if meter.spent or not is_readable(table) or table.end_of_data != len(found[1]):
                    break
                patches += [
                    word(start - 4, len(found[1]), way.framing.big_endian),
                    Patch(start, end - start, found[1]),
                ]
                names.append(found[0])
            else:
                if patches:
                    of = "one value is" if len(names) == 1 else f"{len(names)} values are"
                    fact = f"Of {len(spans)} {of} wrapped: {', '.join(dict.fromkeys(names))}."
                    made = Candidate(Cause.PART_WRAPPED, tuple(patches), fact, framed=True, thrown=0.0)
                    yield ReadGuess(dialect, way.framing, way.weight), made
                    return


def _frames(data: bytes, big_endian: bool) -> list[tuple[int, int]]:
    """The bytes behind each length, where the lengths tell all of them."""
    found: list[tuple[int, int]] = []
    at = 0
    while at + 4 <= len(data) and len(found) < MOST_FRAMES:
        end = at + 4 + prefix(data, at, big_endian)
        if end > len(data) or end < at + 4 + MIN_VALUE:
            return []
        found.append((at + 4, end))
        at = end
    return found if at == len(data) else []


# All bytes from some offset on


def _changed(data: bytes, way: ReadGuess, reached: int, meter: WorkBudget) -> Iterator[Candidate | None]:
    """All bytes from some offset on, or those of one block, changed by a rule."""
    rest = data[reached:]
    if len(rest) < LEAST:
        return
    near = list(range(min(reached + BEHIND, len(data) - LEAST), max(0, reached - BEFORE), -1))
    edges = [at for at in range(reached - reached % BLOCK, 0, -BLOCK) if at not in near][:MOST_BLOCKS]
    meter.charge(len(rest) * len(PERIODS))
    for rule in (*_keys(rest, reached), *ORDERS):
        likely = _likely(data, rule, meter) if rule.is_key else near
        for at in (*likely, *edges):
            ends = [len(data)] if at % BLOCK else [len(data), at + BLOCK, at + 8 * BLOCK]
            for end in ends:
                if at + LEAST <= end <= len(data) and data.count(0, 0, at) >= LEAST_ZEROS:
                    undone = rule.undo(data[at:end], at)
                    may_be = undone != data[at:end]
                    is_right = may_be and _reads(data[:at] + undone + data[end:], way, meter)
                    yield _turned_back(data, at, end, undone, rule) if is_right else None


def _likely(data: bytes, rule: _Rule, meter: WorkBudget) -> list[int]:
    """Where a key may begin: with the most zeros before that place as they are, and behind it without the key."""
    undone = rule.undo(data, 0)
    meter.charge(8 * len(data))
    best, score = 0, undone.count(0)
    most = score
    for at, (was, now) in enumerate(zip(data, undone, strict=True), 1):
        score += (was == 0) - (now == 0)
        if score > most:
            best, most = at, score
    if most < data.count(0) + LEAST_ZEROS:
        return []
    return [at for at in range(best + BESIDE, best - BESIDE, -1) if 0 < at <= len(data) - LEAST]


def _turned_back(data: bytes, at: int, end: int, undone: bytes, rule: _Rule) -> Candidate:
    upto = "on" if end == len(data) else f"to 0x{end:X}"
    fact = f"From 0x{at:X} {upto} {rule.shown}."
    return Candidate(Cause.REST_CHANGED, (Patch(at, end - at, undone),), fact, rule.weight, framed=True)


def _keys(rest: bytes, first: int) -> Iterator[_Rule]:
    """Keys of XOR and numbers that were added: zeros are the most frequent bytes of values, or nearly so."""
    for period in PERIODS:
        if len(rest) < LEAST_ZEROS * period:
            return
        parts = [Counter(rest[(k - first) % period :: period]) for k in range(period)]
        if sum(part.most_common(1)[0][1] for part in parts) < ZERO_SHARE * len(rest):
            continue
        some = [_key_bytes(part) for part in parts]
        for key in map(bytes, islice(product(*some), MOST_KEYS)):
            if not any(key) or any(key == key[:k] * (period // k) for k in PERIODS if k < period and period % k == 0):
                continue
            yield _Rule(_xored(key), f"each byte is XORed with {key.hex(' ').upper()}", 1.0, True)
            if period == 1:
                yield _Rule(_less(key[0]), f"{key[0]} was added to each byte", 0.3, True)


def _key_bytes(part: Counter[int]) -> list[int]:
    """What a byte of the key may be: the most frequent one is a zero under it, or, first in a word, a header."""
    (most, count), whole = part.most_common(1)[0], part.total()
    return [most] if 2 * count >= whole else [most ^ byte for byte in HEADS]


def _xored(key: bytes) -> Callable[[bytes, int], bytes]:
    def undo(some: bytes, at: int) -> bytes:
        turn = at % len(key)
        mask = (key[turn:] + key * (len(some) // len(key) + 1))[: len(some)]
        return (int.from_bytes(some, "big") ^ int.from_bytes(mask, "big")).to_bytes(len(some), "big")

    return undo


def _less(number: int) -> Callable[[bytes, int], bytes]:
    table = bytes((byte - number) & 0xFF for byte in range(256))
    return lambda some, at: some.translate(table)


def _swapped(kind: str) -> Callable[[bytes, int], bytes]:
    def undo(some: bytes, at: int) -> bytes:
        words = array(kind)
        whole = len(some) - len(some) % words.itemsize
        words.frombytes(some[:whole])
        words.byteswap()
        return words.tobytes() + some[whole:]

    return undo


HALVES = bytes((byte >> 4 | byte << 4) & 0xFF for byte in range(256))
ORDERS = (
    _Rule(_swapped("I"), "the four bytes of each word are swapped", 0.3),
    _Rule(lambda some, at: some.translate(HALVES), "the halves of each byte are swapped", 0.1),
    _Rule(lambda some, at: some.translate(REVERSED), "the bits of each byte are reversed", 0.1),
    _Rule(lambda some, at: some[::-1], "the bytes stand in reverse order", 0.2),
)
