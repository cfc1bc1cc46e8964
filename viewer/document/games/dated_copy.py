"""A copy of a save beside it, with the moment in its name; nothing is ever written over."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from viewer.base.progress import Cancelled, Progress

PIECE = 1 << 20
MOST_TRIES = 100


class CannotCopy(ValueError):
    """A file that could not be copied; the text is one sentence."""


def copy_beside(path: Path, now: datetime, progress: Progress | None = None) -> Path:
    """Copy a file to one beside it that is not there yet: ``slot1 2026-03-14 20.05.save``.

    Raises:
        CannotCopy: it cannot be read, or nothing can be written there.
        Cancelled: *progress* gave up; nothing is left behind.
    """
    try:
        target, out = _made(path, now)
    except OSError as error:
        raise CannotCopy(f"“{path.name}” could not be copied: {error.strerror}.") from error
    try:
        with open(out, "wb") as copy, open(_source(path), "rb") as original:
            while piece := original.read(PIECE):
                copy.write(piece)
                if progress is not None and not progress(copy.tell()):
                    raise Cancelled
    except (OSError, Cancelled) as error:
        with suppress(OSError):
            target.unlink()
        if isinstance(error, Cancelled):
            raise
        raise CannotCopy(f"“{path.name}” could not be copied: {error.strerror}.") from error
    return target


def _source(path: Path) -> int:
    """The file, opened where it is no link."""
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))


def _made(path: Path, now: datetime) -> tuple[Path, int]:
    """A new file that none has opened before, with as much secrecy as the original."""
    mode = path.stat().st_mode & 0o777
    for number in range(1, MOST_TRIES + 1):
        again = f" {number}" if number > 1 else ""
        target = path.with_name(f"{path.stem} {now:%Y-%m-%d %H.%M}{again}{path.suffix}")
        with suppress(FileExistsError):
            return target, os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    raise FileExistsError(17, "there are too many copies already")
