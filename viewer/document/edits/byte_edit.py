"""Byte edit: what one edit writes, gathered in the bytes as they are before it; counts and length prefixes follow."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import accumulate

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import PREFIX_MAX
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.pieces.framing import Frame
from viewer.document.pieces.message import MessageField
from viewer.document.readers.file_structure import STRINGS, OffsetWords, moved_offsets
from viewer.document.splice import Edit, EditFocus, EditLabel, Move, Splice
from viewer.variant import items
from viewer.variant.dialect import SHARED
from viewer.variant.header import INLINE, INT_MAX

# Fields of a packet that follow an edit of its values: how long they are, and where a path begins behind them.

PATH_BIT = 0x80000000
SIZES = ("size", "data size", "length")
NODE, PATH = "node", "path"
U32_MAX = 0xFFFFFFFF

Growth = Callable[[int, int], int]
"""How many bytes longer what lies in ``start <= offset < end`` becomes."""


def followed(document: Document, growth: Growth) -> Iterator[tuple[Span, bytes]]:
    """The fields that must change with the values, each with its new bytes; nothing for what is no packet.

    Raises:
        EditError: a field cannot hold what it must say.
    """
    for field in document.fields:
        if len(field.span) != 4:
            continue
        raw = bytes(document.buffer[field.span.start : field.span.end])
        new = _path_offset(document, field, raw, growth) if field.name == NODE else None
        if field.name in SIZES:
            new = _size(document, field, raw, growth)
        if new is not None and new != raw:
            yield field.span, new


def _size(document: Document, field: MessageField, raw: bytes, growth: Growth) -> bytes | None:
    """The bytes behind the field are so many; None where it lies, which stays as it is."""
    order = "big" if field.text.endswith("(big-endian)") else "little"
    size = int.from_bytes(raw, order)  # type: ignore[arg-type]
    start = field.span.end
    if start + size > len(document.buffer):
        return None
    size += growth(start, start + size)
    if size > U32_MAX:
        raise EditError("This packet would hold more than 4 GiB.")
    return size.to_bytes(4, order)  # type: ignore[arg-type]


def _path_offset(document: Document, field: MessageField, raw: bytes, growth: Growth) -> bytes | None:
    """The path behind the arguments begins at this offset; None where the node is named by a number."""
    word = int.from_bytes(raw, "little")
    path = next((each for each in document.fields if each.name == PATH and each.span.start > field.span.start), None)
    if not word & PATH_BIT or path is None:
        return None
    moved = word + growth(field.span.end, path.span.start)
    if moved > U32_MAX:
        raise EditError("The path of this packet would begin too far from its start.")
    return moved.to_bytes(4, "little")


OFFSET_SIZE, ONE_BY_ONE, BETWEEN = 8, 256, 256
"""The bytes of an offset; so many of a file are written each by itself, of more those near each other as one run."""
COUNT, ELEMENTS = "count", "elements"
PACKED_HEAD = 8
"""Header and count of a packed array, in bytes."""


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that take the place of a span. An empty span is an insertion.

    Args:
        span, new: where, and which.
        frame: where they lie, -1 for none.
        part: the part of a file in which they lie, where their place alone does not tell it.
    """

    span: Span
    new: bytes
    frame: int
    part: Span | None = None

    @property
    def growth(self) -> int:
        """How many bytes longer the buffer gets."""
        return len(self.new) - len(self.span)


