"""Own fields: sound values among numbers and texts that a game stored otherwise, as the shortest way to tell them.

Bytes are told as a row of values and of fields. A field is a number of one, two, four or eight bytes, a text behind
its length, or a line; of all such rows that with the fewest bits is looked for, values being nearly free. The true row
tells nearly all bytes by values; one broken value leaves bytes that no field explains well.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate
from math import inf
from typing import TypeAlias

from viewer.base.buffer import u32
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.words import counted
from viewer.container.frames import CONCATENATED, MIN_VALUE, STORED, STORED_BIG, Framing, FramingKind, is_header, prefix
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import (
    BYTE_BITS,
    OTHER_TYPE,
    Memory,
    count_bits,
    description_length,
    raw_bits,
    text_bits,
)
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.repair_context import BROKEN, PACE, WorkBudget, size_at_once
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import HOLDING, PACKED, Dialect, Kind, Precision
from viewer.variant.scan import scan

MOST_BYTES = 1 << 16
WORK, TOLD = 1 << 27, 1 << 12
"""How much is done in search of rows, at most; what it costs to tell what one node takes."""
VALUE, NULL = 6.0, 11.0
"""Bits of each value while rows are sought, beside its contents, and of one that is nothing but four zeros."""
USUAL = 4.0
"""The bits of a byte that count for nothing while rows are sought: a row that came further is not longer for that."""
FIELD, TEXT = 5.0, 8.0
"""Bits of each field beside its contents; of a text, that it is none of the usual numbers."""
AGAIN = 2.5
"""Bits that a value takes less where the one before is of its type."""
RUN, COUNT = 5.0, -25.0
"""Bits of each run of fields once the row is known, beside its bytes; and of the number of all values before them,
where a game stored nothing else: no mistake makes it true."""
NUMBERS, PREFIX = (1, 2, 4, 8), 4
PARTS = 10
_OVER_USUAL = tuple(round(PARTS * (bits - USUAL)) for bits in BYTE_BITS)
"""The bits of each byte beyond the usual ones, in tenths: sums of whole numbers are the same in any order."""
LONGEST_TEXT = 96
BEAM = 140.0
"""Bits: a row that is so much longer than another that has come as far is given up."""
STEP, LOOKED_AT = 1 << 12, 3 << 8
"""What a place costs beside what is scanned there: where rows are sought, and where values are."""
TRUE, TRUE_OF_FEW = 0.35, 0.3
"""How often it is so of values with nothing between them, and of such as follow one run of fields."""
TRUE_OF_ORDER, TRUE_WITHOUT = 0.6, 0.08
"""How often it is so where lengths before the values or fields as long before each say it, and where nothing does:
damage that nobody knows looks like it, too."""
ALIKE, LEAST_ALIKE = 0.88, 3
"""The share of runs of fields that are as long, and the least runs."""
LEAST_VALUES, LEAST_BARE, LEAST_SHARE = 2, 3, 0.6
"""Fewer values, fewer without lengths and without a field before them, or a smaller share of the bytes, tell nothing of
how a game stores."""
FRAMINGS = (STORED, STORED_BIG, CONCATENATED)
LEAST_BESIDE, LEAST_SPOKEN = 0.2, 0.75
"""The share of the bytes that values tell at least where texts tell most of the others, and the share of both."""
LONG = frozenset((*HOLDING, *PACKED, Kind.STRING))
"""What a number of elements or bytes stands behind."""
MOST_SHORT, IN_BITS = 1 << 13, 8
"""Letters say a larger number than this; a length in bits says so many times the bytes."""
_Step: TypeAlias = tuple[int, float, bool]
"""Where what stands at a place ends, its bits, and whether it is a value."""
_Value: TypeAlias = tuple[Span, float]
"""The span of a sound value, and its bits."""


AS_STORED = (
    "Read them in the order in which the game stores them: fields with get_32() and such, values with get_var()."
)
AS_BARE = "Read them in the order in which the game stores them: fields with get_32() and such, values by their bytes."
MOST_PLACES = 4
"""The places of so many fields are told."""


@dataclass(frozen=True, slots=True)
class OwnFields:
    """A row of values and fields that is all of the bytes.

    Args:
        dialect, framing: how the values are written.
        values: the bytes of each value, without its length.
        fields: the bytes between them.
        bits: what it takes to tell the fields, and the values.
        is_plain: whether no field looks like the head of a value that does not read, or like its length: what damage
            leaves beside sound values does.
    """

    dialect: Dialect
    framing: Framing
    values: tuple[Span, ...]
    fields: tuple[Span, ...]
    bits: float
    is_plain: bool

    def is_cut_at(self, region: Span) -> bool:
        """Whether a value or field begins where a part of the bytes begins, and one where it ends."""
        before = PREFIX if self.framing.kind is FramingKind.STORED else 0
        starts = {span.start for span in self.fields} | {span.start - before for span in self.values}
        last = max(span.end for span in (*self.values, *self.fields))
        return region.start in starts and (region.end in starts or region.end == last)

    def told(self, data: bytes, region: Span) -> float:
        """The bits that tell the values and fields which begin in a part of the bytes."""
        values = (span for span in self.values if region.start <= span.start < region.end)
        bits = sum(bits for span, bits in _told_runs(data, self.fields) if region.start <= span.start < region.end)
        memory = Memory()
        return bits + sum(description_length(scan(data[v.start : v.end], self.dialect), 0, memory) for v in values)


def own_fields(data: bytes, dialects: list[Dialect], meter: WorkBudget, work: int = WORK) -> OwnFields | None:
    """The shortest row of values and fields; None where no row tells most of the bytes by values.

    Args:
        data, dialects: what to look at, and how its values may be written.
        meter: whose memory scans take.
        work: how much may be done, in bytes that a compiled scanner reads.
    """
    if len(data) > MOST_BYTES:
        return None
    meter = meter.anew(work)
    framings = [each for each in FRAMINGS if _may_hold(data, each)]
    plain = PlainFields(data)
    found = (_row(plain, dialect, framing, meter) for dialect in dialects for framing in framings)
    best = min((each for each in found if each is not None), key=lambda each: each.bits, default=None)
    return None if best is None or _may_be_damage(data, best) else best


def _may_hold(data: bytes, framing: Framing) -> bool:
    """Whether lengths that may be true tell enough of the bytes, whatever engine line wrote the values."""
    if framing.kind is not FramingKind.STORED:
        return True
    count = told = reached = 0
    for at in range(len(data) - 2 * MIN_VALUE + 1):
        end = at + 4 + prefix(data, at, framing.big_endian)
        if at + 4 + MIN_VALUE < end <= len(data) and is_header(data, at + 4):
            count += 1
            told += max(0, end - max(at, reached))
            reached = max(reached, end)
    return count >= LEAST_VALUES and told >= LEAST_SHARE * len(data)


class PlainFields:
    """The numbers and texts that may stand at each place, whatever engine line wrote the values: told once.

    Args:
        data: all bytes.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._sums = [0, *accumulate(map(_OVER_USUAL.__getitem__, data))]
        self._numbers: dict[int, tuple[_Step, ...]] = {}
        self._texts: dict[int, tuple[_Step, ...]] = {}
        self._all: dict[int, tuple[_Step, ...]] = {}
        self._lengths: dict[bool, list[int]] = {}
        self._heads: list[int] | None = None

    def all(self, at: int) -> tuple[_Step, ...]:
        """The numbers and texts that may stand at a place."""
        found = self._all.get(at)
        if found is None:
            found = self._all[at] = self.numbers(at) + self.texts(at)
        return found

    def lengths(self, big_endian: bool) -> list[int]:
        """Where the length of a value may stand that is no null."""
        found = self._lengths.get(big_endian)
        if found is None:
            data, size = self.data, len(self.data)
            found = self._lengths[big_endian] = [
                at
                for at in range(size - 2 * MIN_VALUE)
                if not data[at + PREFIX + 1] and MIN_VALUE < prefix(data, at, big_endian) <= size - at - PREFIX
            ]
        return found

    @property
    def heads(self) -> list[int]:
        """Where a header may stand, but that of a null."""
        if self._heads is None:
            data = self.data
            self._heads = [at for at in range(len(data) - 2 * MIN_VALUE + 1) if data[at] and not data[at + 1]]
        return self._heads

    def numbers(self, at: int) -> tuple[_Step, ...]:
        """The numbers that may stand at a place."""
        found = self._numbers.get(at)
        if found is None:
            sums = self._sums
            found = self._numbers[at] = tuple(
                (at + width, FIELD + (sums[at + width] - sums[at]) / PARTS, False)
                for width in NUMBERS
                if at + width < len(sums)
            )
        return found

    def texts(self, at: int) -> tuple[_Step, ...]:
        """The texts and lines that may stand at a place."""
        found = self._texts.get(at)
        if found is None:
            data = self.data
            found = self._texts[at] = tuple(
                (end, _text_bits(data[at:end]) - USUAL * (end - at), False) for end in _texts(data, at)
            )
        return found


