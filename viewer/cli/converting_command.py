"""``convert``: the values of files as another kind of file, or for another engine line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from viewer.base.record import dataclass
from viewer.base.unseen import printable
from viewer.cli.file_access import need, open_document, remark_wraps, write
from viewer.cli.input import STDIN, Problem
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.export.converting import (
    SAME,
    TARGETS,
    CannotConvertError,
    ConversionChoice,
    ConvertedFile,
    converted,
)
from viewer.document.export.other_engine import for_engine
from viewer.document.export.player_script import TARGET, player_script
from viewer.document.pieces.framing import uncollected
from viewer.variant.convert.substitutes import COLLECTION_TYPES, Substitute, homeless
from viewer.variant.dialect import Precision, keys, load

REAL = {"single": Precision.SINGLE, "double": Precision.DOUBLE}
KINDS_OF_VALUES = {"typed": COLLECTION_TYPES}


@dataclass(frozen=True, slots=True)
class _Target:
    """What files shall become: a kind, the engine line that reads it, how wide its reals are, and what stands there
    instead of types that it lacks, by the words of the command line."""

    kind: str
    line: str | None
    precision: Precision | None
    instead: dict[str, Substitute]


def convert(wanted: argparse.Namespace) -> int:
    """``convert FILE... --to KIND[:LINE[:PRECISION]] [--instead TYPE=WHAT] [--report] [--allow-loss] [-o OUT]``.

    1, and nothing is written, where something would be lost; of many files the others are written all the same. The
    kind ``same`` keeps what the file is, and its wraps; all others are written without wraps. ``--gdscript -o OUT.gd``
    writes a script that does it elsewhere.
    """
    if wanted.gdscript:
        return _script(wanted)
    if wanted.file is None or not wanted.report:
        need(wanted, "convert", ("file", "a FILE"), ("to", "--to KIND"), ("out", "-o OUT"))
    need(wanted, "convert", ("to", "--to KIND"))
    target = _target(wanted.to, wanted.instead)
    names = [wanted.file, *wanted.more]
    if wanted.report and wanted.out == STDIN:
        raise Problem("--report prints to standard output; give -o a file.")
    if len(names) == 1:
        return _one(wanted, target, wanted.file, wanted.out)
    return _many(wanted, target, names)


def _script(wanted: argparse.Namespace) -> int:
    """Write the script that converts where the players are."""
    if wanted.file is not None:
        raise Problem("--gdscript is for files that are not here: it takes none.")
    if wanted.to not in (None, TARGET, f"{SAME}:{TARGET}") or wanted.instead or wanted.report:
        raise Problem("--gdscript converts saves of Godot 3 to Godot 4; it takes only -o OUT.gd.")
    need(wanted, "convert --gdscript", ("out", "-o OUT.gd"))
    write(wanted.out, player_script().encode())
    return 0


def _many(wanted: argparse.Namespace, target: _Target, names: list[str]) -> int:
    """Each file under its own name in the folder OUT; 2 where one cannot be converted, which is said."""
    folder = Path(wanted.out) if wanted.out is not None else None
    if folder is not None and not folder.is_dir():
        raise Problem(f"Several files are written into a folder, and “{wanted.out}” is not one; create it first.")
    outs = [Path(name).name for name in names]
    twice = next((out for out in outs if outs.count(out) > 1), None)
    if twice is not None and folder is not None:
        raise Problem(f"Two of the files are called “{twice}”; convert them into folders of their own.")
    code = 0
    for name, out in zip(names, outs, strict=True):
        try:
            code = max(code, _one(wanted, target, name, None if folder is None else str(folder / out)))
        except (Problem, FileProblem) as problem:
            print(f"variant-viewer: {printable(str(problem))}", file=sys.stderr)
            code = 2
    return code


def _one(wanted: argparse.Namespace, target: _Target, name: str, out: str | None) -> int:
    """Convert a file; without a place to write to, only tell what becomes of it."""
    document = open_document(name, wanted.choice)
    try:
        with uncollected():
            found = _made(document, target)
    except CannotConvertError as error:
        raise Problem(f"“{name}”: {error}") from error
    if wanted.report:
        _tell(name, found)
    else:
        for sentence in found.lost:
            print(f"variant-viewer: {printable(sentence)}", file=sys.stderr)
    if found.lost and not wanted.allow_loss:
        if out is not None:
            print("variant-viewer: Nothing was written; --allow-loss writes it anyway.", file=sys.stderr)
        return 1
    if out is None:
        return 0
    if document.wraps.is_secret and target.kind != SAME:
        print("variant-viewer: This is written without its encryption; --to same:LINE keeps it.", file=sys.stderr)
    write(out, found.data)
    if target.kind == SAME and found.data != bytes(document.to_be_written()[:]):
        remark_wraps(document)
    return 0


def _made(document: Document, target: _Target) -> ConvertedFile:
    substitutes = {KINDS_OF_VALUES.get(name, name): what for name, what in target.instead.items()}
    offered = homeless(document.dialect, load(target.line)) if target.line is not None else {}
    for name, what in substitutes.items():
        if name in offered and what not in offered[name]:
            choices = ", ".join(one.value for one in offered[name])
            raise Problem(f"--instead {name}={what.value} is not possible; {name} may become {choices}.")
    choice = ConversionChoice(target.precision, substitutes)
    if target.kind == SAME:
        assert target.line is not None
        return for_engine(document, target.line, choice)
    return converted(document, target.kind, target.line, choice)


def _tell(name: str, found: ConvertedFile) -> None:
    """Print what becomes of every value that is not the same afterwards."""
    if found.record is None:
        print(printable(f"{name}: {'nothing is lost' if not found.lost else 'with losses'}"))
        for sentence in found.lost:
            print(f"  {printable(sentence)}")
        return
    print(printable(f"{name}: {found.record.words()}"))
    for change in found.record.changes:
        print(f"  {change.outcome.value:<8} {printable(str(change))}")
    if found.record.untold:
        print(f"  and {found.record.untold} more")


def _target(to: str, instead: list[str]) -> _Target:
    """What is wanted.

    Raises:
        Problem: there is no such thing.
    """
    parts = to.split(":")
    if parts[0] in keys():
        parts.insert(0, SAME)
    kind, line, real = (*parts, "", "")[:3]
    known = kind in (*TARGETS, SAME) and (not line or line in keys()) and (not real or real in REAL)
    if not known or len(parts) > 3 or (kind == SAME and not line):
        lines = ", ".join(keys())
        raise Problem(
            f"--to takes {', '.join(TARGETS)} or {SAME}, after a colon the engine line that reads it: {lines}; and"
            " after another one, where it may be either, how wide its reals are: single or double."
        )
    return _Target(kind, line or None, REAL.get(real), dict(map(_substitute, instead)))


def _substitute(text: str) -> tuple[str, Substitute]:
    """A choice for a type.

    Raises:
        Problem: it is none.
    """
    name, _, what = text.partition("=")
    known = {load(key).rows[k].name for key in keys() for k in range(len(load(key).rows))} | KINDS_OF_VALUES.keys()
    chosen = next((one for one in Substitute if one.value.lower() == what.lower()), None)
    if name not in known or chosen is None:
        words = ", ".join(one.value for one in Substitute)
        raise Problem(
            f"“{text}” is not a choice; --instead takes one like Vector2i=String: a type, or typed for collections that"
            f" say what they hold, and what it becomes: {words}."
        )
    return name, chosen


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"convert": convert}
"""The sub-commands by name."""
