"""Repairs of a text that values were read from: the mistakes that people make who write one by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.container.layer import Damage, SourceText, WrapError
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair import ByteSample, Repair
from viewer.document.doctor.repair_context import WorkBudget
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_replaced
from viewer.document.edits.slots import EditError
from viewer.document.splice import Edit, Splice
from viewer.text.broken_text import ENTRY, TextCodec, is_of_others, is_toml
from viewer.text.dropped_keys import NULL
from viewer.text.engine_codec import CONFIGS, RESOURCES
from viewer.text.engine_values import ENGINES_OWN
from viewer.text.json_codec import JSON
from viewer.text.mend_shares import SHARES, SOME_LEFT, likelihood
from viewer.text.mending import MOST_BYTES, TextMend, difference, mends
from viewer.text.patching import common, patched
from viewer.text.text_wrap import ReadText
from viewer.text.whole_mends import is_wide, steps_back

SURE = 0.95
MOST_SHOWN = 24
READING, LEAST_WORK = 1 << 4, 1 << 14
"""Reading a byte of a broken text costs as much as scanning so many, and no text costs less than so much."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_RESOURCE_SIGN = re.compile(rb"\A\W{0,3}gd_(?:resource|scene)\b")
_CONFIG_SIGN = re.compile(rb"^\[[\w/ .:@-]+\]?[\t ]*\r?$", re.MULTILINE)
_SECTION_SIGN = re.compile(rb"\s*\[{1,2}[A-Za-z_][\w/ .:@-]*\]{0,2}\s*\n")
UNREADABLE = 1 << 10
"""So many mistakes has a text of which nothing can be read."""


def text_repairs(document: Document, text: SourceText, meter: WorkBudget) -> list[Repair]:
    """What would mend the text of a document, the best first, as far as it is found with some work.

    Raises:
        GivenUp: nobody wants more.
    """
    codec = document.wraps.around[-1].codec
    is_config = codec.name == CONFIGS.name or (codec.name == JSON.name and _SECTION_SIGN.match(text.outside))
    if is_toml(text.outside) or (is_config and is_of_others(text.outside)):
        return []

    def read(other: bytes) -> tuple[list[Damage], int]:
        meter.charge(LEAST_WORK + READING * len(other))
        if meter.spent:
            return list(wrong[:1]) * UNREADABLE, 0
        try:
            found = codec.unwrap(other)
        except WrapError:
            return list(wrong[:1]) * UNREADABLE, 0
        if not isinstance(found.form, SourceText):
            return list(found.damages), len(found.inside)
        told = [*_wrong(found.form), *_crowded(text.outside, found.form), *_odd(found.form)[len(_odd(text)) :]]
        return told, len(found.inside)

    wrong, out = _wrong(text), []
    found = mends(text.outside, wrong, read, text.dialect == "json")
    found = [mend for mend in found if mend.left < UNREADABLE]  # the others were not seen to the end
    for number, mend in enumerate(found):
        assert found[0].form is not None
        confidence = likelihood(found[0].form, number)
        try:
            out.append(_repair(document, text, mend, confidence))
        except EditError:
            continue
    return sorted(out, key=lambda repair: -repair.confidence)


def lost_text_repairs(document: Document, meter: WorkBudget) -> list[Repair]:
    """What would make a text of bytes in which none was found, because of what it went through as a whole.

    Raises:
        GivenUp: nobody wants more.
    """
    raw = bytes(document.buffer[: MOST_BYTES + 1])
    if len(raw) > MOST_BYTES or (_CONTROLS.search(raw.rstrip(b"\0\x1a")) and not is_wide(raw)):
        return []
    if is_toml(raw):
        return []
    out = []
    for name, sentence, before in steps_back(raw):
        meter.charge(LEAST_WORK + READING * len(before))
        for codec in (RESOURCES, JSON, CONFIGS):
            if not codec.probe(before) or (codec is CONFIGS and (is_of_others(before) or not ENTRY.search(before))):
                continue  # settings without a key are what is left of any text
            out.append(_lost_repair(raw, *_rest_mended(before, sentence, codec, meter), name, codec))
            break
        if meter.spent or (out and out[-1].confidence >= SURE):
            break
    return sorted(out, key=lambda repair: -repair.confidence) or ([] if is_wide(raw) else _mended_at_all(raw, meter))


