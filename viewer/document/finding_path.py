"""Where a finding is, as a path for other programs."""

from __future__ import annotations

from bisect import bisect_right

from viewer.base.diagnostic import Diagnostic
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.outline import gap_item
from viewer.document.path import format_path
from viewer.variant.paths.path_walk import PathBook


def finding_path(document: Document, found: Diagnostic, books: dict[int, PathBook] | None = None) -> str | None:
    """The path of a finding: empty where it is about the whole file, None where it would be too long.

    Args:
        document: the file.
        found: one of its diagnostics.
        books: the paths of frames, kept from one finding to the next.
    """
    if not 0 <= found.frame < len(document.frames):
        place = bisect_right(document.gaps, Span(found.span.start, len(document.buffer))) - 1
        return format_path(document, gap_item(place)) if place >= 0 else ""
    name = f"[{found.frame}]"
    if found.node < 0:
        return f"{name}@{found.part}" if found.part else name
    books = {} if books is None else books
    if found.frame not in books:
        books[found.frame] = PathBook(document.frames[found.frame].table, name)
    return books[found.frame].path(found.node, found.part)
