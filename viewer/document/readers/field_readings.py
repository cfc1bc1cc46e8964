"""Readings of a field: what some bytes that no value claims may be, the likeliest first; and what a gap falls into.

Each reading has a price in bits: what it takes to tell the bytes in that way. A small number, a text whose length
stands before it, a time of our days, a number that is as large as the count of values behind it are cheap.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from math import isfinite
from struct import unpack
from typing import TypeAlias

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.readers.checksums import NAMES, checksum

WIDTHS = (1, 2, 4, 8)
LONGEST = 1 << 10
"""Longer gaps are not cut into fields."""
LONGEST_TEXT = 1 << 16
LONGEST_CHECKED = 1 << 22
"""Of so many bytes the checksum is tried."""
LONGEST_DIGESTED = 1 << 20
DIGESTS = {16: "md5", 32: "sha256"}
"""Kinds of digests by their size."""
MOST_CHECKED = 16
"""So far behind the beginning of a gap a checksum is looked for, and at its end."""
EARLIEST, LATEST = 1_325_376_000, 1_956_528_000
"""Seconds since 1970: the years 2012 to 2031. More of them would make a time of any number."""
NUMBER, BIT, UNEVEN, REAL, DIGIT = 10.0, 1.5, 8.0, 9.0, 3.5
"""Bits of a number and of its binary digits, of a place that is no multiple of its size, of a float and its digits."""
UNLIKELY = 100.0
"""Bits of what nobody would write, such as a float of 40 digits."""
COUNT, TIME, LONG_TIME, CHECKSUM, PADDING = 6.0, 24.0, 18.0, 4.0, 13.0
TEXT, LETTER, SIGN, MARK = 6.0, 3.0, 6.0, 20.0
ENDINGS = ((b"\0", "C string"), (b"\r\n", "line"), (b"\n", "line"))
"""What ends a text that has no length."""
ALL_BEHIND = "matches all bytes after it"
EVERY = "every such file begins so"
Keys: TypeAlias = tuple[tuple[str, str | int], ...]
RAW, RAW_RUN = 12.0, 20.0
"""Bits of each byte that stays as it is, and of a run of them."""
MOST_RAW = 0.25
"""If more of a gap stays as it is, nothing is guessed of it."""
SMALL_VERSION = 1000
SHOWN = 60
LEAST_MARK, MOST_MARK = 3, 8


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Where bytes stand that may be fields.

    Args:
        buffer: all bytes.
        span: those.
        behind: how many values follow them.
        is_first: whether no value stands before them.
    """

    buffer: Buffer
    span: Span
    behind: int = 0
    is_first: bool = True


@dataclass(frozen=True, slots=True)
class FieldReading:
    """One way to read some bytes.

    Args:
        span: the bytes.
        words: what they are: ``u32``, ``Pascal string``.
        text: what they say.
        bits: what it takes to tell them so; less is likelier.
        name: what such a field may be called.
        keys: how a layout says it, each key with its value.
        note: why it is likely, in a few words.
        is_count: whether it says how many values follow.
    """

    span: Span
    words: str
    text: str
    bits: float
    name: str
    keys: Keys
    note: str = ""
    is_count: bool = False


def readings(place: FieldPlace) -> list[FieldReading]:
    """All ways to read exactly these bytes, the likeliest first; the last resort is bytes as they are."""
    if not len(place.span):
        return []
    found = [
        *_numbers(place, place.span),
        *_texts(place, place.span),
        *_padding(place, place.span),
        *_digests(place, place.span),
        _bytes(place.span),
    ]
    return sorted(found, key=lambda each: each.bits)


