"""TCP streams: the bytes of each direction of a connection in order, whatever became of the segments on their way."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from viewer.base.record import dataclass, field
from viewer.container.wire import Captured, Endpoint, TcpMarks, Transport

MOST_WAITING = 1 << 22
"""Memory that one direction holds back for bytes that never came; then the gap is skipped."""
MOST_SEGMENTS = 4096
MOST_WAITING_IN_ALL = 1 << 26
MOST_CONNECTIONS = 1 << 14
SEGMENT_COST = 512
"""What a waiting segment takes beside its bytes."""
FAR = 1 << 20
"""So far from where an ended direction stopped, bytes belong to another connection."""
_HALF, _MASK = 1 << 31, (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes of one direction that follow those given before.

    Args:
        connection: its number, from 0 on; ports used again make a new one.
        captured: the segment that the bytes came in: its number, time and ends.
        to_server: whether they went to the end that was called; None where the capture began later.
        offset: bytes of this direction before them, lost ones included.
        data: the bytes; empty where there is only an end or a loss to tell.
        lost: how many bytes right before them were never captured.
        ended: whether nothing more follows.
    """

    connection: int
    captured: Captured
    to_server: bool | None
    offset: int
    data: bytes
    lost: int = 0
    ended: bool = False


class _Segment(NamedTuple):
    """A segment that waits; the order breaks ties, so that two are never compared by what they hold."""

    offset: int
    order: int
    captured: Captured


@dataclass(slots=True)
class _Direction:
    """What one end sent so far.

    Args:
        base: sequence number of the byte at offset 0, -1 before anything came.
        opened: whether its SYN was seen.
        offset: of the next byte.
        lost: bytes lost right before it, not yet told.
        end: offset behind the last byte, -1 until the end is known.
        ended: whether the end was told.
        waiting: segments that lie further on.
        held: what they take.
    """

    base: int = -1
    opened: bool = False
    offset: int = 0
    lost: int = 0
    end: int = -1
    ended: bool = False
    waiting: list[_Segment] = field(default_factory=list)
    held: int = 0

    def begin(self, captured: Captured, marks: TcpMarks) -> None:
        """Learn where the bytes start."""
        sequence = marks.sequence + marks.syn & _MASK
        if self.base < 0:
            self.base, self.opened = sequence, marks.syn
        elif captured.data and not (self.opened or self.offset or self.waiting) and sequence == self.base + 1 & _MASK:
            self.base = sequence  # what came before was a sign of life, which stands one byte back

    def place(self, sequence: int) -> int:
        """The offset that a sequence number means, which may lie before the start: the nearest to the next byte."""
        ahead = sequence - self.base - self.offset & _MASK
        return self.offset + (ahead if ahead < _HALF else ahead - _MASK - 1)


@dataclass(slots=True)
class _Connection:
    """Two ends that talk to each other; *server* is None while nobody knows which it is."""

    number: int
    server: Endpoint | None = None
    directions: dict[Endpoint, _Direction] = field(default_factory=dict)


