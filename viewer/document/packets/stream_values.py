"""Cut the bytes of a TCP connection into values: where one begins, and how its length was told."""

from __future__ import annotations

from enum import Enum

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.pieces.framing import is_sound
from viewer.variant.dialect import available
from viewer.variant.scan import scan

PREFIX = 4
LEAST = PREFIX + 4
LONGEST_VALUE = 1 << 24
"""A longer value is not believed."""
MOST_SEARCHED = 1 << 20
"""Bytes that are held back while the next value is looked for, and the longest one that is found by looking."""
TYPES = 64
"""No dialect has so many."""
EFFORT = 64
"""So many bytes may be scanned for each byte of the stream while values are looked for."""
LITTLE, BIG = False, True


class StreamCutKind(Enum):
    """What a cut is."""

    VALUE = "value"
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class StreamCut:
    """A piece of a stream.

    Args:
        sort: a value with its length in front, or something else.
        span: where in the direction's bytes.
        data: its bytes, the length included.
        big_endian: the byte order of the length.
        missing: how many bytes of it never came.
    """

    sort: StreamCutKind
    span: Span
    data: bytes
    big_endian: bool = LITTLE
    missing: int = 0


class _Fit(Enum):
    NO = 0
    WAIT = 1
    YES = 2
    BROKEN = 3
    """The length fits, and the value in it does not."""


