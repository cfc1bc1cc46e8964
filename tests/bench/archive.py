"""A run as a JSON document, and two of them compared row by row."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import words
from bench.measure import Row
from bench.noise import Noise
from bench.rounds import STEADY

ROOT = Path(__file__).resolve().parent.parent.parent
HEADINGS = ("row", "what", "before", "after", "change", "uncertain", "")
NUMBERS = HEADINGS[2:6]


@dataclass(frozen=True, slots=True)
class Run:
    """What was measured, of which commit, and where.

    Args:
        commit: what was checked out, with a mark where files were changed.
        before: the commit before it.
        machine: Python, system and processors in words.
        is_quick: whether it shows no more than that all rows run.
        noise: how busy the machine was before and after.
        rows: the rows.
    """

    commit: str
    before: str
    machine: str
    is_quick: bool
    noise: tuple[Noise, ...]
    rows: tuple[Row, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why its figures are not worth publishing, at the worse time of both; nothing where they are."""
        return max((noise.reasons for noise in self.noise), key=len, default=())

    @property
    def disturbed(self) -> str:
        """The same as one text."""
        return ", ".join(self.reasons)

    def to_json(self) -> str:
        """As a document."""
        plain = {**asdict(self), "rows": [row.to_json() for row in self.rows]}
        return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Run:
        """From what :meth:`to_json` gave."""
        found = json.loads(text)
        noise = tuple(Noise(**each) for each in found["noise"])
        return cls(**{**found, "noise": noise, "rows": tuple(Row.from_json(row) for row in found["rows"])})


def here(is_quick: bool, noise: Sequence[Noise], rows: Sequence[Row]) -> Run:
    """A run of this checkout on this machine."""
    changed = "+" if _git("status", "--porcelain", "-uno") else ""
    machine = f"Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} processors"
    commit, before = _git("rev-parse", "--short", "HEAD"), _git("rev-parse", "--short", "HEAD~1")
    return Run(commit + changed, before, machine, is_quick, tuple(noise), tuple(rows))


def compared(before: Run, after: Run) -> str:
    """What changed between two runs, as a table below what they are.

    The change of a row that has a floor is that of its ratio: the floor tells how fast the machine was in each run.
    """
    known = {row.name: row for row in before.rows}
    follows = ", the commit before" if before.commit == after.before else ""
    head = [f"before: {_about(before)}{follows}", f"after:  {_about(after)}", ""]
    lines = [HEADINGS, *(_line(known[row.name], row) for row in after.rows if row.name in known)]
    return "\n".join([*head, words.text_table(lines, NUMBERS), *_unpaired(before, after)])


def change(before: Row, after: Row) -> float | None:
    """By which share a row grew, None where one of the runs has no number for it."""
    if before.value is None or after.value is None:
        return None
    old, new = before.value, after.value
    if before.floor_value and after.floor_value and before.floor == after.floor:
        old, new = old / before.floor_value, new / after.floor_value
    return new / old - 1 if old else None if new else 0.0


def _line(before: Row, after: Row) -> tuple[str, ...]:
    grown = change(before, after)
    spreads = [row.spread for row in (before, after)]
    unsure = None if None in spreads else max(STEADY, *(found for found in spreads if found is not None))
    outcome = after.error or before.error
    if grown is not None and unsure is not None:
        outcome = "" if abs(grown) <= unsure else "more" if grown > 0 else "less"
    shown = words.NOTHING if grown is None else f"{100 * grown:+.0f} %"
    values = (words.quantity(row.value, row.unit) for row in (before, after))
    return (after.name, after.what, *values, shown, words.share(unsure), outcome)


def _unpaired(before: Run, after: Run) -> Iterator[str]:
    for one, other, when in ((before, after, "before"), (after, before, "after")):
        names = [row.name for row in one.rows if row.name not in {each.name for each in other.rows}]
        if names:
            yield f"only {when}: {', '.join(names)}"


def _about(run: Run) -> str:
    busy = " (on a busy machine)" if run.reasons else ""
    return f"{run.commit or 'no commit'}, {run.machine}{', quick' if run.is_quick else ''}{busy}"


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if not done.returncode else ""
