"""What the window and the sub-commands share: what a person fixed, and where the bytes come from."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli_secret import SecretProblem, secret
from viewer.container.codecs import NAMES
from viewer.container.frames import FramingKind
from viewer.container.secret import Secret
from viewer.container.unpacking import parse_size
from viewer.document import files
from viewer.document.reading import Choice
from viewer.document.wraps import Opening
from viewer.variant.dialect import DialectError, Precision, keys, load

if TYPE_CHECKING:  # loaded where an engine is asked
    from viewer.document.engines.lines import Call

STDIN = "-"
DIALECTS = keys()


class Problem(Exception):
    """The command cannot be done; one sentence says why."""


def choice(wanted: argparse.Namespace) -> Choice:
    """What the common options fix."""
    try:
        dialect = None if wanted.dialect == "auto" else load(wanted.dialect)
    except DialectError as error:
        raise Problem(str(error)) from error
    return Choice(
        dialect,
        None if wanted.precision == "auto" else Precision(wanted.precision),
        _framing(wanted),
        Opening(_layers(wanted.layers), _secret(wanted), _limit(wanted.max_unpacked)),
        None if wanted.byte_order == "auto" else wanted.byte_order == "big",
    )


def call(wanted: argparse.Namespace) -> Call | None:
    """How the game reads, None for what goes with the framing."""
    named = getattr(wanted, "call", None)
    if named is None:
        return None
    from viewer.document.engines.lines import Call

    return Call(named)


def _framing(wanted: argparse.Namespace) -> FramingKind | None:
    """The framing that is named, else the one that the call asks for; None to find it.

    Raises:
        Problem: the call reads no values that follow each other so.
    """
    named = getattr(wanted, "call", None)
    if wanted.framing == "auto":
        return {"file": FramingKind.STORED, "bytes": FramingKind.BARE}.get(named or "")
    framing = FramingKind(wanted.framing)
    if named == "file" and framing is not FramingKind.STORED:
        raise Problem(f"--call file reads values with a length in front, not --framing {framing.value}.")
    return framing


def _limit(text: str | None) -> int | None:
    """How many bytes may come out of the wraps of a file, None where nothing is said."""
    try:
        return None if text is None else parse_size(text)
    except ValueError as error:
        raise Problem(f"--max-unpacked: {error}") from error


def _secret(wanted: argparse.Namespace) -> Secret | None:
    """The key that the options lead to."""
    try:
        return secret(wanted)
    except SecretProblem as error:
        raise Problem(str(error)) from None


def _layers(text: str) -> tuple[str, ...] | None:
    """The names of the wraps that the option lists, None to find them."""
    if text == "auto":
        return None
    names = () if text == "none" else tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in NAMES:
            raise Problem(f"--layers knows no “{name[:40]}”; there are {', '.join(NAMES)}.")
    return names


def read_stdin() -> bytes:
    """All bytes of standard input.

    Raises:
        Problem: it cannot be read.
    """
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise Problem("There is no standard input.")
    try:
        return files.read_stream(stream, "standard input")
    except OSError as error:
        raise Problem(f"Standard input cannot be read: {error.strerror or error}.") from error


@contextlib.contextmanager
def opened_path(name: str | None) -> Iterator[str | None]:
    """A path that holds the file's bytes: a temporary one for standard input."""
    if name != STDIN:
        yield name
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "standard-input.bin")
        path.write_bytes(read_stdin())
        yield str(path)
