"""The top: the frames of a document, and the gaps before, between and behind them, as one row of numbers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.outline import GAP, PREFIX
from viewer.variant.items import Item


class Top:
    """What stands at the top of a document as it is now, in the order of the bytes.

    A frame is known by its number, a gap by -1 - its number.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._total = len(document.frames) + len(document.gaps)
        frame_starts = [frame.span.start for frame in document.frames] if document.gaps else []
        self._frames_before = [bisect_left(frame_starts, gap.start) for gap in document.gaps]
        self._gap_rows = [before + gap for gap, before in enumerate(self._frames_before)]

    def __len__(self) -> int:
        return self._total

    def frame(self, number: int) -> int:
        """The frame that stands as number *number*, or -1 - gap."""
        gap = bisect_left(self._gap_rows, number)
        return -1 - gap if gap < len(self._gap_rows) and self._gap_rows[gap] == number else number - gap

    def number(self, frame: int) -> int:
        """Where a frame stands, or the gap -1 - *frame*."""
        return self._gap_rows[-1 - frame] if frame < 0 else frame + bisect_right(self._frames_before, frame)

    def has_gap(self, frame: int) -> bool:
        """Whether -1 - *frame* is a gap."""
        return -len(self._gap_rows) <= frame < 0

    def item(self, number: int) -> Item:
        """What the row of number *number* shows."""
        return top_item(self._document, self.frame(number))

    def span(self, number: int) -> Span:
        """The bytes of number *number*, a frame's with its prefix, as offsets in the layer."""
        frame = self.frame(number)
        return self._document.frames[frame].span if frame >= 0 else self._document.gaps[-1 - frame]


def top_item(document: Document, frame: int) -> Item:
    """What the top row of a frame shows, or of the gap -1 - *frame*."""
    if frame < 0:
        return Item(frame, -1, GAP)
    found = document.frames[frame]
    if len(found.table):
        return Item(frame, 0)
    return Item(frame, -1, GAP if found.gap is not None else PREFIX)
