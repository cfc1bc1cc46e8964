"""Repairs of a text that values were read from: the mistakes that people make who write one by hand."""

from __future__ import annotations

from viewer.base.unseen import printable
from viewer.container.layer import Damage, SourceText, WrapError
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair import ByteSample, Repair
from viewer.document.doctor.repair_context import WorkBudget
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.edits.text_edit import text_replaced
from viewer.text.mending import TextMend, mends, patched
from viewer.text.patching import common

SURE, LIKELY, LESS = 0.95, 0.8, 0.5
MOST_SHOWN = 24
READING, LEAST_WORK = 1 << 4, 1 << 14
"""Reading a byte of a broken text costs as much as scanning so many, and no text costs less than so much."""
UNREADABLE = 1 << 10
"""So many mistakes has a text of which nothing can be read."""


def text_repairs(document: Document, text: SourceText, meter: WorkBudget) -> list[Repair]:
    """What would mend the text of a document, the best first, as far as it is found with some work.

    Raises:
        GivenUp: nobody wants more.
    """
    codec = document.wraps.around[-1].codec

    def read(other: bytes) -> tuple[list[Damage], int]:
        meter.charge(LEAST_WORK + READING * len(other))
        if meter.spent:
            return list(text.damages[:1]) * UNREADABLE, 0
        try:
            found = codec.unwrap(other)
        except WrapError:
            return list(text.damages[:1]) * UNREADABLE, 0
        notes = found.form.notes if isinstance(found.form, SourceText) else ()
        return [*found.damages, *notes[len(text.notes) :]], len(found.inside)

    out = []
    for number, mend in enumerate(mends(text.outside, text.damages, read)):
        if mend.left >= UNREADABLE:
            continue  # it was not seen to the end
        confidence = (LESS if mend.left else SURE) if number == 0 else LIKELY * LESS**number
        try:
            out.append(_repair(document, text, mend, confidence))
        except EditError:
            continue
    return sorted(out, key=lambda repair: -repair.confidence)


def _repair(document: Document, text: SourceText, mend: TextMend, confidence: float) -> Repair:
    edit = text_replaced(document, mend.patches, mend.sentence)
    span = mend.patches[0][0]
    before, after = _samples(text.outside, patched(text.outside, mend.patches))
    line, column = text.line_and_column(span.start)
    place = f"line {line}"
    left = "nothing is wrong then." if not mend.left else f"{mend.left} more are left then."
    return Repair(
        Cause.TEXT_MISTAKE,
        f"{mend.sentence}.",
        f"In line {line}, column {column}: {left}",
        confidence,
        edit,
        None,
        "",
        ByteSample(span.start, before, place),
        ByteSample(span.start, after, place),
        mend.name,
    )


def _samples(old: bytes, new: bytes) -> tuple[str, str]:
    """The first line that changes, before and after, as far as it is worth showing."""
    at = common(old, 0, len(old), new, 0, len(new))
    low = max(old.rfind(b"\n", 0, at) + 1, at - MOST_SHOWN)
    return _shown(old, low, at), _shown(new, low, at)


def _shown(text: bytes, low: int, at: int) -> str:
    """A line from a byte to its end, or not far behind where it changes."""
    end = text.find(b"\n", at)
    end = len(text) if end < 0 else end
    line = printable(text[low : min(end, at + 2 * MOST_SHOWN)].decode("utf-8", "replace").strip())
    return f"{line}…" if end > at + 2 * MOST_SHOWN else line