def _row(plain: PlainFields, dialect: Dialect, framing: Framing, meter: WorkBudget) -> OwnFields | None:
    data = plain.data
    known: dict[int, _Value | None] = {}
    if not _may_tell(plain, dialect, framing, meter, known):
        return None
    meter.charge(LOOKED_AT * len(data))
    steps = _shortest(plain, dialect, framing, meter, known)
    values = tuple(span for span, is_value in steps if is_value)
    fields = tuple(span for span, is_value in steps if not is_value)
    is_stored = framing.kind is FramingKind.STORED
    telling = _telling(data, values, is_stored)
    told = sum(len(span) + PREFIX * is_stored for span in telling)
    is_known = is_stored or bool(fields and not fields[0].start)
    is_many = is_known and telling and sum(len(span) > MIN_VALUE for span in values) >= LEAST_BARE
    if len(telling) < (LEAST_VALUES if is_known else LEAST_BARE) and not is_many:
        return None
    is_plain = bool(fields) and _is_plain(data, values, fields, dialect, framing)
    if told < LEAST_SHARE * len(data) and not (is_plain and _is_spoken(plain, told, fields)):
        return None
    if not is_stored and 2 * _lengths(data, values) >= len(telling):
        return None  # values behind their lengths, some of them broken
    is_counted = is_stored and _is_count(data, values, fields)
    if is_stored and not (is_counted or _lies_between(values, fields)):
        return None  # what stands before the first length, or behind the last value, shows in the frames
    memory = Memory()
    bits = COUNT if is_counted else sum(bits for _, bits in _told_runs(data, fields))
    header = -1
    for span in values:
        meter.charge(PACE * len(span))
        header, before = u32(data, span.start), header
        bits += description_length(scan(data[span.start : span.end], dialect), 0, memory)
        if header == before:
            bits -= AGAIN
        elif before >= 0 and fields and not (is_stored or is_plain):
            bits += OTHER_TYPE  # they may be the elements of an array, whose head is among the fields
    return OwnFields(dialect, framing, values, fields, bits, is_plain)


