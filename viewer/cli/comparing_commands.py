"""The sub-commands that hold files against each other."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from viewer.base.unseen import printable
from viewer.cli.file_access import exit_code, need, open_document, remark_wraps, write
from viewer.cli.input import STDIN, Problem
from viewer.document.compare.change_script import REMARK, change_script
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import (
    CompareOptions,
    DifferenceKind,
    DocumentComparison,
    ValueDifference,
    counted_kinds,
)
from viewer.document.compare.difference_words import by_words, difference_line, long_texts, summary
from viewer.document.compare.ignored_paths import learned
from viewer.document.compare.merging import merge as merged
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.path import format_path
from viewer.document.pieces.framing import uncollected
from viewer.variant.items import Item

LIMIT = 1 << 16
"""Letters of a value in JSON."""
MARKS = {-1: ("[-", "-]"), 0: ("", ""), 1: ("{+", "+}")}
"""What stands around words that are gone or new, as ``git diff --word-diff`` has it."""


def diff(wanted: argparse.Namespace) -> int:
    """``diff OLD NEW [--json|--bulk|--words] [--ignore …] [--tolerance X] [--pair-by …]``: 1 where values differ."""
    need(wanted, "diff", ("file", "an OLD file"), ("other", "a NEW file"))
    if wanted.file == wanted.other == STDIN:
        raise Problem("Only one of two files can be standard input.")
    if wanted.learn:
        return _learn(wanted)
    if wanted.more:
        raise Problem("diff compares two files; more of them go with --learn.")
    if wanted.json + wanted.bulk + wanted.words > 1:
        raise Problem("Give only one of --json, --bulk and --words.")
    options = _options(wanted)
    old, new = (open_document(name, wanted.choice) for name in (wanted.file, wanted.other))
    with uncollected():
        found = compare(old, new, options)
        for piece in _json(found) if wanted.json else _script(found) if wanted.bulk else _lines(found, wanted.words):
            print(piece)
    return int(not found.is_equal)


def _learn(wanted: argparse.Namespace) -> int:
    """What differs between every two saves that follow each other, as patterns; 1 where nothing does."""
    if wanted.json or wanted.bulk or wanted.words:
        raise Problem("--learn goes without --json, --bulk and --words.")
    names = [wanted.file, wanted.other, *wanted.more]
    if names.count(STDIN) > 1:
        raise Problem("Only one of these files can be standard input.")
    with uncollected():
        found = learned([open_document(name, wanted.choice) for name in names])
    for pattern in found:
        print(printable(pattern))
    return int(not found)


def merge(wanted: argparse.Namespace) -> int:
    """``merge BASE OURS THEIRS -o OUT``: 1 where both changed the same; ours stays there, and each place is told."""
    need(wanted, "merge", ("file", "a BASE"), ("ours", "OURS"), ("theirs", "THEIRS"), ("out", "-o OUT"))
    if [wanted.file, wanted.ours, wanted.theirs].count(STDIN) > 1:
        raise Problem("Only one of three files can be standard input.")
    base, ours, theirs = (open_document(name, wanted.choice) for name in (wanted.file, wanted.ours, wanted.theirs))
    if len(base.buffer):  # git names an empty file where there was none
        _need_sound(wanted.file, base)
    _need_sound(wanted.ours, ours)
    _need_sound(wanted.theirs, theirs)
    try:
        with uncollected():
            found = merged(base, ours, theirs)
        ours.apply(found.edit)
    except EditError as error:
        raise Problem(f"“{wanted.ours}” cannot be merged: {printable(str(error))}") from error
    if wanted.out == STDIN:
        write(STDIN, ours.to_be_written())
    else:
        files.write(Path(wanted.out), ours.to_be_written(), backup=0)  # who merges has all three files
    if found.taken:
        remark_wraps(ours)
    for conflict in found.conflicts:
        print(f"conflict {printable(str(conflict))}", file=sys.stderr)
    count, left = found.taken, len(found.conflicts)
    said = f"{count} {'change' if count == 1 else 'changes'} of theirs taken"
    left_out = f", {left} {'conflict' if left == 1 else 'conflicts'}: ours stays there" if left else ""
    print(f"variant-viewer: {said}{left_out}.", file=sys.stderr)
    return int(bool(left))


def _need_sound(name: str, document: Document) -> None:
    """Damaged files are not merged: what is broken in one would be taken for what its side wanted.

    Raises:
        Problem: an engine refuses something in it, or there is no value.
    """
    if exit_code(document):
        raise Problem(f"“{name}” cannot be merged: it is damaged, as “check” says. Repair it first.")
    if not document.frames and not document.fields:
        raise Problem(f"“{name}” cannot be merged: there is no value in it.")


def _options(wanted: argparse.Namespace) -> CompareOptions:
    try:
        tolerance = float(wanted.tolerance)
    except ValueError:
        tolerance = math.nan
    if not 0 <= tolerance < math.inf:
        raise Problem("--tolerance takes a number, 0 or more: numbers that differ by no more are the same.")
    pair_by = {}
    for words in wanted.pair_by:
        pattern, equals, how = words.rpartition("=")
        if not (pattern and equals and how):
            raise Problem("--pair-by takes the path of an array, and after an equals sign a key, order or place.")
        pair_by[pattern] = how
    return CompareOptions(tuple(wanted.ignore), tolerance, pair_by)


def _lines(found: DocumentComparison, words: bool) -> Iterator[str]:
    for row in found.changes:
        texts = long_texts(found, row) if words else None
        line = difference_line(found, row)
        if texts is None:
            yield printable(str(line))
            continue
        pieces = (f"{MARKS[each.side][0]}{each.text}{MARKS[each.side][1]}" for each in by_words(*texts))
        yield printable(f"{line.kind.value} {line.path}: {''.join(pieces)}")
    sys.stdout.flush()
    print(f"variant-viewer: {printable(summary(found))}", file=sys.stderr)


def _script(found: DocumentComparison) -> Iterator[str]:
    """What `bulk --script` does; what no line can say is said beside it, too."""
    for line in change_script(found):
        if line.startswith(REMARK):
            print(f"variant-viewer: {line.removeprefix(REMARK).strip()}", file=sys.stderr)
        yield line


def _json(found: DocumentComparison) -> Iterator[str]:
    counts = counted_kinds(found.rows)
    about = {
        "old": found.old.name,
        "new": found.new.name,
        "equal": found.is_equal,
        "complete": found.is_complete,
        "ignored": found.ignored,
        "counts": {kind.value: counts.get(kind, 0) for kind in DifferenceKind},
        "paired_by": {
            format_path(found.old, Item(*place)): pairing.by
            for place, (_, _, pairing) in found.pairings.items()
            if pairing.by != "keys"
        },
    }
    yield json.dumps(about)[:-1] + ', "rows": ['
    for number, row in enumerate(found.rows):
        yield json.dumps(_row(found, row)) + ("," if number + 1 < len(found.rows) else "")
    yield "]}"


def _row(found: DocumentComparison, row: ValueDifference) -> dict[str, object]:
    line = difference_line(found, row, LIMIT)
    return {
        "kind": row.kind.value,
        "old_path": _path(found.old, row.old),
        "new_path": _path(found.new, row.new),
        "before": line.before,
        "after": line.after,
        "delta": line.delta,
        "about": row.about,
        **({} if row.old_run is None else {"old_run": [row.old_run.start, row.old_run.stop]}),
        **({} if row.new_run is None else {"new_run": [row.new_run.start, row.new_run.stop]}),
    }


def _path(document: Document, item: Item | None) -> str | None:
    return None if item is None else format_path(document, item)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"diff": diff, "merge": merge}
"""The sub-commands by name."""
