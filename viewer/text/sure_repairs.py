"""Mistakes of a text that its neighbours tell: a bracket that an item of a list has lost, a quote within a section.

Items of a list mostly look alike. So a bracket is rather missing where all others of a list have one than that the one
which closes it is too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span

BEFORE, BEHIND, MOST_PLACES = 1000, 1 << 12, 64
"""So many bytes in front of a mistake a bracket may be lost, so far the one that closes it is looked for, and so many
places are tried."""
MOST_ITEMS = 200
"""Behind so many items of a list its others tell nothing more."""
_TOKEN = late_pattern(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}(),]', re.DOTALL)
_BEGINS = late_pattern(rb"(?<=[\[,:=(])[\t\r\n ]*+(?=[^\s,:=)\]}])")
_KEY = late_pattern(rb'("(?:[^"\\\n]|\\.)*+")[\t ]*+:')
_TAG = late_pattern(rb"^\[[a-z_]++(?:[\t ]++[A-Za-z_]\w*+=[^\n]*+)[\t ]*+(?=\r?$)", re.MULTILINE)
_ATTRIBUTE = late_pattern(rb"[\t ][A-Za-z_]\w*+=")
_NAMED = late_pattern(rb'\b(?:Ext|Sub)Resource\([\t ]*+("?)([\w.-]++)("?)[\t ]*+\)')
_OPENS, _CLOSES = b"[{(", b"]})"
_LOST, _QUOTE = "A bracket is missing in front of an item of a list", "The quote at the {} of a text is missing"


@dataclass(frozen=True, slots=True)
class SureRepair:
    """A mend that the neighbours of its place tell.

    Args:
        name: what the mistake is called.
        sentence: what happened.
        at: where something is put in.
        sign: what that is.
    """

    name: str
    sentence: str
    at: int
    sign: bytes

    @property
    def patches(self) -> tuple[tuple[Span, bytes], ...]:
        """What to write where."""
        return ((Span(self.at, self.at), self.sign),)


def sure_repairs(text: bytes, place: int, is_json: bool) -> Iterator[SureRepair]:
    """What may be missing at a place where a text cannot be read, or in front of it; what is nearest to it first."""
    if not is_json:
        yield from _quotes(text, place)
    begin = max(0, place - BEFORE)
    starts = [found.end() for found in _BEGINS.finditer(text, begin, place + 1)]
    for start in starts[: -MOST_PLACES - 1 : -1]:
        before = text[begin:start].rstrip()[-1:]
        signs = [b"{"] if _KEY.match(text, start) is not None else []
        if text[start - 1 : start] != b"[":  # it is the same in front of that one
            signs.append(b"[")
        for sign in signs:
            if _is_like_others(text, start, sign, before):
                yield SureRepair("text-bracket", _LOST, *_placed(text, start, sign))


def _placed(text: bytes, at: int, sign: bytes) -> tuple[int, bytes]:
    """Where a bracket is put in front of a byte, and with which blanks: as the one stands that closes it."""
    line = text.rfind(b"\n", 0, at) + 1
    closer = b"]" if sign == b"[" else b"}"
    end = _end(text, at, closer)
    last = text.rfind(b"\n", 0, end) + 1
    if text[line:at].strip() or last == line or text[last : end - 1].strip():
        return at, sign
    front = text[: line - 1].rstrip(b"\r")
    if front.rstrip(b" \t").endswith((b":", b"=")):
        return len(front), sign if front.endswith((b" ", b"=")) else b" " + sign
    return line, text[last : end - 1] + sign + (b"\r\n" if text[line - 2 : line] == b"\r\n" else b"\n")


def _is_like_others(text: bytes, at: int, sign: bytes, before: bytes) -> bool:
    """Whether a bracket that is put in front of a byte makes an item like its neighbours, or a list of alike ones."""
    if before in (b":", b"="):
        forms = list(_items(text, at, b"]")) if sign == b"[" else []
        return len(forms) > 1 and forms[0] is not None and all(form == forms[0] for form in forms)
    closer = b"]" if sign == b"[" else b"}"
    end = _end(text, at, closer)
    if not end or before not in (b"[", b","):
        return False
    form = _form(sign + text[at:end], 0)
    follows = text[end : end + BEHIND].lstrip()
    if follows[:1] == b",":
        other = end + text[end:].index(b",") + 1
        other += len(text[other : other + BEHIND]) - len(text[other : other + BEHIND].lstrip())
        if text[other : other + 1] == sign:
            return form is not None and form == _form(text, other)
    return before == b"," and form is not None and form == _form_before(text, at, closer)


def _form_before(text: bytes, at: int, closer: bytes) -> bytes | None:
    """What the item looks like that ends in front of a comma before a byte; None where it ends with another bracket."""
    front = text[max(0, at - BEHIND) : at].rstrip().removesuffix(b",").rstrip()
    if not front.endswith(closer):
        return None
    opened: list[int] = []
    last = 0
    for found in _TOKEN.finditer(front):
        if found[0] in (b"[", b"{", b"("):
            opened.append(found.start())
        elif found[0] in (b"]", b"}", b")") and opened:
            last = opened.pop()
    return _form(front, last)


def _items(text: bytes, at: int, closer: bytes) -> Iterator[bytes | None]:
    """What each item of a list looks like that begins at a byte; nothing where the list does not close."""
    if not _end(text, at, closer):
        return
    depth, is_first = 0, True
    for found in _TOKEN.finditer(text, at, at + BEHIND):
        sign = found[0]
        if is_first and not depth:
            yield _form(text, found.start()) if sign in (b"[", b"{") and not text[at : found.start()].strip() else None
            is_first = False
        if sign in (b"[", b"{", b"("):
            depth += 1
        elif sign in (b"]", b"}", b")"):
            depth -= 1
            if depth < 0:
                return
        elif sign == b"," and not depth:
            at, is_first = found.end(), True


def _end(text: bytes, at: int, closer: bytes) -> int:
    """Behind the bracket that closes what would open in front of a byte; 0 where it is another one or too far."""
    opened: list[bytes] = [closer]
    for found in _TOKEN.finditer(text, at, at + BEHIND):
        sign = found[0]
        if sign in (b"[", b"{", b"("):
            opened.append(_CLOSES[_OPENS.index(sign) :][:1])
        elif sign in (b"]", b"}", b")"):
            if opened.pop() != sign:
                return 0
            if not opened:
                return found.end()
    return 0


def _form(text: bytes, at: int) -> bytes | None:
    """What tells items apart: of pairs the first key, of a list its first sign and size; None for others."""
    inside = at + 1 + len(text[at + 1 : at + BEHIND]) - len(text[at + 1 : at + BEHIND].lstrip())
    if text[at : at + 1] == b"{":
        key = _KEY.match(text, inside)
        return b"{" + key[1] if key is not None else None
    if text[at : at + 1] != b"[":
        return None
    depth = count = 0
    for found in _TOKEN.finditer(text, inside, at + BEHIND):
        if found[0] in (b"[", b"{", b"("):
            depth += 1
        elif found[0] in (b"]", b"}", b")"):
            depth -= 1
            if depth < 0:
                break
        count += found[0] == b"," and not depth
    first = text[inside : inside + 1]
    return b"[%d%b" % (min(count, MOST_ITEMS), first if first in (b"[", b"{", b'"') else b"")


def _quotes(text: bytes, place: int) -> Iterator[SureRepair]:
    """Quotes that are missing in the line of a place: around the value of a word of a section, or around an id."""
    begin = text.rfind(b"\n", 0, place) + 1
    end = text.find(b"\n", place)
    end = len(text) if end < 0 else end
    tag = _TAG.match(text, begin, end)
    if tag is not None:
        odd = [(raw, at) for raw, at in _attribute_values(text, tag.start(), tag.end()) if raw.count(b'"') % 2]
        if len(odd) == 1:
            yield _quote(*odd[0])
        return
    for found in _NAMED.finditer(text, begin, end):
        if found[1] != found[3]:
            yield _quote(found[1] + found[2] + found[3], found.start(1))


def _attribute_values(text: bytes, begin: int, end: int) -> Iterator[tuple[bytes, int]]:
    """What stands behind each word of a section, and where: up to the next word, or to the bracket."""
    words = list(_ATTRIBUTE.finditer(text, begin, end))
    stops = [word.start() for word in words[1:]]
    for word, stop in zip(words, (*stops, end), strict=True):
        yield text[word.end() : stop].rstrip(b"\t\r ").rstrip(b"]"), word.end()


def _quote(raw: bytes, at: int) -> SureRepair:
    """The quote that a text lacks at one of its ends."""
    if raw.startswith(b'"'):
        return SureRepair("text-quote", _QUOTE.format("end"), at + len(raw), b'"')
    return SureRepair("text-quote", _QUOTE.format("beginning"), at, b'"')
