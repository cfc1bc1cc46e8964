"""Guesses: what bytes that nobody described seem to be, told with a mark and never called damage."""

from __future__ import annotations

from bisect import bisect_left
from weakref import WeakKeyDictionary

from viewer.base.record import dataclass, field
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.describing import CannotDescribe, check_describable, field_place
from viewer.document.pieces.message import FieldRole
from viewer.document.readers.field_readings import FieldReading, guessed

BYTE = 8
"""Bits that a byte takes which nothing explains."""
MOST_LOOKED_AT = 1 << 14
"""Bytes of gaps that are looked at; what a file has more of is not guessed."""
FEW = 8
"""So many guessed fields are told in a sentence."""


@dataclass(slots=True)
class _Guesses:
    """Those of a document as it is at a revision."""

    revision: int = -1
    left: int = 0
    found: dict[Span, tuple[FieldReading, ...]] = field(default_factory=dict)


_kept: WeakKeyDictionary[Document, _Guesses] = WeakKeyDictionary()


def gap_guess(document: Document, span: Span) -> tuple[FieldReading, ...]:
    """The fields that a gap seems to be made of; nothing where that explains no more than the bytes as they are."""
    kept = _kept.setdefault(document, _Guesses())
    if kept.revision != document.revision:
        kept.revision, kept.found = document.revision, {}
        kept.left = MOST_LOOKED_AT if _may_be(document) else 0
    if span not in kept.found and len(span) <= kept.left:
        kept.left -= len(span)
        kept.found[span] = _guess(document, span)
    return kept.found.get(span, ())


def _may_be(document: Document) -> bool:
    try:
        check_describable(document)
    except CannotDescribe:
        return False
    return True


def _guess(document: Document, span: Span) -> tuple[FieldReading, ...]:
    place = bisect_left(document.gaps, span.start, key=lambda gap: gap.start)
    if place == len(document.gaps) or document.gaps[place] != span:
        return ()
    if document.fields and document.fields[place].role is not FieldRole.OPAQUE:
        return ()  # somebody did
    row = guessed(field_place(document, span))
    return row if sum(reading.bits for reading in row) < BYTE * len(span) else ()


def guess_text(row: tuple[FieldReading, ...]) -> str:
    """What guessed fields say, for a row of the tree: ``“SAVE”, 3``."""
    return ", ".join(reading.text for reading in row)


def guess_words(row: tuple[FieldReading, ...]) -> str:
    """What guessed fields are and say: ``perhaps mark “SAVE”, u32 3``."""
    told = ", ".join(f"{reading.words.replace(', ', ' ')} {reading.text}" for reading in row[:FEW])
    return f"perhaps {told}{' …' if len(row) > FEW else ''}"
