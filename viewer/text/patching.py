"""Writing a text again: what did not change keeps its bytes, what did is written as its neighbours are.

The values before and after stand side by side, from the outermost to the innermost. Two that are the same are not
looked into; of two collections, what they hold is paired; anything else becomes a patch of the text. Nothing recurses.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import Enum
from struct import Struct
from typing import Protocol

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.layer import WrapError
from viewer.text.float_spelling import readable
from viewer.text.source_map import SourceMap
from viewer.variant.dialect import COLLECTIONS, Dialect, Kind
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

COMPARED = 1 << 16
_DOUBLE = Struct("<d")
_HEAD, _COUNT = 4, 4
_NUMBERS = (Kind.FIXED, Kind.PACKED)
MOST_PAIRED = 2000
"""So many elements are compared with as many others; where more changed, the n-th stands for the n-th."""
MANY_ALIKE = 16
"""After so many units that are the same, one by one, it is looked where the next other byte is."""


@dataclass(frozen=True, slots=True)
class CollectionText:
    """A collection in the text.

    Args:
        span: all of it.
        opened, closed: where what it holds may begin, and must end.
        units: what it holds: an element, or a key with its value.
        is_top: whether the values stand at the top of the text, without brackets.
        level: in how many others it lies.
    """

    span: Span
    opened: int
    closed: int
    units: Sequence[Span]
    is_top: bool
    level: int


class Notation(Protocol):
    """How values are spelled in a kind of text."""

    def value(self, value: Value, spelled: bytes, level: int) -> bytes:
        """The text of a value.

        Args:
            value: what to write.
            spelled: the text that it replaces, empty for none.
            level: in how many collections it lies; 0 where all of it stands in one line.

        Raises:
            WrapError: the text cannot hold it.
        """

    def key(self, value: Value, level: int) -> bytes:
        """The text of a key in a collection of some level; errors as :meth:`value`."""

    def brackets(self, span: Span, level: int) -> tuple[int, int]:
        """Where what a collection holds may begin, and must end."""

    def inserted(self, region: CollectionText, before: int, units: Sequence[bytes]) -> tuple[int, int, bytes]:
        """The patch that puts units in front of one, or behind the last one."""

    def removed(self, region: CollectionText, first: int, end: int) -> tuple[int, int, bytes]:
        """The patch that takes units away."""

    def level_in(self, region: CollectionText) -> int:
        """The level of a value that is put into a collection; 0 where it stands in one line with others."""

    def joined(self, key: bytes, value: bytes, region: CollectionText) -> bytes:
        """A key and its value as one unit."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A value in one of the tables of a side."""

    table: NodeTable
    base: int
    node: int

    @property
    def start(self) -> int:
        return self.base + self.table.start[self.node]

    @property
    def end(self) -> int:
        return self.base + self.table.end(self.node)

    @property
    def value(self) -> Value:
        return read(self.table, self.node)

    @property
    def head(self) -> bytes:
        """The header and what tells the types of a typed collection: all but the count before the children."""
        table, begin = self.table, self.table.start[self.node]
        return bytes(table.buffer[begin : table.head_end(self.node) - 4])

    @property
    def is_collection(self) -> bool:
        row = self.table.row(self.node)
        return row is not None and row.kind in COLLECTIONS


class _Becomes(Enum):
    """What becomes of a unit."""

    SAME = "the same"
    PATCHED = "patched, now or later"
    ANOTHER = "its value is another one"


class _Held:
    """What a collection holds, as units of one value or of a key and its value, made when they are asked for."""

    def __init__(self, nodes: Sequence[_Node] | None, of: _Node | None) -> None:
        self._nodes = nodes
        self._of = of
        self.step = 2 if of is not None and of.table.has_pairs(of.node) else 1
        self._first = of.table.first[of.node] if of is not None else 0
        count = len(nodes) if nodes is not None else of.table.child_count(of.node) if of is not None else 0
        self.count = count // self.step

    def node(self, unit: int, part: int = 0) -> _Node:
        """The first or second value of a unit."""
        place = unit * self.step + part
        if self._nodes is not None:
            return self._nodes[place]
        assert self._of is not None
        return _Node(self._of.table, self._of.base, self._first + place)

    def last(self, unit: int) -> _Node:
        """The last value of a unit."""
        return self.node(unit, self.step - 1)

    def start(self, unit: int) -> int:
        """Where a unit begins."""
        return self.node(unit).start

    def end(self, unit: int) -> int:
        """Where it ends."""
        return self.last(unit).end


