"""A string of JSON: bytes as its first 256 signs, most of them as ``\\u0000``."""

from __future__ import annotations

import json
import re

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.armor.byte_text import error_at
from viewer.container.armor.text_format import Dearmored

LEAST = 4
"""Escapes that a string must hold to be taken for bytes."""
_ESCAPE = late_pattern(r"\\u00[0-9a-fA-F]{2}")
_STRING = late_pattern(r'\s*+"(?:[^"\\]|\\.)*+"\s*+', re.DOTALL)
_CUT = late_pattern(r'\s*+"(?:[^"\\]|\\.)*+\\?\Z', re.DOTALL)


@dataclass(frozen=True, slots=True)
class JsonStringWriter:
    """A string of JSON.

    Args:
        head, tail: what stands before and behind it.
        is_ascii: whether all signs beyond ASCII are escapes.
    """

    head: str
    tail: str
    is_ascii: bool

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        return f"{self.head}{json.dumps(inside.decode('latin-1'), ensure_ascii=self.is_ascii)}{self.tail}"


def looks(text: str, whole: bool) -> bool:
    """Whether a text is one string with many escapes."""
    found = _STRING.fullmatch(text) if whole else _CUT.fullmatch(text)
    return found is not None and len(_ESCAPE.findall(text)) >= LEAST


def read(text: str) -> Dearmored:
    """The bytes of a string.

    Raises:
        FormError: it is none, or holds signs that are no bytes.
    """
    bare = text.strip()
    try:
        inside = json.loads(bare).encode("latin-1")
    except (ValueError, AttributeError, RecursionError):
        raise error_at(text, 0, "This is not a JSON string whose characters are bytes") from None
    start = text.index(bare)
    writer = JsonStringWriter(text[:start], text[start + len(bare) :], text.isascii())
    return Dearmored(inside, writer, "JSON string")
