"""Repair context: bytes read in one way up to the first frame that is not right, where the damage is looked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias, assert_never, overload

from viewer.base.buffer import Buffer, bounds, place, u32, window
from viewer.base.diagnostic import Code, Severity
from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, Framing, FramingKind, prefix
from viewer.document.pieces.framing import ScratchColumns
from viewer.variant.columns import SMALL, Columns, Pool
from viewer.variant.dialect import FLAG_64, HEADER, SHARED, Dialect, Kind, TypeRow
from viewer.variant.header import INT_MAX
from viewer.variant.scan import COMPILED, scan
from viewer.variant.table import NONE, NodeTable

# Buffer parts: some of many bytes, read as if they were bytes of their own, without a copy of them.

COPIED = 1 << 17
"""Fewer bytes are rather copied: what copies so few is quicker to read from."""


class BufferPart:
    """The bytes ``start <= offset < end`` of others; a slice of them is ``bytes``.

    Args:
        data: the others.
        start, end: which.
    """

    __slots__ = ("_data", "_size", "_start")

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._start = start
        self._size = end - start

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> bytes: ...
    def __getitem__(self, at: int | slice, /) -> int | bytes:
        if isinstance(at, slice):
            start, stop = bounds(at, self._size)
            return self._data[self._start + start : self._start + stop]
        return self._data[self._start + place(at, self._size)]


Raw: TypeAlias = bytes | BufferPart


def part(data: bytes, start: int, end: int) -> Raw:
    """The bytes ``start <= offset < end``, with a copy of few of them and without one of many."""
    if end - start == len(data) or end - start <= COPIED:
        return data[start:end]
    return BufferPart(data, start, end)


# Scratch arena: the memory of all scans of which only the last one is looked at.

ROOM_MANY = 1 << 17
"""Rows, each of 12 bytes: a table of more is not kept while as many are needed for another."""

STEP = 1 << 12
"""So many rows more than a scan needs: one that begins a little earlier must not need other columns."""


class ScratchArena(ScratchColumns):
    """Columns that every scan fills anew, as long as the longest one needs; and one table that stays meanwhile.

    Of many bytes only one of both is there at a time: either the table that stays, which is read again when it is asked
    for, or that of another scan. Columns are made for all rows that may come, since what is not written to takes no
    memory: those that double while they are filled are there twice for a while.

    Args:
        lender: where columns may be that nobody needs meanwhile; :meth:`leave` gives them back.
    """

    def __init__(self, lender: Pool | None = None) -> None:
        super().__init__()
        self._lender = lender or Pool()
        self._long: Columns | None = None
        self._kept: NodeTable | None = None

    def kept(self, payload: Buffer, dialect: Dialect) -> NodeTable:
        """The table of the very *payload*; who holds on to it holds its memory."""
        table = self._kept
        if table is None or table.buffer is not payload or table.dialect is not dialect:
            self._long = self._kept = None
            table = self._kept = scan(payload, dialect)
        return table

    def take(self, rows: int) -> Columns:
        """The columns for the next scan, whatever they hold."""
        if rows <= SMALL:
            return super().take(rows)
        if rows > ROOM_MANY:
            self._kept = None
        if self._long is None or rows > self._long.capacity:
            self._long = None
            self._long = self._lender.take(rows + STEP)
            if rows > self._long.capacity:
                self._lender.give(self._long)
                self._long = Columns(rows + STEP)
        return self._long

    def leave(self) -> None:
        """Give back the columns: nothing that was read in them is looked at any more."""
        if self._long is not None:
            self._lender.give(self._long)
        self._long = self._kept = None

    def give(self, columns: Columns) -> None:
        """Nothing to do: the columns are here."""


# Parsed values: a value that was read, whose table is there when it is asked for.

LONG = 1 << 17
"""The tables of fewer bytes stay as long as their sights."""


class ParsedValue:
    """A value, read.

    Args:
        payload: its bytes.
        dialect: how to read them.
        room: where the table is for as long as no other scan needs the memory, if they are many.
    """

    __slots__ = ("_dialect", "_payload", "_room", "_table")

    def __init__(self, payload: Buffer, dialect: Dialect, room: ScratchArena) -> None:
        self._payload = payload
        self._dialect = dialect
        self._room = room
        self._table = scan(payload, dialect) if len(payload) <= LONG else None

    @property
    def table(self) -> NodeTable:
        """The table."""
        return self._room.kept(self._payload, self._dialect) if self._table is None else self._table


MOST_FRAMES = 512
"""So many frames are followed."""
PACE = 1 if COMPILED else 24
"""What a byte costs to scan, in the work that a compiled scanner has with it."""
SCAN = 1 << 12
"""What a scan costs beside its bytes."""
NODE, HEAD = 4, 1 << 11
"""What a node costs beside its bytes, and a head that a scan reads by itself."""
BROKEN = SCAN + 2 * HEAD
"""What a scan costs that breaks at once."""
LEAST_HEAD = 8
"""The bytes of a header and a count."""
EVERY, MANY = 1 << 23, 64
"""So much work, or so many candidates, lie between two questions whether to go on."""


class GivenUp(Exception):
    """Whoever asked does not want to wait for more."""


@dataclass(frozen=True, slots=True)
class ReadGuess:
    """How to read: engine line, framing, and how likely that is beside other ways, 0 to 1."""

    dialect: Dialect
    framing: Framing
    weight: float = 1.0


class WorkBudget:
    """Counts work, so that no input takes long, and the same input always comes as far.

    Args:
        most: how much may be done, in bytes that a compiled scanner reads.
        progress: told now and then how many candidates were tried; returning False ends all work.
        room: the memory of its scans.

    Attributes:
        left: how much is left.
        tried: candidates that were tried.
    """

    def __init__(self, most: int, progress: Progress | None = None, room: ScratchArena | None = None) -> None:
        self.left = most
        self.tried = 0
        self._room = room or ScratchArena()
        self._progress = progress
        self._unasked = 0

    @property
    def spent(self) -> bool:
        """Whether no more should be scanned."""
        return self.left <= 0

    def anew(self, most: int) -> WorkBudget:
        """One that counts for itself, without a question to anybody, and whose scans take the memory of these."""
        return WorkBudget(most, room=self._room)

    @contextmanager
    def at_most(self, work: int) -> Iterator[None]:
        """Keep all work back but for so much."""
        spare = max(0, self.left - work)
        self.left -= spare
        try:
            yield
        finally:
            self.left += spare

    def charge(self, work: int) -> None:
        """Count work.

        Raises:
            GivenUp: nobody wants more.
        """
        self.left -= work
        self._unasked += work
        if self._unasked >= EVERY:
            self.ask()

    def count(self, work: int) -> None:
        """Count a candidate, and the work of thinking of it.

        Raises:
            GivenUp: nobody wants more.
        """
        self.tried += 1
        self.charge(work)
        if self.tried % MANY == 0:
            self.ask()

    def ask(self) -> None:
        """See whether to go on.

        Raises:
            GivenUp: nobody wants more.
        """
        self._unasked = 0
        if self._progress is not None and not self._progress(self.tried):
            raise GivenUp

    def scan(self, data: Buffer, start: int, end: int, dialect: Dialect) -> NodeTable:
        """The table of the value in ``data[start:end]``; it holds only until the next scan."""
        view = data if start == 0 and end == len(data) else window(data, start, end)
        table = scan(view, dialect, None, self._room)
        self.charge(
            PACE * (table.end_of_data + NODE * table.promised) + HEAD * table.checked + (end - start >> 6) + SCAN
        )
        return table

    def size(self, data: Buffer, start: int, end: int, dialect: Dialect) -> int:
        """How many bytes of ``data[start:end]`` the value takes that begins there, -1 where it does not read.

        Most of what is tried is one small value, or breaks in the first two headers: that is seen without a scan.
        """
        size = size_at_once(data, start, end, dialect)
        if size is not None:
            self.charge(BROKEN if size < 0 else SCAN)  # as much as the scan that tells the same
            return size
        table = self.scan(data, start, end, dialect)
        return table.end_of_data if is_readable(table) else -1

    def sight(self, payload: Buffer, dialect: Dialect) -> ParsedValue:
        """A value, with a table that holds."""
        self.charge(PACE * len(payload))
        return ParsedValue(payload, dialect, self._room)


def size_at_once(data: Buffer, start: int, end: int, dialect: Dialect) -> int | None:
    """The same where the first header, and a count or length behind it, tells it; None where only a scan does."""
    left = end - start
    if left < HEADER:
        return None
    header = u32(data, start)
    row = dialect.row(header)
    if row is None:
        return -1
    fixed = dialect.fixed_size(header)
    if fixed is not None:
        return fixed if fixed <= left else -1
    rest = left - LEAST_HEAD
    if header > 0xFF or rest < 0:
        return None
    word = u32(data, start + HEADER)
    breaks = row.kind is Kind.STRING and word > rest
    if row.kind in (Kind.ARRAY, Kind.DICTIONARY):
        count = (word & INT_MAX) * (2 if row.kind is Kind.DICTIONARY else 1)
        breaks = count > rest >> 2 or (count > 0 and dialect.row(u32(data, start + LEAST_HEAD)) is None)
    return -1 if breaks else None


def is_readable(table: NodeTable) -> bool:
    """Whether the bytes say all that they mean; an engine may refuse it for other reasons, such as its depth."""
    found = (d.code for d in table.diagnostics if d.severity is Severity.ERROR)
    return len(table) > 0 and all(code is Code.TOO_DEEP for code in found)


@dataclass(frozen=True, slots=True)
class FrameStep:
    """One frame of a walk: where it starts, the payload, and the size of the value if it is sound, else -1."""

    at: int
    payload: Span
    size: int

    @property
    def fills(self) -> bool:
        """Whether a sound value fills the payload."""
        return self.size == len(self.payload)


def walk(data: Buffer, way: ReadGuess, meter: WorkBudget, at: int = 0) -> Iterator[FrameStep]:
    """Frame after frame as the framing says, up to the end or the first that is not right."""
    while at < len(data) and not meter.spent:
        step = frame(data, at, way, meter)
        yield step
        if not step.fills:
            return
        at = step.payload.end


def frame(data: Buffer, at: int, way: ReadGuess, meter: WorkBudget) -> FrameStep:
    """The frame at *at*, whatever it is."""
    end, start = len(data), at
    if way.framing.kind is FramingKind.STORED:
        length = prefix(data, at, way.framing.big_endian)
        start = min(at + 4, end)
        if length < MIN_VALUE or length > end - start:
            return FrameStep(at, Span(start, end), -1)
        end = start + length
    size = meter.size(data, start, end, way.dialect)
    if way.framing.kind is FramingKind.CONCATENATED and size >= 0:
        end = start + size
    return FrameStep(at, Span(start, end), size)


@dataclass(frozen=True, slots=True)
class RepairContext:
    """The first frame that is not right.

    Args:
        data: all bytes.
        way: how they are read.
        at: where the frame starts, with its prefix.
        start, end: its payload: as long as the prefix says, where what follows agrees; else up to the end.
        stored: what the prefix says, -1 where there is none.
        prefix_agrees: whether the prefix and what follows the payload agree.
        sight: the payload read.
        trouble: where the value cannot be read any further, from the start of the payload; where it can, but a text
            in it is not UTF-8, the end of the last such text.
        sound: whether the value has no error; then bytes follow it.
        payload: the bytes of the value.
    """

    data: bytes
    way: ReadGuess
    at: int
    start: int
    end: int
    stored: int
    prefix_agrees: bool
    sight: ParsedValue
    trouble: int
    sound: bool
    payload: Raw

    @property
    def has_prefix(self) -> bool:
        """Whether a length stands before the value."""
        return self.way.framing.kind is FramingKind.STORED

    @property
    def view(self) -> Buffer:
        """The bytes of the value, for scans."""
        return window(self.data, self.start, self.end)

    @property
    def table(self) -> NodeTable:
        """What was read of the payload. Who looks at it while many bytes are scanned pays with its memory."""
        return self.sight.table


def extent(ground: RepairContext) -> int:
    """Up to where in the layer values are judged: what follows reads the same whatever was wrong."""
    return ground.end if ground.prefix_agrees else ground.start + ground.trouble


def survey(data: bytes, way: ReadGuess, meter: WorkBudget) -> RepairContext | None:
    """The first frame that is not right, None where all are."""
    step = wrong_step(data, way, meter)
    return None if step is None else stand(data, way, meter, step)


def wrong_step(data: bytes, way: ReadGuess, meter: WorkBudget) -> FrameStep | None:
    """The first frame that is not right, as a step of the walk; None where all are."""
    last = None
    for count, step in enumerate(walk(data, way, meter)):
        last = step
        if count > MOST_FRAMES:
            return None
    if last is None or (last.fills and last.payload.end == len(data)) or meter.spent:
        return None
    return last


def reach(data: bytes, way: ReadGuess, meter: WorkBudget) -> int:
    """How far bytes read from their begin, one frame after another; a length that promises more is cut off."""
    at = 0
    for step in walk(data, way, meter):
        if not step.fills:
            return step.payload.start + meter.scan(data, step.payload.start, len(data), way.dialect).end_of_data
        at = step.payload.end
    return at


def stand(data: bytes, way: ReadGuess, meter: WorkBudget, step: FrameStep) -> RepairContext:
    """The ground at one frame, right or not."""
    at, start, stored, agrees, end = step.at, step.payload.start, -1, True, step.payload.end
    if way.framing.kind is FramingKind.STORED:
        stored = prefix(data, at, way.framing.big_endian)
        fits = MIN_VALUE <= stored <= len(data) - start
        agrees = fits and follows(data, start + stored, way, meter)
        end = start + stored if fits else len(data)
    elif way.framing.kind is FramingKind.CONCATENATED and step.size < 0:
        end = len(data)
    sight = meter.sight(window(data, start, end), way.dialect)
    sound, trouble = is_readable(sight.table), sight.table.end_of_data
    if not sound and trouble == end - start:
        trouble = _bad_text_end(sight.table) or trouble
    return RepairContext(data, way, at, start, end, stored, agrees, sight, trouble, sound, part(data, start, end))


def _bad_text_end(table: NodeTable) -> int:
    """Where the last text ends that is not UTF-8, behind which reading goes on all the same; 0 where there is none."""
    return max((table.end(d.node) for d in table.diagnostics if d.code is Code.BAD_UTF8), default=0)


def frame_before(ground: RepairContext, meter: WorkBudget) -> RepairContext | None:
    """The frame before the first that is not right: bytes lost or put in there move all that follows it.

    None where there is none, or no length tells where it should end.
    """
    if not ground.has_prefix or not ground.at:
        return None
    for step in walk(ground.data, ground.way, meter):
        if step.payload.end == ground.at:
            return stand(ground.data, ground.way, meter, step)
        if step.payload.end > ground.at or not step.fills:
            break
    return None


def follows(data: Buffer, at: int, way: ReadGuess, meter: WorkBudget) -> bool:
    """Whether the bytes end here, or a frame that is right begins."""
    return at == len(data) or (at < len(data) and frame(data, at, way, meter).fills)


# Nearby places: the nodes and texts of a broken value at which something may have gone wrong, the nearest first.

MOST_NODES = 320
MOST_TEXTS = 320
MOST_NAMES = 64
MOST_HOLDERS, MOST_LEVELS = 8, 1 << 12


@dataclass(frozen=True, slots=True)
class Node:
    """A node that was read.

    Args:
        id: in the table.
        start, end: its own bytes, from the start of the payload, without its children.
        row, header: its type.
    """

    id: int
    start: int
    end: int
    row: TypeRow
    header: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was read, or that broke.

    Args:
        at: where its length stands, from the start of the payload.
        length: what the length says.
        closed: whether the length should count a NUL.
    """

    at: int
    length: int
    closed: bool = False

    @property
    def start(self) -> int:
        """Its first byte."""
        return self.at + 4

    @property
    def end(self) -> int:
        """Behind its last byte."""
        return self.at + 4 + self.length


