"""TCP flows: what a connection carries is found out from its first bytes, then every byte becomes part of a payload."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.diagnostic import count_bytes
from viewer.base.span import Span
from viewer.container.tcp_stream import Chunk
from viewer.container.websocket import Opcode, State, WebSocketMessage, WebSocketStream
from viewer.container.wire import Captured, Delivery, Endpoint, Payload
from viewer.document.packets.conversation import Carries, Conversation, Neighbours, Told
from viewer.document.packets.packet import InStream, InWebSocket, Sighting
from viewer.document.packets.stream_values import LONGEST_VALUE, StreamCut, StreamCutKind, ValueCutter
from viewer.document.pieces.message import Protocol

UNDECIDED = 1 << 16
"""So many bytes are held while it is not clear what they are; more only for a value that goes on."""


class TcpFlow:
    """One connection.

    Args:
        told: what a person said.
        first: the segment that it began with.
        neighbours: what was found out about other conversations.
    """

    def __init__(self, told: Told, first: Captured, neighbours: Neighbours) -> None:
        self._told = told
        self._held: list[Chunk] = []
        self._size = 0
        self._ended: set[Endpoint] = set()
        self._cutters: dict[Endpoint, ValueCutter] = {}
        self._sockets: dict[Endpoint, WebSocketStream] = {}
        self._last: dict[Endpoint, Captured] = {}
        self._carries = told.carries(first.source, first.target)
        if self._carries is Carries.ENET:
            self._carries = None
        self._talk = Conversation(told, caller=first.source, neighbours=neighbours)
        self._big_talk = Conversation(told, Protocol.STREAM_VALUE, caller=first.source, neighbours=neighbours)
        self._raw_talk = Conversation(told, Protocol.UNKNOWN, caller=first.source, neighbours=neighbours)
        if self._carries is not None:
            self._decide(self._carries)

    def feed(self, chunk: Chunk) -> Iterator[Sighting]:
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

    def finish(self) -> Iterator[Sighting]:
        """Nothing more comes."""
        if self._carries is None:
            yield from self._release(Carries.BYTES)
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

    def _verdict(self, chunk: Chunk) -> Carries | None:
        source = chunk.captured.source
        if self._cutters[source].is_proven:
            return Carries.VALUES
        if self._sockets[source].state is State.OPEN:
            return Carries.WEBSOCKET
        if len(self._ended) == 2 or self._size > LONGEST_VALUE:
            return Carries.BYTES
        if self._size > UNDECIDED and not any(cutter.waits_for for cutter in self._cutters.values()):
            return Carries.BYTES
        return None

    def _release(self, carries: Carries) -> Iterator[Sighting]:
        """Say what it carries, and give all that was held."""
        self._decide(carries)
        held, self._held = self._held, []
        for chunk in held:
            yield from self._take(chunk)

    def _decide(self, carries: Carries) -> None:
        self._carries = carries
        self._cutters.clear()
        self._sockets.clear()
        if carries is Carries.VALUES:
            for talk in (self._talk, self._big_talk):
                talk.follow(Protocol.STREAM_VALUE)

    # What it carried

    def _take(self, chunk: Chunk) -> Iterator[Sighting]:
        captured = chunk.captured
        self._last[captured.source] = captured
        if self._carries is Carries.VALUES:
            cutter = self._cutters.setdefault(captured.source, ValueCutter())
            found = cutter.feed(chunk.data, chunk.lost)
            yield from self._cuts(found, captured)
            if chunk.ended:
                yield from self._cuts(cutter.finish(), captured)
        elif self._carries is Carries.WEBSOCKET:
            yield from self._take_frames(chunk)
        elif chunk.data or chunk.lost:
            yield self._raw(captured, chunk.data, chunk.offset, _loss(chunk.lost))

    def _take_frames(self, chunk: Chunk) -> Iterator[Sighting]:
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
            yield self._raw(captured, rest, reached, socket.broken or "These bytes are no WebSocket frames.")

    def _messages(self, found: list[WebSocketMessage], captured: Captured) -> Iterator[Sighting]:
        for message in found:
            note = message.note
            if message.opcode.is_control:
                note = _control(message.opcode) + (f" {note}" if note else "")
            place = InWebSocket(captured, message)
            yield self._seen(self._talk, captured, "WebSocket", message.data, message.delivery, note, place)

    def _cuts(self, found: list[StreamCut], captured: Captured) -> Iterator[Sighting]:
        for cut in found:
            if cut.sort is StreamCutKind.RAW:
                yield self._raw(captured, cut.data, cut.span.start, "")
                continue
            talk = self._big_talk if cut.big_endian else self._talk
            place = InStream(captured, cut.span, cut.data)
            delivery = Delivery.INCOMPLETE if cut.missing else Delivery.WHOLE
            note = f"The capture lacks the last {count_bytes(cut.missing)} of this value." if cut.missing else ""
            yield self._seen(talk, captured, "TCP", cut.data, delivery, note, place)

    def _raw(self, captured: Captured, data: bytes, offset: int, note: str) -> Sighting:
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
    ) -> Sighting:
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
        return Sighting(payload, talk)


def _is_over(socket: WebSocketStream) -> bool:
    """Whether nothing more can be read of a direction."""
    return socket.state in (State.BROKEN, State.FOREIGN)


def _loss(lost: int) -> str:
    return f"The capture lacks {count_bytes(lost)} before these." if lost else ""


def _control(opcode: Opcode) -> str:
    return {Opcode.HANDSHAKE: "Handshake.", Opcode.CLOSE: "Close.", Opcode.PING: "Ping."}.get(opcode, "Pong.")
