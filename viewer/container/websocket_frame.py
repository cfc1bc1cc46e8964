"""WebSocket frames: header, mask and bytes of one frame, and what its parts are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from viewer.base.span import Span
from viewer.container.wire import Part

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


def frame_parts(data: bytes, at: int, header: FrameHeader) -> list[Part]:
    """The parts of the frame whose header stands at *at*; its bytes may be cut."""
    end_of_length = at + header.size - len(header.key)
    words = [header.opcode.name.lower(), "last part" if header.fin else "more follow"]
    if header.compressed:
        words.append("compressed")
    parts = [
        Part(Span(at, at + 1), "kind", ", ".join(words)),
        Part(Span(at + 1, end_of_length), "length", f"{header.length}{', masked' if header.key else ''}"),
    ]
    if header.key:
        parts.append(Part(Span(end_of_length, end_of_length + 4), "mask", header.key.hex(" ").upper()))
    begin = at + header.size
    end = min(begin + header.length, len(data))
    if end > begin:
        parts.append(Part(Span(begin, end), "masked bytes" if header.key else "bytes", f"{end - begin} bytes"))
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