def _may_tell(
    plain: PlainFields, dialect: Dialect, framing: Framing, meter: WorkBudget, known: dict[int, _Value | None]
) -> bool:
    """Whether sound values, and texts, could tell enough: without them no row needs be sought.

    The values are kept in *known*.
    """
    data, size = plain.data, len(plain.data)
    is_stored = framing.kind is FramingKind.STORED
    values: list[Span] = []
    told = reached = 0
    for at in plain.lengths(framing.big_endian) if is_stored else plain.heads:
        if meter.spent:
            return False
        meter.charge(LOOKED_AT)
        found = known[at] = _value(data, at, dialect, framing, meter)
        if found is None or not (is_stored or any(data[at + MIN_VALUE : found[0].end])):
            continue
        values.append(Span(at, found[0].end))
        told, reached = told + max(0, found[0].end - max(at, reached)), max(reached, found[0].end)
        if told >= LEAST_SHARE * size:
            return True
    if told < LEAST_BESIDE * size:
        return False
    meter.charge(LOOKED_AT * size)
    texts = [Span(at, end) for at in range(size) for end, _, _ in plain.texts(at)]
    return _covered(sorted([*values, *texts], key=lambda span: span.start)) >= LEAST_SPOKEN * size


def _covered(spans: list[Span]) -> int:
    """How many bytes lie in some of the spans, which are in the order of their begins."""
    covered = reached = 0
    for span in spans:
        covered += max(0, span.end - max(span.start, reached))
        reached = max(reached, span.end)
    return covered


