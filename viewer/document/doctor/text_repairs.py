"""Repairs of a text that values were read from: the mistakes that people make who write one by hand."""

from __future__ import annotations

from viewer.container.layer import Damage, SourceText, WrapError
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair import ByteSample, Repair
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.edits.text_edit import text_replaced
from viewer.text.mending import TextMend, mends

SURE, LIKELY, LESS = 0.95, 0.8, 0.5
MOST_SHOWN = 24
UNREADABLE = 1 << 10
"""So many mistakes has a text of which nothing can be read."""


def text_repairs(document: Document, text: SourceText) -> list[Repair]:
    """What would mend the text of a document, the best first."""
    codec = document.wraps.around[-1].codec

    def read(other: bytes) -> tuple[list[Damage], int]:
        try:
            found = codec.unwrap(other)
        except WrapError:
            return list(text.damages[:1]) * UNREADABLE, 0
        notes = found.form.notes if isinstance(found.form, SourceText) else ()
        return [*found.damages, *notes[len(text.notes) :]], len(found.inside)

    out = []
    for number, mend in enumerate(mends(text.outside, text.damages, read)):
        confidence = (LESS if mend.left else SURE) if number == 0 else LIKELY * LESS**number
        try:
            out.append(_repair(document, text, mend, confidence))
        except EditError:
            continue
    return sorted(out, key=lambda repair: -repair.confidence)


def _repair(document: Document, text: SourceText, mend: TextMend, confidence: float) -> Repair:
    edit = text_replaced(document, mend.patches, mend.sentence)
    span, fresh = mend.patches[0]
    start = max(0, span.start - 4)
    before = text.outside[start : min(span.end + 4, start + MOST_SHOWN)]
    after = (text.outside[start : span.start] + fresh + text.outside[span.end : span.end + 4])[:MOST_SHOWN]
    line, column = text.line_and_column(span.start)
    left = "nothing is wrong then." if not mend.left else f"{mend.left} more are left then."
    return Repair(
        Cause.TEXT_MISTAKE,
        f"{mend.sentence}.",
        f"In line {line}, column {column}: {left}",
        confidence,
        edit,
        None,
        "",
        ByteSample(start, before.hex(" ")),
        ByteSample(start, after.hex(" ")),
        mend.name,
    )
