"""Texts with one token a byte: written anew where they are regular, and mended in place where they are not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass, replace
from viewer.container.armor.byte_text import error_at
from viewer.container.armor.text_format import ArmorWriter

# Where two runs of bytes are the same, from either end.

_STEP = 1 << 12


def same_start(one: bytes, other: bytes, most: int | None = None) -> int:
    """How many bytes at the beginning are the same, *most* at most."""
    stop = min(len(one), len(other))
    stop = stop if most is None else min(stop, most)
    at = 0
    while at < stop and one[at : min(at + _STEP, stop)] == other[at : min(at + _STEP, stop)]:
        at = min(at + _STEP, stop)
    while at < stop and one[at] == other[at]:
        at += 1
    return at


def same_end(one: bytes, other: bytes, most: int) -> int:
    """How many bytes at the end are the same, *most* at most."""
    stop = min(len(one), len(other), most)
    at = 0
    while at + _STEP <= stop and one[len(one) - at - _STEP : len(one) - at] == _before(other, at):
        at += _STEP
    while at < stop and one[-1 - at] == other[-1 - at]:
        at += 1
    return at


def _before(data: bytes, at: int) -> bytes:
    return data[len(data) - at - _STEP : len(data) - at]


_COMMENT = late_pattern(r"//|/\*")
PIECE = 1 << 16
"""Bytes whose tokens are made at a time."""
_LOOKED_AT = 1 << 12
"""So many tokens tell how the others are separated."""


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Tokens in rows.

    Args:
        head, tail: the text before the first token, and behind the last one.
        spelt: the token of each byte.
        group: how many bytes stand together.
        between: what separates groups.
        row: how many bytes are in a row, 0 where all of them are.
        turn: what separates rows.
    """

    head: str
    tail: str
    spelt: tuple[str, ...]
    group: int = 1
    between: str = ", "
    row: int = 0
    turn: str = "\n"

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        return f"{self.head}{self.tokens(inside)}{self.tail}"

    def tokens(self, inside: bytes) -> str:
        """Bytes between head and tail."""
        return "".join(self.pieces(inside))

    def pieces(self, inside: bytes) -> Iterator[str]:
        """The same, piece by piece: the tokens of all bytes at once would take many times their room."""
        size = self.row or len(inside) or 1
        for start in range(0, len(inside), size):
            if start:
                yield self.turn
            end = min(start + size, len(inside))
            step = self.group * -(-PIECE // self.group)
            for at in range(start, end, step):
                if at > start:
                    yield self.between
                yield self._row(inside[at : min(at + step, end)])

    def _row(self, data: bytes) -> str:
        spelt = self.spelt.__getitem__
        if not self.between:
            return "".join(map(spelt, data))
        if self.group == 1:
            return self.between.join(map(spelt, data))
        pieces = (data[at : at + self.group] for at in range(0, len(data), self.group))
        return self.between.join("".join(map(spelt, piece)) for piece in pieces)

    def length_at(self, text: str, at: int, inside: bytes) -> int:
        """How many characters the tokens of these bytes take in *text* from *at* on, -1 where others stand there."""
        begin = at
        for piece in self.pieces(inside):
            if not text.startswith(piece, at):
                return -1
            at += len(piece)
        return at - begin


@dataclass(frozen=True, slots=True)
class Mended:
    """A text that is mended: tokens of changed bytes are replaced where they stand, all others stay.

    Args:
        text: the whole text.
        inside: its bytes.
        token: one match a byte, in the group ``byte``; what matches without that group is skipped.
        start, end: where in the text the tokens are.
        rows: how to write more tokens than there were.
    """

    text: str
    inside: bytes
    token: re.Pattern[str]
    start: int
    end: int
    rows: TokenRows

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        begin = same_start(self.inside, inside)
        kept = same_end(self.inside, inside, min(len(self.inside), len(inside)) - begin)
        fresh = inside[begin : len(inside) - kept]
        found = list(islice(self._tokens(), max(begin - 1, 0), len(self.inside) - kept + 1))
        before = found.pop(0)[1] if begin else None
        after = found.pop()[0] if kept else None
        return self._replaced(found, fresh, before, after)

    def _tokens(self) -> Iterator[tuple[int, int]]:
        return _tokens(self.token, self.text, self.start, self.end)

    def _replaced(self, stale: list[tuple[int, int]], fresh: bytes, before: int | None, after: int | None) -> str:
        """Put *fresh* in the places of *stale*, which stand behind the token that ends at *before*."""
        out: list[str] = []
        at = 0
        for (start, end), byte in zip(stale, fresh, strict=False):
            out += (self.text[at:start], self.rows.spelt[byte])
            before = at = end
        more = self.rows.tokens(fresh[len(stale) :])
        if more and before is None:
            place = self.start if after is None else after
            return f"{self.text[:place]}{more}{self.rows.between if after is not None else ''}{self.text[place:]}"
        if more and before is not None:
            out += (self.text[at:before], self.rows.between, more)
            at = before
        if len(fresh) < len(stale):
            cut = stale[len(fresh)][0] if after is not None else (self.start if before is None else before)
            out.append(self.text[at:cut])
            at = after if after is not None else stale[-1][1]
        return "".join((*out, self.text[at:]))


def writer_of_tokens(
    text: str,
    inside: bytes,
    token: re.Pattern[str],
    spelt: tuple[str, ...],
    span: tuple[int, int] | None = None,
    between: str = ", ",
) -> ArmorWriter:
    """The writer of a text that holds one token a byte.

    Args:
        text: the whole text.
        inside: its bytes.
        token: one match a byte, in the group ``byte``; what matches without that group is skipped.
        spelt: how the tokens of bytes are written.
        span: where in the text to look for tokens, by default everywhere.
        between: what would separate two bytes, where there are fewer.

    Raises:
        FormError: the tokens are not those of the bytes.
    """
    start, end = span or (0, len(text))
    first = list(islice(_tokens(token, text, start, end), _LOOKED_AT))
    if not first:
        return TokenRows(text[:start], text[start:], spelt, 1, between)
    rows = _rows(text, spelt, first, between)
    length = rows.length_at(text, len(rows.head), inside)
    if length >= 0:
        return replace(rows, tail=text[len(rows.head) + length :])
    if sum(1 for _ in _tokens(token, text, start, end)) != len(inside):
        raise error_at(text, start, "These bytes are written too unevenly to be changed")
    return Mended(text, inside, token, start, end, rows)


def _rows(text: str, spelt: tuple[str, ...], first: list[tuple[int, int]], between: str) -> TokenRows:
    """The rows that the first tokens stand in; what stands behind the last token is not looked for."""
    gaps = [text[one[1] : other[0]] for one, other in pairwise(first)]
    plain = [gap for gap in gaps if gap and not _COMMENT.search(gap)]
    turns = Counter(gap for gap in plain if "\n" in gap).most_common(1)
    inner = Counter(gap for gap in plain if "\n" not in gap).most_common(1)
    group = next((place + 1 for place, gap in enumerate(gaps) if gap), 1)
    row = next((place + 1 for place, gap in enumerate(gaps) if "\n" in gap), 0) if turns else 0
    apart = inner[0][0] if inner else ("" if gaps and not gaps[0] else between)
    if turns and not inner and row == 1:
        apart = turns[0][0]
    return TokenRows(text[: first[0][0]], "", spelt, group, apart, row, turns[0][0] if turns else "\n")


def _tokens(token: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the tokens of the bytes are."""
    for found in token.finditer(text, start, end):
        place = found.span("byte")
        if place[0] >= 0:
            yield place
