"""Measure the doctor: damaged bytes opened as by a double click, and what its offers are worth.

Run as ``PYTHONPATH=tests:. python -m document.doctor.measure``. A kind of damage a line, then the whole:

- first, three: cases whose first offer, or one of whose first three, is true;
- back, back3: cases that it restores, of those that can be restored;
- sure: the mean probability of the first offers;
- harm: cases whose first offer would lose sound values that are shown now, and restores nothing;
- leaves: the mean share of the whole values that are shown before anything is mended;
- known: the same once the doctor has looked, and they are read by who knows the mistake.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from document.doctor.judging import Known, Verdict, is_whole, judged, load_cases, shown
from searched import examined_once

from viewer.document.doctor.as_mended import read_as_mended
from viewer.document.document import Document

CASES = Path(__file__).parents[2] / "data" / "damage" / "cases.jsonl.gz"
OFFERS = 3
BINS = 10
SURE, LIKELY = 0.9, 0.5
SLOWEST = 10


@dataclass(frozen=True, slots=True)
class Record:
    """What came of one case.

    Args:
        kind: what was done.
        index: the number of the case in its file.
        size: how many damaged bytes there are.
        whole: whether opening them was all that was to be done.
        restorable: whether somebody can know what was there.
        offers: the first three.
        leaves: how many whole values there are.
        shown: how many of them are shown.
        known: how many are once the doctor has looked.
        seconds: processor time of the doctor.
        error: what it failed with, empty where it did not.
    """

    kind: str
    index: int
    size: int
    whole: bool
    restorable: bool
    offers: tuple[Verdict, ...]
    leaves: int
    shown: int
    known: int
    seconds: float
    error: str = ""

    def is_true(self, most: int) -> bool:
        """Whether one of so many offers is true, or nothing is wrong."""
        return self.whole or any(offer.true for offer in self.offers[:most])

    def is_restored(self, most: int) -> bool:
        """Whether one of so many offers gives the undamaged bytes, or they are there."""
        return self.whole or any(offer.restores for offer in self.offers[:most])

    @property
    def is_harmful(self) -> bool:
        """Whether the first offer is."""
        return any(offer.harmful for offer in self.offers[:1])


def measured(numbered: tuple[int, Known]) -> Record:
    """Open one case, examine it and judge the offers."""
    index, case = numbered
    document = Document(case.data)
    start, error = time.process_time(), ""
    try:
        repairs = examined_once(document).repairs[:OFFERS]
    except Exception as failure:  # a case that breaks the doctor is measured like one that it knows nothing of
        repairs, error = (), f"{type(failure).__name__}: {failure}"
    seconds = time.process_time() - start
    verdicts = tuple(judged(case, document, repair) for repair in repairs)
    before = len(shown(case, document))
    is_there = is_whole(case, document)
    reading = read_as_mended(document, repairs)
    if reading is not None:
        document.learn(reading)
    return Record(
        case.kind,
        index,
        len(case.data),
        is_there,
        bool(case.results),
        verdicts,
        len(case.leaves),
        before,
        len(shown(case, document)),
        seconds,
        error,
    )


def chosen(cases: Iterable[Known], kinds: Sequence[str], most: int | None) -> Iterator[tuple[int, Known]]:
    """The cases of some kinds, so many of each at most, with their numbers in the file."""
    seen: dict[str, int] = {}
    for index, case in enumerate(cases):
        seen[case.kind] = seen.get(case.kind, 0) + 1
        if (not kinds or case.kind in kinds) and (most is None or seen[case.kind] <= most):
            yield index, case


def run(cases: Iterable[tuple[int, Known]], jobs: int) -> list[Record]:
    """Measure all cases, in as many processes."""
    if jobs < 2:
        return [measured(case) for case in cases]
    with get_context("spawn").Pool(jobs) as pool:
        return pool.map(measured, list(cases), chunksize=4)


# Figures


def share(some: Iterable[bool]) -> float:
    """How many of some are so, 0 where there are none."""
    found = list(some)
    return sum(found) / len(found) if found else 0.0


def mean(some: Iterable[float]) -> float:
    """The mean, 0 where there are none."""
    found = list(some)
    return sum(found) / len(found) if found else 0.0


def calibration_error(offers: Iterable[Verdict]) -> float:
    """How far probabilities lie from shares of truth, as a mean over all offers, in bins of equal width."""
    bins: list[list[Verdict]] = [[] for _ in range(BINS)]
    for offer in offers:
        bins[min(BINS - 1, int(offer.probability * BINS))].append(offer)
    off = sum(abs(sum(each.probability - each.true for each in some)) for some in bins)
    return off / max(1, sum(map(len, bins)))


def figures(records: Sequence[Record]) -> dict[str, float]:
    """The figures of some cases."""
    restorable = [record for record in records if record.restorable]
    first = [offer for record in records for offer in record.offers[:1]]
    offers = [offer for record in records for offer in record.offers]
    sure = [offer for offer in offers if offer.probability >= SURE]
    likely = [offer for offer in first if offer.probability >= LIKELY]
    return {
        "cases": len(records),
        "first true": share(record.is_true(1) for record in records),
        "three true": share(record.is_true(OFFERS) for record in records),
        "restorable": len(restorable),
        "first restored": share(record.is_restored(1) for record in restorable),
        "three restored": share(record.is_restored(OFFERS) for record in restorable),
        "first probability": mean(offer.probability for offer in first),
        "sure offers": len(sure),
        "sure true": share(offer.true for offer in sure),
        "calibration error, first": calibration_error(first),
        "calibration error, three": calibration_error(offers),
        "harmful first": share(record.is_harmful for record in records),
        "likely first offers": len(likely),
        "likely harmful": share(offer.harmful for offer in likely),
        "leaves shown": mean(record.shown / record.leaves for record in records if record.leaves),
        "leaves known": mean(record.known / record.leaves for record in records if record.leaves),
        "leaves shown, of all": sum(record.shown for record in records)
        / max(1, sum(record.leaves for record in records)),
        "without offer": sum(not record.offers and not record.whole for record in records),
        "failed": sum(bool(record.error) for record in records),
        "seconds, mean": mean(record.seconds for record in records),
        "seconds, most": max((record.seconds for record in records), default=0.0),
    }


# What is told

HEADS = ("n", "first", "three", "back", "back3", "sure", "harm", "leaves", "known")
COLUMNS = (
    "cases",
    "first true",
    "three true",
    "first restored",
    "three restored",
    "first probability",
    "harmful first",
    "leaves shown",
    "leaves known",
)


def table(records: Sequence[Record]) -> Iterator[str]:
    """A line for each kind, in order of the cases."""
    width = max((len(record.kind) for record in records), default=4) + 1
    yield f"{'kind':{width}}" + "".join(f"{head:>7}" for head in HEADS)
    for kind in dict.fromkeys(record.kind for record in records):
        found = figures([record for record in records if record.kind == kind])
        cells = [f"{found[name]:7.0f}" if name == "cases" else f"{found[name]:7.2f}" for name in COLUMNS]
        if not found["restorable"]:
            cells[3:5] = [f"{'-':>7}"] * 2
        yield f"{kind:{width}}" + "".join(cells)


def totals(records: Sequence[Record]) -> Iterator[str]:
    """A line for each figure of all cases."""
    for name, value in figures(records).items():
        yield f"{name:26} {value:8.0f}" if float(value).is_integer() and value > 1 else f"{name:26} {value:8.3f}"


def slowest(records: Sequence[Record]) -> Iterator[str]:
    """The cases that took longest."""
    for record in sorted(records, key=lambda record: -record.seconds)[:SLOWEST]:
        yield f"{record.seconds:8.2f} s  {record.kind} (case {record.index}, {record.size} bytes)"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="document.doctor.measure", description="Measure what the doctor's offers are worth."
    )
    parser.add_argument("--file", type=Path, default=CASES, help="the cases, JSON lines, with or without gzip")
    parser.add_argument("--kinds", default="", help="only these kinds of damage, with commas between them")
    parser.add_argument("--jobs", type=int, default=2, help="so many processes")
    parser.add_argument("--json", type=Path, help="write what came of each case, and the figures, to this file")
    parser.add_argument("--most-per-kind", type=int, help="so many cases of each kind at most")
    parser.add_argument("--seconds", action="store_true", help="name the slowest cases, too")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the tables."""
    wanted = _parser().parse_args(arguments)
    kinds = [kind for kind in wanted.kinds.split(",") if kind]
    records = run(chosen(load_cases(wanted.file), kinds, wanted.most_per_kind), wanted.jobs)
    say = partial(print, flush=True)
    for line in [*table(records), "", *totals(records), *(["", *slowest(records)] if wanted.seconds else [])]:
        say(line)
    for record in records:
        if record.error:
            say(f"{record.kind} (case {record.index}): {record.error}")
    if wanted.json is not None:
        found = {"figures": figures(records), "cases": [asdict(record) for record in records]}
        wanted.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
