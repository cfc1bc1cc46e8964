"""The sub-commands that look at what values files hold: dump, check, get, find; and encode, the way back from a dump.

Each imports what it works with by itself: many of them run a thousand times in a row, in the loop of a shell.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.base.unseen import printable
from viewer.cli.file_access import (
    enter,
    exit_code,
    likely_cause,
    need,
    one_of_several,
    open_document,
    open_knowing,
    tell_kept,
    write,
)
from viewer.cli.input import STDIN, Problem, read_stdin
from viewer.document.disk import files
from viewer.document.pieces.framing import uncollected
from viewer.document.reading import ReadOptions

if TYPE_CHECKING:
    from viewer.document.document import Document

MANY = 1 << 6
"""So many files are checked on all processors; of fewer, other processes would have to be waited for."""
NOTHING = "Nothing is wrong."
"""What a terminal is told where there is no finding."""


def _print(pieces: Iterable[str]) -> None:
    for piece in pieces:
        sys.stdout.write(piece)


# Commands


def print_text(name: str, fixed: ReadOptions, inside: str | None = None) -> int:
    """The text view of a file, or of what is inside the value with a path."""
    from viewer.document.export.path_room import PathRoom
    from viewer.document.export.text_view import text_view

    document = _inside(open_knowing(name, fixed), inside)
    room = PathRoom(len(document.buffer))
    with uncollected():
        _print(f"{line}\n" for line in text_view(document, room))
    _warn(room.left_out)
    return exit_code(document)


def _inside(document: Document, path: str | None) -> Document:
    """What is inside a value, the document itself where none is named.

    Raises:
        Problem: nothing is.
    """
    if path is None:
        return document
    from viewer.document.path import INSIDE, PathError

    try:
        return enter(document, f"{path}{INSIDE}0").document
    except PathError as error:
        raise Problem(str(error)) from error


def dump(wanted: argparse.Namespace) -> int:
    """``dump FILE [--json|--values|--plain] [--inside PATH]``; --plain ends with 0 however broken the bytes are."""
    need(wanted, "dump", ("file", "a FILE"))
    if wanted.json + wanted.values + wanted.plain > 1:
        raise Problem("Give only one of --json, --values and --plain: a dump is one of them.")
    if wanted.plain:
        from viewer.document.export.plain_dump import plain_dump

        with uncollected():
            _print(
                f"{line}\n" for line in plain_dump(_inside(open_document(wanted.file, wanted.choice), wanted.inside))
            )
        return 0
    if not wanted.json and not wanted.values:
        return print_text(wanted.file, wanted.choice, wanted.inside)
    document = _inside(open_knowing(wanted.file, wanted.choice), wanted.inside)
    if wanted.values:
        from viewer.document.export.value_json import values

        with uncollected():
            _print(values(document))
        return exit_code(document)
    from viewer.document.export import dump as dumper
    from viewer.document.export.path_room import PathRoom

    room = PathRoom(len(document.buffer))
    with uncollected():
        _print(dumper.dump(document, room))
    _warn(room.left_out)
    return exit_code(document)


def check(wanted: argparse.Namespace) -> int:
    """``check FILE... [--engine NAME|all] [--objects] [--json]``: the worst of all files counts."""
    if not wanted.files:
        raise Problem("check needs a FILE; see variant-viewer --help.")
    one = checker(wanted)
    if len(wanted.files) < MANY or STDIN in wanted.files or wanted.choice.opening.secret is not None:
        return max(map(one, wanted.files))
    from viewer.cli.check_pool import checked

    worst = 0
    with contextlib.closing(checked(wanted, one)) as results:
        for code, out, err in results:
            sys.stdout.write(out)
            if err:
                sys.stdout.flush()
                sys.stderr.write(err)
            worst = max(worst, code)
    return worst


def checker(wanted: argparse.Namespace) -> Callable[[str], int]:
    """What ``check`` does with each file: it prints what it finds, and returns the exit code."""
    look = _look(wanted)
    return lambda name: one_of_several(look, name, wanted.choice)


def _look(wanted: argparse.Namespace) -> Callable[[str, ReadOptions], int]:
    """What to do with each file."""
    if wanted.json or wanted.engine is not None or wanted.objects or wanted.call is not None:
        from viewer.cli.diagnosis import checker

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


def _check(name: str, fixed: ReadOptions) -> int:
    if _is_capture(name):
        from viewer.cli.captures import check_capture

        return check_capture(name, fixed)
    from viewer.document.export.findings_export import findings
    from viewer.document.export.path_room import PathRoom

    document = open_document(name, fixed)
    room = PathRoom(len(document.buffer))
    is_silent = True
    for found in findings(document, likely_cause(document), room):
        print(f"{printable(name)}:0x{found.span.start:X}: {found.line}")
        is_silent = False
    _warn(room.left_out)
    code = exit_code(document)
    if is_silent and not code and sys.stdout.isatty():
        print(f"{printable(name)}: {NOTHING}")  # who looks on is answered; what reads the findings gets these alone
    return code


def get(wanted: argparse.Namespace) -> int:
    """``get FILE PATH [--json]``."""
    from viewer.document.edits.slots import EditError
    from viewer.document.export.item_text import item_json, item_pieces
    from viewer.document.path import PathError

    need(wanted, "get", ("file", "a FILE"), ("path", "a PATH"))
    document = open_knowing(wanted.file, wanted.choice)
    try:
        level = enter(document, wanted.path)
        tell_kept(level, wanted.path)
        if wanted.json:
            with uncollected():
                _print(item_json(level.document, level.item()))
        else:
            _print(item_pieces(level.document, level.item()))
    except (PathError, EditError) as error:
        raise Problem(str(error)) from error
    print()
    return exit_code(document)


def find(wanted: argparse.Namespace) -> int:
    """``find FILE PATTERN [--json] [--nested]``."""
    from viewer.document.export.findings_export import found_places
    from viewer.document.searching.query import QueryError, SearchError, parse_query

    need(wanted, "find", ("file", "a FILE"), ("pattern", "a PATTERN"))
    document = open_knowing(wanted.file, wanted.choice)
    try:
        query = parse_query(wanted.pattern, wanted.case)
        if query.is_empty:
            raise Problem("There is nothing to look for; name a text, a number or “hex: 10 4? ??”.")
        places = found_places(document, query, _warn)
        if wanted.nested:
            from viewer.document.export.nested_places import found_inside

            places = chain(places, found_inside(document, query, _warn))
        for place in places:
            line = f"{printable(wanted.file)}:0x{place.offset:X}: {place.path or '…'}: {place.text}"
            print(place.json if wanted.json else line)
    except (QueryError, SearchError) as error:
        raise Problem(str(error)) from error
    return 0


def _warn(sentence: str) -> None:
    """Say something beside the output, if there is something to say."""
    if sentence:
        sys.stdout.flush()
        print(f"variant-viewer: {sentence}", file=sys.stderr)


def encode(wanted: argparse.Namespace) -> int:
    """``encode IN.json -o OUT``."""
    from viewer.document.export.undump import UndumpError, encode_json

    need(wanted, "encode", ("file", "an IN.json"), ("out", "-o OUT"))
    raw = read_stdin() if wanted.file == STDIN else files.read_whole(Path(wanted.file))
    fixed: ReadOptions = wanted.choice
    try:
        text = raw.decode("utf-8-sig")
        data = encode_json(text, fixed.dialect, fixed.precision, fixed.framing, fixed.big_endian)
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
