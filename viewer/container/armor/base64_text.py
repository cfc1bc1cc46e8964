"""Base64: a whole text of it, one value a line, or one run of it inside another text."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.armor.byte_text import FormError, error_at, read_base64
from viewer.container.armor.text_format import Dearmored
from viewer.container.layer import Damage

LEAST = 8
"""Characters that a text must have to be taken for base64."""
LEAST_RUN = 24
"""Characters that a run must have to be found in another text; shorter ones where there is no such run."""
SHARE = 64
"""Of so many characters of a text, one at least belongs to the run that it is there for."""
STRETCH = 64
"""So many characters in a row show whether a long run may be there."""
SURE = 32
"""So many characters of base64 have capitals, small letters and digits."""
ZEROS = "AAAA"
"""Zeros, of which values are full, and which no words hold."""
CUT = "This base64 is cut in the midst of a byte: what followed is missing."
MOST_LINES = 1 << 20
_WORDS = 0.7
"""Words have more small letters than this, base64 has less."""
_SIGNS = "-A-Za-z0-9+/_"
_TEXT = late_pattern(rf"""\s*+(?P<quote>["']?)(?P<body>[{_SIGNS}][{_SIGNS}=\r\n]*+)(?P=quote)[\s,;]*+""")
_BLANKS = late_pattern(r"""\s*+(?P<quote>["']?)(?P<body>[A-Za-z0-9/]++(?: ++[A-Za-z0-9/]++)++={0,2})(?P=quote)\s*+""")
_BLANKS_START = late_pattern(r"""\s*+["']?[A-Za-z0-9/ ]*+={0,2}["']?\s*+""")
_START = late_pattern(rf"""\s*+["']?[{_SIGNS}=\r\n]*+""")
_RUN = late_pattern(rf"(?<![{_SIGNS}\\.])[{_SIGNS}]{{6,}}+={{0,2}}(?![{_SIGNS}=.(\\])")
_STRETCH = late_pattern(rf"[{_SIGNS}]*+={{0,2}}")
_NAME = late_pattern(r"[A-Za-z_]\w*")
_URL = bytes.maketrans(b"+/", b"-_")


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Which base64: that for URLs, whether it is filled up with ``=``, and whether a form made blanks of its ``+``."""

    url: bool = False
    filled: bool = True
    blank: bool = False

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Alphabet:
        """The one that a text is written in."""
        url = text.find("-", start, end) >= 0 or text.find("_", start, end) >= 0
        return cls(url, (end - start - text.count("\n", start, end) - text.count("\r", start, end)) % 4 == 0)

    @property
    def name(self) -> str:
        """What it is called, with what is not as usual."""
        signs = "base64 with “-” and “_” for “+” and “/”" if self.url else "base64"
        return signs if self.filled else f"{signs}, without “=” at the end"

    def write(self, data: bytes) -> str:
        """Bytes in it, as one line."""
        found = base64.b64encode(data)
        if self.url:
            found = found.translate(_URL)
        elif self.blank:
            found = found.replace(b"+", b" ")
        return (found if self.filled else found.rstrip(b"=")).decode("ascii")


@dataclass(frozen=True, slots=True)
class Base64Run:
    """One run of base64 between two texts, perhaps cut into lines.

    Args:
        head, tail: the texts.
        alphabet: which base64.
        width: characters a line, 0 where it is one line.
        turn: what separates lines.
    """

    head: str
    tail: str
    alphabet: Alphabet
    width: int = 0
    turn: str = "\n"

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        run = self.alphabet.write(inside)
        if self.width:
            run = self.turn.join(run[at : at + self.width] for at in range(0, len(run), self.width))
        return f"{self.head}{run}{self.tail}"


@dataclass(frozen=True, slots=True)
class Base64Lines:
    """Lines of base64 that are complete, each for itself.

    Args:
        head, tail: the texts before and behind them.
        body: the lines.
        turn: what separates lines.
        alphabet: which base64.
    """

    head: str
    tail: str
    body: str
    turn: str
    alphabet: Alphabet

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it; what a line held it holds still, only changed lines are written anew."""
        lines = self.body.split(self.turn)
        old = [read_base64(line) for line in lines]
        first, start = 0, 0
        while first < len(old) and inside.startswith(old[first], start):
            start += len(old[first])
            first += 1
        last, end = len(old), len(inside)
        while last > first and end - len(old[last - 1]) >= start and inside.endswith(old[last - 1], start, end):
            last -= 1
            end -= len(old[last])
        changed = [self.alphabet.write(piece) for piece in _shares(old[first:last], inside[start:end])]
        return f"{self.head}{self.turn.join((*lines[:first], *changed, *lines[last:]))}{self.tail}"


def _shares(old: list[bytes], fresh: bytes) -> Iterator[bytes]:
    """Changed bytes as lines: an old line that is still among them keeps them apart."""
    if sum(map(len, old)) == len(fresh):
        at = 0
        for piece in old:
            yield fresh[at : at + len(piece)]
            at += len(piece)
        return
    at, waiting = 0, bool(old)
    for piece in old[1:]:
        place = fresh.find(piece, at + 1) if waiting and len(piece) >= LEAST else -1
        if not waiting and fresh.startswith(piece, at):
            place = at
        if place >= 0:
            if place > at:
                yield fresh[at:place]
            yield piece
            at, waiting = place + len(piece), False
        else:
            waiting = True
    if at < len(fresh):
        yield fresh[at:]


def looks(text: str, whole: bool) -> bool:
    """Whether a text is base64, or holds one run of it."""
    found = _TEXT.fullmatch(text) if whole else _START.fullmatch(text)
    if found is not None:
        return _is_base64(found[0].strip())
    if _BLANKS_START.fullmatch(text) and ZEROS in text and " " in text.strip():
        return not whole or _BLANKS.fullmatch(text) is not None
    least = max(LEAST_RUN, len(text) // SHARE)
    return _may_hold_run(text, least) and _only_run(text, least, cut=not whole) is not None


def _may_hold_run(text: str, least: int) -> bool:
    """Whether a stretch of a text may be that of a run, of which each run so long has one; of short ones unasked."""
    step = least - STRETCH
    return step < STRETCH or any(_STRETCH.fullmatch(text, at, at + STRETCH) for at in range(0, len(text), step))


def _is_base64(text: str) -> bool:
    """Whether signs that may be base64 are neither words nor a number."""
    signs = "".join(text[: 1 << 12].split()).strip("\"'")
    if len(signs) < LEAST:
        return False
    if len(signs) < SURE:
        return signs.endswith("=") or "AA" in signs
    return ZEROS in signs or _is_mixed(signs)


def _is_mixed(signs: str) -> bool:
    small = sum(map(str.islower, signs))
    capitals = sum(map(str.isupper, signs))
    return 0 < small <= _WORDS * len(signs) and capitals > 0 and small + capitals < len(signs)


def _only_run(text: str, least: int, cut: bool = False, any_run: bool = False) -> tuple[int, int] | None:
    """Where the only run of base64 in a text is, None where there is none or another.

    Args:
        text: the text, or its beginning.
        least: how long it must be, in characters.
        cut: whether more follows, so that the run may be cut off.
        any_run: whether one counts that may be something else.
    """
    found = None
    for each in _RUN.finditer(text):
        start, end = each.span()
        rest = cut and end == len(text)
        if end - start < least or not (rest or ((end - start) % 4 == 0 and _is_set_off(text, start, end))):
            continue
        if not any_run and (_is_hex(each[0]) or not _is_run(each[0])):
            continue
        if found is not None:
            return None
        found = start, end
    return found


def _is_set_off(text: str, start: int, end: int) -> bool:
    """Whether a run stands for itself: in quotes, between tags, or as the rest of a line behind a sign."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and before in "\"'`>":
        return after == ("<" if before == ">" else before)
    line = text[max(start - 80, 0) : start].rpartition("\n")[2].rstrip(" \t")
    return after in ("", "\n", "\r", ";", ",") and line[-1:] in ("", "=", ":", ",")


def _is_run(run: str) -> bool:
    signs = run[: 1 << 12]
    return ZEROS in signs or (
        ("_" not in signs or not _NAME.fullmatch(signs))
        and (run.endswith("=") or len(run) >= SURE)
        and _is_mixed(signs)
    )


def _is_hex(run: str) -> bool:
    return len(run) < 1 << 12 and re.fullmatch(r"[0-9a-fA-F]*+|[0-9a-fA-F-]*+", run) is not None


def read(text: str) -> Dearmored:
    """The bytes of base64.

    Raises:
        FormError: there is none, or more than one run of it.
    """
    if not text.strip():
        return Dearmored(b"", Base64Run(text, "", Alphabet()), "base64")
    found = _TEXT.fullmatch(text)
    if found is None:
        spaced = _BLANKS.fullmatch(text)
        return _read_inside(text) if spaced is None else _read_blanks(text, *spaced.span("body"))
    start, end = found.span("body")
    end = start + len(text[start:end].rstrip("\r\n"))
    body = text[start:end]
    turn = "\r\n" if "\r\n" in body else "\n" if "\n" in body else "\r"
    signs = body.replace(turn, "")
    lost = _cut(signs)
    if lost:
        return _read_cut(text, (start, end), signs, turn, lost)
    if turn not in body:
        return read_line(text, start, end, Alphabet.of(text, start, end).name)
    cut = body.index(turn)
    line = Base64Run(text[:start], text[end:], Alphabet.of(text, start, end), cut, turn)
    padded = "=" in body.rstrip("=\r\n")
    if not padded:
        inside = read_base64(body)
        if line.write(inside) == text:
            return Dearmored(inside, line, f"base64, lines of {cut}")
    return _read_values(text, start, end, turn)


def _cut(signs: str) -> int:
    """How many signs of base64 there are behind the last four, where they end in the midst of a byte; else 0."""
    rest = len(signs) % 4
    if not rest or len(signs) < SURE or ZEROS not in signs or "=" in signs:
        return 0
    last = signs[-rest:]
    is_whole = rest > 1 and Alphabet.of(signs, 0, len(signs)).write(_begun(last)) == last
    return 0 if is_whole else rest


def _begun(signs: str) -> bytes:
    """The whole bytes that less than four signs of base64 hold."""
    return read_base64(f"{signs}{'A' * (4 - len(signs))}")[: len(signs) - 1]


def _read_cut(text: str, span: tuple[int, int], signs: str, turn: str, lost: int) -> Dearmored:
    """The bytes of base64 that is cut in the midst of one; others are written with all that belongs to the last one.

    Args:
        text: the whole text.
        span: where the base64 is.
        signs: the same without line breaks.
        turn: what separates lines.
        lost: how many signs there are behind the last four.

    Raises:
        FormError: it is none.
    """
    start, end = span
    inside = read_base64(signs[:-lost]) + _begun(signs[-lost:])
    url = Alphabet.of(signs, 0, len(signs)).url
    run = Base64Run(text[:start], text[end:], Alphabet(url), max(text.find(turn, start, end) - start, 0), turn)
    damage = Damage(Span(end - 1, end), CUT, Span(len(inside), len(inside)))
    return Dearmored(inside, run, "base64, cut", (damage,))


def read_line(text: str, start: int, end: int, label: str) -> Dearmored:
    """The bytes of one run of base64 that stands between two texts.

    Raises:
        FormError: it is none.
    """
    run = text[start:end]
    inside = read_base64(run) if run else b""
    alphabet = Alphabet.of(text, start, end)
    if alphabet.write(inside) != run:
        raise error_at(text, start, "This base64 is not as any program writes it")
    return Dearmored(inside, Base64Run(text[:start], text[end:], alphabet), label)


def _read_blanks(text: str, start: int, end: int) -> Dearmored:
    """The bytes of base64 whose ``+`` became blanks, as they do where nothing protects them in a form or an address.

    Raises:
        FormError: it is none.
    """
    run = text[start:end].replace(" ", "+")
    alphabet = Alphabet(filled=len(run) % 4 == 0, blank=True)
    inside = read_base64(run)
    return Dearmored(inside, Base64Run(text[:start], text[end:], alphabet), "base64 with blanks for “+”")


def _read_values(text: str, start: int, end: int, turn: str) -> Dearmored:
    """The bytes of lines that are complete, each for itself, one after the other."""
    if text.count(turn, start, end) >= MOST_LINES:
        raise error_at(text, end, f"These are more than {MOST_LINES} lines of base64")
    alphabet = Alphabet.of(text, start, end)
    pieces, at = [], start
    for line in text[start:end].split(turn):
        if len(line) % 4 or not line:
            raise error_at(text, at, "This line of base64 is not complete")
        try:
            pieces.append(read_base64(line))
        except FormError as error:
            raise error_at(text, at + max(error.position, 0), str(error).partition(" (")[0]) from None
        if len(line) != 4 * ((len(pieces[-1]) + 2) // 3):
            raise error_at(text, at, "This base64 is not as any program writes it")
        at += len(line) + len(turn)
    alphabet = Alphabet(alphabet.url, True)
    return Dearmored(
        b"".join(pieces), Base64Lines(text[:start], text[end:], text[start:end], turn, alphabet), "base64, by line"
    )


def _read_inside(text: str) -> Dearmored:
    """The bytes of the only run of base64 in another text; a short one counts where there is no long one."""
    sizes = (max(LEAST_RUN, len(text) // SHARE), LEAST_RUN, LEAST_RUN // 2, LEAST)
    for any_run in (False, True):
        for least in sizes:
            span = _only_run(text, least, any_run=any_run)
            if span is not None:
                return read_line(text, *span, "base64 in text")
    raise error_at(text, 0, "There is not exactly one run of base64 in this text")
