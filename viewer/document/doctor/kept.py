"""Kept: how many of the values that can be read now would still be there after a repair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from viewer.diagnostic import Severity
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.framing import Frame
from viewer.variant.table import NodeTable

DOUBTFUL = 0.1
"""No repair is believed more than this that costs a value, or where every value can be read as it is."""
MOST_COUNTED = 1 << 22
"""Of longer documents the rows of the tables are counted, which is at once; some of them may be reserved."""


def reads_whole(document: Document) -> bool:
    """Whether every frame decodes up to its last byte, and its length prefix is true: a game may have stored them so.

    Bytes between the frames may be fields that the game wrote itself.
    """
    return bool(document.frames) and all(_decodes(document, frame) for frame in document.frames)


def _decodes(document: Document, frame: Frame) -> bool:
    return frame.sound and frame.gap is None and frame.prefix_is_true(document.buffer, document.framing)


def values_read(document: Document) -> int:
    """How many values can be read without a fault; what is only guessed behind an error is none of them."""
    exactly = len(document.buffer) <= MOST_COUNTED
    return sum(_values(frame.table, exactly) for frame in document.frames)


def _values(table: NodeTable, exactly: bool) -> int:
    wrong = [each.span.start for each in table.diagnostics if each.severity is Severity.ERROR]
    if not wrong and not exactly:
        return len(table)
    end = min(wrong, default=table.end_of_data)
    start = table.start
    return sum(start[node] < end for node in table.nodes if not _is_guessed(table, start[node]))


def _is_guessed(table: NodeTable, at: int) -> bool:
    return table.guess is not None and at >= table.guess


def cautious(document: Document, repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """The same repairs, those that may do harm believed little and behind the others; no other change of order."""
    if not any(repair.can_be_applied and repair.confidence > DOUBTFUL for repair in repairs):
        return tuple(repairs)
    whole, now = reads_whole(document), values_read(document)
    judged = [_judged(document, repair, whole, now) for repair in repairs]
    notes = [repair for repair in judged if not repair.can_be_applied]
    deeds = [repair for repair in judged if repair.can_be_applied]
    return (*sorted(deeds, key=lambda repair: -repair.confidence), *notes)


def _judged(document: Document, repair: Repair, whole: bool, now: int) -> Repair:
    if not repair.can_be_applied or repair.confidence <= DOUBTFUL:
        return repair
    if repair.choice is not None and repair.choice.opening.codecs:
        return repair  # a wrap is taken off: what is read now is its bytes
    if whole or values_read(preview(document, repair)) < now:
        return replace(repair, confidence=DOUBTFUL)
    return repair
