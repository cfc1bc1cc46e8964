"""Bytes amid a text: a line of a log, a command of a database, a field of JSON that holds one run of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.armor import digits, escapes, lists
from viewer.container.armor.byte_text import FormError, error_at, linear
from viewer.container.armor.text_format import ArmorWriter, Dearmored

LEAST = 32
"""Characters of a run that is long enough to be looked for."""
SHARE, LITTLE = 2, 400
"""Of so many characters of a text, one at least belongs to the run; so many others are a few in any case."""
AHEAD = 2
"""The longest run must be so many times as long as the next one."""
MOST_RUNS = 1 << 10
MIDDLE = 64
"""So many characters before or behind the middle of a text belong to a run that is half of it."""
_NUMBER = r"-?[0-9]{1,3}"
_PAIR = r"(?:0[xX])?[0-9a-fA-F]{2}"
_HEX = linear(
    rf"(?:\\{{1,2}}[xX]|(?<![0-9A-Za-z]))(?P<body>{_PAIR}(?:(?:, ?|[ :-]|){_PAIR})*+)(?P<end>(?![0-9A-Za-z]))?"
)
_COMMAS = linear(rf"(?P<body>\[\s*+{_NUMBER}(?:\s*+,\s*+{_NUMBER})*+(?P<end>\s*+\])?)")
_BLANKS = linear(rf"(?P<body>\[{_NUMBER}(?: {_NUMBER})*+(?P<end>\])?)")
_PYTHON = linear(r"""(?<![A-Za-z])(?P<body>b(?P<quote>['"])(?:(?!(?P=quote))[^\\\n]|\\.)*+(?P<end>(?P=quote))?)""")
_QUOTED = linear(r"""(?<![A-Za-z])(?P<body>"(?:[^"\\\n]|\\.)*+(?P<end>")?)""")
_HEX_INSIDE = late_pattern(r"[0-9a-fA-FxX, :-]*+")
_LIST_INSIDE = late_pattern(r"[-0-9,\s\[\]]*+")
_IN_SINGLE = late_pattern(r"[^\n]?(?:[^'\\\n]|\\.)*+\\?")
_IN_DOUBLE = late_pattern(r'[^\n]?(?:[^"\\\n]|\\.)*+\\?')
"""What stands within quotes, of which the first sign may belong to an escape before it."""
_MORE = late_pattern(r" ?\.\.\. ?\d+ more bytes?")


@dataclass(frozen=True, slots=True)
class EmbeddedForm:
    """How bytes may stand amid a text.

    Args:
        pattern: what they look like; the group ``body`` is what *read* gets. Where the group ``end`` is not there it is
            none after all: so no sign is looked at more than once, however many begin like bytes.
        zeros: what is in it where there are zeros, of which values are full.
        read: the bytes of it.
        within: what stands somewhere in a text with such a run, and what alone can stand within that.
    """

    pattern: re.Pattern[str]
    zeros: re.Pattern[str]
    read: Callable[[str], Dearmored]
    within: tuple[tuple[str, re.Pattern[str]], ...]

    def may_hold(self, text: str, sides: tuple[str, str]) -> bool:
        """Whether one of two stretches of a text may lie within such a run."""
        return any(begin in text and any(map(inside.fullmatch, sides)) for begin, inside in self.within)


_ESCAPED_ZEROS = late_pattern(r"\\x00\\x00|\\0\\0|\\000\\000")
RUNS = (
    EmbeddedForm(_HEX, late_pattern(r"0{2,}(?:[ :,x\\-]*00)+"), digits.read, (("00", _HEX_INSIDE),)),
    EmbeddedForm(_COMMAS, late_pattern(r"\b0\s*+,\s*+0\b"), lists.read, (("[", _LIST_INSIDE),)),
    EmbeddedForm(_BLANKS, late_pattern(r"\b0 0\b"), lists.read, (("[", _LIST_INSIDE),)),
    EmbeddedForm(_PYTHON, _ESCAPED_ZEROS, escapes.read_literal, (("b'", _IN_SINGLE), ('b"', _IN_DOUBLE))),
    EmbeddedForm(_QUOTED, _ESCAPED_ZEROS, escapes.read_escaped, (('"', _IN_DOUBLE),)),
)


@dataclass(frozen=True, slots=True)
class AmidWriter:
    """Bytes between two texts.

    Args:
        head, tail: the texts.
        writer: how the bytes stand.
    """

    head: str
    tail: str
    writer: ArmorWriter

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        return f"{self.head}{self.writer.write(inside)}{self.tail}"


def _longest(text: str, whole: bool = True, zeros: bool = True) -> tuple[EmbeddedForm, Span] | None:
    """The run that is much longer than all others, None where there is none; where a text is cut, it may be."""
    found: list[tuple[int, EmbeddedForm, Span]] = []
    for run in RUNS:
        for each in run.pattern.finditer(text):
            span = Span(*each.span("body"))
            is_closed = each["end"] is not None or (not whole and each.end() == len(text))
            if is_closed and len(span) >= LEAST and (not zeros or run.zeros.search(each["body"])):
                found.append((len(span), run, span))
            if len(found) > MOST_RUNS:
                return None
    if not found:
        return None
    found.sort(key=lambda each: -each[0])
    size, run, span = found[0]
    if size * SHARE < len(text) and len(text) - size > LITTLE:
        return None
    others = (length for length, _, other in found[1:] if other.end <= span.start or other.start >= span.end)
    return (run, span) if next(others, 0) * AHEAD <= size else None


def _may_hold_run(text: str) -> bool:
    """Whether so much of a text may be one run as must be; asked of very many texts that hold none."""
    middle = len(text) // 2
    sides = text[max(middle - MIDDLE, 0) : middle], text[middle : middle + MIDDLE]
    return len(text) < 4 * max(LITTLE, MIDDLE) or any(run.may_hold(text, sides) for run in RUNS)


def looks(text: str, whole: bool) -> bool:
    """Whether a text that is more than bytes holds one run of them."""
    if not _may_hold_run(text):
        return False
    found = _longest(text, whole)
    return found is not None and len(found[1]) < len(text.strip())


def read(text: str) -> Dearmored:
    """The bytes of the longest run.

    Raises:
        FormError: there is none, or another that is about as long.
    """
    found = _longest(text) or _longest(text, zeros=False)
    if found is None:
        raise error_at(text, 0, "There is not exactly one run of bytes in this text")
    run, span = found
    try:
        dearmored = run.read(text[span.start : span.end])
    except FormError as error:
        raise error_at(text, span.start + max(error.position, 0), str(error).partition(" (line")[0]) from None
    more = _MORE.match(text, span.end)
    writer = AmidWriter(text[: span.start], text[span.end :], dearmored.writer)
    damages = lists.left_out(text, Span(*more.span()) if more else None, len(dearmored.inside))
    return replace(dearmored, writer=writer, label=f"{dearmored.label} in text", damages=damages)
