"""Frames of a buffer with their tables: the container's cuts, measured by the format's scanner."""

from __future__ import annotations

import gc
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from operator import eq
from typing import TYPE_CHECKING, overload
from weakref import WeakValueDictionary

from viewer.base.buffer import Buffer, Bytes, in_memory, u32, view, window
from viewer.base.diagnostic import Code, Severity
from viewer.base.progress import LOOK, Progress, Work
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, MOST_FRAMES, Cut, Framing, Measurement, cut, prefix
from viewer.variant.columns import SMALL, Columns, Pool
from viewer.variant.dialect import Dialect
from viewer.variant.evidence import cut_off, has_words, promised_size
from viewer.variant.hops import hop_resources, resource_plan
from viewer.variant.recovery.recover import is_whole, recover
from viewer.variant.scan import Stopped, scan
from viewer.variant.table import NodeTable

if TYPE_CHECKING:  # most files have none
    from viewer.variant.string_table import StringTable

SHORT = 4 * (SMALL - 4)
"""Bytes whose nodes always fit into columns of ordinary memory."""
SPARSE = 4
"""Columns with room for so many times the rows of a table are better used for another."""
STRETCHES = (SHORT, 16 * SHORT, 256 * SHORT)
MOST_RECOVERIES = 1 << 8
"""In so many frames what follows an error is made sense of."""
PROGRESS_EVERY = 1 << 8
"""Looks at a place between two calls of *progress*."""
VERY_MANY = 1 << 14
"""So many new objects are more than the collector of cycles should visit three times."""
ROWS, WINDOW = 1 << 18, 1 << 18
"""Rows that many resources share, and bytes that are looked at together where they do not lie in one run."""
NEXT, BASE = 5, 6
"""Where in the state of a hop over resources the next one and the used rows are told."""
RECENT = 1 << 10
"""Frames of very many that stay made."""
HEAD = 64
"""What a head costs that the scanner reads by itself, in bytes that could be measured meanwhile."""
FINAL = (Code.UNKNOWN_TYPE, Code.FLAGS_REFUSED)
"""What is wrong however many bytes follow."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One value of the buffer.

    Args:
        cut: prefix and payload, as offsets in the layer.
        table: the payload's nodes; their offsets count from the payload's start.
    """

    cut: Cut
    table: NodeTable

    @property
    def start(self) -> int:
        """Where the payload starts in the layer."""
        return self.cut.payload.start

    @property
    def span(self) -> Span:
        """Prefix and payload."""
        return self.cut.span

    @property
    def gap(self) -> Span | None:
        """The bytes of the payload that no value claims, None where there are none."""
        end = self.start + self.table.end_of_data
        return Span(end, self.cut.payload.end) if end < self.cut.payload.end else None

    @property
    def gaps(self) -> list[Span]:
        """All bytes of the payload that no value claims, in order, as offsets in the layer."""
        inside = [gap.span.shifted(self.start) for gap in self.table.gaps]
        return inside if self.gap is None else [*inside, self.gap]

    @property
    def guessed(self) -> list[Span]:
        """The bytes of values that are guessed, in order, as offsets in the layer."""
        found, at = [], self.table.guess
        if at is None:
            return []
        for gap in self.table.gaps:
            if gap.span.start > at:
                found.append(Span(at, gap.span.start))
            at = max(at, gap.span.end)
        found.append(Span(at, max(at, self.table.end_of_data)))
        return [span.shifted(self.start) for span in found if len(span)]

    @property
    def sound(self) -> bool:
        """Whether the scanner found no error in it."""
        return is_sound(self.table)

    def prefix_is_true(self, buffer: Buffer, framing: Framing) -> bool:
        """Whether the length prefix tells the payload's length; true where there is none."""
        return not self.cut.prefix or prefix(buffer, self.cut.prefix.start, framing.big_endian) == len(self.cut.payload)


