"""What the doctor says of a mistake in a text, and whether its first repair gives back what was meant."""

from __future__ import annotations

import re

from text.mistake_kinds import MistakeCase, MistakeKind

from viewer.document.doctor import diagnose
from viewer.document.document import Document
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, Value


def judged(kind: MistakeKind, case: MistakeCase) -> tuple[bool, bool, str]:
    """Whether the true cause is told first, whether the first repair gives back what was meant, and what was told."""
    document = Document(case.broken)
    repairs = diagnose(document)
    words = f"{repairs[0].name}: {repairs[0].sentence}" if repairs else "nothing"
    is_cause = bool(re.search(kind.says, words))
    repair = next((each for each in repairs if each.edit is not None), None)
    if repair is None or repair.edit is None:
        return is_cause, False, f"{words} {case.broken!r}"
    before = entries(document)
    document.apply(repair.edit)
    again = Document(bytes(document.to_be_written()[:]))
    found, meant = entries(again), entries(Document(case.sound))
    if kind.is_cut:
        others = sum(meant.get(place) != value for place, value in found.items())
        is_right = others <= 1 and len(before.keys() - found.keys()) <= 1 and len(found) > 0
    else:
        is_right = bool(found) and found == meant
    is_right &= again.text is not None and not again.text.damages
    return is_cause, is_right, f"{words} {case.broken!r}"


def entries(document: Document) -> dict[str, str]:
    """All values without others inside, by their places; nothing of what is no text."""
    out: dict[str, str] = {}
    if document.text is None:
        return out
    for frame in document.frames:
        _collect(read(frame.table, 0), "", document, out)
    return out


def _collect(value: Value, place: str, document: Document, out: dict[str, str]) -> None:
    if isinstance(value.data, Dictionary):
        for key, held in value.data.pairs:
            _collect(held, f"{place}.{key.data}", document, out)
    elif isinstance(value.data, Array):
        for number, held in enumerate(value.data.elements):
            _collect(held, f"{place}[{number}]", document, out)
    else:
        out[place] = format_literal(value, document.dialect)
