"""Found places: what a search found, told of the rows of the tree: in a name, in a value, or below a row."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.words import counted
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.selection import Spot
from viewer.variant.table import NodeTable


@dataclass(frozen=True, slots=True)
class RowFinds:
    """What was found of one row.

    Args:
        in_name, in_value: whether something was found there.
        below: how many places were found in what stands below the row.
        is_current: whether the person stands at the one in its name or value.
    """

    in_name: bool = False
    in_value: bool = False
    below: int = 0
    is_current: bool = False

    @property
    def words(self) -> str:
        """The same as a sentence without full stop."""
        places = [word for word, there in (("its name", self.in_name), ("its value", self.in_value)) if there]
        own = f"Found in {' and '.join(places)}" if places else ""
        below = f"{counted(self.below, 'place')} found below" if self.below else ""
        return ", ".join(part for part in (own, below) if part)


class FoundPlaces:
    """The places that a search found.

    Args:
        hits: those in the bytes of the file, in their order, none over another.
        current: the one that the person stands at.
        inside: those in what is open inside values, each with the document that its bytes are counted in.
        holders: where the values of the file begin that hold those, in order.
    """

    def __init__(
        self,
        hits: Sequence[Span],
        current: Span | None,
        inside: Sequence[tuple[Document, Span]] = (),
        holders: Sequence[int] = (),
    ) -> None:
        self._hits, self._current, self._holders = hits, current, holders
        self._inside: dict[int, list[Span]] = {}
        for document, span in inside:
            self._inside.setdefault(id(document), []).append(span)

    def of_row(self, spot: Spot, is_open_to_rows: bool) -> RowFinds | None:
        """What was found of the row of an item; *is_open_to_rows* where rows can stand below it. None for nothing."""
        document, item = spot.document, spot.item
        frame = outline.frame_of(document, item)
        if frame is None or item.node < 0 or item.part:
            span = outline.span(document, item)
            own = 0 if is_open_to_rows else len(span)
            return self._of_spans(spot, Span(0, 0), Span(span.start, span.start + own), len(span) - own)
        table, start = frame.table, frame.start
        key = outline.key_of(table, item.node)
        name = table.span(key).shifted(start) if key is not None else Span(0, 0)
        whole = table.span(item.node)
        own = _own_end(table, item.node, whole, is_open_to_rows)
        return self._of_spans(spot, name, Span(whole.start, own).shifted(start), whole.end - own)

    def of_page(self, spot: Spot, span: Span) -> RowFinds | None:
        """What was found under some children of a long collection."""
        below = self._count(spot, span)
        return RowFinds(below=below) if below else None

    def _of_spans(self, spot: Spot, name: Span, value: Span, behind: int) -> RowFinds | None:
        """What was found in a name, in a value's own bytes, and in so many bytes *behind* these."""
        in_name, in_value = self._count(spot, name), self._count(spot, value)
        below = self._count(spot, Span(value.end, value.end + behind)) + self._held(spot, value.start, behind)
        if not (in_name or in_value or below):
            return None
        now = self._current if spot.level is None else None
        is_current = now is not None and (now.start in name or now.start in value)
        return RowFinds(in_name > 0, in_value > 0, below, is_current)

    def _count(self, spot: Spot, span: Span) -> int:
        """How many places begin in a span of a level's bytes."""
        if not span:
            return 0
        if spot.level is None:
            return _between(self._hits, span)
        own = _between(self._inside.get(id(spot.document), ()), span)
        start = spot.level.start
        return own + (_between(self._hits, span.shifted(start)) if start is not None else 0)

    def _held(self, spot: Spot, start: int, size: int) -> int:
        """How many places were found in what is open inside the values that begin in a row."""
        if spot.level is not None or not self._holders:
            return 0
        return bisect_left(self._holders, start + max(1, size)) - bisect_left(self._holders, start)


def _own_end(table: NodeTable, node: int, whole: Span, is_open_to_rows: bool) -> int:
    """Where the bytes end that a row itself shows; the rest is shown by the rows below it."""
    head = table.head_end(node)
    if head >= whole.end and is_open_to_rows:  # elements of a packed array have no nodes
        return min(whole.end, whole.start + 8)
    return head


def _between(hits: Sequence[Span], span: Span) -> int:
    return bisect_left(hits, span.end, key=_start) - bisect_left(hits, span.start, key=_start)


def _start(span: Span) -> int:
    return span.start
