"""Journal: the changes of an open document, written down as they are made, for the case that the program dies.

A journal is a file of records, each with its length and checksum, so that a record cut off by the end of the program
is known for what it is. The first names the document; every other one holds the splices of one step. Removed bytes are
kept as a checksum only: they are in the file that was edited.

What was encrypted is never written down in plain: of such a document only the fact that it was being changed is kept.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from viewer.document import files
from viewer.document.document import Document
from viewer.document.files import FileProblem
from viewer.document.reading import Choice
from viewer.document.splice import Edit, Splice
from viewer.document.wraps import Opening

RECORD = struct.Struct("<II")
STEP = struct.Struct("<QQIQ")
"""Offset, how many bytes were removed, their checksum, how many were inserted."""
MAGIC = "variant-viewer journal 1"
MOST_PASTED = 1 << 24
"""So many bytes without a file are kept whole; of more nothing is written down."""
LABEL = "Bring Back Changes"


class JournalError(Exception):
    """The changes cannot be brought back; one sentence says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """One splice, of whose removed bytes only number and checksum are known."""

    offset: int
    removed: int
    checksum: int
    inserted: bytes

    def done(self, buffer: bytearray) -> Splice | None:
        """The splice where *buffer* has the bytes that it removes, None where it has others."""
        old = bytes(buffer[self.offset : self.offset + self.removed])
        fits = len(old) == self.removed and zlib.crc32(old) == self.checksum
        return Splice(self.offset, old, self.inserted) if fits else None


@dataclass(frozen=True, slots=True)
class Left:
    """What a journal says that was left behind.

    Args:
        path: the journal.
        about: its first record.
        steps: the splices, in order.
    """

    path: Path
    about: dict[str, Any]
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        """The document's name."""
        return str(self.about.get("name", "")) or "a document"

    @property
    def file(self) -> Path | None:
        """The file that was edited, None for bytes that never had one."""
        return Path(self.about["path"]) if self.about.get("path") else None

    @property
    def is_secret(self) -> bool:
        """Whether the document was encrypted, so that its changes were not written down."""
        return bool(self.about.get("secret"))


class Journal:
    """Writes the changes of one document down.

    Args:
        path: the journal's file; it comes into being with the first change.
        document: what is edited.
    """

    def __init__(self, path: Path, document: Document) -> None:
        self._path = path
        self._document = document
        self._begun = False

    def add(self, splices: Iterable[Splice]) -> None:
        """Write splices down that were just done.

        Raises:
            OSError: the disk does not take them.
        """
        document = self._document
        if document.path is None and len(document.buffer) > MOST_PASTED:
            return
        if not self._begun:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._write([_about(document)], "wb")
            self._begun = True
            if document.path is None and not document.wraps.is_secret:
                self._write([_before(document, splices)], "ab")
        if not document.wraps.is_secret:
            self._write([b"".join(_packed(splice) for splice in splices)], "ab")

    def _write(self, payloads: Sequence[bytes], mode: str) -> None:
        with self._path.open(mode) as file:
            for payload in payloads:
                file.write(RECORD.pack(len(payload), zlib.crc32(payload)) + payload)

    def drop(self) -> None:
        """Forget the changes: they are saved, or the person does not want them."""
        self._path.unlink(missing_ok=True)
        self._begun = False


def _about(document: Document) -> bytes:
    stamp = document.stamp
    about = {
        "magic": MAGIC,
        "name": document.name,
        "path": str(document.path.absolute()) if document.path else "",
        "stamp": [stamp.size, stamp.modified_ns, stamp.inode] if stamp else None,
        "layers": list(document.wraps.names),
        "secret": document.wraps.is_secret,
    }
    return json.dumps(about).encode()


def _before(document: Document, splices: Iterable[Splice]) -> bytes:
    """The bytes before these splices."""
    data = bytes(document.buffer[:])
    for splice in reversed(list(splices)):
        end = splice.offset + len(splice.inserted)
        data = data[: splice.offset] + bytes(splice.removed) + data[end:]
    return data


def _packed(splice: Splice) -> bytes:
    removed, inserted = bytes(splice.removed), bytes(splice.inserted)
    return STEP.pack(splice.offset, len(removed), zlib.crc32(removed), len(inserted)) + inserted


# Reading


def left_behind(path: Path) -> Left | None:
    """What a journal says; None where it is none, or says nothing."""
    try:
        records = list(_records(files.read_whole(path)))
        about = json.loads(records[0]) if records else {}
    except (FileProblem, ValueError):
        return None
    if not isinstance(about, dict) or about.get("magic") != MAGIC:
        return None
    steps = records[1:]
    if not about.get("path") and not about.get("secret"):
        if not steps:
            return None
        about["bytes"], steps = steps[0], steps[1:]
    return Left(path, about, tuple(step for record in steps for step in _steps(record)))


def _records(data: bytes) -> Iterator[bytes]:
    """The whole records, up to the first that is cut off or damaged."""
    at = 0
    while at + RECORD.size <= len(data):
        size, checksum = RECORD.unpack_from(data, at)
        payload = data[at + RECORD.size : at + RECORD.size + size]
        if len(payload) < size or zlib.crc32(payload) != checksum:
            return
        yield payload
        at += RECORD.size + size


def _steps(record: bytes) -> Iterator[Step]:
    at = 0
    while at + STEP.size <= len(record):
        offset, removed, checksum, inserted = STEP.unpack_from(record, at)
        at += STEP.size
        yield Step(offset, removed, checksum, record[at : at + inserted])
        at += inserted


# Bringing back


def brought_back(left: Left) -> Document | None:
    """The document with its changes, not saved; None where the file holds them already.

    Raises:
        JournalError: the file is gone or another one now, or the changes were never written down.
        FileProblem: the file cannot be read.
    """
    if left.is_secret:
        raise JournalError(
            f"“{left.name}” is encrypted, so that its unsaved changes were not written down: they are lost."
        )
    document = _base(left)
    splices = _forward(left.steps, bytearray(document.buffer[:]))
    if not splices:
        if _holds(left.steps, bytearray(document.buffer[:])):
            return None
        raise JournalError(f"“{left.name}” was changed by another program since: your changes do not fit it any more.")
    document.apply(Edit(LABEL, tuple(splices)))
    return document


def _base(left: Left) -> Document:
    """The document as it was before the changes."""
    if left.file is None:
        return Document(left.about["bytes"], name=left.name, choice=Choice(opening=Opening(())))
    if not left.file.exists():
        raise JournalError(f"“{left.file}” is gone; put it back to have your changes.")
    names = tuple(str(name) for name in left.about.get("layers", ()))
    return Document.open(left.file, Choice(opening=Opening(names)))


def _forward(steps: Sequence[Step], buffer: bytearray) -> list[Splice]:
    """The splices as they apply to *buffer*, which they change; none where one does not fit."""
    out: list[Splice] = []
    for step in steps:
        splice = step.done(buffer)
        if splice is None:
            return []
        out.append(splice)
        buffer[step.offset : step.offset + step.removed] = step.inserted
    return out


def _holds(steps: Sequence[Step], buffer: bytearray) -> bool:
    """Whether *buffer*, which is changed, is what the steps lead to: each has left what it inserted."""
    for step in reversed(steps):
        if buffer[step.offset : step.offset + len(step.inserted)] != step.inserted:
            return False
        buffer[step.offset : step.offset + len(step.inserted)] = bytes(step.removed)
    return True
