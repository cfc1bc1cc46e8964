"""Sieve a node table: which nodes are surely clean, so that the lint pass has nothing to say about them?

The sieve walks the nodes in the order of their bytes, hostile depth or not, and keeps the ids of those that it doubts.
A doubt costs the lint pass a look and is no finding; what is not doubted must be without any. So only the common kinds
are judged here, everything rarer is doubted, and a node is also doubted where the next one does not begin at the place
where its own bytes should end.

This file runs as it stands, and Cython compiles the same file (types in ``clean.pxd``).
"""

from __future__ import annotations

from array import array
from typing import TypeGuard

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython

from viewer.base.buffer import Bytes, in_memory
from viewer.variant.clean_steps import (
    ARRAY,
    BOOL,
    BYTES,
    DOUBT,
    FLOAT,
    FLOATS,
    MIXED,
    ODD,
    PACKED,
    PAIRS,
    PATH,
    SPAN,
    TEXT,
    TEXTS,
    TYPED,
    WIDE_FLOAT,
    WIDE_INT,
    plan,
)
from viewer.variant.dialect import SHARED, Kind
from viewer.variant.header import INT_MAX
from viewer.variant.table import NodeTable

COMPILED: bool = cython.compiled
STEPS = 200_000 if COMPILED else 2_000
"""So many nodes, or stretches of 64 bytes, are gone past at once: a few milliseconds."""
WINDOW = 1 << 19
STRETCH = 1 << 12
MOST_KEYS = 1 << 14 if COMPILED else 1 << 10
"""A dictionary with more keys, or a typed array with more elements, is doubted."""
PROBES = 64

FAR, CLEAN = -1, 1
"""Instead of the word behind what was judged, beside DOUBT: it reaches beyond the window; it is clean."""
NOTHING, MOVE, ENTER, LEAVE = 0, 1, 2, 3
"""Why :meth:`Sieve.hop` stops: the stretch is over, the window ends, a doubted collection begins, an object ends."""
NOWHERE = 0xFFFFFFFE
UNKNOWN = -1

SIGN, ALL_BITS, HIGH_BITS, LOW_BITS, SPACES = 0x80000000, 0xFFFFFFFF, 0x80808080, 0x01010101, 0x20202020
INFINITE, WIDE_INFINITE, BEYOND_F32 = 0x7F800000, 0x7FF00000, (1 << 29) - 1
MIX = 0x9E3779B97F4A7C15
ZERO, BOM = b"\0", b"\xef\xbb\xbf"