class EditBuilder:
    """Gathers writes and makes one edit of them.

    All offsets are those of the layer before the edit. Writes must not overlap; what is inserted at one offset comes in
    the order in which it was gathered.

    Args:
        document: what is to be changed.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._writes: list[Write] = []
        self._counts: dict[tuple[int, int], int] = defaultdict(int)
        self._growths: dict[tuple[int, int], int] = defaultdict(int)
        self._moves: list[tuple[int, Span]] = []
        self._names: dict[bytes, int] = {}

    def write(self, frame: int, span: Span, new: bytes) -> int:
        """Put *new* in the place of *span*; returns the number of the write."""
        return self.add(Write(span, new, frame))

    def add(self, write: Write) -> int:
        """Gather a write; returns its number."""
        self._writes.append(write)
        return len(self._writes) - 1

    def carry(self, source: Span, source_frame: int, to: int, to_frame: int) -> int:
        """Move the bytes of *source* to offset *to*; returns the number of the write there."""
        number = self.write(to_frame, Span(to, to), self.old(source))
        self._moves.append((number, source))
        self.write(source_frame, source, b"")
        return number

    def carried(self, number: int, source: Span) -> None:
        """Another write takes *source* away: where write *number* put the same bytes, they were moved there."""
        if self._writes[number].new == self.old(source):
            self._moves.append((number, source))

    def count(self, frame: int, node: int, by: int) -> None:
        """The node gets *by* more elements or pairs."""
        self._counts[frame, node] += by

    def grow(self, frame: int, node: int, by: int) -> None:
        """The elements of a packed array take *by* more bytes: its padding follows."""
        self._growths[frame, node] += by

    def named(self, name: bytes) -> bytes:
        """The name of a new property: a text gets a place at the end of the table of strings, if there is one."""
        structure = self._document.structure
        word = int.from_bytes(name[:4], "little")
        if structure is None or structure.names is None or not word & INLINE or len(name) != 4 + (word ^ INLINE):
            return name
        place = self._names.setdefault(name[4:], len(structure.names) + len(self._names))
        return place.to_bytes(4, "little")

    def old(self, span: Span) -> bytes:
        """The bytes of a span as they are before the edit."""
        return bytes(self._document.buffer[span.start : span.end])

    def edit(
        self,
        label: str | EditLabel,
        before: tuple[int, ...] = (),
        after: tuple[int, ...] = (),
        stays: tuple[int, ...] = (),
    ) -> Edit:
        """The edit.

        Args:
            label: what undo calls it.
            before: where the values begin, before it, that are selected once it is taken back.
            after: the numbers of the writes whose values are selected once it is done.
            stays: where values begin, before it, that stay and are selected once it is done.

        Raises:
            EditError: a count or length would leave its range, or writes overlap.
        """
        self._write_counts()
        self._write_names()
        self._write_padding()
        self._write_prefixes()
        self._write_fields()
        self._write_fills()
        self._write_lengths()
        self._write_offsets()
        self._write_checksums()
        order = sorted(range(len(self._writes)), key=self._place)
        there = self._offsets(order)
        selected = (*(there[number] for number in after), *(self._stays(order, offset) for offset in stays))
        focus = EditFocus(before, selected) if before or selected else None
        moves = tuple(Move(source.start, source.end, there[number]) for number, source in self._moves)
        return Edit(label, self._splices(order), "", moves, focus)

    def _place(self, number: int) -> tuple[int, bool, int]:
        """The order of writes: what is inserted at an offset comes before what replaces the bytes there."""
        span = self._writes[number].span
        return span.start, len(span) > 0, number

    def _offsets(self, order: list[int]) -> dict[int, int]:
        """Where the bytes of each write lie after the edit."""
        there, growth = {}, 0
        for number in order:
            there[number] = self._writes[number].span.start + growth
            growth += self._writes[number].growth
        return there

    def _write_counts(self) -> None:
        for (index, node), by in self._counts.items():
            frame = self._document.frames[index]
            part = items.part(frame.table, node, COUNT)
            if part is None:
                raise EditError("The number of elements cannot be read; fix it in the bytes first.")
            word = int.from_bytes(self.old(part.span.shifted(frame.start)), "little")
            number = (word & INT_MAX) + by
            if not 0 <= number <= INT_MAX:
                raise EditError(f"A collection holds from 0 to {INT_MAX} elements.")
            self.write(index, part.span.shifted(frame.start), (number | word & SHARED).to_bytes(4, "little"))
        self._counts.clear()

    def _write_names(self) -> None:
        """New names go to the end of the table of strings."""
        strings = next((field for field in self._document.fields if field.name == STRINGS), None)
        if strings is None or not self._names:
            return
        count = strings.children[0].span
        number = int.from_bytes(self.old(count), "little") + len(self._names)
        self.write(-1, count, number.to_bytes(4, "little"))
        raw = b"".join(len(name).to_bytes(4, "little") + name for name in self._names)
        self.write(-1, Span(strings.span.end, strings.span.end), raw)
        self._names.clear()

    def _write_padding(self) -> None:
        for (index, node), by in self._growths.items():
            if not by:
                continue
            frame = self._document.frames[index]
            elements = items.part(frame.table, node, ELEMENTS)
            size = len(elements.span) if elements is not None else 0
            end = elements.span.end if elements is not None else frame.table.start[node] + PACKED_HEAD
            old = Span(end, frame.table.end(node)).shifted(frame.start)
            if len(old) != -(size + by) % 4:
                self.write(index, old, bytes(-(size + by) % 4))
        self._growths.clear()

    def _write_prefixes(self) -> None:
        growths: dict[int, int] = defaultdict(int)
        for write in self._writes:
            if write.frame >= 0:
                growths[write.frame] += write.growth
        for index, growth in growths.items():
            frame = self._document.frames[index]
            if growth and self._has_true_prefix(frame):
                assert frame.cut.prefix is not None
                length = len(frame.cut.payload) + growth
                if length < 0:
                    raise EditError("More of a value would be removed than there is.")
                if length > PREFIX_MAX:
                    raise EditError("A value with a length prefix takes less than 4 GiB.")
                order = "big" if self._document.framing.big_endian else "little"
                self.write(-1, frame.cut.prefix, length.to_bytes(4, order))  # type: ignore[arg-type]

    def _write_fields(self) -> None:
        """In a packet, what its protocol says of the values follows them."""
        for span, new in list(followed(self._document, self._growth)) if self._document.message is not None else ():
            self.write(-1, span, new)

    def _write_fills(self) -> None:
        """In a file with a structure, bytes that fill the room up to a multiple follow what grows before them."""
        structure = self._document.structure
        for fill in structure.fills if structure is not None else ():
            start, base = (at + self._growth(0, at) for at in (fill.span.start, fill.part.start))
            size = -(start - base) % fill.align
            if size != len(fill.span):
                self.add(Write(fill.span, bytes(size), -1, None if len(fill.span) else fill.part))

    def _write_checksums(self) -> None:
        """In a file with a structure, checksums that were right stay right."""
        structure = self._document.structure
        if structure is None or not structure.checksums or not self._writes:
            return
        from viewer.document.edits.checksum_fixups import WrittenRun, right_checksums  # few files have checksums

        order = sorted(range(len(self._writes)), key=self._place)
        writes = (self._writes[number] for number in order)
        written = [WrittenRun(write.span, write.new, self._home(write)) for write in writes]
        for span, new in list(right_checksums(structure.checksums, self._document.buffer, written)):
            self.write(-1, span, new)

    def _write_lengths(self) -> None:
        """In a file with a structure, numbers elsewhere that say how long something is follow it, the inner first."""
        structure = self._document.structure
        if structure is None or not any(write.growth for write in self._writes):
            return
        for length in sorted(structure.lengths, key=lambda each: len(each.run)):
            run = length.run
            homes = ((self._home(write), write.growth) for write in self._writes if write.growth)
            by = sum(growth for home, growth in homes if run.start <= home.start and home.end <= run.end)
            if not by:
                continue
            try:
                self.write(-1, length.span, length.written(length.says(self.old(length.span)) + by))
            except OverflowError:
                raise EditError("A length in this file cannot hold what it would have to say.") from None

    def _home(self, write: Write) -> Span:
        """Where what is written belongs: to its whole value, or to the field in its place."""
        if write.part is not None:
            return write.part
        return self._document.frames[write.frame].span if write.frame >= 0 else write.span

    def _write_offsets(self) -> None:
        """In a file with a structure, numbers that say where something begins follow it."""
        structure = self._document.structure
        writes = sorted((write.span.end, write.growth) for write in self._writes if write.growth)
        if structure is None or not writes:
            return
        ends = [end for end, _ in writes]
        moved = list(accumulate((growth for _, growth in writes), initial=0))
        gone = [write.span for write in self._writes if len(write.span) and not write.new]
        if (
            isinstance(structure.offsets, OffsetWords)
            and not gone
            and self._write_words(structure.offsets, ends, moved)
        ):
            return
        try:
            changed = list(moved_offsets(structure.offsets, ends, moved, len(self._document.buffer)))
        except OverflowError:
            raise EditError("A number in this file cannot say where something would begin.") from None
        if gone:
            changed = [(at, new) for at, new in changed if not any(span.start <= at < span.end for span in gone)]
        if len(changed) > ONE_BY_ONE:
            changed = list(self._bundled(changed))
        for start, new in changed:
            self.write(-1, Span(start, start + len(new)), new)

    def _write_words(self, words: OffsetWords, ends: list[int], moved: list[int]) -> bool:
        """Write very many numbers that stand in a table as one run; False where they stand otherwise, or are few."""
        try:
            found, now = words.moved(ends, moved, len(self._document.buffer))
        except OverflowError:
            raise EditError("A number in this file cannot say where something would begin.") from None
        if len(found) <= ONE_BY_ONE:
            return False
        first, last = words.starts[found[0]], words.starts[found[-1]] + OFFSET_SIZE
        is_dense = 0 < last - first <= len(found) * (OFFSET_SIZE + BETWEEN)
        if not is_dense or any(first < write.span.end and write.span.start < last for write in self._writes):
            return False
        data = bytearray(self.old(Span(first, last)))
        words.run_of(data, first, found, now)
        self.write(-1, Span(first, last), bytes(data))
        return True

    def _bundled(self, changed: list[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        """Very many numbers that stay where they are: those of a table as one run, with what lies between them."""
        others = sorted(write.span.start for write in self._writes)
        run: list[tuple[int, bytes]] = []
        reached = room = -1
        for start, new in sorted(changed, key=lambda each: each[0]):
            here = bisect_right(others, start)
            if run and (here != room or start - reached > BETWEEN):
                yield self._as_one(run)
                run = []
            room, reached = here, start + len(new)
            run.append((start, new))
        yield self._as_one(run)

    def _as_one(self, run: list[tuple[int, bytes]]) -> tuple[int, bytes]:
        first, (last, end) = run[0][0], run[-1]
        data = bytearray(self.old(Span(first, last + len(end))))
        for start, new in run:
            data[start - first : start - first + len(new)] = new
        return first, bytes(data)

    def _growth(self, start: int, end: int) -> int:
        """How many bytes longer what lies between two offsets becomes."""
        return sum(write.growth for write in self._writes if start <= write.span.start and write.span.end <= end)

    def _has_true_prefix(self, frame: Frame) -> bool:
        return frame.cut.prefix is not None and frame.prefix_is_true(self._document.buffer, self._document.framing)

    def _stays(self, order: list[int], offset: int) -> int:
        """Where a byte lies after the edit that no write takes away."""
        before = (self._writes[number] for number in order if self._writes[number].span.end <= offset)
        return offset + sum(write.growth for write in before)

    def _splices(self, order: list[int]) -> tuple[Splice, ...]:
        """The writes from the last to the first, so that each counts in what the ones before it left; joined."""
        joined: list[tuple[Span, list[bytes]]] = []
        for number in order:
            write = self._writes[number]
            if joined and write.span.start < joined[-1][0].end:
                raise EditError("One of these values is inside another one.")
            if joined and write.span.start == joined[-1][0].end:
                pieces = joined[-1][1]
                pieces.append(write.new)
                joined[-1] = Span(joined[-1][0].start, write.span.end), pieces
            else:
                joined.append((write.span, [write.new]))
        splices = (Splice(span.start, self.old(span), b"".join(new)).trimmed() for span, new in reversed(joined))
        return tuple(splice for splice in splices if splice.removed or splice.inserted)


def replaced(document: Document, frame: int, span: Span, after: bytes, label: str | EditLabel) -> Edit:
    """The edit that replaces a span of a frame's payload and keeps its length prefix true."""
    rework = EditBuilder(document)
    rework.write(frame, span, after)
    return rework.edit(label)