def nodes(ground: RepairContext) -> list[Node]:
    """The nodes that were read last before the trouble, the last one first, and all that they lie in."""
    table = ground.table
    if len(table) <= MOST_NODES:
        found = sorted((table.start[node], node) for node in table.nodes)
        ids = [node for _, node in reversed(found)]
    else:
        last = table.at(max(0, min(ground.trouble, table.end_of_data) - 1))
        ids = list(dict.fromkeys([*_backwards(table, MOST_NODES, last), *_holders(table, last)]))
    return [node for node in (node_at(table, each) for each in ids) if node is not None]


def _holders(table: NodeTable, node: int) -> list[int]:
    """The nodes that the last one before the trouble lies in: the innermost and the outermost ones."""
    found: list[int] = []
    while node != NONE and len(found) < MOST_LEVELS:
        found.append(node)
        node = table.parent[node]
    return found[:MOST_HOLDERS] + found[MOST_HOLDERS:][-MOST_HOLDERS:]


def _backwards(table: NodeTable, most: int, node: int) -> Iterator[int]:
    """Nodes from one backwards, in the order of their bytes."""
    for _ in range(most):
        if table.parent[node] != NONE or node == 0:
            yield node
        if node == 0:
            return
        parent = table.parent[node]
        if parent == NONE or node == table.first[parent]:
            node = parent if parent != NONE else 0
            continue
        node -= 1
        while table.child_count(node):
            node = table.children(node)[-1]


