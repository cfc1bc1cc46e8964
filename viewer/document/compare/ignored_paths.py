"""Paths that always change and are ignored on wish: remembered for each folder, proposed from a few saves.

What is remembered is one small JSON file for each folder, in a folder of the person, for its owner alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from viewer.base.progress import Progress
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import DifferenceKind
from viewer.document.compare.path_patterns import DEEP
from viewer.document.disk.private_files import close_to_others, make_private, write_private
from viewer.document.document import Document
from viewer.document.path import format_path, last_segment

FOLDER = "ignored"
ENDING = ".ignored"
LARGEST = 1 << 16
MOST_PATTERNS, LONGEST_PATTERN = 200, 1000
INDEX = re.compile(r"\[\d+\]")


class IgnoredProblem(Exception):
    """What is ignored cannot be remembered; the text is one sentence that says why."""


def patterns_for(path: str) -> list[str]:
    """The patterns that a person may want ignored for a path: that key wherever it is, and this path alone."""
    _, last = last_segment(path)
    out = [f"{DEEP}{last}"] if last.startswith(".") else []
    return [*out, path]


def load(folder: Path, file: Path | None) -> tuple[str, ...]:
    """What is ignored for the folder of a file; nothing where that is not remembered or cannot be understood."""
    if file is None:
        return ()
    place = _place(folder, file.absolute().parent)
    close_to_others(folder)
    try:
        if place.stat().st_size > LARGEST:
            return ()
        row = json.loads(place.read_text(encoding="utf-8"))
        found = row["ignore"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ()
    if not isinstance(found, list):
        return ()
    return tuple(each for each in found if isinstance(each, str) and 0 < len(each) <= LONGEST_PATTERN)[:MOST_PATTERNS]


def keep(folder: Path, file: Path | None, patterns: Sequence[str]) -> None:
    """Remember what is ignored for the folder of a file, instead of what was before.

    Raises:
        IgnoredProblem: there is no file, or the folder cannot be written; what was remembered before is still there.
    """
    if file is None:
        raise IgnoredProblem("These bytes have no file yet, so that what is ignored holds for this window alone.")
    kept = [each for each in patterns if 0 < len(each) <= LONGEST_PATTERN][:MOST_PATTERNS]
    place = _place(folder, file.absolute().parent)
    row = {"folder": str(file.absolute().parent), "ignore": kept}
    try:
        if kept:
            make_private(folder)
            write_private(place, f"{json.dumps(row, indent=1)}\n".encode())
        else:
            place.unlink(missing_ok=True)
    except OSError as error:
        why = error.strerror or "it is not known why"
        raise IgnoredProblem(f"What is ignored cannot be remembered in “{folder}” ({why}).") from None


def _place(folder: Path, where: Path) -> Path:
    """The JSON file for a folder; its name is a digest, since paths hold what names of files may not."""
    return folder / f"{hashlib.sha256(os.fsencode(where)).hexdigest()[:32]}{ENDING}"


def learned(saves: Sequence[Document], progress: Progress | None = None) -> list[str]:
    """Patterns of the values that differ between every two saves that follow each other, in the order of the last one.

    A key that differs each time wherever it stands becomes one pattern for all places.

    Args:
        saves: three or more of the same game, in the order in which they were written; two say little.
        progress: as for a comparison.

    Raises:
        Cancelled: *progress* gave up.
    """
    changed: list[dict[str, None]] = []
    for old, new in pairwise(saves):
        found = compare(old, new, None, progress)
        rows = [row for row in found.changes if row.kind is DifferenceKind.CHANGED and row.new is not None]
        changed.append(dict.fromkeys(INDEX.sub("[*]", _plain(format_path(new, row.new))) for row in rows if row.new))
    if not changed:
        return []
    always = [path for path in changed[-1] if all(path in each for each in changed)]
    sometimes = {path for each in changed for path in each} - set(always)
    out: list[str] = []
    for path in always:
        _, last = last_segment(path)
        name = f"{DEEP}{last}"
        is_lone = not any(last_segment(other)[1] == last for other in sometimes)
        pattern = name if last.startswith(".") and is_lone else path
        if pattern not in out:
            out.append(pattern)
    return out


def _plain(path: str) -> str:
    """A path without the number of its frame, which a pattern may leave out."""
    return re.sub(r"^\[\d+\](?=[.\[])", "", path)