class TcpStreams:
    """Puts the segments of a capture in order, connection by connection.

    Holds at most :data:`MOST_WAITING_IN_ALL` bytes and :data:`MOST_CONNECTIONS` connections; the oldest go first.
    """

    def __init__(self) -> None:
        self._connections: dict[tuple[Endpoint, Endpoint], _Connection] = {}
        self._numbers = count()
        self._orders = count()
        self._held = 0

    def feed(self, captured: Captured) -> list[Chunk]:
        """Take the next frame of the capture; gives what has come into order. What is no TCP gives nothing."""
        if captured.transport is not Transport.TCP or captured.tcp is None:
            return []
        return list(self._segment(captured))

    def finish(self) -> list[Chunk]:
        """What still waits at the end of the capture, over the gaps."""
        return [chunk for connection in self._connections.values() for chunk in self._drop(connection)]

    # Connections

    def _segment(self, captured: Captured) -> Iterator[Chunk]:
        marks = captured.tcp
        assert marks is not None
        key = _key(captured)
        connection = self._connections.pop(key, None)
        if connection and _is_new(connection, captured, marks):
            yield from self._drop(connection)
            connection = None
        if connection is None:
            connection = _Connection(next(self._numbers))
        self._connections[key] = connection  # the one heard of last stands last
        if marks.syn and connection.server is None:
            connection.server = captured.source if marks.ack else captured.target
        direction = connection.directions.setdefault(captured.source, _Direction())
        direction.begin(captured, marks)
        yield from self._take(connection, direction, captured)
        if len(self._connections) > MOST_CONNECTIONS:
            yield from self._drop(self._connections.pop(next(iter(self._connections))))

    def _drop(self, connection: _Connection) -> Iterator[Chunk]:
        for direction in connection.directions.values():
            yield from self._skip(connection, direction)

    # One direction

    def _take(self, connection: _Connection, direction: _Direction, captured: Captured) -> Iterator[Chunk]:
        marks = captured.tcp
        assert marks is not None
        offset = direction.place(marks.sequence + marks.syn & _MASK)
        end = offset + len(captured.data) + captured.missing
        if offset > direction.offset and (end > offset or marks.fin):
            self._hold(direction, offset, captured)
        else:
            yield from self._give(connection, direction, offset, captured)
        if marks.fin and end >= direction.offset:
            direction.end = end
        yield from self._ripe(connection, direction)
        if marks.rst:
            yield from self._skip(connection, direction)
            yield from self._end(connection, direction, captured)
        elif direction.end == direction.offset:
            yield from self._end(connection, direction, captured)
        while _overfull(direction) or (self._held > MOST_WAITING_IN_ALL and direction.waiting):
            yield from self._jump(connection, direction)

    def _hold(self, direction: _Direction, offset: int, captured: Captured) -> None:
        heappush(direction.waiting, _Segment(offset, next(self._orders), captured))
        self._account(direction, len(captured.data) + SEGMENT_COST)

    def _account(self, direction: _Direction, memory: int) -> None:
        direction.held += memory
        self._held += memory

    def _ripe(self, connection: _Connection, direction: _Direction) -> Iterator[Chunk]:
        """What waited and now follows."""
        while direction.waiting and direction.waiting[0].offset <= direction.offset:
            offset, _, captured = heappop(direction.waiting)
            self._account(direction, -len(captured.data) - SEGMENT_COST)
            yield from self._give(connection, direction, offset, captured)
            if direction.end == direction.offset:
                yield from self._end(connection, direction, captured)

    def _skip(self, connection: _Connection, direction: _Direction) -> Iterator[Chunk]:
        """Everything that waits, over every gap."""
        while direction.waiting:
            yield from self._jump(connection, direction)

    def _jump(self, connection: _Connection, direction: _Direction) -> Iterator[Chunk]:
        """Give the first gap up."""
        first = direction.waiting[0].offset
        direction.lost += first - direction.offset
        direction.offset = first
        yield from self._ripe(connection, direction)

    def _give(self, connection: _Connection, direction: _Direction, offset: int, captured: Captured) -> Iterator[Chunk]:
        """The part of a segment that was not given before; the capture may have cut its end."""
        data = captured.data[direction.offset - offset :] if offset < direction.offset else captured.data
        if data:
            yield self._chunk(connection, direction, captured, data)
            direction.offset += len(data)
        end = offset + len(captured.data) + captured.missing
        if captured.missing and end > direction.offset:
            direction.lost += end - direction.offset
            direction.offset = end

    def _end(self, connection: _Connection, direction: _Direction, captured: Captured) -> Iterator[Chunk]:
        if not direction.ended:
            direction.ended = True
            yield self._chunk(connection, direction, captured, b"", ended=True)

    def _chunk(
        self, connection: _Connection, direction: _Direction, captured: Captured, data: bytes, ended: bool = False
    ) -> Chunk:
        lost, direction.lost = direction.lost, 0
        to_server = None if connection.server is None else captured.target == connection.server
        return Chunk(connection.number, captured, to_server, direction.offset, data, lost, ended)


def _key(captured: Captured) -> tuple[Endpoint, Endpoint]:
    ends = captured.source, captured.target
    return ends if ends[0] <= ends[1] else (ends[1], ends[0])


def _is_new(connection: _Connection, captured: Captured, marks: TcpMarks) -> bool:
    """Whether a segment belongs to another connection between the same ends."""
    direction = connection.directions.get(captured.source)
    if direction is None or direction.base < 0:
        return marks.syn and any(known.ended for known in connection.directions.values())
    if marks.syn:
        return direction.base != marks.sequence + 1 & _MASK  # equal: the same SYN, sent again
    away = direction.place(marks.sequence) - direction.offset
    return direction.ended and bool(captured.data) and abs(away) > FAR


def _overfull(direction: _Direction) -> bool:
    return direction.held > MOST_WAITING or len(direction.waiting) > MOST_SEGMENTS
