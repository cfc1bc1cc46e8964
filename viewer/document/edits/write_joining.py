"""Joining writes: very many small ones become fewer larger ones that do the same."""

from __future__ import annotations

from itertools import pairwise

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import Write

MOST = 2048
"""An edit writes at so many places at most, so that what follows it through the window stays quick."""


def joined_writes(document: Document, writes: list[Write], most: int = MOST) -> list[Write]:
    """At most about *most* writes: those with the shortest way between them take the bytes there along.

    Args:
        document: holds the bytes between them.
        writes: in the order of their bytes; no two overlap.
        most: how many there may be, besides one a frame.
    """
    if len(writes) <= most:
        return writes
    spans = [write.span for write in writes]
    gaps = [0, *(two.start - one.end for one, two in pairwise(spans))]
    apart = set(sorted(range(1, len(writes)), key=gaps.__getitem__)[len(writes) - most :])
    out: list[Write] = []
    group: list[Write] = []
    for place, write in enumerate(writes):
        if group and (place in apart or write.frame != group[-1].frame):
            out.append(_one(document, group))
            group = []
        group.append(write)
    return [*out, _one(document, group)]


def _one(document: Document, group: list[Write]) -> Write:
    """Writes of one frame as one, with the bytes between them."""
    start = end = group[0].span.start
    raw = bytes(document.buffer[start : group[-1].span.end])
    pieces: list[bytes] = []
    for write in group:
        span = write.span
        pieces += (raw[end - start : span.start - start], write.new)
        end = span.end
    return Write(Span(start, end), b"".join(pieces), group[0].frame)
