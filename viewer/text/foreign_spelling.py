"""How other programs and people spell what the engines' text and JSON spell otherwise: numbers, calls, colours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span

Patch = tuple[Span, bytes]
Guess = tuple[str, str, list[Patch]]
_BEFORE = rb"(?<![\w.\"])"
_HEX = late_pattern(_BEFORE + rb"0[xX]([0-9a-fA-F]{1,15})\b")
_GROUPED = late_pattern(_BEFORE + rb"(-?\d{1,3})((?:_\d{3})+|(?:'\d{3})+|(?:,\d{3})+)(?![\w'])")
_SUFFIX = late_pattern(_BEFORE + rb"(-?\d+(?:\.\d+)?)[fFlLuUdD]{1,2}\b")
_DASH = late_pattern("(?:\u2013|\u2014|\u2212|\u2010|\u2011)(?=\\.?\\d)".encode())
_CALLED = late_pattern(
    rb"\b([A-Z][A-Za-z]*\d?[a-z]?(?:Array)?)[\t ]*(?:\[([^\[\]\n\"]*)\]|\{([^{}\n\"]*)\}|<([^<>\n\"]*)>)"
)
_NAMES_IN = late_pattern(rb"\b([A-Z]\w*)\(((?:[a-z]+[\t ]*[=:][\t ]*-?[\d.]+(?:,[\t ]*|(?=\))))+)\)")
_BRACED = late_pattern(rb"(?<=[=:\[,])([\t ]*)\{((?:\"?[xyzwrgba]\"?[\t ]*[=:][\t ]*-?[\d.]+(?:,[\t ]*|(?=\})))+)\}")
_NAMED = late_pattern(rb"\"?[a-z]+\"?[\t ]*[=:][\t ]*")
_TUPLE = late_pattern(
    rb"(?<=[=:\[,])([\t ]*)(\([\t ]*-?[\d.]+(?:e-?\d+)?(?:[\t ]*,[\t ]*-?[\d.]+(?:e-?\d+)?){1,3}[\t ]*\))"
)
_HTML = late_pattern(rb"\bColor8?\([\t ]*\"?(#?)([0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?)\"?[\t ]*\)")
_BY_COUNT = {2: b"Vector2", 3: b"Vector3", 4: b"Color"}
_VALUE_LINE = late_pattern(
    rb'^([\t ]*(?:"(?:[^"\\\n]|\\.)*"[\t ]*:|[^"=\n]+?[\t ]*=)[\t ]*)"([^\n]*)"([\t ]*,?[\t ]*)\r?$', re.MULTILINE
)
_BARE_QUOTE = late_pattern(rb'\\.|(")', re.DOTALL)


def spellings(text: bytes, low: int, high: int) -> Iterator[Guess]:
    """What may be spelled otherwise in some lines, and what is meant."""

    def every(pattern: re.Pattern[bytes], fresh: object) -> list[Patch]:
        out = []
        for found in pattern.finditer(text, low, high):
            meant = fresh(found)  # type: ignore[operator]
            if meant is not None:
                out.append((Span(*found.span()), meant))
        return out

    table = (
        ("text-inner-quotes", "Quotes inside a text lack a backslash", _VALUE_LINE, _escaped),
        ("text-number", "A number is written in hexadecimal digits", _HEX, lambda found: b"%d" % int(found[1], 16)),
        ("text-number", "A number has other characters between its digits", _GROUPED, _ungrouped),
        ("text-number", "A letter follows a number, as in a program", _SUFFIX, lambda found: found[1]),
        ("text-dash", "A dash is used instead of a minus sign", _DASH, lambda found: b"-"),
        ("text-color", "A colour is written as on a web page", _HTML, lambda found: b"#" + found[2]),
        ("text-call", "Numbers are in brackets of another kind", _CALLED, _called),
        ("text-call", "Numbers in a call have names", _NAMES_IN, _unnamed),
        ("text-type", "The name of the type is missing, numbers have names instead", _BRACED, _braced),
        ("text-type", "The name of the type is missing in front of the brackets", _TUPLE, _typed),
    )
    for name, sentence, pattern, fresh in table:
        some = every(pattern, fresh)
        if some:
            yield name, sentence, some


def _escaped(found: re.Match[bytes]) -> bytes | None:
    """The line with its inner quotes escaped, where there are any."""
    inner = _BARE_QUOTE.sub(lambda sign: b'\\"' if sign[1] else sign[0], found[2])
    if inner == found[2]:
        return None
    return found[1] + b'"' + inner + b'"' + found[3]


def _ungrouped(found: re.Match[bytes]) -> bytes:
    return found[1] + re.sub(rb"[_',]", b"", found[2])


def _called(found: re.Match[bytes]) -> bytes | None:
    inside = found[2] or found[3] or found[4] or b""
    if found[1] in (b"Array", b"Dictionary") or not inside.strip():
        return None
    return found[1] + b"(" + inside + b")"


def _unnamed(found: re.Match[bytes]) -> bytes:
    return found[1] + b"(" + _NAMED.sub(b"", found[2]) + b")"


def _braced(found: re.Match[bytes]) -> bytes | None:
    inside = _NAMED.sub(b"", found[2])
    name = _BY_COUNT.get(inside.count(b",") + 1)
    return None if name is None else found[1] + name + b"(" + inside + b")"


def _typed(found: re.Match[bytes]) -> bytes | None:
    name = _BY_COUNT.get(found[2].count(b",") + 1)
    return None if name is None else found[1] + name + found[2]
