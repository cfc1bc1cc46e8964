"""Scan a Variant buffer into a node table.

The scanner is iterative: nesting depth comes from the file, so recursion would let a file crash us. It never raises on
bytes: the first place where the structure cannot be followed becomes a diagnostic, everything before it stays in the
table. It never allocates by a count from the file: children are given ids only while words for them are left.

This file runs as it stands, and Cython compiles the same file (types in ``scan.pxd``). Ordinary heads are hopped over
by :meth:`Scan.hop`, which knows no objects and lets go of the interpreter's lock; whatever is unusual stops it, and
:mod:`viewer.variant.header` reads that head. No stack is kept: the children of a collection have consecutive ids whose
``parent`` is written when it opens, so the end of a block and the way up can be read from the columns.
"""

from __future__ import annotations

import sys
import weakref
from array import array
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeGuard

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython

from viewer.base.buffer import Buffer, Bytes, in_memory, view, window
from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.span import Span
from viewer.variant.columns import SMALL, Columns, Pool
from viewer.variant.dialect import FLAG_64, PAIRED, SHARED, Dialect, Kind, TypeRow
from viewer.variant.header import INT_MAX, Head, HeaderBroken, HeaderParser, ReadingStopped
from viewer.variant.hops import hop_resource, resource_plan
from viewer.variant.table import NONE, NodeTable
from viewer.variant.walks import run_end

if TYPE_CHECKING:  # most files have none
    from viewer.variant.string_table import StringTable

COMPILED: bool = cython.compiled
MOST = 0xFFFFFFF0
"""Bytes that a table's offsets reach."""
WINDOW = 1 << 26
FIRST_PROGRESS, PROGRESS_EVERY = 1 << 17, 1 << 21 if COMPILED else 1 << 17
"""Bytes before the first call of *progress* and, at most, between two: each call waits for the interpreter's lock."""
STRETCH, LONGEST_STRETCH = 1 << 12, 1 << 19
"""Bytes of a window where they must be copied or read: it grows with what was of use in it."""
FIRST_ROWS = 1 << 24 if sys.platform == "win32" else 1 << 26
"""Room for so many nodes at once: memory that nothing is written to costs nothing, but that Windows sets it aside."""
LEVELS = 8
"""So many levels that were never left are as much work as one head that is read with all checks."""
SPAN = 512
FLAG = FLAG_64
BLOCK = 1 << 16
SAMPLED_CHILDREN = FIRST_PROGRESS // 4 + 2
"""More children of a collection cannot be read before the first call of *progress*."""
WITHIN = (Code.UNKNOWN_TYPE, Code.FLAGS_REFUSED, Code.TOO_MANY_NULLS)
"""Errors that are such wherever the bytes end."""
WIDE, LARGE = 1 << 24, 1 << 28
"""In a value of more than LARGE bytes, which is not recovered, more than WIDE children of one collection are looked at
before they get room."""
BLANK = 1 << 22
"""Where so many bytes of nulls stand first, others are null, too: a table of all takes twice the bytes of the file."""
SAMPLED_NODES = 1 << 22
"""A sample ends at the next wide collection once so many children were promised, all of which need memory."""

UNUSUAL, ARRAY, PAIRS, PACKED, TEXT, TEXTS, PATH = 0, -1, -2, -3, -4, -5, -6
"""What a step says beside a number of words: which layout follows."""
NOWHERE, U32_MAX, HIGH_BITS = 0xFFFFFFFE, 0xFFFFFFFF, 0x80808080


class Stopped(Exception):
    """The progress callback asked the scan to stop; :attr:`table` holds what was scanned until then."""

    def __init__(self, table: NodeTable) -> None:
        super().__init__("The scan was stopped.")
        self.table = table


