"""Search: keys, texts, numbers and bytes, found step by step so that a window stays alive meanwhile.

A text is looked for as its UTF-8 bytes, in upper and lower case alike unless asked otherwise: keys, string values,
class names and stray bytes are all found that way. A number is looked for in every encoding, and only where a value of
that encoding stands.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache

from viewer.document import outline
from viewer.document.document import Document
from viewer.span import Span
from viewer.variant.items import Item, Role
from viewer.variant.literal.numbers import to_f32

CHUNK = 1 << 16
LIMIT = 10_000
HEX_DIGITS = frozenset("0123456789abcdef")
WHOLE_NUMBERS = {"i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q", "u8": "<B"}


class QueryError(ValueError):
    """Something that cannot be looked for; the text is one sentence that says why."""


class Mode(Enum):
    """What a query is about; the value is its prefix."""

    ANY = ""
    TEXT = "text"
    KEY = "key"
    HEX = "hex"
    NUMBER = "number"


PREFIXES = {"text": Mode.TEXT, "key": Mode.KEY, "hex": Mode.HEX, "bytes": Mode.HEX, "number": Mode.NUMBER}


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for.

    Args:
        text: what stands behind the prefix, or all of it.
        mode: what it is about.
        case_sensitive: whether letters must match exactly.
    """

    text: str
    mode: Mode = Mode.ANY
    case_sensitive: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A place found: its bytes, and the item where it had to be looked at anyway."""

    span: Span
    item: Item | None = None


def parse_query(text: str, case_sensitive: bool = False) -> Query:
    """Read what a person wrote: ``gold``, ``key: gold``, ``text: gold``, ``number: 5``, ``hex: 10 4? ??``.

    Raises:
        QueryError: the bytes or the number cannot be read.
    """
    prefix, colon, rest = text.partition(":")
    mode = PREFIXES.get(prefix.strip().lower(), Mode.ANY) if colon else Mode.ANY
    query = Query(text if mode is Mode.ANY else rest.strip(), mode, case_sensitive)
    if mode is Mode.HEX and query.text:
        parse_bytes(query.text)
    if mode is Mode.NUMBER and query.text and _number(query.text) is None:
        raise QueryError(f"“{query.text}” is not a number: write 42, -1.5 or 0x1F.")
    return query


def parse_bytes(text: str) -> list[tuple[int, int]]:
    """Bytes in hex as (value, mask); ``?`` stands for any digit.

    Raises:
        QueryError: there are other signs, or a byte has one digit.
    """
    digits = re.sub(r"0[xX]|[\s,]", "", text).lower()
    wrong = next((sign for sign in digits if sign not in HEX_DIGITS and sign != "?"), None)
    if wrong is not None:
        raise QueryError(f"“{wrong}” is not a hex digit: write bytes as 10 27 4? ??.")
    if len(digits) % 2:
        raise QueryError("A byte has two digits: write 0A, not A; ? stands for any digit.")
    return [_masked(digits[k : k + 2]) for k in range(0, len(digits), 2)]


def _masked(pair: str) -> tuple[int, int]:
    value = mask = 0
    for digit in pair:
        value, mask = value << 4, mask << 4
        if digit != "?":
            value, mask = value | int(digit, 16), mask | 15
    return value, mask


# Looking


def find_all(document: Document, query: Query, limit: int = LIMIT) -> list[Hit]:
    """The first *limit* hits in byte order."""
    out: list[Hit] = []
    for found in steps(document, query):
        out.extend(found)
        if len(out) >= limit:
            break
    return out[:limit]


def hits(document: Document, query: Query) -> Iterator[Hit]:
    """All hits in byte order, looked for as they are taken."""
    for found in steps(document, query):
        yield from found


def steps(document: Document, query: Query) -> Iterator[list[Hit]]:
    """The hits of one stretch of the bytes after another; many lists are empty. Ends when the document changes."""
    if query.is_empty:
        return
    needles = _needles(query)
    revision, size = document.revision, len(document.buffer)
    done = 0
    for start in range(0, size, CHUNK):
        if document.revision != revision:
            return
        found = _in_stretch(document, needles, start, min(start + CHUNK, size), query.mode)
        fresh = [hit for hit in found if hit.span.start >= done]
        done = fresh[-1].span.end if fresh else done
        yield fresh


@dataclass(frozen=True, slots=True)
class _Needle:
    """A pattern over the bytes, how long what it finds can be, and the number type that must stand there.

    The pattern of a number only looks ahead, so that it sees every place in a run of equal bytes.
    """

    pattern: re.Pattern[bytes]
    longest: int
    kind: str = ""


def _in_stretch(document: Document, needles: list[_Needle], start: int, end: int, mode: Mode) -> list[Hit]:
    """Hits that begin in ``[start, end)``; where two overlap, the first and longest one stands."""
    found: list[Hit] = []
    for needle in needles:
        for match in needle.pattern.finditer(document.buffer, start, end + needle.longest - 1):
            span = Span(match.start(), match.start() + needle.longest if needle.kind else match.end())
            if span.start < end:
                hit = _checked(document, span, needle, mode)
                found.extend([hit] if hit is not None else [])
    found.sort(key=lambda hit: (hit.span.start, -hit.span.end))
    out: list[Hit] = []
    for hit in found:
        if not out or hit.span.start >= out[-1].span.end:
            out.append(hit)
    return out


def _checked(document: Document, span: Span, needle: _Needle, mode: Mode) -> Hit | None:
    """The hit, unless it had to be a key or a number and is none."""
    if not needle.kind and mode is not Mode.KEY:
        return Hit(span)
    if needle.kind not in ("", "u8") and not _aligned(document, span.start):
        return None
    item = outline.item_at(document, span.start)
    if item is None or item.node < 0:
        return None
    part = outline.part(document, item)
    if part is None or part.role is not Role.VALUE:
        return None
    if needle.kind and (part.type not in (needle.kind, "") or outline.span(document, item) != span):
        return None
    if mode is Mode.KEY and not outline.is_key(document.frames[item.frame].table, item.node):
        return None
    return Hit(span, item)


def _aligned(document: Document, offset: int) -> bool:
    """Whether a number of four bytes or more can stand here: all of a value but text is cut in words."""
    index = document.frame_at(offset)
    return index >= 0 and (offset - document.frames[index].start) % 4 == 0


@cache
def _needles(query: Query) -> list[_Needle]:
    if query.mode is Mode.HEX:
        return [_hex_needle(query.text)]
    out = [] if query.mode is Mode.NUMBER else [_text_needle(query.text, query.case_sensitive)]
    number = _number(query.text) if query.mode is not Mode.TEXT else None
    if number is not None:
        out += _number_needles(number, every=query.mode is Mode.NUMBER)
    return out


def _hex_needle(text: str) -> _Needle:
    pairs = parse_bytes(text)
    return _Needle(re.compile(b"".join(_byte_class(*pair) for pair in pairs), re.DOTALL), len(pairs))


def _byte_class(value: int, mask: int) -> bytes:
    if mask == 0:
        return b"."
    if mask == 0xFF:
        return re.escape(bytes([value]))
    fitting = [other for other in range(256) if other & mask == value]
    return b"[" + b"".join(re.escape(bytes([other])) for other in fitting) + b"]"


def _text_needle(text: str, case_sensitive: bool) -> _Needle:
    pieces, longest = [], 0
    for sign in text:
        forms = {sign} if case_sensitive else {sign, sign.lower(), sign.upper()}
        raw = sorted((form.encode(errors="surrogatepass") for form in forms), key=lambda form: (-len(form), form))
        pieces.append(re.escape(raw[0]) if len(raw) == 1 else b"(?:" + b"|".join(map(re.escape, raw)) + b")")
        longest += len(raw[0])
    return _Needle(re.compile(b"".join(pieces)), longest)


def _number(text: str) -> int | float | None:
    text = text.strip().replace("_", "")
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text) if re.fullmatch(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?", text) else None
    except ValueError:
        return None


def _number_needles(number: int | float, every: bool) -> list[_Needle]:
    """The encodings of a number. Single bytes only on request: almost any byte is one."""
    raws: list[tuple[str, bytes]] = []
    if isinstance(number, int):
        for kind, code in WHOLE_NUMBERS.items():
            if kind != "u8" or every:
                try:
                    raws.append((kind, struct.pack(code, number)))
                except struct.error:
                    continue
    if abs(number) < 1 << 1000:
        raws.append(("f64", struct.pack("<d", number)))
        if to_f32(float(number)) is not None:
            raws.append(("f32", struct.pack("<f", number)))
    return [_Needle(re.compile(b"(?=" + re.escape(raw) + b")", re.DOTALL), len(raw), kind) for kind, raw in raws]
