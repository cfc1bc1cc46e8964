"""Hypotheses about codings that all bytes went through on their way: escapes, pieces, another order of the bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from viewer.container.frames import MIN_VALUE, is_header, prefix
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import WorkBudget, is_readable
from viewer.variant.dialect import COLLECTIONS, Dialect, available

MOST = 1 << 16
"""Longer bytes went through no coding of these, most likely; each needs a copy of them all."""
LEAST = 12
ESCAPES = {0xFF: "FF", 0x10: "10", 0x22: "22", 0x27: "27", 0x5C: "5C", 0x25: "25"}
"""Bytes that are written twice where they are meant, by Telnet, serial lines, and texts in quotes."""
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})(?:;[^\r\n]*)?\r\n")
STROKE = re.compile(rb"\\([0\\'\"nrtbZ%])")
"""What a string of PHP or of a database escapes, behind the stroke that tells so."""
STROKES = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}
LEAST_STROKES = 4
PICTURES = re.compile(rb"\xe2\x90[\x80-\xa1]")
LETTER = rb"[\x21-\x7e\x80-\xf4]"
"""What stands on both sides of a sign within a text."""
HEADERS = (1, 2, 4, 8)
LEAST_PIECES, MOST_PERIOD, LEAST_PERIOD = 3, 2048, 12
MOST_TURNS = 48
LIKELY, POSSIBLE, RARE = 1.0, 0.5, 0.2


def coded_candidates(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    """What undoes a coding of all bytes, where that leaves what may be values.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST <= len(data) <= MOST:
        return
    for cause, new, fact, weight in _undone(data):
        meter.count(4 * len(data))
        if new != data and _may_be_values(new):
            yield Candidate(cause, (Patch(0, len(data), new),), fact, weight, framed=True)
    yield from _turned(data, meter)


@cache
def collection_numbers() -> frozenset[int]:
    """The type numbers of collections in any engine line."""
    return frozenset(row.number for dialect in available() for row in dialect.rows if row.kind in COLLECTIONS)


def _may_be_values(data: bytes) -> bool:
    if is_header(data, 0) and data[0] in collection_numbers():
        return True
    lengths = (prefix(data, 0, big) for big in (False, True)) if len(data) >= 8 else ()
    return any(MIN_VALUE <= each <= len(data) - 4 for each in lengths) and is_header(data, 4)


Undone = tuple[Cause, bytes, str, float]


def _undone(data: bytes) -> Iterator[Undone]:
    yield from _escapes(data)
    yield from _signs(data)
    yield from _pieces(data)
    yield from _orders(data)


def _escapes(data: bytes) -> Iterator[Undone]:
    if b"\xdb\xdc" in data or b"\xdb\xdd" in data or data[-1:] == b"\xc0":
        new = data.strip(b"\xc0").replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")
        yield Cause.ESCAPED, new, "They were written for a serial line (SLIP): DB DC is C0, and DB DD is DB.", LIKELY
    if data[:1] == data[-1:] == b"\x7e":
        new = re.sub(rb"\x7d(.)", lambda found: bytes([found[1][0] ^ 0x20]), data[1:-1], flags=re.DOTALL)
        yield Cause.ESCAPED, new, "They were written in frames between 7E, in which 7D escapes a byte (HDLC).", LIKELY
    if data.find(b"\0") == len(data) - 1:
        plain = _from_cobs(data[:-1])
        if plain is not None:
            yield Cause.ESCAPED, plain, "Bytes count how far it is to the next zero (COBS).", LIKELY
    yield from _strokes(data)
    for byte, shown in ESCAPES.items():
        pair = bytes([byte, byte])
        runs = re.findall(re.escape(pair[:1]) + b"+", data)
        if runs and all(len(run) % 2 == 0 for run in runs):
            fact = f"Each {shown} occurs twice, {len(runs)} times."
            yield Cause.ESCAPED, data.replace(pair, pair[:1]), fact, POSSIBLE


def _strokes(data: bytes) -> Iterator[Undone]:
    """Strokes before zeros, quotes and other strokes, as a text in quotes needs them."""
    found = [] if b"\0" in data else STROKE.findall(data)
    if found.count(b"0") < LEAST_STROKES or b"\\" in STROKE.sub(b"", data):
        return
    whose = "as MySQL" if set(b"".join(found)).intersection(b"nrtbZ%") else "as addslashes() of PHP or a database"
    fact = f"Zeros stand as \\0, and there are backslashes before quotes, {whose} writes them, {len(found)} times."
    yield Cause.ESCAPED, STROKE.sub(lambda each: STROKES.get(each[1], each[1]), data), fact, LIKELY


def _from_cobs(data: bytes) -> bytes | None:
    out, at = bytearray(), 0
    while at < len(data):
        step = data[at]
        out += data[at + 1 : at + step]
        at += step
        if step < 0xFF and at < len(data):
            out.append(0)
    return bytes(out) if at == len(data) else None