class ValueCutter:
    """Cuts one direction of a stream as its bytes come.

    Args:
        trusted: whether what looks like a length is one, though its value is broken; no to find out whether there
            are values at all.
    """

    def __init__(self, trusted: bool = True) -> None:
        self._trusted = trusted
        self._dialects = list(available())
        self._bytes = bytearray()
        self._start = 0
        self._searched = 0
        self._wanted = 0
        self._synced = True
        self._big = LITTLE
        self._effort = 0
        self.values = 0
        self._last = Span(-1, 0)
        self._proven = False

    @property
    def held(self) -> int:
        """How many bytes wait for more."""
        return len(self._bytes)

    @property
    def is_proven(self) -> bool:
        """Whether there are values, beyond doubt: one right at the start that says something, or two in a row."""
        return self._proven

    @property
    def waits_for(self) -> int:
        """How many bytes there must be for the next value, 0 where none is in sight."""
        return self._wanted if self._synced else 0

    def feed(self, data: bytes, lost: int = 0) -> list[StreamCut]:
        """Take the next bytes of the stream, before which *lost* are missing."""
        found = self._lose(lost) if lost else []
        self._bytes += data
        self._effort += EFFORT * len(data)
        if len(self._bytes) >= max(LEAST, self._wanted):
            self._cut(found)
        return found

    def finish(self) -> list[StreamCut]:
        """What is left when nothing more comes."""
        found: list[StreamCut] = []
        if not self._bytes:
            return found
        big = self._order(0) if self._synced else None
        values = self.values
        self._final(found)
        if big is not None and self.values == values:  # no value lies further on: this one was cut off
            data = bytes(self._bytes)
            found = [
                StreamCut(
                    StreamCutKind.VALUE, self._span(0, len(data)), data, big, max(0, self._size(0, big) - len(data))
                )
            ]
        self._bytes.clear()
        return found

    def _final(self, found: list[StreamCut]) -> None:
        """Look once more, and wait for nothing."""
        at = 0
        while at < len(self._bytes):
            place = self._next(at, final=True)
            if place is None:
                break
            begin, size, big = place
            self._raw(at, begin, found)
            self._value(begin, size, big, found)
            at = begin + size
        self._raw(at, len(self._bytes), found)

    # One step

    def _cut(self, found: list[StreamCut]) -> None:
        at = 0
        self._wanted = 0
        while len(self._bytes) - at >= LEAST:
            step = self._synced_step(at, found) if self._synced else self._search_step(at, found)
            if step == 0:
                break
            at += step
        self._drop(at)

    def _synced_step(self, at: int, found: list[StreamCut]) -> int:
        """A value where one should begin; how many bytes it takes, 0 to wait for more."""
        for big in (self._big, not self._big):
            fit = self._fit(at, big)
            size = self._size(at, big)
            if fit is _Fit.WAIT:
                self._wanted = at + size
                return 0
            if fit is _Fit.YES or (fit is _Fit.BROKEN and self._trusted and self.values and self._follows(at + size)):
                self._value(at, size, big, found)
                return size
        self._synced, self._searched = False, at
        return self._search_step(at, found)

    def _search_step(self, at: int, found: list[StreamCut]) -> int:
        """Anything up to the next value; how many bytes it takes, 0 to wait for more."""
        place = self._next(max(at, self._searched))
        if place is not None:
            begin, size, big = place
            if begin > at:
                self._raw(at, begin, found)
            self._value(begin, size, big, found)
            self._synced, self._searched = True, 0
            return begin + size - at
        if len(self._bytes) - at < MOST_SEARCHED:
            return 0
        end = len(self._bytes) - LEAST
        self._raw(at, end, found)
        self._searched = self._wanted = 0
        return end - at

    def _next(self, at: int, final: bool = False) -> tuple[int, int, bool] | None:
        """Place, size and byte order of the next value from *at* on; None to wait for more bytes, or for no value."""
        last = len(self._bytes) - LEAST
        while at <= last:
            for big in (self._big, not self._big):
                size = self._size(at, big)
                fit = self._fit(at, big) if size <= MOST_SEARCHED else _Fit.NO
                if fit is _Fit.YES:
                    return at, size, big
                if fit is _Fit.WAIT and not final:
                    self._wanted = at + size
                    return None
            at += 1
            self._searched = at
        return None

    # What fits

    def _size(self, at: int, big: bool) -> int:
        return PREFIX + int.from_bytes(self._bytes[at : at + PREFIX], "big" if big else "little")

    def _order(self, at: int) -> bool | None:
        """The byte order in which a length can stand here, None where none can."""
        if len(self._bytes) - at < LEAST:
            return None
        return next((big for big in (self._big, not self._big) if self._is_likely(at, big)), None)

    def _is_likely(self, at: int, big: bool) -> bool:
        """Whether a length and a header can stand here."""
        size = self._size(at, big)
        return (
            LEAST <= size <= LONGEST_VALUE
            and not size & 3
            and self._bytes[at + 4] < TYPES
            and not self._bytes[at + 5]
            and self._bytes[at + 7] == 0
        )

    def _fit(self, at: int, big: bool) -> _Fit:
        """Whether a value with its length stands here."""
        if not self._is_likely(at, big):
            return _Fit.NO
        size = self._size(at, big)
        if len(self._bytes) - at < size:
            return _Fit.WAIT
        if size > self._effort:
            return _Fit.NO
        value = bytes(self._bytes[at + PREFIX : at + size])
        for place, dialect in enumerate(self._dialects):
            self._effort -= size
            table = scan(value, dialect)
            if is_sound(table) and table.end_of_data == len(value):
                if place:  # the one that fitted last is tried first
                    self._dialects.insert(0, self._dialects.pop(place))
                return _Fit.YES
        return _Fit.BROKEN

    def _follows(self, at: int) -> bool:
        """Whether the bytes end here, or another value may begin."""
        return at == len(self._bytes) or self._order(at) is not None

    # What is found

    def _span(self, start: int, end: int) -> Span:
        return Span(self._start + start, self._start + end)

    def _value(self, at: int, size: int, big: bool, found: list[StreamCut]) -> None:
        self._big = big
        self.values += 1
        found.append(StreamCut(StreamCutKind.VALUE, self._span(at, at + size), bytes(self._bytes[at : at + size]), big))
        span, last = found[-1].span, self._last
        self._proven = self._proven or (span.start == last.end and (size > LEAST or last.start >= 0))
        self._last = span

    def _raw(self, start: int, end: int, found: list[StreamCut]) -> None:
        if end > start:
            found.append(StreamCut(StreamCutKind.RAW, self._span(start, end), bytes(self._bytes[start:end])))

    def _drop(self, size: int) -> None:
        del self._bytes[:size]
        self._start += size
        self._wanted = max(0, self._wanted - size)
        self._searched = max(0, self._searched - size)

    def _lose(self, lost: int) -> list[StreamCut]:
        """Give what is held, and look for a value behind the loss."""
        held = len(self._bytes)
        found = self.finish()
        self._start += held + lost
        self._synced, self._searched, self._wanted = False, 0, 0
        return found
