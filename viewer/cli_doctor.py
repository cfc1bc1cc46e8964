"""The sub-command that says what went wrong with bytes that do not read, and mends them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from viewer.cli_files import exit_code, need, open_document, save, write
from viewer.cli_input import STDIN, Problem
from viewer.document.doctor import DOUBTFUL, Answer, Repair, Sample, diagnose, examine, preview
from viewer.document.document import Document
from viewer.unseen import printable

HEALTHY = "Nothing seems to be wrong."
UNEXPLAINED = "Something is wrong, as `check` says, but nothing that was tried explains it."
UNLIKELY = "If the game refuses these bytes all the same:"


def doctor(wanted: argparse.Namespace) -> int:
    """``doctor FILE [--apply N] [-o OUT]``: 0 where it was mended, else what ``check`` ends with."""
    need(wanted, "doctor", ("file", "a FILE"))
    if wanted.apply is None and wanted.out is not None:
        raise Problem("doctor writes what a repair makes of the bytes: name its number with --apply N.")
    document = open_document(wanted.file, wanted.choice)
    answer = examine(document)
    repairs = list(answer.repairs)
    if wanted.apply is not None:
        _apply(wanted, document, _chosen(repairs, wanted.apply))
        return 0
    code = exit_code(document)
    for line in _told(answer, is_wrong=bool(code)):
        print(line)
    return code


def _told(answer: Answer, is_wrong: bool) -> Iterator[str]:
    """The answer for a terminal.

    Args:
        answer: what the doctor found.
        is_wrong: whether an engine refuses something.
    """
    repairs = answer.repairs
    is_sound = not is_wrong and not any(each.confidence > DOUBTFUL or not each.can_be_applied for each in repairs)
    if is_sound and not answer.cut:
        yield HEALTHY
        yield from (UNLIKELY,) if repairs else ()
    elif is_wrong and not repairs and not answer.cut:
        yield UNEXPLAINED
    for number, repair in enumerate(repairs, 1):
        yield from lines(number, repair)
    if answer.cut:
        yield answer.cut


def lines(number: int, repair: Repair) -> Iterator[str]:
    """One repair for a terminal."""
    yield f"{number}. {repair.sentence} ({repair.cause.slug}, {repair.confidence:.0%})"
    yield f"   {printable(repair.reason)}"
    if repair.before is not None and repair.after is not None:
        yield f"   {_sample(repair.before)} -> {repair.after.text}"
    if repair.choice is not None and repair.choice.dialect is not None:
        framing = f", {repair.choice.framing.value}" if repair.choice.framing is not None else ""
        yield f"   Read it as {repair.choice.dialect.name}{framing}."
    if repair.note:
        yield f"   {repair.note}"


def _sample(sample: Sample) -> str:
    return f"0x{sample.offset:X}: {sample.text}"


def _chosen(repairs: list[Repair], text: str) -> Repair:
    """The repair with a number.

    Raises:
        Problem: there is none, or it changes no bytes.
    """
    if not repairs:
        raise Problem("There is nothing to apply: no repair was found.")
    digits = text.isascii() and text.isdigit() and len(text) < 4
    number = int(text) if digits else 0
    if not 1 <= number <= len(repairs):
        raise Problem(f"--apply is the number of a repair, 1 to {len(repairs)}, not “{text[:20]}”.")
    repair = repairs[number - 1]
    if repair.edit is None:
        raise Problem(f"Repair {number} changes no bytes: {repair.note or repair.reason}")
    return repair


def _apply(wanted: argparse.Namespace, document: Document, repair: Repair) -> None:
    """Write the bytes as a repair leaves them, wrapped as they were; in place with a ``.bak`` without ``-o``."""
    if wanted.file == STDIN and wanted.out is None:
        raise Problem("Standard input cannot be changed in place: name a file behind -o.")
    assert repair.edit is not None
    left = diagnose(preview(document, repair))
    document.apply(repair.edit)
    if wanted.out is not None:
        write(wanted.out, document.to_be_written())
    else:
        save(document)
    if any(each.can_be_applied for each in left):
        print("variant-viewer: something else is wrong too; look at it with doctor again.", file=sys.stderr)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"doctor": doctor}
"""The sub-commands by name."""
