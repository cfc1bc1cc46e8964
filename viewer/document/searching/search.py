"""Search: keys, texts, numbers, bytes, types, found step by step so that a window stays alive meanwhile.

A text is looked for as its UTF-8 bytes, in upper and lower case alike unless asked otherwise: keys, string values,
class names and stray bytes are all found that way. A number is looked for in every encoding, and only where a value of
that encoding stands. The bytes are read a stretch at a time, so that they need not be in memory. Types and regular
expressions are looked for from value to value, see :mod:`viewer.document.searching.node_search`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import lru_cache

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.searching.hits import SearchHit, SearchStep
from viewer.document.searching.judge import Judge
from viewer.document.searching.node_search import node_steps
from viewer.document.searching.query import LIMIT, Mode, Query, parse_bytes, parse_number
from viewer.variant.literal.numbers import to_f32
from viewer.variant.string_table import StringTable

# Needles: a query as patterns over bytes.
#
# Letters of ASCII are looked for in lower-cased bytes, which is four times as fast as a pattern that takes either
# case; other letters keep their lengths there, so they stand in the pattern in all their cases.

WHOLE_NUMBERS = {"i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q", "u8": "<B"}
KEPT = 16
NAMING = (Mode.ANY, Mode.TEXT, Mode.KEY)
"""The modes in which names are looked at."""


@dataclass(frozen=True, slots=True)
class Needle:
    """A pattern over the bytes.

    Args:
        pattern: finds the places.
        longest: how many bytes what it finds can have.
        folded: the pattern is for bytes whose ASCII letters were made small.
        kinds: the number types one of which must stand there; empty for what may stand anywhere.
        is_plain: the pattern is a run of bytes without choices, so that its length costs nothing.
        names: it finds places in the file's table of strings, which only count as names of properties.
    """

    pattern: re.Pattern[bytes]
    longest: int
    folded: bool = False
    kinds: frozenset[str] = frozenset()
    is_plain: bool = False
    names: bool = False


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


def name_needle(names: StringTable, query: Query) -> Needle | None:
    """What to look for where names are places in a table of strings; None where no string of it is meant."""
    places: dict[bytes, bytearray] = {}
    for place in found_names(names, query):
        word = place.to_bytes(4, "little")
        places.setdefault(word[1:], bytearray()).append(word[0])
    if not places:
        return None
    choices = (b"[" + re.escape(bytes(low)) + b"]" + re.escape(high) for high, low in places.items())
    return Needle(re.compile(b"|".join(choices), re.DOTALL), 4, is_plain=True, names=True)


def found_names(names: StringTable, query: Query) -> Iterator[int]:
    """The places of the strings in which a text stands."""
    needle = _text_needle(query.text, query.case_sensitive)
    for place in range(len(names)):
        raw = names[place].encode(errors="surrogatepass")
        if needle.pattern.search(raw.lower() if needle.folded else raw):
            yield place


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


__all__ = ["SearchHit", "SearchStep", "find_all", "steps"]

CHUNK = 1 << 16
"""Bytes read at once."""
LEAST = 1 << 12
MOST = 200
"""Places looked at in one step, so that no step takes long however often something occurs."""


def find_all(document: Document, query: Query, limit: int = LIMIT) -> list[SearchHit]:
    """The first *limit* hits in byte order."""
    out: list[SearchHit] = []
    for step in steps(document, query):
        out.extend(step.hits)
        if len(out) >= limit:
            break
    return out[:limit]


def steps(document: Document, query: Query, within: Span | None = None) -> Iterator[SearchStep]:
    """Search one stretch of the bytes after another; many steps find nothing. Ends when the document changes.

    A step takes about a millisecond, so that a search can be put off or given up between any two of them.

    Args:
        document: what is searched.
        query: what is looked for.
        within: the bytes in which a hit must lie, None for all.
    """
    if query.is_empty:
        return
    within = within or Span(0, len(document.buffer))
    yield from (node_steps if query.mode in (Mode.TYPE, Mode.REGEX) else _byte_steps)(document, query, within)


def _byte_steps(document: Document, query: Query, within: Span) -> Iterator[SearchStep]:
    wanted = list(needles(query))
    names = document.structure.names if document.structure is not None and query.mode in NAMING else None
    named = name_needle(names, query) if names is not None else None
    wanted += [named] if named is not None else []
    trails = [_Trail(document, needle, query.mode) for needle in wanted]
    longest = max(trail.needle.longest for trail in trails)
    length = usual = _stretch(trails, longest)
    revision, size = document.revision, within.end
    at = done = within.start
    held: list[SearchHit] = []
    while at < size and document.revision == revision:
        end = min(at + length, size)
        raw = bytes(document.buffer[at : min(end + longest - 1, size)])
        for trail in trails:
            held.extend(trail.follow(raw, at, done, end))
        reached = min(trail.clear for trail in trails)
        fresh, held = (held, []) if len(trails) == 1 else _settled(held, done, reached)
        done = fresh[-1].span.end if fresh else done
        length = usual if reached >= end else max(LEAST, longest, 2 * (reached - at))
        at = reached
        yield SearchStep(fresh, min(at, size))


def _stretch(trails: list[_Trail], longest: int) -> int:
    """Bytes a step: fewer where every byte may cost a comparison with all of a long pattern."""
    plain = all(trail.needle.is_plain for trail in trails)
    return max(longest, CHUNK if plain else max(LEAST, CHUNK // (1 + longest // 16)))


def _settled(found: list[SearchHit], done: int, reached: int) -> tuple[list[SearchHit], list[SearchHit]]:
    """Hits in ``[done, reached)`` in byte order, and those behind; where two overlap, the first and longest stands.

    Those of one needle alone are in order, and do not overlap.
    """
    found.sort(key=lambda hit: (hit.span.start, -hit.span.end))
    out: list[SearchHit] = []
    for place, hit in enumerate(found):
        if hit.span.start >= reached:
            return out, found[place:]
        if hit.span.start >= done:
            out.append(hit)
            done = hit.span.end
    return out, []


class _Trail:
    """One needle's way through the bytes.

    Attributes:
        clear: no other hit begins before this offset.
    """

    __slots__ = ("_judge", "clear", "needle")

    def __init__(self, document: Document, needle: Needle, mode: Mode) -> None:
        self.needle = needle
        self.clear = 0
        must_be = mode in (Mode.KEY, Mode.VALUE) or bool(needle.kinds) or needle.names
        keys = mode is Mode.KEY or needle.names
        self._judge = Judge(document, needle.kinds, keys, mode is Mode.VALUE, needle.names) if must_be else None

    def follow(self, raw: bytes, base: int, done: int, end: int) -> list[SearchHit]:
        """New hits that begin in ``[done, end)``; where there are many, only the first of them.

        Args:
            raw: the bytes from offset *base* to behind *end*.
        """
        found: list[SearchHit] = []
        if self.clear >= end:
            return found
        search, text = self.needle.pattern.search, raw.lower() if self.needle.folded else raw
        at, stop = max(base, done, self.clear) - base, end - base
        for _ in range(MOST):
            match = search(text, at)
            first, at = match.span() if match is not None else (stop, stop)
            if first >= stop:
                self.clear = max(self.clear, end)
                return found
            hit = self._hit(Span(base + first, base + at))
            if hit is not None:
                found.append(hit)
            else:
                at = first + 1
            if self.clear - base > at:
                at = self.clear - base
        self.clear = base + at
        return found

    def _hit(self, span: Span) -> SearchHit | None:
        judge = self._judge
        if judge is None:
            return SearchHit(span)
        item = judge.item(span)
        if judge.clear > self.clear:
            self.clear = judge.clear
        return SearchHit(span, item) if item is not None else None
