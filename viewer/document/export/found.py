"""Found places as other programs see them: offset, path and value of every hit of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from viewer.base.unseen import printable
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.export.deep_json import dumps
from viewer.document.export.paths import Paths
from viewer.document.query import Query
from viewer.document.search import steps
from viewer.document.shown.preview import part_text, text
from viewer.variant.items import Item

ELLIPSIS = "…"
SHOWN = 120
"""Characters of a value."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """One hit: ``offset <= byte < end`` in the innermost layer, the path and the text of the value there.

    *path* is None where it is left out.
    """

    offset: int
    end: int
    path: str | None
    text: str

    @property
    def json(self) -> str:
        """The place as one line of JSON."""
        return dumps({"offset": self.offset, "end": self.end, "path": self.path, "text": self.text})


def found_places(document: Document, query: Query, left_out: Callable[[str], None]) -> Iterator[FoundPlace]:
    """All hits in byte order, looked for as they are taken.

    Args:
        document, query: as for a search.
        left_out: told in words of each text that was not looked at, and of paths that were left out.

    Raises:
        SearchError: the search takes too long.
    """
    paths, texts = Paths(document), _Texts(document)
    for step in steps(document, query):
        for hit in step.hits:
            item = hit.item or outline.item_at(document, hit.span.start)
            if item is not None:
                shown = _whole(item)
                yield FoundPlace(hit.span.start, hit.span.end, paths.path(shown), texts.text(shown))
        for skipped in step.left_out:
            item = outline.item_at(document, skipped.offset)
            path = "" if item is None else f"{paths.path(_whole(item)) or ELLIPSIS} "
            left_out(f"the text of {path}at 0x{skipped.offset:X} was left out: {skipped.reason.value}.")
    if paths.left_out:
        left_out(paths.left_out)


def _whole(item: Item) -> Item:
    """The value that a hit lies in: an element, or the whole node of any other part."""
    if item.node < 0 or item.part.startswith("["):
        return item
    return Item(item.frame, item.node)


class _Texts:
    """Values as text; one with many hits in it is read once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._last: tuple[Item, str] | None = None

    def text(self, item: Item) -> str:
        """An item's value in a few characters."""
        if self._last is None or self._last[0] != item:
            self._last = item, _text(self._document, item)
        return self._last[1]


def _text(document: Document, item: Item) -> str:
    frame = outline.frame_of(document, item)
    if frame is None or item.node < 0:
        span = outline.span(document, item)
        return bytes(document.buffer[span.start : min(span.end, span.start + SHOWN // 3)]).hex(" ")
    part = outline.part(document, item)
    shown = text(frame.table, item.node, SHOWN) if part is None else part_text(part, SHOWN)
    return printable(shown)
