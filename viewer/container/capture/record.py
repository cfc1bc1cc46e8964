"""Record: one frame as a capture file holds it."""

from __future__ import annotations

from typing import NamedTuple

MOST_TIME = (1 << 63) - 1
"""Later times are damage, and would not fit in 64 bits."""
NO_LINK = -1


class Record(NamedTuple):
    """A frame.

    Args:
        time: nanoseconds since 1970.
        link: the link type, :data:`NO_LINK` where the capture does not say.
        data: the bytes that were kept.
        sent: how many there were on the link.
    """

    time: int
    link: int
    data: bytes
    sent: int
