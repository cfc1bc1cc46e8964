"""What the sub-commands do with files: open one with its wraps, write bytes, and say which argument is lacking."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.base.buffer import Buffer, stretches
from viewer.base.unseen import printable
from viewer.cli.input import STDIN, Problem, read_stdin
from viewer.container.layer import KeyNeeded
from viewer.container.unpacking import size_in_words
from viewer.document.damage import has_error, is_damaged, may_be_damaged
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.path import INSIDE, PathLevel
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions, Wraps

if TYPE_CHECKING:  # loaded where something is wrong
    from viewer.document.doctor.likely import LikelyCause

MOST_LEARNED = 1 << 18
"""Bytes of the largest damaged file whose mistake is looked for before its values are told."""


def open_document(name: str, fixed: ReadOptions) -> Document:
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
        return document.opened_as(UnwrapOptions(()))  # who names a framing means these bytes, however they begin
    if blocked is not None:
        raise Problem(f"“{name}”: {_key_hint(document)}")
    return document


def open_knowing(name: str, fixed: ReadOptions) -> Document:
    """The same, where something is wrong read by who knows the mistake, if the doctor is sure of one."""
    document = open_document(name, fixed)
    learn(document)
    return document


def enter(document: Document, path: str) -> PathLevel:
    """The document that a path counts in: this one, or one inside a value of it.

    Raises:
        PathError: a value on the way is not there, or nothing is inside it.
    """
    if INSIDE not in path:
        return PathLevel(document, path)
    from viewer.document.nested.nested_document import enter as entered

    return entered(document, path, document.wraps.secret)


def tell_kept(level: PathLevel, path: str) -> None:
    """Say so where engines keep another value than the one that a path names: that of a later, equal key."""
    from viewer.document.path import kept_instead

    kept = kept_instead(level.document, level.item())
    if kept is not None:
        told = f"this key occurs again, and engines keep only the last value: {level.path_of(kept)}"
        print(f"variant-viewer: {printable(path)}: {told}", file=sys.stderr)


def learn(document: Document) -> None:
    """Have the values of damaged bytes read by who knows the mistake, if how to read them is left open."""
    is_open = document.choice.leaves_all_open and document.wraps.blocked is None
    if is_open and len(document.buffer) <= MOST_LEARNED and is_damaged(document):
        from viewer.document.doctor import examine
        from viewer.document.doctor.as_mended import read_as_mended

        reading = read_as_mended(document, examine(document).repairs)
        if reading is not None:
            document.learn(reading)


def one_of_several(look: Callable[[str, ReadOptions], int], name: str, fixed: ReadOptions) -> int:
    """The exit code for one file of several: what hinders it is told, and ends nothing but its own turn."""
    try:
        return look(name, fixed)
    except (Problem, files.FileProblem) as problem:
        sys.stdout.flush()
        print(f"variant-viewer: {printable(str(problem))}", file=sys.stderr)
        return 2


def _key_hint(document: Document) -> str:
    """Why the values cannot be reached, and which option helps."""
    if isinstance(document.wraps.blocked, KeyNeeded):
        return "it is encrypted; give --password-file or --key-file, or --layers none to see its bytes as they are."
    return f"{document.wraps.blocked}{size_hint(document.wraps)}"


def size_hint(wraps: Wraps) -> str:
    """Which option lets more bytes come out of the wraps, where more would than may; else nothing."""
    needed = wraps.too_large
    if not needed:
        return ""
    size = size_in_words(needed).replace(" ", "").removesuffix("iB")
    return f" Give --max-unpacked {size} if you trust it, or --layers none to see its bytes as they are."


def write(out: str, data: Buffer) -> None:
    """Write bytes to a file, whose previous version stays as ``.bak``, or to standard output."""
    if out == STDIN:
        sys.stdout.flush()
        for _, piece in stretches(data, size=files.CHUNK):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    else:
        remark(files.write(Path(out), data).remarks)


def save(document: Document) -> None:
    """Write a document to where it came from."""
    remark(document.save())


def remark(sentences: Sequence[str]) -> None:
    """Say what could not be kept as it was."""
    for sentence in sentences:
        print(f"variant-viewer: {sentence}", file=sys.stderr)


def remark_wraps(document: Document) -> None:
    """Say what may come of a changed file of which a wrap does not change with it."""
    remark([kept for wrap in document.wraps.around if (kept := getattr(wrap.form, "kept", ""))])


def exit_code(document: Document) -> int:
    """1 where something is wrong with the bytes, as ``check`` says it, or they are no stored values, else 0."""
    return int(has_error(document) or foreign_kind(document) is not None)


def likely_cause(document: Document) -> LikelyCause | None:
    """What most probably went wrong, None where nothing is wrong or nobody knows."""
    if not may_be_damaged(document) or foreign_kind(document) is not None:
        return None
    from viewer.document.doctor.likely import looked_for

    return looked_for(document)


def need(wanted: argparse.Namespace, command: str, *names: tuple[str, str]) -> None:
    """Make sure that these arguments are given.

    Raises:
        Problem: one is not.
    """
    lacking = [label for name, label in names if getattr(wanted, name) is None]
    if lacking:
        raise Problem(f"{command} needs {' and '.join(lacking)}; see variant-viewer --help.")
