"""Hypotheses about what happened to all bytes at once: treated as text, swapped, trimmed, cut."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from viewer.diagnostic import count_bytes
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.patch import Patch
from viewer.document.doctor.trying import insertion

MOST_ZEROS = 256
LEAST = 4
MOST_FEEDS = 1 << 16
MOST = 1 << 25


def whole_candidates(data: bytes) -> Iterator[Candidate]:
    """What one transformation of all bytes undoes."""
    if not data or len(data) > MOST:
        return
    yield from _utf8(data)
    yield from _crlf(data)
    yield from _swapped(data)


def _replaced(cause: Cause, data: bytes, new: bytes, fact: str, weight: float = 1.0) -> Candidate:
    return Candidate(cause, (Patch(0, len(data), new),), fact, weight, framed=True)


def _utf8(data: bytes) -> Iterator[Candidate]:
    if data.isascii():
        return
    try:
        shown = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return
    for coding in ("latin-1", "cp1252"):
        try:
            new = shown.encode(coding)
        except UnicodeEncodeError:
            continue
        count = len(data) - len(new)
        yield _replaced(Cause.MADE_UTF8, data, new, f"{count} pairs of bytes become one byte each.")


def _crlf(data: bytes) -> Iterator[Candidate]:
    pairs = data.count(b"\r\n")
    if not pairs or pairs != data.count(b"\n"):
        return
    new = data.replace(b"\r\n", b"\n")
    times = "pair becomes" if pairs == 1 else "pairs become"
    yield _replaced(Cause.MADE_CRLF, data, new, f"{pairs} {times} one line feed again.")


def _swapped(data: bytes) -> Iterator[Candidate]:
    if len(data) % 4 or len(data) < 4:
        return
    words = array("I", data)
    words.byteswap()
    yield _replaced(Cause.BYTE_ORDER, data, words.tobytes(), "Each word of four bytes swapped back reads.")


def trimmed_candidates(ground: Ground) -> Iterator[Candidate]:
    """Zeros that were taken off the end."""
    data = ground.data
    if len(data) < LEAST or not data[-1]:
        return
    if ground.start + ground.trouble + MOST_ZEROS < len(data):
        return
    sizes: tuple[int, ...] = tuple(range(1, MOST_ZEROS))
    lacking = ground.start + ground.stored - len(data) if ground.stored >= 0 else 0
    if 0 < lacking <= MOST_ZEROS << 4:
        sizes = (lacking,)
    for size in sizes:
        fact = f"With {count_bytes(size)} of zeros behind it the last value is whole."
        weight = 1.0 if ground.has_prefix else 0.9 ** min(size, 16)
        yield Candidate(Cause.ZEROS_TRIMMED, (insertion(len(data), bytes(size)),), fact, weight, framed=True)
