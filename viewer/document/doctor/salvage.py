"""Salvage: what must change in one broken frame so that an engine reads everything in it that was recovered.

What makes no sense is taken out, a value that is broken becomes null or what is left of it, and counts follow.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from viewer.buffer import u32, window
from viewer.diagnostic import Code, Severity
from viewer.document.doctor.patch import Patch
from viewer.document.framing import Frame
from viewer.span import Span
from viewer.variant.dialect import SHARED, Kind
from viewer.variant.elements import element_size
from viewer.variant.heads import Broken, Head, Heads
from viewer.variant.primitives import U32, encode_text
from viewer.variant.table import NONE, NodeTable

MOST_NODES = 1 << 14
"""More collections around the damage are not looked at."""
MOST_BAD_TEXTS = 64
"""So many times one value is read for bytes in it that are no text."""
LARGEST_LEFT = 1 << 20
"""Of a longer broken value nothing is kept but the numbers of a packed array."""
NIL = bytes(4)
UNREADABLE = b"?"
COLLECTIONS = (Kind.ARRAY, Kind.DICTIONARY)
PACKED_HEAD = 8


class Hopeless(Exception):
    """What is left of the frame cannot be made to read."""


@dataclass(slots=True)
class Salvage:
    """What is done to a frame.

    Args:
        patches: in any order, as offsets in the frame.
        replaced: how many broken values become null, or what is left of them.
        counts: how many counts follow.
    """

    patches: list[Patch] = field(default_factory=list)
    replaced: int = 0
    counts: int = 0

    def put(self, span: Span, new: bytes) -> None:
        """Have *new* in the place of *span*."""
        self.patches.append(Patch(span.start, len(span), new))


def salvage(frame: Frame) -> Salvage:
    """What to do to the payload of a broken frame.

    Raises:
        Hopeless: nothing would make it read.
    """
    return _Work(frame).done()


class _Work:
    def __init__(self, frame: Frame) -> None:
        self.table = frame.table
        self.size = len(frame.cut.payload)
        self.result = Salvage()
        self.broken = {each.node for each in self.table.diagnostics if _tells_damage(each.code, each.severity)}

    def done(self) -> Salvage:
        table, result = self.table, self.result
        if not len(table):
            raise Hopeless
        for gap in table.gaps:
            result.put(gap.span, b"")
        if table.end_of_data < self.size:
            result.put(Span(table.end_of_data, self.size), b"")
        for node in sorted(self._suspects()):
            self._mend(node)
        return result

    def _suspects(self) -> set[int]:
        """The nodes near the damage, and all that hold them."""
        table = self.table
        places = (*table.turns, *(at - 1 for at in table.turns), table.end_of_data - 1)
        near = [table.at(at) for at in places if 0 <= at < table.end_of_data]
        found: set[int] = set()
        for node in (*near, *self.broken, *(gap.owner for gap in table.gaps), *table.assumed):
            while node != NONE and node not in found:
                found.add(node)
                node = table.parent[node]
                if len(found) > MOST_NODES:
                    raise Hopeless
        return found

    def _mend(self, node: int) -> None:
        """Make one node right, if it is not."""
        table = self.table
        head = self._head(node)
        children = table.child_count(node)
        if head is not None and head.end == table.head_end(node):
            if head.children != children:
                self._count(node, Span(head.end - 4, head.end), children)
        elif children:
            self._collection(node, children)
        else:
            self._leaf(node)

    def _head(self, node: int) -> Head | None:
        """The head of a node as an engine reads it, None where it does not."""
        table = self.table
        if node in table.assumed:
            return None
        heads = Heads(window(table.buffer, 0, table.head_end(node)), table.dialect)
        try:
            at = table.start[node]
            head = heads.name(node, at) if table.is_name(node) else heads.read(node, at)
        except Broken:
            return None
        return None if any(each.severity is Severity.ERROR for each in heads.found) else head

    def _count(self, node: int, span: Span, children: int) -> None:
        """Have the count of a collection say how many children are there."""
        shared = u32(self.table.buffer, span.start) & SHARED
        self.result.put(span, U32(self._number(node, children) | shared))
        self.result.counts += 1

    def _number(self, node: int, children: int) -> int:
        """How many elements or pairs so many children are; a last key without a value is given null."""
        if not self.table.has_pairs(node):
            return children
        if children % 2:
            end = self.table.end(self.table.children(node)[-1])
            self.result.put(Span(end, end), NIL)
        return (children + 1) // 2

    def _collection(self, node: int, children: int) -> None:
        """Give a collection whose head is broken another one."""
        row = self.table.row(node)
        if row is None or row.kind not in COLLECTIONS:
            raise Hopeless
        span = Span(self.table.start[node], self.table.head_end(node))
        self.result.put(span, U32(row.number) + U32(self._number(node, children)))
        self.result.counts += 1

    def _leaf(self, node: int) -> None:
        """Put what is left of a broken value in its place."""
        table = self.table
        span = table.span(node)
        self.result.replaced += 1
        if table.is_name(node):
            self.result.put(span, encode_text(self._name(node)))
        elif _is_key(table, node):
            named = U32(table.dialect.type_number("String")) + encode_text(self._name(node))
            self.result.put(span, _without_bad_bytes(table, span) or named)
        elif not self._keep_elements(node, span):
            self.result.put(span, _without_bad_bytes(table, span) or NIL)

    def _keep_elements(self, node: int, span: Span) -> bool:
        """Have a packed array of numbers end with its last whole element; False where it is something else."""
        row = self.table.row(node)
        if row is None or row.kind is not Kind.PACKED or len(span) < PACKED_HEAD:
            return False
        begin, size = span.start + PACKED_HEAD, element_size(row, self.table.header(node))
        count = (span.end - begin) // size
        self.result.put(Span(begin - 4, begin), U32(count))
        self.result.put(Span(begin + count * size, span.end), bytes(-count * size % 4))
        return True

    def _name(self, node: int) -> str:
        """A key that no other is likely to equal."""
        return f"damaged {self.table.start[node]:X}"


def _tells_damage(code: Code, severity: Severity) -> bool:
    return severity is Severity.ERROR or code is Code.VALUE_DAMAGED


def _is_key(table: NodeTable, node: int) -> bool:
    return bool(node) and table.index(node) % 2 == 0 and table.has_pairs(table.parent[node])


def _without_bad_bytes(table: NodeTable, span: Span) -> bytes | None:
    """A value with a question mark for each byte that is no text, None where more is wrong with it."""
    if len(span) > LARGEST_LEFT:
        return None
    copy = bytearray(table.buffer[span.start : span.end])
    for _ in range(MOST_BAD_TEXTS):
        heads = Heads(copy, table.dialect)
        try:
            end = heads.read(0, 0).end
        except Broken:
            return None
        errors = [each for each in heads.found if each.severity is Severity.ERROR]
        if not errors:
            return bytes(copy) if end == len(copy) else None
        if any(each.code is not Code.BAD_UTF8 for each in errors):
            return None
        for each in errors:
            copy[each.span.start : each.span.end] = UNREADABLE * len(each.span)
    return None
