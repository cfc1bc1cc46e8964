"""Trust: how often the best explanation is true, by what it rests on and by the values that come out of it.

Bits tell which of the known explanations is the best one; they do not tell that the true one is among them. How often
it is true was learned with the truth left out: damage of which the doctor was not allowed to name the cause, or to
bring back the bytes, beside damage that it knows. What then fits by chance changes few values, and leaves them long to
tell; it has a number free that was chosen so that the rest fits, or two rules where one would do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import exp, log, log2

from viewer.base.span import Span
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import WHOLE, Memory, raw_bits, told_nodes
from viewer.document.doctor.encoder_rule import EncoderRule
from viewer.document.doctor.repair import Repair, Support
from viewer.document.doctor.wire_format import ORDERS, SAY_NOTHING
from viewer.document.document import Document
from viewer.document.splice import Splice
from viewer.variant.dialect import HOLDING, Dialect

OTHER_TYPE = 0.3
"""How often an encoder took the number of one type for another's, where that type holds no others: that it writes what
the type holds in a way that nobody knows is likelier."""
NEWLY_KNOWN = 0.96
"""How often what was met in few kinds of damage is true, and was never wrong where it was measured."""
NEW_CAUSES = frozenset({Cause.MASKED, Cause.WORD_DOUBLED, Cause.MERGE_MARKERS, Cause.FILL_INSIDE, Cause.PIECES_SHORT})
SILENT = SAY_NOTHING | (ORDERS.keys() - {"big", "little"})
CHOSEN, FEW_NULLS = 0.6, 3
"""How often counts may have been anything, and so few nulls were left out: they are chosen so that the rest fits."""
CONTRARY, MOST_CONTRARY = 0.3, 2
"""How often a rule is true against which so many times as many places speak as for it."""
NO_VALUES = 0.4
"""How often bytes are read rightly in another way where values take so large a share of the bits that bytes take:"""
LIKE_BYTES = 0.9
FREE = frozenset(
    {Cause.COUNT_TOO_LARGE, Cause.COUNT_TOO_SMALL, Cause.LENGTH_OFF, Cause.BYTE_LOST, Cause.BYTE_INSERTED}
    | {Cause.PACKETS_MIXED, Cause.PADDING_EXTRA}
)
"""A slip in one place whose number or place was chosen so that all behind it fits."""
BESIDE = frozenset({Cause.BYTES_BEHIND, Cause.PACKETS_MIXED, Cause.PACKET_HEADER}) | frozenset(
    cause for cause in Cause if cause.slug.startswith("prefix-")
)
"""A slip beside the values: it tells nothing of them."""
RULE, RULE_TOLD, RULE_ODD, RULE_SECOND, RULE_PLACES, RULE_GAINED = 3.5, -0.8, -1.3, -4.5, 0.37, 0.3
"""The log-odds of a rule, and what changes them: values that are long to tell, what no engine writes, a second rule;
how often it doubles the places where it shows, and what it saves in each."""
SLIP, SLIP_TOLD, SLIP_LONG, SLIP_ODD, SLIP_LOSES, SLIP_GAINED = 3.0, -4.4, -2.5, -2.5, -1.6, 0.1
SLIP_FREE, SLIP_BESIDE, SLIP_OF_ALL = -2.3, -0.9, 1.5
"""The same of a slip: the values that it changes, and all of them; values that are lost; its kind."""
USUAL_TOLD, USUAL_LONG = 0.4, 0.5
"""What share of the bits that bytes take the values of games take at most."""
USUAL_BITS, MOST_DOUBLED = 4.0, 3.0
"""What an explanation saves counts by how often it doubles so many bits, two to the power of this, and no further."""
FIRST_RULE, FIRST_RULE_SHARE, FIRST_RULE_TRUST = -0.11, 1.20, 0.32
"""The log-odds of the best explanation, where it is a rule, and how much of those of its share and its trust count."""
FIRST_SLIP, FIRST_SLIP_SHARE, FIRST_SLIP_TRUST, FIRST_SLIP_OTHERS = -0.47, 0.52, 0.63, -0.22
"""The same of a slip, which is true less often the more others were found as well, counted in doublings. All of them
were fitted to the corpus and to what strangers wrote down and is not held back, each kind once; what is published was
fitted without the kind that is judged."""
USUAL_OTHERS, HIGHEST, LOWEST = 2.0, 0.98, 0.003
MOST_BYTES, MOST_SPLICES, MOST_FRAMES, MOST_LINTED = 1 << 16, 1 << 10, 64, 8
"""What a repair leaves is looked at in so few bytes, and where it changes so few places."""


def of_candidate(candidate: Candidate, dialect: Dialect) -> float:
    """How often a candidate is true, 0 to 1, for what it says of types, and against what stands there."""
    if candidate.otherwise > MOST_CONTRARY * candidate.places:
        return CONTRARY
    known = NEWLY_KNOWN if candidate.cause in NEW_CAUSES or any(map(_is_new, candidate.rules)) else 1.0
    for rule in candidate.rules:
        for name, value in rule.changes:
            rows = [dialect.row(written) for written, _ in value] if name == "ids" else []
            if any(row is not None and row.kind not in HOLDING for row in rows):
                return OTHER_TYPE
            if value == "anything" or (value == "absent" and candidate.places < FEW_NULLS):
                return CHOSEN
    return known


def _is_new(rule: EncoderRule) -> bool:
    """Whether a rule is about the order of what stands there, or leaves it open."""
    return any(name == "pair_order" or value in SILENT for name, value in rule.changes)


def of_result(repair: Repair, after: Document, loses: int = 0) -> float:
    """How often a repair is true, 0 to 1, by what it rests on and by the values that come out of it.

    Args:
        repair: what is done.
        after: the document afterwards.
        loses: how many values that are read now are not there then.
    """
    support = repair.support
    if support is None:
        return 1.0
    splices = repair.edit.splices if repair.edit is not None else ()
    if len(after.buffer) > MOST_BYTES or len(splices) > MOST_SPLICES:
        return _share(_log_odds(repair, support, loses))
    changed = _changed(splices) or [Span(0, len(after.buffer))]  # all is read in another way
    told = _Told(changed, after, Memory() if splices else None)
    is_odd = any(True for index in range(len(after.frames))[:MOST_LINTED] for _ in after.findings.lints(index))
    odds = _log_odds(repair, support, loses)
    if support.rules:
        odds += RULE_TOLD * max(0.0, told.changed - USUAL_TOLD) + RULE_ODD * is_odd
        return _share(odds)
    odds += SLIP_TOLD * max(0.0, told.changed - USUAL_TOLD) + SLIP_LONG * max(0.0, told.all - USUAL_LONG)
    is_of_all = bool(splices) and sum(len(each.inserted) for each in splices) == len(after.buffer)
    odds += SLIP_ODD * is_odd + SLIP_OF_ALL * is_of_all
    return _share(odds) * (NO_VALUES if not splices and told.changed >= LIKE_BYTES else 1.0)


def of_first(support: Support, trust: float) -> float:
    """How often the best explanation is true, 0 to 1, by what speaks for it and what else was found.

    Args:
        support: what it rests on.
        trust: what :func:`of_result` says of it.
    """
    share, own = _logit(min(support.share, HIGHEST)), _logit(trust)
    if support.rules:
        return min(HIGHEST, _share(FIRST_RULE + FIRST_RULE_SHARE * share + FIRST_RULE_TRUST * own))
    odds = FIRST_SLIP + FIRST_SLIP_SHARE * share + FIRST_SLIP_TRUST * own
    odds += FIRST_SLIP_OTHERS * (log2(1 + support.others) - USUAL_OTHERS)
    return min(HIGHEST, _share(odds))


def _logit(share: float) -> float:
    bounded = min(1 - LOWEST, max(LOWEST, share))
    return log(bounded / (1 - bounded))


def _log_odds(repair: Repair, support: Support, loses: int) -> float:
    """What is known before the values are looked at."""
    if support.rules:
        places = max(1, support.places)
        more = RULE_SECOND * (support.rules > 1) + RULE_PLACES * min(MOST_DOUBLED, log2(places))
        return RULE + more + RULE_GAINED * _doubled(support.gained / places)
    kind = SLIP_FREE * (repair.cause in FREE) + SLIP_BESIDE * (repair.cause in BESIDE)
    return SLIP + kind + SLIP_LOSES * (loses > 0) + SLIP_GAINED * _doubled(support.gained)


def _doubled(bits: float) -> float:
    return min(MOST_DOUBLED, log2(1 + max(0.0, bits)) - USUAL_BITS)


def _share(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


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


class _Told:
    """What share of the bits that their bytes take the values take that are changed, and all, 0 to 1.

    Args:
        changed: where bytes are others.
        after: the document then.
        memory: what was told before; None tells each frame as if it were alone.
    """

    def __init__(self, changed: Sequence[Span], after: Document, memory: Memory | None) -> None:
        told, plain = [0.0, 0.0], [0.0, 0.0]
        for frame in after.frames[:MOST_FRAMES]:
            table = frame.table
            for node, bits in told_nodes(table, memory or Memory()) if len(table) <= WHOLE else ():
                own = Span(frame.start + table.start[node], frame.start + table.head_end(node))
                is_changed = _meets(changed, own)
                told[is_changed] += bits
                plain[is_changed] += raw_bits(bytes(after.buffer[own.start : own.end]))
        self.changed = min(1.0, told[True] / max(1.0, plain[True]))
        self.all = min(1.0, sum(told) / max(1.0, sum(plain)))
