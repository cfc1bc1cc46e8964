"""Signs that cannot be seen, or that change how the text around them looks: they are shown as their escapes.

A direction mark makes ``gnp.exe`` out of ``exe.png``, a C1 sign such as U+009B commands a terminal as ESC does, and a
line separator makes two lines of one. So wherever a text out of a file is shown, such signs stand as ``\\u202e``. What
joins letters and pictures (U+200C, U+200D) stays: Persian and many emoji need it.

The directions of letters are those of the Unicode Bidirectional Algorithm (https://www.unicode.org/reports/tr9/).
"""

from __future__ import annotations

import unicodedata

from viewer.base.late_pattern import late_pattern

SIGNS = (
    "\x00-\x1f\x7f-\x9f"  # C0 with ESC, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction marks, embeddings, overrides and isolates
    "\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f"  # blanks of no width, line and paragraph separators, old marks
    "\ufdd0\ufdd1\ufeff\ufff9-\ufffb\ud800-\udfff"  # what Qt takes for itself, byte order mark, annotations, surrogates
)
"""For the inside of the brackets of a regular expression."""
LINES = "\n\t"
_UNSEEN = late_pattern(f"[{SIGNS}]")
_ESCAPE = late_pattern(r"\\(?:u[0-9a-f]{4}|U[0-9a-f]{6}|[a-z])")
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
MIXED = "This mixes letters of both writing directions: their order on the screen is not that of the bytes."
"""What is said of a text in which :func:`mixes_directions` is true."""
MOST_LOOKED_AT = 1 << 12
"""So many signs of a text are looked at for their direction."""


def escape(sign: str) -> str:
    """One sign as an escape that a literal reads back: ``\\n``, ``\\u202e``, ``\\U00d800`` for half of a pair."""
    if "\ud800" <= sign <= "\udfff":
        return f"\\U{ord(sign):06x}"  # two \u would read as the one character that the pair means
    return _SHORT.get(sign) or f"\\u{ord(sign):04x}"


def escaped(text: str, keep: str = "") -> str:
    """A text to be shown, its unseen signs as escapes, but for those in *keep* (:data:`LINES` where it has lines)."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(lambda found: found[0] if found[0] in keep else escape(found[0]), text)


def printable(text: str) -> str:
    """A text for one line of a terminal: every sign that does not print is its escape, joiners too."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)


def with_direction_note(text: str, *values: str) -> str:
    """A text for a tooltip, and below it :data:`MIXED` where one of the values in it needs that."""
    return f"{text}\n{MIXED}" if any(map(mixes_directions, values)) else text


def mixes_directions(text: str) -> bool:
    """Whether letters that are written to the left stand beside letters that are written to the right.

    *text* may be as it is or as it is shown: the letters of escapes do not count.
    """
    if text.isascii():
        return False
    found = {unicodedata.bidirectional(sign) for sign in _ESCAPE.sub("", text[:MOST_LOOKED_AT])}
    return "L" in found and not found.isdisjoint(("R", "AL"))