def node_at(table: NodeTable, node: int) -> Node | None:
    """A node of a table, None where it has no type."""
    if table.is_name(node):
        return Node(node, table.start[node], table.end(node), table.dialect.by_name["String"], -1)
    if table.start[node] + 4 > len(table.buffer):
        return None
    header = table.header(node)
    row = table.dialect.row(header)
    return None if row is None else Node(node, table.start[node], table.head_end(node), row, header)


def texts(ground: RepairContext, found: list[Node], most: int = MOST_TEXTS) -> Iterator[Text]:
    """The texts of the nodes, the last one first, so many at most."""
    data, left = ground.payload, most
    for node in found:
        for text in reversed(list(_texts(data, node))):
            yield text
            left -= 1
            if not left:
                return


def _texts(data: Raw, node: Node) -> Iterator[Text]:
    kind, start = node.row.kind, node.start
    if node.header < 0:
        yield from _run(data, start, 1)
        return
    match kind:
        case Kind.STRING | Kind.SIGNAL:
            yield from _run(data, start + 4, 1)
        case Kind.OBJECT | Kind.RESOURCE:
            yield from _run(data, start + 4, 0 if node.header & FLAG_64 else 1)
        case Kind.PACKED_STRINGS:
            count = u32(data, start + 4) if start + 8 <= len(data) else 0
            yield from _run(data, start + 8, 0 if count > INT_MAX else count, closed=True)
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            names = u32(data, start + 4) if start + 16 <= len(data) else 0
            if names & SHARED:
                yield from _run(data, start + 16, (names & INT_MAX) + u32(data, start + 8))
        case (
            Kind.FIXED
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            pass
        case _:
            assert_never(kind)


def _run(data: Raw, at: int, count: int, closed: bool = False) -> Iterator[Text]:
    for _ in range(min(count, MOST_NAMES)):
        if at + 4 > len(data):
            return
        text = Text(at, u32(data, at), closed)
        yield text
        at = text.end + (-text.length % 4)
        if text.end > len(data):
            return
