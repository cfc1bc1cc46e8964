"""What the dialog for describing bytes offers: how they may be read, and what would become of other files."""

from __future__ import annotations

from itertools import chain, count

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.words import counted
from viewer.document.document import Document
from viewer.document.edits.describing import (
    describable,
    described_field,
    field_place,
    is_read_so,
    own_layout,
    pattern_of,
)
from viewer.document.readers.field_readings import FieldReading, guessed, readings

SHOWN = 12
"""So many bytes are told."""
FEW = 4
"""So many fields are told in a row."""


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """One way to describe bytes.

    Args:
        words: what they are: ``u32``, ``3 fields``.
        text: what they say then.
        note: why that is likely, in a few words.
        fields: each field with the name that it may have.
        is_now: whether the bytes are described so already.
    """

    words: str
    text: str
    note: str
    fields: tuple[tuple[FieldReading, str], ...]
    is_now: bool = False

    @property
    def is_row(self) -> bool:
        """Whether these are several fields."""
        return len(self.fields) > 1

    @property
    def is_mark(self) -> bool:
        """Whether the first field is what every such file begins with."""
        return ("type", "mark") in self.fields[0][0].keys


def field_choices(document: Document, span: Span) -> list[FieldChoice]:
    """All ways to describe some bytes, the likeliest first.

    Raises:
        CannotDescribe: they cannot be described.
    """
    describable(document, span)
    place = field_place(document, span)
    known = described_field(document, span)
    row = guessed(place)
    taken = {piece.name for piece in document.fields}
    found = [_row(row, taken)] if len(row) > 1 and not known else []
    for reading in readings(place):
        is_now = bool(known) and is_read_so(document, reading)
        note = "as it is read now" if is_now else reading.note
        found.append(
            FieldChoice(reading.words, reading.text, note, ((reading, known or _free(reading.name, taken)),), is_now)
        )
    return found


def _free(name: str, taken: set[str]) -> str:
    """A name that no other field has."""
    return next(each for each in chain((name,), (f"{name} {k}" for k in count(2))) if each not in taken)


def _row(row: tuple[FieldReading, ...], taken: set[str]) -> FieldChoice:
    text = ", ".join(reading.text for reading in row[:FEW]) + (" …" if len(row) > FEW else "")
    note = ", ".join(reading.words for reading in row[:FEW]) + (" …" if len(row) > FEW else "")
    taken, fields = set(taken), []
    for reading in row:
        fields.append((reading, _free(reading.name, taken)))
        taken.add(fields[-1][1])
    return FieldChoice(f"{len(row)} fields, a guess", text, note, tuple(fields))


def longest_span(document: Document, span: Span) -> Span:
    """From the first of some bytes on all that can be described together with it.

    Raises:
        CannotDescribe: they cannot be described.
    """
    return Span(span.start, describable(document, span).end)


def consequence(document: Document, choice: FieldChoice) -> str:
    """Which files are read so from then on, in a sentence."""
    structure = document.structure
    behind = choice.fields[0][0].span.start > 0 and document.frames[0].span.end <= choice.fields[0][0].span.start
    where = "after each value where such bytes follow, " if behind else ""
    is_marked = structure is not None and own_layout(document) is not None and _begins_with_mark(document)
    if choice.is_mark or is_marked:
        return f"Read this way from now on, {where}in every file that begins with the same mark."
    pattern = pattern_of(document.name)
    return f"Read this way from now on, {where}in every file called “{pattern}” whose values begin at the same place."


def _begins_with_mark(document: Document) -> bool:
    from viewer.document.readers.layout_folder import layouts

    kind = document.structure.kind if document.structure is not None else ""
    return any(layout.key == kind and bool(layout.mark) for layout in layouts())


def place_words(document: Document, span: Span) -> str:
    """Which bytes these are: ``4 bytes at 0x0C: 03 00 00 00``."""
    raw = bytes(document.buffer[span.start : min(span.end, span.start + SHOWN)])
    shown = raw.hex(" ").upper() + (" …" if len(span) > SHOWN else "")
    return f"{counted(len(span), 'byte')} at 0x{span.start:X}: {shown}"
