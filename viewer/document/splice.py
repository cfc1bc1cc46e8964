"""Splices and edits: every change is bytes replaced by bytes, and knows its way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from viewer.base.buffer import Buffer, in_memory
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.words import counted
from viewer.container.frames import Framing
from viewer.document.disk.paged import BufferPiece, HeldBytes, Paged, Splicer

if TYPE_CHECKING:  # most edits change no text
    from viewer.document.wraps import Wraps

MANY = 1 << 24
"""Copying more bytes than these takes longer than a person should wait after a key."""
MOST_COMPARED = 1 << 20
"""Bytes that are compared in one go."""


@dataclass(frozen=True, slots=True)
class Splice:
    """*removed* at *offset* becomes *inserted*."""

    offset: int
    removed: bytes
    inserted: bytes

    @property
    def growth(self) -> int:
        """How many bytes longer the buffer gets."""
        return len(self.inserted) - len(self.removed)

    @property
    def inverse(self) -> Splice:
        """The splice that takes this one back."""
        return Splice(self.offset, self.inserted, self.removed)

    def trimmed(self) -> Splice:
        """The same change without the bytes that stay the same at both ends."""
        old, new = self.removed, self.inserted
        last, end = len(old), len(new)
        shorter = min(last, end)
        head = _most(shorter, lambda low, size: old[low:size] == new[low:size])
        tail = _most(shorter - head, lambda low, size: old[last - size : last - low] == new[end - size : end - low])
        return Splice(self.offset + head, old[head : last - tail], new[head : end - tail])


def _most(most: int, is_same: Callable[[int, int], bool]) -> int:
    """How many bytes are the same, *most* at most; no byte is looked at often.

    Args:
        most: how many there are.
        is_same: whether those are, of which so many come before, up to so many.
    """
    low, high, step = 0, most, 64
    while low < high:
        size = min(low + step, high)
        if is_same(low, size):
            low, step = size, min(step * 4, MOST_COMPARED)
        else:
            high, step = size - 1, max(step // 16, 1)
    return low


@dataclass(frozen=True, slots=True)
class Move:
    """Bytes that an edit carries elsewhere: ``start <= offset < end`` before it lie from *to* on after it."""

    start: int
    end: int
    to: int

    @property
    def inverse(self) -> Move:
        """The move that takes this one back."""
        return Move(self.to, self.to + self.end - self.start, self.start)


@dataclass(frozen=True, slots=True)
class EditFocus:
    """Where the values begin that are selected before and after an edit, in the layer; the current one first."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def inverse(self) -> EditFocus:
        """What is selected before and after the edit is taken back."""
        return EditFocus(self.after, self.before)

    def leaving(self, start: int) -> EditFocus:
        """The same where the value at *start* was the current one: alone, if it is none of those selected before."""
        before = self.before if start in self.before else ()
        return EditFocus((start, *(other for other in before if other != start)), self.after)


@dataclass(frozen=True, slots=True)
class EditLabel:
    """What undo calls an edit, put into words when it is read.

    History keeps it: *values* tell what was so when the edit was made, and hold no document.

    Args:
        text: the words, with a gap for each value as :meth:`str.format` writes it.
        values: numbers, texts, and what becomes a text by :class:`str`.
    """

    text: str
    values: tuple[object, ...]

    def __str__(self) -> str:
        return self.text.format(*self.values)


@dataclass(frozen=True, slots=True)
class CountLabel:
    """A number of things in a label: ``3 bytes``."""

    number: int
    unit: str

    def __str__(self) -> str:
        return counted(self.number, self.unit)


@dataclass(frozen=True, slots=True)
class Edit:
    """A labelled group of splices, one step for undo. Each splice counts in the buffer that the one before it left.

    Args:
        words: what undo calls it.
        splices: what it writes.
        merge: edits that may grow together while a person types: consecutive ones with the same name do.
        moves: which of the bytes are only carried elsewhere.
        focus: what it selects, None to leave that as it is.
        framing: how values follow each other before and after it, None where that stays.
        bases: the wraps with the text that the values were read from before and after it, None where that stays.
        readings: whether the values before and after it are the very ones that those texts were read to.
    """

    words: str | EditLabel
    splices: tuple[Splice, ...]
    merge: str = ""
    moves: tuple[Move, ...] = ()
    focus: EditFocus | None = None
    framing: tuple[Framing, Framing] | None = None
    bases: tuple[Wraps, Wraps] | None = None
    readings: tuple[bool, bool] = (False, False)

    @property
    def label(self) -> str:
        """What undo calls it."""
        return str(self.words)

    @property
    def does_something(self) -> bool:
        """Whether there is anything to do: a text may change though its values stay."""
        return bool(self.splices) or self.bases is not None

    @property
    def inverse(self) -> Edit:
        """The edit that takes this one back."""
        return Edit(
            self.words,
            tuple(splice.inverse for splice in reversed(self.splices)),
            self.merge,
            tuple(move.inverse for move in self.moves),
            self.focus and self.focus.inverse,
            self.framing and self.framing[::-1],
            self.bases and self.bases[::-1],
            self.readings[::-1],
        )

    def then(self, other: Edit) -> Edit:
        """Both as one step, under this one's label."""
        bases, splices = joined_bases((self, other)), self.splices + other.splices
        readings = (self.readings[0], other.readings[1])
        return Edit(self.words, splices, other.merge, bases=bases, readings=readings)


