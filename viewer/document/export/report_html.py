"""A report as one page: its bytes coloured by what they are for, the findings beside them. It loads nothing.

Texts from files may be hostile: all of them are escaped, and signs that do not print are written as their escapes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from html import escape

from viewer.base import assets
from viewer.base.unseen import printable
from viewer.base.version import VERSION
from viewer.base.words import grouped
from viewer.document.byte_map import ByteStatus, StatusRun
from viewer.document.engines.verdicts import reading, verdict_rows
from viewer.document.export.report import MOST_FINDINGS, WIDTH, Report
from viewer.variant.tints import GROUPS

MOST_COLOURED = 4096
"""Rows whose bytes are coloured; a page of more would be slow to show."""
STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 78em; padding: 0 1em;
       color: #1b2027; background: #fff; }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 1.6em }
table { border-collapse: collapse } td, th { padding: 1px 10px 1px 0; text-align: left; vertical-align: top }
.bytes td, code { font-family: ui-monospace, Consolas, monospace; font-size: 12.5px; white-space: pre-wrap }
.bytes td.h { white-space: pre } .bytes td.o { color: #5c6672 }
.odd { border-bottom: 2px solid #9a6200 } .refused { outline: 2px solid #b3261e } .guessed { opacity: .6 }
.unexplained { background: repeating-linear-gradient(45deg, #e6e9ee 0 3px, #fff 3px 6px) }
.error { color: #b3261e } .warning { color: #8a5200 } .note { color: #4f5966 }
.padding { color: #868f9b } .header, .length, .prefix { background: #eef1f5 }
""".strip()


def report_html(told: Report) -> Iterator[str]:
    """The page, in pieces."""
    title = f"Report on {_safe(told.document.name)}"
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    yield f"<style>\n{STYLE}\n{_colours()}</style></head><body>\n<h1>{title}</h1>\n"
    yield _table(told.facts)
    yield "<h2>Bytes by standing</h2>\n"
    yield _table([(grouped(count), label) for label, count in told.totals])
    rests_on = reading(told.verdicts)
    yield "<h2>What the engines do</h2>\n" + (f"<p>These bytes are {_safe(rests_on)}.</p>\n" if rests_on else "")
    yield "<table>"
    for row in verdict_rows(told.verdicts):
        yield f"<tr>{''.join(f'<td>{_safe(cell)}</td>' for cell in row)}</tr>\n"
    yield "</table>\n<h2>Findings</h2>\n"
    yield from _findings(told)
    yield "<h2>Bytes</h2>\n"
    yield _legend()
    yield '<table class="bytes">'
    yield from _rows(told)
    yield f"</table>\n<p class=note>Variant Viewer {VERSION}</p></body></html>\n"


def _safe(text: str) -> str:
    return escape(printable(text))


def _table(rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th>{_safe(name)}</th><td>{_safe(value)}</td></tr>\n" for name, value in rows)
    return f"<table>{cells}</table>\n"


def _findings(told: Report) -> Iterator[str]:
    if not told.findings:
        yield "<p>None.</p>\n"
        return
    yield "<table>"
    for found in told.findings:
        at = found.span.start
        yield f'<tr><td><a href="#r{at // WIDTH}">0x{at:X}</a></td><td class="{found.severity.word}">'
        yield f"{_safe(found.line)}</td></tr>\n"
    yield "</table>\n"
    if told.more:
        yield f"<p>Only the first {MOST_FINDINGS} are listed.</p>\n"


def _legend() -> str:
    groups = " ".join(f'<code class="{name}"> {name} </code>' for name in (*GROUPS, "header", "padding"))
    standings = " ".join(
        f'<code class="{each.name.lower()}"> {_safe(each.label)} </code>'
        for each in ByteStatus
        if each is not ByteStatus.FINE
    )
    return f"<p>{groups}</p><p>{standings}</p>\n"


def _rows(told: Report) -> Iterator[str]:
    last, shown = -1, 0
    for rows in told.rows:
        for row in rows:
            if row != last + 1:
                yield "<tr><td class=o>…</td></tr>\n"
            last = row
            shown += 1
            if shown > MOST_COLOURED:
                yield "<tr><td class=o>…</td></tr>\n"
                return
            yield from _row(told, row)


def _row(told: Report, row: int) -> Iterator[str]:
    start = row * WIDTH
    raw = bytes(told.document.shown[start : start + WIDTH])
    yield f'<tr id="r{row}"><td class="o">{start:08X}</td><td class="h">'
    for run in told.account.runs(start, start + WIDTH):
        piece = raw[run.span.start - start : run.span.end - start].hex(" ")
        yield f'<span class="{_classes(run)}" title="{escape(run.owner)}: {escape(run.standing.label)}">{piece}</span> '
    text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in raw)
    notes = "<br>".join(
        f'<span class="{found.severity.word}">{_safe(found.line)}</span>' for found in told.findings_in(row)
    )
    yield f'</td><td class="h">{escape(text)}</td><td>{notes}</td></tr>\n'


def _classes(run: StatusRun) -> str:
    role = run.style.group or (run.style.role.value if run.style.role is not None else "")
    standing = "" if run.standing is ByteStatus.FINE else run.standing.name.lower()
    return f"{role} {standing}".strip()


def _colours() -> str:
    """A rule for each family of types, in the light theme's colours."""
    kinds = tomllib.loads(assets.text("palette.toml"))["light"]["kind"]
    return "".join(
        f".{name} {{ color: {kinds[name]['fg']}; background: {kinds[name]['bg']} }}\n"
        for name in GROUPS
        if name in kinds
    )