def tables(inside: bytes, dialect: Dialect) -> list[_Node]:
    """The values that follow each other in some bytes.

    Raises:
        WrapError: they are no sound values.
    """
    out: list[_Node] = []
    at, whole = 0, memoryview(inside)
    while at < len(inside):
        table = scan(whole[at:], dialect)
        if table.diagnostics or not table.end_of_data:
            raise WrapError("The values are damaged, and cannot be written as text; fix or undo that first.")
        out.append(_Node(table, at, 0))
        at += table.end_of_data
    return out


@dataclass(frozen=True, slots=True)
class Respelled:
    """A value that was written otherwise.

    Args:
        number: which one, in the map of the text.
        spelled: how it is spelled now.
        old: how many bytes it took inside.
        new: where its bytes are now.
    """

    number: int
    spelled: bytes
    old: int
    new: Span


class Patcher:
    """Finds out what has changed.

    Attributes:
        respelled: once it is patched: the values that were written otherwise, where nothing else changed; else None.

    Args:
        text: as it was.
        old: the bytes that were made of it.
        places: where their values stand in it.
        new: the bytes as they are now.
        dialect: how values lie in them.
        notation: how they are spelled.
        broken: what could not be read of the text, and stays.
    """

    def __init__(
        self,
        text: bytes,
        old: bytes,
        places: SourceMap,
        new: bytes,
        dialect: Dialect,
        notation: Notation,
        broken: Sequence[Span],
    ) -> None:
        self._text = text
        self._old = old
        self._places = places
        self._new = new
        self._notation = notation
        self._broken = broken
        self._dialect = dialect
        self._patches: list[tuple[int, int, bytes]] = []
        self._waiting: list[tuple[_Node, _Node, int]] = []
        self.respelled: list[Respelled] | None = []

    def patched(self) -> bytes:
        """The text of the new values.

        Raises:
            WrapError: it cannot hold one of them, or something broken would change.
        """
        old, new = tables(self._old, self._dialect), tables(self._new, self._dialect)
        self._level(None, _Held(old, None), _Held(new, None), 0)
        while self._waiting:
            before, after, level = self._waiting.pop()
            self._level(before, _Held(None, before), _Held(None, after), level)
        return self._applied()

    def _applied(self) -> bytes:
        out, at = [], 0
        for start, end, fresh in sorted(self._patches, key=lambda patch: patch[:2]):
            hurt = next((span for span in self._broken if span.start < end and start < span.end), None)
            if hurt is not None or start < at:
                line = self._text.count(b"\n", 0, hurt.start if hurt else start) + 1
                raise WrapError(
                    f"Line {line} of the text cannot be read and stays as it is; this change would touch it."
                )
            out += [self._text[at:start], fresh]
            at = end
        out.append(self._text[at:])
        return b"".join(out)

    def _span(self, node: _Node) -> Span:
        return self._places.span(self._places.number(node.start))

    def _region(self, of: _Node | None, held: _Held, level: int) -> CollectionText:
        spans = _UnitSpans(held, self._span)
        if of is None:
            return CollectionText(Span(0, len(self._text)), 0, len(self._text), spans, True, 0)
        span = self._span(of)
        opened, closed = self._notation.brackets(span, level)
        return CollectionText(span, opened, closed, spans, False, level)

    def _level(self, of: _Node | None, old: _Held, new: _Held, level: int) -> None:
        """Pair what two collections hold."""
        first = self._same_from(old, 0, new, 0)
        last = self._same_from_end(old, new, first)
        changes = self._paired(old, new, first, old.count - last, new.count - last)
        region: CollectionText | None = None
        for tag, one, one_end, two, two_end in changes:
            both = min(one_end - one, two_end - two)
            k = alike = 0
            while k < both:
                if alike == MANY_ALIKE:
                    k, alike = k + self._same_from(old, one + k, new, two + k), 0
                    continue
                becomes = self._unit(old, one + k, new, two + k, level)
                if becomes is _Becomes.ANOTHER:
                    region = region or self._region(of, old, level)
                    self._rewrite(old.last(one + k), new.last(two + k), self._notation.level_in(region))
                k, alike = k + 1, alike + 1 if becomes is _Becomes.SAME else 0
            if tag == "equal" or one_end - one == two_end - two:
                continue
            region = region or self._region(of, old, level)
            self.respelled = None
            if one_end - one > both:
                self._patches.append(self._notation.removed(region, one + both, one_end))
            else:
                units = [self._written(new, unit, region) for unit in range(two + both, two_end)]
                self._patches.append(self._notation.inserted(region, one + both, units))

    def _written(self, new: _Held, unit: int, region: CollectionText) -> bytes:
        level = self._notation.level_in(region)
        if new.step == 1:
            return self._notation.value(new.node(unit).value, b"", level)
        key = self._notation.key(new.node(unit).value, region.level)
        return self._notation.joined(key, self._notation.value(new.last(unit).value, b"", level), region)

    def _unit(self, old: _Held, one: int, new: _Held, two: int, level: int) -> _Becomes:
        """Let a unit become another one, all but a value that is to be written as a whole."""
        becomes = _Becomes.SAME
        for part in range(old.step):
            before, after = old.node(one, part), new.node(two, part)
            is_as_long = before.end - before.start == after.end - after.start
            if is_as_long and self._bytes(before) == self._new[after.start : after.end]:
                continue
            if part == 0 and old.step == 2:
                self.respelled = None
                self._patches.append((*_ends(self._span(before)), self._notation.key(after.value, level)))
                becomes = _Becomes.PATCHED
            elif before.is_collection and before.head == after.head:
                self._waiting.append((before, after, level + 1))
                becomes = _Becomes.PATCHED
            else:
                becomes = _Becomes.ANOTHER
        return becomes

    def _rewrite(self, before: _Node, after: _Node, level: int) -> None:
        """Let a value be spelled as another one."""
        span = self._span(before)
        spelled = self._text[span.start : span.end]
        fresh = self._notation.value(after.value, spelled, level)
        self._patches.append((*_ends(span), fresh))
        if self.respelled is not None:
            number, new = self._places.number(before.start), Span(after.start, after.end)
            self.respelled.append(Respelled(number, fresh, before.end - before.start, new))

    def _bytes(self, node: _Node) -> bytes:
        return self._old[node.start : node.end]

    def _same_from(self, old: _Held, first: int, new: _Held, other: int) -> int:
        """How many units are the same, from two on."""
        if first >= old.count or other >= new.count:
            return 0
        one, two = old.start(first), new.start(other)
        same = common(self._old, one, old.end(old.count - 1), self._new, two, new.end(new.count - 1))
        return min(
            bisect_left(range(first, old.count), one + same + 1, key=old.end),
            bisect_left(range(other, new.count), two + same + 1, key=new.end),
        )

    def _same_from_end(self, old: _Held, new: _Held, first: int) -> int:
        """How many units at the end are the same, the first ones left out."""
        most = min(old.count, new.count) - first
        if most <= 0:
            return 0
        one, two = old.end(old.count - 1), new.end(new.count - 1)
        same = common_end(self._old, old.start(first), one, self._new, new.start(first), two)

        def differs(units: int) -> bool:
            size = one - old.start(old.count - units)
            return size > same or size != two - new.start(new.count - units)

        return bisect_left(range(1, most + 1), True, key=differs)  # where so many are the same, fewer are, too

    def _paired(
        self, old: _Held, new: _Held, first: int, old_end: int, new_end: int
    ) -> Sequence[tuple[str, int, int, int, int]]:
        """Which units became which, as :class:`difflib.SequenceMatcher` tells it."""
        ones, twos = range(first, old_end), range(first, new_end)
        if not ones and not twos:
            return ()
        is_few = len(ones) <= MOST_PAIRED and len(twos) <= MOST_PAIRED
        if (len(ones) == len(twos) and old.step == 1) or not ones or not twos or not is_few:
            return (("replace", first, old_end, first, new_end),)
        was = [self._bytes(old.node(unit) if old.step == 2 else old.last(unit)) for unit in ones]
        now = [self._new[(node := new.node(unit)).start : node.end] for unit in twos]
        matcher = SequenceMatcher(None, was, now, autojunk=False)
        return [(tag, a + first, b + first, c + first, d + first) for tag, a, b, c, d in matcher.get_opcodes()]


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