class LateFrames(Sequence[Frame]):
    """The resources of a file, which may be very many: each frame is made when somebody asks for it.

    Of those in which nothing is unusual only the rows of their tables are kept; all others are made from the start.

    Args:
        buffer: the layer's bytes.
        dialect, names: how they are read.
        begins, ends: where each resource lies.
        rows, counts: where its rows begin, and how many they are.
        parts: the columns, each with the number of the first resource that has its rows there.
        made: the frames that are made, by their numbers, in order.
    """

    def __init__(
        self,
        buffer: Buffer,
        dialect: Dialect,
        names: StringTable,
        begins: array[int],
        ends: array[int],
        rows: array[int],
        counts: array[int],
        parts: list[tuple[int, Columns]],
        made: dict[int, Frame],
    ) -> None:
        self._buffer = buffer
        self.dialect = dialect
        self.names = names
        self._begins = begins
        self._ends = ends
        self._rows = rows
        self.counts = counts
        self._parts = parts
        self._made = made
        self._root = {0: dialect.type_number("Resource")}
        self._recent: dict[int, Frame] = {}
        self._tables: WeakValueDictionary[int, NodeTable] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._begins)

    @overload
    def __getitem__(self, place: int) -> Frame: ...
    @overload
    def __getitem__(self, place: slice) -> list[Frame]: ...
    def __getitem__(self, place: int | slice) -> Frame | list[Frame]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        number = place + len(self) if place < 0 else place
        return self._made.get(number) or self._recent.get(number) or self._make(number)

    @property
    def unusual(self) -> Sequence[int]:
        """The numbers of those that may be other than sound and whole, in order."""
        return tuple(self._made)

    def has_values(self, number: int) -> bool:
        """Whether a resource holds values and nothing in it is unusual; it is not made for that."""
        return self.counts[number] > 1 and number not in self._made

    def _make(self, number: int) -> Frame:
        """The frame of a resource in which nothing is unusual.

        Raises:
            IndexError: there is no such frame.
        """
        if not 0 <= number < len(self):
            raise IndexError(f"There is no frame {number}.")
        payload = Span(self._begins[number], self._ends[number])
        table = self._tables.get(number)
        if table is None:
            table = self._tables[number] = self._table(number, payload)
        if len(self._recent) >= RECENT:
            self._recent.clear()
        found = self._recent[number] = Frame(Cut(None, payload), table)
        return found

    def _table(self, number: int, payload: Span) -> NodeTable:
        columns = self._parts[bisect_right(self._parts, number, key=_first_number) - 1][1]
        begin = self._rows[number]
        end = begin + self.counts[number]
        table = NodeTable(window(self._buffer, payload.start, payload.end), self.dialect)
        table.names, table.assumed = self.names, self._root
        table.start, table.parent, table.first = (
            columns.start[begin:end],
            columns.parent[begin:end],
            columns.first[begin:end],
        )
        table.end_of_data, table.promised, table.checked = len(payload), end - begin, 1
        return table

    def stayed(
        self,
        begins: array[int],
        ends: array[int],
        runs: Sequence[tuple[Span, int]],
        rows: array[int],
        counts: array[int],
    ) -> Iterator[tuple[int, int, list[tuple[int, Columns]]]]:
        """Where resources lie now of which no byte has changed: the first, the one behind the last, and their columns.

        Args:
            begins, ends: where all resources lie now.
            runs: the bytes that stayed, where they are now, and how far from where they were.
            rows, counts: where the rows of each that stayed are written down, of those in which nothing is unusual.
        """
        done = 0
        for kept, by in runs:
            low, high = max(done, bisect_left(begins, kept.start)), bisect_right(ends, kept.end)
            old = bisect_left(self._begins, begins[low] - by) if low < high else 0
            count = high - low
            if count <= 0 or not self._lay(old, begins[low:high], ends[low:high], by):
                continue
            rows[low:high], counts[low:high] = self._rows[old : old + count], self.counts[old : old + count]
            for number in self._made:
                if old <= number < old + count:
                    counts[number - old + low] = 0
            first = bisect_right(self._parts, old, key=_first_number) - 1
            last = bisect_left(self._parts, old + count, key=_first_number)
            parts = self._parts[max(first, 0) : last]
            yield low, high, [(max(number, old) - old + low, columns) for number, columns in parts]
            done = high

    def _lay(self, old: int, begins: array[int], ends: array[int], by: int) -> bool:
        """Whether resources lay from number *old* on, each *by* bytes before; mostly one begins where the last ends."""
        was, were = self._begins[old : old + len(begins)], self._ends[old : old + len(begins)]
        if ends[:-1] == begins[1:] and were[:-1] == was[1:]:
            ends, were = ends[-1:], were[-1:]
        return _are(was, begins, by) and _are(were, ends, by)

    def rebind(self, buffer: Buffer) -> None:
        """Let all tables read from other bytes of which they say the same."""
        self._buffer = buffer
        for number, table in list(self._tables.items()):
            table.buffer = window(buffer, self._begins[number], self._ends[number])
        for frame in self._made.values():
            frame.table.buffer = window(buffer, frame.cut.payload.start, frame.cut.payload.end)


