"""Masks: a key that was laid over all bytes, again and again, as WebSocket clients and simple obfuscations do.

Values are full of zeros, so the most frequent byte of each column tells the key where it is as long as the row. Where
few bytes stand in a column several keys are likely, and the first header tells which one it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import accumulate, islice
from operator import xor

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, is_header, prefix
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import BYTE_BITS
from viewer.document.doctor.repair_context import WorkBudget, is_readable
from viewer.document.doctor.whole_codings import collection_numbers
from viewer.variant.dialect import available

SAMPLE = 1 << 16
"""So many bytes tell the key."""
LEAST_ROWS, LONGEST_KEY = 12, 64
"""So many bytes of each column are needed, and so long is a key at most."""
FEW_ZEROS, ALIKE, AS_ALIKE = 0.15, 0.25, 0.85
"""Of values at least this share of the bytes is zero; in the columns of a key so many bytes are equal, and in those of
a key that is likely nearly as many as in those of the best."""
MOST_KEYS, MOST_LENGTHS, MOST_OF_COLUMN, MOST_TRIED = 48, 3, 32, 1 << 11
HEAD, WORD, MADE = 16, 4, 1 << 12
"""The bytes that tell whether values begin; those of a word; and what it costs to make one key."""
BITS = tuple(3.0 if byte == 4 else 4.5 if 0 < byte < 9 else bits for byte, bits in enumerate(BYTE_BITS))
LOW_BITS = tuple(2.0 if byte == 4 else 3.0 if not byte else bits for byte, bits in enumerate(BITS))
"""The bits of each byte, and of the first one of each word: that of the header of a text stands in many places, so do
other small numbers."""
LIKELY, POSSIBLE = 0.6, 0.3

Undo = Callable[[int, int], int]
UNDONE: tuple[tuple[Undo, Cause, str], ...] = (
    (xor, Cause.MASKED, "XORed with"),
    (lambda byte, key: byte - key & 0xFF, Cause.BYTES_SHIFTED, "diminished by"),
)
"""What takes the key away again, and what was done then."""
TABLES = tuple(tuple(bytes(undo(byte, key) for byte in range(256)) for key in range(256)) for undo, _, _ in UNDONE)


def masked_candidates(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    """What takes a key from all bytes.

    Raises:
        GivenUp: nobody wants more.
    """
    sample = data[:SAMPLE]
    if len(sample) < 2 * LEAST_ROWS:
        return
    meter.count(2 * len(sample))
    yield from _running(data, meter)
    if sample.count(0) > FEW_ZEROS * len(sample):
        return
    meter.charge(LONGEST_KEY * len(sample))
    seen: set[tuple[bytes, str]] = set()
    for columns in _lengths(sample):
        for tables, (_, cause, what) in zip(TABLES, UNDONE, strict=True):
            for key in _keys(columns, tables, data, meter):
                new = _unmasked(data, key, tables) if (_once(key), what) not in seen else b""
                seen.add((_once(key), what))
                if not new or not _reads(new, meter):
                    continue
                fact = f"With each byte {what} the key {key.hex(' ').upper()}, which repeats, all of it reads."
                yield _whole(cause, data, new, fact, LIKELY)


def _whole(cause: Cause, data: bytes, new: bytes, fact: str, weight: float) -> Candidate:
    return Candidate(cause, (Patch(0, len(data), new),), fact, weight, framed=True)


def _running(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    """Each byte was told by the one before it, or by its place."""
    head = data[:HEAD]
    some: tuple[tuple[Cause, Callable[[bytes], Iterator[int]], str], ...] = (
        (Cause.BYTES_SHIFTED, lambda raw: accumulate(raw, lambda a, b: a + b & 0xFF), "added to the byte before it"),
        (Cause.MASKED, lambda raw: accumulate(raw, xor), "XORed with the byte before it"),
        (Cause.BYTES_SHIFTED, lambda raw: (byte - at & 0xFF for at, byte in enumerate(raw)), "diminished by its place"),
        (Cause.MASKED, lambda raw: (byte ^ at & 0xFF for at, byte in enumerate(raw)), "XORed with its place"),
    )
    for cause, undone, what in some:
        new = bytes(undone(data)) if _may_begin(bytes(undone(head)), len(data)) and len(data) <= SAMPLE else b""
        if new and _reads(new, meter):
            yield _whole(cause, data, new, f"With each byte {what}, all of it reads.", POSSIBLE)


def _may_begin(head: bytes, size: int) -> bool:
    """Whether values may begin so: with a header that says something, or with a length and one."""
    if is_header(head, 0) and head[0] and _goes_on(head):
        return True
    lengths = (prefix(head, 0, big) for big in (False, True))
    return is_header(head, 4) and _goes_on(head[4:]) and any(MIN_VALUE <= each <= size - 4 for each in lengths)


def _goes_on(head: bytes) -> bool:
    """Whether what is in a collection begins with a header, too."""
    return head[0] not in collection_numbers() or is_header(head, 8)


def _reads(data: bytes, meter: WorkBudget) -> bool:
    """Whether a value reads at the begin, or at least half of one that takes all bytes."""
    meter.count(4 * len(data))
    spans = [Span(0, len(data))]
    spans += [Span(4, 4 + size) for size in (prefix(data, 0, big) for big in (False, True)) if size <= len(data) - 4]
    for span in spans:
        for dialect in available():
            table = meter.scan(data, span.start, span.end, dialect)
            if (is_readable(table) and len(table) > 1) or 2 * table.end_of_data > len(data):
                return True
    return False


@dataclass(frozen=True, slots=True)
class _Columns:
    """The bytes of each column, with how often each stands there."""

    counts: tuple[Counter[int], ...]

    @property
    def alike(self) -> int:
        """How many bytes are the most frequent one of their column; 0 where that is the same in most of them."""
        best = [each.most_common(1)[0] for each in self.counts]
        of_same = Counter(byte for byte, _ in best).most_common(1)[0][1]
        return sum(times for _, times in best) if 2 * of_same <= len(best) else 0


def _lengths(sample: bytes) -> list[_Columns]:
    """The columns of each length that the key may have, the shortest first: its multiples are as good."""
    most = min(LONGEST_KEY, len(sample) // LEAST_ROWS)
    every = [_Columns(tuple(Counter(sample[k::size]) for k in range(size))) for size in range(2, most + 1)]
    best = max((each.alike for each in every), default=0)
    least = max(ALIKE * len(sample), AS_ALIKE * best)
    return [each for each in every if each.alike >= least][:MOST_LENGTHS]


def _keys(columns: _Columns, tables: tuple[bytes, ...], data: bytes, meter: WorkBudget) -> Iterator[bytes]:
    """The keys after which the bytes look most like values, and begin like some; the likeliest first."""
    size, head = len(columns.counts), data[:HEAD]
    models = (LOW_BITS if not size % WORD and not k % WORD else BITS for k in range(size))
    ranked = [_ranked(each, tables, bits) for each, bits in zip(columns.counts, models, strict=True)]
    found = 0
    for places in islice(_likeliest(ranked), MOST_TRIED):
        meter.charge(MADE)
        if found == MOST_KEYS or meter.spent:
            return
        key = bytes(some[place][1] for some, place in zip(ranked, places, strict=True))
        if any(key) and _may_begin(bytes(tables[key[k % size]][byte] for k, byte in enumerate(head)), len(data)):
            found += 1
            yield key


def _likeliest(ranked: list[list[tuple[float, int]]]) -> Iterator[tuple[int, ...]]:
    """Which of the bytes of each column are taken, by their bits in all, the fewest first; none twice.

    The columns are changed in the order of what that costs: of what is taken last one goes on to the next byte of the
    column, to the next column as well, or to the next column instead.
    """
    order = sorted(range(len(ranked)), key=lambda k: ranked[k][1][0] - ranked[k][0][0])
    best = (0,) * len(ranked)
    yield best
    heap = [(_step(ranked, order[0], 1), _moved(best, order[0], 1), 0)]
    while heap:
        bits, places, index = heappop(heap)
        yield places
        column = order[index]
        place = places[column]
        if place + 1 < len(ranked[column]):
            heappush(heap, (bits + _step(ranked, column, place + 1), _moved(places, column, place + 1), index))
        if index + 1 < len(order):
            other = order[index + 1]
            more = bits + _step(ranked, other, 1)
            heappush(heap, (more, _moved(places, other, 1), index + 1))
            if place == 1:
                instead = _moved(_moved(places, column, 0), other, 1)
                heappush(heap, (more - _step(ranked, column, 1), instead, index + 1))


def _step(ranked: list[list[tuple[float, int]]], column: int, place: int) -> float:
    """How many bits more a byte of a column takes than the one before it."""
    return ranked[column][place][0] - ranked[column][place - 1][0]


def _moved(places: tuple[int, ...], column: int, place: int) -> tuple[int, ...]:
    return (*places[:column], place, *places[column + 1 :])


def _once(key: bytes) -> bytes:
    """A key without its repetitions."""
    return key[: (key + key).find(key, 1)]


def _ranked(column: Counter[int], tables: tuple[bytes, ...], bits: tuple[float, ...]) -> list[tuple[float, int]]:
    """The keys of a column, with the bits that its bytes take then; the best first."""
    told = (sum(times * bits[table[byte]] for byte, times in column.items()) for table in tables)
    return sorted(zip(told, range(256), strict=True))[:MOST_OF_COLUMN]


def _unmasked(data: bytes, key: bytes, tables: tuple[bytes, ...]) -> bytes:
    out = bytearray(len(data))
    for k, byte in enumerate(key[: len(data)]):
        out[k :: len(key)] = data[k :: len(key)].translate(tables[byte])
    return bytes(out)
