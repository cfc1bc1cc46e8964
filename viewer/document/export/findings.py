"""Findings as other programs see them: all diagnostics of a document with their paths, in byte order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.document.advice import advice
from viewer.document.document import Document
from viewer.document.export.walk import PathBook
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.outline import GAP

if TYPE_CHECKING:  # sound files are checked without the doctor
    from viewer.document.doctor.likely import LikelyCause

OTHER_KIND = "other-kind"
"""The code of bytes that hold no stored values."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic: *path* is empty where it is about the whole file, None where it would be too long.

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


def findings(document: Document, cause: LikelyCause | None = None) -> Iterator[Finding]:
    """All findings in byte order; the one that says what the bytes are where they are no stored values.

    Args:
        document: whose.
        cause: what most probably went wrong; told in full at the first finding that it explains, then in short.
    """
    other = foreign_kind(document)
    if other is not None:
        yield Finding(Severity.ERROR, OTHER_KIND, other.sentence, Span(0, len(document.buffer)), "")
        return
    books: dict[int, PathBook] = {}
    first = -1
    for found in document.diagnostics():
        path = _path(document, found, books)
        todo, told = advice(found, cause), ""
        if cause is not None and cause.explains(found):
            told = todo if first < 0 else f"The cause is that of 0x{first:X}."
            first = found.span.start if first < 0 else first
        yield Finding(found.severity, found.code.slug, found.message, found.span, path, todo, told)


def finding_path(document: Document, found: Diagnostic) -> str | None:
    """The path of one finding, as in :class:`Finding`."""
    return _path(document, found, {})


def _path(document: Document, found: Diagnostic, books: dict[int, PathBook]) -> str | None:
    if not 0 <= found.frame < len(document.frames):
        place = bisect_right(document.gaps, Span(found.span.start, len(document.buffer))) - 1
        return f"@{GAP}{place}" if place >= 0 else ""
    name = f"[{found.frame}]"
    if found.node < 0:
        return f"{name}@{found.part}" if found.part else name
    if found.frame not in books:
        books[found.frame] = PathBook(document.frames[found.frame].table, name)
    return books[found.frame].path(found.node, found.part)