class _UnitSpans(Sequence[Span]):
    """Where units stand in the text."""

    def __init__(self, held: _Held, span: object) -> None:
        self._held = held
        self._span = span

    def __len__(self) -> int:
        return self._held.count

    def __getitem__(self, unit):  # type: ignore[no-untyped-def]
        if not 0 <= unit < self._held.count:
            raise IndexError(unit)
        start = self._span(self._held.node(unit)).start  # type: ignore[operator]
        return Span(start, self._span(self._held.last(unit)).end)  # type: ignore[operator]


def common(one: bytes, start: int, end: int, other: bytes, begin: int, stop: int) -> int:
    """How many bytes are the same from *start* and *begin* on."""
    most, at, step = min(end - start, stop - begin), 0, COMPARED
    while at < most and step:
        size = min(step, most - at)
        if one[start + at : start + at + size] == other[begin + at : begin + at + size]:
            at += size
        elif size == 1:
            break
        else:
            step = size // 2
    return at


def misread_floats(read: bytes, meant: bytes, dialect: Dialect) -> list[int] | None:
    """Where the floats begin that were meant and are read as the ones next to them, as no spelling is read as them.

    Args:
        read: values as they come out of a text.
        meant: the same as they were to be written into it.
        dialect: how values lie in them.

    Returns:
        Their places; None where anything else is different.

    Raises:
        WrapError: these are no sound values.
    """
    found: list[int] = []
    if len(read) != len(meant):
        return None
    roots, at = tables(read, dialect) if read != meant else [], 0
    while (at := at + common(read, at, len(read), meant, at, len(meant))) < len(read):
        root = roots[bisect_right(roots, at, key=lambda each: each.base) - 1]
        node = root.table.at(at - root.base)
        row, head = root.table.row(node), root.base + root.table.start[node]
        fields = row.fields(root.table.header(node)) if row is not None and row.kind in _NUMBERS else ()
        begin = head + (_HEAD if row is not None and row.kind is Kind.FIXED else _HEAD + _COUNT)
        if at < begin or {field.type for field in fields} != {"f64"}:
            return None
        place = at - (at - begin) % _DOUBLE.size
        (one,), (other,) = _DOUBLE.unpack_from(read, place), _DOUBLE.unpack_from(meant, place)
        if readable(other) != one:
            return None
        found.append(place)
        at = place + _DOUBLE.size
    return found


def is_as_near_as_can_be(read: bytes, meant: bytes, dialect: Dialect) -> bool:
    """Whether values that come out of a text are those that were meant, but for floats that no text can hold."""
    return misread_floats(read, meant, dialect) is not None


def common_end(one: bytes, start: int, end: int, other: bytes, begin: int, stop: int) -> int:
    """How many bytes are the same in front of *end* and *stop*."""
    most, at, step = min(end - start, stop - begin), 0, COMPARED
    while at < most and step:
        size = min(step, most - at)
        if one[end - at - size : end - at] == other[stop - at - size : stop - at]:
            at += size
        elif size == 1:
            break
        else:
            step = size // 2
    return at


def patched(text: bytes, patches: Sequence[tuple[Span, bytes]]) -> bytes:
    """A text with other bytes in some places, which stand apart and in order."""
    out, at = [], 0
    for span, fresh in patches:
        out += [text[at : span.start], fresh]
        at = span.end
    return b"".join((*out, text[at:]))