def scan(
    buffer: Buffer,
    dialect: Dialect,
    progress: Callable[[int], bool] | None = None,
    pool: Pool | None = None,
    sample: bool = False,
    names: StringTable | None = None,
) -> NodeTable:
    """Scan one value from the start of *buffer*.

    Args:
        buffer: a frame's bytes; a value that goes on behind the first 4 GiB of them is broken there.
        dialect: how to read them.
        progress: called now and then with the offset reached; returning False stops the scan.
        pool: where the columns come from, and go when nobody holds the table any more.
        sample: whether the scan is stopped at the first call of *progress*: then no collection is given room for more
            children than can be read until there.
        names: the strings of a binary resource, one resource of which the bytes are; None for a value with a header.

    Returns:
        The table; ``table.end_of_data`` is the end of the value, or of what could be read of it.

    Raises:
        Stopped: *progress* returned False.
        MemoryError: there is no room for the table.
    """
    reach = buffer if len(buffer) <= MOST else window(buffer, 0, MOST)
    columns = (pool or Pool()).take(_rows_for(len(reach)))
    table = NodeTable(buffer, dialect)
    table.names = names
    if names is not None:
        table.assumed = _root_of_resource(dialect)
    if pool is not None and columns.capacity > SMALL:
        weakref.finalize(table, pool.give, columns).atexit = False
    going = Scan(reach, dialect, columns, progress, sample, names).run(table)
    if reach is not buffer:
        table.diagnostics = [_beyond(found) for found in table.diagnostics]
    table.diagnostics.sort(key=lambda found: found.span.start)
    if not going:
        raise Stopped(table)
    return table


@cache
def _root_of_resource(dialect: Dialect) -> dict[int, int]:
    """What the first node of all resources is taken to be: one dictionary for many tables, which nobody changes."""
    return {0: dialect.type_number("Resource")}


def make_ready(pool: Pool, size: int, nodes: int) -> None:
    """Let a pool have columns for a scan of *size* bytes and about *nodes* nodes whose pages are in memory already."""
    columns = pool.take(_rows_for(size))
    for column in (columns.start, columns.parent, columns.first):
        _fill(column, 0, min(nodes, columns.capacity), 0)
    pool.give(columns)


