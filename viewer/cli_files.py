"""What the sub-commands do with files: open one with its wraps, write bytes, and say which argument is lacking."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from viewer.buffer import Buffer, stretches
from viewer.cli_input import STDIN, Problem, read_stdin
from viewer.container.layer import KeyNeeded
from viewer.document import files
from viewer.document.document import Document
from viewer.document.reading import Choice
from viewer.document.wraps import Opening


def open_document(name: str, fixed: Choice) -> Document:
    """The document in a file or on standard input.

    Raises:
        FileProblem: it cannot be read.
        Problem: it is wrapped in a way that cannot be opened.
    """
    data: Buffer
    data, stamp = (read_stdin(), None) if name == STDIN else files.read(Path(name))
    path = None if name == STDIN else Path(name)
    document = Document(data, path, name=name, choice=fixed, stamp=stamp)
    blocked = document.wraps.blocked
    if blocked is not None and fixed.framing is not None and not document.wraps.needs_key:
        return document.opened_as(Opening(()))  # who names a framing means these bytes, however they begin
    if blocked is not None:
        raise Problem(f"“{name}”: {_key_hint(document)}")
    return document


def _key_hint(document: Document) -> str:
    """Why the values cannot be reached, and which option helps."""
    if isinstance(document.wraps.blocked, KeyNeeded):
        return "it is encrypted; give --password TEXT or --key HEX, or --layers none to see its bytes as they are."
    return str(document.wraps.blocked)


def write(out: str, data: Buffer) -> None:
    """Write bytes to a file or to standard output."""
    if out == STDIN:
        sys.stdout.flush()
        for _, piece in stretches(data, size=files.CHUNK):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    else:
        files.write(Path(out), data, backup=False)


def need(wanted: argparse.Namespace, command: str, *names: tuple[str, str]) -> None:
    """Make sure that these arguments are given.

    Raises:
        Problem: one is not.
    """
    lacking = [label for name, label in names if getattr(wanted, name) is None]
    if lacking:
        raise Problem(f"{command} needs {' and '.join(lacking)}; see variant-viewer --help.")
