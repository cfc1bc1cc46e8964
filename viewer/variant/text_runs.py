"""Runs of texts: over the many texts of a packed array in one go, as far as there is nothing to say of them."""

from __future__ import annotations

from viewer.base.buffer import STRETCH, Buffer
from viewer.variant.hops import text_starts


def hop_plain(buffer: Buffer, at: int, count: int, ascii_only: bool) -> tuple[int, int]:
    """Hop over texts that are whole, fill included.

    Args:
        buffer: the frame's bytes.
        at: where the first text begins, with its length.
        count: how many to hop over at most.
        ascii_only: whether to end in front of bytes that may be no proper text; then a stretch before them is left too.

    Returns:
        How many texts, and the offset behind them. The next one is broken, long, or none that is surely plain.
    """
    known, size = 0, len(buffer)
    while known < count:
        starts = text_starts(buffer, at, min(size, at + STRETCH), count - known)
        if starts[-1] > size:  # the fill of the last one is cut off
            starts.pop()
        if len(starts) < 2 or (ascii_only and not bytes(buffer[at : starts[-1]]).isascii()):
            break
        known, at = known + len(starts) - 1, starts[-1]
    return known, at
