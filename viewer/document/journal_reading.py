"""Reading journals that another run of the program left behind, those of its first version too."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from viewer.document.files import Stamp
from viewer.document.journal import BASE, CHUNK, MAGIC, RECORD, SAVING, STEP, STEPS
from viewer.document.wraps import Opening

FIRST_MAGIC = "variant-viewer journal 1"
UNNAMED = "a document"
LONGEST_ABOUT = 1 << 20
"""Bytes of a first record: it holds names and no file."""
BEGINNING = b'{"magic": "variant-viewer journal '
Place = tuple[int, int]
"""Offset and size of bytes in a journal."""


@dataclass(frozen=True, slots=True)
class Step:
    """One splice, of whose removed bytes only number and checksum are known."""

    offset: int
    removed: int
    checksum: int
    inserted: bytes


@dataclass(frozen=True, slots=True)
class Content:
    """What tells the bytes of a file from others: how many there are, and their fingerprint."""

    size: int
    sample: str


@dataclass(frozen=True, slots=True)
class Left:
    """What a journal says that was left behind.

    Args:
        path: the journal.
        when: seconds since 1970 when it was written last.
        name: the document's name.
        file: the file that was edited, None for bytes that never had one.
        stamp: the state of that file.
        opening: the wraps that were taken off, and how many bytes were allowed to come out.
        is_secret: whether the document was encrypted, so that its changes were not written down.
        content: what the innermost bytes were before the changes, None where that was not kept.
        base: where in the journal the bytes of the file stand, None where they were not kept.
        steps: the splices, in order.
        saving: where they were about to be saved, and what as.
        instead_of: the name of a journal that it took the place of.
        is_torn: whether changes were written down behind these that cannot be read any more.
        problem: one sentence where nothing of it can be understood, else empty.
    """

    path: Path
    when: float
    name: str = UNNAMED
    file: Path | None = None
    stamp: Stamp | None = None
    opening: Opening = field(default_factory=lambda: Opening(()))
    is_secret: bool = False
    content: Content | None = None
    base: tuple[Place, ...] | None = None
    steps: tuple[Step, ...] = ()
    saving: tuple[Path, Content] | None = None
    instead_of: str = ""
    is_torn: bool = False
    problem: str = ""

    def base_bytes(self) -> bytes:
        """The bytes of the file before the changes, as the journal keeps them.

        Raises:
            OSError: it cannot be read.
        """
        with self.path.open("rb") as file:
            return b"".join(_at(file, place) for place in self.base or ())


def left_behind(path: Path) -> Left | None:
    """What a journal says; None where it says nothing, as one does that no change was written to."""
    try:
        when = path.stat().st_mtime
        with path.open("rb") as file:
            return _read(path, when, file)
    except (OSError, MemoryError) as error:
        why = getattr(error, "strerror", None) or "there is not enough memory"
        return Left(path, 0.0, problem=f"What was kept in “{path}” cannot be read ({why.lower()}): it stays there.")


def _read(path: Path, when: float, file: BinaryIO) -> Left | None:
    records = _Records(file)
    first = next(iter(records), None)
    try:
        about = _About.of(json.loads(_at(file, first))) if first is not None else None
        if about is not None:
            left = _rest(path, when, file, about, records)
            if left is not None and (left.steps or left.is_secret):
                return left
    except (ValueError, TypeError, KeyError, RecursionError):
        about = None
    if about is None and (records.is_blank or records.is_begun):
        return None
    if about is None or records.is_torn:
        sentence = f"What was kept in “{path}” is damaged: no change in it can be read. It stays there."
        return Left(path, when, name=about.name if about is not None else UNNAMED, problem=sentence)
    return None


class _Records:
    """The whole records of a journal, up to the first that is cut off or damaged.

    Attributes:
        is_blank: whether there is nothing but zeros, as after the end of the power.
        is_begun: whether there is nothing but the beginning of a first record: the program ended while it was written,
            and no change ever was.
        is_torn: whether behind the records stands one that is complete, and damaged.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = file.seek(0, 2)
        self._next = 0
        self.is_torn = False
        file.seek(0)
        self.is_blank = not any(piece.strip(b"\0") for piece in iter(lambda: file.read(CHUNK), b""))
        self.is_begun = self._is_begun()

    def _is_begun(self) -> bool:
        if self._size > LONGEST_ABOUT:
            return False
        start = _at(self._file, (0, min(self._size, RECORD.size + len(BEGINNING))))
        size, said = int.from_bytes(start[:4], "little"), start[RECORD.size :]
        return size <= LONGEST_ABOUT and self._size < RECORD.size + size and BEGINNING.startswith(said)

    def __iter__(self) -> Iterator[Place]:
        while self._next + RECORD.size <= self._size:
            size, checksum = RECORD.unpack(_at(self._file, (self._next, RECORD.size)))
            place = self._next + RECORD.size, size
            if sum(place) > self._size:
                return
            if zlib.crc32(_at(self._file, place)) != checksum:
                self.is_torn = True
                return
            self._next = sum(place)
            yield place


