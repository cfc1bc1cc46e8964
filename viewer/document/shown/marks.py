"""Marks: which rows of the tree are wrong, lie above something wrong, or were changed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.news import News
from viewer.document.shown.top import top_item
from viewer.variant.items import Item

LINTED = 50_000
"""Documents up to so many nodes are looked through for oddities at once; of larger ones only what is known is shown."""


class Marks:
    """The marks of one revision, found when first asked for.

    Args:
        document: whose rows are marked.
        changed: the bytes that count as modified, in byte order; None for what was changed since the last save.
    """

    def __init__(self, document: Document, changed: Sequence[Span] | None = None) -> None:
        self._document = document
        self._changed = changed
        self._found: dict[Item, Diagnostic] | None = None
        self._errors: list[int] = []
        self._modified: list[Span] = []
        self._modified_starts: list[int] = []
        self._news: tuple[News, ...] = ()
        self._was: dict[Item, str] = {}
        self._keys: dict[int, outline.OutermostKeys] = {}

    def forget(self) -> None:
        """More is known, or the bytes have changed: find them again when asked."""
        self._found = None

    def finding(self, item: Item) -> Diagnostic | None:
        """The gravest error or warning about what a row shows."""
        return self._here().get(item)

    def has_error_below(self, span: Span, last: bool) -> bool:
        """Whether an error lies inside a row's bytes; *last*: the bytes end where they could not be read further."""
        self._here()
        first = bisect_right(self._errors, span.start)
        return first < bisect_left(self._errors, span.end + last)

    def is_modified(self, span: Span) -> bool:
        """Whether any of these bytes were changed since the last save."""
        self._here()
        first = max(0, bisect_right(self._modified_starts, span.start) - 1)
        return any(_touches(changed, span) for changed in self._modified[first : first + 2])

    def was(self, item: Item) -> str:
        """What another program has just changed: ``was 10``, ``new``; empty for what it left alone."""
        news = self._document.news
        if not news:
            return ""
        if news is not self._news:
            self._news, self._was = news, {each.item: each.was for each in news}
        return self._was.get(item, "")

    def _here(self) -> dict[Item, Diagnostic]:
        if self._found is None:
            self._find()
        assert self._found is not None
        return self._found

    def _find(self) -> None:
        document = self._document
        self._found = {}
        self._errors = []
        small = sum(len(frame.table) for frame in document.frames) <= LINTED
        for finding in document.diagnostics() if small else document.known_diagnostics():
            if finding.severity is not Severity.NOTE:
                self._note(finding)
        self._keys = {}
        self._errors.sort()
        self._modified = document.modified_spans() if self._changed is None else list(self._changed)
        self._modified_starts = [span.start for span in self._modified]

    def _note(self, finding: Diagnostic) -> None:
        assert self._found is not None
        item = self._row(finding)
        known = self._found.get(item)
        if known is None or known.severity < finding.severity:
            self._found[item] = finding
        if finding.severity is Severity.ERROR and outline.exists(self._document, item):
            self._errors.append(outline.span(self._document, item).start)

    def _row(self, finding: Diagnostic) -> Item:
        """The item whose row tells of a finding."""
        document = self._document
        item = Item(finding.frame, finding.node, finding.part)
        if finding.frame < 0 or not outline.exists(document, Item(item.frame, item.node)):
            return self._nearest(finding)
        return outline.row_item(document, item, self._keys.setdefault(item.frame, {}))

    def _nearest(self, finding: Diagnostic) -> Item:
        """The row of the first byte that a finding without a node speaks of."""
        document = self._document
        if finding.frame >= 0:
            return top_item(document, finding.frame)
        at = outline.item_at(document, min(finding.span.start, len(document.buffer) - 1))
        return Item(0, 0) if at is None else outline.row_item(document, at)


def _touches(changed: Span, span: Span) -> bool:
    """Whether they share a byte, or bytes were taken out inside."""
    if not len(changed):
        return changed.start in span
    return changed.start < span.end and span.start < changed.end