def guessed(place: FieldPlace) -> tuple[FieldReading, ...]:
    """The fields that a gap may be made of, which tile it; nothing where too little of it is like any field."""
    span = place.span
    if not 0 < len(span) <= LONGEST:
        return ()
    least = [0.0] + [float("inf")] * len(span)
    came: list[FieldReading | None] = [None] * (len(span) + 1)
    for at in range(len(span)):
        if least[at] == float("inf"):
            continue
        for each in _at(place, span.start + at):
            end = each.span.end - span.start
            bits = least[at] + each.bits - (RAW_RUN if _continues(came[at], each) else 0.0)
            if bits < least[end]:
                least[end], came[end] = bits, each
    row = _joined(_way_back(came))
    raw = sum(len(each.span) for each in row if each.words == "bytes")
    return () if raw > MOST_RAW * len(span) else tuple(row)


def _at(place: FieldPlace, start: int) -> Iterator[FieldReading]:
    """What may begin at an offset."""
    end = place.span.end
    for width in WIDTHS:
        if start + width <= end:
            yield from _numbers(place, Span(start, start + width), usual=True)
    for stop in _text_ends(place, start):
        yield from _texts(place, Span(start, stop))
    yield from _padding(place, Span(start, start + _zeros(place, start)))
    for size in DIGESTS:
        if start + size <= end:
            yield from _digests(place, Span(start, start + size))
    yield _bytes(Span(start, start + 1))


def _text_ends(place: FieldPlace, start: int) -> Iterable[int]:
    """Where texts that begin at an offset may end."""
    end, raw = place.span.end, bytes(place.buffer[start : place.span.end])
    ends = {start + width + int.from_bytes(raw[:width], "little") for width in (1, 2, 4) if len(raw) > width}
    if start == place.span.start and place.is_first:
        ends |= {start + count for count in range(LEAST_MARK, MOST_MARK + 1) if raw[:count].isalnum()}
    ends |= {start + raw.find(sign) + len(sign) for sign, _ in ENDINGS if sign in raw}
    return sorted(stop for stop in ends if start < stop <= end)


def _continues(before: FieldReading | None, each: FieldReading) -> bool:
    return before is not None and before.words == each.words == "bytes"


def _way_back(came: list[FieldReading | None]) -> list[FieldReading]:
    row: list[FieldReading] = []
    at = len(came) - 1
    while at > 0:
        each = came[at]
        assert each is not None
        row.append(each)
        at -= len(each.span)
    return row[::-1]


def _joined(row: list[FieldReading]) -> list[FieldReading]:
    """The same fields, bytes that follow each other as one."""
    out: list[FieldReading] = []
    for each in row:
        if out and _continues(out[-1], each):
            each = _bytes(Span(out.pop().span.start, each.span.end))
        out.append(each)
    return out


def _bytes(span: Span) -> FieldReading:
    keys = (("type", "bytes"), ("length", len(span)))
    return FieldReading(span, "bytes", count_bytes(len(span)), RAW_RUN + RAW * len(span), "bytes", keys)


# Numbers


def _numbers(place: FieldPlace, span: Span, usual: bool = False) -> Iterator[FieldReading]:
    """Numbers of exactly these bytes; *usual* ones are unsigned, little-endian, or floats that look like some."""
    width = len(span)
    if width not in WIDTHS:
        return
    raw = bytes(place.buffer[span.start : span.end])
    uneven = UNEVEN if (span.start - place.span.start) % min(width, 4) else 0.0
    number = int.from_bytes(raw, "little")
    yield from _told(place, span, number, uneven)
    yield _number(span, f"u{8 * width}", number, uneven, _number_name(place, span, number))
    if raw[-1] & 0x80:
        signed = number - (1 << 8 * width)
        yield _number(span, f"i{8 * width}", signed, uneven + 2.0, "number")
    if width in (4, 8):
        yield from _reals(span, raw, uneven, usual)
    if usual:
        return
    if not raw[-1] & 0x80:
        yield _number(span, f"i{8 * width}", number, 4.0, "number")
    if width > 1 and raw != raw[::-1]:
        other = int.from_bytes(raw, "big")
        yield _number(span, f"u{8 * width}", other, 6.0, _number_name(place, span, other), big=True)


