"""Frames: where the values of a buffer lie, by their length prefixes or one after another.

This file knows no Variant: what a value is, a :class:`Measure` says. Bytes that no frame claims are gaps.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from viewer.span import Span


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


@dataclass(frozen=True, slots=True)
class Cut:
    """One frame: its length prefix, None where it has none, and its payload; offsets in the buffer."""

    prefix: Span | None
    payload: Span

    @property
    def span(self) -> Span:
        """Prefix and payload together."""
        return Span(self.prefix.start if self.prefix else self.payload.start, self.payload.end)


@dataclass(frozen=True, slots=True)
class Measured:
    """What stands in a stretch of bytes: *size* bytes of a value, *sound* when nothing is wrong with them."""

    size: int
    sound: bool


Measure = Callable[[Span], Measured]
"""Reads the value at the start of a span of the buffer."""

MIN_VALUE = 4
WEAK_VALUE = 8
TRIAL_COST = 64
BUDGET_FACTOR = 8
BUDGET_FLOOR = 1 << 20
LIKELY = {
    False: re.compile(rb"(?=(?!\0\0\0\0)[\0-\xff][\0-\xff]{3}[\0-\x3f][\0-\xff][\0-\x0f]\0)", re.DOTALL),
    True: re.compile(rb"(?=(?!\0\0\0\0)[\0-\xff]{4}[\0-\x3f][\0-\xff][\0-\x0f]\0)", re.DOTALL),
}
"""Where a prefix and a value's header may stand: a type number below 64, few flags."""


def cut(buffer: bytes, framing: Framing, measure: Measure, budget: int | None = None) -> list[Cut]:
    """Cut *buffer* into frames.

    Args:
        buffer: the layer's bytes.
        framing: how values follow each other.
        measure: reads the value at the start of a span.
        budget: how many bytes may be measured in search of a frame behind foreign bytes; by default some times the
            buffer's size, so that hostile bytes cannot make the search quadratic.

    Returns:
        The frames in order; they do not overlap, and may leave gaps.
    """
    if not buffer:
        return []
    if framing.kind is FramingKind.BARE:
        return [Cut(None, Span(0, len(buffer)))]
    if framing.kind is FramingKind.CONCATENATED:
        return _concatenated(buffer, measure)
    return _Stored(buffer, framing.big_endian, measure, budget).cuts()


def chain(buffer: bytes, big_endian: bool, limit: int = 1 << 20) -> tuple[int, bool]:
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


def prefix(buffer: bytes, at: int, big_endian: bool) -> int:
    """The length prefix at *at*; 0 where fewer than four bytes are left."""
    word = buffer[at : at + 4]
    return int.from_bytes(word, "big" if big_endian else "little") if len(word) == 4 else 0


def _concatenated(buffer: bytes, measure: Measure) -> list[Cut]:
    """Values one after another; the first broken one keeps the rest."""
    cuts: list[Cut] = []
    at = 0
    while at < len(buffer):
        found = measure(Span(at, len(buffer)))
        if not found.sound:
            if not cuts or found.size:
                cuts.append(Cut(None, Span(at, len(buffer))))
            return cuts
        cuts.append(Cut(None, Span(at, at + found.size)))
        at += found.size
    return cuts


class _Stored:
    """Length-prefixed frames, foreign bytes between them skipped.

    While frames follow each other, a prefix is believed even when its value is broken, if what follows is a prefix
    again. After foreign bytes only a sound value that fills its frame is.
    """

    def __init__(self, buffer: bytes, big_endian: bool, measure: Measure, budget: int | None) -> None:
        self.buffer = buffer
        self.big_endian = big_endian
        self.measure = measure
        self.budget = BUDGET_FACTOR * len(buffer) + BUDGET_FLOOR if budget is None else budget

    def cuts(self) -> list[Cut]:
        """All frames of the buffer."""
        out: list[Cut] = []
        at, in_step = 0, True
        while at < len(self.buffer):
            found = self._frame(at, in_step)
            if found is not None:
                out.append(found)
                at, in_step = found.payload.end, True
                continue
            if in_step and at == 0 and not out:
                found = self._lying_frame()
            following = self._next_likely(at + 1)
            if found is not None and following >= len(self.buffer):
                return [found]
            at, in_step = following, False
        return out

    def _payload(self, at: int) -> Span | None:
        """The payload that the prefix at *at* promises, None where it cannot be."""
        length = prefix(self.buffer, at, self.big_endian)
        if length < MIN_VALUE or length > len(self.buffer) - at - 4:
            return None
        return Span(at + 4, at + 4 + length)

    def _frame(self, at: int, in_step: bool) -> Cut | None:
        payload = self._payload(at)
        if payload is None:
            return None
        found = self.measure(payload)
        self.budget -= 0 if in_step else found.size + TRIAL_COST
        fills = found.sound and found.size == len(payload)
        whole = Cut(Span(at, at + 4), payload)
        if fills and (in_step or len(payload) >= WEAK_VALUE or self._follows(payload.end)):
            return whole
        return whole if in_step and self._follows(payload.end) else None

    def _follows(self, at: int) -> bool:
        """Whether the buffer ends here or a sound frame begins."""
        if at == len(self.buffer):
            return True
        payload = self._payload(at)
        if payload is None or self.budget <= 0:
            return False
        found = self.measure(payload)
        self.budget -= found.size + TRIAL_COST
        return found.sound and found.size <= len(payload)

    def _next_likely(self, at: int) -> int:
        """The next offset where a frame that makes sense begins, or the end."""
        for match in LIKELY[self.big_endian].finditer(self.buffer, at):
            if self.budget <= 0:
                break
            if self._frame(match.start(), in_step=False):
                return match.start()
        return len(self.buffer)

    def _lying_frame(self) -> Cut | None:
        """A file of one value whose prefix does not tell its length: prefix, then all that is there."""
        if len(self.buffer) < 4:
            return None
        return Cut(Span(0, 4), Span(4, len(self.buffer)))
