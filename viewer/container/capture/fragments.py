"""Fragments: datagrams put together from the IP packets that carry their parts, in bounded memory."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from viewer.container.capture.ip import LARGEST, IpPacket
from viewer.container.capture.record import Record
from viewer.container.capture.tally import Skip, Tally

MOST_BYTES = 1 << 24
MOST_DATAGRAMS = 4096
LONGEST_WAIT = 30 * 1_000_000_000
"""Nanoseconds after its first fragment when a datagram is given up, as hosts do."""


class Joined(NamedTuple):
    """A datagram put together.

    Args:
        number: the frame that completed it, the last one seen where it is incomplete.
        record: that frame.
        packet: the IP packet of that frame; its addresses and protocol are the datagram's.
        data: the bytes from the start on, up to the first that is missing.
        size: how many there are when it is whole, as far as known.
    """

    number: int
    record: Record
    packet: IpPacket
    data: bytes
    size: int


@dataclass(slots=True)
class _Datagram:
    """The parts of a datagram so far.

    Args:
        began: time of its first fragment.
        data: the bytes, zero where none came yet.
        starts, ends: the runs that came, in order, without touching each other.
        total: its size, -1 until the last fragment came.
        hole: the first byte that a cut fragment lacks.
        frames: how many fragments came.
        last: the frame that came last.
        broken: whether fragments contradict each other.
    """

    began: int
    data: bytearray = field(default_factory=bytearray)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    total: int = -1
    hole: int = LARGEST
    frames: int = 0
    last: tuple[int, Record, IpPacket] | None = None
    broken: bool = False

    @property
    def complete(self) -> bool:
        """Whether every fragment came."""
        return self.total >= 0 and self.starts == [0] and self.ends[0] >= self.total

    def add(self, offset: int, size: int, part: bytes, more: bool) -> None:
        """Put in a fragment that says it has *size* bytes, of which *part* were captured."""
        end = offset + size
        if not more:
            self.broken = self.broken or self.total not in (-1, end)
            self.total = end
        if end > LARGEST or (self.total >= 0 and max(end, self.ends[-1] if self.ends else 0) > self.total):
            self.broken = True
        if self.broken or not size:
            return
        if len(part) < size:
            self.hole = min(self.hole, offset + len(part))
        self._put(offset, part, end)
        self._mark(offset, end)

    def joined(self) -> Joined | None:
        """The bytes from the start on; None where the start is missing or fragments contradict each other."""
        if self.broken or self.last is None or not self.starts or self.starts[0]:
            return None
        size = self.total if self.total >= 0 else self.ends[-1]
        return Joined(*self.last, bytes(self.data[: min(self.ends[0], self.hole)]), size)

    def _put(self, offset: int, part: bytes, end: int) -> None:
        if len(self.data) < end:
            self.data.extend(bytes(end - len(self.data)))
        for at in range(bisect_right(self.ends, offset), bisect_left(self.starts, end)):
            low, high = max(offset, self.starts[at]), min(offset + len(part), self.ends[at], self.hole)
            if low < high and self.data[low:high] != part[low - offset : high - offset]:
                self.broken = True
                return
        self.data[offset : offset + len(part)] = part

    def _mark(self, start: int, end: int) -> None:
        first, past = bisect_left(self.ends, start), bisect_right(self.starts, end)
        if first < past:
            start, end = min(start, self.starts[first]), max(end, self.ends[past - 1])
        self.starts[first:past] = [start]
        self.ends[first:past] = [end]


class Fragments:
    """Holds the datagrams that are not whole yet.

    Args:
        tally: is told what never became whole.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._waiting: dict[tuple[bytes, bytes, int, int], _Datagram] = {}
        self._bytes = 0

    def add(self, number: int, record: Record, packet: IpPacket) -> Iterator[Joined]:
        """Take a fragment; gives the datagrams that it completes or that have waited too long."""
        assert packet.fragment is not None
        identity, offset, more = packet.fragment
        yield from self._expired(record.time)
        protocol = packet.protocol if len(packet.source) == 4 else -1  # only the first one of version 6 tells it
        key = (packet.source, packet.target, protocol, identity)
        datagram = self._waiting.setdefault(key, _Datagram(record.time))
        before = len(datagram.data)
        datagram.frames += 1
        if protocol == -1 and offset and datagram.last:
            packet = packet._replace(protocol=datagram.last[2].protocol)
        datagram.last = (number, record, packet)
        size = packet.end - packet.start
        datagram.add(offset, size, record.data[packet.start : packet.end], more)
        self._bytes += len(datagram.data) - before
        if datagram.complete and not datagram.broken:
            yield from self._give(key)
        while self._bytes > MOST_BYTES or len(self._waiting) > MOST_DATAGRAMS:
            yield from self._give(next(iter(self._waiting)))

    def finish(self) -> Iterator[Joined]:
        """What can be shown of the datagrams that are still not whole."""
        while self._waiting:
            yield from self._give(next(iter(self._waiting)))

    def _expired(self, now: int) -> Iterator[Joined]:
        while self._waiting:
            key, datagram = next(iter(self._waiting.items()))
            if abs(now - datagram.began) <= LONGEST_WAIT:
                return
            yield from self._give(key)

    def _give(self, key: tuple[bytes, bytes, int, int]) -> Iterator[Joined]:
        datagram = self._waiting.pop(key)
        self._bytes -= len(datagram.data)
        joined = datagram.joined()
        if joined is None:
            self._tally.skip(Skip.OVERLAP if datagram.broken else Skip.FRAGMENT, frames=datagram.frames)
            return
        self._tally.incomplete += len(joined.data) < joined.size or not datagram.complete
        yield joined