def _telling(data: bytes, values: tuple[Span, ...], is_stored: bool) -> list[Span]:
    """The values that are there by no chance: any four zeros are a null, and many a number begins an empty value."""
    if is_stored:
        return [span for span in values if len(span) > MIN_VALUE]
    return [span for span in values if any(data[span.start + MIN_VALUE : span.end])]


def _is_spoken(plain: PlainFields, told: int, fields: tuple[Span, ...]) -> bool:
    """Whether values and texts tell nearly all bytes, and values enough of them."""
    texts = sum(len(span) for span in fields if any(end == span.end for end, _, _ in plain.texts(span.start)))
    return told >= LEAST_BESIDE * len(plain.data) and told + texts >= LEAST_SPOKEN * len(plain.data)


def _is_plain(
    data: bytes, values: tuple[Span, ...], fields: tuple[Span, ...], dialect: Dialect, framing: Framing
) -> bool:
    """Whether nothing in the fields looks like a value that does not read, or like the length of one."""
    sizes = {span.start: len(span) for span in values}
    is_stored = framing.kind is FramingKind.STORED
    for run in _runs(fields):
        if any(_is_head(data, at, dialect) for at in range(run.start, run.end)):
            return False
        if not is_stored and _is_length(data, run, sizes.get(run.end)):
            return False
    return not (is_stored and is_doubled(data, _runs(fields), framing))


def is_doubled(data: bytes, runs: Sequence[Span], framing: Framing) -> bool:
    """Whether all that stands between values is the length of one of them once more: that is a mistake, and no field.

    A game that stores lengths of its own does so before each value. The first one may count the second.
    """
    if len(runs) != 1 or len(runs[0]) != PREFIX or runs[0].end + PREFIX > len(data):
        return False
    first = prefix(data, runs[0].start, framing.big_endian)
    return first - prefix(data, runs[0].end, framing.big_endian) in (0, PREFIX)


def _is_head(data: bytes, at: int, dialect: Dialect) -> bool:
    """Whether a type and the number of what follows it may stand at a place, though in a form that no engine reads."""
    left = len(data) - at - 8
    row = dialect.row(u32(data, at)) if left >= 0 and _is_header(data, at, dialect) else None
    if row is None or row.kind not in LONG:
        return False
    word = data[at + 4 : at + 8]
    counts = (int.from_bytes(word, "little"), int.from_bytes(word, "big"))
    return min(counts) <= left or int.from_bytes(word[:2], "little") <= min(left, MOST_SHORT)


def _is_length(data: bytes, run: Span, size: int | None) -> bool:
    """Whether a run of fields ends with what may be the length of the value behind it, or of all that follows."""
    if size is None:
        return False
    widths = [width for width in (2, 4, 8) if width <= len(run)] or [len(run)]
    ends = [data[run.end - width : run.end] for width in widths]
    numbers = [number for raw in ends for number in (int.from_bytes(raw, "little"), int.from_bytes(raw, "big"))]
    return any(size <= IN_BITS * number <= 2 * IN_BITS * len(data) for number in numbers)


def _may_be_damage(data: bytes, found: OwnFields) -> bool:
    """Whether fields lie only behind the first of values without lengths and behind the last: waste may follow it."""
    if found.framing.kind is FramingKind.STORED:
        return False
    values = [span.start for span in _telling(data, found.values, False)]
    places = {bisect(values, span.start) for span in found.fields} - {len(values)}
    return places == {1}


def _lies_between(values: tuple[Span, ...], fields: tuple[Span, ...]) -> bool:
    return any(values[0].start < span.start < values[-1].start for span in fields)


