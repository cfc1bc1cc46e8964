"""Overwritten: stretches of another nature that took the place of what was there, told by what they are.

Addresses of memory, lines of text, one byte again and again, where reading breaks. What was there cannot be known;
where it began and ended can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from viewer.base.diagnostic import Severity, count_bytes
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import WHOLE, Memory, raw_bits, text_bits, told_nodes
from viewer.document.doctor.machine_damage import (
    OTHER_COPY,
    PRIOR,
    RUN_BITS,
    SIGN_TRUE,
    DamageSign,
    machine_damage,
    reals_in,
)
from viewer.document.document import Document
from viewer.variant.dialect import Kind
from viewer.variant.evidence import has_words
from viewer.variant.table import NONE

POINTERS = re.compile(rb"(?:[\0\x08\x10\x18\x20-\xff]...[^\0][\x55\x56\x7f]\0\0){1,64}", re.DOTALL)
"""Addresses of memory, as programs on most systems have them: 48 bits, the highest of them usual ones."""
POINTER, POINTER_BITS, LEAST_SURE = 8, 30.0, 2
"""Bytes of an address; the bits that each saves, for no other number looks so; so many are no numbers of a game."""
USED_AGAIN = (
    "Look for a buffer that is used again, or freed, while it is still being sent or written; and for another copy of "
    "the file, such as a backup."
)
FILL = re.compile(rb"([\x01-\xfe])\1{63,}", re.DOTALL)
TEXT = re.compile(rb"(?<![\t\r\n\x20-\x7e])[\t\r\n\x20-\x7e]{15,}\n")
TEXT_BITS, TEXT_PRIOR, TEXT_TRUE = 0.5, 14.0, 0.5
"""What each sign of a line saves, beside what it takes to say that there is one; and how often it took the place of
values: it may stand between them as well, or be a game's own."""
NEAR, MOST_PLACES, MOST_FOUND = 24, 256, 16
"""So near to where reading breaks a stretch lies; so many such places, and stretches, are looked at."""
STRETCH = 24.0
"""Bits: that a stretch was overwritten with something known, and where it begins and ends."""
FILL_BITS, ADDRESS_BITS = 12.0, 40.0
"""The bits of a run of one byte, and of each address."""
SHOWN = 40
FRAMES = 64
SECTOR = 512
"""Bytes of what is a sign of damage even where no value that is read holds words."""


def damage_signs(document: Document, data: bytes) -> list[DamageSign]:
    """All signs of damage in bytes that do not read, of which each explains them better than nothing does."""
    some = [*machine_damage(data, reals_in(document)), *_overwritten(data, _places(document))]
    if not any(has_words(frame.table) for frame in islice(document.frames, FRAMES)):  # of any file parts are blank
        some = [sign for sign in some if sign.span is None or len(sign.span) >= SECTOR]
    found = [sign for sign in some if sign.bits < 0 and not _is_no_damage(document, sign.span)]
    return [replace(sign, bits=min(sign.bits, _gained(document, data, sign.span))) for sign in found]


def _gained(document: Document, data: bytes, span: Span | None) -> float:
    """What it takes to tell a stretch as what it is, beside the bits that tell it as the document shows it."""
    if span is None:
        return 0.0
    raw = data[span.start : span.end]
    own = FILL_BITS if len(set(raw)) == 1 else text_bits(raw) if raw.isascii() else ADDRESS_BITS * len(raw) / POINTER
    shown = 0.0
    for frame in document.frames:
        if frame.start >= span.end or frame.span.end <= span.start or len(frame.table) > WHOLE:
            continue
        for node, told in told_nodes(frame.table, Memory()):
            start, end = frame.start + frame.table.start[node], frame.start + frame.table.head_end(node)
            shown += told if start < span.end and end > span.start else 0.0
    within = (data[max(gap.start, span.start) : min(gap.end, span.end)] for gap in _gaps(document))
    return STRETCH + own - shown - sum(map(raw_bits, within))


def _gaps(document: Document) -> list[Span]:
    """The bytes that no value claims."""
    found = [*document.gaps, *(frame.gap for frame in document.frames if frame.gap is not None)]
    for frame in islice(document.frames, FRAMES):
        found += [gap.span.shifted(frame.start) for gap in frame.table.gaps]
    return found


def _places(document: Document) -> list[int]:
    """Where reading breaks: at findings, in gaps, and at the ends of those."""
    found: list[int] = []
    for frame in islice(document.frames, FRAMES):
        errors = (each for each in frame.table.diagnostics if each.severity is Severity.ERROR)
        found += [frame.start + each.span.start for each in errors]
    found += [at for gap in _gaps(document) for at in (gap.start, gap.end)]
    return sorted(set(found))[:MOST_PLACES]


def _is_no_damage(document: Document, span: Span | None) -> bool:
    """Whether a stretch is all that follows a sound value in its frame, or lies in an array that reads well."""
    if span is None:
        return False
    for frame in islice(document.frames, FRAMES):
        table, end = frame.table, frame.start + frame.table.end_of_data
        if frame.sound and end <= span.start + 3 and span.end >= frame.cut.payload.end > end:
            return True
        node = table.at(span.start - frame.start) if frame.start <= span.start < end else NONE
        row = table.row(node) if node not in (0, NONE) else None
        if row is not None and row.kind is Kind.PACKED and span.end <= frame.start + table.head_end(node):
            return all(found.node != node for found in table.diagnostics)
    return False


def _overwritten(data: bytes, places: list[int]) -> Iterator[DamageSign]:
    for found in islice(POINTERS.finditer(data), MOST_FOUND):
        count = (found.end() - found.start()) // POINTER
        if _is_near(found, places):
            are = "is an address" if count == 1 else f"are {count} addresses"
            reason = f"The {count_bytes(POINTER * count)} from 0x{found.start():X} on {are} of a program's memory."
            sure = count >= LEAST_SURE
            yield replace(_sign(found, reason, PRIOR - POINTER_BITS * count, is_sure=sure), note=USED_AGAIN)
    for found in islice(FILL.finditer(data), MOST_FOUND):
        size = found.end() - found.start()
        if _is_near(found, places):
            reason = f"The {count_bytes(size)} from 0x{found.start():X} on are all {found[1].hex().upper()}."
            yield _sign(found, reason, PRIOR - RUN_BITS * size)
    for found in islice(TEXT.finditer(data), MOST_FOUND):
        if found.start() > 0 and found.end() < len(data) and _is_near(found, places):
            size, shown = found.end() - found.start(), found[0].decode("ascii").strip().split("\n")[0].strip()
            shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
            reason = f"The {count_bytes(size)} from 0x{found.start():X} on are text, “{shown}”, where values should be."
            yield _sign(found, reason, TEXT_PRIOR - TEXT_BITS * size, TEXT_TRUE)


def _is_near(found: re.Match[bytes], places: list[int]) -> bool:
    return any(found.start() - NEAR <= place <= found.end() + NEAR for place in (0, *places))


def _sign(
    found: re.Match[bytes], reason: str, bits: float, true: float = SIGN_TRUE, is_sure: bool = False
) -> DamageSign:
    return DamageSign(Cause.OVERWRITTEN, reason, bits, OTHER_COPY, true, Span(*found.span()), is_sure)