def _signs(data: bytes) -> Iterator[Undone]:
    """Zeros and other signs that became something that can be seen, and texts that became UTF-8 twice."""
    if PICTURES.search(data):
        new = PICTURES.sub(lambda found: b"\x7f" if found[0][2] == 0xA1 else bytes([found[0][2] - 0x80]), data)
        yield Cause.ZEROS_REPLACED, new, "Characters such as ␀ become again the bytes that they show.", LIKELY
    if b"\0" not in data:
        most = max(set(data), key=data.count)
        if data.count(most) * 8 > len(data):
            shown = "blanks (20) are" if most == 0x20 else f"bytes {most:02X} are"
            fact = f"There is no zero among them, and {shown} where zeros should be."
            sign = re.escape(bytes([most]))
            alone = b"(?<=%s)(?<!%s)%s(?!%s)(?=%s)" % (LETTER, sign, sign, sign, LETTER)
            in_texts = re.sub(b"(%s)|%s" % (alone, sign), lambda found: found[1] or b"\0", data)
            if most in in_texts:
                yield Cause.ZEROS_REPLACED, in_texts, f"{fact} Between letters they are kept.", POSSIBLE
            yield Cause.ZEROS_REPLACED, data.replace(bytes([most]), b"\0"), fact, POSSIBLE
    new = data
    for times in (1, 2, 3):
        try:
            new = new.decode().encode("latin-1")
        except UnicodeError:
            return
        if times > 1 and not new.isascii():
            fact = f"Read as UTF-8 {times} times, one after another, all of it makes sense."
            yield Cause.MADE_UTF8, new, fact, POSSIBLE


def _pieces(data: bytes) -> Iterator[Undone]:
    """Something before each piece of a message: a length in a line, or a number that counts them."""
    plain, at = bytearray(), 0
    while found := CHUNK.match(data, at):
        size = int(found[1], 16)
        plain += data[found.end() : found.end() + size]
        at = found.end() + size + 2
        if not size:
            break
    if plain and at >= len(data) - 2:
        yield Cause.IN_PIECES, bytes(plain), "Each piece follows its length, which is a line of text (HTTP).", LIKELY
    for period in range(LEAST_PERIOD, min(MOST_PERIOD, len(data) // (LEAST_PIECES - 1)) + 1):
        firsts = data[::period]
        if len(firsts) < LEAST_PIECES or firsts[0] > 1:
            continue
        if firsts != bytes((firsts[0] + k) & 0xFF for k in range(len(firsts))):
            continue
        for size in HEADERS:
            new = b"".join(data[k + size : k + period] for k in range(0, len(data), period))
            fact = f"Before each {period - size} bytes there are {size} that count the pieces."
            if size == 1:
                fact = f"Before each {period - 1} bytes there is one that counts the pieces."
            yield Cause.IN_PIECES, new, fact, POSSIBLE


def _orders(data: bytes) -> Iterator[Undone]:
    half = len(data) // 2
    if len(data) % 2 == 0:
        mixed = bytearray(len(data))
        mixed[::2], mixed[1::2] = data[:half], data[half:]
        yield Cause.OTHER_ORDER, bytes(mixed), "First come all bytes at even places, then all at odd ones.", RARE
        plain = data[::2] + data[1::2]
        yield Cause.OTHER_ORDER, plain, "The bytes of both halves alternate.", RARE
    if len(data) % 4 == 0:
        mixed = bytearray(len(data))
        for k in range(4):
            mixed[k::4] = data[k * half // 2 : (k + 1) * half // 2]
        yield Cause.OTHER_ORDER, bytes(mixed), "First come the first bytes of all words, then the second ones.", RARE
    number, size = int.from_bytes(data, "big"), len(data)
    for by in range(1, 8):
        left = (number << by & (1 << 8 * size) - 1).to_bytes(size, "big")
        for new, way in ((left, "left"), ((number >> by).to_bytes(size, "big"), "right")):
            bits = "one bit" if by == 1 else f"{by} bits"
            yield Cause.BITS_MOVED, new, f"With all bits shifted back {bits} to the {way}, all of it reads.", RARE


def _turned(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    """The begin lies behind the end, as in a buffer that goes round, or where two parts changed places."""
    tried, roots = 0, collection_numbers()
    for at in range(4, len(data) - 4):
        if data[at] not in roots or data[at + 1] or data[at + 2] or data[at + 3] or tried >= MOST_TURNS:
            continue
        for start in (at, at - 4):
            is_stored = start < at
            if not start:
                continue  # they stand as they are
            if is_stored and prefix(data, start, False) > len(data):
                continue
            new = data[start:] + data[:start]
            if meter.spent:
                return
            meter.count(2 * len(data))
            if not any(_fits(new[4 * is_stored :], dialect, is_stored, meter) for dialect in available()):
                continue
            tried += 1
            fact = f"The bytes begin at 0x{start:X}; what precedes them belongs after the others."
            yield Candidate(Cause.PARTS_SWAPPED, (Patch(0, len(data), new),), fact, POSSIBLE, framed=True)


def _fits(data: bytes, dialect: Dialect, is_stored: bool, meter: WorkBudget) -> bool:
    table = meter.scan(data, 0, len(data), dialect)
    is_read = len(table) > 1 and is_readable(table)
    return is_read and (is_stored or table.end_of_data == len(data))
