"""WebSocket: messages in one direction of a TCP connection, from the HTTP handshake on."""

from __future__ import annotations

import re
from enum import Enum, IntEnum

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.wire import Delivery, LayerField, WireLayer

# The handshake of WebSocket: an HTTP request to change the protocol, and the answer.

REQUEST, RESPONSE = b"GET ", b"HTTP/1.1 101"
LONGEST = 1 << 16
"""A longer head is none."""
_UPGRADE = re.compile(rb"^upgrade:[^\r\n]*\bwebsocket\b", re.IGNORECASE | re.MULTILINE)
_DEFLATE = re.compile(rb"^sec-websocket-extensions:[^\r\n]*\bpermessage-deflate\b", re.IGNORECASE | re.MULTILINE)


def is_upgrade(head: bytes) -> bool:
    """Whether the head of a request or an answer changes to WebSocket."""
    return head.startswith((REQUEST, RESPONSE)) and _UPGRADE.search(head) is not None


def offers_deflate(head: bytes) -> bool:
    """Whether the head offers compressed messages, or agrees to them."""
    return _DEFLATE.search(head) is not None


def handshake_parts(head: bytes) -> tuple[LayerField, ...]:
    """The lines of a head: the first whole, the others by their names."""
    parts: list[LayerField] = []
    at = 0
    for line in head.split(b"\r\n"):
        if line:
            name, colon, text = line.decode("latin-1").partition(":")
            span = Span(at, at + len(line))
            parts.append(
                LayerField(span, name, text.strip())
                if colon and parts
                else LayerField(span, "line", line.decode("latin-1"))
            )
        at += len(line) + 2
    return tuple(parts)


# WebSocket frames: header, mask and bytes of one frame, and what its parts are.

FIN, RSV1, RSV, OPCODE = 0x80, 0x40, 0x70, 0x0F
MASKED, LENGTH = 0x80, 0x7F
MOST_CONTROL = 125
LENGTH_16, LENGTH_64 = 126, 127
MOST_SOUGHT = 1 << 17
"""A longer frame is not believed where the beginning of one is looked for."""


class Opcode(IntEnum):
    """What a message is; :attr:`HANDSHAKE` is no frame but the HTTP before the first one."""

    HANDSHAKE = -1
    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10

    @property
    def is_control(self) -> bool:
        """Whether the protocol talks to itself."""
        return self < 0 or self >= Opcode.CLOSE


_OPCODES = {int(code): code for code in Opcode if code >= 0}


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """The header of a frame.

    Args:
        opcode: what it carries.
        fin: whether the message ends with it.
        compressed: whether RSV1 is set: per-message deflate.
        size: of the header, the mask's key included.
        length: of what follows.
        key: the mask, empty for none.
        minimal: whether the length is written as short as it can be.
    """

    opcode: Opcode
    fin: bool
    compressed: bool
    size: int
    length: int
    key: bytes
    minimal: bool


def header_at(data: bytes | bytearray, at: int) -> FrameHeader | str | None:
    """The header at *at*, None where bytes of it are still to come, or a sentence that says why it is none."""
    if at + 2 > len(data):
        return None
    first, second = data[at], data[at + 1]
    opcode = _OPCODES.get(first & OPCODE)
    if opcode is None or first & RSV & ~RSV1:
        return f"No WebSocket frame begins with the byte {first:02X}."
    length, wide = second & LENGTH, 0
    if length >= LENGTH_16:
        wide = 2 if length == LENGTH_16 else 8
    size = 2 + wide + (4 if second & MASKED else 0)
    if at + size > len(data):
        return None
    minimal = True
    if wide:
        length = int.from_bytes(data[at + 2 : at + 2 + wide], "big")
        minimal = length > (MOST_CONTROL if wide == 2 else 0xFFFF)
    if opcode.is_control and (length > MOST_CONTROL or not first & FIN):
        return f"A {opcode.name} frame of WebSocket is whole and has at most {MOST_CONTROL} bytes; this one is not."
    key = bytes(data[at + size - 4 : at + size]) if second & MASKED else b""
    return FrameHeader(opcode, bool(first & FIN), bool(first & RSV1), size, length, key, minimal)


def unmasked(data: bytes, key: bytes) -> bytes:
    """What masked bytes mean; the mask is its own inverse, and an empty *key* none."""
    if not key or not data:
        return data
    stretched = (key * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(stretched, "big")).to_bytes(len(data), "big")


def frame_parts(data: bytes, at: int, header: FrameHeader) -> list[LayerField]:
    """The parts of the frame whose header stands at *at*; its bytes may be cut."""
    end_of_length = at + header.size - len(header.key)
    words = [header.opcode.name.lower(), "last part" if header.fin else "more follow"]
    if header.compressed:
        words.append("compressed")
    parts = [
        LayerField(Span(at, at + 1), "kind", ", ".join(words)),
        LayerField(Span(at + 1, end_of_length), "length", f"{header.length}{', masked' if header.key else ''}"),
    ]
    if header.key:
        parts.append(LayerField(Span(end_of_length, end_of_length + 4), "mask", header.key.hex(" ").upper()))
    begin = at + header.size
    end = min(begin + header.length, len(data))
    if end > begin:
        parts.append(LayerField(Span(begin, end), "masked bytes" if header.key else "bytes", f"{end - begin} bytes"))
    return parts


@dataclass(slots=True)
class FrameChain:
    """Frames that follow each other without a contradiction.

    Args:
        at: where the next one begins.
        frames: how many there are.
        masked: whether they are masked, None before the first.
        broken: whether the bytes cannot be frames.
    """

    at: int = 0
    frames: int = 0
    masked: bool | None = None
    broken: bool = False

    def goes_on(self, data: bytearray) -> bool:
        """Step over the frames that are whole; whether the bytes can be frames so far."""
        while not self.broken and self.at < len(data):
            header = header_at(data, self.at)
            if header is None:
                break
            if isinstance(header, str) or not self._fits(header):
                self.broken = True
            elif (end := self.at + header.size + header.length) > len(data):
                break
            else:
                self.at, self.frames, self.masked = end, self.frames + 1, bool(header.key)
        return not self.broken

    def _fits(self, header: FrameHeader) -> bool:
        alike = self.masked is None or self.masked is bool(header.key)
        return alike and header.minimal and header.length <= MOST_SOUGHT


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