def _number(span: Span, kind: str, number: int, more: float, name: str, big: bool = False) -> FieldReading:
    words = f"{kind}, big-endian" if big else kind
    keys = (("type", kind), *([("order", "big")] if big else []))
    bits = NUMBER + BIT * abs(number).bit_length() + more + len(span) / 8
    return FieldReading(span, words, str(number), bits, name, keys)


def _number_name(place: FieldPlace, span: Span, number: int) -> str:
    early = place.is_first and 0 < number < SMALL_VERSION and len(span) <= 4
    return "version" if early else "number"


def _told(place: FieldPlace, span: Span, number: int, more: float) -> Iterator[FieldReading]:
    """What a number says of other bytes: how many values follow, when it was, a checksum that matches."""
    width = len(span)
    kind = f"u{8 * width}"
    keys = (("type", kind),)
    if place.is_first and number == place.behind > 1:
        note = f"{number} values follow"
        words = f"{kind}, count of the values"
        yield FieldReading(span, words, str(number), COUNT + more, "count", keys, note, is_count=True)
    is_time = width >= 4 and not bytes(place.buffer[span.start : span.end]).isalnum()
    if is_time and EARLIEST <= number < LATEST:
        as_time = (*keys, ("as", "seconds"))
        bits = LONG_TIME if width == 8 else TIME + more
        yield FieldReading(span, f"{kind}, time", _time(number), bits, "time", as_time, "seconds since 1970")
    if is_time and width == 8 and EARLIEST * 1000 <= number < LATEST * 1000:
        as_time = (*keys, ("as", "milliseconds"))
        yield FieldReading(
            span, f"{kind}, time", _time(number / 1000), LONG_TIME, "time", as_time, "milliseconds since 1970"
        )
    left = len(place.buffer) - span.end
    if width >= 2 and place.is_first and number == left > 0:
        yield FieldReading(span, f"{kind}, length of the rest", str(number), COUNT + more, "length", keys)
    is_near = span.start - place.span.start <= MOST_CHECKED or span.end == place.span.end
    if width == 4 and number > 0xFFFF and is_near and len(place.buffer) <= LONGEST_CHECKED:
        yield from _checksums(place, span, number, more)


def _checksums(place: FieldPlace, span: Span, number: int, more: float) -> Iterator[FieldReading]:
    """A checksum that matches the bytes before or behind it; one in the head is verified and follows from then on."""
    before, behind = bytes(place.buffer[: span.start]), bytes(place.buffer[span.end :])
    for kind, made in (("crc32", zlib.crc32), ("adler32", zlib.adler32)):
        words, told, bits = f"checksum, {kind.upper()}", f"0x{number:08X}", CHECKSUM + more
        if behind and number == made(behind):
            if place.is_first:
                yield FieldReading(span, words, told, bits, "checksum", (("type", kind),), ALL_BEHIND)
            else:
                yield FieldReading(span, words, told, bits, "checksum", (("type", "u32"), ("as", "hex")), ALL_BEHIND)
        elif before and number == made(before):
            keys: Keys = (("type", "u32"), ("as", "hex"))
            yield FieldReading(span, words, told, bits, "checksum", keys, "matches all bytes before it")


def _digests(place: FieldPlace, span: Span) -> Iterator[FieldReading]:
    """A digest that matches the bytes behind it."""
    kind, told = DIGESTS.get(len(span), ""), bytes(place.buffer[span.start : span.end])
    is_near = span.start - place.span.start <= MOST_CHECKED
    if not kind or not place.is_first or not is_near or not 0 < len(place.buffer) - span.end <= LONGEST_DIGESTED:
        return
    if checksum(kind, (bytes(place.buffer[span.end :]),)) == told:
        words, keys = f"checksum, {NAMES[kind]}", (("type", kind),)
        yield FieldReading(span, words, told.hex().upper(), CHECKSUM, "checksum", keys, ALL_BEHIND)


