"""Journal: the changes of an open document, written down as they are made, for the case that the program dies.

A journal is a file of records, each with its length and checksum, so that a record cut off by the end of the program
is known for what it is. The first names the document; then come its bytes as they were saved last, where there are few
enough of them, and a record for every step. Removed bytes are kept as a checksum only: they are in the file.

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
from collections.abc import Iterable, Iterator
from pathlib import Path

from viewer.base.buffer import Buffer, Bytes, stretches
from viewer.document.document import Document
from viewer.document.new_file import sync_folder
from viewer.document.private_files import make_private, open_private
from viewer.document.splice import Splice

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
            self._waiting.append(STEPS + b"".join(_packed(splice) for splice in splices))
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
            buffer = self._document.buffer
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
        wraps, stamp = document.wraps, document.stamp
        outside = wraps.outside
        if document.path is None and len(outside) > KEPT_WITHOUT_FILE and not wraps.is_secret:
            raise NotKept(
                f"“{document.name}” has no file and is very long: its changes are not kept for the case of a crash. "
                "Save it."
            )
        is_kept = not wraps.is_secret and (document.path is None or len(outside) <= KEPT_WHOLE)
        about = {
            "magic": MAGIC,
            "name": document.name,
            "path": str(document.path.absolute()) if document.path else "",
            "stamp": [stamp.size, stamp.modified_ns, stamp.inode] if stamp else None,
            "layers": list(wraps.names),
            "limit": document.choice.opening.limit,
            "secret": wraps.is_secret,
            "base": len(outside) if is_kept else None,
            "size": len(wraps.inside),
            "sample": "" if wraps.is_secret else fingerprint(wraps.inside),
            "instead_of": self._instead_of.name if self._instead_of is not None else "",
        }
        yield json.dumps(about).encode()
        if is_kept:
            for _, piece in stretches(outside, size=CHUNK):
                yield BASE + bytes(piece)
        if not wraps.is_secret:
            splices = document.history.since_saved()
            if splices is None:
                yield STEPS + _packed(Splice(0, bytes(wraps.inside[:]), bytes(document.buffer[:])))
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
