"""Frames of a buffer with their tables: the container's cuts, measured by the format's scanner."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from struct import Struct

from viewer.base.buffer import Buffer, in_memory, u32, window
from viewer.base.diagnostic import Code, Severity
from viewer.base.progress import LOOK, Progress, Work
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, MOST_FRAMES, Cut, Framing, Measurement, cut, prefix
from viewer.variant.columns import SMALL, Columns, Pool
from viewer.variant.dialect import Dialect
from viewer.variant.evidence import cut_off, has_words, promised_size
from viewer.variant.hops import hop_resource, resource_plan
from viewer.variant.recovery.recover import is_whole, recover
from viewer.variant.scan import Stopped, scan
from viewer.variant.string_table import StringTable
from viewer.variant.table import NONE, NodeTable

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
NOWHERE = 0xFFFFFFFE
"""A row that there is never, and a number that none reaches."""
WORD, RESOURCE_HEAD = Struct("<I").unpack_from, 9
"""Reads a word; the least bytes of class and count of a resource."""
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


def node_counts(frames: Iterable[Frame]) -> list[int]:
    """How many nodes each frame has; there may be very many frames, so none of their tables is asked."""
    return [len(frame.table.start) for frame in frames]


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
        pool: memory for large new tables; those that come from a :class:`Scratch` are copied out of it.
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
        self._scratch = Scratch()
        self._room = _Room()
        self._whole: memoryview | None = None
        self._classes: set[bytes] = set()
        self._root = {0: dialect.type_number("Resource")} if names is not None else {}
        self._zeros = memoryview(b"").cast("I")
        self._last: tuple[Span, NodeTable] | None = None
        self._looks = 0

    def measure(self, span: Span) -> Measurement:
        """What stands at the start of *span*."""
        self._looks += 1
        if self._work is not None:
            self._work(LOOK)
        if self.stopped or (self._looks % PROGRESS_EVERY == 0 and not self.goes_on(span.start)):
            return Measurement(len(span), True)
        if self.dialect.row(u32(self.buffer, span.start)) is None:
            return Measurement(MIN_VALUE, False)
        self._last = None  # its columns serve this one
        read, table = self._look(span)
        self._last = read, table
        words = partial(has_words, table)
        beside = table.promised + HEAD * table.checked
        promised = promised_size(table)
        found = Measurement(table.end_of_data, is_sound(table), cut_off(table), words, beside, promised)
        return Measurement(len(span), True) if self.stopped else found

    def goes_on(self, offset: int) -> bool:
        """Whether nobody has stopped the reading, which has come to *offset*."""
        if not self.stopped and self.progress is not None:
            self.stopped = not self.progress(offset)
        return not self.stopped

    def table(self, span: Span) -> NodeTable:
        """The table of the value at the start of *span*."""
        plain = self._plain_resource(span) if self._names is not None and len(span) <= SHORT else None
        if plain is not None:
            return plain
        last, self._last = self._last, None
        pool = self._scratch if len(span) <= SHORT else self.pool
        table = last[1] if last is not None and _serves(last, span) else self._scan(span, pool)
        if self._scratch.holds(table) or (isinstance(self.pool, Scratch) and self.pool.holds(table)):
            self._room.move(table)
        table.buffer = window(self.buffer, span.start, span.end)
        if is_whole(table):
            return table
        table = self._room.copied(table)
        return self._recovered(table, span)

    def _plain_resource(self, span: Span) -> NodeTable | None:
        """The table of a short resource of a binary one's, where nothing in it is unusual: there may be very many."""
        buffer, size = self.buffer, len(span)
        if self._whole is None and in_memory(buffer):
            self._whole = memoryview(buffer)
        whole = self._whole
        raw = bytes(buffer[span.start : span.end]) if whole is None else whole[span.start : span.end]
        if size < RESOURCE_HEAD:
            return None
        at = 4 + WORD(raw, 0)[0]
        if at + 4 > size or not self._is_plain_class(bytes(raw[4:at])):
            return None
        children = 2 * WORD(raw, at)[0]
        rows = size // 4 + 3
        if not 0 < children < rows - 2:
            return None
        start, parent, first = self._room.lent(rows)
        start[0], parent[0], first[0] = 0, NONE, 1
        parent[1 : children + 1] = self._roots(children)
        parent[children + 1] = NOWHERE
        state = array("q", (at + 4, 1, 0, children + 1, 1))
        assert self._names is not None
        steps, sizes = resource_plan(self.dialect)
        limits = len(self._names), size + 1, NOWHERE, size // 4 + 1, NOWHERE
        hop_resource(state, raw, 0, start, parent, first, steps, sizes, *limits)
        reached, node, owner, used, _ = state
        if reached != size or owner or node != children + 1:
            return None
        table = NodeTable(buffer if whole is None else raw, self.dialect)
        if whole is None:
            table.buffer = window(buffer, span.start, span.end)
        table.names, table.assumed = self._names, self._root
        table.start, table.parent, table.first = start[:used], parent[:used], first[:used]
        table.end_of_data, table.promised, table.checked = size, used, 1
        self._room.keep(used)
        return table

    def _is_plain_class(self, name: bytes) -> bool:
        """Whether a class is named in ASCII with the NUL that ends it; files have few classes, but many resources."""
        if name not in self._classes and name.isascii() and name.find(b"\0") == len(name) - 1:
            self._classes.add(name)
        return name in self._classes

    def _roots(self, count: int) -> memoryview:
        """So many rows whose parent is the root."""
        if count > len(self._zeros):
            self._zeros = memoryview(bytes(8 * count)).cast("I")
        return self._zeros[:count]

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


class Scratch(Pool):
    """Columns that every scan fills anew, so that their pages come into being once."""

    def __init__(self) -> None:
        super().__init__()
        self._columns = Columns(SMALL)

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


class _Room:
    """Columns that many short tables share, each with rows of its own."""

    def __init__(self) -> None:
        self._columns = Columns(SMALL)
        self._used = 0

    def lent(self, rows: int) -> tuple[memoryview, memoryview, memoryview]:
        """Room for so many rows, which :meth:`keep` keeps."""
        if self._used + rows > self._columns.capacity:
            self._columns, self._used = Columns(max(SMALL, rows)), 0
        begin, end, columns = self._used, self._used + rows, self._columns
        return columns.start[begin:end], columns.parent[begin:end], columns.first[begin:end]

    def keep(self, rows: int) -> None:
        """So many of the rows that were lent last stay as they are."""
        self._used += rows

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
        if was_on and gc.get_count()[0] > VERY_MANY:
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()


def gaps(frames: list[Frame], size: int) -> list[Span]:
    """The bytes between, before and after the frames."""
    out, at = [], 0
    for frame in frames:
        if frame.span.start > at:
            out.append(Span(at, frame.span.start))
        at = frame.span.end
    return [*out, Span(at, size)] if at < size else out
