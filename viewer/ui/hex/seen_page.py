"""What the screen shows of the bytes, held against what it is to show: how far rows moved, which are painted anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil

from PySide6.QtCore import QSize

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.hex.hex_page import HexPage
from viewer.ui.hex.page_painter import HexPainter

BLEED = 1
"""Rows above and below that the lines around bytes, and signs higher than a row, reach into."""

SPARE = 1
"""Pixels right of the rows, which may end between two pixels of the screen."""


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page and how it is painted.

    Args:
        page: its bytes.
        painter: paints in a theme, a grid and a device pixel ratio.
        size: of the viewport.
        shift: pixels scrolled sideways.
        pixels: of the top row, scrolled away.
        is_exact: whether each row begins and ends between two pixels of the screen.
    """

    page: HexPage
    painter: HexPainter
    size: QSize
    shift: int
    pixels: int
    is_exact: bool

    def distance(self, before: SeenPage) -> int | None:
        """Pixels by which all that was painted *before* has moved down; None where it can only be painted anew."""
        if (self.painter, self.size, self.shift) != (before.painter, before.size, before.shift):
            return None
        if not (self.is_exact and before.is_exact) or bool(self.page.size) != bool(before.page.size):
            return None
        height = self.page.layout.row_height
        moved = (before.page.top - self.page.top) * height + before.pixels - self.pixels
        is_stuck = bool(moved) and (_shows_hit(self.page) or _shows_hit(before.page))
        return None if is_stuck or abs(moved) >= self.size.height() else moved

    def used_width(self, before: SeenPage) -> int:
        """The width of all that is painted or was painted *before*; right of it is nothing."""
        if self.page.signs or before.page.signs:  # they may be of any width
            return self.size.width()
        return min(ceil(self.page.layout.width) + SPARE, self.size.width())

    def has_other_edge(self, before: SeenPage) -> bool:
        """Whether above the first row that is wholly in view there is something else than *before*."""
        has_moved = self.page.top != before.page.top or self.pixels != before.pixels
        return (has_moved and bool(self.pixels or before.pixels)) or _edge(self.page) != _edge(before.page)

    def changed_rows(self, before: SeenPage) -> set[int]:
        """The numbers of the rows that look otherwise than *before*, among those that were in view."""
        old, new = before.page, self.page
        both = range(max(old.top, new.top), min(old.top + old.rows, new.top + new.rows))
        if (old.focus.focused, old.focus.insert) != (new.focus.focused, new.focus.insert):
            return set(both)
        rows = set(_unlike(old, new, both))
        for span in _changed_spans(old, new):
            first, last = new.layout.row_of(span.start), new.layout.row_of(max(span.end - 1, span.start))
            rows.update(range(max(first - BLEED, both.start), min(last + BLEED + 1, both.stop)))
        return rows


def _shows_hit(page: HexPage) -> bool:
    """Whether the current hit is in view: the round corners around it are not smoothed alike at all heights."""
    hit, columns = page.current_hit, page.layout.columns
    return hit is not None and hit.start < page.start + (page.rows + 1) * columns and hit.end > page.start - columns


def _edge(page: HexPage) -> list[tuple[int, int]]:
    """The bytes above and in the first row that have lines around them, and the row, where such a line is dashed."""
    dashed = _at_edge(page, (*page.recovered, page.focus.hover))
    return [*_at_edge(page, (page.current_hit, page.focus.item)), *dashed, *((page.top, 0) for _ in dashed[:1])]


def _at_edge(page: HexPage, framed: Iterable[Span | None]) -> list[tuple[int, int]]:
    start, columns = page.start, page.layout.columns
    near = [(max(span.start - start, -columns), min(span.end - start, columns)) for span in framed if span]
    return [(first, last) for first, last in near if first < last]


def _unlike(old: HexPage, new: HexPage, rows: range) -> Iterator[int]:
    """Those of the rows that have other bytes, or bytes that are for something else."""
    columns = new.layout.columns
    for one, other in ((old.data, new.data), (old.styles, new.styles), (old.letters, new.letters)):
        one = one[(rows.start - old.top) * columns : max(rows.stop - old.top, 0) * columns]
        other = other[(rows.start - new.top) * columns : max(rows.stop - new.top, 0) * columns]
        if one != other:
            for at, row in enumerate(rows):
                if one[at * columns : (at + 1) * columns] != other[at * columns : (at + 1) * columns]:
                    yield row


def _changed_spans(old: HexPage, new: HexPage) -> Iterator[Span]:
    """The bytes around, behind or below which something else is painted."""
    for name in ("modified", "errors", "warnings", "recovered", "hits"):
        if (one := getattr(old, name)) != (other := getattr(new, name)):
            yield from set(one).symmetric_difference(other)
    was, now = old.focus, new.focus
    if was.parts != now.parts:
        yield from (part.span for part in set(was.parts).symmetric_difference(now.parts))
    if (was.caret, was.nibble, was.area) != (now.caret, now.nibble, now.area):
        yield from (Span(focus.caret, focus.caret + 1) for focus in (was, now))
    wholes = (
        (old.current_hit, new.current_hit),
        (old.parent, new.parent),
        (was.selection, now.selection),
        (was.item, now.item),
        (was.hover, now.hover),
    )
    for before, after in wholes:
        if before != after:
            yield from (span for span in (before, after) if span is not None)
    if old.signs != new.signs:
        signs = [{(page.start + at, sign) for at, sign in page.signs} for page in (old, new)]
        yield from (Span(at, at + 1) for at, _ in signs[0] ^ signs[1])
