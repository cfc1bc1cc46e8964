"""Frames: where the values of a buffer lie, by their length prefixes or one after another.

This file knows no Variant: what a value is, a :class:`Measure` says. Bytes that no frame claims are gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import islice

from viewer.base.buffer import Buffer
from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frame_scanner import MIN_VALUE, Cut, FrameScanner, Measure, prefix


class FramingKind(Enum):
    """How values follow each other."""

    STORED = "stored"
    BARE = "bare"
    CONCATENATED = "concatenated"


@dataclass(frozen=True, slots=True)
class Framing:
    """A way to cut a buffer into frames; *big_endian* speaks of the length prefixes only."""

    kind: FramingKind
    big_endian: bool = False

    @property
    def label(self) -> str:
        """The name for a person: ``stored``, ``stored, big-endian``, ``bare``, ``concatenated``."""
        return f"{self.kind.value}, big-endian" if self.big_endian else self.kind.value


STORED = Framing(FramingKind.STORED)
STORED_BIG = Framing(FramingKind.STORED, big_endian=True)
BARE = Framing(FramingKind.BARE)
CONCATENATED = Framing(FramingKind.CONCATENATED)

MOST_FRAMES = 1 << 18
"""So many frames are cut, since each takes memory of its own. What lies behind them stays a gap."""
FILL = 1 << 12
"""So many zeros in a row are no values."""


def cut(
    buffer: Buffer,
    framing: Framing,
    measure: Measure,
    budget: int | None = None,
    most: int = MOST_FRAMES,
    start: int = 0,
    progress: Progress | None = None,
) -> Iterator[Cut]:
    """Cut *buffer* into frames, one at a time.

    Args:
        buffer: the layer's bytes.
        framing: how values follow each other.
        measure: reads the value at the start of a span.
        budget: how many bytes may be measured in vain in search of a frame behind foreign bytes, none for no search;
            by default some times the buffer's size, so that hostile bytes cannot make the search quadratic.
        most: how many frames are cut at most.
        start: where to begin: the start of the buffer, or the end of a frame of it.
        progress: told now and then how far the search has come; returning False ends it.

    Returns:
        The frames in order; they do not overlap, and may leave gaps.
    """
    if not len(buffer):
        return iter(())
    if framing.kind is FramingKind.BARE:
        return iter((Cut(None, Span(0, len(buffer))),))
    if framing.kind is FramingKind.CONCATENATED:
        return islice(_concatenated(buffer, measure, start), most)
    return islice(FrameScanner(buffer, framing.big_endian, measure, budget, progress).cuts(start), most)


def chain(buffer: Buffer, big_endian: bool, limit: int = 1 << 20) -> tuple[int, bool]:
    """Follow length prefixes from the start without looking at the values.

    Returns:
        How many frames follow each other, and whether the last one ends exactly where the buffer does.
    """
    at, count = 0, 0
    while at < len(buffer) and count < limit:
        length = prefix(buffer, at, big_endian)
        if length < MIN_VALUE or length > len(buffer) - at - 4:
            return count, False
        at += 4 + length
        count += 1
    return count, at == len(buffer)


def _concatenated(buffer: Buffer, measure: Measure, at: int) -> Iterator[Cut]:
    """Values one after another; the first broken one keeps the rest, and a long run of zeros is no row of nulls."""
    while at < len(buffer):
        found = measure(Span(at, len(buffer)))
        if not found.sound:
            if at == 0 or found.size:
                yield Cut(None, Span(at, len(buffer)))
            return
        if found.size == MIN_VALUE and _is_fill(buffer, at):
            return
        yield Cut(None, Span(at, at + found.size))
        at += found.size


def _is_fill(buffer: Buffer, at: int) -> bool:
    """Whether so many zeros stand at *at* that they are room kept free, which would make as many frames as words."""
    return bytes(buffer[at : at + FILL]) == bytes(FILL)
