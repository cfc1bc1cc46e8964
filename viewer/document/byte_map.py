"""The byte map: what every byte of a document is for, and its status. Its runs tile the bytes.

What a byte is for is what the hex view paints (:class:`viewer.document.byte_classifier.ByteClassifier`); its status
comes from the findings. Nothing is kept but the places of the findings, so that the map of a large file costs little
until its runs are asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import IntEnum

from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.words import grouped
from viewer.document import outline
from viewer.document.byte_classifier import ByteClassifier as Codes
from viewer.document.document import Document
from viewer.variant.items import Item
from viewer.variant.tints import GAP, STYLES, Style

WINDOW = 1 << 16
PAGE = 1 << 12
"""Owners are looked up for so many bytes at least: one row after another is asked for, and one value may hold all."""
_RUN = re.compile(rb"(.)\1*", re.DOTALL)


class ByteStatus(IntEnum):
    """How it stands with a byte, worse from one to the next."""

    FINE = 0
    ODD = 1
    GUESSED = 2
    REFUSED = 3
    UNEXPLAINED = 4

    @property
    def label(self) -> str:
        """What a person reads."""
        return _LABELS[self]


_LABELS = {
    ByteStatus.FINE: "fine",
    ByteStatus.ODD: "accepted, with a warning",
    ByteStatus.GUESSED: "after an error: shown as a guess",
    ByteStatus.REFUSED: "refused",
    ByteStatus.UNEXPLAINED: "unexplained",
}
NOT_BYTES = frozenset(
    {Code.TRAILING_BYTES, Code.FOREIGN_BYTES, Code.SKIPPED_BYTES, Code.EMBEDDED_OBJECT, Code.EMBEDDED_SCRIPT}
)
"""Findings that speak of bytes which a gap stands for, or which are fine as they are."""
_STEP = len(STYLES)


@dataclass(frozen=True, slots=True)
class StatusRun:
    """Bytes of one kind that stand alike.

    Args:
        span: where, in the layer.
        style: what they are for.
        standing: how it stands with them.
    """

    span: Span
    style: Style
    standing: ByteStatus

    @property
    def owner(self) -> str:
        """What they are for, in a word or two: ``header``, ``text value``, ``gap``."""
        if self.style.role is None:
            return "bytes"
        return self.style.role.value if self.style.group is None else f"{self.style.group} {self.style.role.value}"


class ByteMap:
    """What the bytes of a document are, as it is now; of a text those of the text.

    Args:
        document: whose bytes.
        codes: what tells their owners; one that is kept elsewhere saves work.
        findings: what is wrong with them, where not all of them are asked about; else it is looked for in all.
    """

    def __init__(
        self, document: Document, codes: Codes | None = None, findings: Iterable[Diagnostic] | None = None
    ) -> None:
        self.document = document
        self._codes = codes or Codes(document)
        self._marks = _merged(_marks(document, document.findings.all() if findings is None else findings))
        if document.text is not None:
            self._marks = _merged((damage.span, ByteStatus.REFUSED) for damage in document.text.damages)
        self._starts = [span.start for span, _ in self._marks]

    @property
    def explained(self) -> float:
        """Share of the bytes that are explained, 0 to 1: the document's own."""
        return self.document.explained

    @property
    def totals(self) -> dict[ByteStatus, int]:
        """How many bytes stand in each way; together they are all bytes."""
        out = dict.fromkeys(ByteStatus, 0)
        for window in self._windows(0, len(self.document.shown)):
            stood = window[1].translate(_STANDINGS)
            for standing in ByteStatus:
                out[standing] += stood.count(standing)
        return out

    def runs(self, start: int = 0, end: int | None = None) -> Iterator[StatusRun]:
        """The runs of ``[start, end)`` in order; they tile it."""
        size = len(self.document.shown)
        held: tuple[int, int, int] | None = None
        for at, codes in self._windows(start, size if end is None else min(end, size)):
            for found in _RUN.finditer(codes):
                code, begin, stop = codes[found.start()], at + found.start(), at + found.end()
                if held is not None and held[2] == code:
                    held = held[0], stop, code
                    continue
                if held is not None:
                    yield _run(*held)
                held = begin, stop, code
        if held is not None:
            yield _run(*held)

    def at(self, offset: int) -> StatusRun:
        """The byte at *offset* by itself."""
        return next(self.runs(offset, offset + 1))

    def owner(self, offset: int) -> Item | None:
        """The item that owns a byte."""
        return outline.item_at(self.document, offset)

    def _windows(self, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Offsets, each with a code a byte: its style, and its standing times the number of styles."""
        for at in range(start, end, WINDOW):
            stop = min(at + WINDOW, end)
            styles = self._styles(at, stop)
            out = bytearray(styles)
            for k in range(max(0, bisect_right(self._starts, at) - 1), len(self._marks)):
                span, standing = self._marks[k]
                if span.start >= stop:
                    break
                low, high = max(span.start, at) - at, min(span.end, stop) - at
                if low < high:
                    out[low:high] = styles[low:high].translate(_MARKED[standing])
            yield at, bytes(out).translate(_MARKED_GAPS)

    def _styles(self, start: int, end: int) -> bytes:
        """What the bytes of ``[start, end)`` are for; the codes of the page they lie in are kept for the next ones."""
        base = start - start % PAGE
        if end > base + PAGE:
            return self._codes.codes(start, end)
        page = self._codes.codes(base, min(base + PAGE, len(self.document.shown)))
        return page[start - base : end - base]


def account(document: Document) -> ByteMap:
    """The account of a document's bytes."""
    return ByteMap(document)


def _run(start: int, end: int, code: int) -> StatusRun:
    return StatusRun(Span(start, end), STYLES[code % _STEP], ByteStatus(code // _STEP))


def _marks(document: Document, findings: Iterable[Diagnostic]) -> Iterator[tuple[Span, ByteStatus]]:
    """Bytes that are not simply fine; they may overlap."""
    for frame in document.frames:
        for span in frame.guessed:
            yield span, ByteStatus.GUESSED
    for found in findings:
        if found.code in NOT_BYTES or found.severity is Severity.NOTE:
            continue
        yield found.span, ByteStatus.REFUSED if found.severity is Severity.ERROR else ByteStatus.ODD


def _merged(marks: Iterable[tuple[Span, ByteStatus]]) -> list[tuple[Span, ByteStatus]]:
    """Marks that do not overlap, in order: each byte has the worst of its own."""
    edges: list[tuple[int, int, int]] = []
    for span, standing in marks:
        if len(span):
            edges += ((span.start, 1, standing), (span.end, -1, standing))
    edges.sort()
    open_marks = [0] * len(ByteStatus)
    out: list[tuple[Span, ByteStatus]] = []
    last = 0
    for at, step, number in edges:
        worst = max((k for k, count in enumerate(open_marks) if count), default=0)
        if worst and at > last:
            out.append((Span(last, at), ByteStatus(worst)))
        open_marks[number] += step
        last = at
    return out


_STANDINGS = bytes(min(code // _STEP, max(ByteStatus)) for code in range(256))
_MARKED = {
    standing: bytes((code + standing * _STEP) % 256 if code < _STEP else code for code in range(256))
    for standing in ByteStatus
}
_MARKED_GAPS = bytes(GAP + ByteStatus.UNEXPLAINED * _STEP if code % _STEP == GAP else code for code in range(256))


# How it stands with the bytes of a document, in a few lines.

MOST = 1 << 20
"""Larger documents are not summed up while a person waits for a tooltip."""


def standing_lines(document: Document) -> list[str]:
    """How many bytes stand in each way, a line each; nothing where that takes too long or is not known yet."""
    if document.task is not None or len(document.buffer) > MOST:
        return []
    totals = account(document).totals
    return [f"{grouped(count)} {standing.label}" for standing, count in totals.items() if count]
