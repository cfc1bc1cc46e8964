"""Salvage: what must change in one broken frame so that an engine reads everything in it that was recovered.

What makes no sense is taken out, a value that is broken becomes null or what is left of it, and counts follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from viewer.base.buffer import Buffer, u32, window
from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.base.record import dataclass, field
from viewer.base.span import Span
from viewer.base.words import counted
from viewer.container.frames import FramingKind
from viewer.document.doctor.candidate import Patch, growth, mended, splices, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.ranking import samples
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.repair_context import ReadGuess, RepairContext, WorkBudget, frame, stand
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame
from viewer.document.splice import Edit
from viewer.variant.dialect import SHARED, Kind
from viewer.variant.elements import element_size
from viewer.variant.header import Head, HeaderBroken, HeaderParser
from viewer.variant.primitives import U32, encode_text
from viewer.variant.table import NONE, NodeTable

MOST_NODES = 1 << 14
"""More collections around the damage are not looked at."""
MOST_ROUNDS = 64
"""So many times one value is read for bytes in it that are no text; each time one of each text is found."""
HEAD, ROUND = 4, 256
"""What it costs to read a byte with all checks, where all is well and where texts are broken."""
MOST_KEYS = 1 << 12
"""Among more keys none is kept that was mended: it might equal another one."""
NIL = bytes(4)
UNREADABLE = b"?"
PACKED_HEAD = 8
LONGEST_SIGN = 4
"""Bytes of a character in UTF-8."""
LONE_SURROGATE = re.compile(b"\xed[\xa0-\xbf][\x80-\xbf]")


class CannotSalvage(Exception):
    """What is left of the frame cannot be made to read."""


@dataclass(slots=True)
class Salvage:
    """What is done to a frame.

    Args:
        patches: in any order, as offsets in the frame.
        removed: bytes that make no sense, and go.
        replaced: how many broken values become null, or what is left of them.
        lost: bytes of these.
        counts: how many counts follow.
    """

    patches: list[Patch] = field(default_factory=list)
    removed: int = 0
    replaced: int = 0
    lost: int = 0
    counts: int = 0

    def put(self, span: Span, new: bytes) -> None:
        """Have *new* in the place of *span*."""
        self.patches.append(Patch(span.start, len(span), new))

    def remove(self, span: Span) -> None:
        """Take *span* out."""
        self.put(span, b"")
        self.removed += len(span)


def salvage(frame: Frame, meter: WorkBudget) -> Salvage:
    """What to do to the payload of a broken frame.

    Raises:
        Hopeless: nothing would make it read, or it would take too long to find out.
    """
    return _Work(frame, meter).done()


def nothing_left(frame: Frame) -> Salvage:
    """A null in the place of all that is in a frame."""
    size = len(frame.cut.payload)
    return Salvage([Patch(0, size, NIL)], replaced=1, lost=size)


def is_refused(found: Diagnostic, buffer: Buffer) -> bool:
    """Whether an engine refuses something for what this tells, but not for a lone surrogate: engines write those."""
    if found.severity is not Severity.ERROR:
        return False
    return (
        found.code is not Code.BAD_UTF8 or LONE_SURROGATE.match(buffer[found.span.start : found.span.start + 3]) is None
    )


def is_damaged(table: NodeTable) -> bool:
    """Whether an engine refuses a value for something else than its depth, which is no damage."""
    return any(is_refused(each, table.buffer) and each.code is not Code.TOO_DEEP for each in table.diagnostics)


class _Work:
    def __init__(self, frame: Frame, meter: WorkBudget) -> None:
        self.table = frame.table
        self.size = len(frame.cut.payload)
        self.meter = meter
        self.result = Salvage()
        self.broken = {each.node for each in self.table.diagnostics if _tells_damage(each.code, each.severity)}
        self.keys: set[tuple[int, bytes]] = set()

    def done(self) -> Salvage:
        table, result = self.table, self.result
        if not len(table):
            raise CannotSalvage
        for gap in table.gaps:
            result.remove(gap.span)
        if table.end_of_data < self.size:
            result.remove(Span(table.end_of_data, self.size))
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
                    raise CannotSalvage
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
        table, end = self.table, self.table.head_end(node)
        if node in table.assumed:
            return None
        self._charge(HEAD * (end - table.start[node]))
        heads = HeaderParser(window(table.buffer, 0, end), table.dialect)
        try:
            head = _read(heads, table.start[node], table.is_name(node))
        except HeaderBroken:
            return None
        return None if any(is_refused(each, table.buffer) for each in heads.found) else head

    def _charge(self, work: int) -> None:
        self.meter.charge(work)
        if self.meter.spent:
            raise CannotSalvage

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
        span = Span(self.table.start[node], self.table.head_end(node))
        mended = None if node in self.table.assumed else self._without_bad_bytes(node, span, children)
        if mended is not None:
            self.result.put(span, mended)
        elif row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY):
            self.result.put(span, U32(row.number) + U32(self._number(node, children)))
            self.result.counts += 1
        else:
            raise CannotSalvage

    def _leaf(self, node: int) -> None:
        """Put what is left of a broken value in its place."""
        table = self.table
        span = table.span(node)
        self.result.replaced += 1
        if self._keep_elements(node, span):
            return
        left = self._without_bad_bytes(node, span, 0)
        self.result.lost += len(span) if left is None else 0
        named = table.is_name(node) or _is_key(table, node)
        self.result.put(span, self._named(node, left) if named else left or NIL)

    def _named(self, node: int, left: bytes | None) -> bytes:
        """A key or name that no other equals: what is left of it, or where it stood."""
        table, parent = self.table, self.table.parent[node]
        others = [key for key in table.children(parent)[::2] if key != node]
        may_stay = left is not None and len(others) < MOST_KEYS and (parent, left) not in self.keys
        if may_stay and all(bytes(table.buffer[table.start[key] : table.end(key)]) != left for key in others):
            assert left is not None
            self.keys.add((parent, left))
            return left
        name = encode_text(f"damaged {table.start[node]:X}")
        return name if table.is_name(node) else U32(table.dialect.type_number("String")) + name

    def _keep_elements(self, node: int, span: Span) -> bool:
        """Have a packed array of numbers end with its last whole element; False where it is something else."""
        row = self.table.row(node)
        if row is None or row.kind is not Kind.PACKED or len(span) < PACKED_HEAD or _is_key(self.table, node):
            return False
        begin, size = span.start + PACKED_HEAD, element_size(row, self.table.header(node))
        count = (span.end - begin) // size
        self.result.put(Span(begin - 4, begin), U32(count))
        end = begin + count * size
        self.result.put(Span(end, span.end), bytes((begin - end) % 4))
        self.result.lost += span.end - end
        return True

    def _without_bad_bytes(self, node: int, span: Span, children: int) -> bytes | None:
        """A value or head with a question mark for each byte that is no text.

        None where more is wrong with it, or another number of values would follow than do.
        """
        table = self.table
        cost = ROUND * len(span)
        if cost > self.meter.left // 2:
            return None
        copy = bytearray(table.buffer[span.start : span.end])
        for _ in range(MOST_ROUNDS + 1):
            if cost > self.meter.left:
                return None
            self._charge(cost)
            heads = HeaderParser(copy, table.dialect)
            try:
                head = _read(heads, 0, table.is_name(node))
            except HeaderBroken:
                return None
            errors = [each for each in heads.found if is_refused(each, copy)]
            if not errors:
                return bytes(copy) if head.end == len(span) and head.children == children else None
            if any(each.code is not Code.BAD_UTF8 for each in errors):
                return None
            for each in errors:
                bad = _no_sign(copy, each.span)
                copy[bad.start : bad.end] = UNREADABLE * len(bad)
        return None


def _no_sign(raw: bytearray, found: Span) -> Span:
    """The bytes that are no text: the sign before the place of an error, where that is not whole."""
    for size in range(1, LONGEST_SIGN):
        begun = bytes(raw[max(0, found.start - size) : found.start])
        if begun[:1] >= b"\xc0" and len(begun) == size:
            try:
                begun.decode("utf-8", "surrogatepass")
            except UnicodeDecodeError:
                return Span(found.start - size, found.start)
        if not b"\x80" <= begun[:1] < b"\xc0":
            break
    return found


def _read(heads: HeaderParser, at: int, named: bool) -> Head:
    return heads.name(0, at) if named else heads.read(0, at)


def _tells_damage(code: Code, severity: Severity) -> bool:
    return severity is Severity.ERROR or code is Code.VALUE_DAMAGED


def _is_key(table: NodeTable, node: int) -> bool:
    return bool(node) and table.index(node) % 2 == 0 and table.has_pairs(table.parent[node])


# Amid: broken values among a game's own bytes, each looked at as if it were alone with its length before it.

MOST_FRAMES = 4
MOST_COPIED = 1 << 20
"""Of more bytes only one broken value is looked at, and only as long as its length says: each ground has a copy."""
MOVES = (1, -1, 2, -2, 3, -3)
"""So many bytes earlier the end of a broken one may lie, since as many were lost; later, where they were inserted."""


def grounds_amid(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[RepairContext, bool]]:
    """Where to look, and whether the end of the value was moved: then bytes must have been lost or inserted."""
    if not document.gaps or document.framing.kind is not FramingKind.STORED:
        return
    way = ReadGuess(document.dialect, document.framing)
    is_short = len(data) <= MOST_COPIED
    broken = (each for each in document.frames if _is_broken(document, each))
    for each in islice(broken, MOST_FRAMES if is_short else 1):
        last = each.span.end if is_damaged(each.table) else each.start + each.table.end_of_data
        for move in (0, *MOVES) if is_short else (0,):
            end = last - move
            if each.start < end <= len(data):
                part = data[:end]
                yield stand(part, way, meter, frame(part, each.span.start, way, meter)), bool(move)


def _is_broken(document: Document, each: Frame) -> bool:
    return is_damaged(each.table) or each.gap is not None or not each.prefix_is_true(document.buffer, document.framing)


# Rescue: where nothing brings the bytes back, what would keep the rest: a file that reads, without what is broken.

CONFIDENCE = 0.1
"""It explains nothing; it comes behind what does."""
LEAST_KEPT = 0.5
"""If no more of the bytes than this would stay, there is nothing to keep."""
RESCUE_MOST_FRAMES, MOST_BROKEN = 1 << 14, 1 << 8
LABEL = "Keep what reads"
NOTE = "Look for an older copy first: what is removed here is lost."


def rescue(document: Document, data: bytes, meter: WorkBudget) -> Repair | None:
    """The repair that takes out what makes no sense, None where the rest would not read then, or is not worth it."""
    frames = document.frames
    if document.framing.kind is FramingKind.CONCATENATED or not 0 < len(frames) <= RESCUE_MOST_FRAMES:
        return None
    broken = list(islice((frame for frame in frames if is_damaged(frame.table)), MOST_BROKEN + 1))
    if not broken or len(broken) > MOST_BROKEN:
        return None
    found = {frame.start: _salvaged(frame, data, meter) for frame in broken}
    lost = sum(done.removed + done.lost for done in found.values())
    unread = (frame.gap for frame in frames if frame.start not in found and frame.gap is not None)
    around = sum(len(gap) for gap in (*document.gaps, *unread))
    if lost + around >= (1 - LEAST_KEPT) * len(data):
        return None
    patches = tuple(sorted(patch for frame in frames for patch in _patches(document, frame, found.get(frame.start))))
    prefixes = {frame.cut.prefix.start for frame in frames if frame.cut.prefix}
    reason = _reason(list(found.values()), lost, around, len(data))
    before, after = samples(data, tuple(patch for patch in patches if patch.at not in prefixes))
    edit = Edit(LABEL, splices(data, patches))
    keeps_all = all(done.counts and not (done.removed or done.replaced) for done in found.values())
    note = "" if keeps_all else NOTE
    return Repair(Cause.DAMAGED, Cause.DAMAGED.sentence, reason, CONFIDENCE, edit, None, note, before, after)


def _salvaged(frame: Frame, data: bytes, meter: WorkBudget) -> Salvage:
    """What is done to a broken frame: after it, its value reads to its last byte."""
    try:
        done = salvage(frame, meter)
    except CannotSalvage:
        return nothing_left(frame)
    size = len(frame.cut.payload) + growth(done.patches)
    after = mended(data, tuple(sorted(patch.shifted(frame.start) for patch in done.patches)), frame.start)
    table = meter.scan(after, 0, size, frame.table.dialect)
    return nothing_left(frame) if is_damaged(table) or table.end_of_data != size else done


def _patches(document: Document, frame: Frame, found: Salvage | None) -> Iterator[Patch]:
    """What is done to a frame, as offsets in the layer: what is broken in it, and the length before it."""
    patches = [] if found is None else found.patches
    yield from (patch.shifted(frame.start) for patch in patches)
    if frame.cut.prefix:
        grown = growth(patches)
        if grown or not frame.prefix_is_true(document.buffer, document.framing):
            yield word(frame.cut.prefix.start, len(frame.cut.payload) + grown, document.framing.big_endian)


def _reason(found: list[Salvage], lost: int, around: int, size: int) -> str:
    """What goes, what becomes something else, and how much stays."""
    removed, replaced = sum(each.removed for each in found), sum(each.replaced for each in found)
    counts = sum(each.counts for each in found)
    done = [
        f"{count_bytes(removed)} that make{'s' * (removed == 1)} no sense go{'es' * (removed == 1)}" if removed else "",
        f"null or a stand-in takes the place of {counted(replaced, 'broken value')}" if replaced else "",
        f"{counted(counts, 'count')} {_are(counts)} corrected" if counts else "",
    ]
    share = f", {min(99.9, 100 * (size - lost) / size):.3g} % of the bytes," if lost else ""
    kept = f"the rest{share}" if lost or replaced or not counts else "all of it"
    rest = f" The {count_bytes(around)} around the values stay as they are." if around else ""
    return f"Once {_joined([each for each in done if each])}, {kept} reads.{rest}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _joined(parts: list[str]) -> str:
    """The parts as a list in a sentence; something is always done, if only to texts."""
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts) or "texts are repaired"