@dataclass(frozen=True, slots=True)
class _About:
    """The first record."""

    is_first_version: bool
    name: str
    path: str
    stamp: Stamp | None
    opening: Opening
    secret: bool
    base: int | None
    content: Content | None
    instead_of: str

    @classmethod
    def of(cls, said: object) -> _About:
        """The record as it was decoded.

        Raises:
            ValueError, TypeError, KeyError: it is none.
        """
        if not isinstance(said, dict) or said.get("magic") not in (MAGIC, FIRST_MAGIC):
            raise ValueError("This is no journal.")
        stamp, base, limit = said.get("stamp"), said.get("base"), said.get("limit")
        is_first = said["magic"] == FIRST_MAGIC
        return cls(
            is_first,
            _text(said.get("name", "")) or UNNAMED,
            _text(said.get("path", "")),
            Stamp(*(int(number) for number in stamp)) if stamp else None,
            Opening(tuple(_text(name) for name in said.get("layers", ())), limit=None if limit is None else int(limit)),
            bool(said.get("secret")),
            None if base is None else int(base),
            None if is_first else Content(int(said["size"]), _text(said["sample"])),
            _text(said.get("instead_of", "")),
        )


@dataclass(slots=True)
class _Rest:
    """What the records behind the first say."""

    base: list[Place] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    saving: tuple[Path, Content] | None = None


def _rest(path: Path, when: float, file: BinaryIO, about: _About, records: _Records) -> Left | None:
    rest = _first_version(file, about, records) if about.is_first_version else _second_version(file, records)
    base = tuple(rest.base) if sum(size for _, size in rest.base) == about.base else None
    if about.is_first_version:
        base = tuple(rest.base) or None
    if base is None and not about.path and not about.secret:
        return None
    return Left(
        path,
        when,
        about.name,
        Path(about.path) if about.path else None,
        about.stamp,
        about.opening if base is None or not about.is_first_version else Opening(()),
        about.secret,
        about.content,
        base,
        tuple(rest.steps),
        rest.saving,
        about.instead_of,
        records.is_torn,
    )


def _first_version(file: BinaryIO, about: _About, records: _Records) -> _Rest:
    """Without a file the first record holds the bytes; the others are splices."""
    rest = _Rest()
    for place in records:
        if not about.path and not about.secret and not rest.base:
            rest.base.append(place)
        else:
            rest.steps += _steps(_at(file, place))
    return rest


def _second_version(file: BinaryIO, records: _Records) -> _Rest:
    rest = _Rest()
    for start, size in records:
        kind, inner = _at(file, (start, 1)), (start + 1, size - 1)
        if kind == BASE:
            rest.base.append(inner)
        elif kind == STEPS:
            rest.steps += _steps(_at(file, inner))
            rest.saving = None
        elif not kind:
            break  # zeros, as after the end of the power
        elif kind == SAVING:
            said = json.loads(_at(file, inner))
            rest.saving = Path(_text(said["path"])), Content(int(said["size"]), _text(said["sample"]))
    return rest


def _steps(record: bytes) -> Iterator[Step]:
    at = 0
    while at + STEP.size <= len(record):
        offset, removed, checksum, inserted = STEP.unpack_from(record, at)
        at += STEP.size
        yield Step(offset, removed, checksum, record[at : at + inserted])
        at += inserted


def _at(file: BinaryIO, place: Place) -> bytes:
    file.seek(place[0])
    return file.read(place[1])


def _text(said: object) -> str:
    if not isinstance(said, str):
        raise TypeError("This is no text.")
    return said
