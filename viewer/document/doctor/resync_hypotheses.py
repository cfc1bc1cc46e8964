"""Hypotheses by resynchronisation: a slip anywhere near the trouble, told by where reading may go on behind it.

At each begin of a value it is known how many values are still to come. From each offset the bytes that follow are read
as values, one behind another; where these are as many as are still to come, reading goes on there, and what lies
between tells the slip: so many bytes too many or too few, a header, count or length that is another. No number is
guessed: whatever it was, there is one look at each offset. Of several slips each is found behind the one before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import groupby, islice
from typing import assert_never

from viewer.base.buffer import u32
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass, replace
from viewer.container.frames import BARE, is_header, prefix
from viewer.document.doctor.candidate import Candidate, Patch, Patches, growth, patched, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import raw_bits
from viewer.document.doctor.machine_damage import cuts_blank
from viewer.document.doctor.repair_context import (
    PACE,
    Node,
    ReadGuess,
    RepairContext,
    WorkBudget,
    follows,
    nodes,
    survey,
)
from viewer.document.doctor.sifting import ValuesToCome
from viewer.document.doctor.trying import mistake_bits, thrown_bits
from viewer.variant.dialect import COLLECTIONS, SHARED, Dialect, Kind, TypeRow
from viewer.variant.header import INT_MAX
from viewer.variant.recovery.header_run import Exhausted, HeaderRun, Trails
from viewer.variant.table import NONE

LONGEST = 1 << 15
"""Longer values are not looked at: most of what is wrong with them is found by the other hypotheses."""
NEAR, NEAREST, BEFORE, BEHIND = 24, 6, 256, 2048
"""So many begins of values before the trouble, those of which all is tried, and where reading may go on."""
MOST_RUN, MOST_WITHIN, MOST_SPLIT = 1024, 64, 16
"""The longest run of bytes that is too many between values, inside of one, and inside of its header and count."""
MOST_SLIPS, MOST_OF_PART = 48, 12
"""So many slips, the likeliest, are tried."""
MOST_FRAMES = 2
LONGEST_TEXT = 1 << 12
LEAST_HEADS, LEAST_BYTES = 3, 24
"""Reading goes on for a while, behind one of several slips, where so many heads are right in so many bytes."""
MOST_IN_A_ROW, MOST_BESIDE, MOST_TRIED_BESIDE = 8, 2, 4
"""So many slips one behind another, so many ways at once, each of so many begins."""
MOST_FEW = 3
ANYWHERE = 0.1
"""How likely a slip is in one of so many places, beside one that the other hypotheses know of; swapped bytes tell by
themselves where they are."""
NOTHING_BEHIND = 0.005
"""How likely a slip is that only the end of the bytes tells, which may as well be missing."""
ODD_RUN, WORDS_RUN = 0.3, 0.5
"""How likely a run of many bytes is beside one byte, and of whole words."""
BEGUN, LOOKED_AT, MADE = 1 << 12, 1 << 8, 1 << 14
"""What it costs to know of a begin of a value how many are still to come, to look at one place, and to make a slip."""


@dataclass(frozen=True, slots=True)
class Slip:
    """What may have gone wrong in one place.

    Args:
        candidate: what would undo it, as offsets in the payload.
        resumes: where reading goes on, in the bytes as they are.
    """

    candidate: Candidate
    resumes: int


def _a(row: TypeRow) -> str:
    """A value of a type, in words."""
    return f"an {row.name}" if row.name[0] in "aeiouAEIOU" else f"a {row.name}"


@dataclass(frozen=True, slots=True)
class _Begin:
    """Where a value begins: its offset, how many values are still to come with it, and what was read there."""

    at: int
    waiting: int
    node: Node | None


def slip_candidates(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """Each slip after which the rest of a value is as many values as are still to come."""
    for inner in _inner(ground, meter):
        for slip in _Slips(inner, meter, ground.start, ground.prefix_agrees and ground.has_prefix).whole():
            yield _shifted(slip.candidate, ground.start)


def slips_in_a_row(ground: RepairContext, meter: WorkBudget) -> Iterator[Candidate]:
    """Several slips, each behind the one before it."""
    for inner in _inner(ground, meter):
        for candidate in _chains(inner, meter, ground.start):
            yield _shifted(candidate, ground.start)


def _shifted(candidate: Candidate, by: int) -> Candidate:
    return replace(candidate, patches=tuple(patch.shifted(by) for patch in candidate.patches))


def _inner(ground: RepairContext, meter: WorkBudget) -> Iterator[RepairContext]:
    """The payload alone, by each end that it may have."""
    way = ReadGuess(ground.way.dialect, BARE)
    for end in _ends(ground, meter):
        if 4 <= end - ground.start <= LONGEST:
            inner = survey(ground.data[ground.start : end], way, meter)
            if inner is not None:
                yield inner


def _ends(ground: RepairContext, meter: WorkBudget) -> Iterator[int]:
    if not ground.has_prefix or ground.prefix_agrees:
        yield ground.end
        return
    data, found = ground.data, 0
    big = ground.way.framing.big_endian
    low = max(ground.start + 4, ground.start + ground.trouble - BEFORE)
    for end in (*range(low, min(len(data) - 8, low + BEHIND)), len(data)):
        if end < len(data) and not (4 <= prefix(data, end, big) <= len(data) - end - 4 and is_header(data, end + 4)):
            continue
        if follows(data, end, ground.way, meter):
            yield end
            found += 1
            if found == MOST_FRAMES:
                return


class _Slips:
    """The slips that may have been made in one value, the only one in its bytes.

    Args:
        ground: the value.
        meter: counts the work.
        first: the offset of its first byte in the bytes that a person sees: facts name those.
        is_told: whether something else tells where it ends.
    """

    def __init__(self, ground: RepairContext, meter: WorkBudget, first: int, is_told: bool = False) -> None:
        self.first = first
        self.is_told = is_told
        self.ground = ground
        self.meter = meter
        self.raw = ground.data
        self.size = len(self.raw)
        self.dialect = ground.way.dialect
        self._trails = Trails(self.raw, self.dialect, work=lambda cost: meter.charge(PACE * cost))
        self._begins = list(_begins(ground))
        meter.charge(BEGUN * len(self._begins))

    def run(self, at: int) -> HeaderRun:
        """The heads that follow from an offset on."""
        if at >= self.size:
            return HeaderRun(self.size if at == self.size else -1)
        try:
            return self._trails.follow(at)
        except Exhausted:
            return HeaderRun(at)

    def needed(self, at: int) -> int:
        """How many values the bytes from an offset on are, to the last; -1 where they are none."""
        trail = self.run(at)
        return trail.values if trail.end == self.size and 8 * trail.odd <= trail.heads else -1

    # All of them

    def whole(self) -> list[Slip]:
        """Those after which the rest is as many values as are still to come, the likeliest first."""
        where: dict[int, list[int]] = {}
        for at in self._places():
            where.setdefault(self.needed(at), []).append(at)
        where.pop(-1, None)
        slips = list(self._found(lambda waiting: where.get(waiting, ()), lambda at, wanted: self.needed(at) == wanted))
        slips += self._counts()
        return sorted(map(self._at_end, slips), key=self._bits)[:MOST_SLIPS]

    def _at_end(self, slip: Slip) -> Slip:
        """A slip behind which nothing follows that would tell it from a missing end is believed less."""
        candidate = slip.candidate
        if self.is_told or slip.resumes < self.size or candidate.cause is Cause.BYTE_INSERTED:
            return slip
        return Slip(replace(candidate, weight=candidate.weight * NOTHING_BEHIND), slip.resumes)

    def further(self) -> Iterator[Slip]:
        """Those after which reading goes on for a while, the furthest first."""
        places = [at for at in self._places() if self._goes_on(at)]
        found = self._found(lambda waiting: places, lambda at, wanted: self._goes_on(at))
        ends = sorted(((self.run(slip.resumes).end, slip) for slip in found), key=lambda each: -each[0])
        for _, some in groupby(ends, lambda each: each[0]):
            yield from sorted((slip for _, slip in some), key=self._bits)

    def _bits(self, slip: Slip) -> float:
        return mistake_bits(slip.candidate) + thrown_bits(self.raw, slip.candidate)

    def _goes_on(self, at: int) -> bool:
        if at <= self.ground.trouble - LEAST_BYTES:
            return False
        trail = self.run(at)
        return trail.heads >= LEAST_HEADS and not trail.odd and trail.end - at >= LEAST_BYTES

    def _places(self) -> Iterator[int]:
        """Where reading may go on: where a header may stand, and the end."""
        raw, trouble = self.raw, self.ground.trouble
        some = range(max(4, trouble - BEFORE), min(self.size - 3, trouble + BEHIND))
        self.meter.charge(LOOKED_AT * len(some))
        for at in some:
            if not raw[at + 1] and not raw[at + 3] and is_header(raw, at):
                yield at
        yield self.size

    def _found(self, places: Callable[[int], Iterable[int]], fits: Callable[[int, int], bool]) -> Iterator[Slip]:
        for count, begin in enumerate(self._begins[:NEAR]):
            self.meter.count(MADE)
            if self.meter.spent:
                return
            yield from self._too_many(begin, places(begin.waiting))
            yield from self._within(begin, places)
            yield from self._words(begin, places(begin.waiting - 1))
            if count < NEAREST:
                yield from self._headers(begin, fits)
                yield from self._split(begin, fits)

    # Bytes too many, or too few

    def _too_many(self, begin: _Begin, places: Iterable[int]) -> Iterator[Slip]:
        for at in places:
            if 0 < at - begin.at <= MOST_RUN and not cuts_blank(self.raw, begin.at, at):
                yield self._extra(begin.at, at - begin.at, at)

    def _within(self, begin: _Begin, places: Callable[[int], Iterable[int]]) -> Iterator[Slip]:
        """Bytes too many or too few inside of a value whose header is right."""
        node = begin.node
        head = None if node is None else _head(self.raw, self.dialect, node.header, begin.at + 4)
        if node is None or head is None:
            return
        end, children = head
        for at in places(begin.waiting - 1 + children):
            if 0 < at - end <= MOST_WITHIN:
                for place in self._where(begin.at + 4, end, at - end):
                    yield self._extra(place, at - end, at)
            elif 4 <= end - at <= MOST_WITHIN and at >= begin.at + 8:
                size, is_text = end - at, node.row.name == "String"
                fact = (
                    f"With {count_bytes(size)} more before 0x{self.first + at:X} everything fits; "
                    "what was there is not known."
                )
                new = (b"?" if is_text else b"\0") * size
                yield Slip(_candidate(Cause.BYTE_LOST, (Patch(at, 0, new),), fact, _odds(size)), at)

    def _where(self, start: int, end: int, size: int) -> list[int]:
        """Where bytes may be too many in a value: at its parts, and where they are least like letters."""
        costs = [_sign(byte) for byte in self.raw[start : end + size]]
        sums, total = [], sum(costs[:size])
        for k in range(len(costs) - size):
            sums.append((total, start + k))
            total += costs[k + size] - costs[k]
        likely = [at for _, at in sorted(sums, key=lambda each: (-each[0], each[1]))[:3]]
        return list(dict.fromkeys((start, *likely, *range(start + 4, end + 1, 4), end)))[:MOST_OF_PART]

    def _extra(self, at: int, size: int, resumes: int) -> Slip:
        self.meter.charge(MADE)
        fact = f"Without the {count_bytes(size)} from 0x{self.first + at:X} on everything fits."
        found = _candidate(Cause.BYTE_INSERTED, (Patch(at, size, b""),), fact, _odds(size))
        if size > MOST_FEW:  # they stand there whatever is said of them
            found = replace(found, thrown=_bits_of_run(self.raw[at : at + size]))
        return Slip(found, resumes)

    def _split(self, begin: _Begin, fits: Callable[[int, int], bool]) -> Iterator[Slip]:
        """Bytes too many inside of a header, or of the word behind it."""
        raw, at = self.raw, begin.at
        for size in range(1, MOST_SPLIT + 1):
            for k in (1, 2, 3, 5, 6, 7):
                made = raw[at : at + k] + raw[at + k + size : at + size + 8]
                if len(made) < 8 or made[1] or made[3]:
                    continue
                row = self.dialect.row(u32(made, 0))
                head = (
                    None
                    if row is None
                    else _head(made + raw[at + size + 8 :][:LONGEST_TEXT], self.dialect, u32(made, 0), 4)
                )
                if head is not None and fits(at + size + head[0], begin.waiting - 1 + head[1]):
                    yield self._extra(at + k, size, at + size + head[0])

    # Words that are others

    def _headers(self, begin: _Begin, fits: Callable[[int, int], bool]) -> Iterator[Slip]:
        """A header that is another, or is lost."""
        at, read = begin.at, u32(self.raw, begin.at) if begin.at + 4 <= self.size else -1
        for header, row in _headers_of(self.dialect):
            for lost in (False, True):
                head = _head(self.raw, self.dialect, header, at + (0 if lost else 4))
                if head is None or header == read or not fits(head[0], begin.waiting - 1 + head[1]):
                    continue
                if lost:
                    new = header.to_bytes(4, "little")
                    fact = f"With the header of {_a(row)} at 0x{self.first + at:X} everything fits."
                    yield Slip(_candidate(Cause.BYTE_LOST, (Patch(at, 0, new),), fact, WORDS_RUN), head[0])
                elif read >= 0:
                    cause = _cause_of(read, header)
                    fact = f"The word at 0x{self.first + at:X}, 0x{read:08X}, should be the header of {_a(row)}."
                    yield Slip(_candidate(cause, (word(at, header),), fact, 1.0, read), head[0])

    def _words(self, begin: _Begin, places: Iterable[int]) -> Iterator[Slip]:
        """The word behind a header that is another or is lost: it says how long the value is."""
        node, raw = begin.node, self.raw
        if node is None or node.header < 0 or begin.at + 8 > self.size:
            return
        for at in places:
            for lost in (False, True):
                start = begin.at + (4 if lost else 8)
                number = self._number(node, start, at) if at >= start else None
                if number is None:
                    continue
                read, fill = u32(raw, begin.at + 4), self._fill(node, number, start, at)
                new = number.to_bytes(4, "little")
                if lost:
                    fact = f"With the number {number} at 0x{self.first + begin.at + 4:X} everything fits."
                    patches: Patches = (Patch(begin.at + 4, 0, new), *fill)
                    yield Slip(_candidate(Cause.BYTE_LOST, patches, fact, WORDS_RUN), at)
                elif at == self.size and read > number and not self.is_told:
                    continue  # then the end is missing
                elif read != number and not (fill and number < read < number + 4):  # then bytes were lost
                    fact = f"The word at 0x{self.first + begin.at + 4:X}, 0x{read:08X}, should be 0x{number:08X}."
                    cause = _cause_of(read, number)
                    if cause is Cause.WORD_OVERWRITTEN and node.row.name == "String" and read < LONGEST_TEXT:
                        cause = Cause.LENGTH_OFF
                    yield Slip(_candidate(cause, (word(begin.at + 4, number), *fill), fact, 1.0, read), at)

    def _number(self, node: Node, start: int, end: int) -> int | None:
        """What the word before a payload should say, where that takes these bytes."""
        raw, size = self.raw, end - start
        match node.row.kind:
            case Kind.STRING:
                text = raw[start:end]
                bare = text.rstrip(b"\0")
                if size > LONGEST_TEXT or size - len(bare) > 3 or b"\0" in bare:
                    return None
                return len(bare) if _is_text(bare) else None
            case Kind.PACKED:
                each = sum(field.size for field in node.row.fields(node.header))
                if each == 1:
                    return len(raw[start:end].rstrip(b"\0")) if size % 4 == 0 else None
                return size // each if size % each == 0 else None
            case (
                Kind.FIXED
                | Kind.NULL_OBJECT
                | Kind.ARRAY
                | Kind.DICTIONARY
                | Kind.TYPED_ARRAY
                | Kind.PACKED_STRINGS
                | Kind.NODE_PATH
                | Kind.INDEXED_PATH
                | Kind.OBJECT
                | Kind.RESOURCE
                | Kind.REFERENCE
                | Kind.SIGNAL
                | Kind.IMAGE
                | Kind.INPUT_EVENT
            ):
                return None
            case _:
                assert_never(node.row.kind)

    def _fill(self, node: Node, number: int, start: int, end: int) -> Patches:
        """The fill that lacks behind a text of *number* bytes."""
        lacks = number + -number % 4 - (end - start)
        return (Patch(end, 0, bytes(lacks)),) if lacks > 0 and node.row.name == "String" else ()

    def _counts(self) -> Iterator[Slip]:
        """The count of any collection that was read: what follows its head tells what it should be."""
        for begin in self._begins:
            node = begin.node
            if node is None or node.row.kind not in COLLECTIONS or node.end < node.start + 8:
                continue
            needed = self.needed(node.end)
            unit = 2 if node.row.name == "Dictionary" else 1
            count, rest = divmod(needed - begin.waiting + 1, unit)
            stored = u32(self.raw, node.end - 4)
            told = stored & INT_MAX
            if needed < 0 or rest or count < 0 or count == told:
                continue
            cause = _cause_of(told, count)
            if cause is Cause.WORD_OVERWRITTEN and 0 < told < self.size:
                cause = Cause.COUNT_TOO_SMALL if count > told else Cause.COUNT_TOO_LARGE
            fact = f"The count at 0x{self.first + node.end - 4:X}, 0x{stored:08X}, should be {count}."
            shared = stored & SHARED if stored != 0xFFFFFFFF and cause is not Cause.WORD_SWAPPED else 0
            patch = word(node.end - 4, count | shared)
            yield Slip(_candidate(cause, (patch,), fact, 0.3, stored), node.end)


def _begins(ground: RepairContext) -> Iterator[_Begin]:
    """Where values begin before the trouble, the last one first, and the trouble itself."""
    table, trouble = ground.table, ground.trouble
    if not len(table):
        yield _Begin(0, 1, None)
        return
    some, waiting_at = nodes(ground), ValuesToCome(table).at
    last = table.at(trouble - 1) if trouble else NONE
    if last != NONE and table.row(last) is None:
        waiting = waiting_at(last)
        if waiting is not None:
            yield _Begin(table.start[last], waiting, None)
    elif not ground.sound and last != NONE and table.head_end(last) == trouble:
        waiting = waiting_at(last)
        head = _head(ground.data, ground.way.dialect, table.header(last), table.start[last] + 4)
        if waiting is not None and head is not None:
            yield _Begin(trouble, waiting - 1 + head[1], None)
    for node in some:
        waiting = waiting_at(node.id)
        if waiting is not None:
            yield _Begin(node.start, waiting, node if node.header >= 0 else None)


def _head(raw: bytes, dialect: Dialect, header: int, at: int) -> tuple[int, int] | None:
    """Where the head of a value ends whose payload begins at *at*, and how many children follow it."""
    row = dialect.row(header)
    if row is None or at > len(raw):
        return None
    number = u32(raw, at) if at + 4 <= len(raw) else -1
    match row.kind:
        case Kind.FIXED | Kind.NULL_OBJECT:
            end, children = at + sum(field.size for field in row.fields(header)), 0
        case Kind.STRING:
            end, children = at + 4 + number + -number % 4, 0
        case Kind.ARRAY | Kind.DICTIONARY:
            if header >> 16:
                return None
            end, children = at + 4, (number & INT_MAX) * (2 if row.kind is Kind.DICTIONARY else 1)
        case Kind.PACKED:
            size = number * sum(field.size for field in row.fields(header))
            end, children = at + 4 + size + -size % 4, 0
        case (
            Kind.TYPED_ARRAY
            | Kind.PACKED_STRINGS
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return None
        case _:
            assert_never(row.kind)
    is_there = number >= 0 or row.kind in (Kind.FIXED, Kind.NULL_OBJECT)
    return (end, children) if is_there and end <= len(raw) and children <= len(raw) else None


def _headers_of(dialect: Dialect) -> Iterator[tuple[int, TypeRow]]:
    """The headers that engines write, with the types that they are of."""
    for row in dialect.rows:
        yield row.number, row
        if row.has_wide:
            yield row.number | 1 << 16, row


def _cause_of(read: int, meant: int) -> Cause:
    """What happened to a word."""
    if read == int.from_bytes(meant.to_bytes(4, "little"), "big"):
        return Cause.WORD_SWAPPED
    return Cause.BIT_FLIPPED if (read ^ meant).bit_count() == 1 else Cause.WORD_OVERWRITTEN


BLANK = frozenset({0, 0xFFFFFFFF})
"""What machines write over words: memory that was cleared, flash that was erased."""
_bits_of_run = lru_cache(1 << 10)(raw_bits)
"""The bits of a run: it is looked at again by each end of a value, and in each way to read it."""


def _candidate(cause: Cause, patches: Patches, fact: str, weight: float, read: int = -1) -> Candidate:
    """A slip; where a word became another one, what *read* there is has to be told too, or that it is blank."""
    is_known = cause is not Cause.WORD_OVERWRITTEN or read in BLANK
    told = 0.0 if is_known else _bits_of_run(read.to_bytes(4, "little"))
    return Candidate(cause, patches, fact, weight if cause is Cause.WORD_SWAPPED else ANYWHERE * weight, bits=told)


def _odds(size: int) -> float:
    return 0.3 ** (size - 1) if size <= MOST_FEW else WORDS_RUN if size % 4 == 0 else ODD_RUN


def _sign(byte: int) -> float:
    """How unlike a letter a byte is."""
    return 0.0 if 0x61 <= byte < 0x7B or byte == 0x20 else 1.0 if 0x20 < byte < 0x7F else 3.0 if byte > 0x7F else 4.0


def _is_text(raw: bytes) -> bool:
    try:
        return all(sign.isprintable() or sign in "\t\n\r" for sign in raw.decode())
    except UnicodeDecodeError:
        return False


# Several slips, each behind the one before it.


@dataclass(frozen=True, slots=True)
class _Chain:
    """Slips that were undone: the bytes then, and the patches and causes as one candidate in the bytes as they were."""

    ground: RepairContext
    patches: Patches = ()
    slips: tuple[Candidate, ...] = ()

    @property
    def reached(self) -> int:
        """Up to where the bytes as they were read then."""
        return self.ground.trouble - growth(self.patches)

    def patches_with(self, slip: Candidate) -> Patches | None:
        """The patches with those of one more slip; None where it lies before those."""
        if not self.patches:
            return slip.patches
        last, grown = self.patches[-1], growth(self.patches)
        if slip.patches[0].at < last.at + last.size + grown:
            return None
        return (*self.patches, *(patch.shifted(-grown) for patch in slip.patches))


def _chains(ground: RepairContext, meter: WorkBudget, start: int) -> Iterator[Candidate]:
    chains = [_Chain(ground)]
    for _ in range(MOST_IN_A_ROW - 1):
        longer: list[_Chain] = []
        for chain in chains:
            if meter.spent:
                return
            found: set[int] = set()
            for slip in islice(
                _Slips(chain.ground, meter, start - growth(chain.patches)).further(), 4 * MOST_TRIED_BESIDE
            ):
                patches = chain.patches_with(slip.candidate)
                if patches is None or len(found) >= MOST_TRIED_BESIDE or meter.spent:
                    continue
                after = survey(patched(ground.data, patches), ground.way, meter)
                if after is None:
                    yield _joined(patches, (*chain.slips, slip.candidate))
                    continue
                grown = _Chain(after, patches, (*chain.slips, slip.candidate))
                if grown.reached >= chain.reached + LEAST_BYTES and grown.reached not in found:
                    found.add(grown.reached)
                    longer.append(grown)
        chains = sorted(longer, key=lambda chain: -chain.reached)[:MOST_BESIDE]
        if not chains:
            return
        for chain in chains:
            if meter.spent:
                return
            for slip in _Slips(chain.ground, meter, start - growth(chain.patches)).whole()[:MOST_OF_PART]:
                patches = chain.patches_with(slip.candidate)
                if patches is not None:
                    yield _joined(patches, (*chain.slips, slip.candidate))


def _joined(patches: Patches, slips: tuple[Candidate, ...]) -> Candidate:
    """Several slips as one candidate."""
    first = slips[0]
    bits = first.bits + sum(mistake_bits(each) for each in slips[1:])
    facts = " ".join(dict.fromkeys(each.fact for each in slips))
    causes = tuple(dict.fromkeys(each.cause for each in slips))
    return Candidate(first.cause, patches, facts, first.weight, bits=bits, causes=causes, places=len(slips))
