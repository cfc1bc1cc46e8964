"""Bytes from text that a person pastes: hex digits in any usual dress."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern

NOISE = late_pattern(r"0[xX](?=[0-9A-Fa-f])|\\x|[\s,;:{}\[\]()<>\"'_-]+")


class PasteError(ValueError):
    """The text is no bytes; one sentence says why."""


def bytes_from_text(text: str) -> bytes:
    """The bytes that hex text stands for: ``04 00``, ``0x04, 0x00``, ``\\x04\\x00``, ``0400``.

    Raises:
        PasteError: there is no text, or it is not hex.
    """
    if not text.strip():
        raise PasteError(
            "There is no text on the clipboard; copy hex bytes first, for example 02 00 00 00 2A 00 00 00."
        )
    digits = NOISE.sub("", text)
    wrong = re.search(r"[^0-9A-Fa-f]", digits)
    if wrong:
        raise PasteError(f"“{wrong.group()}” is no hex digit; paste bytes as 02 00 00 00 or 0x02, 0x00.")
    if len(digits) % 2:
        raise PasteError("The text has an odd number of hex digits; a byte takes two.")
    return bytes.fromhex(digits)
