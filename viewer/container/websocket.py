"""WebSocket: messages in one direction of a TCP connection, from the HTTP handshake on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from viewer.base.span import Span
from viewer.container.websocket_frame import FrameChain, FrameHeader, Opcode, frame_parts, header_at, unmasked
from viewer.container.websocket_handshake import LONGEST, REQUEST, RESPONSE, handshake_parts, is_upgrade, offers_deflate
from viewer.container.wire import Delivery, WireLayer

MOST_MESSAGE = 1 << 26
MOST_FRAMES = 1 << 16
"""So many frames make one message at most: each takes memory of its own."""
SURE_FRAMES = 2
"""So many frames in a row, the last of which ends where the bytes do, are no accident."""
SURE_ANYWHERE = 8
"""So many are none even where the last one is not whole yet."""
COMPRESSED = "This message is compressed (permessage-deflate), which is not supported: these are its raw bytes."
OFFERED = "The handshake speaks of compression (permessage-deflate); compressed messages are shown raw."
BEHIND_LOSS = "Bytes before this message were not captured."
UNFINISHED = "The rest of this message was not captured."


class State(Enum):
    """What is known of a direction."""

    UNKNOWN = "unknown"
    """Too little came to tell."""
    OPEN = "open"
    """It is WebSocket."""
    SEEKING = "seeking"
    """It is, or may be, WebSocket, and the beginning of a frame is looked for."""
    FOREIGN = "foreign"
    """It is something else."""
    BROKEN = "broken"
    """It was WebSocket, until bytes came that cannot be."""


@dataclass(frozen=True, slots=True)
class WebSocketMessage:
    """What one end sent in one piece.

    Args:
        span: where it lies in the direction's bytes, first frame to last; control frames may stand in between.
        raw: its frames as they were sent, one after another.
        data: its bytes, unmasked and put together, up to the first that is missing.
        opcode: what it is.
        masked: whether it was masked, as all that a client sends.
        fin: whether all of it came.
        note: one sentence where there is something to say, else empty.
    """

    span: Span
    raw: bytes
    data: bytes
    opcode: Opcode
    masked: bool
    fin: bool = True
    note: str = ""

    @property
    def delivery(self) -> Delivery:
        """What became of it."""
        if self.opcode.is_control:
            return Delivery.CONTROL
        return Delivery.WHOLE if self.fin else Delivery.INCOMPLETE

    @property
    def layers(self) -> tuple[WireLayer, ...]:
        """The layer that its frames or its handshake are, with all parts named; made when asked for."""
        if self.opcode is Opcode.HANDSHAKE:
            return (WireLayer("HTTP", self.raw, handshake_parts(self.raw)),)
        parts = []
        at, frames, begin = 0, 0, 0
        while isinstance(header := header_at(self.raw, at), FrameHeader):
            parts += frame_parts(self.raw, at, header)
            begin = at + header.size
            at, frames = begin + header.length, frames + 1
        inside = None if self.masked or frames != 1 else Span(begin, min(at, len(self.raw)))
        return (WireLayer("WebSocket", self.raw, tuple(parts), inside),)


@dataclass(slots=True)
class _Message:
    """A message of which frames came, and more follow."""

    opcode: Opcode
    start: int
    masked: bool
    compressed: bool
    raw: bytearray
    data: bytearray
    headless: bool
    frames: int = 0


class WebSocketStream:
    """Reads one direction of a connection as its bytes come.

    Args:
        midway: whether the capture may begin behind the handshake; then frames are believed when several follow
            each other without a contradiction.
        most: a longer message is not believed.
    """

    def __init__(self, midway: bool = False, most: int = MOST_MESSAGE) -> None:
        self._midway = midway
        self._most = most
        self._state = State.UNKNOWN
        self._sentence = ""
        self._bytes = bytearray()
        self._start = 0  # where the bytes held begin in the direction
        self._message: _Message | None = None
        self._note = ""
        self._chain = FrameChain()
        self._loose = False  # a message may begin in its middle, as what was before it is not known

    @property
    def state(self) -> State:
        """What is known of the direction."""
        return self._state

    @property
    def broken(self) -> str:
        """Why nothing more can be read, in one sentence; empty while all is well."""
        return self._sentence

    def feed(self, data: bytes, lost: int = 0) -> list[WebSocketMessage]:
        """Take the next bytes, before which *lost* are missing; gives the messages that they complete.

        Bytes that come together should be fed together: behind a loss, frames are looked for where they begin.
        """
        found: list[WebSocketMessage] = []
        if self._state in (State.FOREIGN, State.BROKEN):
            return found
        if lost:
            self._lose(lost, found)
        if self._state is State.SEEKING:
            self._seek(data)
        else:
            self._bytes += data
        if self._state is State.UNKNOWN:
            self._greet(found)
        if self._state is State.OPEN:
            self._read(found)
        return found

    def finish(self) -> list[WebSocketMessage]:
        """The message that the bytes ended in, if they did."""
        found: list[WebSocketMessage] = []
        if self._state is State.OPEN:
            self._cut_off(found)
        return found

    # The handshake

    def _greet(self, found: list[WebSocketMessage]) -> None:
        held = self._bytes
        if not (held.startswith((REQUEST, RESPONSE)) or REQUEST.startswith(held) or RESPONSE.startswith(held)):
            self._state = State.SEEKING if self._midway else State.FOREIGN
            self._bytes = bytearray()
            if self._midway:
                self._seek(bytes(held))
            return
        end = held.find(b"\r\n\r\n", 0, LONGEST) + 4
        if end < 4:
            self._state = State.FOREIGN if len(held) >= LONGEST else State.UNKNOWN
            return
        raw = bytes(held[:end])
        if not is_upgrade(raw):
            self._state = State.FOREIGN
            return
        self._state = State.OPEN
        note = OFFERED if offers_deflate(raw) else ""
        found.append(
            WebSocketMessage(Span(self._start, self._start + end), raw, raw, Opcode.HANDSHAKE, False, True, note)
        )
        self._drop(end)

    # Losses

    def _lose(self, lost: int, found: list[WebSocketMessage]) -> None:
        """Give what came before a loss, and look for the next frame behind it."""
        if self._state is State.UNKNOWN and not self._midway:
            self._state = State.FOREIGN
            return
        if self._state is State.OPEN:
            self._cut_off(found)
        self._start += len(self._bytes) + lost
        self._bytes.clear()
        self._state, self._chain = State.SEEKING, FrameChain()
        self._note = BEHIND_LOSS

    def _cut_off(self, found: list[WebSocketMessage]) -> None:
        """Give the message in hand without the rest."""
        header = header_at(self._bytes, 0)
        if isinstance(header, FrameHeader) and not (header.opcode.is_control and self._message):
            self._add(header, len(self._bytes))
        if self._message is not None:
            found.append(self._made(self._message, self._start + len(self._bytes), False))
        self._message = None

    def _seek(self, data: bytes) -> None:
        """Hold bytes that may be frames until that is sure."""
        self._bytes += data
        if not self._chain.goes_on(self._bytes) and len(self._bytes) > len(data):
            self._drop(len(self._bytes) - len(data))
            self._chain = FrameChain()
            self._chain.goes_on(self._bytes)
        if self._chain.broken:
            self._drop(len(self._bytes))
            self._chain = FrameChain()
        elif self._chain.frames >= (SURE_FRAMES if self._chain.at == len(self._bytes) else SURE_ANYWHERE):
            self._state = State.OPEN
            self._loose = True

    # Frames

    def _read(self, found: list[WebSocketMessage]) -> None:
        """Take all frames that are whole."""
        at = 0
        while not self._sentence:
            header = header_at(self._bytes, at)
            if isinstance(header, str):
                self._break(header)
            elif header is None or self._refused(header):
                break
            else:
                end = at + header.size + header.length
                if end > len(self._bytes):
                    break
                self._frame(header, at, end, found)
                at = end
        self._drop(at)

    def _refused(self, header: FrameHeader) -> bool:
        """Whether a frame cannot stand here."""
        held = self._message
        if header.length + (len(held.data) if held else 0) > self._most or (held and held.frames >= MOST_FRAMES):
            self._break(f"A WebSocket message says it is longer than {self._most} bytes.")
        elif (
            not header.opcode.is_control and (header.opcode is Opcode.CONTINUATION) is (held is None) and not self._note
        ):
            self._break("A WebSocket frame continues nothing, or begins a message inside another.")
        return bool(self._sentence)

    def _frame(self, header: FrameHeader, at: int, end: int, found: list[WebSocketMessage]) -> None:
        if header.opcode.is_control:
            raw = bytes(self._bytes[at:end])
            data = unmasked(raw[header.size :], header.key)
            span = Span(self._start + at, self._start + end)
            found.append(WebSocketMessage(span, raw, data, header.opcode, bool(header.key)))
            return
        message = self._add(header, end, at)
        if header.fin:
            found.append(self._made(message, self._start + end, True))
            self._message = None

    def _add(self, header: FrameHeader, end: int, at: int = 0) -> _Message:
        """Put a frame behind those of its message; it ends at *end*, whole or cut."""
        message = self._message
        if message is None:
            start = self._start + at
            headless = header.opcode is Opcode.CONTINUATION
            opcode = Opcode.BINARY if headless else header.opcode
            message = _Message(opcode, start, bool(header.key), header.compressed, bytearray(), bytearray(), headless)
            self._message = message
        raw = bytes(self._bytes[at:end])
        message.raw += raw
        message.data += unmasked(raw[header.size :], header.key)
        message.frames += 1
        return message

    def _made(self, message: _Message, end: int, whole: bool) -> WebSocketMessage:
        note = UNFINISHED if not whole else COMPRESSED if message.compressed else self._note
        if message.headless:
            whole, note = False, BEHIND_LOSS
        self._note, self._loose = "", False
        raw, data = bytes(message.raw), bytes(message.data)
        return WebSocketMessage(Span(message.start, end), raw, data, message.opcode, message.masked, whole, note)

    def _drop(self, size: int) -> None:
        del self._bytes[:size]
        self._start += size

    def _break(self, sentence: str) -> None:
        self._sentence = sentence
        self._state = State.BROKEN