def joined_bases(edits: Iterable[Edit]) -> tuple[Wraps, Wraps] | None:
    """The wraps with the text before and after several edits, one after the other."""
    bases = [edit.bases for edit in edits if edit.bases is not None]
    return (bases[0][0], bases[-1][1]) if bases else None


def applied(buffer: Buffer, splices: Iterable[Splice]) -> Buffer:
    """The buffer after the splices: bytes are copied once for all of them, many bytes and a paged buffer not at all.

    Raises:
        ValueError: a splice does not find the bytes that it removes.
    """
    splices = tuple(splices)
    if not splices:
        return buffer
    if in_memory(buffer) and len(buffer) > MANY:
        buffer = Paged(HeldBytes(buffer))
    if isinstance(buffer, Paged):
        return Paged(buffer.source, _spliced(buffer.splicer(splices[0].offset), splices, buffer.joined))
    data = bytes(buffer[:])
    whole = [BufferPiece(0, len(data), data)] if data else []
    return _joined(_spliced(Splicer.of(whole), splices, _joined))


def _spliced(
    splicer: Splicer, splices: Iterable[Splice], join: Callable[[list[BufferPiece]], bytes]
) -> list[BufferPiece]:
    for splice in splices:
        gone = splicer.replace(splice.offset, len(splice.removed), splice.inserted)
        if join(gone) != splice.removed:
            raise ValueError(f"The bytes at {splice.offset} are not those that this edit replaces.")
    return splicer.pieces()


def _joined(pieces: list[BufferPiece]) -> bytes:
    return b"".join(piece.data for piece in pieces)


def moved(offset: int, splices: Iterable[Splice]) -> int:
    """Where a byte lies after the splices; one that was removed moves to where its replacement begins."""
    for splice in splices:
        end = splice.offset + len(splice.removed)
        if offset >= end:
            offset += splice.growth
        elif offset >= splice.offset:
            offset = min(offset, splice.offset + max(0, len(splice.inserted) - 1))
    return offset


def kept(offset: int, splices: Iterable[Splice]) -> int | None:
    """Where a byte lies after the splices, None where it was taken away."""
    for splice in splices:
        if offset >= splice.offset + len(splice.removed):
            offset += splice.growth
        elif offset >= splice.offset:
            return None
    return offset


def kept_runs(size: int, splices: Sequence[Splice]) -> list[tuple[Span, int]]:
    """The bytes that splices leave as they are, in order: where they lie now, and how far from where they lay.

    Args:
        size: the length of the buffer before the splices.
        splices: each counts in the buffer that the one before it left.
    """
    runs = [(Span(0, size), 0)]
    for splice in splices:
        end, out = splice.offset + len(splice.removed), []
        for span, by in runs:
            if span.start < splice.offset:
                out.append((Span(span.start, min(span.end, splice.offset)), by))
            if span.end > end:
                out.append((Span(max(span.start, end), span.end).shifted(splice.growth), by + splice.growth))
        runs = out
    return runs


def landed(offset: int, splices: Iterable[Splice], moves: Iterable[Move]) -> int | None:
    """Where a byte lies after an edit, carried or not; None where it was taken away."""
    for move in moves:
        if move.start <= offset < move.end:
            return offset - move.start + move.to
    return kept(offset, splices)


def touched(splices: Iterable[Splice]) -> list[Span]:
    """The spans that the splices wrote, as they lie afterwards, sorted and joined. A deletion leaves an empty span."""
    spans: list[Span] = []
    falling: list[Splice] = []
    for splice in splices:
        if falling and splice.offset + len(splice.removed) > falling[-1].offset:
            spans, falling = joined(_over(spans, falling)), []
        falling.append(splice)
    return joined(_over(spans, falling))


def _over(spans: list[Span], falling: list[Splice]) -> Iterator[Span]:
    """Sorted spans after splices of which each lies before the one before it, and what these wrote; in one pass."""
    at = growth = reached = 0
    for splice in reversed(falling):
        end = splice.offset + len(splice.removed)
        while at < len(spans) and spans[at].start < splice.offset:
            yield from _between(spans[at], reached, splice.offset, growth)
            if spans[at].end > splice.offset:
                break
            at += 1
        if splice.inserted or splice is falling[-1]:
            start = splice.offset + growth
            yield Span(start, start + len(splice.inserted))
        while at < len(spans) and spans[at].end <= end:
            at += 1
        growth, reached = growth + splice.growth, end
    for span in spans[at:]:
        yield from _between(span, reached, span.end, growth)


def _between(span: Span, low: int, high: int, growth: int) -> Iterator[Span]:
    """The part of a span from *low* to *high*, moved; nothing where it is empty."""
    start, end = max(span.start, low), min(span.end, high)
    if start < end:
        yield Span(start + growth, end + growth)


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans sorted, touching and overlapping ones made one."""
    out: list[Span] = []
    for span in sorted(spans):
        if out and span.start <= out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return out
