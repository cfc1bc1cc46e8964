"""Journal: the changes of an open document, written down as they are made, for the case that the program dies.

A journal is a file of records, each with its length and checksum, so that a record cut off by the end of the program
is known for what it is. The first names the document; then come its bytes as they were saved last, where there are few
enough of them, and a record for every step. Removed bytes are kept as a checksum only: they are in the file.
Where values were read from a text, the steps are those of the text: blanks and comments are changes too.

What was encrypted is never written down in plain: of such a document only the fact that it was being changed is kept.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from viewer.base.buffer import Buffer, Bytes, stretches
from viewer.base.record import dataclass, field, replace
from viewer.document.disk.file_versions import sync_folder
from viewer.document.disk.files import FileStamp
from viewer.document.disk.private_files import make_private, open_private
from viewer.document.document import Document
from viewer.document.splice import Splice
from viewer.document.wraps import UnwrapOptions

RECORD = struct.Struct("<II")
STEP = struct.Struct("<QQIQ")
"""Offset, how many bytes were removed, their checksum, how many were inserted."""
MAGIC = "variant-viewer journal 2"
BASE, STEPS, SAVING = b"B", b"S", b"W"
"""The kinds of records after the first: saved bytes, the splices of one change, what is about to be saved and where."""
KEPT_WHOLE = 1 << 24
"""A file up to so many bytes is written down with its changes, which then need it no more."""
KEPT_WITHOUT_FILE = 1 << 26
"""So many bytes without a file are written down; of more nothing is."""
LONGEST = (1 << 32) - 1
CHUNK = 1 << 20
COMPARED, SAMPLES, SAMPLE = 1 << 22, 256, 1 << 12
"""Of more bytes than the first, so many samples of so many bytes stand for all of them."""


class NotKept(Exception):
    """The changes of a document are not written down; one sentence says why and what to do."""


class Journal:
    """Writes the changes of one document down.

    Whatever fails, the file holds a state that the document had: what could not be written waits in its order.

    Args:
        path: the journal's file; it comes into being with the first change.
        document: what is edited.
        instead_of: a journal that says the same, left by another run; it goes once this one is safe.
    """

    def __init__(self, path: Path, document: Document, instead_of: Path | None = None) -> None:
        self._path = path
        self._document = document
        self._instead_of = instead_of
        self._length = 0
        self._waiting: list[bytes] = []
        self._text = b""

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._path

    @property
    def is_behind(self) -> bool:
        """Whether the document has changes that are not written down."""
        return bool(self._waiting) or (self._length == 0 and self._document.modified)

    @property
    def replaces(self) -> Path | None:
        """The journal of another run that still says what this one cannot yet."""
        return self._instead_of

    def add(self, splices: Iterable[Splice]) -> None:
        """Write splices down that the document just had applied.

        Raises:
            OSError: the disk does not take them; they are written with the next ones, or by :meth:`catch_up`.
            NotKept: there are too many bytes without a file.
        """
        if self._length and not self._document.wraps.is_secret:
            steps = self._text_steps() if self._document.wraps.text is not None else splices
            self._waiting.append(STEPS + b"".join(_packed(splice) for splice in steps))
        self.catch_up()

    def catch_up(self) -> None:
        """Write down what is not written yet.

        Raises:
            OSError, NotKept: as for :meth:`add`.
        """
        if self._length and not self._is_whole():
            self._length = 0  # somebody took the file away, or a part of it
        if self._length == 0:
            self._waiting.clear()
            self._write(self._beginning())
        elif self._waiting:
            self._write(self._waiting)
            self._waiting.clear()

    def settle(self) -> None:
        """This journal has reached the disk: what it took the place of may go."""
        if self._instead_of is not None and not self.is_behind and self._is_whole():
            _remove(self._instead_of)
            self._instead_of = None

    def about_to_save(self, target: Path) -> None:
        """Write down what is saved where, so that it is known again should the program end right then.

        Raises:
            OSError: the disk does not take it, which does no harm.
        """
        if self._length and not self._document.wraps.is_secret:
            buffer = self._document.shown
            said = {"path": str(target.absolute()), "size": len(buffer), "sample": fingerprint(buffer)}
            if not self._waiting:
                self._write([SAVING + json.dumps(said).encode()])

    def drop(self) -> None:
        """Forget the changes: they are saved, or the person does not want them."""
        for path in (self._instead_of, self._path):  # the older one alone would say what was long before
            if path is not None:
                _remove(path)
        self._instead_of = None
        self._length = 0
        self._waiting.clear()

    def _text_steps(self) -> tuple[Splice, ...]:
        """What changed in the text since it was written down; nothing while it cannot hold the values."""
        before, self._text = self._text, bytes(self._document.shown[:])
        return (Splice(0, before, self._text).trimmed(),) if before != self._text else ()

    def _is_whole(self) -> bool:
        try:
            return self._path.stat().st_size >= self._length
        except OSError:
            return False

    def _write(self, payloads: Iterable[bytes]) -> None:
        """Append records, all of them or none."""
        make_private(self._path.parent)
        handle = open_private(self._path, os.O_RDWR | os.O_CREAT)
        try:
            os.ftruncate(handle, self._length)
            os.lseek(handle, self._length, os.SEEK_SET)
            end = self._length
            for payload in payloads:
                if len(payload) > LONGEST:
                    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
                _write_all(handle, RECORD.pack(len(payload), zlib.crc32(payload)))
                _write_all(handle, payload)
                end += RECORD.size + len(payload)
            self._length = end
        except BaseException:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, self._length)
            raise
        finally:
            os.close(handle)

    def _beginning(self) -> Iterator[bytes]:
        """All that is to be known of the document, and its changes since it was saved."""
        document = self._document
        wraps, stamp = document.saved, document.stamp
        outside = wraps.outside
        is_text = wraps.text is not None
        inside = wraps.around[-1].outside if is_text else wraps.inside
        if document.path is None and len(outside) > KEPT_WITHOUT_FILE and not wraps.is_secret:
            raise NotKept(
                f"“{document.name}” has no file and is very long: its changes are not kept in case of a crash. Save it."
            )
        is_kept = not wraps.is_secret and (document.path is None or len(outside) <= KEPT_WHOLE)
        about = {
            "magic": MAGIC,
            "name": document.name,
            "path": str(document.path.absolute()) if document.path else "",
            "stamp": [stamp.size, stamp.modified_ns, stamp.inode] if stamp else None,
            "layers": list(wraps.names[:-1] if is_text else wraps.names),
            "text": wraps.names[-1] if is_text else "",
            "limit": document.choice.opening.limit,
            "secret": wraps.is_secret,
            "base": len(outside) if is_kept else None,
            "size": len(inside),
            "sample": "" if wraps.is_secret else fingerprint(inside),
            "instead_of": self._instead_of.name if self._instead_of is not None else "",
        }
        yield json.dumps(about).encode()
        if is_kept:
            for _, piece in stretches(outside, size=CHUNK):
                yield BASE + bytes(piece)
        if not wraps.is_secret:
            splices: Sequence[Splice] | None = document.history.since_saved()
            if is_text:
                self._text = bytes(inside[:])
                splices = self._text_steps()
            if splices is None:
                yield STEPS + _packed(Splice(0, bytes(inside[:]), bytes(document.buffer[:])))
            else:
                yield STEPS + b"".join(_packed(splice) for splice in splices)


def sync(path: Path) -> None:
    """Let a journal outlive the end of the power: may take long, so not for the thread of a window.

    Raises:
        OSError: the disk does not take it.
    """
    try:
        handle = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    sync_folder(path.parent)


def fingerprint(buffer: Buffer) -> str:
    """What tells bytes from others: a digest of all of them, or of samples where they are very many."""
    digest = hashlib.blake2b(digest_size=16)
    if len(buffer) <= COMPARED:
        digest.update(bytes(buffer[0 : len(buffer)]))
    else:
        last = len(buffer) - SAMPLE
        for number in range(SAMPLES):
            at = last * number // (SAMPLES - 1)
            digest.update(buffer[at : at + SAMPLE])
    return digest.hexdigest()


def _packed(splice: Splice) -> bytes:
    removed, inserted = bytes(splice.removed), bytes(splice.inserted)
    return STEP.pack(splice.offset, len(removed), zlib.crc32(removed), len(inserted)) + inserted


def _write_all(handle: int, data: Bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _remove(path: Path) -> None:
    """Take a journal away; where the system does not let it go, it says nothing any more."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        with contextlib.suppress(OSError):
            os.truncate(path, 0)