def _lengths(data: bytes, values: tuple[Span, ...]) -> int:
    """Before how many values their length stands."""
    return sum(prefix(data, span.start - PREFIX, False) == len(span) for span in values if span.start >= PREFIX)


def _is_count(data: bytes, values: tuple[Span, ...], fields: tuple[Span, ...]) -> bool:
    """Whether nothing stands among the values but, before all, how many they are."""
    if len(fields) != 1 or fields[0].start:
        return False
    raw = data[: fields[0].end]
    return len(values) in (int.from_bytes(raw, "little"), int.from_bytes(raw, "big"))


def _runs(fields: tuple[Span, ...]) -> list[Span]:
    """The same bytes, those of fields that follow each other as one."""
    out: list[Span] = []
    for span in fields:
        if out and out[-1].end == span.start:
            span = Span(out.pop().start, span.end)
        out.append(span)
    return out


def _told_runs(data: bytes, fields: tuple[Span, ...]) -> Iterator[tuple[Span, float]]:
    """The runs of fields with the bits that tell them: a number that counts up is short, and so is what was there."""
    known: dict[int, int] = {}
    for span in _runs(fields):
        raw = data[span.start : span.end]
        bits = raw_bits(raw)
        number = int.from_bytes(raw, "little")
        before = known.get(len(raw))
        if before is not None:
            bits = min(bits, count_bits(number - before))
        known[len(raw)] = number
        yield span, RUN + bits


def _text_bits(raw: bytes) -> float:
    """The bits of a text behind its length, or before a line feed."""
    shown = raw[:-1] if raw.endswith(b"\n") else raw[PREFIX:]
    return FIELD + TEXT + text_bits(shown)


def _shortest(
    plain: PlainFields, dialect: Dialect, framing: Framing, meter: WorkBudget, known: dict[int, _Value | None]
) -> list[tuple[Span, bool]]:
    """The row with the fewest bits, each span with whether it is a value; empty where none comes to the end.

    The sound value at each place is looked up in *known* first.
    """
    data, size = plain.data, len(plain.data)
    least = [0.0, *[inf] * size]
    came: list[tuple[int, bool] | None] = [None] * (size + 1)
    ahead: list[tuple[float, int]] = [(0.0, 0)]
    for at in range(size):
        bits = least[at]
        if bits == inf:
            continue
        while ahead[0][1] < at:
            heappop(ahead)
        if bits > ahead[0][0] + BEAM:
            continue
        meter.charge(STEP)
        if meter.spent:
            return []
        if at not in known:
            known[at] = _value(data, at, dialect, framing, meter)
        value, steps = known[at], plain.all(at)
        if value is not None:
            span, told = value
            steps = ((span.end, told - USUAL * (span.end - at), True), *steps)
        elif _begins_collection(data, at, dialect, framing):
            steps = plain.texts(at)
        for end, more, is_value in steps:
            now = bits + more
            if now < least[end]:
                least[end] = now
                came[end] = at, is_value
                heappush(ahead, (now, end))
    out: list[tuple[Span, bool]] = []
    at = size
    while at:
        last = came[at]
        if last is None:
            return []
        end, (at, is_value) = at, last
        value = known[at] if is_value else None
        out.append((Span(at, end) if value is None else value[0], is_value))
    return out[::-1]


def _value(data: bytes, at: int, dialect: Dialect, framing: Framing, meter: WorkBudget) -> _Value | None:
    """The sound value at a place, behind its length if it has one, and its bits."""
    start, end = at, len(data)
    if framing.kind is FramingKind.STORED:
        length = prefix(data, at, framing.big_endian)
        start = at + PREFIX
        if length < MIN_VALUE or length > end - start:
            return None
        end = start + length
    if start + 4 > end:
        return None
    word = u32(data, start)
    row = None if word & 0xFF00 else dialect.row(word)
    if row is None:
        return None
    if not row.narrow and row.kind is Kind.FIXED:  # with flags that mean nothing it is as well a number
        is_whole = framing.kind is not FramingKind.STORED or end == start + MIN_VALUE
        return (Span(start, start + MIN_VALUE), NULL) if not word and is_whole else None
    if size_at_once(data, start, end, dialect) == -1:
        meter.charge(BROKEN)
        return None
    table = meter.scan(data, start, end, dialect)
    if table.diagnostics or not len(table) or (framing.kind is FramingKind.STORED and table.end_of_data != end - start):
        return None
    if table.end_of_data == MIN_VALUE:
        return None
    meter.charge(TOLD * len(table))
    return Span(start, start + table.end_of_data), VALUE + description_length(table)


