"""Trust: how often the best explanation is true, by what it is and by what it leaves unexplained.

Bits tell which of the known explanations is the best one; they do not tell that the true one is among them. Some kinds
of explanation fit bytes that came about otherwise: two rules at once, another type's number before what a type holds.
And what mends one place but leaves others as no engine writes them, or reads a value where bytes are as short to tell,
is seldom what happened.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from viewer.base.span import Span
from viewer.document.doctor.as_is import is_unlike_engines
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import WHOLE, node_bits, raw_bits
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.splice import Splice
from viewer.variant.dialect import HOLDING, Dialect

TWO_RULES = 0.5
"""How often two rules at once are true that explain the bytes best."""
OTHER_TYPE = 0.3
"""How often an encoder took the number of one type for another's, where that type holds no others: that it writes what
the type holds in a way that nobody knows is likelier."""
CHOSEN = 0.8
"""How often a slip in one place is true whose number or place was chosen so that all behind it fits."""
FREE = frozenset(
    {Cause.COUNT_TOO_LARGE, Cause.COUNT_TOO_SMALL, Cause.LENGTH_OFF, Cause.BYTE_LOST, Cause.BYTE_INSERTED}
    | {Cause.PACKETS_MIXED, Cause.PADDING_EXTRA}
)
LEAVES_ODD = 0.2
"""How often a mistake is true that leaves values which no engine writes."""
NO_VALUES, LIKE_BYTES = 0.4, 0.9
"""How often one is true after which what it changed takes so large a share of the bits that plain bytes take."""
MOST_BYTES, MOST_SPLICES = 1 << 16, 1 << 10
"""What a repair leaves is looked at in so few bytes, and where it changes so few places."""


def of_candidate(candidate: Candidate, dialect: Dialect) -> float:
    """How often a candidate is true, 0 to 1, where it explains the bytes best."""
    if not candidate.rules and candidate.cause in FREE:
        return CHOSEN
    if len(candidate.rules) > 1:
        return TWO_RULES
    for rule in candidate.rules:
        for name, value in rule.changes:
            rows = [dialect.row(written) for written, _ in value] if name == "ids" else []
            if any(row is not None and row.kind not in HOLDING for row in rows):
                return OTHER_TYPE
    return 1.0


def of_result(repair: Repair, after: Document) -> float:
    """How often a repair is true, 0 to 1, by the values that come out of it.

    Args:
        repair: what is done.
        after: the document afterwards.
    """
    splices = repair.edit.splices if repair.edit is not None else ()
    if len(after.buffer) > MOST_BYTES or len(splices) > MOST_SPLICES:
        return 1.0
    changed = _changed(splices) or [Span(0, len(after.buffer))]  # all is read in another way
    touched = [k for k, frame in enumerate(after.frames) if _meets(changed, frame.span)]
    if is_unlike_engines(after, touched):
        return LEAVES_ODD
    is_all = sum(len(each.inserted) for each in splices) == len(after.buffer)
    return NO_VALUES if not is_all and _is_like_bytes(changed, after) else 1.0


def _changed(splices: Sequence[Splice]) -> list[Span]:
    """Where bytes are others afterwards; what was taken out counts at what follows it."""
    changed, grown = [], 0
    for each in sorted(splices, key=lambda splice: splice.offset):
        start = each.offset + grown
        changed.append(Span(start, start + max(1, len(each.inserted))))
        grown += each.growth
    return changed


def _meets(changed: Sequence[Span], span: Span) -> bool:
    """Whether some of the changes lie in a stretch."""
    index = bisect_left(changed, span.end, key=lambda each: each.start) - 1
    return index >= 0 and changed[index].end > span.start


def _is_like_bytes(changed: Sequence[Span], after: Document) -> bool:
    """Whether the values that are changed are as long to tell as their bytes."""
    told = plain = 0.0
    for frame in after.frames:
        table = frame.table
        for node in table.nodes if len(table) <= WHOLE and _meets(changed, frame.span) else ():
            own = Span(frame.start + table.start[node], frame.start + table.head_end(node))
            if _meets(changed, own):
                told += node_bits(table, node)
                plain += raw_bits(bytes(after.buffer[own.start : own.end]))
    return told >= LIKE_BYTES * plain > 0
