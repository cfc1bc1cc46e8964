"""The sub-commands for wraps: take them off a file, and put them around other bytes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from viewer.base.buffer import Buffer
from viewer.cli.file_access import need, size_hint, write
from viewer.cli.input import STDIN, Problem, read_stdin
from viewer.container.layer import WrapError
from viewer.container.new_wrap import fresh
from viewer.document.detection.detect import holds_only_values, looks_like_values
from viewer.document.disk import files
from viewer.document.reading import ReadOptions
from viewer.document.wraps import Wraps, take_off


def unwrap(wanted: argparse.Namespace) -> int:
    """``unwrap FILE -o OUT``: the bytes inside all wraps, or inside those that --layers names."""
    need(wanted, "unwrap", ("file", "a FILE"), ("out", "-o OUT"))
    write(wanted.out, opened(wanted.file, wanted.choice).inside)
    return 0


def wrap(wanted: argparse.Namespace) -> int:
    """``wrap FILE --like ORIGINAL -o OUT`` or ``wrap FILE --as NAME,NAME -o OUT``, the outermost name first."""
    need(wanted, "wrap", ("file", "a FILE"), ("out", "-o OUT"))
    if (wanted.like is None) == (wanted.as_ is None):
        raise Problem("wrap needs --like ORIGINAL, a file wrapped the same way, or --as NAME,NAME, and not both.")
    inside = bytes(_bytes(wanted.file)[:])
    fixed: ReadOptions = wanted.choice
    try:
        if wanted.like is not None:
            write(wanted.out, opened(wanted.like, fixed).put_on(inside).outside)
            return 0
        for name in reversed(wanted.as_.split(",")):
            inside = fresh(name.strip(), fixed.opening.secret).wrap(inside)
    except WrapError as error:
        raise Problem(str(error)) from error
    write(wanted.out, inside)
    return 0


def opened(name: str, fixed: ReadOptions) -> Wraps:
    """The wraps of a file, all taken off.

    Raises:
        Problem: one of them cannot be.
        FileProblem: the file cannot be read.
    """
    found = take_off(_bytes(name), fixed.opening, looks_like_values, holds_only_values)
    if found.blocked is not None:
        hint = " Give --password-file FILE or --key-file FILE." if found.needs_key else size_hint(found)
        raise Problem(f"“{name}”: {found.blocked}{hint}")
    return found.around_text


def _bytes(name: str) -> Buffer:
    return read_stdin() if name == STDIN else files.read(Path(name))[0]


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"unwrap": unwrap, "wrap": wrap}
"""The sub-commands by name."""
