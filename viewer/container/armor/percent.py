"""Percent encoding: bytes as addresses and forms carry them, also the signs of base64 that need it."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.container.armor.base64_text import ZEROS
from viewer.container.armor.byte_text import error_at, linear
from viewer.container.armor.text_format import Dearmored
from viewer.container.armor.token_rows import writer_of_tokens

LEAST = 4
"""Escapes that a text must hold to be taken for bytes; one is enough in base64."""
RARE = 5
"""Of so many bytes, one at least must be an escape, else it is an address with words in it."""
_ESCAPE = r"%[0-9a-fA-F]{2}"
_PLAIN = r"[A-Za-z0-9_.~!*'()+/=-]"
_TEXT = linear(rf"\s*+(?P<body>(?:{_ESCAPE}|{_PLAIN})++)\s*+")
_TOKEN = late_pattern(rf"(?P<byte>{_ESCAPE}|{_PLAIN})")
_ESCAPES = late_pattern(_ESCAPE)
_OF_BASE64 = late_pattern(r"%2[bBfF]|%3[dD]|%0[aAdD]")
_BASE64 = late_pattern(r"[A-Za-z0-9+/=_-]*+")
_CUT = late_pattern(r"%[^%]?\Z")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def looks(text: str, whole: bool) -> bool:
    """Whether a text is bytes with many escapes, or base64 with some."""
    if not whole:
        text = _CUT.sub("", text)
    found = _TEXT.fullmatch(text)
    if found is None:
        return False
    escapes = _ESCAPES.findall(text)
    if escapes and _BASE64.fullmatch(_OF_BASE64.sub("", found["body"])):
        return ZEROS in text
    return len(escapes) >= LEAST and len(escapes) * RARE >= len(text) - 2 * len(escapes)


def read(text: str) -> Dearmored:
    """The bytes of a text with percent signs; ``+`` is a blank there unless blanks have an escape of their own.

    Raises:
        FormError: there is something else.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise error_at(text, 0, "This is not a line of bytes with escapes like %1B")
    body = found["body"]
    is_form = "+" in body and "%20" not in body and not _BASE64.fullmatch(_OF_BASE64.sub("", body))
    plain = body.replace("+", " ") if is_form else body
    inside = _ESCAPES.sub(lambda escape: chr(int(escape[0][1:], 16)), plain).encode("latin-1")
    spelt = _spelt(body, is_form)
    return Dearmored(
        inside, writer_of_tokens(text, inside, _TOKEN, spelt, found.span("body"), between=""), "percent encoding"
    )


def _spelt(body: str, is_form: bool) -> tuple[str, ...]:
    """How bytes are written: as they are in the text, and else as an address needs it."""
    digits = "02x" if re.search(r"%(?:[a-f]|.[a-f])", body) else "02X"
    escaped = {int(escape[1:], 16) for escape in _ESCAPES.findall(body)}
    there = set(_ESCAPES.sub("", body).encode("ascii")) | (_UNRESERVED - escaped)
    spelt = [chr(byte) if byte in there else f"%{byte:{digits}}" for byte in range(256)]
    if is_form:
        spelt[ord(" ")], spelt[ord("+")] = "+", f"%{ord('+'):{digits}}"
    return tuple(spelt)
