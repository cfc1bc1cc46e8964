"""Frames: where the values of a buffer lie, by their length prefixes or one after another.

Nothing here knows a Variant: what a value is, a :class:`Measure` says. Bytes that no frame claims are gaps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import islice

from viewer.base.buffer import STRETCH, Buffer, window
from viewer.base.late_pattern import late_pattern
from viewer.base.progress import Progress
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span

# Likely places: where a length prefix and a value behind it may begin in foreign bytes.


LIKELY = late_pattern(rb"\0(?<=(?!\0{4})[\0-\xff]{4}[\0-\x3f][\0-\xff][\0-\x0f]\0)", re.DOTALL)
"""The last byte of what may be a prefix and a value's header: a type number below 64, few flags.

It looks for the zero first, which is found much faster than a class of bytes.
"""
LIKELY_SIZE = 8
LONGEST_STRETCH = 1 << 20
ZEROS = bytes(LONGEST_STRETCH + LIKELY_SIZE)


def is_header(buffer: Buffer, at: int) -> bool:
    """Whether the word at *at* may be a value's header: a type number below 64, few flags."""
    word = bytes(buffer[at : at + 4])
    return len(word) == 4 and word[0] < 0x40 and word[2] < 0x10 and not word[3]


def likely(buffer: Buffer, at: int, progress: Progress | None) -> Iterator[int]:
    """Offsets from *at* on where a prefix and a header may stand; runs of zeros, in which none can, cost little."""
    source, size = window(buffer), STRETCH
    while at < len(source):
        if progress is not None and not progress(at):
            return
        stretch = source[at : at + size + LIKELY_SIZE - 1]
        if stretch[0] or stretch[-1] or not ZEROS.startswith(bytes(stretch)):
            for match in LIKELY.finditer(stretch):
                yield at + match.end() - LIKELY_SIZE
        at, size = at + size, min(2 * size, LONGEST_STRETCH)  # the next place is mostly near


# Measurement: what cuts a buffer into frames asks about its bytes, and what it gives.

