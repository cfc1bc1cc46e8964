"""The command: take the measurements, print the table, and on request write it down.

``python tests/bench`` measures everything but how broken bytes are borne (``--only bounds``). It refuses to start on a
busy machine. Exit codes: 0 all goals are met, 1 one is missed, 2 nothing to publish, 3 the machine is busy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench import archive, noise, words
from bench.archive import Run
from bench.measure import Measure, Row
from bench.publish import publish
from bench.setting import Setting, default_folder
from bench.subjects import (
    acting,
    bounds,
    commands,
    comparing,
    huge,
    package,
    painting,
    planning,
    resources,
    scanning,
    starting,
    tables,
    texts,
)

SUBJECTS = {
    "starting": starting.MEASURES,
    "commands": commands.MEASURES,
    "comparing": comparing.MEASURES,
    "painting": painting.MEASURES,
    "acting": acting.MEASURES,
    "huge": huge.MEASURES,
    "planning": planning.MEASURES,
    "resources": resources.MEASURES,
    "scanning": scanning.MEASURES,
    "tables": tables.MEASURES,
    "texts": texts.MEASURES,
    "package": package.MEASURES,
}
BY_NAME = {"bounds": bounds.MEASURES}
"""Subjects that are measured only where they are named."""
MISSED, NOT_PUBLISHED, BUSY = 1, 2, 3
NONE = "none"


def chosen(wanted: Sequence[str], with_goal: bool = False) -> Iterator[Measure]:
    """The rows and the subjects named, and rows that begin with what is no name; all usual ones without a name.

    Args:
        wanted: the names.
        with_goal: whether rows without a goal are left out.
    """
    subjects = SUBJECTS | BY_NAME if wanted else SUBJECTS
    names = {measure.name for measures in subjects.values() for measure in measures}
    beginnings = tuple(name for name in wanted if name not in names)
    for subject, measures in subjects.items():
        for measure in measures:
            if with_goal and measure.goal is None:
                continue
            if not wanted or subject in wanted or measure.name in wanted or measure.name.startswith(beginnings):
                yield measure


def taken(measures: Sequence[Measure], setting: Setting) -> list[Row]:
    """All rows, told one by one as they come."""
    rows = []
    for measure in measures:
        rows.append(measure.run(setting))
        print(words.line(rows[-1]), file=sys.stderr, flush=True)
    return rows


def measured(options: argparse.Namespace, measures: Sequence[Measure], noise_of: Callable[[], noise.Noise]) -> Run:
    """A run, with the machine's own noise before and after it; without rows where it is busy from the first."""
    before = noise_of()
    if before.reasons and not options.anyway:
        return archive.here(options.quick, [before], [])
    rows = taken(measures, Setting(options.data.resolve(), options.quick, options.goals))
    return archive.here(options.quick, [before, noise_of()], rows)


def arguments(words_: Sequence[str] | None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python tests/bench", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="a row, a subject, or how rows begin"
    )
    parser.add_argument("--list", action="store_true", help="print the rows with their goals and measure nothing")
    parser.add_argument("--goals", action="store_true", help="only rows with a goal, in a quarter of the time for each")
    parser.add_argument("--quick", action="store_true", help="small files, few rounds: shows that all runs")
    parser.add_argument("--anyway", action="store_true", help="on a busy machine, too")
    parser.add_argument("--data", type=Path, default=default_folder(), metavar="DIR", help="where data are kept")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the run there")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="earlier", help="take an earlier run")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE", help="two runs, the earlier one first")
    parser.add_argument("--publish", action="store_true", help="draw the picture and fill the README's table")
    return parser.parse_args(words_)


def main(words_: Sequence[str] | None = None, noise_of: Callable[[], noise.Noise] = noise.measured) -> int:
    """Run; returns the exit code."""
    options = arguments(words_)
    measures = list(chosen(options.only, options.goals))
    if options.compare:
        print(archive.compared(*(read(path) for path in options.compare)))
        return 0
    if options.list:
        print(words.text_table([words.LISTED, *(words.listed(measure.row()) for measure in measures)]))
        return 0
    run = read(options.earlier) if options.earlier else measured(options, measures, noise_of)
    if options.json and run.rows:
        options.json.write_text(run.to_json(), encoding="utf-8")
    if run.reasons and not options.anyway:
        print(f"The machine is too busy for figures: {run.disturbed}. Wait, or print them --anyway.", file=sys.stderr)
        return BUSY
    if run.is_quick:
        print("These are small files and few rounds: they show no more than that all rows can be measured.")
    if run.reasons:
        print(f"This is a busy machine: {run.disturbed}.")
    print(words.text_table([words.HEADINGS, *map(words.cells, run.rows)]))
    missed = [row.name for row in run.rows if row.met is False]
    met = sum(row.met is True for row in run.rows)
    print(f"{met} goals are met, {len(missed)} missed: {', '.join(missed) or NONE}.")
    if options.publish:
        if run.is_quick or run.reasons or options.only or options.goals:
            print("Only a whole run that took its time on a quiet machine is worth publishing.", file=sys.stderr)
            return NOT_PUBLISHED
        publish(run)
    return MISSED if any(row.met is False for row in run.rows) else 0


def read(path: Path) -> Run:
    """An earlier run."""
    return Run.from_json(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
