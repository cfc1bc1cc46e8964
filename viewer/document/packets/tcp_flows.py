"""TCP flows: what a connection carries is found out from its first bytes, then every byte becomes part of a payload."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.tcp_stream import Chunk
from viewer.container.websocket import Opcode, State, WebSocketMessage, WebSocketStream
from viewer.container.wire import Captured, Delivery, Endpoint, Payload
from viewer.document.packets.conversation import Conversation, Neighbours, PortProtocol, TrafficSettings
from viewer.document.packets.packet import InStream, InWebSocket, SeenPayload
from viewer.document.pieces.framing import is_sound
from viewer.document.pieces.message import Protocol
from viewer.variant.dialect import available
from viewer.variant.scan import scan

# Values in a stream: where one begins, and how its length was told.


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


# Flows.


UNDECIDED = 1 << 16
"""So many bytes are held while it is not clear what they are; more only for a value that goes on."""


class TcpFlow:
    """One connection.

    Args:
        told: what a person said.
        first: the segment that it began with.
        neighbours: what was found out about other conversations.
    """

    def __init__(self, told: TrafficSettings, first: Captured, neighbours: Neighbours) -> None:
        self._told = told
        self._held: list[Chunk] = []
        self._size = 0
        self._ended: set[Endpoint] = set()
        self._cutters: dict[Endpoint, ValueCutter] = {}
        self._sockets: dict[Endpoint, WebSocketStream] = {}
        self._last: dict[Endpoint, Captured] = {}
        self._carries = told.carries(first.source, first.target)
        if self._carries is PortProtocol.ENET:
            self._carries = None
        self._talk = Conversation(told, caller=first.source, neighbours=neighbours)
        self._big_talk = Conversation(told, Protocol.STREAM_VALUE, caller=first.source, neighbours=neighbours)
        self._raw_talk = Conversation(told, Protocol.UNKNOWN, caller=first.source, neighbours=neighbours)
        if self._carries is not None:
            self._decide(self._carries)

    def feed(self, chunk: Chunk) -> Iterator[SeenPayload]:
        """Take the next bytes of one direction."""
        if chunk.to_server is not None:
            server = chunk.captured.target if chunk.to_server else chunk.captured.source
            for talk in (self._talk, self._big_talk, self._raw_talk):
                talk.server = server
        if chunk.ended:
            self._ended.add(chunk.captured.source)
        if self._carries is not None:
            yield from self._take(chunk)
            return
        self._held.append(chunk)
        self._size += len(chunk.data)
        self._probe(chunk)
        found = self._verdict(chunk)
        if found is not None:
            yield from self._release(found)

    def finish(self) -> Iterator[SeenPayload]:
        """Nothing more comes."""
        if self._carries is None:
            yield from self._release(PortProtocol.BYTES)
        for source, socket in self._sockets.items():
            yield from self._messages(socket.finish(), self._last[source])
        for source, cutter in self._cutters.items():
            yield from self._cuts(cutter.finish(), self._last[source])

    # What it carries

    def _probe(self, chunk: Chunk) -> None:
        source = chunk.captured.source
        cutter = self._cutters.setdefault(source, ValueCutter(trusted=False))
        cutter.feed(chunk.data, chunk.lost)
        socket = self._sockets.setdefault(source, WebSocketStream(midway=chunk.to_server is None))
        socket.feed(chunk.data, chunk.lost)

    def _verdict(self, chunk: Chunk) -> PortProtocol | None:
        source = chunk.captured.source
        if self._cutters[source].is_proven:
            return PortProtocol.VALUES
        if self._sockets[source].state is State.OPEN:
            return PortProtocol.WEBSOCKET
        if len(self._ended) == 2 or self._size > LONGEST_VALUE:
            return PortProtocol.BYTES
        if self._size > UNDECIDED and not any(cutter.waits_for for cutter in self._cutters.values()):
            return PortProtocol.BYTES
        return None

    def _release(self, carries: PortProtocol) -> Iterator[SeenPayload]:
        """Say what it carries, and give all that was held."""
        self._decide(carries)
        held, self._held = self._held, []
        for chunk in held:
            yield from self._take(chunk)

    def _decide(self, carries: PortProtocol) -> None:
        self._carries = carries
        self._cutters.clear()
        self._sockets.clear()
        if carries is PortProtocol.VALUES:
            for talk in (self._talk, self._big_talk):
                talk.follow(Protocol.STREAM_VALUE)

    # What it carried

    def _take(self, chunk: Chunk) -> Iterator[SeenPayload]:
        captured = chunk.captured
        self._last[captured.source] = captured
        if self._carries is PortProtocol.VALUES:
            cutter = self._cutters.setdefault(captured.source, ValueCutter())
            found = cutter.feed(chunk.data, chunk.lost)
            yield from self._cuts(found, captured)
            if chunk.ended:
                yield from self._cuts(cutter.finish(), captured)
        elif self._carries is PortProtocol.WEBSOCKET:
            yield from self._take_frames(chunk)
        elif chunk.data or chunk.lost:
            yield self._raw(captured, chunk.data, chunk.offset, _loss(chunk.lost))

    def _take_frames(self, chunk: Chunk) -> Iterator[SeenPayload]:
        captured = chunk.captured
        socket = self._sockets.setdefault(captured.source, WebSocketStream(midway=True))
        reached = chunk.offset
        if not _is_over(socket):
            messages = socket.feed(chunk.data, chunk.lost)
            messages += socket.finish() if chunk.ended else []
            reached = max([reached, *(message.span.end for message in messages)])
            yield from self._messages(messages, captured)
        rest = chunk.data[reached - chunk.offset :]
        if rest and _is_over(socket):
            yield self._raw(captured, rest, reached, socket.broken or "These bytes are not WebSocket frames.")

    def _messages(self, found: list[WebSocketMessage], captured: Captured) -> Iterator[SeenPayload]:
        for message in found:
            note = message.note
            if message.opcode.is_control:
                note = _control(message.opcode) + (f" {note}" if note else "")
            place = InWebSocket(captured, message)
            yield self._seen(self._talk, captured, "WebSocket", message.data, message.delivery, note, place)

    def _cuts(self, found: list[StreamCut], captured: Captured) -> Iterator[SeenPayload]:
        for cut in found:
            if cut.sort is StreamCutKind.RAW:
                yield self._raw(captured, cut.data, cut.span.start, "")
                continue
            talk = self._big_talk if cut.big_endian else self._talk
            place = InStream(captured, cut.span, cut.data)
            delivery = Delivery.INCOMPLETE if cut.missing else Delivery.WHOLE
            note = f"The capture lacks the last {count_bytes(cut.missing)} of this value." if cut.missing else ""
            yield self._seen(talk, captured, "TCP", cut.data, delivery, note, place)

    def _raw(self, captured: Captured, data: bytes, offset: int, note: str) -> SeenPayload:
        place = InStream(captured, Span(offset, offset + len(data)), data)
        return self._seen(self._raw_talk, captured, "TCP", data, Delivery.WHOLE, note, place)

    def _seen(
        self,
        talk: Conversation,
        captured: Captured,
        carrier: str,
        data: bytes,
        delivery: Delivery,
        note: str,
        place: InStream | InWebSocket,
    ) -> SeenPayload:
        payload = Payload(
            captured.number,
            captured.time,
            captured.source,
            captured.target,
            carrier,
            data,
            delivery,
            None,
            note,
            (),
            place,
        )
        talk.note(payload)
        return SeenPayload(payload, talk)


def _is_over(socket: WebSocketStream) -> bool:
    """Whether nothing more can be read of a direction."""
    return socket.state in (State.BROKEN, State.FOREIGN)


def _loss(lost: int) -> str:
    return f"The capture lacks {count_bytes(lost)} before these." if lost else ""


def _control(opcode: Opcode) -> str:
    return {Opcode.HANDSHAKE: "Handshake.", Opcode.CLOSE: "Close.", Opcode.PING: "Ping."}.get(opcode, "Pong.")
