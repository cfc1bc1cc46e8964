"""The command: take the measurements, print the table, and on request write it down.

``python tests/bench`` measures everything but how broken bytes are borne (``--only bounds``);
``--publish`` also draws ``docs/bench-*.svg`` and fills the README's table.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import words
from bench.groups import bounds, scanning, tables, windows
from bench.measure import Measure, Row
from bench.publish import publish
from bench.setting import Setting, default_folder

GROUPS = {"scanning": scanning.MEASURES, "tables": tables.MEASURES, "windows": windows.MEASURES}
BY_NAME = {"bounds": bounds.MEASURES}
"""Groups that are measured only where they are named."""


def chosen(wanted: Sequence[str]) -> Iterator[Measure]:
    """The measurements of the groups or keys named; of keys also those that begin so. All usual where none is named."""
    for group, measures in (GROUPS | BY_NAME if wanted else GROUPS).items():
        for measure in measures:
            if not wanted or group in wanted or any(measure.key.startswith(name) for name in wanted):
                yield measure


def take(measures: Sequence[Measure], setting: Setting) -> list[Row]:
    """All rows, told one by one as they come."""
    rows = []
    for measure in measures:
        rows.append(measure.run(setting))
        print(words.line(rows[-1]), file=sys.stderr, flush=True)
    return rows


def to_json(rows: Sequence[Row], quick: bool) -> str:
    """A run as a JSON document."""
    about = {"python": platform.python_version(), "system": platform.system(), "quick": quick}
    return json.dumps({**about, "rows": [row.to_json() for row in rows]}, indent=1, ensure_ascii=False) + "\n"


def from_json(path: Path) -> tuple[list[Row], bool]:
    """The rows of an earlier run, and whether it was a quick one."""
    run = json.loads(path.read_text(encoding="utf-8"))
    return [Row.from_json(found) for found in run["rows"]], bool(run["quick"])


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python tests/bench", description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a group, or how keys begin")
    parser.add_argument("--list", action="store_true", help="print the keys and measure nothing")
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that all runs, not how fast")
    parser.add_argument("--data", type=Path, default=default_folder(), metavar="DIR", help="where data are kept")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="earlier", help="take the rows of an earlier run")
    parser.add_argument("--publish", action="store_true", help="draw the picture and fill the README's table")
    return parser.parse_args()


def main() -> int:
    """Run; 1 where a goal is missed, 2 where there is nothing to publish."""
    options = arguments()
    measures = list(chosen(options.only))
    if options.list:
        print("\n".join(f"{measure.key}: {measure.what}" for measure in measures))
        return 0
    if options.earlier:
        rows, quick = from_json(options.earlier)
    else:
        rows, quick = take(measures, Setting(options.data.resolve(), options.quick)), options.quick
    print(words.text_table(rows))
    if options.json:
        options.json.write_text(to_json(rows, quick), encoding="utf-8")
    if options.publish:
        if quick or options.only:
            print("Only a whole run that took its time is worth publishing.", file=sys.stderr)
            return 2
        publish(rows)
    return int(any(row.met is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
