"""Whether a text is UTF-8."""

from __future__ import annotations

import codecs

from viewer.base.span import Span
from viewer.container.layer import Damage

DECODED = 1 << 20
"""Bytes that are looked at in one go."""


def bad_utf8(text: bytes) -> list[Damage]:
    """The first place where a text is not UTF-8."""
    if text.isascii():
        return []
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(text), DECODED):  # a text of wide signs would take four times its bytes at once
        begin = start - len(decoder.getstate()[0])
        try:
            decoder.decode(text[start : start + DECODED], start + DECODED >= len(text))
        except UnicodeDecodeError as error:
            place = Span(begin + error.start, begin + error.end)
            sentence = "This is not UTF-8: Godot 4 reads another character here, Godot 3 may refuse the file."
            return [Damage(place, sentence)]
    return []
