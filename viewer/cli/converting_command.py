"""``convert``: the values of a file as another kind of file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from viewer.base.unseen import printable
from viewer.cli.file_access import need, open_document, write
from viewer.cli.input import Problem
from viewer.document.export.converting import SAME, TARGETS, CannotConvertError, converted
from viewer.document.export.other_engine import for_engine
from viewer.variant.dialect import keys


def convert(wanted: argparse.Namespace) -> int:
    """``convert FILE --to KIND[:LINE] [--lossy] -o OUT``: 1, and nothing is written, where something would be lost.

    The kind ``same`` keeps what the file is, and its wraps; all others are written without wraps.
    """
    need(wanted, "convert", ("file", "a FILE"), ("to", "--to KIND"), ("out", "-o OUT"))
    target, _, line = wanted.to.partition(":")
    if target not in (*TARGETS, SAME) or (line and line not in keys()) or (target == SAME and not line):
        lines = ", ".join(keys())
        raise Problem(
            f"--to takes {', '.join(TARGETS)} or {SAME}, and behind a colon the engine line that reads it: {lines}."
        )
    document = open_document(wanted.file, wanted.choice)
    try:
        found = for_engine(document, line) if target == SAME else converted(document, target, line or None)
    except CannotConvertError as error:
        raise Problem(f"“{wanted.file}”: {error}") from error
    for sentence in found.lost:
        print(f"variant-viewer: {printable(sentence)}", file=sys.stderr)
    if found.lost and not wanted.lossy:
        print("variant-viewer: Nothing was written; --lossy writes it all the same.", file=sys.stderr)
        return 1
    if document.wraps.is_secret and target != SAME:
        print("variant-viewer: This is written without its encryption; --to same:LINE keeps it.", file=sys.stderr)
    write(wanted.out, found.data)
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"convert": convert}
"""The sub-commands by name."""
