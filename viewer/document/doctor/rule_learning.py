"""Rule learning: what an encoder does wrong everywhere, tried on all bytes."""

from __future__ import annotations

from collections.abc import Callable

from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.encoder_bugs import encoder_bugs
from viewer.document.doctor.finding_collector import FindingCollector
from viewer.document.doctor.prefix_rules import odd_prefix_candidates, prefix_rule_candidates
from viewer.document.doctor.repair_context import ReadGuess, WorkBudget
from viewer.document.doctor.whole import OTHER_LINE, latest_first
from viewer.variant.dialect import Dialect, available

LEARNING, LEARNING_SHARE, LEARNED = 3 << 25, 2, 1 << 14
"""The work of learning what an encoder does wrong, the most of it as a share of what is left, and of how many bytes it
is that much: of more it is half, since most of their work is to find values."""
FEWEST_PLACES, LEAST_PLACES, RARE_RULE = 2, 3, 10.0
"""In so many places a rule must show where an engine would have written the same bytes. In fewer than the second
number, where it is as rare as that, and where it is of :data:`OF_LARGE`, it must save as much in each as makes it
trusted."""
OF_LARGE = frozenset({"wide_int_order", "wide_float_order"})
"""The orders of numbers that are large by nature."""


def learn_rules(findings: FindingCollector, between: Callable[[], None]) -> None:
    """Try what encoders do wrong everywhere.

    Args:
        findings: where what explains the bytes goes.
        between: called behind each family of rules, of which none explained them so far.

    Raises:
        GivenUp: nobody wants more.
    """
    stands, meter = findings.stands, findings.meter
    most = LEARNING if len(findings.data) <= LEARNED else LEARNING // 2
    most = 2 * most if stands.sound else most  # hardly anything else is looked for
    share = min(most, max(0, meter.left // LEARNING_SHARE))
    own = meter.anew(share)
    meter.left -= share
    try:
        _learn(findings, own, between)
    finally:
        meter.left += own.left


def _learn(findings: FindingCollector, meter: WorkBudget, between: Callable[[], None]) -> None:
    document, data, stands = findings.document, findings.data, findings.stands
    dialects: list[Dialect] = [document.dialect]
    if document.choice.dialect is None and not stands.canonical:
        dialects += [each for each in latest_first(available()) if each is not document.dialect]
    for family in () if stands.canonical else (prefix_rule_candidates, odd_prefix_candidates):
        for candidate in family(data, dialects, meter):
            _try_rule(findings, candidate)
    for batch in encoder_bugs(data, dialects, meter, stands.sound):
        for candidate in batch:
            _try_rule(findings, candidate)
        between()
        if findings.explain:
            return


def _try_rule(findings: FindingCollector, candidate: Candidate) -> None:
    """A candidate that says how all bytes were written."""
    assert candidate.dialect is not None
    assert candidate.framing is not None
    is_own = candidate.dialect is findings.document.dialect
    way = ReadGuess(candidate.dialect, candidate.framing, 1.0 if is_own else OTHER_LINE)
    is_few = candidate.places < LEAST_PLACES
    if findings.stands.canonical and is_few and candidate.different_places(findings.data) < FEWEST_PLACES:
        return
    is_large = any(name in OF_LARGE for rule in candidate.rules for name, _ in rule.changes)
    findings.try_read(way, candidate, is_few or is_large or candidate.bits >= RARE_RULE)
