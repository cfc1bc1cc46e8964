"""A report on a document for a bug tracker: what it is, what is wrong with it, what each engine would do.

One structure, written as text, as JSON and, in :mod:`viewer.document.export.report_html`, as a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.base.version import VERSION
from viewer.document.byte_map import ByteMap, ByteStatus, StatusRun, account
from viewer.document.document import Document
from viewer.document.engines.lines import EngineCall, EngineLine
from viewer.document.engines.verdicts import EngineVerdict, reading, verdict_json, verdict_lines, verdicts
from viewer.document.export.deep_json import dumps
from viewer.document.export.findings_export import ExportedFinding, findings

if TYPE_CHECKING:
    from viewer.document.doctor.likely import LikelyCause

WIDTH = 16
WHOLE = 1 << 14
"""Documents of up to so many bytes are shown whole."""
AROUND = 3
"""Rows before and behind a finding in larger ones."""
HEAD_ROWS = 8
MOST_FINDINGS = 500
MOST_RUNS = 20_000


@dataclass(frozen=True, slots=True)
class Report:
    """What is told.

    Args:
        document: about what.
        account: how it stands with its bytes.
        findings: the first ones, in byte order; *more* says whether there are others.
        verdicts: what each engine line would do.
        rows: the rows of 16 bytes that are shown, by their number.
        cause: what most probably went wrong, None where nothing is wrong or nobody knows.
    """

    document: Document
    account: ByteMap
    findings: tuple[ExportedFinding, ...]
    more: bool
    verdicts: tuple[EngineVerdict, ...]
    rows: tuple[range, ...]
    cause: LikelyCause | None = None

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What it is: names and values."""
        document = self.document
        wraps = ", ".join(document.wraps.names[: -1 if document.text is not None else None])
        return [
            ("File", printable(document.name)),
            ("Size", count_bytes(len(document.shown)) + (" inside the wraps" if wraps else "")),
            *([("Wraps", wraps)] if wraps else []),
            ("Read as", printable(document.read_as_words)),
            ("Values", str(len(document.frames))),
            ("Explained", f"{100 * self.account.explained:.1f} %" if self.document.buffer else "no bytes"),
        ]

    @property
    def totals(self) -> list[tuple[str, int]]:
        """How many bytes stand in each way."""
        return [(standing.label, count) for standing, count in self.account.totals.items() if count]

    def findings_in(self, row: int) -> list[ExportedFinding]:
        """The findings that begin in a row of bytes."""
        return [found for found in self.findings if found.span.start // WIDTH == row]


def report(
    document: Document,
    allow_objects: bool = False,
    engines: Iterable[EngineLine] | None = None,
    cause: LikelyCause | None = None,
    call: EngineCall | None = None,
) -> Report:
    """Look at everything that a report tells.

    Args:
        document: about what.
        allow_objects: whether the game allows objects.
        engines: the lines to ask, None for all.
        cause: what most probably went wrong.
        call: how the game reads; None for what goes with the framing.
    """
    every = findings(document, cause)
    first = tuple(islice(every, MOST_FINDINGS))
    more = next(every, None) is not None
    found = tuple(verdicts(document, call, allow_objects, engines))
    return Report(document, account(document), first, more, found, _rows(len(document.shown), first), cause)


def report_text(told: Report) -> Iterator[str]:
    """The lines of a report."""
    yield f"Variant Viewer {VERSION}: report"
    yield from (f"{name + ':':<11}{value}" for name, value in told.facts)
    yield ""
    yield "Bytes"
    yield from (f"  {count:>12,}  {label}" for label, count in told.totals)
    yield ""
    rests_on = reading(told.verdicts)
    yield "Engines" + (f", {rests_on}" if rests_on else "")
    yield from (f"  {printable(each)}" for each in verdict_lines(told.verdicts))
    yield ""
    yield "Findings"
    yield from _finding_lines(told)
    yield ""
    yield from _dump_lines(told)


def _finding_lines(told: Report) -> Iterator[str]:
    if not told.findings:
        yield "  none"
    yield from (f"  0x{found.span.start:X}: {found.line}" for found in told.findings)
    if told.more:
        yield f"  … and more: only the first {MOST_FINDINGS} are listed."


def _dump_lines(told: Report) -> Iterator[str]:
    """The bytes, a mark a byte below those that are not fine."""
    yield "Bytes: .. fine, ~~ odd, ?? guess, !! refused, ## unexplained"
    last = -1
    for rows in told.rows:
        for row in rows:
            if row != last + 1:
                yield "  …"
            last = row
            yield from _row_lines(told, row)
    if last + 1 < -(-len(told.document.shown) // WIDTH):
        yield "  …"


_SIGNS = {ByteStatus.FINE: "..", ByteStatus.ODD: "~~", ByteStatus.GUESSED: "??", ByteStatus.REFUSED: "!!"}
_UNEXPLAINED = "##"


def _row_lines(told: Report, row: int) -> Iterator[str]:
    start = row * WIDTH
    raw = bytes(told.document.shown[start : start + WIDTH])
    text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in raw)
    yield f"  {start:08X}  {raw.hex(' '):<{3 * WIDTH - 1}}  {text}"
    runs = list(told.account.runs(start, start + WIDTH))
    if any(run.standing is not ByteStatus.FINE for run in runs):
        marks = [_SIGNS.get(run.standing, _UNEXPLAINED) for run in runs for _ in range(len(run.span))]
        yield f"            {' '.join(marks)}"
    for found in told.findings_in(row):
        yield f"            ^ 0x{found.span.start:X}: {found.line}"


def report_json(told: Report) -> str:
    """The report as one JSON object."""
    document = told.document
    runs = list(islice(told.account.runs(), MOST_RUNS + 1))
    return dumps(
        {
            "file": document.name,
            "size": len(document.shown),
            "layers": list(document.wraps.names),
            "dialect": document.dialect.key,
            "precision": document.precision.value,
            "framing": document.framing.kind.value,
            "explained": told.account.explained if document.buffer else None,
            "bytes": {standing.name.lower(): count for standing, count in told.account.totals.items()},
            "findings": [_finding_json(document, found) for found in told.findings],
            "more_findings": told.more,
            "likely_cause": None if told.cause is None else _cause_json(told.cause),
            "engines": [verdict_json(verdict) for verdict in told.verdicts],
            "runs": [_run_json(run) for run in runs] if len(runs) <= MOST_RUNS else None,
        }
    )


def _finding_json(document: Document, found: ExportedFinding) -> dict[str, object]:
    near = Span(max(0, found.span.start - WIDTH), min(len(document.shown), found.span.start + 2 * WIDTH))
    return {
        "severity": found.severity.word,
        "code": found.code,
        "message": found.message,
        "advice": found.advice,
        "cause": found.cause or None,
        "span": [found.span.start, found.span.end],
        "path": found.path,
        "near": {"start": near.start, "hex": bytes(document.shown[near.start : near.end]).hex()},
    }


def _cause_json(cause: LikelyCause) -> dict[str, object]:
    repair = cause.repair
    return {"cause": repair.name, "sentence": repair.sentence, "probability": round(repair.confidence, 3)}


def _run_json(run: StatusRun) -> list[object]:
    return [run.span.start, run.span.end, run.owner, run.standing.name.lower()]


def _rows(size: int, found: Sequence[ExportedFinding]) -> tuple[range, ...]:
    """The rows to be shown: all of a small document, else the first ones and those around findings."""
    last = -(-size // WIDTH)
    if size <= WHOLE:
        return (range(last),)
    out = [range(HEAD_ROWS)]
    for each in sorted(found, key=lambda each: each.span.start):
        row = each.span.start // WIDTH
        begin, end = max(row - AROUND, out[-1].stop), min(row + AROUND + 1, last)
        if begin < end:
            out.append(range(begin, end))
    return tuple(out)
