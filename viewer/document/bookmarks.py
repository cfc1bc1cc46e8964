"""Bookmarks: places that a person marked, with a note, kept through changes of the bytes and between runs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.disk.private_files import close_to_others, make_private, write_private
from viewer.document.document import Document
from viewer.document.selection import SelectionAnchor
from viewer.document.splice import Move, Splice, landed, moved, touched
from viewer.variant.items import Item

LONGEST_NOTE = 500


@dataclass(frozen=True, slots=True)
class Bookmark:
    """One marked row.

    Args:
        anchor: what it stands at; without a first byte where only the path is known.
        offset: where that begins, or began when it was there last, in the layer.
        note: what the person wrote.
    """

    anchor: SelectionAnchor
    offset: int
    note: str = ""

    @property
    def path(self) -> str:
        """The path of what it stands at."""
        return self.anchor.path

    def find(self, document: Document) -> Item | None:
        """What it stands at now, None where only :attr:`offset` is left to go to."""
        return self.anchor.find(document) if document.task is None else None


class Bookmarks:
    """The bookmarks of one document, in byte order.

    Args:
        marks: those of an earlier run.
    """

    def __init__(self, marks: Sequence[Bookmark] = ()) -> None:
        self._marks: tuple[Bookmark, ...] = tuple(marks)

    @property
    def marks(self) -> tuple[Bookmark, ...]:
        """All of them."""
        return self._marks

    def at(self, document: Document, item: Item) -> Bookmark | None:
        """The bookmark at the row of an item, None where there is none."""
        path = _new(document, item).path
        return next((mark for mark in self._marks if mark.path == path), None)

    def add(self, document: Document, item: Item, note: str = "") -> Bookmark:
        """Mark the row of an item; one that is there already gets the note."""
        old = self.at(document, item)
        mark = replace(_new(document, item), note=note[:LONGEST_NOTE])
        self._put([*(other for other in self._marks if other is not old), mark])
        return mark

    def remove(self, mark: Bookmark) -> None:
        """Take a bookmark away."""
        self._put([other for other in self._marks if other != mark])

    def write_note(self, mark: Bookmark, note: str) -> None:
        """Give a bookmark another note."""
        note = note[:LONGEST_NOTE]
        self._put([replace(other, note=note) if other == mark else other for other in self._marks])

    def beside(self, offset: int, direction: int) -> Bookmark | None:
        """The next (1) or previous (-1) bookmark from an offset, around the end; None where there are none."""
        if not self._marks:
            return None
        if direction > 0:
            return next((mark for mark in self._marks if mark.offset > offset), self._marks[0])
        return next((mark for mark in reversed(self._marks) if mark.offset < offset), self._marks[-1])

    def follow(self, document: Document, splices: tuple[Splice, ...], moves: tuple[Move, ...] = ()) -> None:
        """The bytes have changed, or are read now: find all of them again.

        A value whose first byte is gone is what has its path now, if that was written by the change; else the path is
        kept for an undo to bring the value back.
        """
        written = touched(splices)
        self._put([_followed(mark, document, splices, moves, written) for mark in self._marks])

    def _put(self, marks: Sequence[Bookmark]) -> None:
        self._marks = tuple(sorted(marks, key=lambda mark: (mark.offset, mark.path)))


def _new(document: Document, item: Item) -> Bookmark:
    row = outline.row_item(document, item)
    offset = outline.span(document, row).start if outline.exists(document, row) else 0
    return Bookmark(SelectionAnchor.of(document, row), offset)


def _followed(
    mark: Bookmark,
    document: Document,
    splices: tuple[Splice, ...],
    moves: tuple[Move, ...],
    written: list[Span],
) -> Bookmark:
    start = landed(mark.anchor.start, splices, moves) if mark.anchor.start is not None else None
    offset = moved(mark.offset, splices) if start is None else start
    lost = mark.anchor.start is not None and start is None
    mark = replace(mark, anchor=replace(mark.anchor, start=start), offset=offset)
    item = mark.find(document)
    if item is None:
        return mark
    found = _new(document, item)
    if lost and not any(span.start <= found.offset < span.end for span in written):
        return mark  # the path leads to another value, which was there before
    return replace(found, note=mark.note)


# Where bookmarks are kept between runs: one small JSON file for each marked file, in a folder of the person.

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
    return Bookmark(SelectionAnchor(path, None if path else offset), offset, note[:LONGEST_NOTE])