class Sieve:
    """One walk over *table*.

    The window is the stretch of the buffer that is looked at, its words are counted from *low*. ``last`` is the node
    that was looked at before and not doubted, and ``expected`` where its own bytes end. ``named`` is the innermost
    object that is open: every other child of it is a name, text without a header.

    Args:
        table: what to walk over.
        room: doubtful nodes that one stretch may yield.
    """

    def __init__(self, table: NodeTable, room: int) -> None:
        self.table = table
        self.buffer = table.buffer
        self.size, self.total = len(table.buffer), len(table)
        self.start, self.parent, self.first = table.start, table.parent, table.first
        self.steps, self.sizes, self.forms = plan(table.dialect)
        self.found = array("I", bytes(4 * (room + 2)))
        self.slots = array("Q", bytes(8 * (2 << min(self.total // 2, MOST_KEYS).bit_length())))
        self.room, self.count = room, 0
        self.node, self.last, self.expected, self.climbing = 0, 0, UNKNOWN, False
        self.unseen, self.named = NOWHERE, NOWHERE
        self.outer: list[int] = []
        self.mask = table.dialect.rules.header_mask
        self.done = self.total == 0
        whole = in_memory(table.buffer) and _fits(table.buffer)
        self.stretch = self.size if whole else WINDOW
        self.lay(0)

    # The window

    def lay(self, pos: int) -> None:
        """Lay the window so that it begins at *pos*."""
        self.low = pos
        raw = self.buffer[pos : pos + self.stretch]
        self.raw: bytes = raw if _fits(raw) else bytes(raw)
        self.words = memoryview(self.raw)[: len(raw) & ~3].cast("I")
        self.held = len(raw) >> 2

    def move(self, pos: int) -> bool:
        """Lay the window further on; False where that would show nothing new, or too little to pay."""
        if (pos - self.low) & 3:
            self.stretch = STRETCH  # bytes that lie askew are copied, so the stretch grows with what is read of it
        elif self.low + 4 * self.held + 4 <= self.size and pos - self.low > 2 * self.held:  # half of it is behind
            self.stretch = min(2 * self.stretch, WINDOW)
        else:
            return False
        self.lay(pos)
        return True

    # The walk

    def is_done(self) -> bool:
        """Whether all nodes were looked at."""
        return bool(self.done)

    def doubtful(self) -> list[int]:
        """The doubtful nodes of the next stretch, in the order of their bytes; there may be none."""
        self.count, self.left = 0, STEPS
        while not self.done:
            why = self.hop()
            if why == NOTHING:
                break
            if why == MOVE:
                if not self.move(self.start[self.node]):
                    self.unseen = self.node
            elif why == LEAVE:
                self.named = self.outer.pop()
            else:
                self.enter()
        return self.found_nodes()

    def found_nodes(self) -> list[int]:
        """What this stretch yields; behind the last node comes the end of the data."""
        if self.done and self.expected != UNKNOWN and self.expected != self.table.end_of_data:
            self.found[self.count] = self.last
            self.count, self.expected = self.count + 1, UNKNOWN
        return list(self.found[: self.count])

    def enter(self) -> None:
        """Go on with the children of a doubted node."""
        row = self.table.row(self.node)
        if row is not None and row.kind is Kind.OBJECT:
            self.outer.append(self.named)
            self.named = self.node
        self.node = self.first[self.node]

    def hop(self) -> int:
        """Go from node to node until something needs a closer look, and say why."""
        start, parent, first, found = self.start, self.parent, self.first, self.found
        node, last, expected, climbing = self.node, self.last, self.expected, self.climbing
        named, unseen, total, low = self.named, self.unseen, self.total, self.low
        left, count, room, why = self.left, self.count, self.room, NOTHING
        with cython.nogil:
            while left > 0 and count < room:
                left -= 1
                if not climbing:
                    pos = start[node]
                    if expected != pos and expected != UNKNOWN:
                        found[count] = last
                        count += 1
                        expected = UNKNOWN
                    if node == unseen:
                        after = DOUBT
                    elif parent[node] == named and not (node - first[named]) & 1:
                        after = self.name(pos)
                    else:
                        after = self.look(node, pos)
                    if after == FAR:
                        why = MOVE
                        break
                    child = first[node]
                    inside = child != 0 and parent[child] == node
                    if after == DOUBT:
                        found[count] = node
                        count += 1
                        expected = UNKNOWN
                        if inside:
                            why = ENTER
                            break
                    else:
                        last = node
                        expected = low + (after << 2)
                        left -= expected - pos >> 6
                        if inside:
                            node = child
                            continue
                if node == 0:
                    self.done = True
                    break
                if node + 1 < total and parent[node + 1] == parent[node]:
                    node += 1
                    climbing = False
                else:
                    node = parent[node]
                    climbing = True
                    if node == named:
                        why = LEAVE
                        break
        self.node, self.last, self.expected, self.climbing = node, last, expected, climbing
        self.left, self.count = left, count
        return why

    # Judging one node. Each returns the word behind what it looked at, or DOUBT, or FAR.

    def name(self, pos: int) -> int:
        """A property name: text without a header."""
        if (pos - self.low) & 3:
            return FAR
        return self.text(pos - self.low >> 2, 0)

    def look(self, node: int, pos: int) -> int:
        """A node's own bytes, from its header on."""
        at = pos - self.low >> 2
        if (pos - self.low) & 3 or at >= self.held:
            return FAR
        header = self.words[at]
        index = header if header < SPAN else _index(header)
        step = self.steps[index]
        if step >= 0:
            return at + step if step else DOUBT
        if step == TEXT:
            return self.text(at + 1, 0)
        if at + 1 >= self.held:
            return FAR
        word = self.words[at + 1]
        if step == BOOL:
            return at + 2 if word <= 1 else DOUBT
        if step == FLOAT:
            return at + 2 if word & ~SIGN <= INFINITE else DOUBT
        if step == PAIRS:
            apart = DOUBT if word & SHARED else self.tell_apart(node)
            return at + 2 if apart == CLEAN else apart
        if step == ARRAY:
            return DOUBT if word & SHARED else at + 2
        if step == TYPED:
            return self.typed(node, at + 1)
        count = word
        if step == PACKED:
            return at + 2 + (count * self.sizes[index] + 3 >> 2)
        if step == BYTES:
            return self.fill(at + 2, count)
        if step == TEXTS:
            return self.texts(at + 2, count)
        if step == PATH:
            return self.path(at + 1)
        return self.wide(step, at + 1)

    def wide(self, step: int, at: int) -> int:
        """Numbers of two words: they should not fit one, and an id is not zero."""
        if at + 1 >= self.held:
            return FAR
        low, high = self.words[at], self.words[at + 1]
        if step == WIDE_INT:
            odd = high == (ALL_BITS if low & SIGN else 0)
        elif step == WIDE_FLOAT:  # what fits 32 bits has none of the low bits; a NaN needs a closer look
            odd = low & BEYOND_F32 == 0 or high & WIDE_INFINITE == WIDE_INFINITE
        else:
            odd = low | high == 0
        return DOUBT if odd else at + 2

    def fill(self, at: int, count: int) -> int:
        """The fill behind *count* bytes."""
        after = at + (count + 3 >> 2)
        if count & 3 == 0:
            return after
        if after > self.held:
            return FAR
        return DOUBT if self.words[after - 1] >> 8 * (count & 3) else after

    def typed(self, node: int, at: int) -> int:
        """The type and the count of a typed array, and the types of its elements."""
        if at + 1 >= self.held:
            return FAR
        number, child = self.words[at], self.first[node]
        if number == 0 or number >= SPAN or self.steps[number] == DOUBT or self.words[at + 1] & SHARED:
            return DOUBT
        most = child + MOST_KEYS
        while 0 < child < self.total and self.parent[child] == node:
            pos = self.start[child] - self.low
            if child == most or pos & 3:
                return DOUBT
            if pos >> 2 >= self.held:
                return FAR
            if self.words[pos >> 2] & self.mask != number:
                return DOUBT
            child += 1
        return at + 2

    def texts(self, at: int, count: int) -> int:
        """The elements of a packed string array: each is closed by a NUL."""
        while count > 0 and at > 0:
            at = self.text(at, 1)
            count -= 1
        return at

    def path(self, at: int) -> int:
        """Counts, flags and names of a node path."""
        if at + 3 > self.held:
            return FAR
        count, flags = self.words[at], self.words[at + 2]
        if not count & SHARED or flags > 1:
            return DOUBT
        count = (count & INT_MAX) + self.words[at + 1]
        if count > INT_MAX or (flags and not count):
            return DOUBT
        at += 3
        while count > 0 and at > 0:
            at = self.text(at, 0)
            count -= 1
        return at

    def text(self, at: int, closed: int) -> int:
        """A length word, UTF-8 without a NUL or byte order mark, *closed* by a NUL or not, and zeros as fill."""
        if at >= self.held:
            return FAR
        length = self.words[at]
        after = at + (length + 7 >> 2)
        if after > self.held:
            return FAR
        if length < closed:
            return DOUBT
        length -= closed
        if not cython.compiled:
            rest = self.raw[4 * at + 4 : 4 * after]
            return after if rest.find(ZERO) in (-1, length) and _is_clean(rest, length) else DOUBT
        whole, bits, gaps = at + 1 + (length >> 2), 0, 0
        for k in range(at + 1, whole):
            word = self.words[k]
            bits |= word
            gaps |= (word - LOW_BITS) & ~word
        if whole < after:
            word, mask = self.words[whole], ALL_BITS << 8 * (length & 3)
            if word & mask:
                return DOUBT
            if length & 3:
                word |= mask & SPACES
                bits |= word
                gaps |= (word - LOW_BITS) & ~word
        if gaps & HIGH_BITS or (bits & HIGH_BITS and not _is_utf8(self.raw, 4 * at + 4, 4 * at + 4 + length)):
            return DOUBT
        return after

    # Keys

    def tell_apart(self, node: int) -> int:
        """CLEAN where no two keys of a dictionary can be equal. Types are not compared, as String equals StringName."""
        key, count = self.first[node], 0
        if key == 0:
            return CLEAN
        while key < self.total and self.parent[key] == node:
            key, count = key + 2, count + 1
        if count < 2:
            return CLEAN
        if count > MOST_KEYS:
            return DOUBT
        if not cython.compiled:
            return self.tell_apart_plainly(range(self.first[node], key, 2))
        mask = 1
        while mask < 2 * count:
            mask <<= 1
        for k in range(mask):
            self.slots[k] = 0
        key = self.first[node]
        for k in range(count):
            judged = self.take_key(key + 2 * k, mask - 1)
            if judged != CLEAN:
                return judged
        return CLEAN

    def form(self, pos: int) -> int:
        """How keys with the header at *pos* are compared, or FAR."""
        at = pos - self.low >> 2
        return FAR if (pos - self.low) & 3 or at >= self.held else self.forms[_index(self.words[at])]

    def take_key(self, key: int, mask: int) -> int:
        """Put one key among those that were seen; CLEAN where it was not there."""
        form = self.form(self.start[key])
        if form < 0:
            return form
        if form == MIXED:
            return DOUBT  # keys may be dictionaries whose keys are: looking into them here would go as deep as the file
        at = self.start[key] - self.low >> 2
        after = self.look(key, self.start[key])
        if after <= 0:
            return after
        if after > self.held:
            return FAR
        mixed = MIX
        for k in range(at + 1, after):
            word = self.words[k]
            if form == FLOATS:
                if word & ~SIGN > INFINITE:
                    return DOUBT
                if word == SIGN:
                    word = 0
            mixed = (mixed ^ word) * MIX
            mixed ^= mixed >> 29
        mixed |= 1
        slot = mixed >> 32 & mask
        for _probe in range(PROBES):
            if self.slots[slot] == 0:
                self.slots[slot] = mixed
                return CLEAN
            if self.slots[slot] == mixed:
                return DOUBT
            slot = slot + 1 & mask
        return DOUBT

    def tell_apart_plainly(self, keys: range) -> int:
        """The same where nothing is compiled."""
        seen = set()
        for key in keys:
            form = self.form(self.start[key])
            if form < 0:
                return form
            if form == MIXED:
                return DOUBT
            after = self.look(key, self.start[key])
            if after <= 0:
                return after
            at = self.start[key] - self.low >> 2
            words = self.words[at + 1 : after].tolist()
            if form == FLOATS:
                if any(word & ~SIGN > INFINITE for word in words):
                    return DOUBT
                words = [0 if word == SIGN else word for word in words]
            seen.add(tuple(words))
        return CLEAN if len(seen) == len(keys) else DOUBT


def _index(header: int) -> int:
    """Where a header word stands in the plan."""
    if header < 256:
        return header
    return header - 0xFF00 if 0x10000 <= header < 0x10100 else ODD


def _is_clean(raw: bytes, length: int) -> bool:
    """Whether the first *length* bytes are UTF-8 without a byte order mark, and all others zero."""
    if any(raw[length:]):
        return False
    if raw.isascii():
        return True
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return not raw.startswith(BOM)


def _is_utf8(raw: bytes, begin: int, end: int) -> bool:
    """Whether bytes are UTF-8 as the standard has it, without a byte order mark."""
    at = begin
    while at < end:
        lead = raw[at]
        at += 1
        if lead < 0x80:
            continue
        more = 1 if lead < 0xE0 else 2 if lead < 0xF0 else 3
        if lead < 0xC2 or lead > 0xF4 or at + more > end:
            return False
        code = lead & 0x3F >> more
        for k in range(at, at + more):
            if raw[k] & 0xC0 != 0x80:
                return False
            code = code << 6 | raw[k] & 0x3F
        at += more
        if (more == 2 and code < 0x800) or (more == 3 and (code < 0x10000 or code > 0x10FFFF)):
            return False
        if code >> 11 == 0x1B or (code == 0xFEFF and at == begin + 3):
            return False
    return True


def _fits(raw: Bytes) -> TypeGuard[bytes]:
    """Whether words can be read from these bytes: compiled, they must lie at a word's place in memory."""
    if cython.compiled:
        view = raw
        return len(raw) == 0 or cython.cast(cython.size_t, cython.address(view[0])) & 3 == 0
    return isinstance(raw, bytes)
