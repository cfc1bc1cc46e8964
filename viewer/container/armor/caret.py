"""Bytes as ``cat -v``, ``less`` and editors show them: ``^@`` for a zero, and ``M-x`` or ``<E9>`` for a high byte."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.armor.byte_text import error_at, linear
from viewer.container.armor.escapes import CheckedWriter
from viewer.container.armor.text_format import ArmorWriter, Dearmored
from viewer.container.armor.token_rows import TokenRows, writer_of_tokens
from viewer.container.layer import Damage

LEAST = 4
"""Signs for bytes that a text must hold to be taken for some."""
RARE = 5
"""Of so many bytes, one at least must be shown so: text about such signs has fewer."""
ZEROS = ("^@^@", "<00><00>")
"""Zeros, of which values are full."""
CUT = "This text is cut in the midst of a byte: what followed is missing."
_CARET = r"\^[@-_?]"
_META = r"M-\^[@-_?]|M-[\x20-\x7e]"
_HEX = r"<[0-9A-Fa-f]{2}>"
_PLAIN = r"[\t\x20-\x7e]"
_TURN = r"\r?\n"
_LINE_END = r"\$\r?\n"
_TEXT = linear(rf"(?:{_PLAIN}|{_TURN})*+")
_END = late_pattern(_LINE_END)
_LAST = late_pattern(rf"{_TURN}\Z")
_BARE_TURN = late_pattern(r"(?<![$\r])\r?\n")
_CONTROLS = (*range(0x20), 0x7F)


@dataclass(frozen=True, slots=True)
class _Notation:
    """One way to show bytes.

    Args:
        label: what a person calls it.
        shown: what stands for bytes that cannot be shown themselves.
        half: what is left of that where a text is cut.
        token: one match a byte.
        spelt: how bytes are written.
    """

    label: str
    shown: re.Pattern[str]
    half: re.Pattern[str]
    token: re.Pattern[str]
    spelt: tuple[str, ...]

    @classmethod
    def of(cls, body: str, has_ends: bool) -> _Notation:
        """The one that a text is in; it may have a ``$`` before each line break."""
        is_hex = sum(1 for _ in re.finditer(_HEX, body)) > sum(1 for _ in re.finditer(_META, body))
        shown = rf"{_HEX}|{_CARET}" if is_hex else rf"{_META}|{_CARET}"
        token = re.compile(rf"(?P<byte>{shown}|{_LINE_END if has_ends else _TURN}|{_PLAIN})")
        high = (lambda byte: f"<{byte:02X}>") if is_hex else _meta
        low = (lambda byte: f"<{byte:02X}>") if is_hex and "^@" not in body else _caret
        spelt = [low(byte) if byte in _CONTROLS else chr(byte) if byte < 0x80 else high(byte) for byte in range(256)]
        spelt[ord("\t")], spelt[ord("\n")] = "\t", "$\n" if has_ends else "\n"
        for each in {found[0] for found in token.finditer(body)}:
            spelt[_byte(each)] = each
        label = "bytes as less shows them" if is_hex else "bytes as cat -v shows them"
        half = re.compile(r"(?:<[0-9A-Fa-f]?|\^)\Z" if is_hex else r"(?:M-|(?<!M-)\^)\Z")
        return cls(label, re.compile(shown), half, token, tuple(spelt))


def _caret(byte: int) -> str:
    return f"^{chr(byte ^ 0x40)}"


def _meta(byte: int) -> str:
    low = byte & 0x7F
    return f"M-{_caret(low) if low in _CONTROLS else chr(low)}"


def _byte(token: str) -> int:
    """The byte that a token stands for."""
    if token.startswith("M-"):
        return _byte(token[2:]) | 0x80
    if token.startswith("<") and len(token) > 1:
        return int(token[1:-1], 16)
    if token.startswith("^") and len(token) > 1:
        return ord(token[1]) ^ 0x40
    return ord(token[-1])


@dataclass(frozen=True, slots=True)
class _Shown:
    """Bytes that are shown, and perhaps half a byte and a line break behind them that are none.

    Args:
        notation: how they are shown.
        body: the text of the bytes.
        tail: the half and the line break.
        has_ends: whether each line break that is a byte has a ``$`` before it.
    """

    notation: _Notation
    body: str
    tail: str
    has_ends: bool

    @classmethod
    def of(cls, text: str) -> _Shown:
        """What a text shows."""
        last = _LAST.search(text)
        body, tail = (text[: last.start()], last[0]) if last else (text, "")
        has_ends = _END.search(text) is not None and not _BARE_TURN.search(body)
        if has_ends and body.endswith("$") and tail:
            body, tail = text, ""
        notation = _Notation.of(body, has_ends)
        half = notation.half.search(body)
        return (
            cls(notation, body[: half.start()], half[0] + tail, has_ends)
            if half
            else cls(notation, body, tail, has_ends)
        )

    @property
    def inside(self) -> bytes:
        """The bytes."""
        return self.notation.token.sub(lambda found: chr(_byte(found[0])), self.body).encode("latin-1")


@dataclass(frozen=True, slots=True)
class _LinesWriter:
    """A writer whose text may end in a line break that is no byte: one that is a byte gets another behind it.

    Args:
        writer: writes the bytes.
        turn: such a line break.
    """

    writer: ArmorWriter
    turn: str

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        text = self.writer.write(inside)
        return f"{text}{self.turn}" if text.endswith(self.turn) else text


def looks(text: str, whole: bool) -> bool:
    """Whether a text is bytes, of which so many are shown by signs that it can be no text about something."""
    if not any(zeros in text for zeros in ZEROS) or _TEXT.fullmatch(text) is None:
        return False
    shown = _Shown.of(text).notation.shown
    count = sum(1 for _ in shown.finditer(text))
    return count >= LEAST and count * RARE >= len(shown.sub("x", text))


def read(text: str) -> Dearmored:
    """The bytes of a text in which signs stand for those that cannot be shown; a line break at its end is none.

    Raises:
        FormError: there is something else.
    """
    found = _TEXT.match(text)
    end = found.end() if found else 0
    if end < len(text):
        raise error_at(text, end, "Bytes as cat -v shows them hold only signs of ASCII")
    shown = _Shown.of(text)
    spelt, inside = shown.notation.spelt, shown.inside
    plain = TokenRows("", shown.tail, spelt, 1, "")
    writer = writer_of_tokens(text, inside, shown.notation.token, spelt, (0, len(shown.body)), "")
    if not isinstance(writer, TokenRows):
        writer = CheckedWriter(writer, plain, lambda fresh: read(fresh).inside)
    if not shown.tail and not shown.has_ends:
        writer = _LinesWriter(writer, "\n")
    start, size = len(shown.body), len(inside)
    damages = (Damage(Span(start, len(text.rstrip())), CUT, Span(size, size)),) if shown.tail.strip() else ()
    return Dearmored(inside, writer, shown.notation.label, damages)
