"""What the sub-commands do, without a window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from viewer.cli_files import need, open_document, write
from viewer.cli_input import STDIN, Problem, read_stdin
from viewer.diagnostic import Severity
from viewer.document import files
from viewer.document.edits import EditError
from viewer.document.export import dump as dumper
from viewer.document.export.deep_json import chunks
from viewer.document.export.findings import findings
from viewer.document.export.found import found_places
from viewer.document.export.item_text import item_json, item_literal
from viewer.document.export.text_view import text_view
from viewer.document.export.undump import UndumpError, encode_json
from viewer.document.path_reading import PathError, parse_path
from viewer.document.query import QueryError, SearchError, parse_query
from viewer.document.reading import Choice


def _print(pieces: Iterable[str]) -> None:
    for piece in pieces:
        sys.stdout.write(piece)


# Commands


def print_text(name: str, fixed: Choice) -> None:
    """The text view of a file."""
    _print(f"{line}\n" for line in text_view(open_document(name, fixed)))


def dump(wanted: argparse.Namespace) -> int:
    """``dump FILE [--json]``."""
    need(wanted, "dump", ("file", "a FILE"))
    if wanted.json:
        _print(dumper.dump(open_document(wanted.file, wanted.choice)))
    else:
        print_text(wanted.file, wanted.choice)
    return 0


def check(wanted: argparse.Namespace) -> int:
    """``check FILE... [--engine NAME|all] [--objects] [--json]``: the worst of all files counts."""
    if not wanted.files:
        raise Problem("check needs a FILE; see variant-viewer --help.")
    look = _look(wanted)
    worst = 0
    for name in wanted.files:
        try:
            worst = max(worst, look(name, wanted.choice))
        except (Problem, files.FileProblem) as problem:
            sys.stdout.flush()
            print(f"variant-viewer: {problem}", file=sys.stderr)
            worst = 2
    return worst


def _look(wanted: argparse.Namespace) -> Callable[[str, Choice], int]:
    """What to do with each file."""
    if wanted.json or wanted.engine is not None or wanted.objects:
        from viewer.cli_explain import checker

        special = checker(wanted)
        return lambda name, fixed: _check(name, fixed) if _is_capture(name) else special(name, fixed)
    return _check


def _is_capture(name: str) -> bool:
    """Whether a file begins as captures do; standard input is none."""
    from viewer.container.capture import is_capture

    try:
        with Path(name).open("rb") as stream:
            return name != STDIN and is_capture(stream.read(12))
    except OSError:
        return False


def _check(name: str, fixed: Choice) -> int:
    if _is_capture(name):
        from viewer.cli_packets import check_capture

        return check_capture(name, fixed)
    code = 0
    for found in findings(open_document(name, fixed)):
        print(f"{name}:0x{found.span.start:X}: {found.line}")
        code = 1 if found.severity is Severity.ERROR else code
    return code


def get(wanted: argparse.Namespace) -> int:
    """``get FILE PATH [--json]``."""
    need(wanted, "get", ("file", "a FILE"), ("path", "a PATH"))
    document = open_document(wanted.file, wanted.choice)
    try:
        item = parse_path(document, wanted.path)
        if wanted.json:
            _print(chunks(item_json(document, item)))
        else:
            sys.stdout.write(item_literal(document, item))
    except (PathError, EditError) as error:
        raise Problem(str(error)) from error
    print()
    return 0


def find(wanted: argparse.Namespace) -> int:
    """``find FILE PATTERN [--json]``."""
    need(wanted, "find", ("file", "a FILE"), ("pattern", "a PATTERN"))
    document = open_document(wanted.file, wanted.choice)
    try:
        query = parse_query(wanted.pattern, wanted.case)
        if query.is_empty:
            raise Problem("There is nothing to look for; name a text, a number or “hex: 10 4? ??”.")
        for place in found_places(document, query):
            line = place.json if wanted.json else f"{wanted.file}:0x{place.offset:X}: {place.path}: {place.text}"
            print(line)
    except (QueryError, SearchError) as error:
        raise Problem(str(error)) from error
    return 0


def encode(wanted: argparse.Namespace) -> int:
    """``encode IN.json -o OUT``."""
    need(wanted, "encode", ("file", "an IN.json"), ("out", "-o OUT"))
    raw = read_stdin() if wanted.file == STDIN else files.read_whole(Path(wanted.file))
    fixed: Choice = wanted.choice
    try:
        data = encode_json(raw.decode("utf-8-sig"), fixed.dialect, fixed.precision, fixed.framing)
    except UnicodeDecodeError as error:
        raise Problem(f"“{wanted.file}” is not JSON: byte {error.start} is not UTF-8.") from error
    except UndumpError as error:
        raise Problem(f"“{wanted.file}”: {error}") from error
    write(wanted.out, data)
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "dump": dump,
    "check": check,
    "get": get,
    "find": find,
    "encode": encode,
}
"""The sub-commands by name."""
