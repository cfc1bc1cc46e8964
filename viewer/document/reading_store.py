"""Where it is kept how files were read: one small JSON file for each, in a folder of the person, the oldest given up.

What is kept is preferred when the file is opened again. Of the very bytes that were written it is always true; of
others, which a game may have written meanwhile, it is asked whether they still read so.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from viewer.base.progress import Progress
from viewer.base.record import dataclass, replace
from viewer.container.codecs import NAMES
from viewer.container.frames import Framing, FramingKind
from viewer.document.disk import files
from viewer.document.disk.files import FileStamp
from viewer.document.disk.private_files import close_to_others, make_private, write_private
from viewer.document.document import Document
from viewer.document.reading import Preferred, ReadOptions
from viewer.document.wraps import MOST_LAYERS, UnwrapOptions
from viewer.variant.dialect import DialectError, Precision
from viewer.variant.dialect import load as load_dialect

MOST = 1000
"""Files whose reading is kept; of more, those that were kept longest ago are given up."""
LARGEST = 1 << 14
ENDING = ".reading"


class ReadingProblem(Exception):
    """It cannot be kept how a file is read; the text is one sentence that says why and what to do."""


@dataclass(frozen=True, slots=True)
class KeptReading:
    """How a file was read when it was saved, or when a person chose it.

    Args:
        preferred: dialect, precision and framing.
        wraps: the names of the wraps that were taken off, outermost first.
        is_chosen: whether a person chose the engine line; else it was found.
        stamp: the state of the file then.
    """

    preferred: Preferred
    wraps: tuple[str, ...]
    is_chosen: bool
    stamp: FileStamp | None

    @classmethod
    def of(cls, document: Document) -> KeptReading:
        """How a document is read now."""
        way = document.way
        preferred = Preferred(way.dialect, way.precision, way.framing)
        return cls(preferred, document.wraps.names, document.choice.dialect is not None, document.stamp)

    def choice_for(self, path: Path) -> ReadOptions:
        """With what to open the file: everything is settled for the same bytes, and only preferred for others."""
        if self.stamp is None or files.stamp(path) != self.stamp:
            return ReadOptions(preferred=self.preferred)
        way = replace(self.preferred, is_settled=True)
        dialect = way.dialect if self.is_chosen else None
        return ReadOptions(dialect, opening=UnwrapOptions(self.wraps), preferred=way)


def can_be_kept(document: Document) -> bool:
    """Whether the bytes of a document are read as values of a file: nothing is known of what is closed or unread."""
    is_values = document.explain is None and document.structure is None
    is_read = document.task is None and document.wraps.blocked is None and is_values
    return is_read and document.path is not None and not document.carried


def open_as_kept(
    folder: Path | None,
    path: Path,
    choice: ReadOptions | None = None,
    progress: Progress | None = None,
    patience: int | None = None,
    begins: bool = False,
) -> Document:
    """Read a file as it was read last, as far as that is known and its bytes still read so.

    Args:
        folder: where it is kept, None for nowhere.
        path: the file.
        choice: what a person fixes now: where that is how to read it, it stands.
        progress, patience, begins: as for a document.

    Raises:
        FileProblem: it cannot be read.
        Cancelled: *progress* gave up.
    """
    choice = choice or ReadOptions()
    is_open = choice.leaves_all_open and choice.preferred is None and choice.opening.codecs is None
    kept = load(folder, path) if folder is not None and is_open else None
    if kept is not None:
        found = kept.choice_for(path)
        choice = replace(found, opening=replace(choice.opening, codecs=found.opening.codecs))
    return Document.open(path, choice, progress, patience, begins)


def load(folder: Path, file: Path) -> KeptReading | None:
    """How a file was read; None where that is not kept or cannot be understood."""
    if not folder.is_dir():
        return None
    import json

    place = _place(folder, file)
    close_to_others(folder)
    try:
        if place.stat().st_size > LARGEST:
            return None
        return _read(json.loads(place.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, DialectError):
        return None


def keep(folder: Path, document: Document) -> None:
    """Keep how a document is read, with the place of its file, instead of what was kept before.

    Raises:
        ReadingProblem: the folder cannot be written; what was kept before is still there.
    """
    if document.path is None or not can_be_kept(document):
        return
    import json

    kept = KeptReading.of(document)
    way, stamp = kept.preferred, kept.stamp
    row = {
        "file": str(document.path.absolute()),
        "dialect": way.dialect.key,
        "precision": way.precision.value,
        "framing": way.framing.kind.value,
        "big_endian": way.framing.big_endian,
        "wraps": list(kept.wraps),
        "chosen": kept.is_chosen,
        "stamp": [stamp.size, stamp.modified_ns, stamp.inode] if stamp is not None else None,
    }
    place = _place(folder, document.path)
    try:
        make_private(folder)
        write_private(place, f"{json.dumps(row, indent=1)}\n".encode())
        _give_up_oldest(folder)
    except OSError as error:
        why = error.strerror or "it is not known why"
        raise ReadingProblem(f"How this file is read cannot be kept in “{folder}” ({why}): choose it again.") from None


def forget(folder: Path, file: Path) -> None:
    """Keep nothing of a file: how to read it is to be found again."""
    with contextlib.suppress(OSError):
        _place(folder, file).unlink(missing_ok=True)


def _give_up_oldest(folder: Path) -> None:
    places = [entry for entry in os.scandir(folder) if entry.name.endswith(ENDING)]
    if len(places) <= MOST:
        return
    with contextlib.suppress(FileNotFoundError):  # another window may have given it up
        for entry in sorted(places, key=lambda entry: entry.stat().st_mtime_ns)[:-MOST]:
            os.unlink(entry.path)


def _place(folder: Path, file: Path) -> Path:
    """The JSON file for a file; its name is a digest, since paths hold what names of files may not."""
    import hashlib  # which loads a large library

    digest = hashlib.sha256(os.fsencode(file.absolute())).hexdigest()
    return folder / f"{digest[:32]}{ENDING}"


def _read(row: dict[str, Any]) -> KeptReading | None:
    """What a row says.

    Raises:
        ValueError, KeyError, TypeError, DialectError: it says something else.
    """
    framing = Framing(FramingKind(row["framing"]), row["big_endian"] is True)
    preferred = Preferred(load_dialect(row["dialect"]), Precision(row["precision"]), framing)
    wraps = tuple(row["wraps"])
    if len(wraps) > MOST_LAYERS or any(name not in NAMES for name in wraps):
        return None
    numbers = row["stamp"]
    stamp = None
    if numbers is not None:
        size, modified, inode = (int(number) for number in numbers)
        stamp = FileStamp(size, modified, inode)
    return KeptReading(preferred, wraps, row["chosen"] is True, stamp)
