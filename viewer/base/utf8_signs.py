"""Signs of several bytes in UTF-8 among other bytes: where each begins, and which bytes belong to one."""

from __future__ import annotations

import re
import unicodedata

BEFORE = 3
"""So many bytes before and behind a run say whether a sign reaches into it."""
SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
HIGH = re.compile(rb"[\x80-\xff]")


def utf8_signs(before: bytes, data: bytes, behind: bytes) -> tuple[bytes, tuple[tuple[int, str], ...]]:
    """The signs of several bytes that begin in a run of bytes.

    Args:
        before, behind: the bytes around the run, :data:`BEFORE` of them at most.
        data: the run.

    Returns:
        The run with blanks in the place of all bytes of such signs, and each sign with the offset of its first byte.
    """
    if HIGH.search(data) is None:
        return data, ()
    whole, first = before + data + behind, len(before)
    letters, signs = bytearray(data), []
    for found in SEQUENCE.finditer(whole):
        sign = _shown(found[0])
        start, end = found.start() - first, found.end() - first
        if sign and end > 0 and start < len(data):
            begin, stop = max(start, 0), min(end, len(data))
            letters[begin:stop] = b" " * (stop - begin)
            if start >= 0:
                signs.append((start, sign))
    return bytes(letters), tuple(signs)


def _shown(raw: bytes) -> str:
    """The sign that some bytes are, empty where they are none that can be shown by itself."""
    try:
        sign = raw.decode()
    except UnicodeDecodeError:
        return ""
    return sign if sign.isprintable() and not unicodedata.combining(sign) else ""
