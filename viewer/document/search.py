"""Search: keys, texts, numbers, bytes, types, found step by step so that a window stays alive meanwhile.

A text is looked for as its UTF-8 bytes, in upper and lower case alike unless asked otherwise: keys, string values,
class names and stray bytes are all found that way. A number is looked for in every encoding, and only where a value of
that encoding stands. The bytes are read a stretch at a time, so that they need not be in memory. Types and regular
expressions are looked for from value to value, see :mod:`viewer.document.node_search`.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.hit import Hit, Step
from viewer.document.judge import Judge
from viewer.document.needles import Needle, needles
from viewer.document.node_search import node_steps
from viewer.document.query import LIMIT, Mode, Query

__all__ = ["Hit", "Step", "find_all", "steps"]

CHUNK = 1 << 16
"""Bytes read at once."""
LEAST = 1 << 12
MOST = 200
"""Places looked at in one step, so that no step takes long however often something occurs."""


def find_all(document: Document, query: Query, limit: int = LIMIT) -> list[Hit]:
    """The first *limit* hits in byte order."""
    out: list[Hit] = []
    for step in steps(document, query):
        out.extend(step.hits)
        if len(out) >= limit:
            break
    return out[:limit]


def steps(document: Document, query: Query, within: Span | None = None) -> Iterator[Step]:
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


def _byte_steps(document: Document, query: Query, within: Span) -> Iterator[Step]:
    trails = [_Trail(document, needle, query.mode) for needle in needles(query)]
    longest = max(trail.needle.longest for trail in trails)
    length = usual = _stretch(trails, longest)
    revision, size = document.revision, within.end
    at = done = within.start
    held: list[Hit] = []
    while at < size and document.revision == revision:
        end = min(at + length, size)
        raw = bytes(document.buffer[at : min(end + longest - 1, size)])
        for trail in trails:
            held.extend(trail.follow(raw, at, done, end))
        reached = min(trail.clear for trail in trails)
        fresh, held = _settled(held, done, reached)
        done = fresh[-1].span.end if fresh else done
        length = usual if reached >= end else max(LEAST, longest, 2 * (reached - at))
        at = reached
        yield Step(fresh, min(at, size))


def _stretch(trails: list[_Trail], longest: int) -> int:
    """Bytes a step: fewer where every byte may cost a comparison with all of a long pattern."""
    plain = all(trail.needle.is_plain for trail in trails)
    return max(longest, CHUNK if plain else max(LEAST, CHUNK // (1 + longest // 16)))


def _settled(found: list[Hit], done: int, reached: int) -> tuple[list[Hit], list[Hit]]:
    """Hits in ``[done, reached)`` in byte order, and those behind; where two overlap, the first and longest stands."""
    found.sort(key=lambda hit: (hit.span.start, -hit.span.end))
    out: list[Hit] = []
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
        must_be = mode in (Mode.KEY, Mode.VALUE) or bool(needle.kinds)
        self._judge = Judge(document, needle.kinds, mode is Mode.KEY, mode is Mode.VALUE) if must_be else None

    def follow(self, raw: bytes, base: int, done: int, end: int) -> list[Hit]:
        """New hits that begin in ``[done, end)``; where there are many, only the first of them.

        Args:
            raw: the bytes from offset *base* to behind *end*.
        """
        found: list[Hit] = []
        if self.clear >= end:
            return found
        search, text = self.needle.pattern.search, raw.lower() if self.needle.folded else raw
        at, stop = max(base, done, self.clear) - base, end - base
        for _ in range(MOST):
            match = search(text, at)
            if match is None or match.start() >= stop:
                self.clear = max(self.clear, end)
                return found
            hit = self._hit(Span(base + match.start(), base + match.end()))
            found.extend([hit] if hit is not None else [])
            at = max(match.start() + 1 if hit is None else match.end(), self.clear - base)
        self.clear = base + at
        return found

    def _hit(self, span: Span) -> Hit | None:
        if self._judge is None:
            return Hit(span)
        item = self._judge.item(span)
        self.clear = max(self.clear, self._judge.clear)
        return Hit(span, item) if item is not None else None
