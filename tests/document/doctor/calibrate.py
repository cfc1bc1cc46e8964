"""Calibrate: how much of what speaks for a first offer counts, learned and judged by kinds of damage.

Run as ``PYTHONPATH=tests:. python -m document.doctor.calibrate FILE... [--most-per-kind N]``. What each first offer
rests on is taken down; then the log-odds of its truth are fitted to all kinds but one, and that one is judged, for each
kind in turn. Told is how far off the first offers of each file are, with the numbers that are in use, and with those
that the kind had no part in; and the numbers that fit all kinds, for :mod:`viewer.document.doctor.trust`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log, log1p, log2
from multiprocessing import get_context
from pathlib import Path

from document.doctor.heldout.fieldwork import HELD_BACK
from document.doctor.heldout.strangers import held_back
from document.doctor.judging import Known, Verdict, judged, load_cases
from document.doctor.measure import CASES, calibration_error, chosen

from viewer.document.doctor import examine, kept
from viewer.document.doctor.repair import Support
from viewer.document.doctor.trust import HIGHEST, USUAL_OTHERS, of_first
from viewer.document.document import Document

STIFFNESS = 2.0
"""How strongly the numbers are drawn to where share and trust count for seven tenths, and nothing else counts."""
LEAST = 0.003
ROUNDS = 60
Row = list[float]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A first offer and what it rests on.

    Args:
        kind: what was done.
        verdict: what the offer is worth.
        row: what speaks for it, a 1 first; empty where it is told by signs.
        is_rule: whether it is a rule of an encoder.
        of_types: how often what it says of types is so, 0 to 1.
    """

    kind: str
    verdict: Verdict
    row: tuple[float, ...] = ()
    is_rule: bool = False
    of_types: float = 1.0


def logit(share: float) -> float:
    """The log-odds of a share, 0 to 1."""
    bounded = min(1 - LEAST, max(LEAST, share))
    return log(bounded / (1 - bounded))


def evidence(case: Known) -> Evidence | None:
    """What comes first of one case; None where nothing does."""
    asked: list[tuple[Support, float]] = []

    def recorded(support: Support, trust: float) -> float:
        asked.append((support, trust))
        return of_first(support, trust)

    kept.of_first = recorded  # type: ignore[attr-defined]
    document = Document(case.data)
    repairs = examine(document).repairs
    if not repairs:
        return None
    first = next((each for each in repairs[:2] if each.support is not None), repairs[0])
    verdict = judged(case, document, first)
    found = next((each for each in reversed(asked) if each[0] is first.support), None)
    if found is None:
        return Evidence(case.kind, verdict)
    support, trust = found
    row = [1.0, logit(min(HIGHEST, support.share)), logit(trust)]
    if not support.rules:
        row += [log2(1 + support.others) - USUAL_OTHERS]
    of_types = min(1.0, first.confidence / of_first(*found))
    return Evidence(case.kind, verdict, tuple(row), support.rules > 0, of_types)


def fitted(some: Sequence[Evidence], is_rule: bool) -> Row:
    """The numbers that fit some offers of one sort, each kind counted once: Newton's method on the penalised loss."""
    sure = [each for each in some if each.of_types > HIGHEST]
    counts = Counter(each.kind for each in sure)
    data = [(each.row, each.verdict.true, 1 / counts[each.kind]) for each in sure]
    usual = [0.0, 0.7, 0.7] if is_rule else [0.0, 0.7, 0.7, 0.0]
    size, now = range(len(usual)), list(usual)

    def loss(numbers: Row) -> float:
        told = (weight * log1p(exp(-_dot(numbers, row) * (1 if true else -1))) for row, true, weight in data)
        return sum(told) + STIFFNESS / 2 * sum((numbers[k] - usual[k]) ** 2 for k in size)

    for _ in range(ROUNDS):
        slope = [STIFFNESS * (usual[k] - now[k]) for k in size]
        bend = [[STIFFNESS * (k == m) for m in size] for k in size]
        for row, true, weight in data:
            share = _share(_dot(now, row))
            for k in size:
                slope[k] += weight * (true - share) * row[k]
                for m in size:
                    bend[k][m] += weight * share * (1 - share) * row[k] * row[m]
        step, length = _solved(bend, slope), 1.0
        while length > LEAST and loss(_moved(now, step, length)) >= loss(now):
            length /= 2
        if length <= LEAST:
            break
        now = _moved(now, step, length)
    return now


def _dot(numbers: Sequence[float], row: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(numbers, row, strict=True))


def _share(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def _moved(numbers: Row, step: Row, length: float) -> Row:
    return [number + length * by for number, by in zip(numbers, step, strict=True)]


def _solved(matrix: list[Row], right: Row) -> Row:
    """The solution of a few equations with a positive definite matrix."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k, pivot in enumerate(rows):
        for row in rows:
            if row is not pivot:
                by = row[k] / pivot[k]
                row[:] = [a - by * b for a, b in zip(row, pivot, strict=True)]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


def left_out(some: Sequence[Evidence]) -> list[Verdict]:
    """The offers with the probability that is said of them by numbers in which their kind had no part."""
    out = []
    for each in some:
        if not each.row:
            out.append(each.verdict)
            continue
        others = [other for other in some if other.row and other.is_rule == each.is_rule and other.kind != each.kind]
        told = each.of_types * min(HIGHEST, _share(_dot(_numbers(tuple(others), each.is_rule), each.row)))
        verdict = each.verdict
        capped = min(told, kept.DOUBTFUL) if verdict.probability == kept.DOUBTFUL else told
        out.append(Verdict(verdict.slug, capped, verdict.restores, verdict.true, verdict.harmful))
    return out


_KNOWN: dict[tuple[tuple[Evidence, ...], bool], Row] = {}


def _numbers(some: tuple[Evidence, ...], is_rule: bool) -> Row:
    if (some, is_rule) not in _KNOWN:
        _KNOWN[some, is_rule] = fitted(some, is_rule)
    return _KNOWN[some, is_rule]


def main(arguments: Sequence[str] | None = None) -> None:
    """Take down, fit and judge."""
    parser = argparse.ArgumentParser(prog="document.doctor.calibrate", description="Fit what the doctor believes.")
    parser.add_argument("files", type=Path, nargs="*", default=[CASES], help="cases, JSON lines, with or without gzip")
    parser.add_argument("--most-per-kind", type=int, help="so many cases of each kind at most")
    parser.add_argument("--jobs", type=int, default=2, help="so many processes")
    wanted = parser.parse_args(arguments)
    say = partial(print, flush=True)
    found: list[Evidence] = []
    files: list[range] = []
    with get_context("spawn").Pool(wanted.jobs) as pool:
        for path in wanted.files:
            cases = [case for _, case in chosen(load_cases(path), (), wanted.most_per_kind)]
            cases = [case for case in cases if case.kind not in HELD_BACK | held_back()]
            some = [each for each in pool.map(evidence, cases, chunksize=4) if each is not None]
            files.append(range(len(found), len(found) + len(some)))
            found += some
    judged_out = left_out(found)
    for path, places in zip(wanted.files, files, strict=True):
        now = calibration_error([found[k].verdict for k in places])
        out = calibration_error([judged_out[k] for k in places])
        say(f"{path.name}: {len(places)} offers, off by {now:.3f}, by {out:.3f} where their kind had no part")
    for is_rule, sort in ((True, "rules"), (False, "slips")):
        told = fitted([each for each in found if each.row and each.is_rule == is_rule], is_rule)
        say(f"{sort}: {', '.join(f'{number:.2f}' for number in told)}")


if __name__ == "__main__":
    main()