def _rest_mended(before: bytes, sentence: str, codec: TextCodec, meter: WorkBudget) -> tuple[bytes, str]:
    """A text as it was before it went through something, and what happened, with the mistakes mended that are left."""
    read = _reader(before, codec, meter)
    damages, _ = read(before)
    best = next(iter(mends(before, damages, read, codec is JSON)), None) if damages else None
    if best is None or best.left:
        return before, sentence
    return patched(before, best.patches), f"{sentence}. {best.sentence}"


def _lost_repair(raw: bytes, after: bytes, sentence: str, name: str, codec: TextCodec) -> Repair:
    """What makes a text of bytes that are none as they are."""
    form = codec.unwrap(after).form
    assert isinstance(form, SourceText)
    patch, fresh = difference(raw, after)
    edit = Edit(sentence, (Splice(patch.start, raw[patch.start : patch.end], fresh),))
    old, new = _samples(raw, after)
    left = len(_wrong(form))
    return Repair(
        Cause.TEXT_MISTAKE,
        f"{sentence}.",
        f"Without that it is {form.label}{f' with {left} mistakes' if left else ''}.",
        SHARES[SOME_LEFT] if left else SURE,
        edit,
        None,
        "Then save it and open it again: its values are shown.",
        ByteSample(patch.start, old),
        ByteSample(patch.start, new),
        name,
    )


def _mended_at_all(raw: bytes, meter: WorkBudget) -> list[Repair]:
    """What makes a sound text of one with so many mistakes that nothing else knows it."""
    codec = RESOURCES if _RESOURCE_SIGN.search(raw) else JSON if raw.lstrip()[:1] in (b"{", b"[") else CONFIGS
    if codec is CONFIGS and not _CONFIG_SIGN.search(raw):
        return []
    if codec is JSON and _SECTION_SIGN.match(raw):
        codec = CONFIGS
    if codec is CONFIGS and is_of_others(raw):
        return []

    read = _reader(raw, codec, meter)
    out = []
    for mend in mends(raw, read(raw)[0], read, codec is JSON)[:1]:
        after = patched(raw, mend.patches)
        if mend.left or not codec.probe(after):
            continue
        out.append(_lost_repair(raw, after, mend.sentence, mend.name, codec))
    return out


def _reader(raw: bytes, codec: TextCodec, meter: WorkBudget) -> Callable[[bytes], tuple[Sequence[Damage], int]]:
    """What tells what is wrong with other texts than this one."""

    def read(other: bytes) -> tuple[Sequence[Damage], int]:
        meter.charge(LEAST_WORK + READING * len(other))
        try:
            found = codec.unwrap(other) if not meter.spent else None
        except WrapError:
            found = None
        if found is None:
            return [Damage(Span(0, len(other)), "")] * UNREADABLE, 0
        if not isinstance(found.form, SourceText):
            return found.damages, len(found.inside)
        return [*_wrong(found.form), *_crowded(raw, found.form)], len(found.inside)

    return read


def _crowded(before: bytes, text: SourceText) -> list[Damage]:
    """What stands in one line behind something else, where a text was changed."""
    if not isinstance(text, ReadText) or text.comment != b";" or before == text.outside:
        return []
    patch, fresh = difference(before, text.outside)
    span = text.crowded(patch.start, patch.start + len(fresh))
    return [] if span is None else [Damage(span, "Another key or section begins on the same line.")]


def _odd(text: SourceText) -> list[Damage]:
    """What is worth knowing and may come of a mistake; a null is mostly one that was there."""
    return [each for each in text.notes if not each.sentence.endswith(NULL)]


def _wrong(text: SourceText) -> list[Damage]:
    """What engines refuse or take otherwise than it is meant, in order, unless they wrote it so themselves."""
    slips = (each for each in text.slips if not each.sentence.endswith(ENGINES_OWN))
    return sorted((*text.damages, *slips), key=lambda each: each.span.start)


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
