"""``convert``: the values of a file as another kind of file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from viewer.base.unseen import printable
from viewer.cli.file_access import need, open_document, write
from viewer.cli.input import Problem
from viewer.document.export.converting import TARGETS, CannotConvertError, converted
from viewer.variant.dialect import keys


def convert(wanted: argparse.Namespace) -> int:
    """``convert FILE --to KIND[:LINE] [--lossy] -o OUT``: 1, and nothing is written, where something would be lost."""
    need(wanted, "convert", ("file", "a FILE"), ("to", "--to KIND"), ("out", "-o OUT"))
    target, _, line = wanted.to.partition(":")
    if target not in TARGETS or (line and line not in keys()):
        lines = ", ".join(keys())
        raise Problem(f"--to takes {', '.join(TARGETS)}, and behind a colon the engine line that reads it: {lines}.")
    document = open_document(wanted.file, wanted.choice)
    try:
        found = converted(document, target, line or None)
    except CannotConvertError as error:
        raise Problem(f"“{wanted.file}”: {error}") from error
    for sentence in found.lost:
        print(f"variant-viewer: {printable(sentence)}", file=sys.stderr)
    if found.lost and not wanted.lossy:
        print("variant-viewer: Nothing was written; --lossy writes it all the same.", file=sys.stderr)
        return 1
    write(wanted.out, found.data)
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"convert": convert}
"""The sub-commands by name."""
