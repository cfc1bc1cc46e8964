"""Findings as other programs see them: all diagnostics of a document with their paths, in byte order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.document import outline
from viewer.document.advice import advice
from viewer.document.document import Document
from viewer.document.export.deep_json import dumps
from viewer.document.export.many_paths import Paths
from viewer.document.export.path_room import PathRoom
from viewer.document.finding_path import finding_path
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.pieces.message import named_at
from viewer.document.searching.query import Query
from viewer.document.searching.search import steps
from viewer.variant.items import Item
from viewer.variant.literal.preview import part_text, text
from viewer.variant.paths.path_walk import PathBook

if TYPE_CHECKING:
    from viewer.document.doctor.likely import LikelyCause

OTHER_KIND = "other-kind"
"""The code of bytes that hold no stored values."""


@dataclass(frozen=True, slots=True)
class ExportedFinding:
    """One diagnostic: *path* is empty where it is about the whole file, None where it is left out.

    *advice* is what a person can do about it, *cause* what the doctor thinks went wrong, where it explains this.
    """

    severity: Severity
    code: str
    message: str
    span: Span
    path: str | None
    advice: str = ""
    cause: str = ""

    @property
    def line(self) -> str:
        """What ``check`` prints behind the file and the offset."""
        path = "…" if self.path is None else self.path
        cause = f" {self.cause}" if self.cause else ""
        text = f"{self.severity.word} {self.code}: {self.message}{cause}" + (f" ({path})" if path else "")
        return printable(text)


def findings(
    document: Document, cause: LikelyCause | None = None, room: PathRoom | None = None
) -> Iterator[ExportedFinding]:
    """All findings in byte order; the one that says what the bytes are where they are no stored values.

    Args:
        document: whose.
        cause: what most probably went wrong; told in full at the first finding that it explains, then in short.
        room: for paths; it tells afterwards how many were left out.
    """
    room = room or PathRoom(len(document.buffer))
    other = foreign_kind(document)
    if other is not None:
        yield ExportedFinding(Severity.ERROR, OTHER_KIND, other.sentence, Span(0, len(document.buffer)), "")
        return
    books: dict[int, PathBook] = {}
    first = -1
    every = document.findings.all()
    if document.text is not None:
        every = sorted(every, key=lambda each: _place(document, each))
    for found in every:
        path = finding_path(document, found, books)
        if path is None or not room.has(len(path)):
            path, room.missing = None, room.missing + 1
        else:
            room.take(len(path))
        todo, told = advice(found, cause), ""
        if cause is not None and cause.explains(found):
            told = todo if first < 0 else f"The cause is that of 0x{first:X}."
            first = found.span.start if first < 0 else first
        span = _place(document, found)
        yield ExportedFinding(found.severity, found.code.slug, found.message, span, path, todo, told)


def _place(document: Document, found: Diagnostic) -> Span:
    """Where a finding is in what a person looks at."""
    return document.findings.place_in_text(found) or document.place(found.span)


# Found places as other programs see them: offset, path and value of every hit of a search.

ELLIPSIS = "…"
SHOWN = 120
"""Characters of a value."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """One hit: ``offset <= byte < end`` in the innermost layer, of a text its value; path and text of the value there.

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
                told = texts.text(shown) if shown.frame >= 0 else _unclaimed(document, shown, hit.span.start)
                place = document.place(hit.span)
                yield FoundPlace(place.start, place.end, paths.path(shown), told)
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


def _unclaimed(document: Document, item: Item, offset: int) -> str:
    """Bytes that no value claims as text: the field that they are, else in hex."""
    named = named_at(document.fields, offset)
    if named is None or not named[1].text:
        return _text(document, item)
    words = printable(f"{named[0]}: {named[1].text}")
    return words if len(words) <= SHOWN else words[: SHOWN - 1] + ELLIPSIS


def _text(document: Document, item: Item) -> str:
    frame = outline.frame_of(document, item)
    if frame is None or item.node < 0:
        span = outline.span(document, item)
        return bytes(document.buffer[span.start : min(span.end, span.start + SHOWN // 3)]).hex(" ")
    part = outline.part(document, item)
    shown = text(frame.table, item.node, SHOWN) if part is None else part_text(part, SHOWN)
    return printable(shown)
