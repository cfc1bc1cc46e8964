"""Selection: where a person is in a document, and where they come to when they go elsewhere."""

from __future__ import annotations

from typing import Protocol

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import PathError, PathInside, format_path, parse_path
from viewer.document.splice import Splice, kept
from viewer.variant.items import Item
from viewer.variant.table import NodeTable


@dataclass(frozen=True, slots=True)
class TextPosition:
    """Where a person is in the text that the values were read from.

    Args:
        offset: the byte.
        line, column: where that stands, both from 1; the column in characters.
        finding: what is wrong in this line, empty for nothing.
        severity: how grave that is.
        selected: the bytes of the text that a person selected, None for none.
    """

    offset: int
    line: int
    column: int
    finding: str = ""
    severity: Severity = Severity.NOTE
    selected: Span | None = None


# Selection anchor: what a person has selected, kept through changes of the bytes.

MOST_LEVELS = 1 << 10
"""No engine reads values that nest deeper; the path of one would be longer than anybody reads."""


@dataclass(frozen=True, slots=True)
class SelectionAnchor:
    """A selected item, known well enough to be found in other bytes.

    Args:
        path: its path; empty where it lies deeper than :data:`MOST_LEVELS`.
        start: the first byte of its node in the layer, None where that byte is gone or there is no node.
        part: the name of the part of the node.
    """

    path: str = ""
    start: int | None = None
    part: str = ""

    @classmethod
    def of(cls, document: Document, item: Item | None) -> SelectionAnchor:
        """The anchor of an item as it is now."""
        if item is None:
            return cls()
        frame = outline.frame_of(document, item)
        start = frame.start + frame.table.start[item.node] if frame is not None and item.node >= 0 else None
        is_deep = frame is not None and _is_deep(frame.table, item.node)
        return cls("" if is_deep else format_path(document, item), start, item.part)

    def after(self, splices: tuple[Splice, ...]) -> SelectionAnchor:
        """The anchor in the bytes that the splices leave."""
        return self if self.start is None else replace(self, start=kept(self.start, splices))

    def find(self, document: Document) -> Item | None:
        """The value that begins at the same byte, else what has the path now; None where there is neither."""
        return self._by_byte(document) or self._by_path(document)

    def _by_byte(self, document: Document) -> Item | None:
        found = outline.item_at(document, self.start) if self.start is not None else None
        if found is None or found.node < 0:
            return None
        frame = document.frames[found.frame]
        item = Item(found.frame, found.node, self.part)
        begins = frame.start + frame.table.start[found.node] == self.start
        return item if begins and outline.exists(document, item) else None

    def _by_path(self, document: Document) -> Item | None:
        try:
            return parse_path(document, self.path) if self.path else None
        except PathError:
            return None


def _is_deep(table: NodeTable, node: int) -> bool:
    """Whether a node lies so deep that it has no path."""
    levels = 0
    while node > 0 and levels <= MOST_LEVELS:
        node, levels = table.parent[node], levels + 1
    return levels > MOST_LEVELS


# Navigation history: where a person has been, for back and forward.

LIMIT = 200


class NavigationHistory:
    """A line of visited places, each a path and an offset, with the present one marked."""

    def __init__(self) -> None:
        self._line: list[tuple[str, int]] = []
        self._now = -1

    @property
    def has_back(self) -> bool:
        """Whether there is an earlier place."""
        return self._now > 0

    @property
    def has_forward(self) -> bool:
        """Whether there is a later place."""
        return self._now + 1 < len(self._line)

    def visit(self, path: str, offset: int) -> None:
        """Be at another place; later ones are forgotten."""
        del self._line[self._now + 1 :]
        if not self._line or self._line[-1][0] != path:
            self._line.append((path, offset))
        del self._line[:-LIMIT]
        self._now = len(self._line) - 1

    def back(self) -> tuple[str, int] | None:
        """Step to the place before, None where there is none."""
        if not self.has_back:
            return None
        self._now -= 1
        return self._line[self._now]

    def forward(self) -> tuple[str, int] | None:
        """Step to the place after, None where there is none."""
        if not self.has_forward:
            return None
        self._now += 1
        return self._line[self._now]


class SpotLevel(PathInside, Protocol):
    """What is open inside a value."""

    @property
    def start(self) -> int | None:
        """Where its bytes begin in those of the file's document; None where a wrap lies around them."""

    @property
    def wraps(self) -> str:
        """What lies around its bytes, in words; empty where they lie there plain."""


@dataclass(frozen=True, slots=True)
class Spot:
    """An item at whatever level: of the file's document, or of what is inside one of its values.

    Args:
        document: what the item belongs to.
        item: the item.
        level: what *document* is the inside of, None for that of the file.
    """

    document: Document
    item: Item
    level: SpotLevel | None = None

    @property
    def path(self) -> str:
        """The path of the item, from the file on."""
        return format_path(self.document, self.item) if self.level is None else self.level.path_of(self.item)

    def span(self, is_whole: bool = False) -> Span | None:
        """The bytes in the file's document; None where they lie in a wrap, or are gone.

        Args:
            is_whole: whether those of the whole row of the tree are wanted where the item is a part of it.
        """
        start = self.level.start if self.level is not None else 0
        inside = is_whole and self.item.node >= 0 and not outline.is_gap(self.item)
        asked = Item(self.item.frame, self.item.node) if inside else self.item
        if start is None or not outline.exists(self.document, asked):
            return None
        found = _row_span(self.document, self.item) if is_whole else outline.span(self.document, self.item)
        return found.shifted(start)


