"""The text of the session's document as the text view wants to see it, with what is typed and not read yet."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.layer import SourceText
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.document import Document
from viewer.document.splice import Splice
from viewer.ui.text.piece_table import PieceTable
from viewer.ui.text.text_source import TextMark, TextTint
from viewer.variant.items import Role
from viewer.variant.tints import STYLES

STRUCTURE = {
    Role.HEADER: "structure.header",
    Role.LENGTH: "structure.length",
    Role.PADDING: "structure.padding",
    Role.GAP: "structure.gap",
}


RUN = re.compile(rb"(.)\1*+", re.DOTALL)
"""Bytes in a row for which there is the same code."""
MARKED = 1 << 10
"""Bytes."""
PLACE = re.compile(r"\ALine \d+, column \d+ \(byte \d+\): ")
"""What a sentence about a place in a text begins with, which is seen where the sentence is shown."""


class SessionText:
    """A :class:`~viewer.ui.text.text_source.TextSource` over a text that values were read from.

    Args:
        document: its values were read from a text.
        text: that text, as it was read last.

    Attributes:
        data: the text with what was typed since.
        revision: that of the document when it was read.
    """

    def __init__(self, document: Document, text: SourceText) -> None:
        self.document = document
        self.revision = document.revision
        self._text = text
        self._classifier = ByteClassifier(document)
        self.data = PieceTable(text.outside)
        self._typed: Span | None = None
        self._growth = 0
        self._marks: list[TextMark] | None = None

    @property
    def is_read(self) -> bool:
        """Whether everything that was typed is read."""
        return self._typed is None

    def replace(self, span: Span, inserted: bytes) -> None:
        """Type over some bytes, which are to be read some time later."""
        self.data.replace(span, inserted)
        growth = len(inserted) - len(span)
        before = self._typed or span
        start, end = min(before.start, span.start), max(before.end, span.end) + growth
        self._typed, self._growth = Span(start, end), self._growth + growth

    def read_again(self, text: SourceText) -> Splice:
        """The document was read: have its text. What became of the bytes that were shown."""
        change = Splice(0, b"", b"")
        if self.data.whole is not text.outside:  # which it always is where that was typed
            change = Splice(0, bytes(self.data), text.outside).trimmed()
            self.data = PieceTable(text.outside)
        self._text, self.revision = text, self.document.revision
        self._classifier = ByteClassifier(self.document)
        self._typed, self._growth, self._marks = None, 0, None
        return change

    def inside_of(self, offset: int) -> int:
        """Where the value around a byte begins in the bytes made of the text, of which all is read."""
        return self._text.inside_of(offset)

    # TextSource

    def tints(self, span: Span) -> Iterator[TextTint]:
        """Values in the colours of their types, keys and brackets in those of structure."""
        for read, by in self._read_parts(span):
            codes, first = self._classifier.codes(read.start, read.end), read.start + by
            for run in RUN.finditer(codes):
                start, end = run.span()
                role = _role(codes[start])
                if role:
                    yield TextTint(Span(first + start, first + end), role)

    def marks(self, span: Span) -> Iterator[TextMark]:
        """What is found in the text that was read, where that stands now; the gravest last."""
        if self._marks is None:
            findings = self.document.findings
            found = ((_beginning(findings.shown(each)), each) for each in findings.known())
            self._marks = [TextMark(place, each.severity, PLACE.sub("", each.message)) for place, each in found]
            self._marks.sort(key=_start)
        typed, most = self._typed, abs(self._growth)
        low = bisect_left(self._marks, span.start - MARKED - most, key=_start)
        high = bisect_left(self._marks, span.end + most + 1, low, key=_start)
        for mark in sorted(self._marks[low:high], key=lambda mark: mark.severity):
            by = self._growth if typed is not None and mark.span.start >= typed.end - self._growth else 0
            moved = mark.span.shifted(by)
            if moved.start <= span.end and moved.end >= span.start:
                yield replace(mark, span=moved)

    def forget_marks(self) -> None:
        """More is known about the bytes."""
        self._marks = None

    def _read_parts(self, span: Span) -> Iterator[tuple[Span, int]]:
        """The parts of a span that were read, in the text as it was then, and how far they moved since."""
        typed = self._typed
        if typed is None:
            yield span, 0
            return
        if span.start < typed.start:
            yield Span(span.start, min(span.end, typed.start)), 0
        if span.end > typed.end:
            yield Span(max(span.start, typed.end) - self._growth, span.end - self._growth), self._growth


def _start(mark: TextMark) -> int:
    return mark.span.start


def _beginning(span: Span) -> Span:
    """A span as far as it is worth a mark: of very many bytes the first ones."""
    return Span(span.start, min(span.end, span.start + MARKED))


@cache
def _role(code: int) -> str:
    """The role of a code in the palette, empty where it is written as any text is."""
    style = STYLES[code]
    if style.role is Role.VALUE:
        return f"kind.{style.group}" if style.group else ""
    return STRUCTURE.get(style.role, "") if style.role is not None else ""