def _is_header(data: bytes, at: int, dialect: Dialect) -> bool:
    word = u32(data, at)
    return not word & 0xFF00 and dialect.row(word) is not None


def _begins_collection(data: bytes, at: int, dialect: Dialect, framing: Framing) -> bool:
    """Whether a collection seems to begin here that does not read: it is no number, though a text may be as long."""
    start = at
    if framing.kind is FramingKind.STORED:
        start += 4
        length = prefix(data, at, framing.big_endian)
        if length % 4 or not 2 * MIN_VALUE <= length <= len(data) - start:
            return False
    if start + 8 > len(data) or not _is_header(data, start, dialect):
        return False
    row = dialect.row(u32(data, start))
    return row is not None and row.kind in HOLDING


def _texts(data: bytes, at: int) -> Iterator[int]:
    """Where texts end that begin at a place: one behind its length, and a line."""
    if at + 4 < len(data):
        length = u32(data, at)
        if 0 < length <= LONGEST_TEXT and at + 4 + length <= len(data) and _is_text(data[at + 4 : at + 4 + length]):
            yield at + 4 + length
    end = data.find(b"\n", at, at + LONGEST_TEXT)
    if end > at and _is_text(data[at:end]):
        yield end + 1


def _is_text(raw: bytes) -> bool:
    if any(byte < 0x20 for byte in raw):
        return False
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _trust(found: OwnFields) -> float:
    """How often such a row is what a game stored."""
    sizes = [len(span) for span in _runs(found.fields)]
    if found.framing.kind is FramingKind.STORED or found.is_plain:
        return TRUE_OF_ORDER
    if len(sizes) < LEAST_ALIKE:
        return TRUE_OF_FEW if len(sizes) == 1 and not found.fields[0].start else TRUE_WITHOUT
    alike = max(map(sizes.count, sizes))
    return TRUE_OF_ORDER if alike >= ALIKE * len(sizes) else TRUE_WITHOUT


def _places(fields: Sequence[Span]) -> str:
    """Where the first fields are, and how long."""
    shown = [f"0x{span.start:X} ({counted(len(span), 'byte')})" for span in fields[:MOST_PLACES]]
    if len(fields) == 1:
        return f"it is at {shown[0]}"
    which = "they" if len(shown) == len(fields) else f"the first {len(shown)}"
    return f"{which} are at {', '.join(shown[:-1])} and {shown[-1]}"


def own_fields_note(document: Document, found: OwnFields) -> Repair:
    """What is told of a row that the document does not show; how to read it where a framing shows it all."""
    values, number = f"{len(found.values):,} values", len(found.fields)
    fields = "one field that holds a number or a text" if number == 1 else f"{number:,} fields of numbers or texts"
    true = _trust(found)
    if found.fields:
        reason = f"{values}, {found.framing.label}, and {fields} explain all of it; {_places(found.fields)}."
        note = AS_STORED if found.framing.kind is FramingKind.STORED else AS_BARE
        note = note if true > TRUE_WITHOUT else ""
        return Repair(Cause.OWN_FIELDS, Cause.OWN_FIELDS.sentence, reason, true, note=note)
    cause = Cause.SEVERAL_VALUES
    precision = document.precision if found.dialect is document.dialect else Precision.SINGLE
    choice = ReadOptions(found.dialect, precision, found.framing.kind, UnwrapOptions(()), found.framing.big_endian)
    is_shown = document.dialect is found.dialect and document.framing == found.framing
    return Repair(cause, cause.sentence, f"{values} explain all of it.", TRUE, choice=None if is_shown else choice)