def _row_span(document: Document, item: Item) -> Span:
    """The bytes of the element, the gap or the whole node that an item is or lies in: a header has no row of its own.

    Raises:
        KeyError: the document has no such item.
    """
    if item.node < 0 or outline.is_gap(item):
        return outline.span(document, item)
    if not item.part.startswith("["):
        return outline.span(document, Item(item.frame, item.node))
    row = outline.span(document, outline.row_item(document, item))
    own = outline.span(document, item) if outline.exists(document, item) else row
    return Span(min(row.start, own.start), max(row.end, own.end))  # the length of a text lies before it


@dataclass(frozen=True, slots=True)
class SelectionState:
    """Where a person is in a document.

    Args:
        item: the selected item, None for none; while the bytes are still to be read it may be one that is gone.
        inside: what is selected inside of it, and the anchor of that there; None where the item itself is.
        caret: offset of the caret in the layer.
        marked: the selected bytes, None where no run is selected.
        anchor: the item, known well enough to be found in other bytes.
        places: where the person has been; the same for all whereabouts in one document.
    """

    item: Item | None = None
    caret: int = 0
    marked: Span | None = None
    anchor: SelectionAnchor = field(default_factory=SelectionAnchor)
    places: NavigationHistory = field(default_factory=NavigationHistory)
    inside: tuple[Spot, SelectionAnchor] | None = None

    @property
    def path(self) -> str:
        """The path of what is selected, empty for nothing."""
        return self.anchor.path if self.inside is None else self.inside[0].path

    def within(self, spot: Spot) -> SelectionState:
        """The same with *spot* selected inside of the item."""
        return replace(self, inside=(spot, SelectionAnchor.of(spot.document, spot.item)))

    def on(self, document: Document, item: Item) -> SelectionState:
        """On an item, at its first byte; the caret stays where it is if it stands in this node already."""
        span = outline.span(document, item)
        stays = item == self.item and item.part == "" and self.caret in span
        return self.to(document, item, self.caret if stays else span.start)

    def at(self, document: Document, offset: int, marked: Span | None = None) -> SelectionState:
        """At a byte, or behind the last one, on the deepest item there; while that is not known, the item stays."""
        offset = max(0, min(offset, len(document.buffer)))
        if document.task is None:
            found = outline.item_at(document, min(offset, len(document.buffer) - 1))
            if found is not None and found.node >= 0 and document.text is not None:
                found = Item(found.frame, found.node)  # a text shows none of the parts
            return self.to(document, found, offset, marked)
        return replace(
            self, caret=offset, marked=marked, anchor=self.anchor if offset == self.caret else SelectionAnchor()
        )

    def focused(self, document: Document, start: int) -> SelectionState | None:
        """On the value that begins at *start*; None where there is nothing."""
        item = outline.item_at(document, start)
        return None if item is None else self.to(document, outline.row_item(document, item), start)

    def again(self, document: Document, anchor: SelectionAnchor, caret: int) -> SelectionState | None:
        """On what *anchor* leads to, without one at the very beginning on the first value; None where that is gone."""
        item = anchor.find(document)
        main = document.structure.main if document.structure is not None else 0
        if item is None and not anchor.path and caret == 0 and outline.exists(document, Item(main, 0)):
            item = Item(main, 0)
        if item is None:
            return None
        span = outline.span(document, item)
        return self.to(document, item, caret if caret in span else span.start)

    def carried(self, document: Document) -> SelectionState:
        """On what has the same path in *document*, the same file in other bytes; the caret goes with its value.

        Where nothing has that path, or the bytes are still to be read, the caret stays at its offset.
        """
        if document.task is not None:
            return self
        item = replace(self.anchor, start=None).find(document)
        if item is None:
            return replace(self, item=None, marked=None, anchor=SelectionAnchor(), inside=None)
        anchor, span = SelectionAnchor.of(document, item), outline.span(document, item)
        by = anchor.start - self.anchor.start if anchor.start is not None and self.anchor.start is not None else 0
        return self.to(document, item, self.caret + by if self.caret + by in span else span.start)

    def to(self, document: Document, item: Item | None, caret: int, marked: Span | None = None) -> SelectionState:
        """On an item, at a byte of it."""
        anchor = SelectionAnchor.of(document, item)
        return replace(self, item=item, caret=caret, marked=marked, anchor=anchor, inside=None)

    def value_span(self, document: Document) -> Span | None:
        """The bytes of the selected value, element or gap, the whole of it when one of its parts is selected.

        None where nothing is selected.
        """
        if self.item is None:
            return None
        try:
            return _row_span(document, self.item)
        except KeyError:
            return None

    def row_start(self, document: Document) -> int | None:
        """Where what the selected row of the tree shows begins: a node, an element or a gap; None for none."""
        if self.item is None or not outline.exists(document, self.item):
            return None
        return outline.span(document, outline.row_item(document, self.item)).start
