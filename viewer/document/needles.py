"""Needles: a query as patterns over bytes.

Letters of ASCII are looked for in lower-cased bytes, which is four times as fast as a pattern that takes either case;
other letters keep their lengths there, so they stand in the pattern in all their cases.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from functools import lru_cache

from viewer.document.query import Mode, Query, parse_bytes, parse_number
from viewer.variant.literal.numbers import to_f32

WHOLE_NUMBERS = {"i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q", "u8": "<B"}
KEPT = 16


@dataclass(frozen=True, slots=True)
class Needle:
    """A pattern over the bytes.

    Args:
        pattern: finds the places.
        longest: how many bytes what it finds can have.
        folded: the pattern is for bytes whose ASCII letters were made small.
        kinds: the number types one of which must stand there; empty for what may stand anywhere.
        is_plain: the pattern is a run of bytes without choices, so that its length costs nothing.
    """

    pattern: re.Pattern[bytes]
    longest: int
    folded: bool = False
    kinds: frozenset[str] = frozenset()
    is_plain: bool = False


@lru_cache(KEPT)
def needles(query: Query) -> tuple[Needle, ...]:
    """What to look for in the bytes; where two find overlapping places, the first and longest one counts."""
    if query.mode is Mode.HEX:
        return (_hex_needle(query.text),)
    out = [] if query.mode is Mode.NUMBER else [_text_needle(query.text, query.case_sensitive)]
    number = parse_number(query.text) if query.mode is not Mode.TEXT else None
    if number is not None:
        out += _number_needles(number, every=query.mode is Mode.NUMBER)
    return tuple(out)


def _hex_needle(text: str) -> Needle:
    pairs = parse_bytes(text)
    pattern = re.compile(b"".join(_byte_class(*pair) for pair in pairs), re.DOTALL)
    return Needle(pattern, len(pairs), is_plain=all(mask == 0xFF for _, mask in pairs))


def _byte_class(value: int, mask: int) -> bytes:
    if mask == 0:
        return b"."
    if mask == 0xFF:
        return re.escape(bytes([value]))
    fitting = [other for other in range(256) if other & mask == value]
    return b"[" + b"".join(re.escape(bytes([other])) for other in fitting) + b"]"


def _text_needle(text: str, case_sensitive: bool) -> Needle:
    pieces, longest, is_plain = [], 0, True
    for sign in text:
        forms = {sign} if case_sensitive else {sign, sign.lower(), sign.upper()}
        raws = {form.encode(errors="surrogatepass") for form in forms}
        raws = raws if case_sensitive else {raw.lower() for raw in raws}
        raw = sorted(raws, key=lambda form: (-len(form), form))
        is_plain = is_plain and len(raw) == 1
        pieces.append(re.escape(raw[0]) if len(raw) == 1 else b"(?:" + b"|".join(map(re.escape, raw)) + b")")
        longest += len(raw[0])
    return Needle(re.compile(b"".join(pieces)), longest, folded=not case_sensitive, is_plain=is_plain)


def _number_needles(number: int | float, every: bool) -> list[Needle]:
    """The encodings of a number. Single bytes only on request: almost any byte is one."""
    raws: dict[bytes, set[str]] = {}
    if isinstance(number, int):
        for kind, code in WHOLE_NUMBERS.items():
            if kind != "u8" or every:
                try:
                    raws.setdefault(struct.pack(code, number), set()).add(kind)
                except struct.error:
                    continue
    if abs(number) < 1 << 1000:
        raws.setdefault(struct.pack("<d", number), set()).add("f64")
        if to_f32(float(number)) is not None:
            raws.setdefault(struct.pack("<f", number), set()).add("f32")
    return [
        Needle(re.compile(re.escape(raw), re.DOTALL), len(raw), kinds=frozenset(kinds), is_plain=True)
        for raw, kinds in raws.items()
    ]
