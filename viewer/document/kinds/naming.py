"""What bytes are that hold no stored values: a kind with a signature, a text, one byte over and over, or noise."""

from __future__ import annotations

from collections import Counter
from math import log, log2

from viewer.base.buffer import Buffer
from viewer.document.kinds.kind import FileKind
from viewer.document.kinds.signatures import advice, signatures
from viewer.document.kinds.texts import text_kind

SAMPLE = 1 << 16
LEAST_NOISE = 512
"""Fewer bytes are too few to tell noise."""
SLACK = 0.12
"""Bits a byte that noise may have less than chance gives it: what is compressed has a little order left."""


def strong_kind(data: Buffer) -> FileKind | None:
    """The kind of bytes that nothing else can be, None where there is none."""
    return next((each.kind(data) for each in signatures() if not each.weak and each.fits(data)), None)


def weak_kind(data: Buffer) -> FileKind | None:
    """The kind that bytes seem to be which hold no value, None where nothing is known of them."""
    weak = (each.kind(data) for each in signatures() if each.weak and each.fits(data))
    return _filled(data) or next(weak, None) or text_kind(data) or _noise(data)


def file_kind(data: Buffer) -> FileKind | None:
    """The kind of bytes that hold no value, None where nothing is known of them."""
    return strong_kind(data) or weak_kind(data)


def _filled(data: Buffer) -> FileKind | None:
    """Whether one byte fills all, as where nothing was written or a disk lost it."""
    begin = bytes(data[:SAMPLE])
    if len(begin) < 8 or begin.count(begin[0]) < len(begin) or begin[0] not in (0, 0xFF):
        return None
    if any(
        bytes(data[at : at + SAMPLE]).count(begin[0]) < min(SAMPLE, len(data) - at)
        for at in range(SAMPLE, len(data), SAMPLE)
    ):
        return None
    name = "only zeros" if not begin[0] else "only bytes of 0xFF"
    return FileKind(name, f"there is nothing else in its {len(data)} bytes", advice("empty"))


def _noise(data: Buffer) -> FileKind | None:
    """Whether bytes are spread as evenly as chance does it."""
    middle = max(0, len(data) // 2 - SAMPLE // 2)
    sample = bytes(data[middle : middle + SAMPLE])
    size = len(sample)
    if size < LEAST_NOISE:
        return None
    bits = -sum(count / size * log2(count / size) for count in Counter(sample).values())
    if bits < 8 - 255 / (2 * size * log(2)) - SLACK:
        return None
    fact = f"its bytes are spread as evenly as chance does it, {bits:.2f} bits of 8 each"
    return FileKind("compressed or encrypted data of an unknown kind", fact, advice("random"), is_sure=False)