def _first_number(part: tuple[int, Columns]) -> int:
    return part[0]


def _are(was: array[int], now: array[int], by: int) -> bool:
    """Whether numbers are those that there were, each *by* more."""
    return len(was) == len(now) and (was == now if not by else all(map(eq, now, map(by.__add__, was))))


def node_counts(frames: Sequence[Frame]) -> Sequence[int]:
    """How many nodes each frame has; there may be very many frames, so none of their tables is asked."""
    return frames.counts if isinstance(frames, LateFrames) else [len(frame.table.start) for frame in frames]


def unusual(frames: Sequence[Frame]) -> Sequence[int]:
    """The numbers of the frames that may be other than sound and whole, in order."""
    return frames.unusual if isinstance(frames, LateFrames) else range(len(frames))


def is_sound(table: NodeTable) -> bool:
    """Whether the scanner found no error."""
    return len(table) > 0 and all(found.severity is not Severity.ERROR for found in table.diagnostics)


class FrameReader:
    """Measures values for the cutter and makes the tables of the frames.

    Most of what is measured is short: it is scanned into columns that the next measuring uses again, and what becomes
    a frame is copied out of them. Where a value may reach far, a short stretch is tried first, so that a look at a
    place where none lies costs little however much its prefix promises.

    Args:
        buffer: the layer's bytes.
        dialect: how to read them.
        progress: asked now and then with an offset; False stops a scan where it is.
        pool: memory for large new tables; those that come from a :class:`ScratchColumns` are copied out of it.
        recovers: whether what follows an error in a frame is made sense of.
        sample: whether *progress* ends each scan the first time that it is asked.
        work: told what is done; what it raises ends the reading.
        names: the strings of a binary resource, of whose resources the values are; else None.
    """

    def __init__(
        self,
        buffer: Buffer,
        dialect: Dialect,
        progress: Progress | None = None,
        pool: Pool | None = None,
        recovers: bool = False,
        work: Work | None = None,
        sample: bool = False,
        names: StringTable | None = None,
    ) -> None:
        self._work = work
        self._sample = sample
        self._names = names
        self._recoveries = MOST_RECOVERIES if recovers else 0
        self.buffer = buffer
        self.dialect = dialect
        self.progress = progress
        self.pool = pool
        self.stopped = False
        shared = pool if isinstance(pool, ScratchColumns) else ScratchColumns()
        self._scratch, self._room = shared.short, shared.room
        self._last: tuple[Span, NodeTable] | None = None
        self._looks = 0

    def measure(self, span: Span) -> Measurement:
        """What stands at the start of *span*."""
        self._looks += 1
        if self._work is not None:
            self._work(LOOK)
        if self.stopped or (self._looks % PROGRESS_EVERY == 0 and not self.goes_on(span.start)):
            return Measurement(len(span), True)
        header = u32(self.buffer, span.start)
        if self.dialect.row(header) is None:
            return Measurement(MIN_VALUE, False)
        size = self.dialect.fixed_size(header) if self._names is None else None
        if size is not None and size <= len(span):
            return Measurement(size, True, beside=1, promised=size.__int__)
        self._last = None  # its columns serve this one
        read, table = self._look(span)
        self._last = read, table
        words = partial(has_words, table)
        beside = table.promised + HEAD * table.checked
        promised = partial(promised_size, table)
        found = Measurement(table.end_of_data, is_sound(table), cut_off(table), words, beside, promised)
        return Measurement(len(span), True) if self.stopped else found

    def goes_on(self, offset: int) -> bool:
        """Whether nobody has stopped the reading, which has come to *offset*."""
        if not self.stopped and self.progress is not None:
            self.stopped = not self.progress(offset)
        return not self.stopped

    def table(self, span: Span) -> NodeTable:
        """The table of the value at the start of *span*."""
        last, self._last = self._last, None
        pool = self._scratch if len(span) <= SHORT else self.pool
        table = last[1] if last is not None and _serves(last, span) else self._scan(span, pool)
        if self._scratch.holds(table) or (isinstance(self.pool, ScratchColumns) and self.pool.holds(table)):
            self._room.move(table)
        table.buffer = window(self.buffer, span.start, span.end)
        if is_whole(table):
            return table
        table = self._room.copied(table)
        return self._recovered(table, span)

    def resources(
        self,
        begins: array[int],
        ends: array[int],
        kept: Callable[[list[Cut]], Iterator[NodeTable | None]],
        old: LateFrames | None = None,
        runs: Sequence[tuple[Span, int]] = (),
    ) -> LateFrames:
        """The frames of the resources of a binary one.

        Args:
            begins, ends: where each lies, in order.
            kept: gives for some of them the table where that is known already.
            old: the frames as they were before, of which those that lie in some *runs* of bytes stayed the same.
            runs: the bytes that stayed, where they are now, and how far from where they were.
        """
        assert self._names is not None
        count = len(begins)
        rows, counts = array("I", bytes(4 * count)), array("I", bytes(4 * count))
        parts: list[tuple[int, Columns]] = []
        at = 0
        for first, behind, columns in old.stayed(begins, ends, runs, rows, counts) if old is not None else ():
            parts += [*self._hopped(begins, ends, rows, counts, at, first), *columns]
            at = behind
        parts += self._hopped(begins, ends, rows, counts, at, count)
        odd = [number for number, nodes in enumerate(counts) if not nodes]
        cuts = [Cut(None, Span(begins[number], ends[number])) for number in odd]
        made: dict[int, Frame] = {}
        for number, each, known in zip(odd, cuts, kept(cuts), strict=True):
            table = self.table(each.payload) if known is None else known
            made[number], counts[number] = Frame(each, table), len(table)
        return LateFrames(self.buffer, self.dialect, self._names, begins, ends, rows, counts, parts, made)

    def _hopped(
        self, begins: array[int], ends: array[int], rows: array[int], counts: array[int], number: int, behind: int
    ) -> Iterator[tuple[int, Columns]]:
        """Read some resources, if nothing in them is unusual; the columns, each with the first one that has rows there.

        Args:
            begins, ends: where all of them lie.
            rows, counts: where the rows of each are written down.
            number, behind: the first one, and the one behind the last.
        """
        assert self._names is not None
        state, (steps, sizes), names = array("q", bytes(8 * (BASE + 1))), resource_plan(self.dialect), len(self._names)
        state[NEXT], columns = number, None
        while number < behind and self.goes_on(begins[number]):
            begin, end = begins[number], ends[number]
            room = (min(end, begin + SHORT) - begin) // 4 + 3
            if columns is None or state[BASE] + room > columns.capacity:
                columns = Columns(min(ROWS, max((ends[behind - 1] - begin) // 4 + 3 * (behind - number), room)))
                state[BASE] = 0
                yield number, columns
            raw, low = self._run(begin, end)
            hop_resources(
                state,
                raw,
                low,
                begins,
                ends,
                rows,
                counts,
                columns.start,
                columns.parent,
                columns.first,
                steps,
                sizes,
                names,
                behind,
                SHORT,
            )
            state[NEXT] = max(state[NEXT], number + 1)
            number = state[NEXT]

    def _run(self, begin: int, end: int) -> tuple[Bytes, int]:
        """Bytes in one run of memory that hold a resource, if it is short, and where they begin."""
        buffer = self.buffer
        if in_memory(buffer):
            return buffer, 0
        seen = view(buffer, begin, begin + (1 << 26))
        size = min(end - begin, SHORT)
        return (buffer[begin : begin + WINDOW] if seen is None or len(seen) < size else seen), begin

    def _recovered(self, table: NodeTable, span: Span) -> NodeTable:
        if self._recoveries <= 0 or self.stopped:
            return table
        self._recoveries -= 1
        return recover(table, self._progress(span.start), self.pool, self._work)

    def _look(self, span: Span) -> tuple[Span, NodeTable]:
        """What was read of a span, and its table: a short stretch where the value ends or breaks for good in it."""
        for stretch in STRETCHES:
            if 2 * stretch >= len(span) > stretch:
                break
            part = Span(span.start, min(span.end, span.start + stretch))
            table = self._scan(part, self._scratch if stretch == SHORT else self.pool)
            is_whole_there = is_sound(table) and table.end_of_data < len(part)  # its fill may go on behind the part
            if part == span or is_whole_there or _is_final(table):
                return part, table
            del table  # its columns serve the next one
        return span, self._scan(span, self.pool)

    def _scan(self, span: Span, pool: Pool | None) -> NodeTable:
        try:
            read = window(self.buffer, span.start, span.end)
            return scan(read, self.dialect, self._progress(span.start), pool, self._sample, self._names)
        except Stopped as stopped:
            self.stopped = True
            return stopped.table

    def _progress(self, start: int) -> Progress | None:
        progress = self.progress
        return None if progress is None else lambda pos: progress(start + pos)


class ScratchColumns(Pool):
    """Columns that every scan fills anew, so that their pages come into being once.

    Many readers may share it, one after another: they share what they need beside it, too.
    """

    def __init__(self) -> None:
        super().__init__()
        self._columns = Columns(SMALL)

    @cached_property
    def short(self) -> ScratchColumns:
        """Columns of the same kind for short stretches, which stay small."""
        return ScratchColumns()

    @cached_property
    def room(self) -> SharedColumns:
        """Where the rows of tables go that are kept."""
        return SharedColumns()

    def take(self, rows: int) -> Columns:
        """The columns, whatever they hold."""
        return self._columns

    def holds(self, table: NodeTable) -> bool:
        """Whether the table's columns are these."""
        return table.start.obj is self._columns.start.obj


def _serves(last: tuple[Span, NodeTable], span: Span) -> bool:
    """Whether a table that was made of another stretch is also that of *span*."""
    read, table = last
    return read == span or (read.start == span.start and is_sound(table) and table.end_of_data <= len(span))


def _is_final(table: NodeTable) -> bool:
    """Whether the table would break at the same place if more bytes followed."""
    return any(found.code in FINAL and found.span.end == table.end_of_data for found in table.diagnostics)


class SharedColumns:
    """Columns that many short tables share, each with rows of its own."""

    def __init__(self) -> None:
        self._columns = Columns(SMALL)
        self._used = 0

    def copied(self, table: NodeTable) -> NodeTable:
        """The same table with rows of its own, where its columns have room for many more."""
        if table.room < max(SPARSE * len(table), SMALL):
            return table
        copy = NodeTable(table.buffer, table.dialect)
        copy.names, copy.assumed = table.names, table.assumed
        copy.start, copy.parent, copy.first = table.start, table.parent, table.first
        copy.end_of_data, copy.diagnostics = table.end_of_data, table.diagnostics
        self.move(copy)
        return copy

    def move(self, table: NodeTable) -> None:
        """Give a table rows of its own."""
        begin, end = self._used, self._used + len(table)
        if end > self._columns.capacity:
            self._columns = Columns(max(SMALL, len(table)))
            begin, end = 0, len(table)
        self._used = end
        columns = self._columns
        columns.start[begin:end], columns.parent[begin:end] = table.start, table.parent
        columns.first[begin:end] = table.first
        table.start, table.parent = columns.start[begin:end], columns.parent[begin:end]
        table.first = columns.first[begin:end]


def frames(
    buffer: Buffer, framing: Framing, reader: FrameReader, budget: int | None = None, most: int = MOST_FRAMES
) -> list[Frame]:
    """Cut a buffer into frames with their tables; *budget* and *most* as in :func:`viewer.container.frames.cut`."""
    with uncollected():
        cuts = cut(buffer, framing, reader.measure, budget, most, progress=reader.goes_on)
        return [Frame(found, reader.table(found.payload)) for found in cuts]


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector of cycles still: hundreds of thousands of frames have none, and it would visit them often.

    Where very many were made, they are old ones to it from then on: it visits these only when there are as many again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > VERY_MANY:
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()


def gaps(frames: Sequence[Frame], size: int) -> list[Span]:
    """The bytes between, before and after the frames."""
    out, at = [], 0
    for frame in frames:
        if frame.span.start > at:
            out.append(Span(at, frame.span.start))
        at = frame.span.end
    return [*out, Span(at, size)] if at < size else out
