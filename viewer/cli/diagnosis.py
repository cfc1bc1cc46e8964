"""The sub-commands that say why: what a byte is, what engines do, the smallest failing bytes, a report."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable

from viewer.base.unseen import printable
from viewer.cli.file_access import enter, exit_code, likely_cause, need, open_document, write
from viewer.cli.input import Problem, call
from viewer.document.document import Document
from viewer.document.engines.lines import EngineLine, line, line_of, lines
from viewer.document.engines.ruling import rule
from viewer.document.engines.verdicts import EngineVerdict, reading, verdict_lines, verdicts, why
from viewer.document.explain import Page, explain, explain_file
from viewer.document.export.failing import as_gdscript, as_hex, as_literal
from viewer.document.export.report import report, report_json, report_text
from viewer.document.export.report_html import report_html
from viewer.document.path import PathError
from viewer.document.reading import ReadOptions
from viewer.document.shrink import CUT_SHORT, Fails, Shrunk, failure, shrunk
from viewer.variant.dialect import Dialect

ALL = "all"
OFFSET = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,18}")


def checker(wanted: argparse.Namespace) -> Callable[[str, ReadOptions], int]:
    """What ``check`` does with each file where an engine or JSON is asked for."""
    engine = None if wanted.engine in (None, ALL) else _engine(wanted.engine)

    def look(name: str, fixed: ReadOptions) -> int:
        document = open_document(name, fixed)
        asked = lines() if engine is None else (engine,)
        told = report(document, wanted.objects, asked, likely_cause(document), call(wanted)) if wanted.json else None
        found = verdicts(document, call(wanted), wanted.objects, asked) if told is None else told.verdicts
        if told is not None:
            sys.stdout.write(f"{report_json(told)}\n")
        elif engine is None:
            rests_on = reading(found)
            print(f"{printable(name)}:" + (f" {rests_on}" if rests_on else ""))
            _print(f"  {printable(each)}\n" for each in verdict_lines(found))
        else:
            print(_line(name, found[0]))
        return exit_code(document) if engine is None else int(not found[0].is_good)

    return look


def _engine(name: str) -> EngineLine:
    """The engine line that an option names."""
    try:
        return line(name)
    except KeyError:
        known = ", ".join(each.key for each in lines())
        raise Problem(f"--engine knows no “{name[:40]}”; there are {known}, all.") from None


def _line(name: str, verdict: EngineVerdict) -> str:
    """One verdict as a line like those of findings."""
    place = f":0x{verdict.span.start:X}" if verdict.span is not None else ""
    path = f" ({verdict.path or '…'})" if verdict.path != "" and verdict.span is not None else ""
    reason = why(verdict, placed=True)
    rests_on = reading((verdict,))
    head = f"{verdict.engine.name} {verdict.call_name} {verdict.label}" + (f" ({rests_on})" if rests_on else "")
    words = head + (f": {reason}" if reason else ".")
    return printable(f"{name}{place}: {words}{path}")


def explain_command(wanted: argparse.Namespace) -> int:
    """``explain FILE [OFFSET|PATH] [--html] [-o OUT]``."""
    need(wanted, "explain", ("file", "a FILE"))
    document = open_document(wanted.file, wanted.choice)
    try:
        page = _page(document, wanted.place)
    except PathError as error:
        raise Problem(str(error)) from error
    except KeyError:
        raise Problem(f"There is no byte {wanted.place}; there are {len(document.shown)} bytes.") from None
    _give(wanted.out, page.as_html() if wanted.html else page.as_text())
    return 0


def _page(document: Document, place: str | None) -> Page:
    """The page about a place, None for the whole file."""
    if place is None:
        return explain_file(document)
    offset = int(place, 16 if place[:2] in ("0x", "0X") else 10) if OFFSET.fullmatch(place) else None
    if offset is not None:
        inside = offset if document.text is None or offset >= len(document.shown) else document.text.inside_of(offset)
        return explain(document, inside, likely_cause(document))
    level = enter(document, place)
    return explain(level.document, level.item(), likely_cause(level.document))


def shrink_command(wanted: argparse.Namespace) -> int:
    """``shrink FILE [--as hex|literal|gdscript] [--engine NAME] [-o OUT]``: a bare value."""
    need(wanted, "shrink", ("file", "a FILE"))
    document = open_document(wanted.file, wanted.choice)
    engine = None if wanted.engine is None else _engine(wanted.engine)
    dialect = document.dialect if engine is None else engine.dialect
    found = _shrunk(document, dialect, engine, wanted.objects)
    small = found.data
    if found.cut_short:
        print(f"variant-viewer: {CUT_SHORT}", file=sys.stderr)
    if wanted.as_ is None and wanted.out is not None:
        write(wanted.out, small)
        return 0
    text = {"literal": as_literal, "gdscript": as_gdscript}.get(wanted.as_ or "hex", lambda data, _: as_hex(data))
    words = text(small, dialect)
    if words is None:
        raise Problem("What is left is too broken to have a literal; take --as hex or --as gdscript.")
    _give(wanted.out, f"{words}\n")
    return 0


def _shrunk(document: Document, dialect: Dialect, engine: EngineLine | None, allow: bool) -> Shrunk:
    """The first value of a document that fails, made small."""
    told = engine or line_of(dialect)
    for frame in document.frames:
        payload = frame.cut.payload
        raw = bytes(document.buffer[payload.start : payload.end])
        wanted = failure(raw, dialect)
        if wanted is None and engine is None:
            continue
        fails = None if told is None else _fails(told, raw, allow or engine is None)
        if fails is not None or wanted is not None:
            return shrunk(raw, dialect, fails)
    raise Problem("Nothing is refused here, so there is nothing to shrink.")


def _fails(engine: EngineLine, raw: bytes, allow: bool) -> Fails | None:
    """Whether bytes fail by the same condition in an engine, in a value of the same type; None where *raw* does not."""
    wanted = _failing(engine, raw, allow)
    return None if wanted is None else lambda data: _failing(engine, data, allow) == wanted


def _failing(engine: EngineLine, data: bytes, allow: bool) -> tuple[object, ...] | None:
    """How an engine fails, None where it does not."""
    ruling = rule(engine, data, allow)
    stop, table = ruling.stop, ruling.table
    if stop is None:
        return None
    row = table.row(stop.node) if 0 <= stop.node < len(table) and table.start[stop.node] + 4 <= len(data) else None
    return stop.condition, stop.code, None if row is None else row.name


def report_command(wanted: argparse.Namespace) -> int:
    """``report FILE [--html|--json] [--objects] [-o OUT]``."""
    need(wanted, "report", ("file", "a FILE"))
    if wanted.html and wanted.json:
        raise Problem("Give either --html or --json: a report is one of them.")
    document = open_document(wanted.file, wanted.choice)
    told = report(document, wanted.objects, cause=likely_cause(document), call=call(wanted))
    if wanted.json:
        _give(wanted.out, f"{report_json(told)}\n")
    else:
        _give(wanted.out, "".join(report_html(told) if wanted.html else (f"{each}\n" for each in report_text(told))))
    return 0


def _give(out: str | None, text: str) -> None:
    """Print a text, or write it to a file."""
    if out is None:
        sys.stdout.write(text)
    else:
        write(out, text.encode("utf-8", "backslashreplace"))


def _print(pieces: Iterable[str]) -> None:
    for piece in pieces:
        sys.stdout.write(piece)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "explain": explain_command,
    "shrink": shrink_command,
    "report": report_command,
}
"""The sub-commands by name."""