MIN_VALUE = 4
PREFIX_MAX = 0xFFFFFFFF
"""The largest length that a prefix can tell."""
TRIAL_COST = 512
"""What one look at a place costs beside the bytes of the value, in bytes that could be measured meanwhile."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One frame: its length prefix, None where it has none, and its payload; offsets in the buffer.

    *searched* says that bytes far behind it may be the reason why it was found.
    """

    prefix: Span | None
    payload: Span
    searched: bool = field(default=False, compare=False)

    @property
    def span(self) -> Span:
        """Prefix and payload together."""
        return Span(self.prefix.start if self.prefix else self.payload.start, self.payload.end)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What stands in a stretch of bytes.

    Args:
        size: bytes of a value.
        sound: whether nothing is wrong with them.
        until: how many of them lie before a last value that the bytes end too early for; 0 where that is not so.
        has_words: whether words stand among the first values, which nothing else looks like; asked at once or never.
        beside: what reading them cost beside their bytes, in bytes that could be measured meanwhile.
        promised: how many bytes a value without parts says that it takes, however many are there; 0 for others;
            asked at once or never, too.
    """

    size: int
    sound: bool
    until: int = 0
    has_words: Callable[[], bool] = bool
    beside: int = 0
    promised: Callable[[], int] = int

    @property
    def cost(self) -> int:
        """What reading them cost, in bytes that could be measured meanwhile."""
        return self.size + self.beside + TRIAL_COST


Measure = Callable[[Span], Measurement]
"""Reads the value at the start of a span of the buffer."""


def prefix(buffer: Buffer, at: int, big_endian: bool) -> int:
    """The length prefix at *at*; 0 where fewer than four bytes are left."""
    word = buffer[at : at + 4]
    return int.from_bytes(word, "big" if big_endian else "little") if len(word) == 4 else 0


WEAK_VALUE = 8
CLEAR_VALUE = 16
STRONG_VALUE = 64
LONG_VALUE = 1 << 10
"""Bytes of a value: so few may be anything; so many tell of one where a frame follows; where none does; and where the
value is broken and its length reaches beyond the end, if words are in it."""
LONGEST_CUT = 1 << 24
"""What says that it is longer is hardly the length of a value of which only some bytes are there."""
LONGEST_TEXT = 64
"""Texts of so many bytes are looked for that end in what seems to be a prefix, or stand behind one."""
SLIP = 16
"""A prefix may lie by so many bytes and still be the one of what stands behind it."""
PLACE_COST = 32
INSIDE = 8
"""One such part of the budget is for sound frames inside a broken one."""
SPARE = 4
"""Besides, one such part of the budget is for values whose prefix reaches beyond the end."""
BUDGET_FACTOR = 1
BUDGET_FLOOR = 1 << 22


class FrameScanner:
    """Length-prefixed frames, foreign bytes between them skipped.

    While frames follow each other, a prefix is believed even when its value is broken, if what follows is a prefix
    again; and a sound value is, whatever its prefix, if a frame follows it. After foreign bytes a value is believed
    that is sound and fills its frame, or that can be read for a while before it breaks within it; one whose prefix lies
    or stands not there at all is for the words in it.
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
            found = self._frame(at)
            if found is None:
                found = (
                    self._behind_line(at)
                    or self._slipped(at)
                    or self._mistold(at)
                    or self._cut_off(at)
                    or self._search(at)
                )
                if found is None and at == 0:
                    found = self._lying_frame()
                if found is None:
                    return
                found = replace(found, searched=True)
            yield found
            at = found.payload.end

    def _payload(self, at: int) -> Span | None:
        """The payload that the prefix at *at* promises, None where it cannot be."""
        length = prefix(self.buffer, at, self.big_endian)
        if length < MIN_VALUE or length > len(self.buffer) - at - 4:
            return None
        return Span(at + 4, at + 4 + length)

    def _frame(self, at: int) -> Cut | None:
        """The frame at *at*, sound or with a frame behind it."""
        payload = self._payload(at)
        if payload is None:
            return None
        found = self.measure(payload)
        if found.sound and found.size == len(payload):
            return _stored(payload)
        self.budget -= found.cost
        if found.size <= MIN_VALUE and self._is_words(payload):
            return None
        return _stored(payload) if self._follows(payload.end) else None

    def _is_words(self, payload: Span) -> bool:
        """Whether all of these bytes are a text, which a game stores with its length before it; no value is one."""
        if len(payload) > LONGEST_TEXT:
            return False
        try:
            text = bytes(self.buffer[payload.start : payload.end]).decode()
        except UnicodeDecodeError:
            return False
        return all(sign.isprintable() or sign in "\t\n\r" for sign in text)

    def _behind_line(self, at: int) -> Cut | None:
        """The frame behind a line of text at *at*, as a game stores its version; no prefix looks like one."""
        end = at + bytes(self.buffer[at : at + LONGEST_TEXT]).find(b"\n") + 1
        payload = self._payload(end) if end > at and self._is_words(Span(at, end)) else None
        return _stored(payload) if payload is not None and self._stands_alone(payload, self.measure(payload)) else None

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
        least = 0
        for place in likely(self.buffer, at, self.progress) if self.budget > 0 else ():
            self.budget -= PLACE_COST
            if self.budget <= least or (broken is not None and place >= broken.payload.end):
                break
            payload = self._payload(place)
            if payload is None:
                broken = broken or self._beyond(place)
            elif broken is None or 2 * len(payload) >= len(broken.payload):
                found = self.measure(payload)
                if self._stands_alone(payload, found):
                    return _stored(payload)
                broken = broken or self._broken(payload, found)
            if broken is not None and not least:
                least = self.budget - max(0, self.budget) // INSIDE
        return broken

    def _stands_alone(self, payload: Span, found: Measurement) -> bool:
        """Whether a sound value fills its frame, and not by chance: foreign zeros look like small ones."""
        fills = found.sound and found.size == len(payload)
        if fills and (len(payload) >= WEAK_VALUE or self._follows(payload.end)):
            return True
        self.budget -= found.cost
        return False

    def _broken(self, payload: Span, found: Measurement) -> Cut | None:
        """The frame of a value that begins well, and ends or breaks within it however many bytes follow."""
        if len(payload) < CLEAR_VALUE or found.size < max(CLEAR_VALUE, len(payload) // 2 if found.sound else 0):
            return None
        has_words = found.has_words()
        if found.size < STRONG_VALUE and not (found.sound and has_words) and not self._begins(payload.end):
            return None
        behind = Span(payload.end, min(payload.end + 2 * SLIP, len(self.buffer)))
        if has_words and not any(self.buffer[behind.start : behind.end]):
            self.budget -= found.cost
            return _stored(payload)  # zeros would be taken for nulls, however many are promised
        beyond = self.measure(Span(payload.start, behind.end))
        self.budget -= found.cost + beyond.cost
        if payload.start + beyond.size <= payload.end + SLIP:
            return _stored(payload)
        return self._mistold(payload.start - 4, among_others=True)

    def _beyond(self, at: int) -> Cut | None:
        """The frame at *at* whose prefix reaches beyond the end: a value with words in it, whole, cut off or long.

        In the other byte order many a number looks like such a prefix.
        """
        length = prefix(self.buffer, at, self.big_endian)
        if self.big_endian or self.spare <= 0 or not len(self.buffer) - at - 4 < length <= LONGEST_CUT:
            return None
        begin = at + 4
        found = self.measure(Span(begin, len(self.buffer)))
        has_words = (found.sound or found.until > 0 or found.size >= LONG_VALUE) and found.has_words()
        self.spare -= found.cost
        end = begin + found.size if found.sound else len(self.buffer)
        return self._among_others(Span(begin, end), found.size) if has_words else None

    def _among_others(self, payload: Span, size: int) -> Cut:
        """The frame of a value that is believed for its words, without a prefix where none stands before it."""
        return Cut(None, payload) if self._is_inside(payload.start - 4, size) else _stored(payload)

    def _is_inside(self, at: int, size: int) -> bool:
        """Whether what seems to be a prefix is the count in a value that reaches as far, or the end of a text."""
        if at < 4:
            return False
        end = at + len(bytes(self.buffer[at : at + 4]).rstrip(b"\0"))
        starts = (start for start in range(at, max(3, at - LONGEST_TEXT), -4) if self._is_text(start, end))
        if next(starts, -1) >= 0:
            return True
        if not is_header(self.buffer, at - 4):
            return False
        found = self.measure(Span(at - 4, len(self.buffer)))
        return found.size > size or found.until > WEAK_VALUE

    def _is_text(self, start: int, end: int) -> bool:
        """Whether a text with its length before it lies in these bytes."""
        if prefix(self.buffer, start - 4, False) != end - start:
            return False
        try:
            return bytes(self.buffer[start:end]).decode().isprintable()
        except UnicodeDecodeError:
            return False

    def _mistold(self, at: int, among_others: bool = False) -> Cut | None:
        """The frame at *at* where only its prefix lies: a sound value, behind it another frame or nothing.

        Among foreign bytes, which may follow it too, words tell that it is one. A null is rather the upper half of a
        number of 64 bits.
        """
        if self.budget <= 0 or at + 4 + WEAK_VALUE > len(self.buffer):
            return None
        found = self.measure(Span(at + 4, len(self.buffer)))
        has_words = among_others and found.sound and found.has_words()
        self.budget -= found.cost
        end = at + 4 + found.size
        if has_words:
            return self._among_others(Span(at + 4, end), found.size)
        is_clear = found.size > MIN_VALUE and (found.size > WEAK_VALUE or self._is_near(at, found.size))
        ends = found.sound and is_clear and (end == len(self.buffer) or self._begins(end))
        return _stored(Span(at + 4, end)) if ends else None

    def _slipped(self, at: int) -> Cut | None:
        """The frame at *at* where its prefix lies by a little: bytes of its value were lost or inserted."""
        begin, length = at + 4, prefix(self.buffer, at, self.big_endian)
        if length < WEAK_VALUE or begin >= len(self.buffer) or self.budget < -BUDGET_FLOOR:
            return None
        beyond = begin + length - len(self.buffer)
        if beyond > SLIP:
            return None
        if beyond >= -SLIP:
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
        return _stored(Span(begin, later.span.start))

    def _last(self, at: int) -> Cut | None:
        """The short frame at *at*, where its value is cut off by the end of the buffer."""
        if len(self.buffer) - at < 4 + MIN_VALUE or prefix(self.buffer, at, self.big_endian) > LONGEST_CUT:
            return None
        payload = Span(at + 4, len(self.buffer))
        found = self.measure(payload)
        return _stored(payload) if found.until and self._agrees(at, found) else None

    def _agrees(self, at: int, found: Measurement) -> bool:
        """Whether a value promises about as many bytes as the prefix at *at*; foreign numbers seldom do."""
        promised = found.promised()
        return not promised or self._is_near(at, promised)

    def _is_near(self, at: int, size: int) -> bool:
        """Whether the prefix at *at* tells about this size."""
        return abs(size - prefix(self.buffer, at, self.big_endian)) <= SLIP

    def _believed(self, at: int, end: int, least: int) -> Cut | None:
        """The frame from *at* to *end*, where at least so many bytes of its value can be read."""
        found = self.measure(Span(at + 4, end))
        self.budget -= found.cost
        return _stored(Span(at + 4, end)) if found.size >= least and self._agrees(at, found) else None

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
        return _stored(Span(4, len(self.buffer)))


def _stored(payload: Span) -> Cut:
    """The frame of a payload, with the prefix that stands before it."""
    return Cut(Span(payload.start - 4, payload.start), payload)


# Framing: the ways in which values follow each other.


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
