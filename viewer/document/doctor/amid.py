"""Amid: broken values among a game's own bytes, each looked at as if it were alone with its length before it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.container.frames import FramingKind
from viewer.document.doctor.ground import Ground, Meter, Way, frame, stand
from viewer.document.doctor.salvage import is_damaged
from viewer.document.document import Document
from viewer.document.framing import Frame

MOST_FRAMES = 4
MOST_COPIED = 1 << 20
"""Of more bytes only one broken value is looked at, and only as long as its length says: each ground has a copy."""
MOVES = (1, -1, 2, -2, 3, -3)
"""So many bytes earlier the end of a broken one may lie, since as many were lost; later, where they were inserted."""


def grounds_amid(document: Document, data: bytes, meter: Meter) -> Iterator[tuple[Ground, bool]]:
    """Where to look, and whether the end of the value was moved: then bytes must have been lost or inserted."""
    if not document.gaps or document.framing.kind is not FramingKind.STORED:
        return
    way = Way(document.dialect, document.framing)
    is_short = len(data) <= MOST_COPIED
    broken = (each for each in document.frames if _is_broken(document, each))
    for each in islice(broken, MOST_FRAMES if is_short else 1):
        last = each.span.end if is_damaged(each.table) else each.start + each.table.end_of_data
        for move in (0, *MOVES) if is_short else (0,):
            end = last - move
            if each.start < end <= len(data):
                part = data[:end]
                yield stand(part, way, meter, frame(part, each.span.start, way, meter)), bool(move)


def _is_broken(document: Document, each: Frame) -> bool:
    return is_damaged(each.table) or each.gap is not None or not each.prefix_is_true(document.buffer, document.framing)
