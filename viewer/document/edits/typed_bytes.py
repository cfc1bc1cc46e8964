"""Bytes and numbers of bytes as a person types them."""

from __future__ import annotations

import re

from viewer.container.armor.byte_text import PasteError, bytes_from_text
from viewer.document.edits.raw_bytes import MOST

QUOTED = re.compile(r"([\"'])(.*)\1", re.DOTALL)
NUMBER = re.compile(r"0[xX]([0-9A-Fa-f]+)|([0-9]+)")


class TypedBytesError(ValueError):
    """The text is no bytes, or no number of bytes; one sentence says what to write."""


def parse_pattern(text: str) -> bytes:
    """The bytes that a person means: hex digits, or text in quotes, which is taken in UTF-8.

    Raises:
        TypedBytesError: it is neither, or empty.
    """
    text = text.strip()
    quoted = QUOTED.fullmatch(text)
    if quoted is not None and quoted[2]:
        return quoted[2].encode("utf-8", "surrogatepass")
    try:
        found = b"" if not text or text[0] in "\"'" else bytes_from_text(text)
    except PasteError as error:
        raise TypedBytesError(f"{str(error).partition(';')[0]}; write 00 FF, or text in quotes.") from error
    if not found:
        raise TypedBytesError("Write bytes as 00 FF, or text in quotes.")
    return found


def parse_count(text: str) -> int:
    """A number of bytes, such as ``16`` or ``0x10``.

    Raises:
        TypedBytesError: it is no number, or none or too many bytes.
    """
    match = NUMBER.fullmatch(text.strip())
    if match is None or len(text) > 32:
        raise TypedBytesError("Write a number of bytes, such as 16 or 0x10.")
    count = int(match[1], 16) if match[1] else int(match[2])
    if not 1 <= count <= MOST:
        raise TypedBytesError(f"From 1 byte to {MOST >> 20} MiB can be inserted at once.")
    return count