def _rows_for(size: int) -> int:
    """For how many rows a scan of *size* bytes asks at first."""
    return min(size // 4 + 3, FIRST_ROWS)


class Scan:
    """The state of one scan.

    The window is the stretch of the buffer that is looked at: its words are counted from *low*. After a value whose
    bytes do not end at a word it is laid anew, so that values always begin at words.

    ``node`` is the next id and ``owner`` the collection that it should belong to; the column ``parent`` says whether
    it does. ``short`` is the one collection that promises more than the bytes can hold, or than is read of it,
    ``named`` the innermost open one whose children have names, ``blank`` one of which only nulls are read.
    """

    def __init__(
        self,
        buffer: Buffer,
        dialect: Dialect,
        columns: Columns,
        progress: Callable[[int], bool] | None,
        sample: bool = False,
        names: StringTable | None = None,
    ) -> None:
        self.buffer = buffer
        self.size = len(buffer)
        self.progress = progress
        self.columns = columns
        self.heads = HeaderParser(buffer, dialect, progress, names)
        self.dialect = dialect
        self.is_resource = names is not None
        self.hops = not dialect.rules.closed_texts
        self.plan = resource_plan(dialect) if self.is_resource else _plan(dialect)
        self.steps, self.sizes = self.plan
        self.string = dialect.type_number("String")
        plain = dialect.by_name.get("int")  # the values of a text have none, or one of 64 bits
        self.integer = plain.number if plain is not None and plain.narrow_size == 4 else self.string
        self.start, self.parent, self.first = columns.start, columns.parent, columns.first
        self.mask = dialect.rules.header_mask
        self.checks_text = dialect.rules.utf8 != "any"
        self.deepest = dialect.rules.max_depth or NOWHERE
        self.most = self.size // 4 + 1
        self.is_sample = sample
        self.widest = SAMPLED_CHILDREN if sample else WIDE if self.size > LARGE else NOWHERE
        self.used = self.depth = self.node = self.pos = 0
        self.owner, self.short, self.named, self.blank = NONE, NOWHERE, NOWHERE, NOWHERE
        self.outer: list[int] = []
        self.report = self.size if progress is None else FIRST_PROGRESS
        self.stretch = WINDOW if in_memory(buffer) and _fits(buffer) else STRETCH
        self.known_names = len(names) if names is not None else 0
        self.seen: Bytes = b""
        self.look_at(0)

    # The window

    def look_at(self, pos: int) -> None:
        """Lay the window so that it begins at *pos*."""
        self.low = pos
        if self.is_resource:
            buffer = self.buffer
            self.seen = buffer if not pos and in_memory(buffer) else _stretch(buffer, pos, self.stretch)
            return
        raw = _seen(self.buffer, pos, self.stretch)
        self.raw: bytes = raw if _fits(raw) else bytes(raw)
        self.words = memoryview(self.raw)[: len(raw) & ~3].cast("I")
        self.held = len(raw) >> 2
        self.whole = self.size - pos >> 2

    def move_window(self) -> bool:
        """Lay the window further on; False where that would show nothing new."""
        if (self.pos - self.low) & 3:
            self.stretch = STRETCH  # bytes that lie askew are copied, so the stretch grows with what is read of it
        elif self.held < self.whole and self.pos - self.low > 2 * self.held:  # half of it is behind
            self.stretch = max(self.stretch, min(2 * self.stretch, LONGEST_STRETCH))
        else:
            return False
        self.look_at(self.pos)
        return True

    # The way through the values

    def run(self, table: NodeTable) -> bool:
        """Scan to the end of the root value, or to the first place that cannot be followed.

        Returns:
            Whether the scan was not told to stop.
        """
        going = True
        table.diagnostics = self.heads.found
        try:
            self.heads.need_header(0)
            self.reserve(1, NONE)
            going = self.follow()
        except HeaderBroken as broken:
            self.pos = broken.stop
            table.diagnostics.append(broken.found(self.heads.node))
        except ReadingStopped as stopped:
            self.pos, going = stopped.reached, False
        self.end(table)
        return going

    def end(self, table: NodeTable) -> None:
        """Give the table what was read until now."""
        table.promised, table.checked = self.used, self.heads.checked + self.depth // LEVELS
        self.forget_unread()
        table.end_of_data = self.pos
        table.take(self.columns, self.used)

    def follow(self) -> bool:
        """Read values one after another, in the order of their bytes; False if told to stop."""
        while True:
            if self.is_resource and self.owner != NONE:
                self.hop_resource()
            if self.hops and (not (self.pos - self.low) & 3 or (self.pos + 4 <= self.size and self.move_window())):
                self.hop()
            if self.parent[self.node] != self.owner:
                if self.owner == NONE:
                    return True
                self.leave()
            elif self.pos + 4 > self.size:
                raise self.missing(self.owner)
            elif self.pos >= self.report:
                self.report = self.pos + min(self.pos, PROGRESS_EVERY)
                if self.progress is not None and not self.progress(self.pos):
                    return False
            elif not self.hops or not self.move_window():
                self.read_head()

    def hop_resource(self) -> None:
        """The same for a resource, whose values lie anywhere."""
        held = len(self.seen)
        if self.low + held < self.size and self.pos - self.low > held // 2:
            self.stretch = min(2 * self.stretch, LONGEST_STRETCH)
            self.look_at(self.pos)
        state, columns, (steps, sizes) = array("q", bytes(40)), self.columns, self.plan
        state[0], state[1], state[2], state[3], state[4] = self.pos, self.node, self.owner, self.used, self.depth
        bounds = self.report + 1, self.short, self.most, self.widest
        start, parent, first = columns.start, columns.parent, columns.first
        hop_resource(state, self.seen, self.low, start, parent, first, steps, sizes, self.known_names, *bounds)
        self.pos, self.node, self.owner, self.used, self.depth = state[0], state[1], state[2], state[3], state[4]

    def hop(self) -> int:
        """Hop over ordinary heads until one is unusual, an object ends, or it is time to look around.

        The interpreter's lock is let go for long ways only: who lets go of it and takes it again in no time starves
        the others, which are woken in vain each time.
        """
        if self.size - self.pos > BLOCK:
            with cython.nogil:
                self.hop_on()
        else:
            self.hop_on()
        return 0

    @cython.boundscheck(False)  # type: ignore[untyped-decorator]
    def hop_on(self) -> int:
        """What :meth:`hop` says, with or without the lock.

        Nothing checks an index here but what stands here: words are read below *held*, plans below SPAN, and ids up to
        *used*, whose parent is no owner's, below the capacity. ``tools/sanitized.py`` shows it by damaged bytes.
        """
        words, raw, steps, sizes = self.words, self.raw, self.steps, self.sizes
        start, parent, first, capacity = self.start, self.parent, self.first, len(self.parent)
        low, held, whole = self.low, len(words), self.whole
        node, owner, used, depth, deepest = self.node, self.owner, self.used, self.depth, self.deepest
        short, named, most, widest = self.short, self.named, self.most, self.widest
        at, limit = self.pos - low >> 2, min(max(held, 1) - 1, (self.report - low >> 2) + 1)
        string, integer, in_object = self.string, self.integer, owner == named
        if at < 0 or not 0 <= node <= used < capacity or not len(start) == len(first) == capacity:
            return 0
        while True:
            while parent[node] != owner:
                if owner in (NONE, short) or in_object:
                    limit = at
                    break
                node = owner + 1
                owner = parent[owner]
                depth -= 1
                in_object = owner == named
            if at >= limit:
                break
            header = words[at]
            start[node] = low + (at << 2)
            if first[node]:  # only read, a page of zeros takes no memory
                first[node] = 0
            if in_object and not (node - first[owner]) & 1:
                after = self.text_end(at)
                if after == 0:
                    break
                at = after
                node += 1
                continue
            if header == string:  # the two commonest by themselves: a guessed branch outruns a look at a table
                length = words[at + 1]
                after = at + (length + 11 >> 2)
                if after > held:
                    break
                if cython.compiled:
                    last = after - 1  # short texts without a loop, whose end no processor foresees
                    bits = words[min(at + 2, last)] | words[min(at + 3, last)] | words[min(at + 4, last)]
                    for word in range(at + 5, after):
                        bits |= words[word]
                    if bits & HIGH_BITS and not self.is_text(4 * at + 8, length):
                        break
                else:
                    begin = 4 * at + 8
                    if not raw[begin : begin + length].isascii() and not self.is_text(begin, length):
                        break
                at = after
                node += 1
                continue
            if header == integer:
                at += 2
                node += 1
                continue
            if header < 256:
                index = header
            elif 0x10000 <= header < 0x10100:
                index = header - 0xFF00
            else:  # bits that no engine writes mean nothing where a value always takes the same bytes
                index = header & self.mask
                if index > 255:
                    break
                if header & FLAG:
                    index += 256
                if steps[index] <= 0:
                    break
            step = steps[index]
            if step > 0:
                if at + step > whole:
                    break
                at += step
            elif step == UNUSUAL:
                break
            elif step >= PAIRS:
                count = words[at + 1] & INT_MAX
                if step == PAIRS:
                    count *= 2
                if count:
                    if used + count >= capacity or used + count > most or depth >= deepest or count > widest:
                        break
                    first[node] = used
                    owner = node
                    node = used
                    used += count
                    if cython.compiled:
                        for index in range(node, used):
                            parent[index] = owner
                    else:
                        parent[node:used] = array("I", (owner,)) * count
                    parent[used] = NOWHERE
                    depth += 1
                    in_object = False
                    at += 2
                    continue
                at += 2
            elif step == PACKED:
                count = words[at + 1]
                after = at + 2 + (count * sizes[index] + 3 >> 2)
                if count > INT_MAX or after > whole:
                    break
                at = after
            else:
                count, after = words[at + 1], at + 2
                if step == TEXT:
                    count, after = 1, at + 1
                elif step == PATH:
                    if not count & SHARED or at + 4 > held:
                        break
                    count = count - SHARED + words[at + 2] + (words[at + 3] >> 1 & 1) & U32_MAX
                    after = at + 4
                if count > whole:
                    break
                while count and after:
                    after = self.text_end(after)
                    count -= 1
                if not after:
                    break
                at = after
            node += 1
        self.node, self.owner, self.used, self.depth = node, owner, used, depth
        self.pos = low + (at << 2)
        return 0

    def text_end(self, at: int) -> int:
        """The word behind the text whose length stands in word *at*; 0 where that takes a closer look."""
        if at >= self.held:
            return 0
        length = self.words[at]
        after = at + (length + 7 >> 2)
        return after if after <= self.held and self.is_text(4 * at + 4, length) else 0

    def is_text(self, begin: int, length: int) -> bool:
        """Whether bytes of the window are a text without fault."""
        if not self.checks_text:
            return True
        if cython.compiled:
            return _is_utf8(self.raw, begin, begin + length)
        try:
            self.raw[begin : begin + length].decode()
        except UnicodeDecodeError:
            return False
        return True

    def read_head(self) -> None:
        """Read one head with all checks."""
        node, pos, owner = self.node, self.pos, self.owner
        self.start[node] = pos
        self.first[node] = 0
        self.node = node + 1
        if owner == NONE and self.is_resource:
            head = self.heads.resource(node, pos)
        elif owner == self.named and not (node - self.first[owner]) & 1:
            head = self.heads.name(node, pos)
        else:
            head = self.heads.read(node, pos)
        self.pos = head.end
        if head.children:
            self.enter(node, head)

    # Collections

    def enter(self, node: int, head: Head) -> None:
        """Open a collection whose children begin here."""
        held = promised = min(head.children, self.most - self.used)
        if held > self.widest and not self.is_sample:
            if self.has_nulls():
                self.blank = node
            if self.blank == node or self.ends_soon(node):
                promised = held = SAMPLED_CHILDREN
        elif held > self.widest:
            if self.used > SAMPLED_NODES:
                raise ReadingStopped(self.pos)
            held = self.widest
            self.most -= promised - held
        self.depth += 1
        if self.depth > self.deepest:
            self.deepest = NOWHERE
            facts = {"depth": self.depth, "limit": self.dialect.rules.max_depth, "dialect": self.dialect.name}
            span = Span(self.pos, min(self.pos + 4, self.size))
            self.heads.found.append(Diagnostic(Code.TOO_DEEP, span, node, "", facts))
        if not held:
            raise self.missing(node)
        if promised < head.children:
            self.short = node
        if head.named:
            self.outer.append(self.named)
            self.named = node
        self.first[node] = self.node = self.reserve(held, node)
        self.owner = node

    def has_nulls(self) -> bool:
        """Whether so many nulls follow that all others will hardly be anything else."""
        end, at = self.pos + BLANK, self.pos
        while at < end and not any(memoryview(self.buffer[at : at + BLOCK]).cast("B")):
            at += BLOCK
        return at >= end

    def ends_soon(self, node: int) -> bool:
        """Whether something in the first bytes of a collection breaks it, so that most children never come."""
        if self.is_resource:
            return False
        seen = window(self.buffer, self.start[node])
        columns = Columns(min(_rows_for(len(seen)), SAMPLED_CHILDREN))
        return Scan(seen, self.dialect, columns, lambda reached: False, True).run(NodeTable(seen, self.dialect))

    def leave(self) -> None:
        """Go on behind the collection that ends here."""
        owner = self.owner
        if owner == self.short:
            raise self.missing(owner)
        if owner == self.named:
            self.named = self.outer.pop()
        self.node = owner + 1
        self.owner = self.parent[owner]
        self.depth -= 1

    def bound(self, buffer: Buffer, pos: int) -> None:
        """Read on at *pos*, in more or fewer of the same bytes than until now."""
        self.buffer, self.size, self.pos = buffer, len(buffer), pos
        self.heads.buffer, self.heads.size = buffer, self.size
        self.stretch = WINDOW if in_memory(buffer) and _fits(buffer[pos : pos + 4]) else STRETCH
        self.look_at(pos)

    def waiting(self) -> int:
        """How many children of the innermost open collection have ids but were not read yet."""
        return run_end(self.parent, self.node, self.used, self.owner) - self.node

    def shorten(self, keep: int) -> None:
        """Expect no more than *keep* further children in the innermost open collection."""
        begin, end = self.node + keep, self.node + self.waiting()
        if self.owner == self.short:
            self.short = NOWHERE
        if begin < end:
            if end != self.used:
                self.most += end - begin
            self.forget(begin, end)
            self.parent[self.used] = NOWHERE
        if not keep and self.owner != NONE and self.node == self.first[self.owner]:
            self.first[self.owner] = 0

    def reserve(self, count: int, owner: int) -> int:
        """Give consecutive ids to *count* children of *owner*; returns the first."""
        begin, end = self.used, self.used + count
        if end >= self.columns.capacity:
            self.columns.grow(begin, end + 1)
            self.start, self.parent, self.first = self.columns.start, self.columns.parent, self.columns.first
        _fill(self.parent, begin, end, owner)
        self.parent[end] = NOWHERE
        self.used = end
        return begin

    def forget_unread(self) -> None:
        """Mark the ids that were given to children which nobody read."""
        node, owner = self.node, self.owner
        while owner != NONE:
            if node == self.first[owner]:
                self.first[owner] = 0
            if node < self.used and self.parent[node] == owner:
                self.forget(node, run_end(self.parent, node, self.used, owner))
            node = owner + 1
            owner = self.parent[owner]

    def forget(self, begin: int, end: int) -> None:
        """Mark a run of ids; the last ones that were given are taken back."""
        if end == self.used:
            self.used = begin
            return
        _fill(self.parent, begin, end, NONE)
        _fill(self.start, begin, end, 0)
        _fill(self.first, begin, end, 0)

    def missing(self, owner: int) -> HeaderBroken:
        """The next child of *owner* should begin here, but no bytes are left for it."""
        begin = self.first[owner]
        present = self.node - begin if begin else 0
        promised = self.heads.word((self.start[begin] if present else self.pos) - 4) & INT_MAX
        is_root = owner == 0 and self.is_resource
        row = self.dialect.by_name["Resource"] if is_root else self.dialect.row(self.heads.word(self.start[owner]))
        unit, name = "element", row.name if row is not None else "collection"
        if row is not None and row.kind in PAIRED:
            unit, present = "pair", present // 2
        self.heads.node = owner
        if owner == self.blank:
            facts: dict[str, object] = {"parent": name, "promised": _plural(promised, unit), "present": present}
            return HeaderBroken(Code.TOO_MANY_NULLS, Span(self.pos, self.size), self.pos, "count", **facts)
        facts = {"parent": name, "promised": _plural(promised, unit), "present": _are(present)}
        return HeaderBroken(Code.CHILD_MISSING, Span(self.pos, self.size), self.pos, "count", **facts)


def _is_utf8(raw: bytes, at: int, end: int) -> bool:
    """Whether bytes are UTF-8 as the standard has it: no surrogates, nothing longer than it needs to be."""
    while at < end:
        lead = raw[at]
        at += 1
        if lead < 0x80:
            continue
        if 0xC2 <= lead < 0xE0:
            more, low, high = 1, 0x80, 0xBF
        elif 0xE0 <= lead < 0xF0:
            more, low, high = 2, 0xA0 if lead == 0xE0 else 0x80, 0x9F if lead == 0xED else 0xBF
        elif 0xF0 <= lead < 0xF5:
            more, low, high = 3, 0x90 if lead == 0xF0 else 0x80, 0x8F if lead == 0xF4 else 0xBF
        else:
            return False
        if at + more > end or not low <= raw[at] <= high:
            return False
        for k in range(at + 1, at + more):
            if raw[k] & 0xC0 != 0x80:
                return False
        at += more
    return True


# Plans


@cache
def _plan(dialect: Dialect) -> tuple[array[int], array[int]]:
    """For each header word below 256, then for each under the 64-bit flag: its step, and the size of an element.

    A step is the number of words of the value where that never varies, else one of the layouts.
    """
    steps, sizes = array("i", bytes(4 * SPAN)), array("i", bytes(4 * SPAN))
    for number in range(256):
        for header in (number, number | FLAG_64):
            row = dialect.row(header)
            if row is not None:
                index = number + (256 if header & FLAG_64 else 0)
                size = row.wide_size if header & FLAG_64 else row.narrow_size
                steps[index] = _step(row, size, header)
                sizes[index] = size
    return steps, sizes


def _step(row: TypeRow, size: int, header: int) -> int:
    if row.kind in (Kind.FIXED, Kind.NULL_OBJECT):
        return 1 + size // 4 if size % 4 == 0 else UNUSUAL
    if row.kind is Kind.OBJECT and header & FLAG_64:
        return 3
    if header & FLAG_64 and row.kind in (Kind.ARRAY, Kind.DICTIONARY):
        return UNUSUAL  # the bit may name an element type
    return _LAYOUTS.get(row.kind, UNUSUAL)


_LAYOUTS = {
    Kind.STRING: TEXT,
    Kind.ARRAY: ARRAY,
    Kind.DICTIONARY: PAIRS,
    Kind.PACKED: PACKED,
    Kind.PACKED_STRINGS: TEXTS,
    Kind.NODE_PATH: PATH,
}


def _fits(raw: Bytes) -> TypeGuard[bytes]:
    """Whether the loop can read its words from these bytes: compiled, they must lie at a word's place in memory."""
    if cython.compiled:
        view = raw
        return len(raw) == 0 or cython.cast(cython.size_t, cython.address(view[0])) & 3 == 0
    return isinstance(raw, bytes)


def _seen(buffer: Buffer, pos: int, stretch: int) -> Bytes:
    """The bytes of a window at *pos*: all that lie there in one run in memory, else so many as *stretch* says."""
    seen = _stretch(buffer, pos, stretch)
    return seen if _fits(seen) else buffer[pos : pos + stretch]


def _stretch(buffer: Buffer, pos: int, size: int) -> Bytes:
    """The bytes at *pos*: all that lie there in one run in memory, else so many as *size* says."""
    seen = view(buffer, pos, pos + WINDOW)
    return buffer[pos : pos + size] if seen is None or len(seen) < size else seen


def _fill(column: memoryview, begin: int, end: int, number: int) -> None:
    if cython.compiled and end - begin < BLOCK:
        for k in range(begin, end):
            column[k] = number
    elif cython.compiled:
        with cython.nogil:
            for k in range(begin, end):
                column[k] = number
    else:
        for k in range(begin, end, BLOCK):
            stop = min(k + BLOCK, end)
            column[k:stop] = array("I", (number,)) * (stop - k)


def _beyond(found: Diagnostic) -> Diagnostic:
    """What to say of a value that ends behind the reach of a table's offsets, instead of that the bytes end there."""
    if found.severity is not Severity.ERROR or found.code in WITHIN:
        return found
    return Diagnostic(Code.VALUE_TOO_LONG, found.span, found.node, found.part)


def _plural(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _are(count: int) -> str:
    return f"{count} is" if count == 1 else f"{count} are"
