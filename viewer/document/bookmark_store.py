"""Where bookmarks are kept between runs: one small JSON file for each marked file, in a folder of the person."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from viewer.document.anchor import Anchor
from viewer.document.bookmarks import LONGEST_NOTE, Bookmark
from viewer.document.private_files import close_to_others, make_private, write_private

MOST = 1000
LARGEST = 4 << 20
LONGEST_PATH = 4096


class BookmarkProblem(Exception):
    """The bookmarks cannot be kept; the text is one sentence that says why and what to do."""


def load(folder: Path, file: Path) -> list[Bookmark]:
    """The bookmarks kept for a file; none where there are none or they cannot be understood."""
    kept = _kept_in(folder, file)
    close_to_others(folder)
    try:
        if kept.stat().st_size > LARGEST:
            return []
        rows = json.loads(kept.read_text(encoding="utf-8"))["bookmarks"]
        return [mark for row in rows[:MOST] if (mark := _read(row)) is not None]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def keep(folder: Path, file: Path, marks: Sequence[Bookmark], is_secret: bool = False) -> None:
    """Keep the bookmarks of a file instead of those kept before.

    Of what was encrypted (*is_secret*) no path is kept, which names keys: the offset finds the value again.

    Raises:
        BookmarkProblem: the folder cannot be written; what was kept before is still there.
    """
    kept = _kept_in(folder, file)
    try:
        if not marks:
            kept.unlink(missing_ok=True)
            return
        make_private(folder)
        rows = [
            {"path": "" if is_secret else mark.path, "offset": mark.offset, "note": mark.note} for mark in marks[:MOST]
        ]
        text = json.dumps({"file": str(file.absolute()), "bookmarks": rows}, indent=1)
        write_private(kept, f"{text}\n".encode())
    except OSError as error:
        why = error.strerror or "it is not known why"
        raise BookmarkProblem(
            f"The bookmarks cannot be kept in “{folder}” ({why}): they stay until the window is closed."
        ) from None


def _kept_in(folder: Path, file: Path) -> Path:
    """The JSON file for a file; its name is a digest, since paths hold what names of files may not."""
    digest = hashlib.sha256(os.fsencode(file.absolute())).hexdigest()
    return folder / f"{digest[:32]}.json"


def _read(row: object) -> Bookmark | None:
    """One bookmark, None for anything else."""
    if not isinstance(row, dict):
        return None
    path, offset, note = row.get("path"), row.get("offset"), row.get("note", "")
    if not (isinstance(path, str) and isinstance(note, str) and len(path) <= LONGEST_PATH):
        return None
    if not isinstance(offset, int) or isinstance(offset, bool) or not 0 <= offset < 1 << 63:
        return None
    return Bookmark(Anchor(path, None if path else offset), offset, note[:LONGEST_NOTE])
