"""Checksums in a file with a structure: those that were right stay right, whatever an edit writes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.readers.checksums import PIECE, ChecksumWord, checksum

MOST_NESTED = 256
"""So many checksums over other ones are put in an order in which each counts what is written."""


@dataclass(frozen=True, slots=True)
class WrittenRun:
    """Bytes that an edit writes.

    Args:
        span: what they take the place of.
        new: they.
        home: the value or field that they belong to: what is put in at its end lies in it.
    """

    span: Span
    new: bytes
    home: Span


def right_checksums(
    words: Sequence[ChecksumWord], buffer: Buffer, writes: Sequence[WrittenRun]
) -> Iterator[tuple[Span, bytes]]:
    """The checksums that change: where each stands, with its new bytes.

    Args:
        words: all of the file.
        buffer: its bytes before the edit.
        writes: what the edit writes, in the order of the bytes.
    """
    written = list(writes)
    for word in _inner_first(words):
        span = word.span
        inside = _inside(written, word.run)
        is_set = any(each.span.start < span.end and span.start < each.span.end for each in _near(written, span))
        if not inside or is_set or bytes(buffer[span.start : span.end]) != word.over(buffer):
            continue
        if word.run.start <= span.start and span.end <= word.run.end:
            inside = sorted([*inside, (span, bytes(len(span)))], key=lambda each: (each[0].start, each[0].end))
        new = checksum(word.kind, _pieces(buffer, word.run, inside), word.big_endian)
        if new != bytes(buffer[span.start : span.end]):
            yield span, new
            place = bisect_left(written, span.start, key=lambda each: each.span.start)
            written.insert(place, WrittenRun(span, new, span))


def _inner_first(words: Sequence[ChecksumWord]) -> Iterator[ChecksumWord]:
    """The checksums, those that lie in the run of another one before that."""
    starts = sorted(word.span.start for word in words)

    def holds_others(word: ChecksumWord) -> bool:
        count = bisect_left(starts, word.run.end) - bisect_left(starts, word.run.start)
        return count > (word.run.start <= word.span.start < word.run.end)

    nested = [word for word in words if holds_others(word)]
    yield from (word for word in words if not holds_others(word))
    while nested and len(nested) <= MOST_NESTED:
        free = (word for word in nested if not any(_lies_in(other, word) for other in nested if other is not word))
        word = next(free, nested[0])
        nested.remove(word)
        yield word
    yield from sorted(nested, key=lambda word: len(word.run))


def _lies_in(inner: ChecksumWord, outer: ChecksumWord) -> bool:
    return outer.run.start <= inner.span.start < outer.run.end


def _near(written: Sequence[WrittenRun], run: Span) -> Iterator[WrittenRun]:
    """What is written between two offsets, or right at them."""
    place = max(0, bisect_left(written, run.start, key=lambda each: each.span.start) - 1)
    while place < len(written) and written[place].span.start <= run.end:
        yield written[place]
        place += 1


def _inside(written: Sequence[WrittenRun], run: Span) -> list[tuple[Span, bytes]]:
    """What is written inside a run; of what reaches beyond it, the part that lies in it."""
    found = []
    for each in _near(written, run):
        span, new = each.span, each.new
        if run.start <= each.home.start and each.home.end <= run.end:
            found.append((span, new))
        elif span.start < run.end and run.start < span.end and len(new) == len(span):
            start, end = max(span.start, run.start), min(span.end, run.end)
            found.append((Span(start, end), new[start - span.start : end - span.start]))
    return found


def _pieces(buffer: Buffer, run: Span, changes: Sequence[tuple[Span, bytes]]) -> Iterator[bytes]:
    """The bytes of a run as they are after the edit."""
    at = run.start
    for span, new in changes:
        yield from _stretches(buffer, at, span.start)
        yield new
        at = max(at, span.end)
    yield from _stretches(buffer, at, run.end)


def _stretches(buffer: Buffer, start: int, end: int) -> Iterator[bytes]:
    for at in range(start, end, PIECE):
        yield bytes(buffer[at : min(at + PIECE, end)])
