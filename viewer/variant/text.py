"""Text in a file: how each engine line reads bytes that should be UTF-8.

Three readings exist (the ``utf8`` rule of a dialect): ``strict`` refuses what is not UTF-8, ``lenient`` (Godot 3) also
takes surrogates, numbers above U+10FFFF and some overlong forms, ``any`` (Godot 2) refuses nothing and reads bad text
as an empty one. All stop at the first NUL and drop one leading byte order mark.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Callable

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.variant.value import RawText

BOM = b"\xef\xbb\xbf"
PIECE = 1 << 20
"""Longer texts are looked at in pieces of so many bytes."""
NOT_ASCII = re.compile(rb"[\x80-\xff]")
LONGEST_SEQUENCE = 6
"""Bytes of one character at most, in the forms that Godot 3 takes."""


NONE_BEGINS = "no character begins with it"
CUT_OFF = "the character that begins with it is cut off"
TOO_LONG = "the character that begins with it is written with more bytes than it needs"
REASONS = {
    "invalid start byte": NONE_BEGINS,
    "invalid continuation byte": "it makes no character with what follows",
    "unexpected end of data": CUT_OFF,
}
"""What Python's own decoder says, in words for a person."""


@dataclass(frozen=True, slots=True)
class TextFault:
    """Why bytes are not text: *offset* counts from the first byte, *reason* is about the byte there."""

    offset: int
    reason: str


def logical(raw: bytes) -> bytes:
    """The bytes that an engine looks at: up to the first NUL."""
    end = raw.find(b"\0")
    return raw if end < 0 else raw[:end]


def fault(raw: bytes, rule: str) -> TextFault | None:
    """Why an engine with this ``utf8`` rule refuses the text, or None where it takes it."""
    if raw.isascii() or rule == "any":
        return None
    raw = logical(raw)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        if rule == "strict":
            return TextFault(error.start, REASONS.get(error.reason, error.reason))
        return _lenient_fault(raw, error.start)
    return None


def fault_in(
    buffer: Buffer, start: int, end: int, rule: str, reached: Callable[[int], None] | None = None
) -> TextFault | None:
    """What :func:`fault` says of the bytes ``start <= offset < end`` of a buffer, of which only a piece is held.

    Args:
        buffer: a frame's bytes.
        start, end: where the text lies; the offset of a fault counts from *start*.
        rule: the ``utf8`` rule.
        reached: told the offset behind each piece of a long text; what it raises ends the look.
    """
    if end - start <= PIECE:
        return fault(bytes(buffer[start:end]), rule)
    at = start
    while at < end and rule != "any":
        raw = bytes(buffer[at : min(at + PIECE, end)])
        seen = logical(raw)
        is_last = len(seen) < len(raw) or at + len(raw) == end
        found, taken = (None, len(seen)) if seen.isascii() else _fault_of_piece(seen, rule, is_last)
        if found is not None:
            return TextFault(at - start + found.offset, found.reason)
        if is_last:
            break
        at += taken
        if reached is not None:
            reached(at)
    return None


def _fault_of_piece(seen: bytes, rule: str, is_last: bool) -> tuple[TextFault | None, int]:
    """The first fault of a piece that begins with a character, and how many bytes of it are whole characters."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        decoder.decode(seen, is_last)
        return None, len(seen) - len(decoder.getstate()[0])
    except UnicodeDecodeError as error:
        if rule == "strict":
            return TextFault(error.start, REASONS.get(error.reason, error.reason)), 0
        found = _lenient_fault(seen, error.start)
    if found is not None and found.reason == CUT_OFF and not is_last:
        return None, found.offset
    return found, len(seen)


def whole_characters(seen: bytes) -> int:
    """How many bytes lie before the last character that goes on behind them."""
    for at in range(len(seen) - 1, max(0, len(seen) - LONGEST_SEQUENCE), -1):
        if seen[at] & 0xC0 != 0x80:
            return at if at + _sequence(seen, at)[0] > len(seen) else len(seen)
    return len(seen)


def read(raw: bytes, rule: str) -> str:
    """The text that an engine with this rule makes of the bytes; keeps them where it would not write them so."""
    if raw.isascii() and b"\0" not in raw:
        return raw.decode("ascii")
    seen = logical(raw)
    body = seen.removeprefix(BOM)
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = "" if rule == "any" and _any_is_lost(body) else _lenient_text(body)
    return text if text.encode(errors="surrogatepass") == raw else RawText(text, raw)


def write(text: str) -> bytes:
    """The bytes of a text: those it came with, or its UTF-8 (lone surrogates as three bytes)."""
    return text.raw if isinstance(text, RawText) else text.encode(errors="surrogatepass")


def _sequence(raw: bytes, at: int) -> tuple[int, int]:
    """Length and code of the sequence at *at*; length 0 where its first byte cannot begin one."""
    lead = raw[at]
    if lead < 0x80:
        return 1, lead
    for length, low, mask in ((2, 0xC0, 0x1F), (3, 0xE0, 0x0F), (4, 0xF0, 0x07), (5, 0xF8, 0x03), (6, 0xFC, 0x01)):
        if low <= lead < 0x100 - (1 << (7 - length)):
            return length, lead & mask
    return 0, 0


def _lenient_fault(raw: bytes, at: int = 0) -> TextFault | None:
    """Godot 3's own reader: it refuses bad leads, missing continuation bytes and only some overlong forms [run].

    Args:
        raw: the text.
        at: where a character begins before which all is UTF-8.
    """
    while found := NOT_ASCII.search(raw, at):
        at = found.start()
        length, code = _sequence(raw, at)
        if length == 0:
            return TextFault(at, NONE_BEGINS)
        if at + length > len(raw):
            return TextFault(at, CUT_OFF)
        for k in range(1, length):
            if raw[at + k] & 0xC0 != 0x80:
                return TextFault(at + k, "the character before it does not continue with it")
            if k == 2 and code == 0 and (raw[at + k] & 0x7F) >> (7 - length) == 0:
                return TextFault(at, TOO_LONG)
            code = code << 6 | raw[at + k] & 0x3F
        if length == 2 and code < 0x80:
            return TextFault(at, TOO_LONG)
        at += length
    return None


def _any_is_lost(raw: bytes) -> bool:
    return _lenient_fault(raw) is not None


def _lenient_text(raw: bytes) -> str:
    """Decode long forms and surrogates too; what no Python text can hold becomes U+FFFD."""
    out: list[str] = []
    at = 0
    while at < len(raw):
        length, code = _sequence(raw, at)
        tail = raw[at + 1 : at + length]
        if length == 0 or len(tail) < length - 1 or any(byte & 0xC0 != 0x80 for byte in tail):
            out.append("\ufffd")
            at += 1
            continue
        for byte in tail:
            code = code << 6 | byte & 0x3F
        out.append(chr(code) if code <= 0x10FFFF else "\ufffd")
        at += length
    return "".join(out)
