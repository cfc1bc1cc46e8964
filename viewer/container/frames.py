"""Frames: where the values of a buffer lie, by their length prefixes or one after another.

This file knows no Variant: what a value is, a :class:`Measure` says. Bytes that no frame claims are gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from viewer.buffer import Buffer
from viewer.container.likely import Progress, likely
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
    """What stands in a stretch of bytes.

    Args:
        size: bytes of a value.
        sound: whether nothing is wrong with them.
        until: how many of them lie before a last value that the bytes end too early for; 0 where that is not so.
        has_words: whether words stand among the first values, which nothing else looks like; asked at once or never.
        beside: what reading them cost beside their bytes, in bytes that could be measured meanwhile.
    """

    size: int
    sound: bool
    until: int = 0
    has_words: Callable[[], bool] = bool
    beside: int = 0

    @property
    def cost(self) -> int:
        """What reading them cost, in bytes that could be measured meanwhile."""
        return self.size + self.beside + TRIAL_COST


Measure = Callable[[Span], Measured]
"""Reads the value at the start of a span of the buffer."""

MIN_VALUE = 4
WEAK_VALUE = 8
CLEAR_VALUE = 16
STRONG_VALUE = 64
LONGEST_CUT = 1 << 24
"""What says that it is longer is hardly the length of a value of which only some bytes are there."""
SLIP = 16
"""A prefix may lie by so many bytes and still be the one of what stands behind it."""
TRIAL_COST = 512
"""What one look at a place costs beside the bytes of the value, in bytes that could be measured meanwhile."""
PLACE_COST = 32
SPARE = 4
"""Besides, one such part of the budget is for values whose prefix reaches beyond the end."""
BUDGET_FACTOR = 1
BUDGET_FLOOR = 1 << 22
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
    return islice(_Stored(buffer, framing.big_endian, measure, budget, progress).cuts(start), most)


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


def prefix(buffer: Buffer, at: int, big_endian: bool) -> int:
    """The length prefix at *at*; 0 where fewer than four bytes are left."""
    word = buffer[at : at + 4]
    return int.from_bytes(word, "big" if big_endian else "little") if len(word) == 4 else 0


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


class _Stored:
    """Length-prefixed frames, foreign bytes between them skipped.

    While frames follow each other, a prefix is believed even when its value is broken, if what follows is a prefix
    again; and a sound value is, whatever its prefix, if a frame follows it. After foreign bytes a value is believed
    that is sound and fills its frame, or that can be read for a while before it breaks within it.
    """

    def __init__(
        self, buffer: Buffer, big_endian: bool, measure: Measure, budget: int | None, progress: Progress | None
    ) -> None:
        self.buffer = buffer
        self.progress = progress
        self.big_endian = big_endian
        self.measure = measure
        self.budget = BUDGET_FACTOR * len(buffer) + BUDGET_FLOOR if budget is None else budget
        self.spare = self.budget // SPARE

    def cuts(self, at: int) -> Iterator[Cut]:
        """All frames of the buffer from *at* on."""
        while at < len(self.buffer):
            found = self._frame(at) or self._slipped(at) or self._mistold(at) or self._cut_off(at) or self._search(at)
            if found is None and at == 0:
                found = self._lying_frame()
            if found is None:
                return
            yield found
            at = found.payload.end

    def _payload(self, at: int) -> Span | None:
        """The payload that the prefix at *at* promises, None where it cannot be."""
        length = prefix(self.buffer, at, self.big_endian)
        if length < MIN_VALUE or length > len(self.buffer) - at - 4:
            return None
        return Span(at + 4, at + 4 + length)

    def _frame(self, at: int, in_step: bool = True) -> Cut | None:
        payload = self._payload(at)
        if payload is None:
            return None
        found = self.measure(payload)
        fills = found.sound and found.size == len(payload)
        if fills and (in_step or len(payload) >= WEAK_VALUE or self._follows(payload.end)):
            return Cut(Span(at, at + 4), payload)
        self.budget -= found.cost
        return Cut(Span(at, at + 4), payload) if in_step and self._follows(payload.end) else None

    def _follows(self, at: int) -> bool:
        """Whether the buffer ends here, or a sound frame begins or one that ends with the buffer."""
        if at == len(self.buffer):
            return True
        payload = self._payload(at)
        if payload is None:
            return False
        if payload.end == len(self.buffer) and len(payload) >= WEAK_VALUE:
            return True
        found = self.measure(payload)
        self.budget -= found.cost
        return found.sound and (found.size == len(payload) or WEAK_VALUE <= found.size < len(payload))

    def _search(self, at: int) -> Cut | None:
        """The next frame from *at* on that makes sense; a broken one where no sound one of its size overlaps it."""
        broken: Cut | None = None
        for place in likely(self.buffer, at, self.progress) if self.budget > 0 else ():
            self.budget -= PLACE_COST
            if broken is not None and place >= broken.payload.end:
                break
            found = self._frame(place, in_step=False)
            if found is not None and (broken is None or 2 * len(found.payload) >= len(broken.payload)):
                return found
            broken = broken or self._broken(place) or self._beyond(place)
            if self.budget <= 0:
                break
        return broken

    def _broken(self, at: int) -> Cut | None:
        """The frame at *at* where its value begins well, and ends or breaks within it however many bytes follow."""
        payload = self._payload(at)
        found = self.measure(payload) if payload is not None and len(payload) >= CLEAR_VALUE else None
        if payload is None or found is None or found.size < max(CLEAR_VALUE, len(payload) // 2 if found.sound else 0):
            return None
        is_short = found.sound and found.has_words()
        if found.size < STRONG_VALUE and not is_short and not self._begins(payload.end):
            return None
        beyond = self.measure(Span(payload.start, min(payload.end + 2 * SLIP, len(self.buffer))))
        self.budget -= found.cost + beyond.cost
        if payload.start + beyond.size <= payload.end + SLIP:
            return Cut(Span(at, at + 4), payload)
        return self._mistold(at, among_others=True)

    def _beyond(self, at: int) -> Cut | None:
        """The frame at *at* whose prefix reaches beyond the end: a value that begins with words, whole or cut off.

        In the other byte order many a number looks like such a prefix.
        """
        length = prefix(self.buffer, at, self.big_endian)
        if self.big_endian or self.spare <= 0 or not len(self.buffer) - at - 4 < length <= LONGEST_CUT:
            return None
        begin = at + 4
        found = self.measure(Span(begin, len(self.buffer)))
        has_words = (found.sound or found.until > 0) and found.has_words()
        self.spare -= found.cost
        end = begin + found.size if found.sound else len(self.buffer)
        return Cut(Span(at, begin), Span(begin, end)) if has_words else None

    def _mistold(self, at: int, among_others: bool = False) -> Cut | None:
        """The frame at *at* where only its prefix lies: a sound value, behind it another frame or nothing.

        Among foreign bytes, which may follow it too, words tell that it is one.
        """
        if self.budget <= 0 or at + 4 + WEAK_VALUE > len(self.buffer):
            return None
        found = self.measure(Span(at + 4, len(self.buffer)))
        has_words = among_others and found.sound and found.has_words()
        self.budget -= found.cost
        end = at + 4 + found.size
        ends = found.sound and (has_words or end == len(self.buffer) or self._begins(end))
        return Cut(Span(at, at + 4), Span(at + 4, end)) if ends else None

    def _slipped(self, at: int) -> Cut | None:
        """The frame at *at* where its prefix lies by a little: bytes of its value were lost or inserted."""
        begin, length = at + 4, prefix(self.buffer, at, self.big_endian)
        if length < WEAK_VALUE or begin >= len(self.buffer) or self.budget < -BUDGET_FLOOR:
            return None
        if -SLIP <= begin + length - len(self.buffer) <= SLIP:
            return self._believed(at, len(self.buffer), WEAK_VALUE)
        near = (begin + length + sign * by for by in range(1, SLIP + 1) for sign in (-1, 1))
        end = next((place for place in near if place > begin and self._begins(place)), None)
        return None if end is None else self._believed(at, end, WEAK_VALUE)

    def _cut_off(self, at: int) -> Cut | None:
        """The frame at *at* that seems to reach beyond the end: up to there, or to one behind where it breaks."""
        begin, length = at + 4, prefix(self.buffer, at, self.big_endian)
        if not length or begin >= len(self.buffer) or begin + length <= len(self.buffer):
            return None
        found = self._believed(at, len(self.buffer), STRONG_VALUE) or (self._last(at) if at else None)
        if found is None or self.budget <= 0:
            return found
        size = self.measure(found.payload).size
        later = self._search(begin + size) if begin + size < len(self.buffer) - STRONG_VALUE else None
        if later is None or (len(later.payload) < STRONG_VALUE and not self._begins(later.payload.end)):
            return found
        return Cut(Span(at, begin), Span(begin, later.span.start))

    def _last(self, at: int) -> Cut | None:
        """The short frame at *at*, where its value is cut off by the end of the buffer."""
        if len(self.buffer) - at < 4 + MIN_VALUE or prefix(self.buffer, at, self.big_endian) > LONGEST_CUT:
            return None
        payload = Span(at + 4, len(self.buffer))
        return Cut(Span(at, at + 4), payload) if self.measure(payload).until else None

    def _believed(self, at: int, end: int, least: int) -> Cut | None:
        """The frame from *at* to *end*, where at least so many bytes of its value can be read."""
        found = self.measure(Span(at + 4, end))
        self.budget -= found.cost
        return Cut(Span(at, at + 4), Span(at + 4, end)) if found.size >= least else None

    def _begins(self, at: int) -> bool:
        """Whether a sound value stands at *at* behind a prefix that tells its length."""
        payload = self._payload(at)
        if payload is None or len(payload) < WEAK_VALUE:
            return False
        found = self.measure(payload)
        self.budget -= found.cost
        return found.sound and found.size == len(payload)

    def _lying_frame(self) -> Cut | None:
        """A file of one value whose prefix does not tell its length: prefix, then all that is there."""
        if len(self.buffer) < 4:
            return None
        return Cut(Span(0, 4), Span(4, len(self.buffer)))