def _zeros(place: FieldPlace, start: int) -> int:
    """How many zeros stand at an offset."""
    raw = bytes(place.buffer[start : place.span.end])
    return len(raw) - len(raw.lstrip(b"\0"))


def _padding(place: FieldPlace, span: Span) -> Iterator[FieldReading]:
    """Zeros that only fill the room."""
    if 0 < len(span) <= LONGEST_TEXT and not any(bytes(place.buffer[span.start : span.end])):
        keys: Keys = (("type", "padding"), ("length", len(span)))
        yield FieldReading(span, "padding", count_bytes(len(span)), PADDING + len(span) / 8, "padding", keys)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _reals(span: Span, raw: bytes, more: float, usual: bool) -> Iterator[FieldReading]:
    kind, single = ("f32", True) if len(span) == 4 else ("f64", False)
    number: float = unpack("<f" if single else "<d", raw)[0]
    shown = f"{number:.6g}" if single else repr(number)
    looks = isfinite(number) and 1e-4 <= abs(number) < 1e7
    if usual and not looks:
        return
    digits = len(shown.replace("-", "").replace(".", "").strip("0"))
    bits = REAL + DIGIT * digits + more if looks else UNLIKELY + REAL
    yield FieldReading(span, kind, shown, bits, "number", (("type", kind),))


# Texts


def _texts(place: FieldPlace, span: Span) -> Iterator[FieldReading]:
    """Texts of exactly these bytes: behind their length, with an end of their own, or as long as they are."""
    if len(span) > LONGEST_TEXT:
        return
    raw = bytes(place.buffer[span.start : span.end])
    is_start = place.is_first and span.start == 0
    for width, words in ((4, "Pascal string"), (2, "text after a u16"), (1, "text after a u8")):
        for order in ("little", "big") if width > 1 else ("little",):
            inside = _text(raw[width:])
            length = int.from_bytes(raw[:width], order)
            if inside and len(raw) > width and length == len(raw) - width:
                big = order == "big"
                order_key = [("order", "big")] if big else []
                keys: Keys = (("type", "text"), ("length", f"u{8 * width}"), *order_key)
                more = 6.0 * big + 2.0 * (4 - width)
                told = f"{words}, big-endian" if big else words
                if is_start and inside.isalnum():
                    mark = (("type", "mark"), ("text", inside), *keys[1:])
                    yield _said(span, f"mark, a {told}", inside, more - 2.0, "mark", mark, EVERY)
                yield _said(span, told, inside, more, "text", keys)
    for sign, words in ENDINGS:
        inside = _text(raw[: -len(sign)]) if raw.endswith(sign) else ""
        if inside and sign.decode() not in inside:
            yield _said(span, words, inside, 4.0, "text", (("type", "text"), ("until", sign.decode())))
            break
    plain = _text(raw.rstrip(b"\0"))
    if plain:
        if is_start and plain.isalnum() and len(plain) == len(raw) >= LEAST_MARK:
            yield _said(span, "mark", plain, -LETTER, "mark", (("type", "mark"), ("text", plain)), EVERY)
        fixed: Keys = (("type", "text"), ("length", len(raw)))
        yield _said(span, "text of a fixed length", plain, MARK, "text", fixed)


def _said(span: Span, words: str, said: str, more: float, name: str, keys: Keys, note: str = "") -> FieldReading:
    shown = said if len(said) <= SHOWN else f"{said[: SHOWN - 1]}…"
    letters = sum(sign.isalnum() or sign == " " for sign in said)
    bits = TEXT + LETTER * letters + SIGN * (len(said) - letters) + more
    return FieldReading(span, words, f"“{shown}”", bits, name, keys, note)


def _text(raw: bytes) -> str:
    """The text that bytes are, empty where they are none that a person can read."""
    try:
        said = raw.decode()
    except UnicodeDecodeError:
        return ""
    return said if said.strip() and all(sign.isprintable() or sign == "\t" for sign in said) else ""
