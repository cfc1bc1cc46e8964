"""Bytes kept by what they are: cut into blocks, each stored once, compressed, under the hash of what it holds."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from viewer.base.record import dataclass
from viewer.document.disk.file_versions import sync_folder
from viewer.document.disk.private_files import make_private, open_private

LEVEL = 3
SMALLEST = 1 << 15
"""Bytes of the smallest block of a content that is not long; a shorter content is one block."""
MOST_BLOCKS = 512
"""About so many blocks are made of a content: of longer ones, larger blocks."""
WORD = 8
"""A block ends before the greatest of all words of so many bytes in a stretch as long as the smallest block."""
HASH = 32
LIST = ".list"
FRESH = ".new"


class DamagedBlock(Exception):
    """Kept bytes are not what they were, or are gone."""


@dataclass(frozen=True, slots=True)
class StoredContent:
    """Bytes that were stored.

    Args:
        name: their SHA-256, in hexadecimal digits.
        size: how many they are.
        added: bytes that this took on the disk.
    """

    name: str
    size: int
    added: int


def cut_points(data: bytes) -> Iterator[int]:
    """Where the blocks of a content end.

    The places depend on the bytes around them alone, so that the blocks behind something that was put in or taken out
    are the same as before.
    """
    least = SMALLEST
    while len(data) > MOST_BLOCKS * 2 * least:
        least *= 2
    view, at = memoryview(data), 0
    while len(data) - at > 2 * least:
        at += least + _greatest(view[at + least : at + 2 * least])
        yield at
    yield len(data)


def _greatest(stretch: memoryview) -> int:
    """Where the greatest word of a stretch begins, the first of those that are equal."""
    found = []
    for shift in range(WORD):
        count = (len(stretch) - shift) // WORD
        words = stretch[shift : shift + count * WORD].cast("Q").tolist()
        best = max(words)
        found.append((-best, shift + WORD * words.index(best)))
    return min(found)[1]


class BlockStore:
    """The blocks in a folder, a file each.

    A file is written beside its place, reaches the disk, and takes its name: under a name is all of it or nothing.

    Args:
        folder: where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sizes: dict[str, int] | None = None
        self._sound: set[str] = set()

    def _known(self) -> dict[str, int]:
        """How many bytes the file of each name has."""
        if self._sizes is None:
            self._sizes = {}
            with contextlib.suppress(FileNotFoundError), os.scandir(self._folder) as entries:
                for entry in entries:
                    if entry.name.endswith(FRESH):
                        _unlink(entry.path)  # of a program that died
                    else:
                        self._sizes[entry.name] = entry.stat().st_size
        return self._sizes

    def forget(self) -> None:
        """Somebody else may have changed the folder."""
        self._sizes = None

    @property
    def stored(self) -> int:
        """Bytes of all files."""
        return sum(self._known().values())

    def add(self, data: bytes) -> StoredContent:
        """Store bytes, safely on the disk when this returns.

        Raises:
            OSError: they cannot be written; what was stored before is as it was.
        """
        known, before = self._known(), self.stored
        name = hashlib.sha256(data).hexdigest()
        ends = list(cut_points(data))
        made = False
        if len(ends) == 1:
            made = self._put(name, data)
        else:
            hashes, at = [], 0
            for end in ends:
                block = data[at:end]
                at = end
                digest = hashlib.sha256(block)
                hashes.append(digest.digest())
                made |= self._put(digest.hexdigest(), block)
            made |= self._put(name + LIST, b"".join(hashes))
        if made:
            sync_folder(self._folder)
        return StoredContent(name, len(data), sum(known.values()) - before)

    def _put(self, name: str, data: bytes) -> bool:
        """Store what a name stands for, unless it is there and sound; True where something was written."""
        known = self._known()
        if name in known and (name in self._sound or self._is_sound(name, data)):
            self._sound.add(name)
            return False
        import zstandard

        raw = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(data)
        path = self._folder / name
        fresh = path.with_name(name + FRESH)
        make_private(self._folder)
        try:
            handle = open_private(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, path)
        except OSError:
            _unlink(fresh)
            raise
        known[name] = len(raw)
        self._sound.add(name)
        return True

    def _is_sound(self, name: str, data: bytes) -> bool:
        try:
            return self._unpacked(name, len(data)) == data
        except DamagedBlock:
            return False

    def _unpacked(self, name: str, most: int) -> bytes:
        """What a file holds, of which there are *most* bytes at most.

        Raises:
            DamagedBlock: it cannot be read.
        """
        import zstandard

        try:
            raw = (self._folder / name).read_bytes()
            size = zstandard.frame_content_size(raw)
            if not 0 <= size <= most:
                raise DamagedBlock("it has another size")
            return zstandard.ZstdDecompressor().decompress(raw, max_output_size=most)
        except FileNotFoundError as error:
            raise DamagedBlock("a part of it is gone") from error
        except (OSError, zstandard.ZstdError, MemoryError) as error:
            raise DamagedBlock("a part of it cannot be read") from error

    def read(self, name: str, size: int) -> bytes:
        """The bytes that were stored.

        Args:
            name: their SHA-256.
            size: how many they are.

        Raises:
            DamagedBlock: they are not what they were; its words go behind a colon.
        """
        pieces, left = [], size
        for part in self._blocks_of(name, size):
            pieces.append(self._unpacked(part, left))
            left -= len(pieces[-1])
        data = b"".join(pieces)
        if len(data) != size or hashlib.sha256(data).hexdigest() != name:
            raise DamagedBlock("a part of it is not what it was")
        return data

    def _blocks_of(self, name: str, size: int) -> list[str]:
        if size <= 2 * SMALLEST:
            return [name]
        hashes = self._unpacked(name + LIST, HASH * (size // SMALLEST + 1))
        return [hashes[at : at + HASH].hex() for at in range(0, len(hashes), HASH)]

    def files_of(self, name: str, size: int) -> set[str]:
        """The names of all files that a content needs; of a damaged one, those that are known."""
        try:
            return {*self._blocks_of(name, size), *([name + LIST] if size > 2 * SMALLEST else [])}
        except DamagedBlock:
            return {name + LIST}

    def size_of(self, files: Iterable[str]) -> int:
        """Bytes of files."""
        known = self._known()
        return sum(known.get(file, 0) for file in files)

    def keep_only(self, files: set[str]) -> int:
        """Take all other files away; returns how many bytes that gave back."""
        known, given = self._known(), 0
        for name in [name for name in known if name not in files]:
            if _unlink(self._folder / name):
                given += known.pop(name)
                self._sound.discard(name)
        return given


def _unlink(path: Path | str) -> bool:
    """Take a file away; False where it stays."""
    try:
        os.unlink(path)
    except OSError as error:
        return error.errno == errno.ENOENT
    return True
