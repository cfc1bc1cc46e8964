"""Bytes as text with escapes: the literals of Python, and what is left of them without their quotes."""

from __future__ import annotations

import re
from collections.abc import Callable

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.armor.byte_text import FormError, error_at, linear, read_python, unescaped
from viewer.container.armor.text_format import ArmorWriter, Dearmored
from viewer.container.armor.token_rows import TokenRows, writer_of_tokens

LEAST = 4
"""Escapes that a text must hold to be taken for bytes."""
RARE = 5
"""Of so many bytes, one at least must be an escape: text about escapes has fewer."""
_PYTHON = late_pattern(r"\s*+(?:[A-Za-z_]\w*+\s*+=\s*+)?(?:(?:bytes|bytearray)?\s*+\(\s*+)?[bB](?P<quote>[\"'])")
_ESCAPE = r"\\x[0-9a-fA-F]{2}|\\[0-7]{1,3}|\\[abfnrtv\\'\"]"
_PLAIN = r"[\x20-\x5b\x5d-\x7e]"
_ESCAPED = linear(rf"\s*+(?P<quote>[\"']?)(?P<body>(?:{_ESCAPE}|{_PLAIN})++)\s*+")
_NUMERIC = late_pattern(r"\\x[0-9a-fA-F]{2}|\\[0-7]{1,3}")
_CUT = late_pattern(r"\\[^\\]{0,3}\Z")
_OCTAL = late_pattern(r"\\[0-7]")
_NAMED = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r"}
_BARE = late_pattern(rf"(?P<byte>{_ESCAPE}|{_PLAIN})")


@dataclass(frozen=True, slots=True)
class CheckedWriter:
    """A writer whose text is read again: beside others, an escape may come to mean something else.

    Args:
        writer: writes most of the text as it was.
        plain: writes all of it anew.
        read: the bytes of a text; raises FormError.
    """

    writer: ArmorWriter
    plain: ArmorWriter
    read: Callable[[str], bytes]

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        text = self.writer.write(inside)
        try:
            return text if self.read(text) == inside else self.plain.write(inside)
        except FormError:
            return self.plain.write(inside)


def _checked(
    text: str,
    inside: bytes,
    token: re.Pattern[str],
    spelt: tuple[str, ...],
    span: tuple[int, int],
    read: Callable[[str], bytes],
) -> ArmorWriter:
    """The writer of a text with escapes, the bytes of which are in *span*."""
    plain = TokenRows(text[: span[0]], text[span[1] :], spelt, 1, "")
    try:
        writer = writer_of_tokens(text, inside, token, spelt, span, "")
    except FormError:
        return plain
    return writer if isinstance(writer, TokenRows) else CheckedWriter(writer, plain, read)


def looks_python(text: str, whole: bool) -> bool:
    """Whether a text is bytes as Python writes them."""
    found = _PYTHON.match(text)
    return found is not None and (not whole or found["quote"] in text[found.end("quote") :])


def read_literal(text: str) -> Dearmored:
    """The bytes of Python's literals.

    Raises:
        FormError: there is something else.
    """
    inside = read_python(text)
    found = _PYTHON.match(text)
    if found is None:
        raise error_at(text, 0, 'Bytes of Python are written b"…", with a closing quote')
    quote = found["quote"]
    span = found.end("quote"), text.rindex(quote)
    token = re.compile(
        rf"{quote}\s*+[bB]{quote}|\\\n|(?P<byte>{_ESCAPE}|\\(?=[^\n])|[^\\{quote}])"  # an unknown escape is two bytes
    )
    writer = _checked(text, inside, token, _spelt(text, span, quote, len(inside)), span, read_python)
    return Dearmored(inside, writer, "Python bytes")


def looks_escaped(text: str, whole: bool) -> bool:
    """Whether a text is one line of bytes with escapes, and so many that it can be no text about something."""
    if not whole:
        text = _CUT.sub("", text)
    found = _ESCAPED.fullmatch(text)
    escapes = _NUMERIC.findall(text)
    return found is not None and len(escapes) >= LEAST and len(escapes) * RARE >= len(_NUMERIC.sub("x", text.strip()))


def read_escaped(text: str) -> Dearmored:
    """The bytes of a line with escapes, in quotes or without.

    Raises:
        FormError: there is something else.
    """
    found = _ESCAPED.fullmatch(text)
    if found is None and text.strip():
        raise error_at(text, 0, "This is not a line of bytes with escapes like \\x13")
    if found is None:
        return Dearmored(
            b"", writer_of_tokens(text, b"", _BARE, _spelt(text, (0, 0), "", 0), between=""), "text with escapes"
        )
    start, end = found.span("body")
    while end > start and text[end - 1] == " ":
        end -= 1
    quote = found["quote"]
    if quote:
        if end - start < 1 or text[end - 1] != quote:
            raise error_at(text, end, "The closing quote is missing")
        end -= 1
    inside = unescaped(text, text[start:end], start)
    spelt = _spelt(text, (start, end), quote, len(inside))
    writer = _checked(text, inside, _BARE, spelt, (start, end), lambda fresh: read_escaped(fresh).inside)
    return Dearmored(inside, writer, "text with escapes")


def _spelt(text: str, span: tuple[int, int], quote: str, size: int) -> tuple[str, ...]:
    """How bytes are written: all as numbers, or only those that cannot be read."""
    body = text[span[0] : min(span[1], span[0] + 4096)]
    if size == text.count("\\x", *span):
        upper = re.search(r"\\x[0-9a-f]?[A-F]", body) is not None
        return tuple(f"\\x{byte:02X}" if upper else f"\\x{byte:02x}" for byte in range(256))
    octal = _OCTAL.search(body) is not None
    named = {byte: f"\\{name}" for byte, name in _NAMED.items() if name in "tnr" or f"\\{name}" in body}
    return tuple(_one(byte, quote, octal, named) for byte in range(256))


def _one(byte: int, quote: str, octal: bool, named: dict[int, str]) -> str:
    sign = chr(byte)
    if byte in named:
        return named[byte]
    if sign in ("\\", quote):
        return f"\\{sign}"
    # a digit behind \0 would be read as part of it
    if 0x20 <= byte < 0x7F and not (octal and sign.isdigit()) and not (not quote and sign in " '\""):
        return sign
    return f"\\x{byte:02x}"