# Reading journals that another run of the program left behind, those of its first version too.

FIRST_MAGIC = "variant-viewer journal 1"
UNNAMED = "a document"
LONGEST_ABOUT = 1 << 20
"""Bytes of a first record: it holds names and no file."""
BEGINNING = b'{"magic": "variant-viewer journal '
Place = tuple[int, int]
"""Offset and size of bytes in a journal."""


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """One splice, of whose removed bytes only number and checksum are known."""

    offset: int
    removed: int
    checksum: int
    inserted: bytes


@dataclass(frozen=True, slots=True)
class ContentDigest:
    """What tells the bytes of a file from others: how many there are, and their fingerprint."""

    size: int
    sample: str


@dataclass(frozen=True, slots=True)
class LeftJournal:
    """What a journal says that was left behind.

    Args:
        path: the journal.
        when: seconds since 1970 when it was written last.
        name: the document's name.
        file: the file that was edited, None for bytes that never had one.
        stamp: the state of that file.
        opening: the wraps that were taken off, and how many bytes were allowed to come out.
        text: the name of the codec that read values from the text in these wraps, empty where there was none.
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
    stamp: FileStamp | None = None
    opening: UnwrapOptions = field(default_factory=lambda: UnwrapOptions(()))
    is_secret: bool = False
    content: ContentDigest | None = None
    base: tuple[Place, ...] | None = None
    steps: tuple[JournalRecord, ...] = ()
    saving: tuple[Path, ContentDigest] | None = None
    instead_of: str = ""
    is_torn: bool = False
    problem: str = ""
    text: str = ""

    @property
    def whole_opening(self) -> UnwrapOptions:
        """How the document was opened."""
        return replace(self.opening, codecs=(*(self.opening.codecs or ()), self.text)) if self.text else self.opening

    def base_bytes(self) -> bytes:
        """The bytes of the file before the changes, as the journal keeps them.

        Raises:
            OSError: it cannot be read.
        """
        with self.path.open("rb") as file:
            return b"".join(_at(file, place) for place in self.base or ())


def left_behind(path: Path) -> LeftJournal | None:
    """What a journal says; None where it says nothing, as one does that no change was written to."""
    try:
        when = path.stat().st_mtime
        with path.open("rb") as file:
            return _read(path, when, file)
    except (OSError, MemoryError) as error:
        why = getattr(error, "strerror", None) or "there is not enough memory"
        return LeftJournal(
            path, 0.0, problem=f"What was kept in “{path}” cannot be read ({why.lower()}): it stays there."
        )


def _read(path: Path, when: float, file: BinaryIO) -> LeftJournal | None:
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
        return LeftJournal(path, when, name=about.name if about is not None else UNNAMED, problem=sentence)
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
    stamp: FileStamp | None
    opening: UnwrapOptions
    secret: bool
    base: int | None
    content: ContentDigest | None
    instead_of: str
    text: str

    @classmethod
    def of(cls, said: object) -> _About:
        """The record as it was decoded.

        Raises:
            ValueError, TypeError, KeyError: it is none.
        """
        if not isinstance(said, dict) or said.get("magic") not in (MAGIC, FIRST_MAGIC):
            raise ValueError("This is not a journal.")
        stamp, base, limit = said.get("stamp"), said.get("base"), said.get("limit")
        is_first = said["magic"] == FIRST_MAGIC
        return cls(
            is_first,
            _text(said.get("name", "")) or UNNAMED,
            _text(said.get("path", "")),
            FileStamp(*(int(number) for number in stamp)) if stamp else None,
            UnwrapOptions(
                tuple(_text(name) for name in said.get("layers", ())), limit=None if limit is None else int(limit)
            ),
            bool(said.get("secret")),
            None if base is None else int(base),
            None if is_first else ContentDigest(int(said["size"]), _text(said["sample"])),
            _text(said.get("instead_of", "")),
            _text(said.get("text", "")),
        )


@dataclass(slots=True)
class _Rest:
    """What the records behind the first say."""

    base: list[Place] = field(default_factory=list)
    steps: list[JournalRecord] = field(default_factory=list)
    saving: tuple[Path, ContentDigest] | None = None


def _rest(path: Path, when: float, file: BinaryIO, about: _About, records: _Records) -> LeftJournal | None:
    rest = _first_version(file, about, records) if about.is_first_version else _second_version(file, records)
    base = tuple(rest.base) if sum(size for _, size in rest.base) == about.base else None
    if about.is_first_version:
        base = tuple(rest.base) or None
    if base is None and not about.path and not about.secret:
        return None
    return LeftJournal(
        path,
        when,
        about.name,
        Path(about.path) if about.path else None,
        about.stamp,
        about.opening if base is None or not about.is_first_version else UnwrapOptions(()),
        about.secret,
        about.content,
        base,
        tuple(rest.steps),
        rest.saving,
        about.instead_of,
        records.is_torn,
        text=about.text,
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
            rest.saving = Path(_text(said["path"])), ContentDigest(int(said["size"]), _text(said["sample"]))
    return rest


def _steps(record: bytes) -> Iterator[JournalRecord]:
    at = 0
    while at + STEP.size <= len(record):
        offset, removed, checksum, inserted = STEP.unpack_from(record, at)
        at += STEP.size
        yield JournalRecord(offset, removed, checksum, record[at : at + inserted])
        at += inserted


def _at(file: BinaryIO, place: Place) -> bytes:
    file.seek(place[0])
    return file.read(place[1])


def _text(said: object) -> str:
    if not isinstance(said, str):
        raise TypeError("This is no text.")
    return said
